/** Parses raw parameters to typed values; problems are returned as values, all of a request at once. Pure. */
import type { RequestRefusal } from '../domain/errors.ts';
import type { Places } from '../domain/places.ts';
import type { Warning } from '../domain/warnings.ts';
import type { Controls, ControlValues } from './controls.ts';
import type { AnyFilter } from './entry.ts';
import { CANONICAL, misplacedParameterRefusal, unknownFilterRefusal } from './names.ts';
import { describeValue, type ParsedValue, type Raw, type ValueProblem } from './raw.ts';
import { FILTER_NAMES, FILTERS, type FilterName, type FilterValues, filterOf } from './table.ts';

/** Parameters by the name under which they were sent, with an entry for each repetition. */
export type RawParameters = ReadonlyMap<string, Raw>;

/**
 * Parameters as text, in canonical order: equal for two requests that ask the same.
 * @param before further texts that have to be equal
 */
export const canonicalText = (raw: RawParameters, ...before: string[]): string => JSON.stringify([...before, ...[...raw].sort()]);

/** Further problems come without a suggestion, since looking for suggestions takes time. */
export const SUGGESTIONS_MAX = 20;

/** The readable parameters, and everything that is wrong with the others. */
export interface ParameterReading {
  filters: FilterValues;
  controls: ControlValues;
  problems: RequestRefusal[];
  /** accepted parameters that were sent: canonical name to the first name that was used */
  sent: ReadonlyMap<string, string>;
  /** canonical names of parameters that have a problem; the usable values of a list are still in `filters` */
  unusable: ReadonlySet<string>;
  /** what the values that were read call for */
  warnings: readonly Warning[];
}

/**
 * The refusal of a parameter's value.
 * @param name as it was sent
 * @param isSuggested whether to look for a suggestion
 */
export function valueRefusal(
  name: string,
  { kind, refusal: answer = 'invalid_filter' }: Pick<AnyFilter, 'refusal'> & { kind: { schema: Record<string, unknown> } },
  { code, path = '', message, value, suggest, reference, candidates }: ValueProblem,
  isSuggested: boolean,
): RequestRefusal {
  const { didYouMean, nearest } = (isSuggested ? suggest?.() : undefined) ?? {};
  const supported = answer === 'invalid_request' ? kind.schema.enum : undefined;
  const hint = didYouMean ? `; did you mean '${didYouMean}'?` : '';
  return {
    param: `${name}${path}`,
    code,
    message: `${name}${path} ${message}${hint}${reference && !candidates ? ` (all values: GET ${reference})` : ''}`,
    ...(value === undefined ? {} : { value }),
    ...(didYouMean ? { didYouMean } : {}),
    ...(nearest?.length ? { nearest } : {}),
    ...(reference ? { reference } : {}),
    ...(candidates ? { candidates } : {}),
    answer,
    ...(supported ? { details: { supported } } : {}),
  };
}

/** Everything that was sent for one entry. */
interface SentValues {
  /** the name that was sent; the first if there were several */
  as: string;
  values: unknown[];
}

interface Gathered {
  sent: Map<string, SentValues>;
  problems: RequestRefusal[];
  unusable: Set<string>;
}

interface AcceptedParameters {
  /** in the order in which they are parsed: filters that narrow others come first */
  entries: ReadonlyMap<string, AnyFilter>;
  order: ReadonlyMap<string, number>;
  /** all accepted names, deprecated ones included */
  names: readonly string[];
}

const acceptedByControls = new WeakMap<Controls, AcceptedParameters>();

function indexAccepted(controls: Controls): AcceptedParameters {
  const known = acceptedByControls.get(controls);
  if (known) return known;
  const entries = new Map<string, AnyFilter>([...Object.entries(FILTERS), ...Object.entries(controls)]);
  const order = new Map([...entries.keys()].map((name, i) => [name, i]));
  const names = [...CANONICAL].filter(([, canonical]) => entries.has(canonical)).map(([name]) => name);
  const accepted = { entries, order, names };
  acceptedByControls.set(controls, accepted);
  return accepted;
}

const holdsNull = (value: unknown) => typeof value === 'string' && value.includes('\0');

/** Collects the values sent for each canonical name, and the names that the route does not accept. */
function gatherValues(raw: RawParameters, { entries, names }: AcceptedParameters, prefix: string): Gathered {
  const gathered: Gathered = { sent: new Map(), problems: [], unusable: new Set() };
  const { sent, problems } = gathered;
  for (const [name, values] of raw) {
    const canonical = CANONICAL.get(name);
    const as = `${prefix}${name}`;
    if (canonical === undefined) problems.push(unknownFilterRefusal(name, problems.length < SUGGESTIONS_MAX ? names : [], prefix));
    else if (values.some(holdsNull)) {
      problems.push({ param: as, code: 'invalid_value', message: `${as} holds a null byte; remove it`, answer: 'invalid_filter' });
      gathered.unusable.add(canonical);
    } else if (!entries.has(canonical)) problems.push(misplacedParameterRefusal(as));
    else sent.set(canonical, { as: sent.get(canonical)?.as ?? as, values: [...(sent.get(canonical)?.values ?? []), ...values] });
  }
  return gathered;
}

const pickNarrowing = ({ narrowedBy = [] }: AnyFilter, parsed: ReadonlyMap<string, ParsedValue<unknown>>) =>
  Object.fromEntries(narrowedBy.flatMap((name) => (parsed.has(name) ? [[name, parsed.get(name) as ParsedValue<unknown>]] : [])));

/**
 * Parses the parameters of a request; problems are part of the result.
 * @param controls those that the route accepts; every route accepts filters
 * @param prefix path of the object that holds the filters, prepended to names in problems
 */
export function readParameters(raw: RawParameters, controls: Controls, places: Places, prefix = ''): ParameterReading {
  const { entries, order, names } = indexAccepted(controls);
  const { sent, problems, unusable } = gatherValues(raw, { entries, order, names }, prefix);
  const filters: Record<string, unknown> = {};
  const controlValues: Record<string, unknown> = {};
  const parsed = new Map<string, ParsedValue<unknown>>();
  const warnings: Warning[] = [];
  for (const [name, { as, values }] of [...sent].sort(([a], [b]) => (order.get(a) ?? 0) - (order.get(b) ?? 0))) {
    const entry = entries.get(name) as AnyFilter;
    const found: ParsedValue<unknown> = entry.kind.parse(values, { places, narrowing: pickNarrowing(entry, parsed) });
    parsed.set(name, found);
    const value = 'value' in found ? found.value : found.usable;
    if (value !== undefined) (Object.hasOwn(FILTERS, name) ? filters : controlValues)[name] = value;
    if ('value' in found) {
      warnings.push(...(found.warnings ?? []));
      continue;
    }
    unusable.add(name);
    for (const problem of found.problems) problems.push(valueRefusal(as, entry, problem, problems.length < SUGGESTIONS_MAX));
  }
  return {
    filters: filters as FilterValues,
    controls: controlValues as ControlValues,
    problems,
    sent: new Map([...sent].map(([name, { as }]) => [name, as])),
    unusable,
    warnings,
  };
}

const NEEDING = FILTER_NAMES.filter((name) => filterOf(name).needs);

/** Refusals of filters that were sent without their required companion. */
export function findMissingCompanions({ filters, sent, unusable }: ParameterReading, prefix = ''): RequestRefusal[] {
  return NEEDING.flatMap((name): RequestRefusal[] => {
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
 * Reads the filters that an object in a body holds, each value as a query string or as JSON has it.
 * @param prefix path of the object with its dot; in front of every `param`
 * @param controls what the object takes besides filters
 */
export function parseFilterObject(object: unknown, prefix: string, places: Places, controls: Controls = {}): ParameterReading {
  if (typeof object !== 'object' || object === null || Array.isArray(object)) {
    const param = prefix.replace(/\.$/, '');
    const problem: RequestRefusal = {
      param,
      code: 'invalid_value',
      message: `${param} takes an object of filters (such as {"states":["CO"]}), not ${describeValue(object)}`,
      answer: 'invalid_filter',
    };
    return { filters: {}, controls: {}, problems: [problem], sent: new Map(), unusable: new Set(), warnings: [] };
  }
  const reading = readParameters(new Map(Object.entries(object).map(([name, value]) => [name, [value]])), controls, places, prefix);
  const problems = [...reading.problems, ...findMissingCompanions(reading, prefix)];
  return { ...reading, problems: problems.map((problem) => ({ ...problem, answer: 'invalid_filter' })) };
}
