/** What an alert has matched, by run, the newest first; dismissed with an undo. */
import { useState } from 'preact/hooks';
import type { ListAlertMatchesData } from '../../../clients/client/generated.ts';
import type { AlertDelivery } from '../shared/answers.ts';
import { call } from '../shared/api.ts';
import { nameOfField, nameOfRecord } from '../shared/facts.ts';
import { useAnswer } from '../shared/hooks.ts';
import { StateLink } from '../shared/links.tsx';
import { showToast } from '../shared/toasts.tsx';
import { Action, Badge, Button, Empty, Pending, ProblemNotice, Problems, SmallButton, Table } from '../shared/ui.tsx';
import { countInWords, moment, number } from '../shared/words.ts';
import { RECORD_HEADS, recordCells } from './records.tsx';

const PAGE_SIZE = 100;

type AlertMatch = ListAlertMatchesData;

/** Why a record matched a requirement, with the words that show it. */
const Reason = ({ match: { whyThisMatched, matchEvidence, delivery, changedFields, newBecause } }: { match: AlertMatch }) => (
  <>
    {newBecause === 'newly_read' && <Badge token="newly_read" label="Old case, newly read" />}
    {changedFields && changedFields.length > 0 && <p class="note">Changed: {changedFields.map(nameOfField).join(', ')}</p>}
    {delivery.updatedSinceExport && <Badge token="changed" label="Changed since" />}
    {whyThisMatched && <p class="note">{whyThisMatched}</p>}
    {matchEvidence?.map(({ quote }) => (
      <blockquote class="note" key={quote}>
        {quote}
      </blockquote>
    ))}
  </>
);

interface AlertMatchesProps {
  id: string;
  /** the list of all that it has matched; null where it has none */
  listId: string | null;
  runs: readonly AlertDelivery[];
  /** the run whose matches alone are shown */
  shownRun: string | null;
  onShowRun: (deliveryId: string | null) => void;
  /** changes when the alert has run */
  version: string;
}

export function AlertMatches({ id, listId, runs, shownRun, onShowRun, version }: AlertMatchesProps) {
  const [pages, setPages] = useState(1);
  const found = useAnswer(
    async (signal) => {
      const query = { id, representation: 'compact', limit: PAGE_SIZE, ...(shownRun ? { deliveryId: shownRun } : {}) };
      const asked = Array.from({ length: pages }, (_, page) =>
        call('listAlertMatches', { ...query, offset: page * PAGE_SIZE }, { signal }),
      );
      const answers = await Promise.all(asked);
      return { matches: answers.flatMap(({ data }): AlertMatch[] => data), total: answers[0]?.meta.total ?? 0 };
    },
    [id, shownRun, pages, version],
  );
  const { answer, again } = found;
  const setDismissed = async ({ id: projectId }: AlertMatch, isDismissed: boolean) => {
    await call(isDismissed ? 'dismissMatch' : 'undismissMatch', { id, projectId });
    again();
  };
  const toggle = async (match: AlertMatch) => {
    await setDismissed(match, !match.dismissed);
    const said = match.dismissed ? 'is shown again.' : 'is dismissed until it changes.';
    showToast(`${nameOfRecord(match)} ${said}`, () => setDismissed(match, match.dismissed));
  };
  const newest = runs.find(({ records }) => records > 0)?.deliveryId;
  const rowOf = (match: AlertMatch) => [
    ...recordCells(match, <Reason match={match} />),
    <Action kind="small" work={() => toggle(match)}>
      {match.dismissed ? 'Show again' : 'Dismiss'}
      <span class="hidden"> {nameOfRecord(match)}</span>
    </Action>,
  ];
  return (
    <section class="part-card" aria-labelledby="matches">
      <h2 id="matches">{answer ? countInWords(answer.total, 'match', 'matches') : 'Matches'}</h2>
      {listId && answer && answer.total > 0 && (
        <p>
          They are also <StateLink to={{ tab: 'lists', open: listId }}>a list</StateLink>, which can be shared and opened as the table.
        </p>
      )}
      {shownRun && (
        <p class="actions">
          <span>Of one run, dismissed ones too.</span>
          <SmallButton onClick={() => onShowRun(null)}>Show all runs</SmallButton>
        </p>
      )}
      <Problems>
        <ProblemNotice />
        <Pending asked={found} />
        {answer && !answer.total && <Empty>Nothing has matched yet, or all of it was dismissed.</Empty>}
        {answer &&
          [...Map.groupBy(answer.matches, ({ deliveryId }) => deliveryId)].map(([deliveryId, matches]) => {
            const run = runs.find((one) => one.deliveryId === deliveryId);
            const heading = run
              ? `Run of ${moment(run.startedAt)}: ${number(run.newRecords)} new, ${number(run.changedRecords)} changed${run.newlyReadRecords ? `, ${number(run.newlyReadRecords)} old, newly read` : ''}`
              : 'An earlier run';
            return (
              <div class="matches" key={deliveryId}>
                <h3>
                  {heading} {deliveryId === newest && <Badge token="active" label="New" />}
                </h3>
                <Table label={heading} heads={[...RECORD_HEADS, 'Actions']} rows={matches.map(rowOf)} />
              </div>
            );
          })}
      </Problems>
      {answer && answer.matches.length < answer.total && (
        <Button onClick={() => setPages(pages + 1)}>Show more of {number(answer.total)}</Button>
      )}
    </section>
  );
}
