/** From raw parameters to typed values: names and aliases, every problem of a request as a value. Pure. */
import type { Refusal } from '../domain/errors.ts';
import type { Places } from '../domain/places.ts';
import { CONTROLS, type Controls, type ControlValues } from './controls.ts';
import type { AnyFilter } from './entry.ts';
import { nearest, type ParseContext, type Raw, Unusable, UnusableList } from './kinds.ts';
import { FILTER_NAMES, FILTERS, type FilterName, type FilterValues, filterOf, REMOVED } from './table.ts';

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

/** What a route takes. */
interface Taken {
  entries: ReadonlyMap<string, AnyFilter>;
  /** canonical names in the order in which their values are read: `states` narrows the names of counties and cities, and `counties` those of cities */
  order: ReadonlyMap<string, number>;
  /** with the older ones */
  names: readonly string[];
}

const taken = new WeakMap<Controls, Taken>();

function takenWith(controls: Controls): Taken {
  const known = taken.get(controls);
  if (known) return known;
  const entries = new Map<string, AnyFilter>([...Object.entries(FILTERS), ...Object.entries(controls)]);
  const order = new Map([...entries.keys()].map((name, i) => [name, i]));
  const names = [...CANONICAL].filter(([, canonical]) => entries.has(canonical)).map(([name]) => name);
  const made = { entries, order, names };
  taken.set(controls, made);
  return made;
}

/** Gathers what was sent for each canonical name, and the names that the route does not take. */
function gather(raw: RawParameters, { entries, names }: Taken, prefix: string): Gathered {
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
  const takes = takenWith(controls);
  const { sent, problems, unusable: unreadable } = gather(raw, takes, prefix);
  const place = (name: string) => takes.order.get(name) ?? 0;
  const values: { filters: Record<string, unknown>; controls: Record<string, unknown> } = { filters: {}, controls: {} };
  let context: ParseContext = { places, stateIds: [], countyIds: [] };
  let states: Read | undefined;
  for (const [name, given] of [...sent].sort(([a], [b]) => place(a) - place(b))) {
    const entry = takes.entries.get(name) as AnyFilter;
    const found = readValue(() => entry.kind.parse(given.values, context));
    if (name === 'states') states = found;
    if (found.value !== undefined) values[Object.hasOwn(FILTERS, name) ? 'filters' : 'controls'][name] = found.value;
    if (found.problems.length) unreadable.add(name);
    for (const problem of found.problems)
      if (problem.code !== 'ambiguous_place' || !notJudged(name, states))
        problems.push(unusable(given.as, entry, problem, problems.length));
    const ids = found.value as number[] | undefined;
    if (name === 'states' && ids?.length === 1 && !found.problems.length) context = { ...context, stateIds: ids };
    if (name === 'counties' && ids && !found.problems.length) context = { ...context, countyIds: ids };
  }
  return {
    filters: values.filters as FilterValues,
    controls: values.controls as ControlValues,
    problems,
    sent: new Map([...sent].map(([name, { as }]) => [name, as])),
    unusable: unreadable,
  };
}

const NEEDING = FILTER_NAMES.filter((name) => filterOf(name).needs);

/** Filters that were sent without the parameter that has to stand with them. */
export function missingCompanions({ filters, sent, unusable }: Reading, prefix = ''): Refusal[] {
  return NEEDING.flatMap((name): Refusal[] => {
    const { needs, neededFor } = filterOf(name);
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
