/** One of several processes of `npm start`: what it and the one that started it say to each other. */
import type { ProcessValues } from '../metrics/serviceMetrics.ts';

/** The argument by which a process knows that it is one. */
export const CHILD = 'child';

export interface MetricsQuestion {
  asked: number;
  ofServers: boolean;
}

/** It serves; it cannot; or its metrics, as they were asked for. */
export type ChildMessage = { is: 'serving' } | { is: 'failed'; message: string } | { is: 'asked'; asked: number; values: ProcessValues };

export interface Parent {
  /** Says that this process serves. @param read its metrics @param orphaned called when the parent is gone */
  serveBelow(read: ((ofServers: boolean) => Promise<ProcessValues>) | null, orphaned: () => void): void;
  /** Says why this process cannot serve. */
  fail(message: string): void;
  /** Lets this process end. */
  leave(): void;
}

/** The parent of this process; undefined in the only one, or in the parent itself. */
export function parentOf(self: NodeJS.Process): Parent | undefined {
  if (self.argv[2] !== CHILD || !self.connected) return undefined;
  const say = (message: ChildMessage) => self.connected && self.send?.(message, undefined, undefined, () => undefined); // the parent may be gone
  const leave = () => self.connected && self.disconnect();
  return {
    serveBelow: (read, orphaned) => {
      self.on('message', ({ asked, ofServers }: MetricsQuestion) => {
        read?.(ofServers).then(
          (values) => say({ is: 'asked', asked, values }),
          () => undefined, // the question is given up in time
        );
      });
      self.once('disconnect', orphaned);
      say({ is: 'serving' });
    },
    fail: (message) => {
      say({ is: 'failed', message });
      leave();
    },
    leave: () => void leave(),
  };
}
