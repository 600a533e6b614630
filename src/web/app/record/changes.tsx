/** What changed in a record since the reader's team held it. */
import type { RecordChanges } from '../shared/answers.ts';
import { nameOfField } from '../shared/facts.ts';
import { countInWords, date, moment, number } from '../shared/words.ts';

/** Names of fields as rows are called; a label changes with its token and is not named twice. */
const namesOf = (fields: readonly string[]) => [...new Set(fields.map((field) => nameOfField(field.replace(/Label$/, ''))))].join(', ');

export const changedFields = ({ fields }: RecordChanges): ReadonlySet<string> =>
  new Set((fields ?? []).map((field) => field.replace(/Label$/, '')));

type Change = RecordChanges['changes'][number];
type FieldChange = Change['fields'][number];

/** A value that is short enough for a line; null for others, whose field is named alone. */
function shortText(value: unknown): string | null {
  if (value === null || value === undefined) return 'nothing';
  if (typeof value === 'number') return number(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const text = Array.isArray(value) && value.every((one) => typeof one === 'string') ? value.join(', ') : value;
  if (typeof text !== 'string' || text.length > SHORT) return null;
  return TOKEN.test(text) ? text.replaceAll('_', ' ') : text;
}

const SHORT = 80;
const TOKEN = /^[a-z][a-z0-9_]*$/;

/** What a field was and became. */
function FieldLine({ field }: { field: FieldChange }) {
  const { name } = field;
  const [before, after] = 'before' in field ? [shortText(field.before), shortText(field.after)] : [null, null];
  if (before === null || after === null) return <li>{nameOfField(name)}</li>;
  return (
    <li>
      {nameOfField(name)}: <del>{before}</del> → <ins>{after}</ins>
    </li>
  );
}

/** Every change that is remembered and may be shown, newest first. */
function History({ changes, what }: { changes: readonly Change[]; what: string }) {
  if (!changes.length) return null;
  return (
    <details>
      <summary>{countInWords(changes.length, what)}, with what was before</summary>
      <ol>
        {changes.toReversed().map(({ at, fields }) => (
          <li key={at}>
            {date(at)}
            <ul>
              {fields.map((field) => (
                <FieldLine key={field.name} field={field} />
              ))}
            </ul>
          </li>
        ))}
      </ol>
    </details>
  );
}

export function Changes({ changes: { owned, changed, fields, changes } }: { changes: RecordChanges }) {
  if (!owned) return null;
  const since = `your team got it on ${moment(owned.lastDeliveredAt)}`;
  if (!changed)
    return (
      <div class="note">
        <p>Unchanged since {since}.</p>
        <History changes={changes} what="earlier change" />
      </div>
    );
  return (
    <section class="changed" aria-label="What changed">
      <p>
        <strong>Changed</strong> since {since}
        {fields ? `: ${namesOf(fields)}.` : '. That is too long ago for the service to say which values.'}
      </p>
      <History changes={changes} what="change" />
    </section>
  );
}
