/** Offers of filters for typed text. Each offer is exactly one change, described by the resulting chip. Pure. */
import { normalizeWords } from '../../../core/domain/words.ts';
import { chipsOf, fieldText, type PlaceNames } from '../shared/chips.ts';
import {
  type FilterCatalogue,
  type FilterFieldRow,
  type FilterRow,
  type FilterTexts,
  type FilterWord,
  fieldsOf,
  valuesOf,
  wordOf,
} from '../shared/filterRows.ts';
import { filtersOfShapes, isSameShape, shapesOf } from '../shared/shapes.ts';
import type { FilterChange, PageState, TabName } from '../shared/state.ts';
import { addWord, setEnds, setFilters, setValue } from './changes.ts';

/** Words of a sentence that no filter says. */
export interface UnreadWords {
  words: string;
  sentence: string;
}

export interface FilterOffer {
  key: string;
  label: string;
  /** the value in words, as the chip will show it */
  text: string;
  note?: string;
  change?: FilterChange;
  /** key of a field that is opened instead of a change */
  opens?: string;
  /** another part of the page that is opened instead of a change */
  to?: Partial<PageState>;
  /** whether the map goes to what is found */
  isPlace?: boolean;
  /** the words that its filters do not say */
  unread?: UnreadWords;
  /** which of several meanings its words were given */
  doubt?: string;
  /** what it adds to, once it was taken */
  added?: string;
  rank: number;
}

/** Ranks of offers: exact meanings of the whole text first, searches for its words last. */
export const OFFER_RANKS = { whole: 0, word: 1, beginning: 2, place: 3, field: 4, laterWord: 5, text: 6, question: 7 } as const;

/** A part of the page that is called so goes before words that only begin like it. */
const HALF_RANK = 0.5;

const WORDS_MAX = 7;
const FIELDS_MAX = 4;
const FIELD_LETTERS_MIN = 2;

interface Asked {
  catalogue: FilterCatalogue;
  /** under their own names */
  filters: FilterTexts;
}

export interface TextReading {
  filters: FilterTexts;
  readings: readonly { words: string }[];
  /** what no filter says */
  rest: string | null;
  /** names of several places, and which of them are meant */
  warnings?: readonly { message: string }[];
}

/** An offer whose text is what the chip shows after the change. */
function offerOf({ catalogue, filters }: Asked, field: FilterFieldRow, change: FilterChange, rank: number): FilterOffer {
  const after: Record<string, string> = { ...filters };
  for (const [name, value] of Object.entries(change)) after[name] = value ?? '';
  const text = fieldText(catalogue, field, after) ?? '';
  const key = `${field.key} ${text}`;
  return { key, label: field.label, text, change, rank };
}

interface Ends {
  min?: string | undefined;
  max?: string | undefined;
}

/** The typed ends of a range. An end that was not typed is kept, unless the range would be reversed. */
function withKeptEnd({ filters }: Asked, { rows, input }: FilterFieldRow, typed: Ends): Ends {
  const keptOf = (end: FilterRow['end']) => filters[rows.find((row) => row.end === end)?.name ?? ''];
  const [min, max] = [typed.min ?? keptOf('min'), typed.max ?? keptOf('max')];
  const isCrossed = min !== undefined && max !== undefined && (input === 'number' ? Number(min) > Number(max) : min > max);
  return isCrossed ? typed : { min, max };
}

const MEETINGS = 'meetingDateFrom';
const CHANGES = 'lastUpdatedFrom';

/** The fields that a range may be of: the one that was read, and those of its unit where no word names it. */
function fieldsLike({ catalogue }: Asked, field: FilterFieldRow, words: string, typed: string): FilterFieldRow[] {
  const unitOf = ({ rows }: FilterFieldRow) => rows[0]?.unit;
  const isNamed = field.input === 'date' ? words !== typed : ` ${normalizeWords(words)} `.includes(` ${normalizeWords(field.label)} `);
  // A period that no word calls otherwise may be of meetings or of changes.
  const isLike = (one: FilterFieldRow) =>
    field.input === 'date' ? field.key === MEETINGS && one.key === CHANGES : one.input === 'number' && unitOf(one) === unitOf(field);
  return fieldsOf(catalogue).filter((one) => one.key === field.key || (!isNamed && isLike(one)));
}

/** The ranges that one range of a text may mean: a bare number is the value, or a bound of either kind. */
function makeRangeOffers(asked: Asked, field: FilterFieldRow, { filters: read, readings }: TextReading, typed: string): FilterOffer[] {
  const [min, max] = (['min', 'max'] as const).map((end) => read[field.rows.find((row) => row.end === end)?.name ?? '']);
  const isBare = field.input === 'number' && min === max && readings.length > 0;
  const meant: Ends[] = isBare ? [{ min, max }, { min }, { max }] : [{ min, max }];
  return meant.flatMap((ends) =>
    fieldsLike(asked, field, readings[0]?.words ?? '', typed).map((one) =>
      offerOf(asked, one, setEnds(one.rows, withKeptEnd(asked, one, ends)), OFFER_RANKS.whole),
    ),
  );
}

/** The areas of a text with those that are searched in already: one more joins them. */
function joinAreas({ filters }: Asked, read: FilterTexts): { read: FilterTexts; note?: string; added?: string } {
  const before = shapesOf({ areas: filters.areas ?? '' });
  const more = shapesOf({ areas: read.areas ?? '' }).filter((area) => !before.some((one) => isSameShape(one, area)));
  if (!before.length || !more.length) return { read };
  const { areas } = filtersOfShapes([...before, ...more]);
  const added = `Another area: the search takes what lies in any of ${before.length + more.length}.`;
  return { read: { ...read, areas: areas as string }, note: 'as another area', added };
}

/** Offers of what the service reads in a text: all its filters together, or what one range may mean. */
export function offersOfReading(typed: string, reading: TextReading, asked: Asked, places: PlaceNames = new Map()): FilterOffer[] {
  const { filters: read, rest, warnings = [] } = reading;
  const chips = chipsOf(asked.catalogue, read, places);
  const [first] = chips;
  if (!first) return [];
  const isRange = first.field?.input === 'number' || first.field?.input === 'date';
  if (chips.length === 1 && first.field && isRange && rest === null) return makeRangeOffers(asked, first.field, reading, typed.trim());
  const doubt = warnings.map(({ message }) => message).join('; ');
  const joined = joinAreas(asked, read);
  const note = [rest === null ? '' : `not understood: ${rest}`, doubt, joined.note].filter(Boolean).join('; ');
  return [
    {
      key: `sentence ${typed}`,
      label: 'Reads as',
      text: chips.map(({ label, text }) => `${label}: ${text}`).join('; '),
      ...(note ? { note } : {}),
      ...(doubt ? { doubt } : {}),
      ...(rest === null ? {} : { unread: { words: rest, sentence: typed.trim() } }),
      ...(joined.added ? { added: joined.added } : {}),
      change: setFilters(asked.catalogue, joined.read),
      isPlace: 'areas' in read,
      rank: chips.length > 1 ? OFFER_RANKS.whole : OFFER_RANKS.laterWord,
    },
  ];
}

/** How well a name fits a text: equal, same beginning, beginning of a later word; undefined if it does not fit. */
function fitOf(name: string, sought: string): number | undefined {
  const folded = normalizeWords(name);
  if (folded === sought) return OFFER_RANKS.word;
  if (folded.startsWith(sought)) return OFFER_RANKS.beginning;
  return ` ${folded}`.includes(` ${sought}`) ? OFFER_RANKS.laterWord : undefined;
}

const bestFit = (names: readonly string[], sought: string): number | undefined =>
  names.reduce<number | undefined>((best, name) => {
    const fit = fitOf(name, sought);
    return fit === undefined || (best !== undefined && best <= fit) ? best : fit;
  }, undefined);

/** How well a word of a filter fits. What people call it fits less well than its name, so that `condominium` still finds the one so named. */
function fitOfWord({ label, token, aliases = [], phrases = [] }: FilterWord, sought: string): number | undefined {
  const byName = bestFit([label, token, ...aliases], sought);
  const byPhrase = bestFit(phrases, sought);
  if (byPhrase === undefined || byPhrase === OFFER_RANKS.laterWord) return byName;
  const fit = byPhrase === OFFER_RANKS.word ? OFFER_RANKS.beginning : OFFER_RANKS.laterWord;
  return Math.min(fit, byName ?? fit);
}

const NOT = /^(?:not|no|without|exclude|excluding|except)\s+/i;

/** Filters that leave out what matches; they are offered for words such as "without". */
const leavesOut = ({ name }: FilterRow) => name.startsWith('exclude');

interface SoughtWords {
  sought: string;
  /** the filters whose words are meant */
  isMeant: (field: FilterFieldRow, row: FilterRow) => boolean;
}

/** `without signage`, `status: approved`, `approved`. */
function soughtWords(typed: string, fields: readonly FilterFieldRow[]): SoughtWords {
  if (NOT.test(typed)) return { sought: normalizeWords(typed.replace(NOT, '')), isMeant: (_, row) => leavesOut(row) };
  const labelled = labelledBy(typed, fields);
  if (labelled) return { sought: normalizeWords(labelled.rest), isMeant: (field) => field.key === labelled.field.key };
  return { sought: normalizeWords(typed), isMeant: (_, row) => !leavesOut(row) && !row.needs };
}

/** The field that is named before a colon, and the rest of the text. */
function labelledBy(typed: string, fields: readonly FilterFieldRow[]): { field: FilterFieldRow; rest: string } | undefined {
  const at = typed.indexOf(':');
  const name = normalizeWords(typed.slice(0, Math.max(0, at)));
  const field = fields.find(({ label, rows }) =>
    [label, ...rows.flatMap((row) => [row.name, ...row.aliases])].some((one) => normalizeWords(one) === name),
  );
  return name && field ? { field, rest: typed.slice(at + 1).trim() } : undefined;
}

const isChosen = ({ catalogue, filters }: Asked, row: FilterRow, word: FilterWord) =>
  valuesOf(filters[row.name]).some((value) => wordOf(catalogue, row, value)?.token === word.token);

function makeWordOffers(asked: Asked, fields: readonly FilterFieldRow[], typed: string): FilterOffer[] {
  const { catalogue, filters } = asked;
  const { sought, isMeant } = soughtWords(typed, fields);
  if (!sought) return [];
  const found = fields.flatMap((field) => {
    const [row] = field.rows;
    if (!row?.vocabulary || !isMeant(field, row)) return [];
    return (catalogue.vocabularies[row.vocabulary] ?? []).flatMap((word) => {
      const fit = fitOfWord(word, sought);
      return fit === undefined || isChosen(asked, row, word) ? [] : [{ field, row, word, fit }];
    });
  });
  return found
    .sort((one, other) => one.fit - other.fit)
    .slice(0, WORDS_MAX)
    .map(({ field, row, word, fit }) => offerOf(asked, field, addWord(catalogue, filters, row, word), fit));
}

/** `city council approved` as one decision. */
function makePairOffers(asked: Asked, fields: readonly FilterFieldRow[], typed: string): FilterOffer[] {
  const { catalogue, filters } = asked;
  const pairs = fields.find(({ input }) => input === 'pairs');
  const [row] = pairs?.rows ?? [];
  const [bodies, statuses] = ['decisionBodies', 'status'].map((name) => catalogue.rows.find((one) => one.name === name));
  if (!pairs || !row || !bodies || !statuses) return [];
  const words = normalizeWords(typed).split(' ');
  return words.slice(1).flatMap((_, i) => {
    const parts = [words.slice(0, i + 1).join(' '), words.slice(i + 1).join(' ')] as const;
    return [parts, [parts[1], parts[0]] as const].flatMap(([one, other]) => {
      const [body, status] = [wordOf(catalogue, bodies, one), wordOf(catalogue, statuses, other.replace(/^by /, '').replace(/ by$/, ''))];
      if (!body || !status) return [];
      const values = [...new Set([...valuesOf(filters[row.name]), `${body.token}|${status.token}`])];
      return [offerOf(asked, pairs, { [row.name]: values.join(',') }, OFFER_RANKS.whole)];
    });
  });
}

/** Flags are set at once; other fields are opened. */
function makeFieldOffers(asked: Asked, fields: readonly FilterFieldRow[], typed: string): FilterOffer[] {
  const sought = normalizeWords(typed);
  if (sought.length < FIELD_LETTERS_MIN) return [];
  return fields
    .filter(({ label, rows }) => bestFit([label, ...rows.map(({ unit = '' }) => unit)], sought) !== undefined)
    .flatMap((field): FilterOffer[] => {
      const [row] = field.rows;
      if (!row || field.input === 'shape') return [];
      if (field.input === 'flag') return asked.filters[row.name] ? [] : [offerOf(asked, field, setValue(row, 'true'), OFFER_RANKS.field)];
      return [{ key: `opens ${field.key}`, label: field.label, text: '…', opens: field.key, rank: OFFER_RANKS.field }];
    })
    .slice(0, FIELDS_MAX);
}

/** Offers with the text itself as words, name or ids; only of the field that it names, if it names one. */
function makeTextOffers(asked: Asked, fields: readonly FilterFieldRow[], typed: string): FilterOffer[] {
  const labelled = labelledBy(typed, fields);
  const text = (labelled?.rest ?? typed).trim();
  const takes = (field: FilterFieldRow) =>
    (!labelled || labelled.field.key === field.key) &&
    ((field.input === 'text' && normalizeWords(text) !== '') ||
      (field.input === 'list' && labelled !== undefined && normalizeWords(text) !== '') ||
      (field.input === 'ids' && /^\d{1,15}(\s*,\s*\d{1,15})*$/.test(text)));
  return fields.filter(takes).flatMap((field) => {
    const [row] = field.rows;
    const value = field.input === 'ids' ? text.replaceAll(/\s/g, '') : text;
    return row ? [offerOf(asked, field, setValue(row, value), OFFER_RANKS.text)] : [];
  });
}

/** The offers for a text, best first, without places and what the service reads in it, which are asked for separately. */
export function offersFor(typed: string, asked: Asked): FilterOffer[] {
  const text = typed.trim();
  if (!text) return [];
  const fields = fieldsOf(asked.catalogue);
  const kinds = [makePairOffers, makeWordOffers, makeFieldOffers, makeTextOffers];
  const offers = kinds.flatMap((kind) => kind(asked, fields, text));
  const distinct = [...new Map(offers.map((offer) => [offer.key, offer])).values()];
  return distinct.sort((one, other) => one.rank - other.rank);
}

/** Offers to open parts of the page by their names, and to ask what is typed. @param tabs by their names */
export function offersOfPage(typed: string, tabs: ReadonlyMap<string, TabName>): FilterOffer[] {
  const question = typed.trim();
  const sought = normalizeWords(question);
  const parts = [...tabs].flatMap(([text, tab]): FilterOffer[] => {
    const rank = fitOf(text, sought);
    return rank === undefined ? [] : [{ key: `tab ${tab}`, label: 'Go to', text, to: { tab, project: null }, rank: rank + HALF_RANK }];
  });
  if (!/\s/.test(question)) return parts;
  return [...parts, { key: 'question', label: 'Ask', text: question, to: { tab: 'ask', question, job: null }, rank: OFFER_RANKS.question }];
}
