/** A run of an alert, by hand or because it is due: what is new or changed is delivered, charged and noted in one transaction. */

import { grantOf } from '../../core/domain/credits.ts';
import { ApiError, type Refusal, refusalOf } from '../../core/domain/errors.ts';
import type { Plan } from '../../core/domain/plans.ts';
import type { Principal } from '../../core/domain/principal.ts';
import type { FetchedProject, PublicRecord } from '../../core/domain/record/represent.ts';
import { revisionHash } from '../../core/domain/record/revisionHash.ts';
import { handOverWithMail } from '../../core/identity/handOver.ts';
import { membersOf } from '../../core/identity/share.ts';
import type { Payer } from '../../core/ledger/ledger.ts';
import { alertsOfTopic } from '../../core/mail/topics.ts';
import { type Actor, claimOf, payerOf } from '../../core/search/actor.ts';
import { evidenceWarning, unconfirmedAmong, unconfirmedBy } from '../../core/search/evidence.ts';
import { once } from '../../core/search/idempotency.ts';
import { type Answer, environmentOf } from '../../core/search/services.ts';
import type { FeedPage } from '../../core/store/elastic/changeFeed.ts';
import type { Queryable } from '../../core/store/postgres/pool.ts';
import { scopeScreener } from '../aiSearch/index.ts';
import { type Candidates, candidatesOf, firstCandidates, positionAfter } from './candidates.ts';
import { criteriaProblems } from './criteria.ts';
import { type Digestible, digestMail, mailedMembers, pausedMail, refusalMail } from './mails.ts';
import { type AlertServices, knownAlert, living } from './manage.ts';
import { compactRecord } from './matches.ts';
import { countProblems } from './preview.ts';
import { JUDGED_MAX, judgeCandidates, orByFilters, REQUIREMENT_UNREAD, worthJudging } from './requirement.ts';
import {
  type BegunRun,
  type DigestEntry,
  type DuePayload,
  type ManualRuns,
  type RunItem,
  RunLost,
  RunRefused,
  type RunResult,
} from './runStore.ts';
import { pauseAlert } from './store.ts';
import { type Finding, headingOf, type StoredAlert, type StoredDelivery } from './types.ts';
import { type DeliveryView, deliveryView } from './view.ts';

/** Who a run is for: the plan and licence of the team as they are now. */
export type RunPrincipal = Pick<Principal, 'teamId' | 'plan' | 'licence' | 'monthlyCredits'>;

interface Run extends BegunRun {
  alert: StoredAlert;
  principal: RunPrincipal;
  payer: Payer;
  /** commits something with the end of the run, whatever that is */
  settle(tx: Queryable, delivery: StoredDelivery): Promise<void>;
}

/** What its receipt names. */
const causeOfRun = ({ alert, deliveryId }: Pick<Run, 'alert' | 'deliveryId'>) => ({ alertId: alert.id, deliveryId });

/** In whose transaction a run writes: the pool's, or that of a job's attempt. */
export type InTransaction = <T>(work: (tx: Queryable) => Promise<T>) => Promise<T>;

const shortfallOf = (plan: Plan) => ({ rate: plan.recordCredit, truncate: plan.shortfall === 'truncate' });

const itemOf = ({ id, contentRevision: revision, lastUpdated }: FetchedProject): RunItem => ({
  id,
  revision,
  revisionHash: revisionHash(id, revision),
  lastUpdated,
});

const entryOf = (id: number, record: PublicRecord): DigestEntry => ({
  ...headingOf(id, record),
  date: record.meetingDate as string | null,
  status: record.statusLabel as string | null,
  url: record.serviceLink as string,
});

/** What a run delivers; where the requirement cannot be read, by the filters alone. @throws ApiError `search_unavailable` */
async function find(given: AlertServices, { alert, principal }: Run, signal: AbortSignal): Promise<RunResult> {
  const services = scopeScreener(given, { subject: alert.id, teamId: principal.teamId });
  const environment = environmentOf(services);
  const byFilters = async (reason: string | null, known?: Candidates): Promise<RunResult> => {
    const candidates = known ?? (await candidatesOf(services, alert, principal, environment, signal, true));
    const page = await firstCandidates(services, candidates, alert.maxRecordsPerRun, signal);
    const items = page.hits.map(({ project }) => ({ project, finding: null }));
    const position = positionAfter(candidates, page);
    return { ...delivering(services, candidates, page, items), refused: [], reason, moreMatched: page.total - items.length, position };
  };
  const confirmed = async (): Promise<RunResult> => {
    const candidates = await candidatesOf(services, alert, principal, environment, signal);
    const { plan } = candidates;
    if (!plan) return byFilters(null, candidates);
    const page = await worthJudging(services, candidates, plan, JUDGED_MAX, signal);
    const projects = page.hits.map(({ project }) => project);
    const found = await judgeCandidates(services, plan, projects, alert.maxRecordsPerRun, signal);
    const items = found.confirmed.slice(0, alert.maxRecordsPerRun);
    const moreMatched = page.total - found.judged + found.confirmed.length - items.length;
    const position = positionAfter(candidates, page);
    return { ...delivering(services, candidates, page, items), refused: found.refused.map(itemOf), reason: null, moreMatched, position };
  };
  return orByFilters(confirmed, () => byFilters(REQUIREMENT_UNREAD));
}

function delivering(
  services: AlertServices,
  { selection }: Candidates,
  { hits }: FeedPage,
  found: readonly { project: FetchedProject; finding: Finding | null }[],
): Pick<RunResult, 'items' | 'digest' | 'unconfirmedAmong'> {
  const failing = unconfirmedBy(selection);
  const failed = new Map(hits.map((hit) => [hit.project.id, failing(hit)]));
  const items = found.map(({ project, finding }) => ({ ...itemOf(project), finding, record: compactRecord(services, project) }));
  return {
    items,
    digest: items.map(({ id, record }) => entryOf(id, record)),
    unconfirmedAmong: (count) => unconfirmedAmong(items.slice(0, count).map(({ id }) => failed.get(id) ?? [])),
  };
}

/**
 * Runs an alert that was begun, to its end: completed, or refused with its reason. Of a refused run nothing but its row is written.
 * @param inTransaction called once for the end, and again where the first was rolled back
 * @throws ApiError `search_unavailable`, `service_unavailable`; RunLost
 */
async function runToEnd(services: AlertServices, run: Run, inTransaction: InTransaction, signal = new AbortController().signal) {
  const problems = criteriaProblems(run.alert.filters, run.principal, services.places);
  const unusable = problems.filter(({ answer }) => answer !== 'geographic_access_denied');
  if (unusable.length) return inTransaction((tx) => pause(services, tx, run, unusable));
  if (problems.length) return inTransaction((tx) => refuse(services, tx, run, 'geographic_access_denied'));
  const found = await find(services, run, signal);
  try {
    return await inTransaction(async (tx) => {
      const { alert, payer, principal } = run;
      const done = await services.runs.complete(tx, run, { alert, payer, terms: shortfallOf(principal.plan) }, found);
      await run.settle(tx, done.delivery);
      return done;
    });
  } catch (error) {
    if (!(error instanceof RunRefused)) throw error;
    return inTransaction((tx) => refuse(services, tx, run, error.reason));
  }
}

interface Ended {
  delivery: StoredDelivery;
  balance: number | null;
}

async function refuse(services: AlertServices, tx: Queryable, run: Run, reason: string): Promise<Ended> {
  const delivery = await services.runs.end(tx, run, 'refused', reason);
  await mailMembers(services, tx, run.alert, (recipient) => refusalMail(recipient, run.alert, delivery, services.publicUrl));
  await run.settle(tx, delivery);
  return { delivery, balance: null };
}

/** Stored filters that no longer parse stop the alert, and its members hear why. */
async function pause(services: AlertServices, tx: Queryable, run: Run, problems: readonly Refusal[]): Promise<Ended> {
  const { alert } = run;
  const delivery = await services.runs.end(tx, run, 'failed', 'unusable_filters');
  const shown = problems.map(({ param, code, message }) => ({ param, code, message }));
  await pauseAlert(tx, alert, shown);
  await mailMembers(services, tx, alert, (recipient) => pausedMail(recipient, alert, shown, services.publicUrl));
  await run.settle(tx, delivery);
  return { delivery, balance: null };
}

async function mailMembers(
  { accounts, outbox }: AlertServices,
  tx: Queryable,
  alert: StoredAlert,
  mail: (recipient: string) => Parameters<AlertServices['outbox']['put']>[1],
): Promise<void> {
  const roster = await accounts.mailableRoster(alert.teamId, tx);
  for (const { recipient } of mailedMembers(alert, roster)) await outbox.put(tx, mail(recipient));
}

/** One mail for each recipient of alerts that ran together; alerts that a recipient has unsubscribed from are left out. */
async function mailDigests(services: AlertServices, tx: Queryable, digests: readonly Digestible[]): Promise<void> {
  const news = digests.filter(({ delivery }) => delivery.newRecords + delivery.changedRecords > 0);
  const [first] = news;
  if (!first) return;
  const { teamId } = first.alert;
  const roster = await services.accounts.mailableRoster(teamId, tx);
  const confirmed = await services.alerts.confirmed(tx, teamId);
  const ours = new Set(roster.map(({ email }) => email?.toLowerCase()));
  const members = new Map<string, Digestible[]>();
  const others = new Map<string, Digestible[]>();
  const add = (to: Map<string, Digestible[]>, recipient: string, digest: Digestible) =>
    to.set(recipient, [...(to.get(recipient) ?? []), digest]);
  for (const digest of news) {
    const { notify } = digest.alert;
    const own = notify.email ? mailedMembers(digest.alert, roster).map(({ recipient }) => recipient.toLowerCase()) : [];
    for (const recipient of own) add(members, recipient, digest);
    for (const address of notify.emailTo)
      if (!own.includes(address) && (ours.has(address) || confirmed.has(address))) add(others, address, digest);
  }
  for (const [map, personal] of [
    [members, true],
    [others, false],
  ] as const)
    for (const [recipient, all] of map) {
      const stopped = new Set((await services.outbox.stoppedTopics(tx, recipient)).flatMap(alertsOfTopic));
      const wanted = all.filter(({ alert }) => !stopped.has(alert.id));
      if (wanted.length) await services.outbox.put(tx, digestMail(recipient, wanted, services.publicUrl, personal));
    }
}

/** `POST /alerts/{id}/run`. An Idempotency-Key belongs to the alert. @throws ApiError `manual_runs_exhausted`, `search_unavailable` */
export async function runManually(services: AlertServices, actor: Actor, id: string): Promise<Answer<DeliveryView>> {
  if (actor.cause.kind !== 'request') throw new Error('A manual run is asked for by a request');
  const alert = await knownAlert(services, actor, id);
  const ofAlert = { ...actor, cause: { ...actor.cause, route: `POST /alerts/${id}/run` } };
  const { delivery, charged } = await once(services, ofAlert, id, {
    run: async (claiming) => newRun(services, claiming, living(alert)),
    replay: async ({ kept }) => ({ delivery: await replayed(services, id, (kept as { deliveryId: string }).deliveryId), charged: 0 }),
  });
  return {
    data: delivery,
    meta: {
      creditsUsed: charged,
      manualRuns: await services.runs.manualRuns(id),
      warnings: evidenceWarning(delivery.unconfirmed),
    },
  };
}

async function replayed({ runs, publicUrl }: AlertServices, alertId: string, deliveryId: string): Promise<DeliveryView> {
  const delivery = await runs.delivery(alertId, deliveryId);
  if (!delivery) throw new Error(`The delivery ${deliveryId} of a settled key is not there`);
  return deliveryView(delivery, publicUrl);
}

interface RunAnswer {
  delivery: DeliveryView;
  charged: number;
}

async function newRun(services: AlertServices, actor: Actor, alert: StoredAlert): Promise<RunAnswer> {
  const { runs, idempotency, publicUrl } = services;
  const { principal } = actor;
  // A run that is refused with its price, and uses none of the day's, says what a preview says.
  const unpriced = actor.maxCredits !== undefined && principal.plan.recordCredit ? countProblems(alert, services.places) : [];
  if (unpriced.length) throw refusalOf(unpriced);
  const begun = await runs.begin(alert.id, 'manual', null);
  if (begun.state === 'ended') throw new Error(`The alert ${alert.id} is not there`);
  if (begun.state === 'exhausted') throw exhausted(await runs.manualRuns(alert.id));
  if (begun.state === 'already_running') {
    const claim = claimOf(actor);
    if (claim) await idempotency.release(principal.teamId, claim);
    return { delivery: { ...(await replayed(services, alert.id, begun.deliveryId)), status: 'already_running' }, charged: 0 };
  }
  const paying = payerOf(actor);
  const payer = { ...paying, claim: undefined, cause: { ...paying.cause, ...causeOfRun(begun) } };
  const settle: Run['settle'] = async (tx, delivery) => {
    const claim = claimOf(actor);
    const { creditsCharged: cost } = delivery;
    if (claim)
      await idempotency.settle(tx, principal.teamId, claim, {
        ids: [],
        cost,
        at: new Date().toISOString(),
        kept: { deliveryId: delivery.id },
      });
    if (delivery.status === 'completed')
      await mailDigests(services, tx, [{ alert: begun.alert, delivery, entries: await runs.takeDigest(tx, delivery.id) }]);
  };
  try {
    const run = { ...begun, principal, payer, settle };
    const { delivery } = await runToEnd(services, run, (work) => runs.transaction(work), actor.signal);
    return { delivery: deliveryView(delivery, publicUrl), charged: delivery.creditsCharged };
  } catch (error) {
    // Not where another process took it over: it is that one's to end.
    if (!(error instanceof RunLost)) await runs.transaction((tx) => runs.end(tx, begun, 'failed', codeOf(error))).catch(() => undefined); // a later run finds it dead
    throw error instanceof RunLost
      ? new ApiError('service_unavailable', 'The run took too long and was given up; nothing was charged.')
      : error;
  }
}

const codeOf = (error: unknown) => (error instanceof ApiError ? error.code : 'internal_error');

function exhausted(runs: ManualRuns): ApiError {
  const seconds = Math.max(1, Math.ceil((Date.parse(runs.resetsAt) - Date.now()) / 1000));
  return new ApiError('manual_runs_exhausted', `The ${runs.limit} manual runs of this alert today are used; scheduled runs go on`, {
    details: { ...runs },
    headers: { 'Retry-After': String(seconds) },
  });
}

/** How the end of a due run is committed: with its job. */
export interface DueAttempt {
  /** ends the job in the transaction of `work` */
  settle(work: (tx: Queryable) => Promise<void>): Promise<void>;
  signal: AbortSignal;
}

/** The alert is running by hand; the due run waits for its turn. */
export class AlertBusy extends Error {}

/** A run that is due. May be called again after any crash. @throws AlertBusy */
export async function runDue(services: AlertServices, due: DuePayload, { settle, signal }: DueAttempt): Promise<void> {
  const begun = await services.runs.begin(due.alertId, 'scheduled', new Date(due.dueAt));
  if (begun.state === 'already_running') throw new AlertBusy(`The alert ${due.alertId} is running`);
  if (begun.state !== 'begun') return settle((tx) => endDue(services, tx, due));
  const { alert } = begun;
  const { plan, monthlyCredits, licence, status } = await services.accounts.principalOf(alert.teamId);
  const principal = { teamId: alert.teamId, plan, monthlyCredits, licence };
  const payer: Payer = { teamId: alert.teamId, grant: grantOf(principal), cause: { userId: alert.createdBy, ...causeOfRun(begun) } };
  const run: Run = { ...begun, principal, payer, settle: (tx) => endDue(services, tx, due) };
  const committing: InTransaction = async (work) => {
    let result: Awaited<ReturnType<typeof work>> | undefined;
    await settle(async (tx) => {
      result = await work(tx);
    });
    return result as Awaited<ReturnType<typeof work>>;
  };
  // Stopped or switched off since it fell due.
  if (alert.status !== 'active') return settle(async (tx) => void (await skip(services, tx, run, 'not_active')));
  // Of an account that a version before this one closed.
  if (!membersOf(alert.share, alert.createdBy, await services.accounts.roster(alert.teamId)).length)
    return settle(async (tx) => {
      await handOverWithMail(tx, services.outbox, alert.teamId);
      await skip(services, tx, run, 'not_active');
    });
  if (status !== 'active') return settle(async (tx) => void (await refuse(services, tx, run, 'subscription_required')));
  await runToEnd(services, run, committing, signal);
}

async function skip(services: AlertServices, tx: Queryable, run: Run, reason: string): Promise<void> {
  const delivery = await services.runs.end(tx, run, 'failed', reason);
  await run.settle(tx, delivery);
}

/** The last alert of a team to end that was due at one time writes the digests of all of them. */
async function endDue(services: AlertServices, tx: Queryable, due: DuePayload): Promise<void> {
  const ended = await services.runs.endDue(tx, due);
  if (!ended?.length) return;
  const digests: Digestible[] = [];
  // One after the other: a transaction is one connection.
  for (const { digest: entries, ...delivery } of ended)
    digests.push({ alert: await alertOf(services, tx, delivery.alertId), delivery, entries });
  await mailDigests(services, tx, digests);
}

async function alertOf({ alerts }: AlertServices, tx: Queryable, id: string): Promise<StoredAlert> {
  const alert = await alerts.byId(tx, id);
  if (!alert) throw new Error(`The alert ${id} is not there`);
  return alert;
}

/** A due run whose job failed for good, in the transaction that fails it. */
export async function giveUpDue(services: AlertServices, tx: Queryable, due: DuePayload): Promise<void> {
  await services.runs.failDue(tx, due);
  await endDue(services, tx, due);
}
