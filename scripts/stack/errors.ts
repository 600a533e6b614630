import { secondsText } from '../../src/core/domain/durations.ts';
import { UserError } from '../../src/terminal/program.ts';

const LOG_LINES_SHOWN = 20;
const PORT_TAKEN = /address already in use|BindHttpException|BindTransportException|could not bind|failed listening on port/i;

/** A server ended or never became ready; the message closes with the end of the server's log. */
export class ServerFailed extends UserError {
  override name = 'ServerFailed';
  /** Whether another program took the port after it was found free and before the server started. */
  readonly portWasTaken: boolean;

  constructor(message: string, log: string) {
    super([`${message}${log ? ' The end of its log:' : ''}`, ...lastLines(log, LOG_LINES_SHOWN).map((line) => `  | ${line}`)].join('\n'));
    this.portWasTaken = PORT_TAKEN.test(log);
  }
}

/** The last lines of a log, without the frames of stack traces. */
export function lastLines(log: string, count: number): string[] {
  const lines = log.split('\n').filter((line) => line.trim() !== '' && !/^\s+(at |\.\.\. \d+ more)/.test(line));
  return lines.slice(-count);
}

export type Log = (line: string) => void;

export function secondsSince(sinceMs: number): string {
  return secondsText(Date.now() - sinceMs);
}
