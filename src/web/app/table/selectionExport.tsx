/** An export of the selected records: what it costs, then a file of the 67 standard fields. */
import { ask, requoteIfDearer, spendHeaders } from '../shared/api.ts';
import { showToast } from '../shared/toasts.tsx';
import { Action, Loading, Notice, useAnswer } from '../shared/ui.tsx';
import { countInWords, number } from '../shared/words.ts';
import type { SelectionFormProps } from './selectionForm.ts';
import { askPrice, SELECTION_MAX } from './selectionPrice.ts';

export function SelectionExport({ ids, onDone, onProblem, onSpent }: SelectionFormProps) {
  const isTooLarge = ids.length > SELECTION_MAX;
  const { answer, problem, again } = useAnswer(async (signal) => (isTooLarge ? null : askPrice(ids, signal)), []);
  if (isTooLarge)
    return (
      <p>
        An export of selected rows takes {SELECTION_MAX} projects, and {number(ids.length)} are selected. Export everything that the filters
        match in the tab Exports, or save the selected rows as CSV.
      </p>
    );
  if (problem) return <Notice problem={problem} again={again} />;
  if (!answer) return <Loading what="Asking for the price" />;
  const { creditsRequired } = answer;
  const queue = async () => {
    const sent = ask('/exports', { method: 'POST', body: { projectIds: ids }, headers: spendHeaders(creditsRequired) });
    await sent.catch(requoteIfDearer(again));
    if (creditsRequired) onSpent();
    showToast(`An export of ${countInWords(ids.length, 'project')} is queued: the tab Exports has it in a moment.`);
    onDone();
  };
  return (
    <div class="row">
      <p>
        A file of the 67 standard fields, kept for 7 days, for <strong>{countInWords(creditsRequired, 'credit')}</strong>.
      </p>
      <Action kind="primary" work={queue} onProblem={onProblem}>
        {creditsRequired ? `Export for ${countInWords(creditsRequired, 'credit')}` : 'Export, free'}
      </Action>
    </div>
  );
}
