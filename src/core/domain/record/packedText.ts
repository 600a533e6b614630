/**
 * JSON text of records in fewer bytes: names of fields, tokens and labels, which make up most of it, are written as codes of two bytes. The first
 * byte of a code is a control character, which JSON text never holds. Pure.
 */
import type { TSchema } from 'typebox';
import * as vocabulary from '../vocabulary.ts';
import { FIELD_NAMES, type FieldName, fieldOf } from './fields.ts';

const NEWLINE = 10;
/** Bytes from here on stand for themselves, and so does a newline. */
const FIRST_LITERAL = 0x20;
const FIRST_CODE = 0x0b;
const SECONDS = 96;
const CODES = (FIRST_LITERAL - FIRST_CODE) * SECONDS;

interface Described extends TSchema {
  properties?: Record<string, Described>;
  items?: Described;
  anyOf?: Described[];
}

function propertyNames({ properties = {}, items, anyOf = [] }: Described): string[] {
  const inside = [...Object.values(properties), ...(items ? [items] : []), ...anyOf];
  return [...Object.keys(properties), ...inside.flatMap(propertyNames)];
}

const schemasOf = (name: (typeof FIELD_NAMES)[number]) => [fieldOf(name).served, fieldOf(name).stated].flatMap((schema) => schema ?? []);

const terms = Object.values(vocabulary).flatMap((one) => (one instanceof vocabulary.Vocabulary ? one.terms : []));

/** Texts that have codes, in the order of these. */
const TEXTS: readonly string[] = [
  ...new Set([
    ...FIELD_NAMES.flatMap((name) => [`,"${name}":`, `,"${name}":null`]),
    ...FIELD_NAMES.flatMap(schemasOf)
      .flatMap(propertyNames)
      .flatMap((name) => [`{"${name}":`, `,"${name}":`, `,"${name}":null`]),
    ...FIELD_NAMES.flatMap((name) => [`,"${name}":false`, `,"${name}":true`]),
    ...terms.flatMap(({ token, label }) => [JSON.stringify(token), JSON.stringify(label)]),
  ]),
].slice(0, CODES);

/** Tells one table of codes from another. */
export const PACKED_FORM = TEXTS.join('\n');

const CODE_OF: ReadonlyMap<string, string> = new Map(
  TEXTS.map((text, at) => [
    text,
    String.fromCharCode(FIRST_CODE + Math.floor(at / SECONDS)) + String.fromCharCode(FIRST_LITERAL + (at % SECONDS)),
  ]),
);
/** Bytes that are copied at once. The last copy of a text may write up to three bytes beyond its end. */
const WORD = 4;
/** All texts, and room for the last word of the last one. */
const BYTES = new DataView(new Uint8Array(Buffer.from(TEXTS.join('') + ' '.repeat(WORD))).buffer);
/** Where each text begins in `BYTES`, and where the last ends. */
const STARTS = new Uint32Array(TEXTS.length + 1);
for (const [at, text] of TEXTS.entries()) STARTS[at + 1] = (STARTS[at] as number) + Buffer.byteLength(text);
const LONGEST = Math.max(...TEXTS.map((text) => Buffer.byteLength(text)));

/** Bytes that `unpackText` may write for a packed text of so many bytes, with those beyond its end. */
export const unpackedBytesMax = (bytes: number): number => Math.ceil((bytes * LONGEST) / 2) + WORD;

const [COMMA, BRACE, COLON] = [...',{:'].map((one) => one.charCodeAt(0));
/** Characters of the longest token or label that is looked up. */
const STRING_MAX = 42;
/** Values that stand in one text with their name, by their first character. */
const LITERALS = new Map(['null', 'false', 'true'].map((literal) => [literal.charCodeAt(0), literal.length]));

/**
 * Looks up names, with a value if that is short, and strings that may be tokens or labels. It goes from quote to quote: those inside strings do no
 * harm, since what stands between two is looked up whole.
 * @param text JSON, and newlines between JSON
 */
export function packText(text: string): string {
  let [packed, copied] = ['', 0];
  let open = text.indexOf('"');
  for (let close = text.indexOf('"', open + 1); open >= 0 && close >= 0; close = text.indexOf('"', open + 1)) {
    const before = text.charCodeAt(open - 1);
    const isName = text.charCodeAt(close + 1) === COLON && (before === COMMA || before === BRACE);
    const begin = isName ? open - 1 : open;
    let end = isName ? close + 2 : close + 1;
    let code: string | undefined;
    if (isName) {
      const longer = end + (LITERALS.get(text.charCodeAt(end)) ?? 0);
      code = longer > end ? CODE_OF.get(text.slice(begin, longer)) : undefined;
      if (code) end = longer;
      else code = CODE_OF.get(text.slice(begin, end));
    } else if (end - begin <= STRING_MAX) code = CODE_OF.get(text.slice(begin, end));
    if (code) {
      packed += text.slice(copied, begin) + code;
      copied = end;
    }
    open = code || isName ? text.indexOf('"', close + 1) : close;
  }
  return packed + text.slice(copied);
}

/** A string alone, most of which hold no escaped quote. */
const packString = (text: string): string =>
  text.includes('\\') ? packText(text) : ((text.length <= STRING_MAX ? CODE_OF.get(text) : undefined) ?? text);

const FIELD_CODES: ReadonlyMap<FieldName, { name: string; literals: ReadonlyMap<string, string> }> = new Map(
  FIELD_NAMES.map((name) => {
    const literals = ['null', 'false', 'true'].map((literal) => [literal, packText(`,"${name}":${literal}`)] as const);
    return [name, { name: packText(`,"${name}":`), literals: new Map(literals) }];
  }),
);

/** What `packText` makes of a field that follows another one, without looking for its name. @param text of its value */
export function packField(field: FieldName, text: string): string {
  const { name = '', literals } = FIELD_CODES.get(field) ?? {};
  return literals?.get(text) ?? name + (text.startsWith('"') ? packString(text) : packText(text));
}

/** A buffer, and the same bytes to be read and written by words. */
export interface WordBuffer {
  bytes: Buffer;
  words: DataView;
}

export const toWordBuffer = (bytes: Buffer): WordBuffer => ({
  bytes,
  words: new DataView(bytes.buffer, bytes.byteOffset, bytes.length),
});

/** Whether any of the four bytes of a word is less than `FIRST_LITERAL`. */
const hasControl = (word: number): boolean => ((word - 0x20202020) & ~word & 0x80808080) !== 0;

/**
 * Writes the UTF-8 bytes of a text. Of bytes that another table of codes made, and of a code that no text has, the result means nothing.
 * @param packed holds what `packText` made of it, from one position to another
 * @param at where it begins in `target`, which has room for `unpackedBytesMax`
 * @returns where it ends
 */
export function unpackText({ bytes, words }: WordBuffer, from: number, to: number, target: WordBuffer, at: number): number {
  let [i, end] = [from, at];
  while (i < to) {
    while (i <= to - WORD) {
      const word = words.getUint32(i, true);
      if (hasControl(word)) break;
      target.words.setUint32(end, word, true);
      i += WORD;
      end += WORD;
    }
    if (i === to) break;
    const byte = bytes[i] as number;
    i += 1;
    if (byte >= FIRST_LITERAL || byte === NEWLINE) {
      target.bytes[end] = byte;
      end += 1;
      continue;
    }
    if (i === to) break;
    const code = (byte - FIRST_CODE) * SECONDS + (bytes[i] as number) - FIRST_LITERAL;
    i += 1;
    if (code < 0 || code >= TEXTS.length) continue;
    const start = STARTS[code] as number;
    const length = (STARTS[code + 1] as number) - start;
    for (let copied = 0; copied < length; copied += WORD) target.words.setUint32(end + copied, BYTES.getUint32(start + copied, true), true);
    end += length;
  }
  return end;
}
