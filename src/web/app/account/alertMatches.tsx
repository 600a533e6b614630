/** What an alert has matched, by run, the newest first; dismissed with an undo. */
import { useState } from 'preact/hooks';
import type { AlertDelivery, AlertMatch } from '../shared/answers.ts';
import { ask, type FailedRequest } from '../shared/api.ts';
import { nameOfField } from '../shared/facts.ts';
import type { TabProps } from '../shared/tabs.tsx';
import { showToast } from '../shared/toasts.tsx';
import { Action, Badge, Empty, Loading, Notice, Table, useAnswer } from '../shared/ui.tsx';
import { countInWords, moment, number } from '../shared/words.ts';
import { nameOfRecord, RECORD_HEADS, recordCells } from './records.tsx';

const PAGE_SIZE = 100;

/** Why a record matched a requirement, with the words that show it. */
const Reason = ({ match: { whyThisMatched, matchEvidence, delivery, changedFields } }: { match: AlertMatch }) => (
  <>
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

interface AlertMatchesProps extends Pick<TabProps, 'state' | 'go'> {
  id: string;
  runs: readonly AlertDelivery[];
  /** the run whose matches alone are shown */
  shownRun: string | null;
  onShowRun: (deliveryId: string | null) => void;
  /** changes when the alert has run */
  version: string;
}

export function AlertMatches({ id, runs, shownRun, onShowRun, version, state, go }: AlertMatchesProps) {
  const [pages, setPages] = useState(1);
  const [problem, setProblem] = useState<FailedRequest | null>(null);
  const query = `representation=compact&limit=${PAGE_SIZE}${shownRun ? `&deliveryId=${shownRun}` : ''}`;
  const {
    answer,
    problem: refused,
    again,
  } = useAnswer(
    async (signal) => {
      const asked = Array.from({ length: pages }, (_, page) =>
        ask(`/alerts/${id}/matches?${query}&offset=${page * PAGE_SIZE}`, { signal }),
      );
      const answers = await Promise.all(asked);
      return { matches: answers.flatMap(({ data }): AlertMatch[] => data), total: Number(answers[0]?.meta.total ?? 0) };
    },
    [id, query, pages, version],
  );
  const setDismissed = async (match: AlertMatch, isDismissed: boolean) => {
    await ask(`/alerts/${id}/dismissals/${match.id}`, { method: isDismissed ? 'POST' : 'DELETE' });
    again();
  };
  const toggle = async (match: AlertMatch) => {
    await setDismissed(match, !match.dismissed);
    const said = match.dismissed ? 'is shown again.' : 'is dismissed until it changes.';
    showToast(`${nameOfRecord(match)} ${said}`, () => setDismissed(match, match.dismissed));
  };
  const runOf = (deliveryId: string) => runs.find((run) => run.deliveryId === deliveryId);
  const newest = runs.find(({ records }) => records > 0)?.deliveryId;
  const rowOf = (match: AlertMatch) => [
    ...recordCells(match, { state, go }, <Reason match={match} />),
    <Action kind="small" onProblem={setProblem} work={() => toggle(match)}>
      {match.dismissed ? 'Show again' : 'Dismiss'}
      <span class="hidden"> {nameOfRecord(match)}</span>
    </Action>,
  ];
  return (
    <section class="part-card" aria-labelledby="matches">
      <h2 id="matches">{answer ? countInWords(answer.total, 'match', 'matches') : 'Matches'}</h2>
      {shownRun && (
        <p class="actions">
          <span>Of one run, dismissed ones too.</span>
          <button type="button" class="small" onClick={() => onShowRun(null)}>
            Show all runs
          </button>
        </p>
      )}
      {problem && <Notice problem={problem} />}
      {refused && <Notice problem={refused} again={again} />}
      {!answer && !refused && <Loading />}
      {answer && !answer.total && <Empty>Nothing has matched yet, or all of it was dismissed.</Empty>}
      {answer &&
        [...Map.groupBy(answer.matches, ({ deliveryId }) => deliveryId)].map(([deliveryId, matches]) => {
          const run = runOf(deliveryId);
          const heading = run
            ? `Run of ${moment(run.startedAt)}: ${number(run.newRecords)} new, ${number(run.changedRecords)} changed`
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
      {answer && answer.matches.length < answer.total && (
        <button type="button" onClick={() => setPages(pages + 1)}>
          Show more of {number(answer.total)}
        </button>
      )}
    </section>
  );
}
