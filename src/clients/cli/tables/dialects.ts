/** The differences between databases: types, and how a JSON array becomes rows. Pure. */
import type { ColumnKind } from '../../../core/domain/record/columnKind.ts';

export interface Column {
  name: string;
  kind: ColumnKind;
}

export interface Dialect {
  types: Readonly<Record<ColumnKind, string>>;
  /** begins a writing transaction */
  begin: string;
  /** name of the function for the greater of two values */
  greatest: 'greatest' | 'max';
  /** the `from` item that makes the JSON array `$1` rows `r` */
  rowsOf(columns: readonly Column[]): string;
  /** a column of such a row */
  columnOf(column: Column): string;
  /** names of the columns of a table or view whose name is `$1`, as `name` */
  columnNames: string;
  replaceView(view: string, select: string): string[];
}

/** A quoted name for SQL. */
export const quoted = (name: string): string => `"${name}"`;

const POSTGRES_TYPES = {
  boolean: 'boolean',
  integer: 'bigint',
  number: 'double precision',
  date: 'date',
  instant: 'timestamptz',
  text: 'text',
  list: 'jsonb',
  object: 'jsonb',
  json: 'jsonb',
} as const;

const DUCKDB_TYPES = { ...POSTGRES_TYPES, number: 'double', text: 'varchar', list: 'json', object: 'json', json: 'json' } as const;

const SQLITE_TYPES = {
  boolean: 'integer',
  integer: 'integer',
  number: 'real',
  date: 'text',
  instant: 'text',
  text: 'text',
  list: 'text',
  object: 'text',
  json: 'text',
} as const;

const FROM_CATALOGUE = `select column_name as name from information_schema.columns where table_schema = current_schema() and table_name = $1`;
const fieldOfRow = ({ name }: Column) => `r.${quoted(name)}`;
const createOrReplace = (view: string, select: string) => [`create or replace view ${view} as ${select}`];

export const DIALECTS = {
  postgres: {
    types: POSTGRES_TYPES,
    begin: 'begin',
    greatest: 'greatest',
    rowsOf: (columns) =>
      `jsonb_to_recordset($1::jsonb) as r(${columns.map(({ name, kind }) => `${quoted(name)} ${POSTGRES_TYPES[kind]}`).join(', ')})`,
    columnOf: fieldOfRow,
    columnNames: FROM_CATALOGUE,
    replaceView: createOrReplace,
  },
  duckdb: {
    types: DUCKDB_TYPES,
    begin: 'begin',
    greatest: 'greatest',
    rowsOf: (columns) => {
      const shape = JSON.stringify([Object.fromEntries(columns.map(({ name, kind }) => [name, DUCKDB_TYPES[kind]]))]);
      return `(select unnest(from_json_strict($1, '${shape}')) as r)`;
    },
    columnOf: fieldOfRow,
    columnNames: FROM_CATALOGUE,
    replaceView: createOrReplace,
  },
  sqlite: {
    types: SQLITE_TYPES,
    begin: 'begin immediate',
    greatest: 'max',
    rowsOf: () => 'json_each($1) as r',
    columnOf: ({ name }) => `json_extract(r.value, '$.${quoted(name)}')`,
    columnNames: 'select name from pragma_table_info($1)',
    replaceView: (view, select) => [`drop view if exists ${view}`, `create view ${view} as ${select}`],
  },
} as const satisfies Record<string, Dialect>;

export type DatabaseKind = keyof typeof DIALECTS;
