/** Accepts a snapshot: reserves its credits and queues its job, both or neither. */
import { submitFiles } from '../../core/billedJobs/submitFiles.ts';
import { canonicalJson } from '../../core/domain/canonicalJson.ts';
import { lowestBound, throwIfAboveBound } from '../../core/domain/credits.ts';
import { ApiError } from '../../core/domain/errors.ts';
import { revisionHash } from '../../core/domain/record/revisionHash.ts';
import type { Unconfirmed, Warning } from '../../core/domain/warnings.ts';
import { LIMIT_MAX } from '../../core/filter/controls.ts';
import type { ParameterReading } from '../../core/filter/parse.ts';
import { type Actor, payerOf } from '../../core/search/actor.ts';
import { priceIds, readPaidIds } from '../../core/search/byIds.ts';
import { countParameters, countUrlOf, isCounted } from '../../core/search/countUrl.ts';
import { exhaustedError, unreservedError } from '../../core/search/delivery.ts';
import { SEND_THE_FLAG } from '../../core/search/governmentWarning.ts';
import { affordableRecords, priceWithUnconfirmed } from '../../core/search/price.ts';
import type { Selection } from '../../core/search/select.ts';
import { environmentOf, type OperationAnswer, type ProjectServices } from '../../core/search/services.ts';
import { evidenceWarning } from '../../core/search/unconfirmedFilters.ts';
import type { FileStore } from '../../core/store/files/fileStore.ts';
import type { Platform } from '../feature.ts';
import { expectedBytes } from './files.ts';
import { snapshotJob } from './job.ts';
import { formOf, parametersOf, type SnapshotBody, snapshotScopeOf } from './request.ts';
import type { SnapshotStore } from './store.ts';
import type { SnapshotForm, SnapshotPayload, StoredSnapshot } from './types.ts';
import { type SnapshotView, snapshotView } from './view.ts';

/** Services of the routes of snapshots; their stores read what sync shows. */
export interface SnapshotServices extends ProjectServices, Pick<Platform, 'sets' | 'lineage'> {
  snapshots: SnapshotStore;
  files: () => Promise<FileStore>;
  /** largest total size of a team's stored snapshots, in bytes */
  teamSnapshotBytes: number;
}

/** The answer when nothing matches; nothing is queued. */
const NO_MATCHING_RECORDS = { status: 'no_matching_records', snapshotId: null, matchCount: 0 } as const;

export type SubmittedSnapshot = SnapshotView | typeof NO_MATCHING_RECORDS;

/** `POST /snapshots`. @throws ApiError */
export async function submitSnapshot(
  services: SnapshotServices,
  actor: Actor,
  body: SnapshotBody,
  read: ParameterReading,
): Promise<OperationAnswer<SubmittedSnapshot>> {
  const form = formOf(body);
  const { selection } = snapshotScopeOf(read, actor.principal, form, environmentOf(services).today);
  const { row, meta } = await submitFiles(services, actor, {
    jobs: services.snapshots,
    selection,
    sendTheFlag: SEND_THE_FLAG,
    same: canonicalJson(body),
    accept: (claiming) => accept(services, claiming, { body, form, selection }),
    findWarnings: warningsOf,
  });
  const appliedDefaults = { ...meta.appliedDefaults, ...(body.representation ? {} : { representation: form.representation }) };
  return { data: row ? snapshotView(row, services.publicUrl) : NO_MATCHING_RECORDS, meta: { ...meta, appliedDefaults } };
}

export function warningsOf({ unconfirmed, truncated, matchCount, recordCount, progress }: StoredSnapshot): Warning[] {
  const records = recordCount ?? progress.total ?? matchCount;
  return [...evidenceWarning(unconfirmed), ...(truncated ? [truncation(records, matchCount)] : [])];
}

const truncation = (records: number, matchCount: number): Warning => ({
  code: 'trial_truncated',
  message: `The free trial pays for ${records} of ${matchCount} matching records, and the snapshot holds no others: what a walk from its cursor brings are changes, not the rest`,
  params: { records, matchCount },
});

interface Asked {
  body: SnapshotBody;
  form: SnapshotForm;
  selection: Selection;
}

async function accept(services: SnapshotServices, actor: Actor, { body, form, selection }: Asked): Promise<StoredSnapshot | undefined> {
  const { snapshots, publicUrl } = services;
  const { principal, signal } = actor;
  const { plan, licence } = principal;
  await services.lineage.continues(undefined, signal);
  const quoted = await quoteSnapshot(services, actor, selection);
  const { matchCount, records, reserve } = quoted;
  const payer = payerOf(actor);
  if (matchCount === 0) {
    await snapshots.acceptNothing(payer);
    return undefined;
  }
  throwIfAboveBound('The snapshot costs', reserve, 'maxCredits', body.maxCredits);
  await throwIfNoRoom(services, form, records);
  const payload: SnapshotPayload = {
    ...form,
    parameters: parametersOf(body),
    today: selection.context.today,
    licence,
    companyDetails: plan.paid,
    rate: plan.recordCredit,
    maxCredits: lowestBound(body.maxCredits, actor.maxCredits),
    matchCount: quoted.shownCount,
    recordsMax: records < matchCount ? records : null,
  };
  const answer = await snapshots.accept(snapshotJob, payer, {
    payload,
    filters: selection.appliedFilters,
    unconfirmed: quoted.unconfirmed,
    records: Math.min(records, quoted.shownCount),
    credits: reserve,
    keptBytesMax: services.teamSnapshotBytes,
  });
  if (answer.outcome === 'accepted') return answer.row;
  if (answer.outcome === 'no_allowance') throw new Error('A snapshot reserves no look-ups');
  throw unreservedError(answer, 'The snapshot costs', 'Narrow the filters.', {
    matchCount,
    matchCountIsExact: true,
    creditRate: plan.recordCredit,
    creditsRequired: reserve,
    affordableRecordCount: affordableRecords(records, reserve, answer.balance),
    countUrl: records === matchCount && isCounted(selection) ? countUrlOf(publicUrl, countParameters(selection, 'all')) : null,
  });
}

/** @throws ApiError `service_unavailable` */
async function throwIfNoRoom({ files }: SnapshotServices, { representation }: SnapshotForm, records: number): Promise<void> {
  const free = await (await files()).freeBytes();
  if (free === null || free >= expectedBytes(representation, records)) return;
  throw new ApiError('service_unavailable', 'There is no room for the files of this snapshot right now; nothing was queued or reserved.', {
    details: { subsystem: 'files' },
  });
}

interface QuotedSnapshot {
  /** of ids that are filtered, all of them */
  matchCount: number;
  /** what the snapshot shows of it until it is paid for */
  shownCount: number;
  /** the records of the snapshot: all of them except on a trial */
  records: number;
  reserve: number;
  unconfirmed: Unconfirmed | null;
}

async function quoteSnapshot(services: SnapshotServices, actor: Actor, selection: Selection): Promise<QuotedSnapshot> {
  const { principal, signal } = actor;
  const ids = await priceIds(services, actor, selection);
  if (ids) {
    const { matchCount, creditsRequired } = ids;
    const { length: shownCount } = await readPaidIds(services, actor, selection);
    return { matchCount, shownCount, records: matchCount, reserve: creditsRequired, unconfirmed: null };
  }
  const { price, unconfirmed } = await priceWithUnconfirmed(services, principal, { query: selection.query, selection }, signal);
  const { matchCount, creditsRequired, creditsRemaining } = price;
  if (principal.plan.shortfall === 'refuse' || !matchCount)
    return { matchCount, shownCount: matchCount, records: matchCount, reserve: creditsRequired, unconfirmed };
  return { matchCount, shownCount: matchCount, unconfirmed, ...(await trialPart(services, actor, selection, creditsRemaining ?? 0)) };
}

/** On a trial, the first records by id: as many as a page may have, and as its credits pay for. */
async function trialPart(
  { sets, holdings }: SnapshotServices,
  { principal, signal }: Actor,
  { query }: Selection,
  balance: number,
): Promise<{ records: number; reserve: number }> {
  const first = await sets.revisions({ query, sort: [{ id: 'asc' }] }, LIMIT_MAX, signal);
  const items = first.map(({ id, contentRevision }) => ({ id, revisionHash: revisionHash(id, contentRevision) }));
  const held = await holdings.pageHoldings(principal.teamId, items);
  let [records, reserve] = [0, 0];
  for (const { id } of items) {
    const cost = held.get(id)?.paid ? 0 : principal.plan.recordCredit;
    if (reserve + cost > balance) break;
    records += 1;
    reserve += cost;
  }
  if (!records) throw exhaustedError('answer');
  return { records, reserve };
}
