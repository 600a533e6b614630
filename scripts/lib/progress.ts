/** Says how far a long step is: a bar on a terminal, elsewhere a line when it is done. */
import { startBar, TIME_LEFT_FORMAT } from '../../src/terminal/progress.ts';
import { seconds } from '../stack/errors.ts';

export type OnProgress = (done: number) => void;

export async function withProgress<T>(title: string, total: number, work: (onProgress: OnProgress) => Promise<T>): Promise<T> {
  const started = Date.now();
  const bar = startBar(title, total, TIME_LEFT_FORMAT);
  try {
    return await work((done) => bar.update(done));
  } finally {
    bar.stop();
    process.stderr.write(`${title}: ${seconds(started)}\n`);
  }
}

/** The same of a step without parts. */
export const step = <T>(title: string, work: () => Promise<T>): Promise<T> => withProgress(title, 1, work);
