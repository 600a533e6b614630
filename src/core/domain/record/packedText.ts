/**
 * JSON text of records in fewer bytes: names of fields, tokens and labels, which make up most of it, are written as codes of two bytes. The first
 * byte of a code is a control character, which JSON text never holds. Pure.
 */
import type { TSchema } from 'typebox';
import * as vocabulary from '../vocabulary.ts';
import { FIELD_NAMES, fieldOf } from './fields.ts';

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

/** The names of the properties of a value, and of the objects in it. */
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
const BYTES = Buffer.from(TEXTS.join(''));
/** Where each text begins in `BYTES`, and where the last ends. */
const STARTS = new Uint32Array(TEXTS.length + 1);
for (const [at, text] of TEXTS.entries()) STARTS[at + 1] = (STARTS[at] as number) + Buffer.byteLength(text);
const LONGEST = Math.max(...TEXTS.map((text) => Buffer.byteLength(text)));

/** Bytes that a packed text of so many bytes may have at most. */
export const unpackedBytesMax = (bytes: number): number => Math.ceil((bytes * LONGEST) / 2);

/** A name, with a value if that is short, or a string that may be a token or a label. Quotes and commas inside strings do no harm: what is found is looked up whole. */
const CODED = /[,{]"[A-Za-z]+":(?:null|false|true)?|"[^"\\,:{}[\]]{2,40}"/g;
const NAME = /^.[^:]*:/;

/** @param text JSON, and newlines between JSON */
export const packText = (text: string): string =>
  text.replace(CODED, (found) => {
    const code = CODE_OF.get(found);
    if (code !== undefined || found.startsWith('"')) return code ?? found;
    const [name = ''] = NAME.exec(found) ?? [];
    return (CODE_OF.get(name) ?? name) + found.slice(name.length);
  });

/**
 * Writes the UTF-8 bytes of a text. Of bytes that another table of codes made, and of a code that no text has, the result means nothing.
 * @param bytes hold what `packText` made of it, from one position to another
 * @param at where it begins in `target`, which has room for `unpackedBytesMax`
 * @returns where it ends
 */
export function unpackText(bytes: Uint8Array, from: number, to: number, target: Uint8Array, at: number): number {
  let end = at;
  for (let i = from; i < to; i += 1) {
    const byte = bytes[i] as number;
    if (byte >= FIRST_LITERAL || byte === NEWLINE) {
      target[end] = byte;
      end += 1;
      continue;
    }
    i += 1;
    const code = (byte - FIRST_CODE) * SECONDS + (bytes[i] as number) - FIRST_LITERAL;
    const last = STARTS[code + 1] as number;
    for (let k = STARTS[code] as number; k < last; k += 1) {
      target[end] = BYTES[k] as number;
      end += 1;
    }
  }
  return end;
}
