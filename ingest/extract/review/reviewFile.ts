/** The answers of a review, in a file: each line is on the disk before the next value is shown. */
import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { UserError } from '../../../src/terminal/program.ts';
import { parseLine, type ReviewLine } from '../../read/parseLine.ts';

type Judged = Pick<ReviewLine, 'projectId' | 'field'>;

const START = '{"kind":"review",';

const keyOf = ({ projectId, field }: Judged) => `${projectId} ${field}`;

export class ReviewFile {
  readonly #file: number;
  readonly #answers = new Map<string, boolean>();

  /** Opens the file and goes on with it; a last line that a kill has cut off is removed. @throws UserError if another line is no review */
  constructor(path: string) {
    this.#file = openSync(path, 'a+');
    const bytes = readFileSync(path);
    const lines = bytes.toString().split('\n');
    for (const [i, line] of lines.entries()) {
      if (!line.trim()) continue;
      const parsed = parseLine(line);
      if ('line' in parsed && parsed.line.kind === 'review') this.#answers.set(keyOf(parsed.line), parsed.line.right);
      else if (i < lines.length - 1 || !START.startsWith(line.slice(0, START.length)))
        throw new UserError(`${path}:${i + 1}: not a review; mend the line, or name another file with --reviews`);
      else ftruncateSync(this.#file, bytes.lastIndexOf('\n') + 1);
    }
    // A last line that was written by hand may lack its end.
    const { size } = fstatSync(this.#file);
    if (size && bytes[size - 1] !== 10) writeFileSync(this.#file, '\n');
  }

  /** What was answered last; undefined if nothing was. */
  find(value: Judged): boolean | undefined {
    return this.#answers.get(keyOf(value));
  }

  /** Adds an answer, which replaces an earlier one to the same value. It is on the disk when this returns. */
  add({ projectId, field }: Judged, right: boolean, now: Date): void {
    const line: ReviewLine = { kind: 'review', projectId, field, right, reviewedAt: now.toISOString() };
    const { size } = fstatSync(this.#file);
    try {
      writeFileSync(this.#file, `${JSON.stringify(line)}\n`);
      fsyncSync(this.#file);
    } catch (error) {
      // No half line stays, on which the next answer would go on.
      ftruncateSync(this.#file, size);
      throw error;
    }
    this.#answers.set(keyOf(line), right);
  }

  close(): void {
    closeSync(this.#file);
  }
}
