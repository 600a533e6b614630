/** Votes that contradict their totals or each other, and damaged text. Pure. */
import type { ProjectStatement, Vote, VoteTotals } from '../../src/core/domain/record/statement.ts';
import type { ReportFault } from './faults.ts';

/** Compares the votes by name of the latest decision with the totals, which are of that decision. */
export function reportVotes({ decisions, voteTotals }: ProjectStatement, report: ReportFault): void {
  if (!decisions?.length) return;
  if (decisions.some(({ votes }) => votes && isDoubled(votes))) report('votes_contradict', 'decisions', () => 'everybody votes twice');
  if (!voteTotals) return;
  const latest = decisions.reduce((day, { meetingDate }) => (meetingDate > day ? meetingDate : day), '');
  const named = decisions.flatMap(({ meetingDate, votes }) => (meetingDate === latest && votes?.length ? [votes] : []));
  if (named.length && named.every((votes) => contradicts(countVotes(votes), voteTotals)))
    report('votes_contradict', 'voteTotals', () => `${describe(countVotes(named[0] ?? []))} by name, ${describe(voteTotals)} in total`);
}

/** Two members may have one surname, but not all of them. */
const isDoubled = (votes: readonly Vote[]) => votes.length > 2 && 2 * new Set(votes.map(({ name }) => name)).size <= votes.length;

type Counts = Readonly<Record<Vote['vote'], number>>;

function countVotes(votes: readonly Vote[]): Counts {
  const counts = { yes: 0, no: 0, abstain: 0, absent: 0, recused: 0 };
  for (const { vote } of votes) counts[vote] += 1;
  return counts;
}

/** Minutes name all who vote yes or no, or none of them; who is absent they may leave out. */
function contradicts(named: Counts, totals: VoteTotals): boolean {
  if (named.yes + named.no === 0) return false;
  const differs = (kind: 'yes' | 'no') => totals[kind] !== undefined && totals[kind] !== named[kind];
  const exceeds = (kind: 'abstain' | 'absent') => totals[kind] !== undefined && named[kind] > totals[kind];
  return differs('yes') || differs('no') || exceeds('abstain') || exceeds('absent');
}

const describe = ({ yes, no }: VoteTotals) => `${yes ?? '?'} yes and ${no ?? '?'} no`;

/** Characters of damaged text, or their escapes, in a line: few lines have to be searched field by field. */
const SUSPECT = /[\u0080-\u009f\u00c2\u00c3\u00e2\u00ef\ufffd-\uffff]/;
const SUSPECT_ESCAPE = /\\u(?:00[0-1789ce]|ff[ef])|\\b/i;

/** Most lines are ASCII without an escape, which is seen much faster than by a search. */
const mayBeDamaged = (text: string) =>
  (Buffer.byteLength(text) !== text.length && SUSPECT.test(text)) || (text.includes('\\') && SUSPECT_ESCAPE.test(text));

/** UTF-8 that was read as Latin-1 or Windows-1252: a leading byte and those that follow it. */
const MOJIBAKE =
  /[\u00c2\u00c3][\u0080-\u00bf\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013-\u203a\u20ac\u2122]|\u00e2(?:\u20ac|\u0080)|\u00ef\u00bb\u00bf/;

/** Controls other than tabs and ends of lines and pages (of which U+0085 is one), U+FFFD, and what is no character. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is searched for
const CONTROL = /[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufffd\ufffe\uffff]/;

const isDamaged = (text: string) => MOJIBAKE.test(text) || CONTROL.test(text);

/** Reports the first field with damaged text: the others mostly repeat its words. @param text of the line */
export function reportDamagedText(fields: object, text: string, report: ReportFault): void {
  if (!mayBeDamaged(text)) return;
  for (const [field, value] of Object.entries(fields)) {
    const damaged = findDamaged(value);
    if (damaged === undefined) continue;
    report('text_damaged', field, () => JSON.stringify(cutAroundDamage(damaged)));
    return;
  }
}

function findDamaged(value: unknown): string | undefined {
  if (typeof value === 'string') return isDamaged(value) ? value : undefined;
  if (value === null || typeof value !== 'object') return undefined;
  for (const entry of Object.values(value)) {
    const damaged = findDamaged(entry);
    if (damaged !== undefined) return damaged;
  }
  return undefined;
}

const SHOWN_CHARACTERS = 30;

function cutAroundDamage(text: string): string {
  const at = Math.max(0, Math.min(...[text.search(MOJIBAKE), text.search(CONTROL)].filter((place) => place >= 0)));
  return text
    .slice(Math.max(0, at - SHOWN_CHARACTERS), at + SHOWN_CHARACTERS)
    .replaceAll(/\p{Cc}/gu, '\ufffd')
    .toWellFormed();
}
