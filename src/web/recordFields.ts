/** The file of the record table that the page's table of records is built from: a column for each field. */
import * as cellText from '../core/domain/record/cellText.ts';
import { FIELD_NAMES, type FieldName, fieldOf } from '../core/domain/record/fields.ts';
import { PARTY_COLUMNS } from '../core/domain/record/nested.ts';
import { nameOfField } from './app/shared/facts.ts';
import { type Asset, assetOf } from './assets.ts';
import type { FieldKind, RecordField, RecordFields } from './shared/recordField.ts';

/** Texts that may be longer than this are prose. */
const WORDS_LENGTH_MAX = 2000;

function kindOf(name: FieldName): FieldKind {
  const { served, facet } = fieldOf(name);
  const { type, format, maxLength = 0 } = served as { type?: string | string[]; format?: string; maxLength?: number };
  const [first] = [type].flat();
  if (first === 'array' || first === 'object') return 'list';
  if (first === 'boolean') return 'flag';
  if (first === 'number' || first === 'integer') return facet === 'measurement' ? 'measure' : 'number';
  if (format === 'date') return 'day';
  if (format === 'date-time') return 'moment';
  return maxLength > WORDS_LENGTH_MAX ? 'prose' : 'text';
}

const LABELLED = new Set(FIELD_NAMES.map((name) => fieldOf(name).labels));

/** A field with a label has its name; the field itself is the code. */
const headingOf = (name: FieldName) => `${nameOfField(fieldOf(name).labels ?? name)}${LABELLED.has(name) ? ', code' : ''}`;

function fieldFor(name: FieldName): RecordField {
  const { tier, summary, labels, csv } = fieldOf(name);
  const text = csv && Object.entries(cellText).find(([, one]) => one === csv)?.[0];
  return { name, heading: headingOf(name), tier, summary, kind: kindOf(name), ...(labels ? { labels } : {}), ...(text ? { text } : {}) };
}

/** A column for each role of a party; roles of contacts are any words, which the page finds in the records. */
const roleFields = PARTY_COLUMNS.map((name): RecordField => {
  const heading = nameOfField(name.slice('parties.'.length));
  const summary = `${heading}, as the filing names one or several`;
  return { name, heading, tier: 'standard', summary, kind: 'list', text: 'parties', of: 'parties' };
});

/** Every column that a table can have. */
export const COLUMN_FIELDS: readonly RecordField[] = [...FIELD_NAMES.map(fieldFor), ...roleFields];

/** @param sorts each value of `sort` */
export function recordFieldsAsset(sorts: RecordFields['sorts']): Asset {
  const content: RecordFields = { fields: COLUMN_FIELDS, sorts };
  return assetOf('recordFields.json', JSON.stringify(content));
}
