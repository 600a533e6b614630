/**
 * Answers of Elasticsearch as bytes. Rendered texts, by far the largest part of a page, are cut out of the bytes: inside a parsed JSON
 * string they would be copied twice.
 */
import { Serializer } from '@elastic/elasticsearch';
import { unpackedMost, unpackText } from '../../domain/record/packedText.ts';
import type { TextBytes } from '../../domain/record/rendered.ts';
import { RENDERED_PATH } from './renderedPages.ts';

/** A JSON answer that is not parsed yet. */
export class AnswerBytes {
  readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }
}

export class AnswerSerializer extends Serializer {
  // biome-ignore lint/suspicious/noExplicitAny: as the class has it
  override deserialize(answer: string | AnswerBytes): any {
    if (!(answer instanceof AnswerBytes)) return super.deserialize(answer);
    const { json, texts } = withoutTexts(answer.bytes);
    const parsed = super.deserialize(json);
    if (texts.length) putBack(parsed as Found, texts);
    return parsed;
  }
}

const KEY = Buffer.from(`"${RENDERED_PATH}.`);
const OPEN = Buffer.from('":["');
const [QUOTE] = Buffer.from('"') as unknown as [number];

/** Texts of an answer, decoded and unpacked into buffers that they share. */
class Unpacking {
  readonly #packed: Buffer;
  #bytes: Buffer;
  #used = 0;

  /** @param size of the answer in bytes */
  constructor(size: number) {
    this.#packed = Buffer.allocUnsafe(size);
    this.#bytes = Buffer.allocUnsafe(2 * size);
  }

  unpack(base64: string): TextBytes {
    const length = this.#packed.write(base64, 'base64');
    const most = unpackedMost(length);
    if (this.#bytes.length - this.#used < most) {
      this.#bytes = Buffer.allocUnsafe(Math.max(most, this.#packed.length));
      this.#used = 0;
    }
    const from = this.#used;
    this.#used = unpackText(this.#packed, 0, length, this.#bytes, from);
    return { bytes: this.#bytes, from, to: this.#used };
  }
}

/**
 * Replaces the texts of `docvalue_fields` in an answer by their numbers. An unescaped quote cannot be inside a string, so that the name of
 * a field is found reliably.
 */
function withoutTexts(bytes: Buffer): { json: string; texts: TextBytes[] } {
  const texts: TextBytes[] = [];
  let unpacking: Unpacking | undefined;
  let [json, at] = ['', 0];
  for (let key = bytes.indexOf(KEY); key >= 0; key = bytes.indexOf(KEY, key + 1)) {
    const open = bytes.indexOf(QUOTE, key + KEY.length);
    if (OPEN.compare(bytes, open, open + OPEN.length) !== 0) continue;
    const from = open + OPEN.length;
    const to = bytes.indexOf(QUOTE, from);
    unpacking ??= new Unpacking(bytes.length);
    json += `${bytes.toString('utf8', at, from - 1)}${texts.length}`;
    texts.push(unpacking.unpack(bytes.toString('latin1', from, to)));
    [at, key] = [to + 1, to];
  }
  return { json: json + bytes.toString('utf8', at), texts };
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
