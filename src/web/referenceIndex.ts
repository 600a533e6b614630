/** The index of the reference: a line for each operation, and the tables that many operations share. */
import { escapeHtml } from '../core/domain/escapeHtml.ts';
import { operationPath } from './docsFrame.ts';
import { inlineToHtml } from './guides.ts';
import { type LinkGroup, table } from './layout.ts';
import { type Document, type Json, type Placed, partOf } from './openapiView.ts';
import { anchorOf } from './operationPage.ts';
import { parameterTable } from './parameterTable.ts';
import { SchemaView } from './schemaView.ts';

/** The operations of each section, in reading order. */
export const partsOf = (operations: readonly Placed[]): [part: string, operations: Placed[]][] => [...Map.groupBy(operations, partOf)];

function operationLine({ operationId, method, path, summary, parameters }: Placed): string {
  const spends = parameters.some(({ $ref }) => String($ref).endsWith('Max-Credits')) ? ' <span class="type">may cost credits</span>' : '';
  return `<li id="${operationId}"><a href="${operationPath(operationId)}">${inlineToHtml(summary)}</a>${spends}<span class="path"><span class="${method}">${method.toUpperCase()}</span> ${escapeHtml(path)}</span></li>`;
}

const INTRODUCTION = `<p>Send your API key as <code>Authorization: Bearer &lt;API_KEY&gt;</code> or in <code>X-API-Key</code>. Answers are <code>{data, meta}</code>, errors <code>{error}</code> with a stable code: <a href="/docs/errors">every error</a> with its remedy.</p>
<p>Shared by many operations: <a href="/docs/reference/filters">filters</a>, <a href="/docs/reference/records">fields of a record</a>, <a href="/docs/reference/warnings">warnings</a>, <a href="/docs/reference/headers">headers</a>. For programs: <a href="/openapi.json">openapi.json</a>, <a href="/llms.txt">llms.txt</a>.</p>`;

export function referenceIndex({ info, tags }: Document, operations: readonly Placed[]): string {
  const parts = partsOf(operations).map(([part, listed]) => {
    const description = tags.find(({ name }) => name === part)?.description ?? '';
    return `<section id="${anchorOf(part)}"><h2>${part}</h2><p>${escapeHtml(description)}</p><ul class="operations">${listed.map(operationLine).join('')}</ul></section>`;
  });
  return `<h1>Reference</h1><p class="lead">${escapeHtml(String(info.summary))}. Version ${escapeHtml(String(info.version))}.</p>${INTRODUCTION}
${parts.join('\n')}`;
}

export function referenceLinks(operations: readonly Placed[], open?: string): LinkGroup[] {
  const parts = partsOf(operations);
  const listed = parts.find(([part]) => part === open)?.[1] ?? [];
  const links = listed.map(({ operationId, summary }) => ({ title: summary, href: operationPath(operationId) }));
  return [
    ...(open && links.length ? [{ heading: open, links }] : []),
    { heading: 'Reference', links: parts.map(([part]) => ({ title: part, href: `/docs/reference#${anchorOf(part)}` })) },
    { heading: 'Tables', links: Object.entries(TABLES).map(([name, { title }]) => ({ title, href: `/docs/reference/${name}` })) },
  ];
}

function filtersHtml(document: Document, filters: readonly string[]): string {
  const listed = filters.flatMap((name) => document.components.parameters[name] ?? []);
  return `<p>Different filters are ANDed, values of one are ORed. Lists are separated by commas, repeated, or JSON. <a href="/docs/guides/filters">The guide</a> explains them.</p>
${parameterTable(listed, 'Filters', new SchemaView(document))}`;
}

const SIZES = ['Compact', 'Standard', 'Full'];

/** Every field of a record, with the smallest representation that has it. */
function recordsHtml(document: Document): string {
  const [compact = {}, standard = {}, full = {}] = SIZES.map((name) => document.components.schemas[`${name}Project`]?.properties as Json);
  const view = new SchemaView(document);
  const smallest = (name: string) => (name in compact ? 'compact' : name in standard ? 'standard' : 'full');
  const rows = Object.entries(full).map(([name, value]) => {
    const field = value as Json;
    const below = view.fieldList(field);
    const fold = below ? `<details><summary>Fields</summary>${below}</details>` : '';
    const type = below ? [field.type ?? 'object'].flat().join(' or ') : view.typeInWords(field);
    const words = inlineToHtml(String(field.description ?? ''));
    return [`<code>${name}</code>`, smallest(name), `<span class="type">${type}</span>`, `${words}${fold}`];
  });
  return `<p>A larger representation has every field of the smaller ones, and <code>include=derived</code> adds one of this service to a full record. Every field of the representation is present; null means that the current generation does not cover it: <a href="/docs/guides/completeness">completeness</a>.</p>
${SIZES.map((name) => `<span id="${name}Project"></span>`).join('')}${table(['Field', 'From', 'Type', 'Meaning'], rows, 'Fields of a project')}`;
}

function warningsHtml({ 'x-warnings': warnings }: Document): string {
  const rows = Object.entries(warnings).map(([code, { meaning, changesResult }]) => [
    `<code>${code}</code>`,
    inlineToHtml(meaning),
    changesResult ? 'yes' : 'no',
  ]);
  return `<p>In <code>meta.warnings</code> of a successful answer. A warning never fails a request and never changes its price. New codes may come: ignore those that you do not know.</p>
${table(['Code', 'Meaning', 'Changes the result'], rows, 'Warnings')}`;
}

const headersHtml = ({ components: { headers } }: Document) =>
  table(
    ['Header', 'Meaning'],
    Object.entries(headers).map(([name, { description }]) => [`<code>${name}</code>`, inlineToHtml(String(description))]),
    'Headers of answers',
  );

/** Pages under `/docs/reference` with tables that many operations share. */
export const TABLES: Readonly<Record<string, { title: string; html(document: Document, filters: readonly string[]): string }>> = {
  filters: { title: 'Filters', html: filtersHtml },
  records: { title: 'Project records', html: recordsHtml },
  warnings: { title: 'Warnings', html: warningsHtml },
  headers: { title: 'Headers of answers', html: headersHtml },
};
