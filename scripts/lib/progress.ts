/** Shows the progress of a long step: a bar on a terminal, and a line when it is done. */
import { startBar, TIME_LEFT_FORMAT } from '../../src/terminal/progress.ts';
import { secondsSince } from '../stack/errors.ts';

export type OnProgress = (done: number) => void;

export async function withProgress<T>(title: string, total: number, work: (onProgress: OnProgress) => Promise<T>): Promise<T> {
  const started = Date.now();
  const bar = startBar(title, total, TIME_LEFT_FORMAT);
  try {
    return await work((done) => bar.update(done));
  } finally {
    bar.stop();
    process.stderr.write(`${title}: ${secondsSince(started)}\n`);
  }
}

/** Runs a step without parts and prints how long it took. */
export const withTimedStep = <T>(title: string, work: () => Promise<T>): Promise<T> => withProgress(title, 1, work);
