/** A record as it was read: its values, each with its proof, what the minutes say, and the minutes. */
import type { ComponentChildren } from 'preact';
import { Badge } from '../ui.tsx';
import { date } from '../words.ts';
import { factsOf, type ReadRecord, silentFacts } from './facts.ts';
import { Minutes, sourceOfMinutes, titleOfMinutes } from './minutes.tsx';
import { type MinutesReference, useProofs } from './proofs.tsx';
import { ProofOf, Value } from './value.tsx';

const Part = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <section class="part">
    <h3>{title}</h3>
    {children}
  </section>
);

const Facts = ({ record }: { record: ReadRecord }) => {
  const { changed } = useProofs();
  return (
    <>
      {factsOf(record).map(({ subject, facts }) => (
        <Part key={subject} title={subject}>
          <dl>
            {facts.map(({ field, name, words }) => (
              <div key={field}>
                <dt>
                  {name} {changed.has(field) && <span class="badge">changed</span>}
                </dt>
                <dd>
                  <Value field={field}>{words}</Value>
                </dd>
              </div>
            ))}
          </dl>
        </Part>
      ))}
    </>
  );
};

interface Vote {
  name: string;
  vote: string;
  voteLabel: string | null;
}
interface Decision {
  meetingDate: string;
  decisionBodyLabel: string | null;
  decisionTypeLabel: string | null;
  status: string | null;
  statusLabel: string | null;
  motion: string | null;
  votes: Vote[] | null;
}

const Decisions = ({ decisions }: { decisions: Decision[] }) => (
  <ol class="decisions">
    {decisions.map((decision) => (
      <li key={`${decision.meetingDate} ${decision.decisionBodyLabel} ${decision.motion}`}>
        <p>
          <strong>{date(decision.meetingDate)}</strong> {decision.decisionBodyLabel}{' '}
          <Badge token={decision.status} label={decision.statusLabel ?? decision.decisionTypeLabel} />
        </p>
        {decision.motion && <blockquote>{decision.motion}</blockquote>}
        {decision.votes && decision.votes.length > 0 && (
          <p class="note">{decision.votes.map(({ name, voteLabel, vote }) => `${name}: ${voteLabel ?? vote}`).join('; ')}</p>
        )}
      </li>
    ))}
  </ol>
);

/** The documents of a record; only the latest one where it names no others. */
const documentsOf = ({ meetingDocuments, meetingDocumentId, sourceDocumentUrl }: ReadRecord): MinutesReference[] => {
  if (meetingDocuments?.length) return meetingDocuments;
  const unnamed = { title: null, decisionBody: null, decisionBodyLabel: null, meetingDate: null };
  return meetingDocumentId ? [{ meetingDocumentId, url: sourceDocumentUrl, ...unnamed }] : [];
};

const Documents = ({ record }: { record: ReadRecord }) => {
  const documents = documentsOf(record);
  if (!documents.length) return null;
  return (
    <Part title="Minutes">
      <ul class="documents">
        {documents.map((document) => (
          <li key={document.meetingDocumentId}>
            <strong>{titleOfMinutes(document)}</strong>
            <span class="note">{sourceOfMinutes(document)}</span>
            <Minutes document={document} />
          </li>
        ))}
      </ul>
    </Part>
  );
};

const Parties = ({ parties }: { parties: { role: string; roleLabel: string | null; name: string }[] }) => (
  <Part title="Parties">
    <dl>
      {parties.map(({ roleLabel, role, name }) => (
        <div key={`${role} ${name}`}>
          <dt>{roleLabel ?? role}</dt>
          <dd>{name}</dd>
        </div>
      ))}
    </dl>
    <ProofOf field="parties" />
  </Part>
);

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
  return (
    <>
      {record.summary && <p>{record.summary}</p>}
      {record.statusSummary && record.statusSummary !== record.summary && <p class="note">{record.statusSummary}</p>}
      {(record.summary || record.statusSummary) && <ProofOf field={record.summary ? 'summary' : 'statusSummary'} />}
      <Facts record={record} />
      {record.parties?.length > 0 && <Parties parties={record.parties} />}
      {record.decisions?.length > 0 && (
        <Part title="Decisions">
          <Decisions decisions={record.decisions} />
          <ProofOf field="decisions" />
        </Part>
      )}
      <Said record={record} />
      <Documents record={record} />
      {silent.length > 0 && (
        <details class="silent">
          <summary>Not stated</summary>
          <p class="note">The current generation has no value for: {silent.join(', ')}.</p>
        </details>
      )}
      <p class="note">
        Record {record.id}, changed {date(record.lastUpdated)}.
      </p>
    </>
  );
}
