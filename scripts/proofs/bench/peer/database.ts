/** The corpus as somebody would keep it in SQLite for the five questions of the suite `peer`, and those questions in SQL. */
import { rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { FIELDS_OF } from '../../../../src/core/domain/record/schemas.ts';
import { GOVERNMENT_DECISIONS } from '../../../../src/core/domain/vocabulary.ts';
import { withProgress } from '../../../lib/progress.ts';
import { type Corpus, documentLines } from '../corpus.ts';
import { type FinalDocument, readDocument } from '../plain.ts';

const FIELDS = FIELDS_OF.compact;
const TYPES: Readonly<Record<string, string>> = { id: 'integer primary key', latitude: 'real', longitude: 'real' };
/** A word between texts, so that no phrase matches across them. */
const BETWEEN = 'qzendoftextzq';

const SCHEMA = `
  create table records (${FIELDS.map((name) => `"${name}" ${TYPES[name] ?? ''}`).join()});
  create virtual table places using rtree(id, west, east, south, north);
  create virtual table texts using fts5(text, content='');
  create table uses (subtype text, meetingDate text, id integer, primary key (subtype, meetingDate, id)) without rowid;`;

/** Rows hold lists and objects as JSON. */
const toColumn = (value: unknown): string | number | null => {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean') return Number(value);
  return typeof value === 'object' ? JSON.stringify(value) : (value as string | number);
};

export async function writeDatabase(file: string, corpus: Corpus): Promise<void> {
  rmSync(file, { force: true });
  const database = new DatabaseSync(file);
  database.exec(`pragma journal_mode = off; pragma synchronous = off; ${SCHEMA} begin`);
  const insert = (table: string, columns: number) => database.prepare(`insert into ${table} values (${Array(columns).fill('?').join()})`);
  const [records, places, uses] = [insert('records', FIELDS.length), insert('places', 5), insert('uses', 3)];
  const texts = database.prepare('insert into texts (rowid, text) values (?, ?)');
  let written = 0;
  await withProgress('Wrote them into SQLite', corpus.n, async (done) => {
    for (const line of documentLines(corpus)) {
      const { record, asked } = readDocument(line as FinalDocument, corpus.today);
      const { id, meetingDate } = record as { id: number; meetingDate: string | null };
      records.run(...FIELDS.map((name) => toColumn(record[name])));
      if (asked.location) places.run(id, asked.location.lon, asked.location.lon, asked.location.lat, asked.location.lat);
      for (const subtype of new Set(asked.subtypes)) uses.run(subtype, meetingDate, id);
      texts.run(id, asked.text.join(` ${BETWEEN} `));
      done(++written);
    }
  });
  database.exec("commit; create index changes on records (lastUpdated, id); insert into texts(texts) values ('optimize'); analyze");
  database.close();
}

const ORDER = (table: string) => `order by ${table}.meetingDate desc, ${table}.lastUpdated desc, ${table}.id desc`;

/** A page of matches: the first are found by the columns that order them, and only these are read whole. */
const page = (from: string, where: string) => `
  select records.* from (
    select r.id, r.meetingDate, r.lastUpdated from ${from} where ${where}
    and r.propertyType is not '${GOVERNMENT_DECISIONS}' and r.meetingDate between :from and :to ${ORDER('r')} limit 100
  ) found cross join records on records.id = found.id ${ORDER('found')}`;

const real = (name: string) => `cast(:${name} as real)`;
const IN_BOX = `p.east >= ${real('west')} and p.west <= ${real('east')} and p.north >= ${real('south')} and p.south <= ${real('north')}
  and r.longitude between ${real('west')} and ${real('east')} and r.latitude between ${real('south')} and ${real('north')}`;
const SHAPE = `geomfromgeojson('{"type":"Polygon","coordinates":[' || :polygon || ']}')`;
const PLACES = 'places p cross join records r on r.id = p.id';

/** The questions in SQL. @param spatialite whether it is installed */
export const sqlOf = (spatialite: boolean) => ({
  bbox: page(PLACES, IN_BOX),
  polygon: spatialite
    ? page(`(select ${SHAPE} as shape) cross join ${PLACES}`, `${IN_BOX} and st_intersects(shape, makepoint(r.longitude, r.latitude))`)
    : page(PLACES, `${IN_BOX} and in_polygon(r.longitude, r.latitude, :polygon)`),
  taxonomy: page('uses u cross join records r on r.id = u.id', 'u.subtype = :subtype and u.meetingDate between :from and :to'),
  phrase: page('texts cross join records r on r.id = texts.rowid', 'texts match :words'),
  walk: 'select * from records where (lastUpdated, id) > (:lastUpdated, cast(:id as integer)) order by lastUpdated, id limit 100',
});
