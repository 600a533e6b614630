/** A file of records, made and downloaded by one button, at a price that it says first. */
import { useState } from 'preact/hooks';
import type { Filters } from '../../../clients/client/generated.ts';
import { useCall, useStop } from './hooks.ts';
import { downloadExport, EXPORT_ROWS_MAX, makeExport } from './jobs.ts';
import { usePage } from './page.ts';
import { requoteIfDearer } from './problems.ts';
import { showToast } from './toasts.tsx';
import { MoreCredits, Pending, PrimaryAction } from './ui.tsx';
import { countInWords, number } from './words.ts';

interface ExportFormProps {
  source: { projectIds: number[] } | { filters: Filters };
  /** Closes the form. */
  onDone: () => void;
}

export function ExportForm({ source, onDone }: ExportFormProps) {
  const { onSpent } = usePage();
  const [isMaking, setMaking] = useState(false);
  const stop = useStop();
  const price = useCall('countProjects', 'filters' in source ? source.filters : source);
  if (price.problem || !price.answer) return <Pending asked={price} what="Asking for the price" />;
  const { creditsRequired: credits, creditsRemaining, matchCount } = price.answer.data;
  const isTooDear = credits > (creditsRemaining ?? 0);
  const make = async () => {
    setMaking(true);
    try {
      const made = await makeExport(source, credits, stop).catch(requoteIfDearer(price.again));
      if (made.creditsCharged) onSpent();
      await downloadExport(made);
      showToast('The file is downloaded. The tab Exports keeps it for 7 days.');
      onDone();
    } finally {
      setMaking(false);
    }
  };
  return (
    <div class="row">
      <p role="status">
        {isMaking
          ? 'The file is being made …'
          : `A CSV of ${countInWords(Math.min(matchCount, EXPORT_ROWS_MAX), 'project')}${matchCount > EXPORT_ROWS_MAX ? ` of ${number(matchCount)}, the most that a file holds` : ''}, with the 67 standard fields and the contacts that your team has unlocked.${credits ? ` Your balance is ${number(creditsRemaining ?? 0)}.` : ''}`}
      </p>
      <PrimaryAction work={make} disabled={!matchCount || isTooDear}>
        {credits > 0 ? `Make the file for ${countInWords(credits, 'credit')}` : 'Make the file, free'}
      </PrimaryAction>
      {isTooDear && <MoreCredits />}
    </div>
  );
}
