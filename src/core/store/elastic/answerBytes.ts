/**
 * Answers of Elasticsearch as bytes. Rendered texts, by far the largest part of a page, are cut out of the bytes: inside a parsed JSON
 * string they would be copied twice.
 */
import { Serializer } from '@elastic/elasticsearch';
import { toWordBuffer, unpackedBytesMax, unpackText, type WordBuffer } from '../../domain/record/packedText.ts';
import { type Head, type RenderedText, splitRendered, type TextBytes } from '../../domain/record/rendered.ts';
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
  #buffer = toWordBuffer(NOTHING);

  /** At least so many bytes, of which the first `kept` are those that it had. */
  take(length: number, kept = 0): WordBuffer {
    const { bytes } = this.#buffer;
    if (bytes.length < length) {
      this.#buffer = toWordBuffer(Buffer.allocUnsafeSlow(2 * length));
      bytes.copy(this.#buffer.bytes, 0, 0, kept);
    }
    return this.#buffer;
  }

  /** To be called at the end of each use. */
  shrink(): void {
    if (this.#buffer.bytes.length > SCRATCH_MAX_BYTES) this.#buffer = toWordBuffer(NOTHING);
  }
}

const NOTHING = Buffer.alloc(0);
const joinedAnswer = new ReusedBuffer();
const packedText = new ReusedBuffer();
const unpackedTexts = new ReusedBuffer();
const unpackedJson = new ReusedBuffer();

/** The whole answer, until the next one is joined. */
function joinChunks([first = NOTHING, ...others]: readonly Buffer[]): Buffer {
  if (!others.length) return first;
  const length = others.reduce((sum, chunk) => sum + chunk.length, first.length);
  const { bytes } = joinedAnswer.take(length);
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

/** One answer while it is taken apart: its JSON, in which the head of each text stands instead of it, and the texts, in buffers that are used again. */
class Unpacking {
  readonly #texts: { from: number; to: number }[] = [];
  #jsonUsed = 0;
  #textsUsed = 0;

  addJson(bytes: Buffer, from: number, to: number): void {
    const json = unpackedJson.take(this.#jsonUsed + to - from, this.#jsonUsed);
    this.#jsonUsed += bytes.copy(json.bytes, this.#jsonUsed, from, to);
  }

  /** Puts the number of a text and its head into the JSON; null for a text of another form. */
  addText(base64: string): void {
    const packed = packedText.take(base64.length);
    const length = packed.bytes.write(base64, 'base64');
    const split = splitRendered(packed.bytes, length);
    this.#addAscii(split ? `${this.#texts.length},` : 'null');
    if (!split) return;
    const json = unpackedJson.take(this.#jsonUsed + unpackedBytesMax(length), this.#jsonUsed);
    this.#jsonUsed = unpackText(packed, split.head, split.text, json, this.#jsonUsed);
    const from = this.#textsUsed;
    const texts = unpackedTexts.take(from + unpackedBytesMax(length), from);
    this.#textsUsed = unpackText(packed, split.text, length, texts, from);
    this.#texts.push({ from, to: this.#textsUsed });
  }

  #addAscii(text: string): void {
    const { bytes } = unpackedJson.take(this.#jsonUsed + text.length, this.#jsonUsed);
    this.#jsonUsed += bytes.write(text, this.#jsonUsed, 'latin1');
  }

  /** The JSON and the texts; nothing may be added any more. */
  end(): { json: string; texts: TextBytes[] } {
    const json = unpackedJson.take(0).bytes.toString('utf8', 0, this.#jsonUsed);
    const bytes = Buffer.allocUnsafeSlow(this.#textsUsed);
    unpackedTexts.take(0).bytes.copy(bytes, 0, 0, this.#textsUsed);
    for (const scratch of [packedText, unpackedTexts, unpackedJson]) scratch.shrink();
    return { json, texts: this.#texts.map(({ from, to }) => ({ bytes, from, to })) };
  }
}

/**
 * Replaces each text of `docvalue_fields` in an answer by its number and its head. An unescaped quote cannot be inside a string, so that the name
 * of a field is found reliably.
 */
function withoutTexts(bytes: Buffer): { json: string; texts: TextBytes[] } {
  let unpacking: Unpacking | undefined;
  let at = 0;
  for (let key = bytes.indexOf(KEY); key >= 0; key = bytes.indexOf(KEY, key + 1)) {
    const open = bytes.indexOf(QUOTE, key + KEY.length);
    if (OPEN.compare(bytes, open, open + OPEN.length) !== 0) continue;
    const from = open + OPEN.length;
    const to = bytes.indexOf(QUOTE, from);
    unpacking ??= new Unpacking();
    unpacking.addJson(bytes, at, from - 1);
    unpacking.addText(bytes.toString('latin1', from, to));
    [at, key] = [to + 1, to];
  }
  if (!unpacking) return { json: bytes.toString('utf8'), texts: [] };
  unpacking.addJson(bytes, at, bytes.length);
  return unpacking.end();
}

interface Found {
  hits?: { hits: { fields?: Record<string, unknown[]> }[] };
}

/**
 * Puts the texts back into the parsed answer, as `RenderedText`.
 * @param parsed the answer to one search, or to several
 */
function putBack(parsed: Found & { responses?: Found[] }, texts: readonly TextBytes[]): void {
  for (const { hits } of parsed.responses ?? [parsed])
    for (const { fields = {} } of hits?.hits ?? [])
      for (const path in fields) {
        const [number, head] = fields[path] as [number | null, Head];
        if (path.startsWith(RENDERED_PATH) && number !== null)
          fields[path] = [{ ...(texts[number] as TextBytes), head } satisfies RenderedText];
      }
}
