/** The changelog as a page: the policy, then the changes of each version. */
import { escapeHtml } from '../core/domain/escapeHtml.ts';
import { inlineToHtml } from './guides.ts';

interface Change {
  kind: string;
  subject: string;
  note: string;
  breaks?: readonly string[];
}

export interface Changelog {
  policy: Readonly<Record<string, string>>;
  entries: readonly { version: string; changes: readonly Change[] }[];
}

/** Prefix of the notes for operators, which customers do not see. */
const FOR_OPERATORS = 'For operators: ';

function changeItem({ kind, subject, note, breaks = [] }: Change): string {
  const text = inlineToHtml(note.replace(FOR_OPERATORS, ''));
  const broken = breaks.map((one) => `<li>${escapeHtml(one)}</li>`).join('');
  const fold = broken ? `<details><summary>What breaks, in the words of the comparison</summary><ul>${broken}</ul></details>` : '';
  return `<li><span class="kind ${escapeHtml(kind)}">${escapeHtml(kind)}</span> <b>${escapeHtml(subject)}</b> ${text}${fold}</li>`;
}

const list = (changes: readonly Change[]) => `<ul class="changes">${changes.map(changeItem).join('\n')}</ul>`;

/** Changes of a version that are shown at once; earlier ones are in a collapsed section. */
const SHOWN = 30;

function listOf(changes: readonly Change[]): string {
  const earlier = changes.slice(SHOWN);
  return `${list(changes.slice(0, SHOWN))}${earlier.length ? `<details><summary>${earlier.length} earlier ones</summary>${list(earlier)}</details>` : ''}`;
}

function versionHtml({ version, changes }: Changelog['entries'][number]): string {
  const [operators, customers] = [true, false].map((wanted) => changes.filter(({ note }) => note.startsWith(FOR_OPERATORS) === wanted));
  const forOperators = operators?.length ? `<details><summary>For operators</summary>${list(operators)}</details>` : '';
  return `<section id="version-${escapeHtml(version)}"><h2>${escapeHtml(version)}</h2>${listOf(customers ?? [])}${forOperators}</section>`;
}

export function changelogPage({ policy, entries }: Changelog): string {
  const rules = Object.entries(policy).map(([name, text]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(text)}</dd>`);
  return `<h1>Changelog</h1><p class="lead">What changed for clients, the newest first. For programs: <a href="/changelog.json">changelog.json</a>. The policy is in <a href="/docs/guides/versions">versions</a>.</p>
<dl>${rules.join('')}</dl>${entries.map(versionHtml).join('\n')}`;
}
