/** From raw parameters to typed values: names and aliases, every problem of a request as a value. Pure. */
import type { Refusal } from '../domain/errors.ts';
import type { Places } from '../domain/places.ts';
import { CONTROL_NAMES, CONTROLS, type Controls, type ControlValues } from './controls.ts';
import type { AnyFilter } from './entry.ts';
import { nearest, type ParseContext, type Raw, Unusable, UnusableList } from './kinds.ts';
import { FILTER_NAMES, FILTERS, type FilterName, type FilterValues, REMOVED } from './table.ts';

/** Parameters as they came, by the name under which they were sent; an entry for each repetition. */
export type RawParameters = ReadonlyMap<string, Raw>;

const ENTRIES: ReadonlyMap<string, AnyFilter> = new Map<string, AnyFilter>([...Object.entries(FILTERS), ...Object.entries(CONTROLS)]);

/** Canonical name of each name and alias. */
export const CANONICAL: ReadonlyMap<string, string> = new Map(
  [...ENTRIES].flatMap(([name, entry]) => [name, ...(entry.aliases ?? [])].map((sent) => [sent, name] as const)),
);

/** Names that are accepted but on their way out. */
export const DEPRECATED: ReadonlySet<string> = new Set([...ENTRIES.values()].flatMap((entry) => entry.deprecated ?? []));

/** Problems beyond these come without a suggestion: looking for one takes time, and nobody mistypes so many. */
const SUGGESTIONS_MAX = 20;

/** What was sent, as far as it can be read, and everything that is wrong with it. */
export interface Reading {
  filters: FilterValues;
  controls: ControlValues;
  problems: Refusal[];
  /** everything that was sent and is taken here: canonical name, and the name under which it came first */
  sent: ReadonlyMap<string, string>;
  /** canonical names of what was sent and cannot be read whole; of a list the usable values stand in `filters` */
  unusable: ReadonlySet<string>;
}

/** @param names those that the route takes; empty to suggest none */
function unknown(name: string, names: readonly string[], prefix: string): Refusal {
  const removed = Object.hasOwn(REMOVED, name) ? REMOVED[name] : undefined;
  const near = removed ? undefined : nearest(name, names);
  const shown = `${prefix}${name.slice(0, 80)}`;
  const didYouMean = near && `${prefix}${near}`;
  return {
    param: shown,
    code: 'unknown_parameter',
    message: removed ?? `There is no parameter '${shown}'${didYouMean ? `; did you mean '${didYouMean}'?` : ''}`,
    ...(didYouMean ? { didYouMean } : {}),
    answer: 'invalid_filter',
  };
}

/** A parameter that other routes take. */
export const notTaken = (name: string): Refusal => ({
  param: name,
  code: 'not_supported',
  message: `${name} is not taken here; leave it out`,
  answer: 'invalid_request',
});

/** @param name as it was sent @param before problems that were found already */
function unusable(name: string, entry: AnyFilter, { code, message, extra }: Unusable, before: number): Refusal {
  const { didYouMean, nearest } = (before < SUGGESTIONS_MAX ? extra.suggest?.() : undefined) ?? {};
  const answer = entry.refusal ?? 'invalid_filter';
  const supported = answer === 'invalid_request' ? entry.kind.schema.enum : undefined;
  const hint = didYouMean ? `; did you mean '${didYouMean}'?` : '';
  return {
    param: name,
    code,
    message: `${name} ${message}${hint}${extra.reference && !extra.candidates ? ` (all values: GET ${extra.reference})` : ''}`,
    ...(extra.value === undefined ? {} : { value: extra.value }),
    ...(didYouMean ? { didYouMean } : {}),
    ...(nearest?.length ? { nearest } : {}),
    ...(extra.reference ? { reference: extra.reference } : {}),
    ...(extra.candidates ? { candidates: extra.candidates } : {}),
    answer,
    ...(supported ? { details: { supported } } : {}),
  };
}

interface Sent {
  /** the name under which it was sent, the first of several */
  as: string;
  values: unknown[];
}

interface Gathered {
  sent: Map<string, Sent>;
  problems: Refusal[];
  unusable: Set<string>;
}

/** Gathers what was sent for each canonical name, and the names that the route does not take. */
function gather(raw: RawParameters, entries: ReadonlyMap<string, AnyFilter>, prefix: string): Gathered {
  const names = [...CANONICAL].filter(([, canonical]) => entries.has(canonical)).map(([name]) => name);
  const gathered: Gathered = { sent: new Map(), problems: [], unusable: new Set() };
  const { sent, problems } = gathered;
  for (const [name, values] of raw) {
    const canonical = CANONICAL.get(name);
    const as = `${prefix}${name}`;
    if (canonical === undefined) problems.push(unknown(name, problems.length < SUGGESTIONS_MAX ? names : [], prefix));
    else if (values.some((value) => typeof value === 'string' && value.includes('\0'))) {
      problems.push({ param: as, code: 'invalid_value', message: `${as} holds a null byte; remove it`, answer: 'invalid_filter' });
      gathered.unusable.add(canonical);
    } else if (!entries.has(canonical)) problems.push(notTaken(as));
    else sent.set(canonical, { as: sent.get(canonical)?.as ?? as, values: [...(sent.get(canonical)?.values ?? []), ...values] });
  }
  return gathered;
}

/** What a raw value says. */
export interface Read {
  /** of a list with unusable values the others; undefined where nothing can be read */
  value: unknown;
  problems: readonly Unusable[];
}

/** The one place where what a kind throws becomes a value. */
export function readValue(parse: () => unknown): Read {
  try {
    return { value: parse(), problems: [] };
  } catch (error) {
    if (error instanceof Unusable) return { value: undefined, problems: [error] };
    if (error instanceof UnusableList) return { value: error.usable.length ? error.usable : undefined, problems: error.problems };
    throw error;
  }
}

/** Without the one state that was meant to narrow them, names of counties and cities cannot be called ambiguous. */
const notJudged = (name: string, states: Read | undefined) =>
  (name === 'counties' || name === 'cities') && states?.value === undefined && states?.problems.length === 1;

/**
 * Reads a request's parameters; what is wrong with them is part of what it hands back.
 * @param controls those that the route takes; filters are taken by all
 * @param prefix stands before the names in problems: the path of the object that holds the filters
 */
export function readParameters(raw: RawParameters, controls: Controls, places: Places, prefix = ''): Reading {
  const entries = new Map<string, AnyFilter>([...Object.entries(FILTERS), ...Object.entries(controls)]);
  const { sent, problems, unusable: unreadable } = gather(raw, entries, prefix);
  const values = new Map<string, unknown>();
  // `states` narrows the names of counties and cities, and `counties` those of cities: each is read before them.
  let context: ParseContext = { places, stateIds: [], countyIds: [] };
  let states: Read | undefined;
  for (const [name, entry] of entries) {
    const given = sent.get(name);
    if (given === undefined) continue;
    const found = readValue(() => entry.kind.parse(given.values, context));
    if (name === 'states') states = found;
    if (found.value !== undefined) values.set(name, found.value);
    if (found.problems.length) unreadable.add(name);
    for (const problem of found.problems)
      if (problem.code !== 'ambiguous_place' || !notJudged(name, states))
        problems.push(unusable(given.as, entry, problem, problems.length));
    const ids = found.value as number[] | undefined;
    if (name === 'states' && ids?.length === 1 && !found.problems.length) context = { ...context, stateIds: ids };
    if (name === 'counties' && ids && !found.problems.length) context = { ...context, countyIds: ids };
  }
  const pick = (names: readonly string[]) =>
    Object.fromEntries(names.flatMap((name) => (values.has(name) ? [[name, values.get(name)]] : [])));
  return {
    filters: pick(FILTER_NAMES) as FilterValues,
    controls: pick(CONTROL_NAMES) as ControlValues,
    problems,
    sent: new Map([...sent].map(([name, { as }]) => [name, as])),
    unusable: unreadable,
  };
}

/** Filters that were sent without the parameter that has to stand with them. */
export function missingCompanions({ filters, sent, unusable }: Reading, prefix = ''): Refusal[] {
  return FILTER_NAMES.flatMap((name): Refusal[] => {
    const { needs, neededFor } = FILTERS[name] as AnyFilter;
    const param = sent.get(name);
    if (!needs || param === undefined || unusable.has(needs) || filters[needs as FilterName] === true) return [];
    const parts: readonly string[] = neededFor ? (filters[name] === undefined ? [] : neededFor(filters[name])) : [];
    if (neededFor && !parts.length) return [];
    const message = `${param} needs ${prefix}${needs}=true with it${parts.length ? ` for ${parts.join(', ')}` : ''}`;
    return [{ param, code: 'missing_companion', message, answer: 'invalid_request' }];
  });
}

/**
 * Reads the filters that stand as an object in a body, each value as a query string or as JSON has it.
 * @param prefix path of the object with its dot; in front of every `param`
 * @param controls what the object takes besides filters
 */
export function parseFilters(object: unknown, prefix: string, places: Places, controls: Controls = {}): Reading {
  if (typeof object !== 'object' || object === null || Array.isArray(object)) {
    const param = prefix.replace(/\.$/, '');
    const problem: Refusal = { param, code: 'invalid_value', message: `${param} is not an object`, answer: 'invalid_filter' };
    return { filters: {}, controls: {}, problems: [problem], sent: new Map(), unusable: new Set() };
  }
  const reading = readParameters(new Map(Object.entries(object).map(([name, value]) => [name, [value]])), controls, places, prefix);
  const problems = [...reading.problems, ...missingCompanions(reading, prefix)];
  return { ...reading, problems: problems.map((problem) => ({ ...problem, answer: 'invalid_filter' })) };
}
