/** How calls to the servers are watched: by metrics and by tracing, without either being known here. */

export type ServerName = 'elasticsearch' | 'postgres' | 'redis';

/** refused: the server answered that it will not; failed: it did not answer, or not in time. */
export type CallOutcome = 'ok' | 'refused' | 'failed';

/** Is called when a call begins. What it returns is called once, when the call has ended. @param operation one of a few fixed names, never what was asked */
export type Watch = (operation: string) => (outcome: CallOutcome) => void;

/** @param outcomeOf of what was thrown */
export async function watched<T>(
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

/** Hears of credits that a delivery charged. */
export type ChargeObserver = (subject: 'records' | 'documents' | 'contacts', credits: number) => void;

/** Hears of every count that was answered: who asked, and how many records matched. */
export type CountObserver = (teamId: number, matches: number) => void;
