import { secondsText } from '../../src/core/domain/durations.ts';
import { UserError } from '../../src/terminal/program.ts';

const LOG_LINES_SHOWN = 20;
const PORT_TAKEN = /address already in use|BindHttpException|BindTransportException|could not bind|failed listening on port/i;

/** A server that ended or never became ready: its message closes with the end of the server's log. */
export class ServerFailed extends UserError {
  override name = 'ServerFailed';
  /** Another program took the port between our look at it and the server's start. */
  readonly portWasTaken: boolean;

  constructor(message: string, log: string) {
    super([`${message}${log ? ' The end of its log:' : ''}`, ...lastLines(log).map((line) => `  | ${line}`)].join('\n'));
    this.portWasTaken = PORT_TAKEN.test(log);
  }
}

/** Without the frames of stack traces, which would fill the space and say little. */
function lastLines(log: string): string[] {
  const lines = log.split('\n').filter((line) => line.trim() !== '' && !/^\s+(at |\.\.\. \d+ more)/.test(line));
  return lines.slice(-LOG_LINES_SHOWN);
}

export type Log = (line: string) => void;

export function seconds(sinceMs: number): string {
  return secondsText(Date.now() - sinceMs);
}
