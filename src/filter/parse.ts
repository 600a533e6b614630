/** From raw parameters to typed values: names and aliases, every problem of a request at once. Pure. */
import { ApiError, invalidFilter, type Problem } from '../domain/errors.ts';
import type { Places } from '../domain/places.ts';
import { CONTROL_NAMES, CONTROLS, type ControlName, type ControlValues } from './controls.ts';
import type { AnyFilter } from './entry.ts';
import { nearest, type ParseContext, type Raw, Unusable, UnusableList } from './kinds.ts';
import { FILTER_NAMES, FILTERS, type FilterValues, REMOVED } from './table.ts';

/** Parameters as they came, by the name under which they were sent; an entry for each repetition. */
export type RawParameters = ReadonlyMap<string, Raw>;

export interface Parsed {
  filters: FilterValues;
  controls: ControlValues;
}

interface FoundProblem extends Problem {
  refusal: 'invalid_filter' | 'invalid_request';
}

const ENTRIES: ReadonlyMap<string, AnyFilter> = new Map<string, AnyFilter>([...Object.entries(FILTERS), ...Object.entries(CONTROLS)]);

/** Canonical name of each name and alias. */
export const CANONICAL: ReadonlyMap<string, string> = new Map(
  [...ENTRIES].flatMap(([name, entry]) => [name, ...(entry.aliases ?? [])].map((sent) => [sent, name] as const)),
);

/** Names that are accepted but on their way out. */
export const DEPRECATED: ReadonlySet<string> = new Set([...ENTRIES.values()].flatMap((entry) => entry.deprecated ?? []));

/** `states` narrows the names of counties and cities, and `counties` those of cities: each is read before them. */
const READ_ORDER = [...FILTER_NAMES, ...CONTROL_NAMES] as const;

/** Problems beyond these are told without a suggestion: looking for one takes time, and nobody mistypes so many. */
const SUGGESTIONS_MAX = 20;

/** @param names those that the route takes; empty to suggest none */
function unknown(name: string, names: readonly string[]): FoundProblem {
  const removed = Object.hasOwn(REMOVED, name) ? REMOVED[name] : undefined;
  const didYouMean = removed ? undefined : nearest(name, names);
  const shown = name.slice(0, 80);
  return {
    param: shown,
    code: 'unknown_parameter',
    message: removed ?? `There is no parameter '${shown}'${didYouMean ? `; did you mean '${didYouMean}'?` : ''}`,
    ...(didYouMean ? { didYouMean } : {}),
    refusal: 'invalid_filter',
  };
}

/** A parameter that other routes take. */
export const notTaken = (name: string): Problem => ({
  param: name,
  code: 'not_supported',
  message: `${name} is not taken here; leave it out`,
});

/** @param name as it was sent @param before problems that were found already */
function unusable(name: string, entry: AnyFilter, problem: Unusable, before: number): FoundProblem {
  const didYouMean = before < SUGGESTIONS_MAX ? problem.suggest() : undefined;
  return {
    param: name,
    code: problem.code,
    message: `${name} ${problem.message}${didYouMean ? `; did you mean '${didYouMean}'?` : ''}`,
    ...(problem.value === undefined ? {} : { value: problem.value }),
    ...(didYouMean ? { didYouMean } : {}),
    ...(problem.candidates ? { candidates: problem.candidates } : {}),
    refusal: entry.refusal ?? 'invalid_filter',
  };
}

interface Sent {
  /** the name under which it was sent, the first of several */
  as: string;
  values: unknown[];
}

/** Gathers what was sent for each canonical name, and tells names that the route does not know. */
function gather(raw: RawParameters, controls: ReadonlySet<string>): { sent: Map<string, Sent>; problems: FoundProblem[] } {
  const allowed = new Set<string>([...FILTER_NAMES, ...controls]);
  const names = [...CANONICAL].filter(([, canonical]) => allowed.has(canonical)).map(([name]) => name);
  const sent = new Map<string, Sent>();
  const problems: FoundProblem[] = [];
  for (const [name, values] of raw) {
    const canonical = CANONICAL.get(name);
    if (canonical === undefined) problems.push(unknown(name, problems.length < SUGGESTIONS_MAX ? names : []));
    else if (values.some((value) => typeof value === 'string' && value.includes('\0')))
      problems.push({ param: name, code: 'invalid_value', message: `${name} holds a null byte; remove it`, refusal: 'invalid_filter' });
    else if (!allowed.has(canonical)) problems.push({ ...notTaken(name), refusal: 'invalid_request' });
    else sent.set(canonical, { as: sent.get(canonical)?.as ?? name, values: [...(sent.get(canonical)?.values ?? []), ...values] });
  }
  return { sent, problems };
}

/**
 * Parses a request's parameters.
 * @param controls the controls that this route takes; filters are taken by all
 * @throws ApiError `invalid_filter`, or `invalid_request` where only controls are wrong, with every problem
 */
export function parseParameters(raw: RawParameters, controls: readonly ControlName[], places: Places): Parsed {
  const { sent, problems } = gather(raw, new Set(controls));
  const values = new Map<string, unknown>();
  let context: ParseContext = { places, stateIds: [], countyIds: [] };
  for (const name of READ_ORDER) {
    const given = sent.get(name);
    if (given === undefined) continue;
    const entry = ENTRIES.get(name) as AnyFilter;
    try {
      values.set(name, entry.kind.parse(given.values, context));
    } catch (error) {
      if (error instanceof Unusable) problems.push(unusable(given.as, entry, error, problems.length));
      else if (error instanceof UnusableList)
        for (const problem of error.problems) problems.push(unusable(given.as, entry, problem, problems.length));
      else throw error;
    }
    const ids = values.get(name) as number[] | undefined;
    if (name === 'states' && ids?.length === 1) context = { ...context, stateIds: ids };
    if (name === 'counties' && ids) context = { ...context, countyIds: ids };
  }
  problems.push(...missingCompanions(values, sent));
  if (problems.length) throw refuse(problems);
  const pick = (names: readonly string[]) =>
    Object.fromEntries(names.flatMap((name) => (values.has(name) ? [[name, values.get(name)]] : [])));
  return { filters: pick(FILTER_NAMES) as FilterValues, controls: pick(CONTROL_NAMES) as ControlValues };
}

function missingCompanions(values: ReadonlyMap<string, unknown>, sent: ReadonlyMap<string, Sent>): FoundProblem[] {
  return FILTER_NAMES.flatMap((name): FoundProblem[] => {
    const needs = (FILTERS[name] as AnyFilter).needs;
    if (!needs || !values.has(name) || values.get(needs) === true) return [];
    const { as: param } = sent.get(name) as Sent;
    return [{ param, code: 'missing_companion', message: `${param} needs ${needs}=true beside it`, refusal: 'invalid_request' }];
  });
}

function refuse(found: readonly FoundProblem[]): ApiError {
  const problems = found.map(({ refusal: _, ...problem }) => problem);
  if (found.some((problem) => problem.refusal === 'invalid_filter')) return invalidFilter(problems);
  const [first] = problems as [Problem];
  const supported = ENTRIES.get(CANONICAL.get(first.param) ?? '')?.kind.schema.enum;
  return new ApiError('invalid_request', first.message, { param: first.param, details: { problems, ...(supported ? { supported } : {}) } });
}
