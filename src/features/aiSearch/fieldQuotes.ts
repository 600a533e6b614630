/** Quotes from the fields of a record for the parts of a question that became filters: the served value that satisfies each. Pure. */

import type { PublicRecord } from '../../core/domain/record/represent.ts';
import { normalizeWords } from '../../core/domain/words.ts';
import { boundOf } from '../../core/filter/size.ts';
import { type FilterName, type FilterValues, namesIn } from '../../core/filter/table.ts';
import { daysOf } from '../../core/filter/time.ts';
import { isText } from './candidateTexts.ts';
import type { CriterionQuote } from './question/index.ts';
import type { PlannedReading } from './questionPlan.ts';

type Quoted = [field: string, quote: string];

/** For a filter the field that holds its values, and the field that shows the value in words. */
const SHOWN: Readonly<Partial<Record<FilterName, readonly [holds: string, shows: string]>>> = {
  states: ['stateId', 'state'],
  counties: ['countyId', 'county'],
  cities: ['cityId', 'city'],
  status: ['status', 'statusLabel'],
  decisionBodies: ['decisionBody', 'decisionBodyLabel'],
  decisionTypes: ['decisionType', 'decisionTypeLabel'],
  requestTypes: ['requestType', 'requestTypeLabel'],
  constructionTypes: ['constructionType', 'constructionTypeLabel'],
};

const LEVELS = { propertyTypes: 'type', propertySubtypes: 'subtype', assetClasses: 'assetClass' } as const;

/**
 * Quotes for each reading, one a field. A value that only an earlier generation states is not served, and so not quoted.
 * @param readings whose filters the record satisfies
 * @param record the full representation
 */
export function fieldQuotes(readings: readonly PlannedReading[], record: PublicRecord, today: string): CriterionQuote[] {
  return readings.flatMap(({ reading, filters }) => {
    const quoted = new Map(namesIn(filters).flatMap((name) => quotesFor(name, filters, record, today)));
    return [...quoted].map(
      ([field, quote]): CriterionQuote => ({ criterion: reading.text, quote, source: 'field', documentId: null, field }),
    );
  });
}

function quotesFor(name: FilterName, filters: FilterValues, record: PublicRecord, today: string): Quoted[] {
  const shown = SHOWN[name];
  if (shown) return listedQuotes(filters[name] as readonly unknown[], record, shown);
  if (boundOf(name)) return measurementQuotes(name, filters[name] as number, record);
  switch (name) {
    case 'propertyTypes':
    case 'propertySubtypes':
    case 'assetClasses':
      return useQuotes(filters[name] ?? [], LEVELS[name], record);
    case 'developerName':
      return partyQuotes(filters.developerName?.alternatives ?? [], record);
    case 'meetingDateFrom':
    case 'meetingDateTo':
    case 'dateRange':
      return dateQuotes(filters, record, today);
    default:
      return [];
  }
}

function listedQuotes(values: readonly unknown[], record: PublicRecord, [holds, shows]: readonly [string, string]): Quoted[] {
  const text = record[shows];
  return values.includes(record[holds]) && isText(text) ? [[shows, text]] : [];
}

function measurementQuotes(name: FilterName, value: number, record: PublicRecord): Quoted[] {
  const bound = boundOf(name);
  const stated = bound && record[bound.measurement];
  if (!bound || typeof stated !== 'number' || (bound.end === 'gte' ? stated < value : stated > value)) return [];
  return [[bound.measurement, String(stated)]];
}

function useQuotes(values: readonly string[], level: 'type' | 'subtype' | 'assetClass', record: PublicRecord): Quoted[] {
  const uses = (record.landUses ?? []) as Readonly<Record<string, unknown>>[];
  const use = uses.find((one) => values.includes(String(one[level])));
  const label = use?.[`${level}Label`];
  return isText(label) ? [['landUses', label]] : [];
}

function partyQuotes(alternatives: readonly string[], record: PublicRecord): Quoted[] {
  const parties = (record.parties ?? []) as readonly { name?: string | null }[];
  const found = parties.find(({ name }) => alternatives.some((text) => ` ${normalizeWords(name ?? '')} `.includes(` ${text} `)));
  return isText(found?.name) ? [['parties', found.name]] : [];
}

function dateQuotes({ meetingDateFrom, meetingDateTo, dateRange }: FilterValues, { meetingDate }: PublicRecord, today: string): Quoted[] {
  if (!isText(meetingDate)) return [];
  const days = dateRange && daysOf(dateRange, today);
  const isWithin =
    (!meetingDateFrom || meetingDate >= meetingDateFrom.firstDay) &&
    (!meetingDateTo || meetingDate <= meetingDateTo.lastDay) &&
    (!days || (meetingDate >= days.gte && meetingDate <= days.lte));
  return isWithin ? [['meetingDate', meetingDate]] : [];
}
