/** What a reader looks for first in a record: the next hearing, who builds how much, the vote and the advice of staff. */
import type { ComponentChildren } from 'preact';
import { nameOfField, type ReadRecord } from '../shared/facts.ts';
import { Definitions } from '../shared/ui.tsx';
import { countInWords, date, nameInWords, number } from '../shared/words.ts';
import { useProofs } from './proofs.tsx';
import { Value } from './value.tsx';

const VOTES = { yes: 'yes', no: 'no', abstain: 'abstaining', absent: 'absent' } as const;

const TO_DENY = /\bmo(?:tion|ved)\b.{0,60}?\b(?:to )?(?:deny|denial|reject)/i;
const TO_APPROVE = /\bmo(?:tion|ved)\b.{0,60}?\b(?:to )?(?:approve|approval|adopt)/i;

/** What the latest vote was on; empty where its words name neither or both. */
function describeMotion({ decisions, meetingDate }: ReadRecord): string {
  const said = (decisions ?? []).flatMap((one) => (one.meetingDate === meetingDate && one.motion ? [one.motion] : [])).join(' ');
  const [denies, approves] = [TO_DENY.test(said), TO_APPROVE.test(said)];
  if (denies === approves) return '';
  return denies ? 'motion to deny' : 'motion to approve';
}

/** `5 yes, 2 no (motion to deny)`: no word that a reader may take for the outcome. */
function wordsOfVote(record: ReadRecord): string {
  const { voteTotals, derived } = record;
  const counts = Object.entries(VOTES).flatMap(([name, word]) => {
    const count = voteTotals?.[name as keyof typeof VOTES];
    return count ? `${number(count)} ${word}` : [];
  });
  const vote = counts.join(', ') || (derived.voteResult ? nameInWords(derived.voteResult) : '');
  const motion = vote && describeMotion(record);
  return motion ? `${vote} (${motion})` : vote;
}

/** Who develops it; who applies where nobody is named as the developer. */
function findDeveloper(record: ReadRecord): [name: string, words: string] {
  const namesOf = (role: string) => (record.parties ?? []).flatMap((party) => (party.role === role ? (party.name ?? []) : [])).join('; ');
  return namesOf('developer') ? ['Developer', namesOf('developer')] : ['Applicant', namesOf('applicant')];
}

export function KeyFacts({ record }: { record: ReadRecord }) {
  const { changed } = useProofs();
  const [developer, names] = findDeveloper(record);
  const { nextMeetingDate, totalUnitCount, staffRecommendation } = record;
  const rows: [field: string, name: string, words: string][] = [
    ['nextMeetingDate', 'Next hearing', date(nextMeetingDate)],
    ['parties', developer, names],
    ['totalUnitCount', nameOfField('totalUnitCount'), totalUnitCount === null ? '' : number(totalUnitCount)],
    ['voteTotals', 'Vote', wordsOfVote(record)],
    ['staffRecommendation', 'Staff advises', staffRecommendation ?? ''],
  ];
  const stated = rows.filter(([, , words]) => words);
  if (!stated.length) return null;
  const toRow = ([field, name, words]: [string, string, string]): [ComponentChildren, ComponentChildren] => [
    <>
      {name} {changed.has(field) && <span class="badge">changed</span>}
    </>,
    <Value field={field}>{words}</Value>,
  ];
  return (
    <section class="part key-facts" aria-label="At a glance">
      <Definitions rows={stated.map(toRow)} />
    </section>
  );
}

/** What the signs at values mean. */
export function ProofLegend() {
  const { quotes } = useProofs();
  if (!quotes?.value) return null;
  const proven = new Set(quotes.value.map(({ field }) => field)).size;
  return (
    <p class="note proof-legend">
      <span class="sign" aria-hidden="true">
        ”
      </span>{' '}
      words of the minutes prove the value ({countInWords(proven, 'field')});{' '}
      <span class="sign" aria-hidden="true">
        ○
      </span>{' '}
      no quote is linked to it.
    </p>
  );
}
