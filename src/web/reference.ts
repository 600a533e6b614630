/** The reference: one page made from the OpenAPI document, readable without a script. */
import { escapeHtml } from '../core/domain/escapeHtml.ts';
import { inlineToHtml, markdownToHtml } from './guides.ts';
import { codeBlock, type LinkGroup, table } from './layout.ts';
import { fieldList, type Json, nameOf, typeInWords } from './schemaView.ts';

interface Parameter extends Json {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
}

interface Operation extends Json {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  parameters: Json[];
  responses: Record<string, Json>;
}

interface Document extends Json {
  info: Json;
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  'x-warnings': Record<string, { meaning: string; changesResult: boolean }>;
  components: { parameters: Record<string, Parameter>; schemas: Record<string, Json>; headers: Record<string, Json> };
}

interface Placed extends Operation {
  path: string;
  method: string;
}

const placedOf = ({ paths }: Document): Placed[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, path, method })),
  );

const schemaOf = ({ schema, content }: Json): Json =>
  (schema ?? Object.values((content ?? {}) as Record<string, Json>)[0]?.schema ?? {}) as Json;

function parameterRow({ name, required, description = '', ...rest }: Parameter): string[] {
  const example = rest['x-example'] ?? (schemaOf(rest).examples as unknown[] | undefined)?.[0];
  const shown = example === undefined ? '' : `<code>${escapeHtml(String(example))}</code>`;
  return [
    `<code>${escapeHtml(name)}</code>${required ? ' (required)' : ''}`,
    typeInWords(schemaOf(rest)),
    inlineToHtml(description),
    shown,
  ];
}

const PARAMETER_HEADS = ['Name', 'Value', 'Meaning', 'Example'];

/** Parameters of the filter table stand on the page once; an operation that takes them all says so. */
function parametersHtml({ parameters, operationId }: Placed, document: Document, filters: readonly string[]): string {
  const names = parameters.filter(({ $ref }) => $ref).map(nameOf);
  const takesFilters = filters.every((name) => names.includes(name));
  const known = names
    .filter((name) => !takesFilters || !filters.includes(name))
    .flatMap((name) => document.components.parameters[name] ?? []);
  const own = [...parameters.filter(({ $ref }) => !$ref), ...known] as Parameter[];
  const note = takesFilters ? '<p>Takes every <a href="#filters">filter</a>.</p>' : '';
  const groups = (['path', 'query', 'header'] as const).flatMap((place) => {
    const rows = own.filter((one) => one.in === place).map(parameterRow);
    const title = place === 'path' ? 'In the path' : place === 'query' ? 'Query' : 'Headers';
    if (!rows.length) return [];
    const listed = table(PARAMETER_HEADS, rows, `${title} of ${operationId}`, 'stack parameters');
    return place === 'header' ? `<details><summary>Request headers</summary>${listed}</details>` : `<h4>${title}</h4>${listed}`;
  });
  return note + groups.join('');
}

function responseHtml(status: string, response: Json): string {
  const schema = schemaOf(response);
  const names = Object.keys((response.headers ?? {}) as Json).map((name) => `<code>${name}</code>`);
  const fields = Number(status) < 300 ? fieldList(schema) : '';
  const record = JSON.stringify(schema).includes('"$ref":"#/components/schemas/CompactProject"');
  const note = record ? '<p>Records are <a href="#records">projects</a> in the representation that was asked for.</p>' : '';
  return `<details><summary>${status} ${Number(status) < 300 ? 'Answer' : statusName(status)}</summary>
${markdownToHtml(String(response.description))}${note}${fields}<p class="note">Headers: ${names.join(', ')}</p></details>`;
}

const statusName = (status: string) =>
  ({
    304: 'Unchanged',
    400: 'Request',
    401: 'Key',
    402: 'Credits or plan',
    403: 'Licence',
    404: 'Not found',
    405: 'Method',
    409: 'Conflict',
    416: 'Range',
    429: 'Rate',
  })[Number(status)] ?? 'Service';

function operationHtml(operation: Placed, document: Document, filters: readonly string[]): string {
  const { operationId, method, path, summary, description, responses, requestBody } = operation;
  const [sample] = operation['x-codeSamples'] as { source: string }[];
  const bodySchema = requestBody ? schemaOf(requestBody as Json) : undefined;
  return `<section class="op" id="${operationId}"><h3>${escapeHtml(summary)}</h3>
<p class="path"><span class="${method}">${method.toUpperCase()}</span> ${escapeHtml(path)}</p>${markdownToHtml(description)}
${codeBlock(sample?.source ?? '', `Example of ${operationId}`, true)}
${parametersHtml(operation, document, filters)}${bodySchema ? `<h4>Body</h4>${fieldList(bodySchema)}` : ''}
<h4>Answers</h4>${Object.entries(responses)
    .map(([status, response]) => responseHtml(status, response))
    .join('')}</section>`;
}

const ORDER = ['Compact', 'Standard', 'Full'];

/** Every field of a record once, with the smallest representation that has it. */
function recordHtml({ components: { schemas } }: Document): string {
  const [compact = {}, standard = {}, full = {}] = ORDER.map((name) => schemas[`${name}Project`]?.properties as Json);
  const tier = (name: string) => (name in compact ? 'compact' : name in standard ? 'standard' : 'full');
  const rows = Object.entries(full).map(([name, value]) => {
    const field = value as Json;
    const below = fieldList(field);
    const fold = below ? `<details><summary>Fields</summary>${below}</details>` : '';
    const type = below ? [field.type].flat().join(' or ') : typeInWords(field);
    return [
      `<code>${name}</code>`,
      tier(name),
      `<span class="type">${type}</span>`,
      `${inlineToHtml(String(field.description ?? ''))}${fold}`,
    ];
  });
  return `<h2 id="records">Project records</h2><p>A larger representation has every field of the smaller ones. Every field of the representation is present; null means that the current generation does not cover it: <a href="/docs/guides/completeness">completeness</a>.</p>
${ORDER.map((name) => `<span id="${name}Project"></span>`).join('')}${table(['Field', 'From', 'Type', 'Meaning'], rows, 'Fields of a project')}`;
}

function warningsHtml({ 'x-warnings': warnings }: Document): string {
  const rows = Object.entries(warnings).map(([code, { meaning, changesResult }]) => [
    `<code>${code}</code>`,
    inlineToHtml(meaning),
    changesResult ? 'yes' : 'no',
  ]);
  return `<h2 id="warnings">Warnings</h2><p>In <code>meta.warnings</code> of a successful answer. A warning never fails a request and never changes its price. New codes may come: ignore those that you do not know.</p>
${table(['Code', 'Meaning', 'Changes the result'], rows, 'Warnings')}`;
}

function filtersHtml(document: Document, filters: readonly string[]): string {
  const rows = filters.flatMap((name) => document.components.parameters[name] ?? []).map(parameterRow);
  return `<h2 id="filters">Filters</h2><p>Different filters are ANDed, values of one are ORed. Lists are separated by commas, repeated, or JSON. <a href="/docs/guides/filters">The guide</a> explains them.</p>
${table(PARAMETER_HEADS, rows, 'Filters', 'stack parameters')}`;
}

const headersHtml = ({ components: { headers } }: Document) =>
  `<h2 id="headers">Headers of answers</h2>${table(
    ['Header', 'Meaning'],
    Object.entries(headers).map(([name, { description }]) => [`<code>${name}</code>`, inlineToHtml(String(description))]),
    'Headers of answers',
  )}`;

const INTRODUCTION = `<p>Send your API key as <code>Authorization: Bearer &lt;API_KEY&gt;</code> or in <code>X-API-Key</code>. Answers are <code>{data, meta}</code>, errors <code>{error}</code> with a stable code: <a href="/docs/errors">every error</a> with its remedy.</p>
<p>New here? Start with <a href="/docs/guides/first-call">the first call</a>. For programs: <a href="/openapi.json">openapi.json</a>, <a href="/llms.txt">llms.txt</a>, <a href="/changelog.json">changelog.json</a>.</p>`;

/** HTML of the whole reference. @param openapi the OpenAPI document, @param filters names of the filters that every search takes */
export function referencePage(openapi: object, filters: readonly string[]): string {
  const document = openapi as Document;
  const operations = placedOf(document);
  const sections = document.tags.map(({ name, description }) => {
    const listed = operations.filter(({ tags }) => tags.includes(name));
    return `<h2 id="${name.toLowerCase()}">${name}</h2><p>${escapeHtml(description)}</p>${listed.map((one) => operationHtml(one, document, filters)).join('\n')}`;
  });
  return `<h1>Reference</h1><p class="lead">${escapeHtml(String(document.info.summary))}. Version ${escapeHtml(String(document.info.version))}.</p>${INTRODUCTION}
${sections.join('\n')}${filtersHtml(document, filters)}${recordHtml(document)}${warningsHtml(document)}${headersHtml(document)}`;
}

/** Links to the parts of the reference. */
export function referenceLinks(openapi: object): LinkGroup[] {
  const document = openapi as Document;
  const operations = placedOf(document);
  return [
    ...document.tags.map(({ name }) => ({
      heading: name,
      links: operations
        .filter(({ tags }) => tags.includes(name))
        .map(({ operationId, summary }) => ({ title: summary, href: `/docs#${operationId}` })),
    })),
    {
      heading: 'Tables',
      links: ['Filters', 'Records', 'Warnings', 'Headers'].map((title) => ({ title, href: `/docs#${title.toLowerCase()}` })),
    },
  ];
}
