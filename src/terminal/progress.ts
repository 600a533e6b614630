/** Progress of a long step: a bar on a terminal, or a line in a log from time to time. */
import { SingleBar } from 'cli-progress';
import { whole } from './textTable.ts';

export interface Bar {
  /** @param shown further fields of the format */
  update(done: number, total?: number, shown?: Readonly<Record<string, string | number>>): void;
  stop(): void;
}

const CLEAR_LINE = '\r\x1b[2K';
export const NO_BAR: Bar = { update: () => {}, stop: () => {} };
const USUAL_FORMAT = '{value} of {total}';
export const TIME_LEFT_FORMAT = '{percentage}% | {eta_formatted} left';
/** Number of updates from which the time left is estimated. */
const ETA_UPDATES = 50;

/** The bar on the last line of a terminal, if there is one. */
let shownBar: { stream: NodeJS.WriteStream; bar: SingleBar } | undefined;

/** Writes lines for people; a bar stays below them. */
export function writeLines(stream: NodeJS.WriteStream, lines: string): void {
  const bar = shownBar?.stream === stream ? shownBar.bar : undefined;
  if (bar) stream.write(CLEAR_LINE);
  stream.write(`${lines}\n`);
  if (bar) bar.render();
}

/** @param format of cli-progress, for the text after the bar @returns a bar that does nothing if the stream is no terminal */
export function startBar(
  title: string,
  total: number,
  format = USUAL_FORMAT,
  stream: NodeJS.WriteStream = process.stderr,
  shown = {},
): Bar {
  if (!stream.isTTY) return NO_BAR;
  const bar = new SingleBar({ stream, format: `${title} [{bar}] ${format}`, hideCursor: true, etaBuffer: ETA_UPDATES });
  bar.start(total, 0, shown);
  shownBar = { stream, bar };
  return {
    update: (done, of = bar.getTotal(), shown = {}) => {
      bar.setTotal(Math.max(of, done));
      bar.update(done, shown);
    },
    stop: () => {
      shownBar = undefined;
      bar.stop();
    },
  };
}

const LINE_EVERY_MS = 10_000;
const SHORTEST_SECONDS = 0.001;

/** Measures the speed of a step since it began. */
export class Pace {
  readonly #begun = Date.now();

  /** Average number of items done per second. */
  rate(done: number): number {
    return Math.round(done / Math.max(this.#seconds(), SHORTEST_SECONDS));
  }

  secondsLeft(done: number, total: number): number {
    return Math.round(this.#seconds() * (total / Math.max(done, 1) - 1));
  }

  #seconds(): number {
    return (Date.now() - this.#begun) / 1000;
  }
}

/** Lines of a log, at most one in ten seconds. @returns the function that is told of every advance */
export function progressLines<T>(stream: NodeJS.WritableStream, line: (done: T, pace: Pace) => string): (done: T) => void {
  const pace = new Pace();
  let written = Date.now();
  return (done) => {
    if (Date.now() - written < LINE_EVERY_MS) return;
    written = Date.now();
    stream.write(`${line(done, pace)}\n`);
  };
}

const SECONDS = { minute: 60, hour: 3600 };

/** `42 s`, `7 min`, `2 h 5 min` */
function secondsInWords(seconds: number): string {
  if (seconds < SECONDS.minute) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / SECONDS.minute);
  return minutes < SECONDS.minute ? `${minutes} min` : `${Math.floor(minutes / SECONDS.minute)} h ${minutes % SECONDS.minute} min`;
}

/** A bar with the rate and the time left, or a line every ten seconds if the stream is no terminal. @param show formats a number */
export function startPacedBar(title: string, total: number, show = whole, stream: NodeJS.WriteStream = process.stderr): Bar {
  let begun: number | undefined; // where an earlier run stopped, which the rate does not count
  const text = (done: number, of: number, pace: Pace): string => {
    const rate = pace.rate(done - (begun ?? 0));
    const left = rate > 0 && of > done ? ` | ${secondsInWords((of - done) / rate)} left` : '';
    return `${show(done)} of ${show(Math.max(of, done))} | ${show(rate)}/s${left}`;
  };
  const pace = new Pace();
  const bar = startBar(title, total, '{text}', stream, { text: text(0, total, pace) });
  const writeLine = stream.isTTY
    ? () => {}
    : progressLines<[number, number]>(stream, ([done, of], since) => `${title}: ${text(done, of, since)}`);
  let last = total;
  return {
    update: (done, of = last) => {
      begun ??= done;
      last = of;
      bar.update(done, of, { text: text(done, of, pace) });
      writeLine([done, of]);
    },
    stop: () => bar.stop(),
  };
}
