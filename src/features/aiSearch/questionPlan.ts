/** What a question selects: the filters that its caller sent, which are law, and those that were read from its words. Pure. */

import type { Places } from '../../core/domain/places.ts';
import type { Principal } from '../../core/domain/principal.ts';
import type { FetchedProject } from '../../core/domain/record/represent.ts';
import type { ProjectStatement } from '../../core/domain/record/statement.ts';
import { parseFilters, readParameters } from '../../core/filter/parse.ts';
import { type FilterValues, filterOf, namesIn } from '../../core/filter/table.ts';
import { allOf, type Clause } from '../../core/query/clauses.ts';
import { type Selection, selectionOf } from '../../core/search/select.ts';
import type { Criterion, Reading, Understanding } from './question/index.ts';
import type { AiSearchPayload } from './types.ts';

/** A reading with its filters as a clause, which has a name, so that a hit tells whether it satisfies them. */
export interface PlannedReading {
  name: string;
  clause: Clause;
  reading: Reading;
  /** what its filters say */
  filters: FilterValues;
  /** attributes of a record that state what the reading is about */
  attributes: readonly (keyof ProjectStatement)[];
}

export interface QuestionPlan {
  /** how records are shown that were found */
  selection: Selection;
  /** what a record has to satisfy in any case */
  filters: Clause[];
  /** what it may say in its text instead */
  readings: PlannedReading[];
  /** those that every record satisfies */
  firm: PlannedReading[];
  criteria: readonly Criterion[];
}

/** What filters of `filters.` in a body say, none of them with problems. @throws Error */
export function sentFilters(filters: Readonly<Record<string, unknown>>, places: Places): FilterValues {
  const reading = parseFilters(filters, 'filters.', places);
  if (reading.problems.length) throw new Error(`Filters of an accepted question have problems: ${JSON.stringify(reading.problems)}`);
  return reading.filters;
}

/** @throws Error where what was read from the question is no filter of ours */
export function filtersOf({ filters }: Pick<Understanding, 'filters'>, places: Places): FilterValues {
  const reading = readParameters(new Map(Object.entries(filters).map(([name, value]) => [name, [value].flat()])), {}, places);
  if (reading.problems.length) throw new Error(`A question was read as filters with problems: ${JSON.stringify(reading.problems)}`);
  return reading.filters;
}

const pick = (filters: FilterValues, names: readonly string[]): FilterValues =>
  Object.fromEntries(namesIn(filters).flatMap((name) => (names.includes(name) ? [[name, filters[name]]] : [])));

/** Every date and every record, but where the filters say otherwise. */
const EVERYTHING = { dateRange: 'all', includeGovernmentDecisions: true } as const;

/** @param payload of an accepted search @param understanding of its question */
export function planOf(
  { filters: sent, today }: Pick<AiSearchPayload, 'filters' | 'today'>,
  understanding: Understanding,
  principal: Pick<Principal, 'licence'>,
  places: Places,
): QuestionPlan {
  const lawful = sentFilters(sent, places);
  const read = filtersOf(understanding, places);
  const { includeGovernmentDecisions = read.includeGovernmentDecisions } = lawful;
  const law = { dateRange: 'all', ...lawful, ...(includeGovernmentDecisions === undefined ? {} : { includeGovernmentDecisions }) } as const;
  return planWithin(selectionOf(law, principal, today), understanding, places);
}

/** Values that state nothing: the text may say what it is. */
export const SAYS_NOTHING: ReadonlySet<unknown> = new Set<unknown>(['unknown', 'other_request', 'planned_development', 'building_permit']);

/** @param selection of the filters that are law @param understanding of words that were read on its day */
export function planWithin(selection: Selection, understanding: Understanding, places: Places): QuestionPlan {
  const read = filtersOf(understanding, places);
  const { today } = selection.context;
  const nationwide = { licence: { nationwide: true } } as const;
  const clauseOf = (filters: FilterValues) => selectionOf({ ...EVERYTHING, ...filters }, nationwide, today).query;
  const grouped = understanding.readings.map((reading, i): PlannedReading => {
    const filters = pick(read, reading.filters);
    const attributes = namesIn(filters).flatMap((name) => filterOf(name).reads ?? []);
    const name = `reading ${i}`;
    return { name, reading, filters, attributes, clause: { bool: { filter: [clauseOf(filters)], _name: name } } };
  });
  const ofReadings = new Set(understanding.readings.flatMap(({ filters }) => filters));
  const others = Object.keys(read).filter((name) => !ofReadings.has(name));
  const firm = grouped.filter(({ reading }) => reading.orInText === 'never');
  return {
    selection: { ...selection, filters: { ...read, ...selection.filters } },
    filters: [selection.query, ...(others.length ? [clauseOf(pick(read, others))] : []), ...firm.map(({ clause }) => clause)],
    readings: grouped.filter((one) => !firm.includes(one)),
    firm,
    criteria: understanding.criteria,
  };
}

/** Finds of these records those that satisfy what they have to, and names the readings whose filters they satisfy, too. */
export const amongRecords = ({ filters, readings }: QuestionPlan, clause: Clause): Clause => ({
  bool: {
    filter: [clause, allOf(filters)],
    ...(readings.length ? { should: readings.map((one) => one.clause), minimum_should_match: 0 } : {}),
  },
});

/** Readings whose filters a record satisfies. @param matched names of the clauses that found it */
export const satisfiedReadings = ({ firm, readings }: QuestionPlan, matched: readonly string[]): PlannedReading[] => [
  ...firm,
  ...readings.filter(({ name }) => matched.includes(name)),
];

/** What of a record has to be confirmed in its text; null where its fields contradict a reading. */
export function criteriaFor(plan: QuestionPlan, project: FetchedProject, matched: readonly string[]): Criterion[] | null {
  const { compact, standard = {}, full = {} } = project;
  const stated: Partial<ProjectStatement> = { ...full, ...standard, ...compact };
  const isStated = (attribute: keyof ProjectStatement) => {
    const value = stated[attribute];
    return value !== null && value !== undefined && !SAYS_NOTHING.has(value) && !(Array.isArray(value) && !value.length);
  };
  const open = plan.readings.filter(({ name }) => !matched.includes(name));
  const contradicts = ({ reading, attributes }: PlannedReading) =>
    reading.orInText === 'unstated' && (!attributes.length || attributes.some(isStated));
  if (open.some(contradicts)) return null;
  return [...plan.criteria, ...open.map(({ reading }) => reading.criterion)];
}
