/** A record as it was read: its values, each with its proof, what the minutes say, and the minutes. */
import { factsOf, type ReadRecord, silentFacts } from '../shared/facts.ts';
import { Definitions } from '../shared/ui.tsx';
import { date } from '../shared/words.ts';
import { Contacts } from './contacts.tsx';
import { Nearby } from './nearby.tsx';
import { Conditions, Course, Decisions, Documents, Part, Parties } from './parts.tsx';
import { useProofs } from './proofs.tsx';
import { Restrictions } from './restrictions.tsx';
import { ProofOf, Value } from './value.tsx';

const Facts = ({ record }: { record: ReadRecord }) => {
  const { changed } = useProofs();
  return (
    <>
      {factsOf(record).map(({ subject, facts }) => (
        <Part key={subject} title={subject}>
          <Definitions
            rows={facts.map(({ field, name, words }) => [
              <>
                {name} {changed.has(field) && <span class="badge">changed</span>}
              </>,
              <Value field={field}>{words}</Value>,
            ])}
          />
        </Part>
      ))}
    </>
  );
};

/** The record's own passage of the minutes. */
const Said = ({ record }: { record: ReadRecord }) => {
  const said = record.originalRawText ?? record.rawText;
  if (!said) return null;
  return (
    <Part title="What the minutes say">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it has to be reached by keyboard */}
      <blockquote class="said" tabIndex={0}>
        {said}
      </blockquote>
      {record.originalRawTextTruncated && <p class="note">Cut here; the minutes have all of it.</p>}
    </Part>
  );
};

/** What the record says, in the order in which it is read. */
export function RecordView({ record }: { record: ReadRecord }) {
  const silent = silentFacts(record);
  const merged = (record.mergedFrom ?? []).filter((id) => id !== record.id);
  return (
    <>
      {record.summary && <p>{record.summary}</p>}
      {record.statusSummary && record.statusSummary !== record.summary && <p class="note">{record.statusSummary}</p>}
      {(record.summary || record.statusSummary) && <ProofOf field={record.summary ? 'summary' : 'statusSummary'} />}
      <Facts record={record} />
      <Course derived={record.derived} />
      <Restrictions record={record} />
      <Parties parties={record.parties ?? []} />
      <Decisions decisions={record.decisions ?? []} />
      <Conditions conditions={record.conditionsOfApproval ?? []} />
      <Said record={record} />
      <Documents record={record} />
      <Contacts record={record} />
      <Nearby record={record} />
      {silent.length > 0 && (
        <details class="silent">
          <summary>Not stated</summary>
          <p class="note">The current generation has no value for: {silent.join(', ')}.</p>
        </details>
      )}
      <p class="note">
        Record {record.id}
        {merged.length > 0 && `, with ${merged.join(', ')} merged into it`}, changed {date(record.lastUpdated)}.{' '}
        <span class="printed">{record.serviceLink}</span>
      </p>
    </>
  );
}
