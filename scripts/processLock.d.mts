export interface ProcessIdentity {
  pid: number;
  startedAt: string;
}

/** When the process started, as its system tells it; undefined when there is no such process. */
export function startedAt(pid: number): string | undefined;
export function identify(pid?: number): ProcessIdentity;
export function isAlive(identity: ProcessIdentity): boolean;
/** Runs `work` while this process alone holds `file`; `onWait` is called once when another process holds it. */
export function withLock<T>(file: string, work: () => Promise<T> | T, onWait?: () => void): Promise<T>;
