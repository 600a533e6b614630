/** The answers of a review, in a file: each line is on the disk before the next value is shown. */
import { closeSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { UserError } from '../../../src/terminal/program.ts';
import { parseLine, type ReviewLine } from '../../read/parseLine.ts';

type Judged = Pick<ReviewLine, 'projectId' | 'field'>;

const keyOf = ({ projectId, field }: Judged) => `${projectId} ${field}`;

export class ReviewFile {
  readonly #file: number;
  readonly #answers = new Map<string, boolean>();

  /** Opens the file and goes on with it; a last line that a kill has cut off is removed. @throws UserError if another line is no review */
  constructor(path: string) {
    this.#file = openSync(path, 'a+');
    const text = readFileSync(path, 'utf8');
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    for (const [i, line] of whole.split('\n').entries()) {
      if (!line.trim()) continue;
      const parsed = parseLine(line);
      if (!('line' in parsed) || parsed.line.kind !== 'review')
        throw new UserError(`${path}:${i + 1}: not a review; name another file with --reviews`);
      this.#answers.set(keyOf(parsed.line), parsed.line.right);
    }
    ftruncateSync(this.#file, Buffer.byteLength(whole));
  }

  /** What was answered last; undefined if nothing was. */
  find(value: Judged): boolean | undefined {
    return this.#answers.get(keyOf(value));
  }

  /** Adds an answer, which replaces an earlier one to the same value. It is on the disk when this returns. */
  add({ projectId, field }: Judged, right: boolean, now: Date): void {
    const line: ReviewLine = { kind: 'review', projectId, field, right, reviewedAt: now.toISOString() };
    writeSync(this.#file, `${JSON.stringify(line)}\n`);
    fsyncSync(this.#file);
    this.#answers.set(keyOf(line), right);
  }

  close(): void {
    closeSync(this.#file);
  }
}
