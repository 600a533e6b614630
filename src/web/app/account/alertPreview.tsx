/** What the next run of an alert would deliver and cost, with settings that need not be saved. */
import { useEffect, useState } from 'preact/hooks';
import type { AlertPreview } from '../shared/answers.ts';
import { ask } from '../shared/api.ts';
import { Loading, Notice, useAnswer } from '../shared/ui.tsx';
import { countInWords, number } from '../shared/words.ts';

const TYPED_MS = 400;

/** The value once it has not changed for a moment. */
function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  const text = JSON.stringify(value);
  useEffect(() => {
    const wait = setTimeout(() => setSettled(value), TYPED_MS);
    return () => clearTimeout(wait);
  }, [text]);
  return settled;
}

function describePreview({
  matchCount,
  matchCountIsExact,
  wouldDeliver,
  creditRate,
  creditsRequired,
  creditsRemaining,
}: AlertPreview): string {
  if (!matchCount) return 'The next run would deliver nothing: no record is new to the alert or has changed since it ran.';
  const most = matchCountIsExact ? '' : 'at most ';
  const rest = matchCount > wouldDeliver ? ` of ${number(matchCount)}; the rest waits for the run after` : '';
  const price = creditRate
    ? ` That costs ${most}${countInWords(creditsRequired, 'credit')}; your balance is ${number(creditsRemaining ?? 0)}.`
    : ' Records are free on your plan.';
  return `The next run would deliver ${most}${countInWords(wouldDeliver, 'record')}${rest}.${price}`;
}

/** Warnings in words for a person; null for what the page itself causes. */
const WARNING_WORDS: Readonly<Record<string, string | null>> = {
  default_date_window_applied: 'It watches meetings of the last year; choose other dates on the map.',
  geography_narrowed_to_smallest_scope: null,
};

interface PreviewFiguresProps {
  id: string;
  /** keys of the alert in place of stored ones */
  body: object;
  /** changes when the alert has run */
  version: string;
  /** called with the credits that are shown, and with null while none are shown */
  onPrice: (credits: number | null) => void;
}

export function PreviewFigures({ id, body, version, onPrice }: PreviewFiguresProps) {
  const settled = useSettled(body);
  const { answer, problem, loading, again } = useAnswer(
    (signal) => ask(`/alerts/${id}/preview`, { method: 'POST', body: settled, signal }),
    [id, JSON.stringify(settled), version],
  );
  const isCurrent = !loading && !problem && JSON.stringify(settled) === JSON.stringify(body);
  useEffect(() => onPrice(isCurrent && answer ? answer.data.creditsRequired : null), [isCurrent, answer]);
  if (problem) return <Notice problem={problem} again={again} />;
  if (!answer) return <Loading what="Working out the next run" />;
  const preview: AlertPreview = answer.data;
  const warnings: { code: string; message: string }[] = answer.meta.warnings;
  const notes = warnings.map(({ code, message }) => (code in WARNING_WORDS ? WARNING_WORDS[code] : message)).filter(Boolean);
  return (
    <div role="status" aria-busy={loading}>
      <p class="figures">{describePreview(preview)}</p>
      {!preview.affordability.affordable && (
        <p class="note">
          The balance pays for {countInWords(preview.affordability.maxAffordableRecords, 'record')}: a run is refused, and charges nothing.
        </p>
      )}
      {notes.map((note) => (
        <p class="note" key={note}>
          {note}
        </p>
      ))}
    </div>
  );
}
