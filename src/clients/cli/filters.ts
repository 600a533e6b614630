/** Parses filters on the command line: `states=CO,TX acreageMin=2`, with the names of the API. */
import { InvalidArgumentError } from 'commander';
import { UserError } from '../../terminal/program.ts';
import type { Cli } from './context.ts';

export const FILTERS_HELP = 'filters of the API as name=value, such as states=CO propertyTypes=residential acreageMin=2';

export type Typed = Record<string, unknown>;

/** Adds an argument to the filters before it; a repeated name becomes a list. */
export function collectFilters(text: string, before: Typed = {}): Typed {
  const [, name, value] = /^([A-Za-z][\w[\]]*)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new InvalidArgumentError(`'${text}' is no filter: they are typed as name=value, such as states=CO.`);
  const known = Object.hasOwn(before, name) ? before[name] : undefined;
  return { ...before, [name]: known === undefined ? value : [known, value].flat() };
}

/** Where the words of a sentence stand among filters. */
const SENTENCE = '';

/** Adds an argument of a search: a filter, or a sentence. */
export const collectFiltersAndWords = (text: string, before: Typed = {}): Typed =>
  /^\w[\w[\]]*=|^\s*$/.test(text) ? collectFilters(text, before) : { ...before, [SENTENCE]: `${before[SENTENCE] ?? ''} ${text}`.trim() };

/** The filters that typed words mean, with those that were typed; what they mean is printed. @throws UserError if they mean none */
export async function readSentence(cli: Cli, { [SENTENCE]: q, ...typed }: Typed): Promise<Typed> {
  if (q === undefined) return typed;
  const { data, meta } = await cli.ask('interpretSentence', { q });
  const { filters, readings, rest } = data;
  const ask = 'landuse ask "…" looks for it in documents.';
  if (!readings.length) throw new UserError(`No filter says “${q}”: ${ask}`);
  cli.note(
    `Reads as: ${Object.entries(filters)
      .map(([name, value]) => `${name}=${value}`)
      .join(' ')}`,
  );
  for (const { message } of meta.warnings) cli.note(`${message}.`);
  if (rest !== null) cli.note(`No filter says “${rest}”, which does not count: ${ask}`);
  return { ...filters, ...typed };
}

/** Refuses filters that are parameters which the command sets itself. @param instead the remedy for each @throws UserError */
export function refuseOwnParameters(typed: Typed, instead: Readonly<Record<string, string>>): void {
  const wrong = Object.entries(instead).flatMap(([name, remedy]) => (Object.hasOwn(typed, name) ? [`${name}=: ${remedy}.`] : []));
  if (wrong.length) throw new UserError(wrong.join('\n'));
}

/** Typed filters as values of a request body; JSON lists and objects are parsed. */
export const asBody = (typed: Typed): Typed =>
  Object.fromEntries(Object.entries(typed).map(([name, value]) => [name, typeof value === 'string' ? jsonOr(value) : value]));

function jsonOr(text: string): unknown {
  if (!/^[[{]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text; // the service says what is wrong with it
  }
}
