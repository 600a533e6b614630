/** Turns an answer into an example: short, without secrets, and with the same ids and times on every run. Pure. */
import { createHash } from 'node:crypto';
import { DEMO_URL } from '../../src/core/domain/errorTable.ts';

type Json = Record<string, unknown>;

const ITEMS = 2;
/** Items shown of a list of numbers or words; a bounding box has four. */
const PLAIN_ITEMS = 6;
/** If the first item is longer than this, it is the only one shown. */
const LONG_ITEM = 1_200;
const TEXT = 240;
/** Limits for a long answer whose schema names no fields. */
const LOOSE = { length: 2_500, fields: 6, depth: 3 };

const lengthOf = (value: unknown) => JSON.stringify(value).length;

function itemsShown(list: readonly unknown[]): number {
  if (list.every((one) => typeof one !== 'object')) return PLAIN_ITEMS;
  return lengthOf(list[0]) > LONG_ITEM ? 1 : ITEMS;
}

/** An address that was cut would be none. */
const isAddress = (text: string): boolean => /^https?:\/\/\S+$/.test(text);

function shorten(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length > TEXT && !value.endsWith('…') && !isAddress(value) ? `${value.slice(0, TEXT)}…` : value;
  if (Array.isArray(value)) return value.slice(0, itemsShown(value)).map(shorten);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shorten(one)]));
}

function shortenLoose(value: unknown, depth = 0): unknown {
  if (Array.isArray(value)) return depth < LOOSE.depth ? value.slice(0, ITEMS).map((one) => shortenLoose(one, depth + 1)) : [];
  if (value === null || typeof value !== 'object') return value;
  const fields = Object.entries(value).slice(0, depth < LOOSE.depth ? LOOSE.fields : 0);
  return Object.fromEntries(fields.map(([key, one]) => [key, shortenLoose(one, depth + 1)]));
}

/** Shortens lists and long texts. */
export function shortenExample(body: unknown, schema: Json): unknown {
  const short = shorten(body);
  return schema.type === 'object' && !schema.properties && lengthOf(short) > LOOSE.length ? shortenLoose(short) : short;
}

const DAY = '2026-11-23';
const REQUEST_ID = 'req_5f0c8f2e-3d7a-4c1b-9a60-2f7d1e8b4c35';

/** Replaces random names by fixed ones; within an answer the same name gets the same replacement. */
function renamer(): (found: string, kind: string, make: (seed: string) => string) => string {
  const names = new Map<string, string>();
  return (found, kind, make) => {
    const name = names.get(found) ?? make(createHash('sha256').update(`${kind} ${names.size}`).digest('hex'));
    names.set(found, name);
    return name;
  };
}

const asUuid = (seed: string) =>
  `${seed.slice(0, 8)}-${seed.slice(8, 12)}-4${seed.slice(13, 16)}-a${seed.slice(17, 20)}-${seed.slice(20, 32)}`;

/** Replaces times of today by a fixed one; others keep their day. */
function steadyTime(time: string): string {
  const today = new Date().toISOString().slice(0, 10);
  const day = time.slice(0, 10) === today ? DAY : time.slice(0, 10);
  if (time.length === 10) return day;
  return /T\d\d:\d\d:00(\.000)?Z$/.test(time) ? `${day}${time.slice(10)}` : `${day}T19:00:00.000Z`;
}

/** Replaces ids, times and addresses of an answer by fixed ones, and removes secrets. */
export function makeReproducible(value: unknown): unknown {
  const rename = renamer();
  const text = JSON.stringify(value)
    .replaceAll(/https?:\/\/(?:127\.0\.0\.1|localhost):\d+\/hook[^"\\]*/g, 'https://hooks.example.com/land-use')
    .replaceAll(/https?:\/\/(?:127\.0\.0\.1:\d+|landuse\.test|api\.acme\.example|localhost:\d+)/g, DEMO_URL)
    .replaceAll(/@(?:(?:127\.0\.0\.1|localhost)(?::\d+)?|landuse\.test)/g, '@api.example.com')
    .replaceAll(/"requestId":"[^"]*"/g, `"requestId":"${REQUEST_ID}"`)
    .replaceAll(/svc_(live|test)_[0-9A-Za-z]{20,}/g, 'svc_$1_…')
    .replaceAll(/"lastFour":"[^"]*"/g, '"lastFour":"q7Xz"')
    .replaceAll(/whsec_[\w+/=-]+/g, 'whsec_…')
    .replaceAll(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, (found) => rename(found, 'uuid', asUuid))
    .replaceAll(/\b([a-z]{3})_([0-9A-Za-z]{16,24})\b/g, (found, kind: string, id: string) =>
      rename(found, kind, (seed) => `${kind}_${BigInt(`0x${seed}`).toString(36).slice(0, id.length)}`),
    )
    .replaceAll(/"[\w-]{70,}(?:\.[\w-]+)*…?"/g, '"eyJ2IjoxLCJhdCI6…"')
    .replaceAll(/([?&]cursor=)[\w-]{70,}(?:\.[\w-]+)*/g, '$1eyJ2IjoxLCJhdCI6')
    .replaceAll(/\b(DTSTAMP:)\d{8}T\d{6}Z/g, `$1${DAY.replaceAll('-', '')}T190000Z`)
    .replaceAll(/\b(SEQUENCE:)\d+/g, (_, name: string) => `${name}1`)
    .replaceAll(/\b[0-9a-f]{64}\b/g, (found) => rename(found, 'sha256', (seed) => seed))
    .replaceAll(/\b\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d+)?Z)?/g, steadyTime);
  return JSON.parse(text);
}
