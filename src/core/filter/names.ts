/** Names and aliases of parameters, and the refusals of unknown ones. */
import type { RequestRefusal } from '../domain/errors.ts';
import { findNearestName } from '../domain/nearestNames.ts';
import { CONTROLS } from './controls.ts';
import type { AnyFilter } from './entry.ts';
import { FILTERS, REMOVED } from './table.ts';

const ENTRIES: readonly (readonly [string, AnyFilter])[] = [...Object.entries(FILTERS), ...Object.entries(CONTROLS)];

/** Canonical name of each name and alias. */
export const CANONICAL: ReadonlyMap<string, string> = new Map(
  ENTRIES.flatMap(([name, entry]) => [name, ...(entry.aliases ?? [])].map((sent) => [sent, name] as const)),
);

/** Names that are accepted but deprecated. */
export const DEPRECATED: ReadonlySet<string> = new Set(ENTRIES.flatMap(([, entry]) => entry.deprecated ?? []));

/** The refusal of a known parameter that this route does not accept. */
export const misplacedParameterRefusal = (name: string): RequestRefusal => ({
  param: name,
  code: 'not_supported',
  message: `${name} is not taken here; leave it out`,
  answer: 'invalid_request',
});

const removedParameterRefusal = (shown: string, message: string): RequestRefusal => ({
  param: shown,
  code: 'unknown_parameter',
  message,
  answer: 'invalid_filter',
});

interface Place {
  /** path of the object that holds the parameter, with a trailing dot */
  prefix?: string;
  /** end of the sentence, naming the place that has no such parameter */
  where?: string;
}

/** The refusal of an unknown parameter. @param known names to suggest from; empty for no suggestion */
export function unknownParameterRefusal(name: string, known: readonly string[], { prefix = '', where = '' }: Place = {}): RequestRefusal {
  const shown = `${prefix}${name.slice(0, 80)}`;
  const nearest = findNearestName(name, known);
  const message = `There is no parameter '${shown}'${where}`;
  if (!nearest) return { param: shown, code: 'unknown_parameter', message, answer: 'invalid_filter' };
  const didYouMean = `${prefix}${nearest}`;
  return {
    param: shown,
    code: 'unknown_parameter',
    message: `${message}; did you mean '${didYouMean}'?`,
    didYouMean,
    answer: 'invalid_filter',
  };
}

/** The refusal of an unknown filter, which may be one that was removed. */
export function unknownFilterRefusal(name: string, known: readonly string[], prefix: string): RequestRefusal {
  const removed = Object.hasOwn(REMOVED, name) ? REMOVED[name] : undefined;
  return removed === undefined
    ? unknownParameterRefusal(name, known, { prefix })
    : removedParameterRefusal(`${prefix}${name.slice(0, 80)}`, removed);
}
