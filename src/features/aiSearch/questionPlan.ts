/** The query that a question becomes: the filters that the client sent, which are binding, and those read from its words. Pure. */

import type { Places } from '../../core/domain/places.ts';
import type { Principal } from '../../core/domain/principal.ts';
import type { FetchedProject } from '../../core/domain/record/represent.ts';
import type { ProjectStatement } from '../../core/domain/record/statement.ts';
import { KEYWORD_ATTRIBUTES, VALUE_ATTRIBUTES } from '../../core/domain/record/storedProject.ts';
import { EVIDENCE_ONLY } from '../../core/filter/compile.ts';
import { parseFilterObject, readParameters } from '../../core/filter/parse.ts';
import { type FilterValues, filterOf, namesIn } from '../../core/filter/table.ts';
import { allOf, anyOf, type Clause, terms } from '../../core/query/clauses.ts';
import { type Selection, selectionOf } from '../../core/search/select.ts';
import type { Criterion, Exclusion, FilterReading, Understanding } from './question/index.ts';
import type { AiSearchPayload } from './types.ts';

/** A reading with its filters as a named clause, so that a hit says whether it satisfies them. */
export interface PlannedReading {
  name: string;
  clause: Clause;
  reading: FilterReading;
  /** what its filters say */
  filters: FilterValues;
  /** its criterion for a record whose fields state another use */
  strict: Criterion;
  /** attributes of a record that state what the reading is about */
  attributes: readonly (keyof ProjectStatement)[];
}

export interface QuestionPlan {
  /** by which found records are shown */
  selection: Selection;
  /** clauses that every record has to satisfy */
  filters: Clause[];
  /** readings that a record may satisfy in its text instead */
  readings: PlannedReading[];
  /** readings that are part of `filters` */
  firm: PlannedReading[];
  criteria: readonly Criterion[];
  order?: Understanding['order'];
  /** the question, if a language model read it, and what a record must not be */
  asked?: WholeQuestion;
}

/** A question as a language model read it; the judging model is shown the whole of it. */
export interface WholeQuestion {
  text: string;
  exclusions: readonly Exclusion[];
}

/** The parsed `filters` of the body of an accepted search. @throws Error if they have problems */
export function parseSentFilters(filters: Readonly<Record<string, unknown>>, places: Places): FilterValues {
  const reading = parseFilterObject(filters, 'filters.', places);
  if (reading.problems.length) throw new Error(`Filters of an accepted question have problems: ${JSON.stringify(reading.problems)}`);
  return reading.filters;
}

/** The parsed filters of an understanding. @throws Error if they have problems */
export function parseReadFilters({ filters }: Pick<Understanding, 'filters'>, places: Places): FilterValues {
  const reading = readParameters(new Map(Object.entries(filters).map(([name, value]) => [name, [value].flat()])), {}, places);
  if (reading.problems.length) throw new Error(`A question was read as filters with problems: ${JSON.stringify(reading.problems)}`);
  return reading.filters;
}

const pick = (filters: FilterValues, names: readonly string[]): FilterValues =>
  Object.fromEntries(namesIn(filters).flatMap((name) => (names.includes(name) ? [[name, filters[name]]] : [])));

/** No default window of dates, no default exclusion. */
const EVERYTHING = { dateRange: 'all', includeGovernmentDecisions: true } as const;

/** @param payload of an accepted search @param understanding of its question */
export function makePlan(
  { filters: sent, today }: Pick<AiSearchPayload, 'filters' | 'today'>,
  understanding: Understanding,
  principal: Pick<Principal, 'licence'>,
  places: Places,
): QuestionPlan {
  const binding = parseSentFilters(sent, places);
  const read = parseReadFilters(understanding, places);
  const { includeGovernmentDecisions = read.includeGovernmentDecisions } = binding;
  const combined = {
    dateRange: 'all',
    ...binding,
    ...(includeGovernmentDecisions === undefined ? {} : { includeGovernmentDecisions }),
  } as const;
  return makePlanWithin(selectionOf(combined, principal, today), understanding, places);
}

/** Values that state nothing definite, so that the text may still say it. */
const SAYS_NOTHING: ReadonlySet<unknown> = new Set<unknown>(['unknown', 'other_request', 'planned_development', 'building_permit']);

/** @param selection of the binding filters @param understanding read on the day of that selection */
export function makePlanWithin(selection: Selection, understanding: Understanding, places: Places): QuestionPlan {
  const read = parseReadFilters(understanding, places);
  const { today } = selection.context;
  const nationwide = { licence: { nationwide: true } } as const;
  const clauseOf = (filters: FilterValues) => selectionOf({ ...EVERYTHING, ...filters }, nationwide, today).query;
  const grouped = understanding.readings.map((reading, i): PlannedReading => {
    const filters = pick(read, reading.filters);
    const attributes = namesIn(filters).flatMap((name) => filterOf(name).reads ?? []);
    const name = `reading ${i}`;
    const { criterion } = reading;
    const strict = { ...criterion, match: { ...criterion.match, isAsked: true } };
    return { name, reading, strict, filters, attributes, clause: { bool: { filter: [clauseOf(filters)], _name: name } } };
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
    order: understanding.order,
    ...(understanding.question === undefined
      ? {}
      : { asked: { text: understanding.question, exclusions: understanding.exclusions ?? [] } }),
  };
}

/** A query for the records of `clause` that satisfy all binding filters; each hit names the readings whose filters it satisfies. */
export const planQuery = ({ filters, readings }: QuestionPlan, clause: Clause): Clause => ({
  bool: {
    filter: [clause, allOf(filters)],
    ...(readings.length ? { should: readings.map((one) => one.clause), minimum_should_match: 0 } : {}),
  },
});

/**
 * What every candidate has to satisfy: the binding filters; and no field may contradict a reading that the text may confirm only if the field is unstated.
 * It says what `unmetCriteria` says of a fetched record, so that those that would be thrown away use up no place among the candidates.
 */
export const candidateFilters = ({ filters, readings }: QuestionPlan): Clause[] => [
  ...filters,
  ...readings
    .filter(({ reading, attributes }) => reading.orInText === 'unstated' && attributes.every((attribute) => EVIDENT.has(attribute)))
    .map(({ clause, attributes }) => anyOf([clause, ...(attributes.length ? [allOf(attributes.map(unstatedClause))] : [])])),
];

const EVIDENT: ReadonlySet<string> = new Set<string>(VALUE_ATTRIBUTES);
const KEYWORDS: ReadonlySet<string> = new Set<string>(KEYWORD_ATTRIBUTES);

/** Records that serve no value of an attribute, or one that states nothing definite. */
function unstatedClause(attribute: keyof ProjectStatement): Clause {
  const field = `derived.evidence.${attribute}`;
  const vague = KEYWORDS.has(attribute) ? [terms(field, [...SAYS_NOTHING].map(String))] : [];
  return anyOf([{ bool: { must_not: [{ exists: { field } }] } }, terms(EVIDENCE_ONLY, [attribute]), ...vague]);
}

/** Readings whose filters a record satisfies. @param matched names of the clauses that found it */
export const satisfiedReadings = ({ firm, readings }: QuestionPlan, matched: readonly string[]): PlannedReading[] => [
  ...firm,
  ...readings.filter(({ name }) => matched.includes(name)),
];

const statementOf = ({ compact, standard, full }: FetchedProject): Partial<ProjectStatement> => ({ ...full, ...standard, ...compact });

/** The same of what is served now: what only an earlier generation states of a record, it does not say. */
export function servedReadings(plan: QuestionPlan, project: FetchedProject, matched: readonly string[]): PlannedReading[] {
  const stated = statementOf(project);
  const isUnknown = (attribute: keyof ProjectStatement) => stated[attribute] === null || stated[attribute] === 'unknown';
  return satisfiedReadings(plan, matched).filter(({ attributes }) => !attributes.length || !attributes.every(isUnknown));
}

/** The criteria that a record still has to meet in its text, and whether its fields contradict a reading. */
export function unmetCriteria(plan: QuestionPlan, project: FetchedProject, matched: readonly string[]) {
  const stated = statementOf(project);
  const isStated = (attribute: keyof ProjectStatement) => {
    const value = stated[attribute];
    return value !== null && value !== undefined && !SAYS_NOTHING.has(value) && !(Array.isArray(value) && !value.length);
  };
  const open = plan.readings.filter(({ name }) => !matched.includes(name));
  const contradicts = ({ reading, attributes }: PlannedReading) =>
    reading.orInText === 'unstated' && (!attributes.length || attributes.some(isStated));
  const possible = open.filter((one) => !contradicts(one));
  const unread = plan.readings.filter(({ reading, name }) => reading.alsoInText && matched.includes(name));
  // Its fields say which use it has, and that it is another one.
  const statesUse = (stated.landUses ?? []).some(({ subtype }) => subtype !== null);
  const isOfAnother = ({ reading }: PlannedReading) =>
    statesUse && reading.criterion.match.isUse && !unread.some((one) => one.reading === reading);
  const criteria: Criterion[] = [
    ...plan.criteria,
    ...[...possible, ...unread].map((one) => (isOfAnother(one) ? one.strict : one.reading.criterion)),
  ];
  return { criteria, isContradicted: possible.length < open.length };
}
