/** A CSV file of one record: what it costs, then the file. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { ask, type DataOf, download, FailedRequest, spendHeaders } from '../shared/api.ts';
import { pollJob } from '../shared/jobs.ts';
import { showToast } from '../shared/toasts.tsx';
import { Action, Loading, Notice, useAnswer } from '../shared/ui.tsx';
import { countInWords } from '../shared/words.ts';
import { useProofs } from './proofs.tsx';
import type { RecordFormProps } from './recordForm.ts';

type RecordFile = DataOf<'getExport'>;

const isSettled = ({ status }: RecordFile) => status !== 'queued' && status !== 'building';

/** @throws FailedRequest if the file could not be made */
async function makeFile(id: number, credits: number, signal: AbortSignal): Promise<RecordFile> {
  const accepted: RecordFile = (await ask('/exports', { method: 'POST', body: { projectIds: [id] }, headers: spendHeaders(credits) })).data;
  const made = await pollJob<RecordFile>(`/exports/${accepted.id}`, isSettled, signal);
  if (made.error) throw new FailedRequest({ ...made.error, remedy: 'What was reserved is given back.' });
  return made;
}

export function ExportForm({ record: { id }, onDone, onProblem }: RecordFormProps) {
  const { account, onSpent } = useProofs();
  const [isMaking, setMaking] = useState(false);
  const stop = useRef(new AbortController());
  useEffect(() => () => stop.current.abort(), []);
  const price = useAnswer(
    async (signal) => (account.creditRate > 0 ? (await ask(`/projects/${id}/changes`, { signal })).data.nextRead.credits : 0),
    [id],
  );
  if (price.problem) return <Notice problem={price.problem} again={price.again} />;
  if (price.answer === null) return <Loading what="Asking for the price" />;
  const credits: number = price.answer;
  const make = async () => {
    setMaking(true);
    try {
      const made = await makeFile(id, credits, stop.current.signal);
      if (made.creditsCharged) onSpent();
      await download(`/exports/${made.id}/download?bom=1`);
      showToast('The file is downloaded. The tab Exports keeps it for 7 days.');
      onDone();
    } finally {
      setMaking(false);
    }
  };
  return (
    <>
      <Action kind="primary" work={make} onProblem={onProblem}>
        {credits > 0 ? `Make the file for ${countInWords(credits, 'credit')}` : 'Make the file, free'}
      </Action>
      <p class="note" role="status">
        {isMaking ? 'The file is being made …' : 'A CSV of the 67 standard fields, with the contacts that your team has unlocked.'}
      </p>
    </>
  );
}
