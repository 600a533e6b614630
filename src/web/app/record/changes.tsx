/** What changed in a record since the reader's team held it. */
import type { DataOf } from '../api.ts';
import { counted, date, moment } from '../words.ts';
import { nameOfField } from './facts.ts';

/** The answer of `GET /projects/{id}/changes`. */
export type RecordChanges = DataOf<'getProjectChanges'>;

/** Names of fields as rows are called; a label changes with its token and is not named twice. */
const namesOf = (fields: readonly string[]) => [...new Set(fields.map((field) => nameOfField(field.replace(/Label$/, ''))))].join(', ');

/** The fields that changed. */
export const changedFields = ({ fields }: RecordChanges): ReadonlySet<string> =>
  new Set((fields ?? []).map((field) => field.replace(/Label$/, '')));

export function Changes({ changes: { owned, changed, fields, changes } }: { changes: RecordChanges }) {
  if (!owned) return null;
  const since = `your team got it on ${moment(owned.lastDeliveredAt)}`;
  if (!changed) return <p class="note">Unchanged since {since}.</p>;
  return (
    <section class="changed" aria-label="What changed">
      <p>
        <strong>Changed</strong> since {since}
        {fields ? `: ${namesOf(fields)}.` : '. That is too long ago for the service to say which values.'}
      </p>
      {changes.length > 1 && (
        <details>
          <summary>{counted(changes.length, 'change')}</summary>
          <ol>
            {changes.map(({ at, fields: names }) => (
              <li key={at}>
                {date(at)}: {namesOf(names)}
              </li>
            ))}
          </ol>
        </details>
      )}
    </section>
  );
}
