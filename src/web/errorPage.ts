/** The error reference, to which `docsUrl` of every error links: cause, remedy, and a request that provokes it. */
import { DEMO_URL, ERRORS, type ErrorCode, type ErrorDescription, type ErrorExample } from '../core/domain/errorTable.ts';
import { escapeHtml } from '../core/domain/escapeHtml.ts';
import { inlineToHtml } from './guides.ts';
import { codeBlock, type LinkGroup } from './layout.ts';

const CODES = (Object.keys(ERRORS) as ErrorCode[]).sort();

const VARIABLES = `KEY=svc_live_…
API=${DEMO_URL}/v1`;

/** Keys that some of the commands need in addition. */
const OTHER_KEYS = {
  STATE: 'a key of the plan State, licensed for Colorado',
  SMALL: 'of API Only with 3 credits left',
  TRIAL: 'of a free trial',
  TEAMMATE: 'of another user of the team of `$KEY`',
  LAPSED: 'of a team whose subscription has lapsed',
  DISABLED: 'of an account that is disabled',
  REVOKED: 'that was revoked',
};

/** A command and its answer; one that is sent several times is a loop. */
function exampleHtml(code: ErrorCode, example: ErrorExample, answer: unknown): string {
  const answered =
    answer === undefined
      ? ''
      : `<p>Answer:</p>${codeBlock(JSON.stringify(answer, null, 2), `Answer of ${code}`).replace('<pre ', '<pre class="answer" ')}`;
  if ('why' in example) return `<details><summary>Example</summary><p>${inlineToHtml(example.why)}</p>${answered}</details>`;
  const { before = [], curl, times, needs } = example;
  const last = curl.at(-1) ?? '';
  const lines = [...before, ...curl.slice(0, -1), times ? `for i in $(seq ${times}); do ${last}; done` : last];
  const condition = needs ? ` ${inlineToHtml(needs)}` : '';
  const block = codeBlock(lines.join('\n'), `Request that answers ${code}`, true);
  return `<details><summary>Example</summary>${condition ? `<p>${condition}</p>` : ''}${block}${answered}</details>`;
}

/** The fields of `details`; optional ones in brackets. */
function detailsHtml({ details }: ErrorDescription): string {
  if (!details) return '';
  const { properties = {}, required = [] } = details as {
    properties?: Readonly<Record<string, { description?: string }>>;
    required?: string[];
  };
  const fields = Object.entries(properties).map(([name, { description }]) => {
    const shown = required.includes(name) ? `<code>${name}</code>` : `[<code>${name}</code>]`;
    return description ? `${shown} (${inlineToHtml(description)})` : shown;
  });
  return `<p><b><code>details</code>:</b> ${fields.join(', ')}</p>`;
}

function section(code: ErrorCode, answer: unknown): string {
  const { status, meaning, remedy, example } = ERRORS[code];
  return `<section class="errors" id="${code}"><h2><code>${code}</code> <span class="status">${status}</span></h2>
<p>${escapeHtml(meaning)} <b>What to do:</b> ${escapeHtml(remedy)}</p>${detailsHtml(ERRORS[code])}${exampleHtml(code, example, answer)}</section>`;
}

/**
 * The page.
 * @param publicUrl root of this service, to which the commands send requests
 * @param answers recorded answers by code
 */
export const errorPage = (publicUrl: string, answers: Readonly<Record<string, unknown>> = {}): string =>
  `<h1>Errors</h1>
<p class="lead">Every error answers <code>{"error": {code, message, param, details, docsUrl, requestId}}</code>. Branch on <code>code</code>; messages may change. No error spends credits.</p>
<p>What the parts mean, and which answers to repeat, is in <a href="/docs/guides/errors">the guide on errors</a>. Fields of <code>details</code> in brackets may be absent. The requests below need these variables:</p>
${codeBlock(VARIABLES, 'Variables', true)}
<p>Where a line has another one, it is ${Object.entries(OTHER_KEYS)
    .map(([name, words]) => `<code>$${name}</code>: ${inlineToHtml(words)}`)
    .join('; ')}. <code>$ID</code> is the id of what the line before made.</p>
${CODES.map((code) => section(code, answers[code])).join('\n')}`.replaceAll(DEMO_URL, escapeHtml(publicUrl));

export const errorLinks: LinkGroup = { heading: 'Codes', links: CODES.map((code) => ({ title: code, href: `/docs/errors#${code}` })) };
