/** The error reference, to which `docsUrl` of every error points: cause, remedy, and a request that provokes it on the demo. */
import { DEMO_URL, ERRORS, type ErrorCode, type ErrorExample } from '../core/domain/errorTable.ts';
import { escapeHtml } from '../core/domain/escapeHtml.ts';
import { inlineToHtml } from './guides.ts';
import { codeBlock, type LinkGroup } from './layout.ts';

const CODES = (Object.keys(ERRORS) as ErrorCode[]).sort();

const VARIABLES = `key() { node -p "require('./.stack/demo-keys.json').$1"; }
KEY=$(key national) TEAMMATE=$(key nationalTeammate) STATE=$(key state) TRIAL=$(key trial)
LAPSED=$(key lapsed) DISABLED=$(key disabled) REVOKED=$(key revoked)
API=${DEMO_URL}/v1`;

/** A line that is sent several times is a loop. */
function exampleHtml(code: ErrorCode, example: ErrorExample): string {
  if ('why' in example) return `<p><b>On the demo:</b> cannot be provoked. ${inlineToHtml(example.why)}</p>`;
  const { before = [], curl, times, needs } = example;
  const last = curl.at(-1) ?? '';
  const lines = [...before, ...curl.slice(0, -1), times ? `for i in $(seq ${times}); do ${last}; done` : last];
  const condition = needs ? ` ${inlineToHtml(needs)}` : '';
  return `<p><b>On the demo:</b>${condition}</p>${codeBlock(lines.join('\n'), `Request that answers ${code}`, true)}`;
}

function section(code: ErrorCode): string {
  const { status, meaning, remedy, example } = ERRORS[code];
  return `<section id="${code}"><h2><code>${code}</code> <span class="status">${status}</span></h2>
<p>${escapeHtml(meaning)}</p><p><b>What to do:</b> ${escapeHtml(remedy)}</p>${exampleHtml(code, example)}</section>`;
}

/** @param publicUrl root of this service: the lines are sent to it */
export const errorPage = (publicUrl: string): string =>
  `<h1>Errors</h1>
<p class="lead">Every error answers <code>{"error": {code, message, param, details, docsUrl, requestId}}</code>. Branch on <code>code</code>; messages may change. No error spends credits.</p>
<p>What the parts mean, and which answers to repeat, is in <a href="/docs/guides/errors">the guide on errors</a>. The requests below run on the demo with these variables:</p>
${codeBlock(VARIABLES, 'Variables', true)}
${CODES.map(section).join('\n')}`.replaceAll(DEMO_URL, escapeHtml(publicUrl));

/** Links to every code. */
export const errorLinks: LinkGroup = { heading: 'Codes', links: CODES.map((code) => ({ title: code, href: `/docs/errors#${code}` })) };
