/** A failure whose message says all a user needs: it is printed alone, without a stack trace. */
export class UserError extends Error {
  override name = 'UserError';
}

/** A server that stopped or never became ready; `lastLines` is the end of its log. */
export class ServerFailed extends UserError {
  override name = 'ServerFailed';
  readonly lastLines: string[];

  constructor(message: string, lastLines: string[]) {
    super(lastLines.length === 0 ? message : `${message}\n${lastLines.map((line) => `  | ${line}`).join('\n')}`);
    this.lastLines = lastLines;
  }

  /** True when another program took the port between our look at it and the server's start. */
  get portWasTaken(): boolean {
    return this.lastLines.some((line) => /address already in use|BindHttpException|BindTransportException|could not bind/i.test(line));
  }
}

export type Log = (line: string) => void;

export function seconds(sinceMs: number): string {
  return `${((Date.now() - sinceMs) / 1000).toFixed(1)} s`;
}
