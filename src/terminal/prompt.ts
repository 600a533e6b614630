/** Asks the user at the terminal. */
import { createInterface } from 'node:readline/promises';

/** Whether a user can see a question and answer it. */
export const canAsk = (): boolean => Boolean(process.stdin.isTTY && process.stderr.isTTY);

/** Asks a question; any answer but y or yes is no. @param signal aborts the question; its reason is then thrown */
export async function askYesNo(question: string, signal: AbortSignal): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  lines.on('SIGINT', () => process.emit('SIGINT'));
  const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
  try {
    const answer = await Promise.race([lines.question(`${question} Go on? [y/N] `, { signal }), closed]);
    return /^y(es)?$/i.test(answer.trim());
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    lines.close();
  }
}
