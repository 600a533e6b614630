/** A look-up of the contacts of the selected records: what it costs at most, then what it brought. */
import { useState } from 'preact/hooks';
import type { ContactsJob } from '../shared/answers.ts';
import { lookUpContacts } from '../shared/jobs.ts';
import { usePage } from '../shared/page.ts';
import { Action, Pending } from '../shared/ui.tsx';
import { useCall, useStop } from '../shared/useAnswer.ts';
import { countInWords, number } from '../shared/words.ts';
import { SELECTION_MAX, type SelectionFormProps } from './selectionForm.ts';

function wordsOfJob({ found, accepted, creditsCharged, skipped }: ContactsJob): string {
  const known = skipped.alreadyEnriched.length;
  const charged = creditsCharged ? `${countInWords(creditsCharged, 'credit')} charged` : 'nothing was charged';
  const before = known ? ` ${countInWords(known, 'project')} had been looked up within the last 90 days.` : '';
  return `Found for ${number(found)} of ${countInWords(accepted.length, 'project')}; ${charged}.${before}`;
}

export function SelectionContacts({ ids, onReload }: SelectionFormProps) {
  const { onSpent } = usePage();
  const [result, setResult] = useState<string | null>(null);
  const [isLooking, setLooking] = useState(false);
  const stop = useStop();
  const isTooLarge = ids.length > SELECTION_MAX;
  const price = useCall('countProjects', isTooLarge ? null : { projectIds: [...ids], include: 'contacts' });
  if (isTooLarge)
    return (
      <p>
        A look-up takes {SELECTION_MAX} projects, and {number(ids.length)} are selected.
      </p>
    );
  if (result && !price.problem)
    return (
      <div class="row">
        <p role="status">{result}</p>
        <button type="button" onClick={onReload}>
          Read the rows again, with their contacts
        </button>
      </div>
    );
  if (price.problem || !price.answer) return <Pending asked={price} what="Asking for the price" />;
  const { lookUps = 0, creditsRequired = 0, creditsRemaining = null } = price.answer.data.contacts ?? {};
  if (!lookUps) return <p>Your team looked all of these up within the last 90 days; the column Contacts has what was found.</p>;
  const run = async () => {
    setLooking(true);
    try {
      setResult(wordsOfJob(await lookUpContacts(ids, creditsRequired, stop)));
      onSpent();
    } finally {
      setLooking(false);
    }
  };
  const cost = creditsRequired ? `at most ${countInWords(creditsRequired, 'credit')}` : 'free';
  return (
    <div class="row">
      <p role="status">
        {isLooking
          ? 'Looking …'
          : `${countInWords(lookUps, 'look-up')}, ${cost}: a project costs only if an email or phone is found.${creditsRequired && creditsRemaining !== null ? ` Your balance is ${number(creditsRemaining)}.` : ''}`}
      </p>
      <Action kind="primary" work={run}>
        Look up, {cost}
      </Action>
    </div>
  );
}
