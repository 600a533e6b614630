/** A CSV file of one record: what it costs, then the file. */
import { useState } from 'preact/hooks';
import { downloadExport, makeExport } from '../shared/jobs.ts';
import { usePage } from '../shared/page.ts';
import { showToast } from '../shared/toasts.tsx';
import { Action, Pending } from '../shared/ui.tsx';
import { useCall, useStop } from '../shared/useAnswer.ts';
import { countInWords } from '../shared/words.ts';
import type { RecordFormProps } from './recordForm.ts';

export function ExportForm({ record: { id }, onDone }: RecordFormProps) {
  const { account, onSpent } = usePage();
  const [isMaking, setMaking] = useState(false);
  const stop = useStop();
  const isMetered = account.creditRate > 0;
  const price = useCall('getProjectChanges', isMetered ? { id } : null);
  if (price.problem || (isMetered && !price.answer)) return <Pending asked={price} what="Asking for the price" />;
  const credits = price.answer?.data.nextRead.credits ?? 0;
  const make = async () => {
    setMaking(true);
    try {
      const made = await makeExport([id], credits, stop);
      if (made.creditsCharged) onSpent();
      await downloadExport(made);
      showToast('The file is downloaded. The tab Exports keeps it for 7 days.');
      onDone();
    } finally {
      setMaking(false);
    }
  };
  return (
    <>
      <Action kind="primary" work={make}>
        {credits > 0 ? `Make the file for ${countInWords(credits, 'credit')}` : 'Make the file, free'}
      </Action>
      <p class="note" role="status">
        {isMaking ? 'The file is being made …' : 'A CSV of the 67 standard fields, with the contacts that your team has unlocked.'}
      </p>
    </>
  );
}
