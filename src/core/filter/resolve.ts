/** Rules that involve several filters: narrowest place, rolled-up taxonomy, the default date window. Pure. */

import { DEFAULT_DATE_RANGE, MEETING_FILTERS } from '../domain/meetingFilters.ts';
import { assetClasses, propertySubtypes } from '../domain/vocabulary.ts';
import type { Warning } from '../domain/warnings.ts';
import type { CompileContext } from './entry.ts';
import { FILTER_NAMES, type FilterName, type FilterValues, filterOf, namesIn } from './table.ts';
import { type MatchMode, ROLES_OF } from './use.ts';

export interface Resolved {
  /** what is compiled: without superseded filters, with defaults */
  filters: FilterValues;
  roles: CompileContext['roles'];
  appliedDefaults: Record<string, unknown>;
  /** canonical echo of the filters that were sent and have an effect */
  appliedFilters: Record<string, unknown>;
  warnings: Warning[];
}

const TAXONOMY: readonly FilterName[] = [
  'propertyTypes',
  'propertySubtypes',
  'assetClasses',
  'excludePropertySubtypes',
  'excludeAssetClasses',
];

/** `states` is dropped when counties or cities are sent (src/docs/filters.md). */
function narrowGeography(filters: FilterValues, warnings: Warning[]): FilterValues {
  const narrower = (['counties', 'cities'] as const).filter((name) => filters[name]);
  if (!filters.states || !narrower.length) return filters;
  const { states, ...rest } = filters;
  warnings.push({
    code: 'geography_narrowed_to_smallest_scope',
    message: `states was sent with ${narrower.join(' and ')}; the narrower scope counts and states is ignored`,
    params: { superseded: { states }, appliedScope: narrower },
  });
  return rest;
}

/** The values of a level whose parent was also sent, on a level above. */
function findChildren(level: 'propertySubtypes' | 'assetClasses', filters: FilterValues): string[] {
  const parents = new Set([...(filters.propertyTypes ?? []), ...(level === 'assetClasses' ? (filters.propertySubtypes ?? []) : [])]);
  return (filters[level] ?? []).filter((token) => {
    const term = level === 'propertySubtypes' ? propertySubtypes.find(token) : assetClasses.find(token);
    return term !== undefined && (parents.has(term.type) || ('subtype' in term && parents.has(term.subtype as string)));
  });
}

/**
 * A parent sent with its child supersedes the child (src/docs/filters.md). A level with such a child is dropped as a whole: one of its
 * alternatives has become the parent, which every match satisfies.
 */
function rollUp(filters: FilterValues, warnings: Warning[]): FilterValues {
  let rolled = filters;
  for (const level of ['assetClasses', 'propertySubtypes'] as const) {
    const children = findChildren(level, filters);
    if (!children.length) continue;
    const { [level]: dropped, ...rest } = rolled;
    rolled = rest;
    warnings.push({
      code: 'taxonomy_filter_rolled_up',
      message: `${children.join(', ')} lies under a broader value that was also sent; the broader one counts and ${level} is ignored`,
      params: { superseded: { [level]: dropped }, children },
    });
  }
  return rolled;
}

const UPPER_ENDS: Readonly<Record<string, string>> = { Min: 'Max', From: 'To' };

/** The pairs of filters that bound the same value from below and from above. */
const RANGES = FILTER_NAMES.flatMap((lower): [FilterName, FilterName][] => {
  const name = lower.replace(/(Min|From)$/, (end) => UPPER_ENDS[end] ?? end);
  const upper = FILTER_NAMES.find((other) => other === name && other !== lower);
  return upper ? [[lower, upper]] : [];
});

/** Warns of ranges that end before they begin: the filters mean what they say, and no single value lies in them. */
function warnOfReversedBounds(filters: FilterValues, warnings: Warning[]): void {
  for (const names of RANGES) {
    const sent = names.map((name) => filters[name]);
    if (sent.includes(undefined)) continue;
    const [from, to] = names.map((name, i) => filterOf(name).meaning?.(sent[i]) ?? sent[i]) as [number | string, number | string];
    if (from <= to) continue;
    const [lower, upper] = names;
    warnings.push({
      code: 'bounds_reversed',
      message: `${lower} (${from}) is above ${upper} (${to}), and no value lies between them; exchange the two`,
      params: { filters: names },
    });
  }
}

export const restrictsMeetings = (filters: FilterValues): boolean => MEETING_FILTERS.some((name) => filters[name] !== undefined);

/** Adds the last year if no filter restricts the meetings (src/docs/filters.md). */
function addDefaultWindow(filters: FilterValues, warnings: Warning[]): FilterValues {
  if (restrictsMeetings(filters)) return filters;
  warnings.push({
    code: 'default_date_window_applied',
    message: `No dateRange or meeting bounds were sent; ${DEFAULT_DATE_RANGE} applies. Send dateRange=all for every record`,
    params: { dateRange: DEFAULT_DATE_RANGE },
  });
  return { ...filters, dateRange: DEFAULT_DATE_RANGE };
}

/** Applies the rules to parsed filters. @param sent without problems */
export function resolveFilters(sent: FilterValues): Resolved {
  const warnings: Warning[] = [];
  const narrowed = rollUp(narrowGeography(sent, warnings), warnings);
  const filters = addDefaultWindow(narrowed, warnings);
  warnOfReversedBounds(filters, warnings);
  const mode: MatchMode = filters.taxonomyMatchMode ?? 'primary_or_secondary';
  const appliedDefaults: Record<string, unknown> = {};
  if (filters.dateRange && !sent.dateRange) appliedDefaults.dateRange = filters.dateRange;
  if (!sent.taxonomyMatchMode && TAXONOMY.some((name) => filters[name])) appliedDefaults.taxonomyMatchMode = mode;
  return { filters, roles: ROLES_OF[mode], appliedDefaults, appliedFilters: echoFilters(narrowed), warnings };
}

/** Canonical JSON of filters; parses back to the same values. */
export function echoFilters(filters: FilterValues): Record<string, unknown> {
  return Object.fromEntries(namesIn(filters).map((name) => [name, filterOf(name).kind.echo(filters[name])]));
}
