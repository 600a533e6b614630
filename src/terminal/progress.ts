/** A bar on standard error while people watch; nothing elsewhere. */
import { SingleBar } from 'cli-progress';

export interface Bar {
  update(done: number, total?: number): void;
  stop(): void;
}

export function startBar(title: string, total: number): Bar {
  const { stderr } = process;
  if (!stderr.isTTY) return { update: () => {}, stop: () => {} };
  const bar = new SingleBar({ stream: stderr, format: `${title} [{bar}] {value} of {total}`, hideCursor: true });
  bar.start(total, 0);
  return {
    update: (done, of = bar.getTotal()) => {
      bar.setTotal(Math.max(of, done));
      bar.update(done);
    },
    stop: () => bar.stop(),
  };
}
