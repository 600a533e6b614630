/**
 * Answers of Elasticsearch as bytes. Rendered texts, by far the largest part of a page, are cut out of the bytes: inside a parsed JSON
 * string they would be copied twice.
 */
import { Serializer } from '@elastic/elasticsearch';
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

/**
 * Replaces the texts of `docvalue_fields` in an answer by their numbers. An unescaped quote cannot be inside a string, so that the name of
 * a field is found reliably.
 */
function withoutTexts(bytes: Buffer): { json: string; texts: TextBytes[] } {
  const texts: TextBytes[] = [];
  let decoded: Buffer | undefined;
  let [json, at, length] = ['', 0, 0];
  for (let key = bytes.indexOf(KEY); key >= 0; key = bytes.indexOf(KEY, key + 1)) {
    const open = bytes.indexOf(QUOTE, key + KEY.length);
    if (OPEN.compare(bytes, open, open + OPEN.length) !== 0) continue;
    const from = open + OPEN.length;
    const to = bytes.indexOf(QUOTE, from);
    decoded ??= Buffer.allocUnsafe(bytes.length);
    const end = length + decoded.write(bytes.toString('latin1', from, to), length, 'base64');
    json += `${bytes.toString('utf8', at, from - 1)}${texts.length}`;
    texts.push({ bytes: decoded, from: length, to: end });
    [at, key, length] = [to + 1, to, end];
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
