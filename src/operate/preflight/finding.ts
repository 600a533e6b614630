/** One line of the report. */
export interface PreflightFinding {
  check: string;
  /** a warning keeps nothing from starting */
  state: 'ok' | 'warn' | 'fail' | 'skipped';
  /** what is there, in a few words */
  found: string;
  /** what to do; null where nothing is wrong */
  remedy: string | null;
}

export const ok = (check: string, found: string): PreflightFinding => ({ check, state: 'ok', found, remedy: null });
export const fail = (check: string, found: string, remedy: string): PreflightFinding => ({ check, state: 'fail', found, remedy });
export const warn = (check: string, found: string, remedy: string): PreflightFinding => ({ check, state: 'warn', found, remedy });
export const skipped = (check: string, found: string): PreflightFinding => ({ check, state: 'skipped', found, remedy: null });

/** What work finds, or that it failed or took too long. @param remedy of a failure */
export async function probe(
  check: string,
  remedy: string,
  timeoutMs: number,
  work: () => Promise<PreflightFinding[]>,
): Promise<PreflightFinding[]> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`no answer in ${timeoutMs / 1000} s`)), timeoutMs);
  try {
    return await Promise.race([work(), late.promise]);
  } catch (error) {
    return [fail(check, reasonOf(error), remedy)];
  } finally {
    clearTimeout(timer);
  }
}

/** The innermost cause says most. What servers say of a connection names no password. */
function reasonOf(error: unknown): string {
  let inner = error;
  while (inner instanceof Error && inner.cause instanceof Error) inner = inner.cause;
  const { message, code } = inner as { message?: string; code?: string };
  return (message || code || 'failed').split('\n')[0]?.slice(0, 160) ?? 'failed';
}
