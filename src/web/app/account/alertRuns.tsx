/** The runs of an alert, and what each delivered and charged. */

import type { AlertDelivery } from '../shared/answers.ts';
import { Badge, Empty, Table } from '../shared/ui.tsx';
import { countInWords, moment, nameInWords, number } from '../shared/words.ts';

const STATUS_TONES: Readonly<Partial<Record<AlertDelivery['status'], string>>> = {
  completed: 'active',
  refused: 'failed',
  failed: 'failed',
};

interface AlertRunsProps {
  /** the latest */
  runs: readonly AlertDelivery[];
  /** how many there were */
  total: number;
  /** shows the matches of one run */
  onShow: (deliveryId: string) => void;
}

export const AlertRuns = ({ runs, total, onShow }: AlertRunsProps) => (
  <section class="part-card" aria-labelledby="runs">
    <h2 id="runs">Runs</h2>
    {total > runs.length && (
      <p class="note">
        The latest {number(runs.length)} of {number(total)}.
      </p>
    )}
    {!runs.length && <Empty>It has not run yet.</Empty>}
    {runs.length > 0 && (
      <Table
        label="Runs"
        heads={['When', 'Started', 'Status', 'New', 'Changed', 'Left', 'Credits', 'Matches']}
        numbers={[3, 4, 5, 6]}
        rows={runs.map((run) => [
          moment(run.startedAt),
          run.trigger === 'manual' ? 'by hand' : 'by its rhythm',
          <>
            <Badge token={STATUS_TONES[run.status] ?? null} label={nameInWords(run.status)} />
            {run.reason && <span class="note"> {run.reason.replaceAll('_', ' ')}</span>}
          </>,
          number(run.newRecords),
          number(run.changedRecords),
          number(run.moreMatched),
          number(run.creditsCharged),
          run.records > 0 && (
            <button type="button" class="small" onClick={() => onShow(run.deliveryId)}>
              Show {countInWords(run.records, 'match', 'matches')}
            </button>
          ),
        ])}
      />
    )}
  </section>
);
