/** A line of the report. */
export interface PreflightFinding {
  check: string;
  /** a warning does not prevent a start */
  state: 'ok' | 'warn' | 'fail' | 'skipped';
  /** what was found, in a few words */
  found: string;
  /** what to do; null when nothing is wrong */
  remedy: string | null;
}

export const makeOk = (check: string, found: string): PreflightFinding => ({ check, state: 'ok', found, remedy: null });
export const fail = (check: string, found: string, remedy: string): PreflightFinding => ({ check, state: 'fail', found, remedy });
export const warn = (check: string, found: string, remedy: string): PreflightFinding => ({ check, state: 'warn', found, remedy });
export const makeSkipped = (check: string, found: string): PreflightFinding => ({ check, state: 'skipped', found, remedy: null });

/** The result of a check, or that it failed or took too long. @param remedy of a failure */
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

/** The message of the innermost cause. Connection errors of the servers contain no passwords. */
function reasonOf(error: unknown): string {
  let inner = error;
  while (inner instanceof Error && inner.cause instanceof Error) inner = inner.cause;
  const { message, code } = inner as { message?: string; code?: string };
  return (message || code || 'failed').split('\n')[0]?.slice(0, 160) ?? 'failed';
}
