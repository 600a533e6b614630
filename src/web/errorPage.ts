/** The error reference, to which `docsUrl` of every error points: cause, remedy, and a request that provokes it on the demo. */
import { ERRORS, type ErrorCode } from '../domain/errors.ts';
import { ERROR_EXAMPLES, type ErrorExample } from './errorExamples.ts';
import { inlineToHtml } from './guides.ts';
import { codeBlock, escapeHtml } from './layout.ts';

const VARIABLES = `key() { node -p "require('./.stack/demo-keys.json').$1"; }
KEY=$(key national) TEAMMATE=$(key nationalTeammate) STATE=$(key state) TRIAL=$(key trial)
LAPSED=$(key lapsed) DISABLED=$(key disabled) REVOKED=$(key revoked)
API=http://localhost:8080/v1`;

/** A line that is sent several times is a loop. */
function exampleHtml(code: ErrorCode, example: ErrorExample): string {
  if ('why' in example) return `<p><b>On the demo:</b> cannot be provoked. ${inlineToHtml(example.why)}</p>`;
  const { curl, times } = example;
  const last = curl.at(-1) ?? '';
  const lines = [...curl.slice(0, -1), times ? `for i in $(seq ${times}); do ${last}; done` : last];
  return `<p><b>On the demo:</b></p>${codeBlock(lines.join('\n'), `Request that answers ${code}`, true)}`;
}

function section(code: ErrorCode): string {
  const { status, meaning, remedy } = ERRORS[code];
  return `<section id="${code}"><h2><code>${code}</code> <span class="status">${status}</span></h2>
<p>${escapeHtml(meaning)}</p><p><b>What to do:</b> ${escapeHtml(remedy)}</p>${exampleHtml(code, ERROR_EXAMPLES[code])}</section>`;
}

export const errorPage = (): string => `<h1>Errors</h1>
<p class="lead">Every error answers <code>{"error": {code, message, param, details, docsUrl, requestId}}</code>. Branch on <code>code</code>; messages may change. No error spends credits.</p>
<p>What the parts mean, and which answers to repeat, is in <a href="/docs/guides/errors">the guide on errors</a>. The requests below run on the demo with these variables:</p>
${codeBlock(VARIABLES, 'Variables', true)}
${(Object.keys(ERRORS) as ErrorCode[]).sort().map(section).join('\n')}`;
