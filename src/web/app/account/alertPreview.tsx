/** What the next run of an alert would deliver and cost, with settings that need not be saved. */
import { useEffect } from 'preact/hooks';
import type { PreviewAlertData } from '../../../clients/client/generated.ts';
import type { Input } from '../../../clients/client/prepare.ts';
import { Loading, Notice } from '../shared/ui.tsx';
import { useCall, usePaused } from '../shared/useAnswer.ts';
import { countInWords, number } from '../shared/words.ts';

const TYPED_MS = 400;

function describePreview({
  matchCount,
  matchCountIsExact,
  wouldDeliver,
  creditRate,
  creditsRequired,
  creditsRemaining,
}: PreviewAlertData): string {
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
  body: NonNullable<Input<'previewAlertWith'>['body']>;
  /** changes when the alert has run */
  version: string;
  /** called with the credits that are shown, and with null while none are shown */
  onPrice: (credits: number | null) => void;
}

export function PreviewFigures({ id, body, version, onPrice }: PreviewFiguresProps) {
  const settled = usePaused(body, TYPED_MS);
  const { answer, problem, loading, again } = useCall('previewAlertWith', { id, body: settled }, version);
  const isCurrent = !loading && !problem && JSON.stringify(settled) === JSON.stringify(body);
  useEffect(() => onPrice(isCurrent && answer ? answer.data.creditsRequired : null), [isCurrent, answer]);
  if (problem) return <Notice problem={problem} again={again} />;
  if (!answer) return <Loading what="Working out the next run" />;
  const { data: preview, meta } = answer;
  const notes = meta.warnings.map(({ code, message }) => (code in WARNING_WORDS ? WARNING_WORDS[code] : message)).filter(Boolean);
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
