/** Says why matches of a filter do not show what it asks for. */
import { nameInWords } from './words.ts';

interface SentWarning {
  code: string;
  params?: unknown;
}

/** Filters that a match may meet by an earlier reading alone, so that its own value is empty. */
export const unconfirmedBy = (warnings: readonly SentWarning[] = []): readonly string[] =>
  warnings.flatMap(({ code, params }) => (code === 'filter_evidence_unconfirmed' ? (params as { filters: string[] }).filters : []));

export const UnconfirmedNote = ({ filters }: { filters: readonly string[] }) =>
  filters.length > 0 ? (
    <p class="notice calm">
      Some of these match {filters.map(nameInWords).join(' and ')} by what an earlier reading of the minutes says. The present one does not
      say it: they show nothing there, or Unknown.
    </p>
  ) : null;
