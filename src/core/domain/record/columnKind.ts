/** The kind of column that a field is, by its JSON Schema: in Parquet files and in tables of databases alike. Pure. */

/** What is read of a JSON Schema. */
export interface ValueSchema {
  type?: string | readonly string[];
  format?: string;
  items?: ValueSchema;
  properties?: Readonly<Record<string, ValueSchema>>;
  anyOf?: readonly ValueSchema[];
}

export type ColumnKind = 'boolean' | 'integer' | 'number' | 'date' | 'instant' | 'text' | 'list' | 'object' | 'json';

/** The schema of a value that is not null. */
export function withoutNull(schema: ValueSchema): ValueSchema {
  const some = schema.anyOf?.find(({ type }) => type !== 'null');
  return some ? withoutNull(some) : schema;
}

const FORMATS: Readonly<Record<string, ColumnKind>> = { date: 'date', 'date-time': 'instant' };

/** `list` and `object` have a known shape; `json` is any value. */
export function columnKind(sent: ValueSchema): ColumnKind {
  const { type, format = '', items, properties } = withoutNull(sent);
  switch ([type].flat().find((one) => one !== 'null')) {
    case 'boolean':
      return 'boolean';
    case 'integer':
      return 'integer';
    case 'number':
      return 'number';
    case 'string':
      return FORMATS[format] ?? 'text';
    case 'array':
      return items ? 'list' : 'json';
    case 'object':
      return properties ? 'object' : 'json';
    default:
      return 'json';
  }
}
