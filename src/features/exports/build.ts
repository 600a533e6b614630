/** Builds the CSV of an export from a snapshot of the index, and settles it: file, deliveries and charge in one transaction. */

import { CSV_COLUMNS } from '../../core/domain/record/csv.ts';
import type { PeopleView, Unlock } from '../../core/domain/record/people.ts';
import type { FetchedProject, PublicRecord } from '../../core/domain/record/represent.ts';
import { INCLUDED, type Representation } from '../../core/domain/record/schemas.ts';
import type { FilterName } from '../../core/filter/table.ts';
import type { JobContext } from '../../core/jobs/defineJob.ts';
import { FinalJobError, LostLease } from '../../core/jobs/kind.ts';
import { isLastAttempt, type StartedJob } from '../../core/jobs/store.ts';
import { type PageItem, toPageItem } from '../../core/ledger/pageOutcome.ts';
import type { ContactFinding } from '../../core/people/enrichment.ts';
import { mergedUnlocks } from '../../core/people/unlocks.ts';
import { allOf, terms } from '../../core/query/clauses.ts';
import { sortClauses } from '../../core/query/sort.ts';
import { pricedSelection } from '../../core/search/byIds.ts';
import { expectedDelivery } from '../../core/search/delivery.ts';
import { readOrderCap } from '../../core/search/searchProjects.ts';
import { toPublicRecords } from '../../core/search/servePage.ts';
import { hashesOfShown, readPeopleView } from '../../core/search/shownPeople.ts';
import { evidencePaths, makeUnconfirmedLister, summarizeUnconfirmed } from '../../core/search/unconfirmedFilters.ts';
import { withholdDelivered } from '../../core/search/withhold.ts';
import { exportFileName } from '../../core/store/files/exportFiles.ts';
import { type FileStore, FileStoreError } from '../../core/store/files/fileStore.ts';
import { type ContactFinder, type EnrichmentStore, FinderUnavailable, lookUps, opensSomething } from '../contacts/index.ts';
import type { Platform } from '../feature.ts';
import { writeCsv } from './csvFile.ts';
import { acceptedSet } from './request.ts';
import type { ExportStore } from './store.ts';
import type { ExportPayload } from './types.ts';

type PlatformServices = 'store' | 'sets' | 'holdings' | 'suppressions' | 'unlocks' | 'lineage' | 'places' | 'publicUrl' | 'now' | 'log';

export interface ExportCsvServices extends Pick<Platform, PlatformServices> {
  exports: ExportStore;
  files: () => Promise<FileStore>;
  enrichments: EnrichmentStore;
  /** null when contact finding is disabled */
  finder: ContactFinder | null;
}

/** Collected while the pages of a file are written, for its settlement. */
interface Gathered {
  items: PageItem[];
  matchCount: number;
  /** for each row, the filters that its served values do not confirm */
  unconfirmed: FilterName[][];
  /** hashes of every person in the file */
  people: Set<string>;
  findings: ReadonlyMap<number, ContactFinding>;
}

/**
 * Builds the file and settles the export. Before the settlement only the file exists, so that an attempt may crash anywhere: the next one
 * starts over with another file name.
 */
export async function buildExport(services: ExportCsvServices, job: StartedJob<ExportPayload>, context: JobContext): Promise<void> {
  const { signal } = context;
  const { rate } = job.payload;
  if (rate > 0) await services.lineage.throwUnlessRight();
  const files = await services.files();
  const name = exportFileName(job.id, job.attempt);
  const gathered: Gathered = { items: [], matchCount: 0, unconfirmed: [], people: new Set(), findings: new Map() };
  try {
    gathered.findings = await lookUpContacts(services, job, context);
    const isShown = !filtersIds(services, job);
    const progress = async (processed: number) => {
      if (isShown) await context.progress({ processed, total: Math.min(gathered.matchCount, job.payload.rowsMax) });
    };
    const pages = recordsOf(services, job, gathered, signal);
    const { rowCount, sizeBytes, sha256, longCells } = await writeCsv(files, name, pages, signal, progress, columnsOf(job.payload));
    const file = { name, rowCount, sizeBytes, sha256, longCells };
    // Files of attempts that crashed before their settlement; no export will ever refer to them.
    for (let earlier = 1; earlier < job.attempt; earlier++) await files.delete(exportFileName(job.id, earlier)).catch(() => undefined);
    if (rate > 0) await services.lineage.throwUnlessRight();
    if (!isShown) gathered.matchCount = rowCount;
    await context.settle(async (tx) => {
      await services.exports.settle(tx, job, { file, ...gathered, unconfirmed: summarizeUnconfirmed(gathered.unconfirmed) });
      return { status: 'ready' };
    });
  } catch (error) {
    // Not after an outage during the settlement, when the file may belong to a ready export. A remaining file is deleted by the
    // upkeep.
    if (error instanceof LostLease || error instanceof FinalJobError) await files.delete(name).catch(() => undefined);
    throw error instanceof FileStoreError && error.failure === 'full' && isLastAttempt(job) ? storageFull(error) : error;
  }
}

/** Whether the file filters among ids of records that cost credits: until it is paid for, nothing says how many of them match. */
function filtersIds({ places }: Pick<ExportCsvServices, 'places'>, { payload }: StartedJob<ExportPayload>): boolean {
  const { selection } = acceptedSet(payload, places);
  return pricedSelection(selection, { recordCredit: payload.rate }) !== selection;
}

/** The column comes after those of a standard record. */
const columnsOf = ({ withDerived }: ExportPayload) => (withDerived ? [...CSV_COLUMNS, ...INCLUDED] : CSV_COLUMNS);

const storageFull = (cause: FileStoreError) =>
  new FinalJobError('service_unavailable', 'The file could not be written; its credits were given back. Queue the export again later.', {
    cause,
  });

/** Pages of records in the order of the search, collected for the settlement. `delivery` shows what the pool holds during the build. */
async function* recordsOf(
  services: ExportCsvServices,
  { payload, teamId }: StartedJob<ExportPayload>,
  gathered: Gathered,
  signal: AbortSignal,
): AsyncGenerator<PublicRecord[]> {
  if (teamId === null) throw new Error('An export has no team');
  const { store, sets, holdings, places, publicUrl, now, suppressions } = services;
  const { selection, sort, deliveryMode } = acceptedSet(payload, places);
  // What is read from a record is read from all of it.
  const representation: Representation = payload.withDerived ? 'full' : 'standard';
  const clauses = sortClauses(sort, await readOrderCap({ store, now }, { selection, sort }, signal));
  const wanted = { query: selection.query, order: async () => clauses, max: payload.rowsMax };
  const withheld = deliveryMode === 'new' ? await withholdDelivered({ holdings, store }, { principal: { teamId }, signal }, wanted) : null;
  const request = {
    query: withheld?.query ?? selection.query,
    sort: clauses,
    representation,
    toConfirm: evidencePaths(selection.filters),
  } as const;
  const failing = makeUnconfirmedLister(selection);
  for await (const { hits, total } of sets.frozen(request, payload.rowsMax, signal)) {
    const items = hits.map(({ project }) => toPageItem(project));
    gathered.matchCount = withheld?.left ?? total;
    gathered.items.push(...items);
    gathered.unconfirmed.push(...hits.map(failing).filter((names) => names.length));
    const projects = hits.map(({ project }) => project);
    const [held, known] = await Promise.all([
      holdings.pageHoldings(teamId, items),
      readPeopleView(services, { teamId, projects, representation: 'standard', withContacts: payload.contacts !== undefined }),
    ]);
    const people = withFindings(known, gathered.findings);
    for (const hash of hashesOfShown(suppressions, projects, people)) gathered.people.add(hash);
    const found = { hits, selection, representation, withDerived: payload.withDerived };
    const records = toPublicRecords(found, { plan: { paid: payload.companyDetails } }, publicUrl, people);
    yield records.map((record, i) => {
      const project = projects[i] as FetchedProject;
      return Object.assign(record, { delivery: expectedDelivery(held.get(project.id), project, payload.rate) });
    });
  }
}

/** Looks up contacts that no earlier attempt has looked up. @returns the findings of all attempts */
async function lookUpContacts(
  services: ExportCsvServices,
  job: StartedJob<ExportPayload>,
  context: JobContext,
): Promise<ReadonlyMap<number, ContactFinding>> {
  const { contacts } = job.payload;
  const { enrichments, finder } = services;
  if (!contacts) return new Map();
  const known = await enrichments.findings(job.id);
  const wanted = (await readLookedUp(services, job, context.signal)).filter((id) => !known.has(id));
  // Contact finding was disabled since the export was accepted: the file is built without it, and the credits reserved for look-ups are
  // given back.
  if (!finder || !wanted.length) return known;
  try {
    for await (const found of lookUps({ ...services, finder }, wanted, contacts.options, context.signal))
      await context.write((tx) => enrichments.keep(tx, job.id, found));
  } catch (error) {
    if (!(error instanceof FinderUnavailable) || !isLastAttempt(job)) throw error;
  }
  return enrichments.findings(job.id);
}

/** The records whose contacts are looked up. Look-ups for ids that are filtered were reserved for all of them. */
async function readLookedUp(services: ExportCsvServices, job: StartedJob<ExportPayload>, signal: AbortSignal): Promise<readonly number[]> {
  const { projectIds = [] } = job.payload.contacts ?? {};
  if (!filtersIds(services, job)) return projectIds;
  const { selection } = acceptedSet(job.payload, services.places);
  return services.store.ids(allOf([selection.query, terms('id', projectIds)]), projectIds.length, signal);
}

/** The contacts that the pool has unlocked, merged with the findings of this file's look-ups. */
function withFindings({ hides, unlockOf }: PeopleView, findings: ReadonlyMap<number, ContactFinding>): PeopleView {
  if (!findings.size) return { hides, unlockOf };
  return {
    hides,
    unlockOf: (ids) => {
      const found = ids.flatMap((id) => findings.get(id) ?? []).filter(opensSomething);
      const before = unlockOf(ids);
      return [...found, ...(before ? [before] : [])].reduce<Unlock | null>((all, one) => (all ? mergedUnlocks(all, one) : one), null);
    },
  };
}
