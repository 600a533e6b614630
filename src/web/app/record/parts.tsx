/** Parts of a record: parties, decisions, documents. */
import type { ComponentChildren } from 'preact';
import type { ReadRecord } from '../shared/facts.ts';
import { Badge, Definitions, Table } from '../shared/ui.tsx';
import { countInWords, date, nameInWords } from '../shared/words.ts';
import { Minutes, sourceOfMinutes, titleOfMinutes } from './minutes.tsx';
import type { MinutesReference } from './proofs.tsx';
import { ProofOf } from './value.tsx';

/** A part under a small heading. */
export const Part = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <section class="part">
    <h3>{title}</h3>
    {children}
  </section>
);

/** Who the filing names, with their roles. */
export function Parties({ parties }: { parties: NonNullable<ReadRecord['parties']> }) {
  if (!parties.length) return null;
  return (
    <Part title="Parties">
      <Definitions rows={parties.map(({ roleLabel, role, name }) => [roleLabel ?? role, name])} />
      <ProofOf field="parties" />
    </Part>
  );
}

const wordsOfToken = (token: string | null) => token && nameInWords(token).replaceAll('_', ' ');

/** Values that rules of the service read from the record. */
export function Course({ derived }: Pick<ReadRecord, 'derived'>) {
  const { outcome, outcomeSince, staffRecommendation, voteResult, daysInProcess } = derived;
  const rows = Object.entries({
    Outcome: outcome && `${wordsOfToken(outcome)}${outcomeSince ? `, since ${date(outcomeSince)}` : ''}`,
    Recommendation: wordsOfToken(staffRecommendation),
    'Latest vote': wordsOfToken(voteResult),
    'First hearing to latest': daysInProcess === null ? null : countInWords(daysInProcess, 'day'),
  }).filter(([, words]) => words);
  if (!rows.length) return null;
  return (
    <Part title="What has become of it">
      <Definitions rows={rows} />
      <p class="note">
        Read from the record by <a href="/docs/guides/outcomes">fixed rules</a>.
      </p>
    </Part>
  );
}

/** Decisions with their named votes. */
export function Decisions({ decisions }: { decisions: NonNullable<ReadRecord['decisions']> }) {
  if (!decisions.length) return null;
  return (
    <Part title="Decisions">
      <ol class="decisions">
        {decisions.map((decision) => (
          <li key={`${decision.meetingDate} ${decision.decisionBody} ${decision.motion}`}>
            <p>
              <strong>{date(decision.meetingDate)}</strong> {decision.decisionBodyLabel}{' '}
              <Badge token={decision.status} label={decision.statusLabel ?? decision.decisionTypeLabel} />
            </p>
            {decision.motion && <blockquote>{decision.motion}</blockquote>}
            {decision.votes && decision.votes.length > 0 && (
              <Table
                label={`Votes of ${date(decision.meetingDate)}`}
                heads={['Member', 'Vote']}
                rows={decision.votes.map(({ name, voteLabel, vote }) => [name, voteLabel ?? vote])}
              />
            )}
          </li>
        ))}
      </ol>
      <ProofOf field="decisions" />
    </Part>
  );
}

export function Conditions({ conditions }: { conditions: NonNullable<ReadRecord['conditionsOfApproval']> }) {
  if (!conditions.length) return null;
  return (
    <Part title="Conditions">
      <ol class="conditions">
        {conditions.map((condition) => (
          <li key={condition}>{condition}</li>
        ))}
      </ol>
      <ProofOf field="conditionsOfApproval" />
    </Part>
  );
}

/** The documents of a record; only the latest one where it names no others. */
const documentsOf = ({ meetingDocuments, meetingDocumentId, sourceDocumentUrl }: ReadRecord): readonly MinutesReference[] => {
  if (meetingDocuments?.length) return meetingDocuments;
  const unnamed = { title: null, decisionBody: null, decisionBodyLabel: null, meetingDate: null };
  return meetingDocumentId ? [{ meetingDocumentId, url: sourceDocumentUrl, ...unnamed }] : [];
};

/** The minutes that name the record, each with its text on request. */
export function Documents({ record }: { record: ReadRecord }) {
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
}
