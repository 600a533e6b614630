/** A look-up of the contacts of the selected records: what it costs at most, then what it brought. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Operations } from '../../../clients/client/generated.ts';
import { ask, FailedRequest, spendHeaders } from '../shared/api.ts';
import { pollJob } from '../shared/jobs.ts';
import { Action, Loading, Notice, useAnswer } from '../shared/ui.tsx';
import { countInWords, number } from '../shared/words.ts';
import type { SelectionFormProps } from './selectionForm.ts';
import { askPrice, SELECTION_MAX } from './selectionPrice.ts';

type ContactsJob = Operations['getEnrichment']['answer']['data'];

/** @throws FailedRequest if the job failed */
async function lookUp(ids: readonly number[], credits: number, signal: AbortSignal): Promise<ContactsJob> {
  const headers = spendHeaders(credits);
  const accepted: ContactsJob = (await ask('/enrichments', { method: 'POST', body: { projectIds: ids }, headers })).data;
  const job = await pollJob<ContactsJob>(`/enrichments/${accepted.id}`, ({ settledAt }) => settledAt !== null, signal);
  if (job.error) throw new FailedRequest({ ...job.error, remedy: 'Nothing was charged. Try again later.' });
  return job;
}

function wordsOfJob({ found, accepted, creditsCharged, skipped }: ContactsJob): string {
  const known = skipped.alreadyEnriched.length;
  const charged = creditsCharged ? `${countInWords(creditsCharged, 'credit')} charged` : 'nothing was charged';
  const before = known ? ` ${countInWords(known, 'project')} had been looked up within the last 90 days.` : '';
  return `Found for ${number(found)} of ${countInWords(accepted.length, 'project')}; ${charged}.${before}`;
}

export function SelectionContacts({ ids, onProblem, onSpent, onReload }: SelectionFormProps) {
  const [result, setResult] = useState<string | null>(null);
  const [isLooking, setLooking] = useState(false);
  const stop = useRef(new AbortController());
  useEffect(() => () => stop.current.abort(), []);
  const isTooLarge = ids.length > SELECTION_MAX;
  const { answer, problem, again } = useAnswer(async (signal) => (isTooLarge ? null : askPrice(ids, signal, 'contacts')), []);
  if (isTooLarge)
    return (
      <p>
        A look-up takes {SELECTION_MAX} projects, and {number(ids.length)} are selected.
      </p>
    );
  if (problem) return <Notice problem={problem} again={again} />;
  if (result)
    return (
      <div class="row">
        <p role="status">{result}</p>
        <button type="button" onClick={onReload}>
          Read the rows again, with their contacts
        </button>
      </div>
    );
  if (!answer) return <Loading what="Asking for the price" />;
  const { lookUps = 0, creditsRequired = 0, creditsRemaining = null } = answer.contacts ?? {};
  if (!lookUps) return <p>Your team looked all of these up within the last 90 days; the column Contacts has what was found.</p>;
  const run = async () => {
    setLooking(true);
    try {
      setResult(wordsOfJob(await lookUp(ids, creditsRequired, stop.current.signal)));
      onSpent();
    } finally {
      setLooking(false);
    }
  };
  const price = creditsRequired ? `at most ${countInWords(creditsRequired, 'credit')}` : 'free';
  return (
    <div class="row">
      <p role="status">
        {isLooking
          ? 'Looking …'
          : `${countInWords(lookUps, 'look-up')}, ${price}: a project costs only if an email or phone is found.${creditsRequired && creditsRemaining !== null ? ` Your balance is ${number(creditsRemaining)}.` : ''}`}
      </p>
      <Action kind="primary" work={run} onProblem={onProblem}>
        Look up, {price}
      </Action>
    </div>
  );
}
