/** Observation of calls to the servers, used by metrics and tracing, which this file does not know. */

export type ServerName = 'elasticsearch' | 'postgres' | 'redis';

/** refused: the server rejected the call; failed: it did not answer, or not in time; cancelled: nobody waits for the answer any more */
export type CallOutcome = 'ok' | 'refused' | 'failed' | 'cancelled';

/**
 * Called when a call begins; the returned function is called once, when it has ended.
 * @param operation one of a few fixed names, never request data
 */
export type Watch = (operation: string) => (outcome: CallOutcome) => void;

/** Runs a call under a watch. @param outcomeOf classifies an error */
export async function watchCall<T>(
  watch: Watch | undefined,
  operation: string,
  call: () => Promise<T>,
  outcomeOf: (error: unknown) => CallOutcome,
): Promise<T> {
  if (!watch) return call();
  const end = watch(operation);
  try {
    const result = await call();
    end('ok');
    return result;
  } catch (error) {
    end(outcomeOf(error));
    throw error;
  }
}

export type ChargeObserver = (subject: 'records' | 'documents' | 'contacts', credits: number) => void;

/** Called for every count that was answered, with the team and the number of matches. */
export type CountObserver = (teamId: number, matches: number) => void;
