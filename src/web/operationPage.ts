/** The page of one operation: a sample call, parameters, answers and refusals. */
import { ERRORS, type ErrorCode } from '../core/domain/errorTable.ts';
import { escapeHtml } from '../core/domain/escapeHtml.ts';
import { codeSamples, urlOfShell } from './codeSamples.ts';
import { errorPath, operationPath } from './docsFrame.ts';
import { inlineToHtml, markdownToHtml } from './guides.ts';
import { codeBlock } from './layout.ts';
import {
  type Content,
  type Document,
  examplesOf,
  type Json,
  type Placed,
  partOf,
  type Response,
  resolve,
  schemaOf,
} from './openapiView.ts';
import { parametersHtml } from './parameterTable.ts';
import { SchemaView } from './schemaView.ts';

/** One block for each language; the script makes tabs of them. */
function samplesHtml(operation: Placed, document: Document): string {
  const blocks = codeSamples(operation, document).map(
    ({ language, source }) =>
      `<div class="tab" data-tab="${language}"><h3>${language}</h3>${codeBlock(source, `${language} of ${operation.operationId}`, true)}</div>`,
  );
  return `<div class="tabs">${blocks.join('')}</div>`;
}

/** Data for the script that sends the request from the page. */
function tryHtml(operation: Placed, document: Document): string {
  const { method, operationId, parameters, requestBody } = operation;
  const names = parameters.map((one) => String(resolve(document, one).name));
  const body = requestBody && Object.values(requestBody.content)[0]?.example;
  const given = {
    method: method.toUpperCase(),
    url: urlOfShell(operation),
    spends: names.includes('X-Service-Max-Credits'),
    idempotent: names.includes('Idempotency-Key'),
    // A required idempotency key means that a repetition would cost again: such an operation is never sent to find its price.
    alwaysCosts: parameters.some((one) => one.name === 'Idempotency-Key' && one.required === true),
    body: requestBody ? JSON.stringify(body ?? {}, null, 2) : null,
  };
  return `<div id="try" data-operation="${operationId}" data-request="${escapeHtml(JSON.stringify(given))}" hidden></div>`;
}

const LIST_CHARACTERS_MAX = 80;

/** Indented JSON, with short lists of plain values on one line. */
export const jsonText = (value: unknown): string =>
  JSON.stringify(value, null, 2).replaceAll(/\[\n([^[\]{}]*)\]/g, (list, items: string) =>
    items.trim().length <= LIST_CHARACTERS_MAX ? `[${items.trim().replaceAll(/\n\s+/g, ' ')}]` : list,
  );

function exampleHtml(value: unknown, label: string): string {
  return codeBlock(typeof value === 'string' ? value : jsonText(value), label).replace('<pre ', '<pre class="answer" ');
}

function contentHtml(type: string, content: Content, status: string, document: Document, view: SchemaView): string {
  const examples = Object.entries(examplesOf(content, document)).map(([name, value]) => exampleHtml(value, `Example ${name} of ${status}`));
  const fields = content.schema ? view.fieldList(content.schema) : '';
  const folded = fields ? `<details><summary>Fields</summary>${fields}</details>` : '';
  return `<p class="note"><code>${escapeHtml(type)}</code></p>${examples.join('')}${folded}`;
}

function answerHtml(status: string, response: Response, document: Document, view: SchemaView): string {
  const contents = Object.entries(response.content ?? {}).map(([type, content]) => contentHtml(type, content, status, document, view));
  const names = Object.keys(response.headers ?? {}).map((name) => `<code>${name}</code>`);
  return `<section id="answer-${status}"><h3>${status}</h3>${markdownToHtml(response.description)}${contents.join('')}
<details><summary>Headers</summary><p class="note">${names.join(', ')}</p></details></section>`;
}

function codesOf(response: Response, document: Document): [code: ErrorCode, example: unknown][] {
  const [content] = Object.values(response.content ?? {});
  const listed = JSON.stringify(content?.schema ?? {});
  const examples = content ? Object.values(examplesOf(content, document)) : [];
  const exampleOf = (code: string) => examples.find((one) => (one as { error?: { code?: string } }).error?.code === code);
  return (Object.keys(ERRORS) as ErrorCode[]).flatMap((code) => (listed.includes(`"${code}"`) ? [[code, exampleOf(code)]] : []));
}

function refusalHtml(code: ErrorCode, example: unknown): string {
  const { status, meaning, remedy } = ERRORS[code];
  const shown = example === undefined ? '' : exampleHtml(example, `Example of ${code}`);
  return `<details id="error-${code}"><summary><span class="status">${status}</span> <code>${code}</code> ${escapeHtml(meaning)}</summary>
<p><b>What to do:</b> ${escapeHtml(remedy)} <a href="${errorPath(code)}">More on ${code}</a></p>${shown}</details>`;
}

/** Codes that nearly every operation has come after the others. */
function refusalsHtml({ responses }: Placed, document: Document, common: ReadonlySet<string>): string {
  const codes = Object.entries(responses).flatMap(([status, response]) => (Number(status) >= 400 ? codesOf(response, document) : []));
  const own = codes.filter(([code]) => !common.has(code)).map((one) => refusalHtml(...one));
  const others = codes.filter(([code]) => common.has(code)).map((one) => refusalHtml(...one));
  return `${own.join('')}<details><summary>${others.length} that any operation may answer</summary><div class="folded">${others.join('')}</div></details>`;
}

function bodyHtml({ requestBody }: Placed, view: SchemaView): string {
  if (!requestBody) return '';
  const schema = schemaOf(requestBody as unknown as Json);
  return `<h2 id="body">Body</h2><p class="note"><code>application/json</code>${requestBody.required ? ', required' : ''}</p>${view.fieldList(schema)}`;
}

const neighbourHtml = (one: Placed | undefined, words: string) =>
  one ? `<a href="${operationPath(one.operationId)}">${words}: ${escapeHtml(one.summary)}</a>` : '<span></span>';

const NEARLY_ALL = 0.9;

/** The codes that nearly every operation has. */
export function commonCodes(operations: readonly Placed[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const { responses } of operations) {
    const text = JSON.stringify(Object.values(responses).map(({ content }) => content));
    for (const code of Object.keys(ERRORS)) if (text.includes(`"${code}"`)) counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  return new Set([...counts].filter(([, count]) => count > operations.length * NEARLY_ALL).map(([code]) => code));
}

export interface OperationContext {
  document: Document;
  /** in reading order */
  operations: readonly Placed[];
  /** names of the filters of every search */
  filters: readonly string[];
  common: ReadonlySet<string>;
}

export function operationPage(operation: Placed, { document, operations, filters, common }: OperationContext): string {
  const { method, path, summary, description, responses } = operation;
  const view = new SchemaView(document);
  const place = operations.indexOf(operation);
  const part = partOf(operation);
  const answers = Object.entries(responses).filter(([status]) => Number(status) < 400);
  const parameters = parametersHtml(operation, document, filters, view);
  return `<p class="crumbs"><a href="/docs/reference">Reference</a> / <a href="/docs/reference#${anchorOf(part)}">${part}</a></p>
<h1>${inlineToHtml(summary)}</h1><p class="path"><span class="${method}">${method.toUpperCase()}</span> ${escapeHtml(path)}</p>
<div class="about">${markdownToHtml(description)}</div>
${samplesHtml(operation, document)}${tryHtml(operation, document)}
${parameters ? `<h2 id="parameters">Parameters</h2>${parameters}` : ''}${bodyHtml(operation, view)}
<h2 id="answers">Answers</h2>${answers.map(([status, response]) => answerHtml(status, response, document, view)).join('')}
<h2 id="errors">Errors</h2>${refusalsHtml(operation, document, common)}
<nav class="neighbours" aria-label="Other operations">${neighbourHtml(operations[place - 1], 'Before')}${neighbourHtml(operations[place + 1], 'Next')}</nav>`;
}

/** The anchor of a section of the reference. */
export const anchorOf = (part: string) => part.toLowerCase().replaceAll(' ', '-');
