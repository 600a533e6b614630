/** Names under which parameters may be sent, and what is said of those that a route does not take. */
import type { RequestRefusal } from '../domain/errors.ts';
import { CONTROLS } from './controls.ts';
import type { AnyFilter } from './entry.ts';
import { nearestName } from './nearest.ts';
import { FILTERS, REMOVED } from './table.ts';

const ENTRIES: readonly (readonly [string, AnyFilter])[] = [...Object.entries(FILTERS), ...Object.entries(CONTROLS)];

/** Canonical name of each name and alias. */
export const CANONICAL: ReadonlyMap<string, string> = new Map(
  ENTRIES.flatMap(([name, entry]) => [name, ...(entry.aliases ?? [])].map((sent) => [sent, name] as const)),
);

/** Names that are accepted but on their way out. */
export const DEPRECATED: ReadonlySet<string> = new Set(ENTRIES.flatMap(([, entry]) => entry.deprecated ?? []));

/** A parameter that other routes take. */
export const notTaken = (name: string): RequestRefusal => ({
  param: name,
  code: 'not_supported',
  message: `${name} is not taken here; leave it out`,
  answer: 'invalid_request',
});

/** Filters that were withdrawn: an unknown parameter that says so. */
const removedParameter = (shown: string, message: string): RequestRefusal => ({
  param: shown,
  code: 'unknown_parameter',
  message,
  answer: 'invalid_filter',
});

interface Place {
  /** path of the object that holds the parameter, with its dot */
  prefix?: string;
  /** end of the sentence that says where there is no such parameter */
  where?: string;
}

/** @param known names that may have been meant; empty to suggest none */
export function unknownParameter(name: string, known: readonly string[], { prefix = '', where = '' }: Place = {}): RequestRefusal {
  const shown = `${prefix}${name.slice(0, 80)}`;
  const near = nearestName(name, known);
  const message = `There is no parameter '${shown}'${where}`;
  if (!near) return { param: shown, code: 'unknown_parameter', message, answer: 'invalid_filter' };
  const didYouMean = `${prefix}${near}`;
  return {
    param: shown,
    code: 'unknown_parameter',
    message: `${message}; did you mean '${didYouMean}'?`,
    didYouMean,
    answer: 'invalid_filter',
  };
}

/** The same of filters, of which some were withdrawn. */
export function unknownFilter(name: string, known: readonly string[], prefix: string): RequestRefusal {
  const removed = Object.hasOwn(REMOVED, name) ? REMOVED[name] : undefined;
  return removed === undefined ? unknownParameter(name, known, { prefix }) : removedParameter(`${prefix}${name.slice(0, 80)}`, removed);
}
