/** Reads the records of a snapshot page by page from one moment, and renders them like those of a search. */
import { joinPieces, type Piece, RecordText, type ServedRecord } from '../../core/domain/record/rendered.ts';
import type { FetchedProject, PublicRecord } from '../../core/domain/record/represent.ts';
import type { Representation } from '../../core/domain/record/schemas.ts';
import { type PageItem, toPageItem } from '../../core/ledger/pageOutcome.ts';
import { allOf, anyOf, type Clause, terms } from '../../core/query/clauses.ts';
import { expectedDelivery } from '../../core/search/delivery.ts';
import { renderRecords, withDelivery } from '../../core/search/servePage.ts';
import { hashesOfShown, readPeopleView } from '../../core/search/shownPeople.ts';
import { evidencePaths } from '../../core/search/unconfirmedFilters.ts';
import type { ProjectHit, ProjectPage } from '../../core/store/elastic/projects.ts';
import { waitForLoopTurn } from '../../core/store/loopTurn.ts';
import type { Building } from './building.ts';
import { compressed } from './files.ts';
import { parquetFile } from './parquetFile.ts';
import { GEOMETRY, recordColumns } from './parquetSchema.ts';
import { groupCounties } from './placeOrder.ts';
import type { SnapshotPayload } from './types.ts';

/** The memory that a record takes, as a number of compact records. Two pages are in memory at a time. */
const COMPACT_RECORDS: Record<Representation, number> = { compact: 1, standard: 5, full: 10 };
/** Records that are written before other work of the process gets a turn. */
const RECORDS_A_TURN = 250;
/** Of a Parquet row group: larger groups are smaller in bytes, smaller ones let readers skip more. */
const PAGES_A_GROUP = 2;
const GROUP_RECORDS_MAX = 1000;

/** A part of a selection that is read by itself: in Parquet a few neighbouring counties, so that a reader of one place skips the others. */
interface Part {
  query: Clause;
  sort: Record<string, 'asc'>[];
  counties: readonly (string | null)[];
}

const COUNTY = 'derived.countyId';

/** The parts of a snapshot: one by id, unless it is Parquet of all matches. */
async function listParts({ set, job, frozen, services, context }: Building, least: number): Promise<{ parts: Part[]; records?: number }> {
  const { query } = set.selection;
  const byId = { parts: [{ query, sort: [{ id: 'asc' as const }], counties: [] }] };
  if (job.payload.format !== 'parquet' || job.payload.recordsMax !== null) return byId;
  const counts = await frozen.countBy(COUNTY, query, context.signal);
  const groups = groupCounties(counts, (id) => services.places.county(Number(id)), least);
  if (groups.length < 2) return byId;
  const parts = groups.map((counties): Part => {
    const known = counties.filter((id) => id !== null);
    const clauses = [
      ...(known.length ? [terms(COUNTY, known)] : []),
      ...(known.length < counties.length ? [{ bool: { must_not: [{ exists: { field: COUNTY } }] } }] : []),
    ];
    return { query: allOf([query, anyOf(clauses)]), sort: [{ [COUNTY]: 'asc' }, { id: 'asc' }], counties };
  });
  return { parts, records: [...counts.values()].reduce((sum, count) => sum + count, 0) };
}

/** The pages of a selection; the next one is fetched while one is written. */
export class PageSource {
  readonly #building: Building;
  /** records of a page */
  readonly size: number;
  #left: number;
  readonly #parts: ReturnType<typeof listParts>;
  #part = 0;
  #next: Promise<ProjectPage>;
  /** number of matches at the moment; known after the first call of `hasMore` */
  matchCount = 0;

  /** @param from the record after which to begin, and the number of records to read; by default all */
  constructor(building: Building, from?: { after: ProjectHit | undefined; records: number }) {
    const { recordsMax, representation } = building.job.payload;
    this.#building = building;
    this.size = Math.max(1, building.services.pageRecords / COMPACT_RECORDS[representation]);
    this.#left = from?.records ?? recordsMax ?? Number.POSITIVE_INFINITY;
    this.#parts = listParts(building, this.size);
    this.#parts.catch(() => undefined); // thrown to whoever waits for the page
    this.#next = this.#fetch(from?.after);
  }

  get total(): number {
    return Math.min(this.matchCount, this.#building.job.payload.recordsMax ?? this.matchCount);
  }

  async hasMore(): Promise<boolean> {
    return (await this.#next).hits.length > 0;
  }

  async take(): Promise<ProjectPage> {
    const page = await this.#next;
    this.#left -= page.hits.length;
    this.#next = this.#left <= 0 ? Promise.resolve({ ...page, hits: [] }) : this.#fetch(page.hits.at(-1));
    return page;
  }

  #fetch(after: ProjectHit | undefined): Promise<ProjectPage> {
    const page = this.#read(after);
    page.catch(() => undefined); // thrown to whoever waits for the page
    return page;
  }

  /** The page after a record; behind the last one of a part the first of the next. */
  async #read(last: ProjectHit | undefined): Promise<ProjectPage> {
    const { parts, records } = await this.#parts;
    const countyId = (last?.sort[0] ?? null) as string | null;
    if (last && parts.length > 1) this.#part = parts.findIndex(({ counties }) => counties.includes(countyId));
    let page = await this.#readPart(parts[this.#part] as Part, last);
    if (!last) this.matchCount = records ?? page.total;
    while (!page.hits.length && this.#part < parts.length - 1) page = await this.#readPart(parts[++this.#part] as Part, undefined);
    return page;
  }

  #readPart({ query, sort }: Part, after: ProjectHit | undefined): Promise<ProjectPage> {
    const { frozen, set, context, job } = this.#building;
    const { representation } = job.payload;
    const size = Math.min(this.size, this.#left);
    const toConfirm = evidencePaths(set.selection.filters);
    const request = { query, sort, size, representation, toConfirm, toShow: true, after, count: !after };
    return frozen.page(request, context.signal);
  }
}

/** The content of a file of records. @param pageRecords records of a page */
export function contentOf(
  { format, compression, ...shape }: SnapshotPayload,
  records: AsyncIterable<readonly ServedRecord[]>,
  pageRecords: number,
): AsyncIterable<Uint8Array> {
  return format === 'parquet'
    ? parquetFile(
        asObjects(records),
        recordColumns(shape),
        Math.min(GROUP_RECORDS_MAX, PAGES_A_GROUP * pageRecords),
        shape.geoparquet ?? '1.1',
      )
    : compressed(linesOf(records), compression);
}

async function* linesOf(chunks: AsyncIterable<readonly ServedRecord[]>): AsyncGenerator<Buffer> {
  for await (const records of chunks) {
    const pieces: Piece[] = [];
    for (const record of records)
      if (record instanceof RecordText) pieces.push(...record.pieces, '\n');
      else pieces.push(`${JSON.stringify(record)}\n`);
    yield joinPieces(pieces);
  }
}

/** The record as an object; without a geometry where its point is doubtful. */
const toDrawable = (record: RecordText): PublicRecord =>
  record.locationDoubtful ? { ...record.toJSON(), [GEOMETRY]: null } : record.toJSON();

async function* asObjects(chunks: AsyncIterable<readonly ServedRecord[]>): AsyncGenerator<PublicRecord[]> {
  for await (const records of chunks) yield records.map((record) => (record instanceof RecordText ? toDrawable(record) : record));
}

export interface PageRecords {
  /** a few at a time, so that other work of the process gets a turn */
  chunks: AsyncGenerator<ServedRecord[]>;
  items: PageItem[];
  /** hashes of every person on the page */
  people: string[];
}

/** The records of a page as a search shows them. `delivery` is what the pool holds when the page is written. */
export async function pageOf({ services, job, set, rate }: Building, hits: readonly ProjectHit[]): Promise<PageRecords> {
  const { holdings, publicUrl } = services;
  const { teamId, payload } = job;
  const { representation, withDerived, companyDetails } = payload;
  const projects = hits.map(({ project }) => project);
  const items = projects.map(toPageItem);
  const [held, people] = await Promise.all([
    holdings.pageHoldings(teamId, items),
    readPeopleView(services, { teamId, projects, representation }),
  ]);
  async function* chunks(): AsyncGenerator<ServedRecord[]> {
    for (let from = 0; from < hits.length; from += RECORDS_A_TURN) {
      const some = hits.slice(from, from + RECORDS_A_TURN);
      const found = { hits: some, selection: set.selection, representation, withDerived };
      const records = renderRecords(found, { plan: { paid: companyDetails } }, publicUrl, people);
      yield records.map((record, i) => {
        const project = projects[from + i] as FetchedProject;
        return withDelivery(record, expectedDelivery(held.get(project.id), project, rate));
      });
      await waitForLoopTurn();
    }
  }
  return {
    chunks: chunks(),
    items,
    people: representation === 'compact' ? [] : [...hashesOfShown(services.suppressions, projects, people)],
  };
}
