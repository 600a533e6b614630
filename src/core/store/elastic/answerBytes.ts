/**
 * Answers of Elasticsearch as bytes. Rendered texts, by far the largest part of a page, are cut out of the bytes: inside a parsed JSON
 * string they would be copied twice.
 */
import { Serializer } from '@elastic/elasticsearch';
import { unpackedBytesMax, unpackText } from '../../domain/record/packedText.ts';
import type { TextBytes } from '../../domain/record/rendered.ts';
import { RENDERED_PATH } from './renderedPages.ts';

/** A JSON answer that is not parsed yet, in the pieces in which it came. */
export class AnswerBytes {
  readonly chunks: readonly Buffer[];

  constructor(chunks: readonly Buffer[]) {
    this.chunks = chunks;
  }
}

/** Longer buffers are not kept. */
const SCRATCH_MAX_BYTES = 8 * 1024 * 1024;

/**
 * A buffer that is used again and again for what lasts as long as one function. Buffers made for each page would count as memory outside of
 * the heap, for which V8 marks the whole heap every 64 MiB: a third of a page's processor time.
 */
class ReusedBuffer {
  #bytes = NOTHING;

  /** At least so many bytes, of which the first `kept` are those that it had. */
  take(length: number, kept = 0): Buffer {
    if (this.#bytes.length >= length) return this.#bytes;
    const longer = Buffer.allocUnsafeSlow(2 * length);
    this.#bytes.copy(longer, 0, 0, kept);
    this.#bytes = longer;
    return longer;
  }

  /** To be called at the end of each use. */
  shrink(): void {
    if (this.#bytes.length > SCRATCH_MAX_BYTES) this.#bytes = NOTHING;
  }
}

const NOTHING = Buffer.alloc(0);
const [joinedAnswer, packedText, unpackedTexts] = [new ReusedBuffer(), new ReusedBuffer(), new ReusedBuffer()];

/** The whole answer, until the next one is joined. */
function joinChunks([first = NOTHING, ...others]: readonly Buffer[]): Buffer {
  if (!others.length) return first;
  const length = others.reduce((sum, chunk) => sum + chunk.length, first.length);
  const bytes = joinedAnswer.take(length);
  let at = first.copy(bytes);
  for (const chunk of others) at += chunk.copy(bytes, at);
  return bytes.subarray(0, length);
}

export class AnswerSerializer extends Serializer {
  // biome-ignore lint/suspicious/noExplicitAny: as the class has it
  override deserialize(answer: string | AnswerBytes): any {
    if (!(answer instanceof AnswerBytes)) return super.deserialize(answer);
    const { json, texts } = withoutTexts(joinChunks(answer.chunks));
    joinedAnswer.shrink();
    const parsed = super.deserialize(json);
    if (texts.length) putBack(parsed as Found, texts);
    return parsed;
  }
}

const KEY = Buffer.from(`"${RENDERED_PATH}.`);
const OPEN = Buffer.from('":["');
const [QUOTE] = Buffer.from('"') as unknown as [number];

/** The texts of one answer, decoded and unpacked into a buffer that they share. */
class Unpacking {
  readonly #texts: { from: number; to: number }[] = [];
  #used = 0;

  /** @returns the number of the text */
  add(base64: string): number {
    const packed = packedText.take(base64.length);
    const length = packed.write(base64, 'base64');
    const from = this.#used;
    const target = unpackedTexts.take(from + unpackedBytesMax(length), from);
    this.#used = unpackText(packed, 0, length, target, from);
    return this.#texts.push({ from, to: this.#used }) - 1;
  }

  /** The texts in their order; nothing may be added any more. */
  end(): TextBytes[] {
    const bytes = Buffer.allocUnsafeSlow(this.#used);
    unpackedTexts.take(0).copy(bytes, 0, 0, this.#used);
    for (const scratch of [packedText, unpackedTexts]) scratch.shrink();
    return this.#texts.map(({ from, to }) => ({ bytes, from, to }));
  }
}

/**
 * Replaces the texts of `docvalue_fields` in an answer by their numbers. An unescaped quote cannot be inside a string, so that the name of
 * a field is found reliably.
 */
function withoutTexts(bytes: Buffer): { json: string; texts: TextBytes[] } {
  const unpacking = new Unpacking();
  let [json, at] = ['', 0];
  for (let key = bytes.indexOf(KEY); key >= 0; key = bytes.indexOf(KEY, key + 1)) {
    const open = bytes.indexOf(QUOTE, key + KEY.length);
    if (OPEN.compare(bytes, open, open + OPEN.length) !== 0) continue;
    const from = open + OPEN.length;
    const to = bytes.indexOf(QUOTE, from);
    json += bytes.toString('utf8', at, from - 1) + unpacking.add(bytes.toString('latin1', from, to));
    [at, key] = [to + 1, to];
  }
  return { json: json + bytes.toString('utf8', at), texts: unpacking.end() };
}

interface Found {
  hits?: { hits: { fields?: Record<string, unknown[]> }[] };
}

/**
 * Puts the texts back into the parsed answer.
 * @param parsed the answer to one search, or to several
 */
function putBack(parsed: Found & { responses?: Found[] }, texts: readonly TextBytes[]): void {
  for (const { hits } of parsed.responses ?? [parsed])
    for (const { fields = {} } of hits?.hits ?? [])
      for (const path in fields) {
        const [number] = fields[path] as [number];
        if (path.startsWith(RENDERED_PATH)) fields[path] = [texts[number]];
      }
}
