/** The names of a case in documents: its numbers, parcels, addresses and titles, found however a town writes them. Pure. */
import { normalizeWords } from '../words.ts';

/** What identifies the case of one record. Any list may be empty. */
export interface CaseNames {
  /** case numbers: `RZ-2026-6103` */
  numbers: readonly string[];
  parcels: readonly string[];
  /** `12 Elm Street`, with or without its city */
  addresses: readonly string[];
  /** names of the project and of its parties; the weakest, since one firm may have several cases in a meeting */
  titles: readonly string[];
}

const toTexts = (value: unknown): string[] => [value].flat().filter((one): one is string => typeof one === 'string' && one !== '');

/** @param record its full representation, or any part of it */
export const caseNamesOf = (record: Readonly<Record<string, unknown>>): CaseNames => ({
  numbers: toTexts(record.caseNumbers),
  parcels: toTexts(record.parcelNumbers),
  addresses: toTexts(record.address),
  titles: [
    ...toTexts(record.projectName),
    ...toTexts(record.displayName),
    ...[record.parties ?? []].flat().flatMap((party) => toTexts((party as { name?: unknown } | null)?.name)),
  ],
});

/** Numbers, parcels and titles compiled, to look for them in headings. */
export interface CaseFinder {
  hasNumbers: boolean;
  /** finds the case's own numbers; undefined if there are none */
  number: RegExp | undefined;
  /** finds numbers that are made like its own: those of its neighbours in the same meeting */
  sibling: RegExp | undefined;
  parcel: RegExp | undefined;
  addresses: ReadonlySet<string>;
  titles: readonly string[];
}

/** Shorter titles, and titles of one word, identify nothing. */
const TITLE_CHARACTERS_MIN = 8;
const PARCEL_CHARACTERS_MIN = 5;
/** Digits and letters that scans mistake for each other. */
const MISTAKEN: Readonly<Record<string, string>> = { '0': '[0O]', O: '[0O]', '1': '[1Il]', I: '[1Il]', '5': '[5S]', S: '[5S]' };
/** What may stand between the parts of a number: `ZA11 -047`, `RZ 2026/6103`. */
const BETWEEN = '(?:\\s?[-–./#]\\s?|\\s{1,2})?';
const RUN = /[A-Z]+|\d+/g;

/** Words before the number itself: `Sign Variance 1153` is 1153. */
const withoutWords = (code: string) => (/\d/.test(code) ? code.replace(/^(?:[A-Za-z]{4,}\.?\s+|no\.?\s+|#\s*)+/i, '') : code);
/** A number has fewer; a longer list of numbers is known by its first ones. */
const RUNS_MAX = 20;
const splitRuns = (code: string): string[] => (withoutWords(code).toUpperCase().match(RUN) ?? []).slice(0, RUNS_MAX);
/** A bare count may be anything, an address too: only behind a word for it is it the number of a case. */
const BEHIND_LABEL =
  '(?<=(?:nos?\\.?|number|id|cases?|petitions?|applications?|dockets?|files?|variances?|permits?|plats?|[#(/,&])[\\s.:#]{0,20}|^)';
const characters = (run: string) => [...run].map((one) => MISTAKEN[one] ?? one).join('');
const asWholeWord = (pattern: string) => `(?<![A-Za-z0-9])(?:${pattern})(?![A-Za-z0-9])`;
const makePattern = (patterns: readonly string[], flags: string) =>
  patterns.length ? new RegExp(asWholeWord(patterns.join('|')), flags) : undefined;

/** A number needs three digits; `R-3` is a zone, `12` anything. */
const isNumber = (code: string) => code.replace(/\D/g, '').length >= 3 || /\d\s?[-–/]\s?\d/.test(code);

/** The pattern of numbers made like this one: the same runs of letters and digits, of which the last is counted up; undefined for a bare count. */
function makeSiblingPattern(code: string): string | undefined {
  const runs = splitRuns(code);
  const separated = /\d\s?[-–/.]\s?\d/.test(code);
  if (!runs.some((run) => /[A-Z]/.test(run)) && !separated) return undefined;
  const parts = runs.map((run, i) => {
    if (/[A-Z]/.test(run)) return i === 0 ? `[A-Z]{1,${Math.max(4, run.length + 1)}}` : `[A-Z]{${run.length}}`;
    const isLast = i === runs.length - 1 || runs.slice(i + 1).every((later) => /[A-Z]/.test(later));
    return isLast ? `\\d{${Math.max(1, run.length - 2)},${run.length + 1}}` : `\\d{${run.length}}`;
  });
  // Digits need the separator that the number has; without it any two counts would match `2019-175`.
  return parts.join(separated || /[-–/.]/.test(code) ? '\\s?[-–/.]\\s?' : '\\s?');
}

/** `12 Elm Street, Boulder` → `12 elm`: without directions and the word for the street. */
export function makeAddressKey(text: string): string | undefined {
  const [, number = '', street = ''] = ADDRESS_PARTS.exec(text.trim()) ?? [];
  const words = street.toLowerCase().match(/[a-z0-9']+/g) ?? [];
  const name = words.filter((word, i) => !(i === 0 && words.length > 2 && DIRECTION.test(word)) && !STREET_WORD.test(word));
  return number && name.length ? `${number} ${name.join(' ')}` : undefined;
}

const STREET_WORD =
  /^(?:street|st|avenue|ave?|road|rd|boulevard|blvd|lane|ln|highway|hwy|parkway|pkwy|drive|dr|court|ct|way|place|pl|circle|cir|trail|terrace|ter|turnpike|pike|square|sq)$/;
const DIRECTION = /^(?:n|s|e|w|ne|nw|se|sw|north|south|east|west|northwest|northeast|southwest|southeast)$/;
const STREETS =
  'Street|St|Avenue|Ave?|Road|Rd|Boulevard|Blvd|Lane|Ln|Highway|Hwy|Parkway|Pkwy|Drive|Dr|Court|Ct|Way|Place|Pl|Circle|Cir|Trail|Terrace|Ter|Turnpike|Pike|Square|Sq';
const ADDRESS_PARTS = /^(\d{1,6})(?:\s?[-–]\s?\d{1,6})?[A-Z]?\s+([^,;()\n]{2,60})/;
/** An address within a text: `280 Indian Hill Drive`, `1122 PALMER AVENUE`. */
export const ADDRESS = new RegExp(
  `(?<![\\w-])\\d{1,6}(?:[-–]\\d{1,6})?\\s+(?:[NSEW]{1,2}\\.?\\s+)?(?:[A-Z0-9][\\w'’.]*\\s+){1,4}(?:${STREETS}|${STREETS.toUpperCase()})\\b`,
  'g',
);

/** Words of a text, folded: titles are compared by them. */
export const foldWords = (text: string): string => ` ${normalizeWords(text)} `;

export function makeCaseFinder({ numbers, parcels, addresses, titles }: CaseNames): CaseFinder {
  const codes = numbers.filter(isNumber);
  const siblings = codes.flatMap((code) => makeSiblingPattern(code) ?? []);
  const ids = parcels.filter((parcel) => parcel.replace(/[^A-Za-z0-9]/g, '').length >= PARCEL_CHARACTERS_MIN);
  const codePattern = (code: string) => splitRuns(code).map(characters).join(BETWEEN);
  const numberPattern = (code: string) => (/^\d+$/.test(withoutWords(code)) ? BEHIND_LABEL : '') + codePattern(code);
  const parcelPattern = (parcel: string) => [...parcel.replace(/[^A-Za-z0-9]/g, '').toUpperCase()].map(characters).join('[-–. ]?');
  return {
    hasNumbers: codes.length > 0,
    number: makePattern(codes.map(numberPattern), 'gim'),
    sibling: makePattern([...new Set(siblings)], 'g'),
    parcel: makePattern(ids.map(parcelPattern), 'gi'),
    addresses: new Set(addresses.flatMap((address) => makeAddressKey(address) ?? [])),
    titles: titles.map(foldWords).filter((title) => title.length >= TITLE_CHARACTERS_MIN + 2 && title.trim().includes(' ')),
  };
}

export function isNamedIn(text: string, finder: CaseFinder): boolean {
  const has = (pattern: RegExp | undefined) => pattern !== undefined && text.search(pattern) >= 0;
  if (has(finder.number) || has(finder.parcel)) return true;
  if (finder.addresses.size && [...text.matchAll(ADDRESS)].some(([address]) => finder.addresses.has(makeAddressKey(address) ?? '')))
    return true;
  if (!finder.titles.length) return false;
  const folded = foldWords(text);
  return finder.titles.some((title) => folded.includes(title));
}
