/**
 * The SQL statements of a copy in a table. With history, versions are rows of `NAME_history` with `valid_from`, `valid_to` and `is_current` (a
 * slowly changing dimension of type 2), and NAME is a view of the current ones. Pure.
 */
import { type Column, type Dialect, quoted } from './dialects.ts';

interface TableShape {
  dialect: Dialect;
  name: string;
  /** including `id` and `lastUpdated` */
  columns: readonly Column[];
  history: boolean;
}

export interface TableSql {
  /** name of the table that contains the rows */
  rowsTable: string;
  create(): string[];
  /** undoes `create` */
  drop: string[];
  addColumn(column: Column): string;
  /** run after columns were added */
  replaceView(): string[];
  /** each takes records as a JSON array, with distinct ids */
  upsert: string[];
  /** each takes `[{id, at}]` as JSON */
  remove: string[];
  count: string;
  /** for a copy that is rebuilt while its rows stay: a temporary table of the ids that were seen */
  seen: { table: string; create: string[]; add: string; remove: string; drop: string };
  /** removes the rows whose ids were not seen; `$1` is the time */
  removeUnseen: string;
}

const ID: Column = { name: 'id', kind: 'integer' };
const MOMENT: Column = { name: 'lastUpdated', kind: 'instant' };
const AT: Column = { name: 'at', kind: 'instant' };

export function tableSql(shape: TableShape): TableSql {
  const { dialect, name, columns, history } = shape;
  const { types, rowsOf, columnOf, greatest } = dialect;
  const rowsTable = history ? `${name}_history` : name;
  const seenTable = `${name}_seen`;
  const [rows, seen] = [quoted(rowsTable), quoted(seenTable)];
  const names = columns.map((column) => quoted(column.name));
  const definitions = columns.map(({ name: column, kind }) => `${quoted(column)} ${types[kind]}${column === 'id' ? ' not null' : ''}`);
  const values = columns.map(columnOf).join(', ');
  const others = names.filter((column) => column !== '"id"').map((column) => `${column} = excluded.${column}`);
  const removedIds = `select ${columnOf(ID)} from ${rowsOf([ID])}`;
  const replaceView = () => (history ? dialect.replaceView(quoted(name), `select ${names.join(', ')} from ${rows} where is_current`) : []);

  const plain = {
    create: () => [`create table ${rows} (${definitions.join(', ')}, primary key (id))`],
    upsert: [
      `insert into ${rows} (${names.join(', ')}) select ${values} from ${rowsOf(columns)} where true on conflict (id) do update set ${others.join(', ')}`,
    ],
    remove: [`delete from ${rows} where id in (${removedIds})`],
    removeUnseen: `delete from ${rows} where cast($1 as text) is not null and id not in (select id from ${seen})`,
  };

  const moment = columnOf(MOMENT);
  const stated = `(select ${columnOf(ID)} as id, ${moment} as moment from ${rowsOf([ID, MOMENT])}) as stated`;
  const left = `(select ${columnOf(ID)} as id, ${columnOf(AT)} as moment from ${rowsOf([ID, AT])}) as gone`;
  const last = `select max(coalesce(v.valid_to, v.valid_from)) from ${rows} as v where v.id = ${columnOf(ID)}`;
  const close = (moment: string) => `update ${rows} as h set is_current = false, valid_to = ${moment}`;
  const versions = {
    create: () => [
      `create table ${rows} (${definitions.join(', ')}, valid_from ${types.instant} not null, valid_to ${types.instant}, is_current ${types.boolean} not null, primary key (id, valid_from))`,
      ...replaceView(),
    ],
    upsert: [
      `${close('stated.moment')} from ${stated} where h.id = stated.id and h.is_current and h.valid_from < stated.moment`,
      `insert into ${rows} (${names.join(', ')}, valid_from, valid_to, is_current) select ${values}, ${greatest}(${moment}, coalesce((${last}), ${moment})), null, true from ${rowsOf(columns)} where true on conflict (id, valid_from) do update set ${others.join(', ')}, valid_to = null, is_current = true`,
    ],
    remove: [`${close(`${greatest}(gone.moment, h.valid_from)`)} from ${left} where h.id = gone.id and h.is_current`],
    removeUnseen: `${close(`${greatest}(cast($1 as ${types.instant}), h.valid_from)`)} where h.is_current and h.id not in (select id from ${seen})`,
  };

  return {
    ...(history ? versions : plain),
    rowsTable,
    drop: [...(history ? [`drop view ${quoted(name)}`] : []), `drop table ${rows}`],
    addColumn: ({ name: column, kind }) => `alter table ${rows} add column ${quoted(column)} ${types[kind]}`,
    replaceView,
    count: `select count(*) as records from ${quoted(name)}`,
    seen: {
      table: seenTable,
      create: [`create table if not exists ${seen} (id ${types.integer} primary key)`, `delete from ${seen}`],
      add: `insert into ${seen} (id) ${removedIds} where true on conflict (id) do nothing`,
      remove: `delete from ${seen} where id in (${removedIds})`,
      drop: `drop table if exists ${seen}`,
    },
  };
}
