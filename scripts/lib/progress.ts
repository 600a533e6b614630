/** Says how far a long step is: a bar on a terminal, elsewhere a line when it is done. */
import { SingleBar } from 'cli-progress';
import { seconds } from '../stack/errors.ts';

export type OnProgress = (done: number) => void;

export async function withProgress<T>(title: string, total: number, work: (onProgress: OnProgress) => Promise<T>): Promise<T> {
  const { stderr } = process;
  const started = Date.now();
  const bar = new SingleBar({
    stream: stderr,
    format: `${title} [{bar}] {percentage}% | {eta_formatted} left`,
    hideCursor: true,
    etaBuffer: 50,
  });
  if (stderr.isTTY) bar.start(total, 0);
  try {
    return await work((done) => stderr.isTTY && bar.update(done));
  } finally {
    bar.stop();
    stderr.write(`${title}: ${seconds(started)}\n`);
  }
}

/** The same of a step without parts. */
export const step = <T>(title: string, work: () => Promise<T>): Promise<T> => withProgress(title, 1, work);
