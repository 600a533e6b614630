/** Tables of parameters: name, type, meaning and example. */
import { escapeHtml } from '../core/domain/escapeHtml.ts';
import { inlineToHtml } from './guides.ts';
import { table } from './layout.ts';
import { type Document, type DocumentedParameter, nameOf, type Placed, resolve, schemaOf } from './openapiView.ts';
import type { SchemaView } from './schemaView.ts';

const HEADS = ['Name', 'Value', 'Meaning', 'Example'];
const TITLES = { path: 'In the path', query: 'Query', header: 'Headers' } as const;

function rowOf({ name, required, description = '', ...rest }: DocumentedParameter, view: SchemaView): string[] {
  const example = rest['x-example'] ?? (schemaOf(rest).examples as unknown[] | undefined)?.[0];
  const shown = example === undefined ? '' : `<code data-parameter="${escapeHtml(name)}">${escapeHtml(String(example))}</code>`;
  return [
    `<code>${escapeHtml(name)}</code>${required ? ' (required)' : ''}`,
    view.typeInWords(schemaOf(rest)),
    inlineToHtml(description),
    shown,
  ];
}

export const parameterTable = (parameters: readonly DocumentedParameter[], label: string, view: SchemaView): string =>
  table(
    HEADS,
    parameters.map((one) => rowOf(one, view)),
    label,
    'stack parameters',
  );

/** The parameters of an operation. Filters have a page of their own; an operation that accepts all of them refers to it. */
export function parametersHtml(
  { parameters, operationId }: Placed,
  document: Document,
  filters: readonly string[],
  view: SchemaView,
): string {
  const names = parameters.filter(({ $ref }) => $ref).map(nameOf);
  const takesFilters = filters.every((name) => names.includes(name));
  const own = parameters
    .filter((one) => !takesFilters || !one.$ref || !filters.includes(nameOf(one)))
    .map((one) => resolve(document, one) as DocumentedParameter);
  const note = takesFilters
    ? `<p>Takes every <a href="/docs/reference/filters">filter</a>, ${filters.length} of them: places, types, dates, sizes, text. Others:</p>`
    : '';
  const groups = (['path', 'query', 'header'] as const).flatMap((place) => {
    const listed = own.filter((one) => one.in === place);
    if (!listed.length) return [];
    const shown = parameterTable(listed, `${TITLES[place]} of ${operationId}`, view);
    return place === 'header' ? `<details><summary>Request headers</summary>${shown}</details>` : `<h3>${TITLES[place]}</h3>${shown}`;
  });
  return note + groups.join('');
}
