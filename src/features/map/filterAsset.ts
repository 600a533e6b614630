/** The catalogue of filters that the page loads, derived from the filter table. */
import questionWords from '../../catalogue/questionWords.json' with { type: 'json' };
import { DEFAULT_DATE_RANGE } from '../../core/domain/meetingFilters.ts';
import { period } from '../../core/filter/dates.ts';
import type { AnyFilter } from '../../core/filter/entry.ts';
import { areaList, box, circle, polygon } from '../../core/filter/geometry.ts';
import { boolean, projectIdList } from '../../core/filter/kinds.ts';
import { FILTER_SUBJECTS } from '../../core/filter/table.ts';
import type { FilterCatalogue, FilterInput, FilterRow, FilterWord } from '../../web/app/shared/filterRows.ts';
import { nameInWords } from '../../web/app/shared/words.ts';
import { type Asset, assetOf } from '../../web/assets.ts';

interface ValueSchema {
  type?: string;
  enum?: string[];
  description?: string;
  items?: { title?: string; pattern?: string };
}

const SHAPES: readonly unknown[] = [box, circle, polygon, areaList];

/** The input with which the page asks for a filter. @throws Error for a kind of value that has none */
function describeInput(name: string, { kind, ofPlaces }: AnyFilter): FilterInput {
  const { type, enum: choices, items } = kind.schema as ValueSchema;
  if (ofPlaces) return 'places';
  if (SHAPES.includes(kind)) return 'shape';
  if (kind === projectIdList) return 'ids';
  if (kind === period) return 'date';
  if (kind === boolean) return 'flag';
  if (type === 'array' && items?.pattern) return 'pairs';
  if (type === 'array') return kind.terms ? 'words' : 'list';
  if (choices) return 'choice';
  if (type === 'number') return 'number';
  if (type === 'string') return 'text';
  throw new Error(`The page has no field for the filter ${name}`);
}

/** Which end of a range a filter is; undefined if there is no filter for the other end. */
function endOf(name: string, names: readonly string[]): FilterRow['end'] {
  const [, base, suffix = ''] = /^(.*)(Min|Max|From|To)$/.exec(name) ?? [];
  const other = { Min: 'Max', Max: 'Min', From: 'To', To: 'From' }[suffix];
  if (!other || !names.includes(`${base}${other}`)) return undefined;
  return suffix === 'Min' || suffix === 'From' ? 'min' : 'max';
}

/** Everyday phrases for the words of filters, by filter and token; questions in plain words are read with the same ones. */
const PHRASES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  status: questionWords.statuses,
  decisionBodies: questionWords.decisionBodies,
  requestTypes: questionWords.requestTypes,
  ...questionWords.uses,
};

function listWords(name: string, { kind, needs, neededFor }: AnyFilter): FilterWord[] {
  const { enum: choices = [] } = kind.schema as ValueSchema;
  const terms: readonly FilterWord[] = kind.terms ?? choices.map((token) => ({ token, label: nameInWords(token).replaceAll('_', ' ') }));
  return terms.map((term) => {
    const phrases = PHRASES[name]?.[term.token];
    return { ...term, ...(phrases ? { phrases } : {}), ...(needs && neededFor?.([term.token]).length ? { needs } : {}) };
  });
}

/** The name of a filter's vocabulary; a choice has its own. */
const nameVocabulary = (name: string, { kind }: AnyFilter) => (kind.schema as ValueSchema).items?.title ?? name;

function describeFilter(subject: string, name: string, entry: AnyFilter, names: readonly string[]): FilterRow {
  const { aliases = [], label = nameInWords(name), summary, example, kind, needs, neededFor, meaning } = entry;
  const input = describeInput(name, entry);
  const end = endOf(name, names);
  return {
    name,
    aliases,
    label,
    summary,
    example,
    subject,
    input,
    ...(input === 'number' ? { unit: (kind.schema as ValueSchema).description ?? '' } : {}),
    ...(end ? { end } : {}),
    ...(input === 'words' || input === 'choice' ? { vocabulary: nameVocabulary(name, entry) } : {}),
    ...(needs && !neededFor ? { needs } : {}),
    ...(input === 'flag' && meaning?.(false) === undefined && meaning ? { onlyTrue: true } : {}),
  };
}

/** A row for each filter of the table, in its order, and the vocabularies of their values. */
export function makeFilterCatalogue(): FilterCatalogue {
  const filters = Object.entries(FILTER_SUBJECTS).flatMap(([subject, ofSubject]) => {
    const entries: [string, AnyFilter][] = Object.entries(ofSubject);
    const names = entries.map(([name]) => name);
    return entries.map(([name, entry]) => ({ entry, row: describeFilter(subject, name, entry, names) }));
  });
  const vocabularies: Record<string, FilterWord[]> = {};
  for (const { entry, row } of filters) if (row.vocabulary) vocabularies[row.vocabulary] ??= listWords(row.name, entry);
  return { rows: filters.map(({ row }) => row), vocabularies, defaultDateRange: DEFAULT_DATE_RANGE };
}

/** The file that the page loads. */
export const filterAsset = (): Asset => assetOf('filters.json', JSON.stringify(makeFilterCatalogue()));
