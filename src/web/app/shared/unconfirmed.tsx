/** Says why matches of a filter do not show what it asks for. */
import { nameInWords, number } from './words.ts';

interface Unconfirmed {
  /** filters that a match may meet by an earlier reading alone, so that its own value is empty */
  filters: readonly string[];
  /** how many do; absent where it is not known of all that match */
  records?: number;
}

/** @param warnings of an answer */
export const readUnconfirmed = (warnings: readonly { code: string; params?: unknown }[] = []): Unconfirmed =>
  (warnings.find(({ code }) => code === 'filter_evidence_unconfirmed')?.params as Unconfirmed | undefined) ?? { filters: [] };

export const UnconfirmedNote = ({ filters, records }: Unconfirmed) =>
  filters.length > 0 ? (
    <p class="unconfirmed note">
      {records === 1 ? 'One of these matches' : `${records === undefined ? 'Some' : number(records)} of these match`}{' '}
      {filters.map(nameInWords).join(' and ')} only by an earlier reading of the minutes: there they show nothing, or Unknown.
    </p>
  ) : null;
