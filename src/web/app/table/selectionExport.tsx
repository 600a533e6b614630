/** An export of the selected records: what it costs, then a file of the 67 standard fields. */
import { queueExport } from '../shared/jobs.ts';
import { usePage } from '../shared/page.ts';
import { requoteIfDearer } from '../shared/problems.ts';
import { showToast } from '../shared/toasts.tsx';
import { Action, Pending } from '../shared/ui.tsx';
import { useCall } from '../shared/useAnswer.ts';
import { countInWords, number } from '../shared/words.ts';
import { SELECTION_MAX, type SelectionFormProps } from './selectionForm.ts';

export function SelectionExport({ ids, onDone }: SelectionFormProps) {
  const { onSpent } = usePage();
  const isTooLarge = ids.length > SELECTION_MAX;
  const price = useCall('countProjects', isTooLarge ? null : { projectIds: [...ids] });
  if (isTooLarge)
    return (
      <p>
        An export of selected rows takes {SELECTION_MAX} projects, and {number(ids.length)} are selected. Export everything that the filters
        match in the tab Exports, or save the selected rows as CSV.
      </p>
    );
  if (price.problem || !price.answer) return <Pending asked={price} what="Asking for the price" />;
  const { creditsRequired } = price.answer.data;
  const queue = async () => {
    await queueExport({ projectIds: [...ids] }, creditsRequired).catch(requoteIfDearer(price.again));
    if (creditsRequired) onSpent();
    showToast(`An export of ${countInWords(ids.length, 'project')} is queued: the tab Exports has it in a moment.`);
    onDone();
  };
  return (
    <div class="row">
      <p>
        A file of the 67 standard fields, kept for 7 days, for <strong>{countInWords(creditsRequired, 'credit')}</strong>.
      </p>
      <Action kind="primary" work={queue}>
        {creditsRequired ? `Export for ${countInWords(creditsRequired, 'credit')}` : 'Export, free'}
      </Action>
    </div>
  );
}
