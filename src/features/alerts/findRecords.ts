/** The records that a run delivers: its first candidates, or with a requirement those that were confirmed. */

import type { Principal } from '../../core/domain/principal.ts';
import type { FetchedProject, PublicRecord } from '../../core/domain/record/represent.ts';
import { toPageItem } from '../../core/ledger/pageOutcome.ts';
import { allOf, terms } from '../../core/query/clauses.ts';
import { environmentOf } from '../../core/search/services.ts';
import { makeUnconfirmedLister, summarizeUnconfirmed } from '../../core/search/unconfirmedFilters.ts';
import type { FeedPage } from '../../core/store/elastic/changeFeed.ts';
import { scopeScreener } from '../aiSearch/index.ts';
import { type AlertWithCriteria, advancePosition, type Candidates, findCandidates, readFirstCandidates } from './candidates.ts';
import { filtersIds } from './criteria.ts';
import { describeHeading } from './describeRecord.ts';
import type { AlertServices } from './manage.ts';
import { toCompactRecord } from './matches.ts';
import { explainNew, makeLongHeardClause } from './newlyRead.ts';
import { JUDGED_MAX, judgeCandidates, REQUIREMENT_UNREAD, readOrElse, selectToJudge } from './requirement.ts';
import type { DigestEntry, RunItem, RunResult } from './runTypes.ts';
import type { Finding, StoredAlert } from './types.ts';

/** The principal of a run: the current plan and licence of the team. */
export type RunPrincipal = Pick<Principal, 'teamId' | 'plan' | 'licence' | 'monthlyCredits'>;

const toRunItem = (project: FetchedProject): RunItem => ({ ...toPageItem(project), lastUpdated: project.lastUpdated });

const toDigestEntry = (id: number, record: PublicRecord): DigestEntry => ({
  ...describeHeading(id, record),
  date: record.meetingDate as string | null,
  status: record.statusLabel as string | null,
  url: record.serviceLink as string,
});

/**
 * The records that a run delivers; if the requirement cannot be judged, by the filters alone.
 * @throws ApiError `search_unavailable`
 */
export async function findRecords(
  given: AlertServices,
  asked: AlertWithCriteria & { principal: RunPrincipal },
  signal: AbortSignal,
): Promise<RunResult> {
  const { alert, principal } = asked;
  const services = scopeScreener(given, { subject: alert.id, teamId: principal.teamId });
  const environment = environmentOf(services);
  const findByFilters = async (reason: string | null, known?: Candidates): Promise<RunResult> => {
    const candidates = known ?? (await findCandidates(services, asked, principal, environment, signal, true));
    const page = await readFirstCandidates(services, candidates, alert.maxRecordsPerRun, signal);
    const items = page.hits.map(({ project }) => ({ project, finding: null }));
    const position = advancePosition(candidates, page);
    const moreMatched = page.total - items.length;
    return { ...(await makeRunResult(services, asked, candidates, page, items, signal)), refused: [], reason, moreMatched, position };
  };
  const findConfirmed = async (): Promise<RunResult> => {
    const candidates = await findCandidates(services, asked, principal, environment, signal);
    const { plan } = candidates;
    if (!plan) return findByFilters(null, candidates);
    const page = await selectToJudge(services, candidates, plan, JUDGED_MAX, signal);
    const projects = page.hits.map(({ project }) => project);
    const found = await judgeCandidates(services, plan, projects, alert.maxRecordsPerRun, signal);
    const items = found.confirmed.slice(0, alert.maxRecordsPerRun);
    const moreMatched = page.total - found.judged + found.confirmed.length - items.length;
    const position = advancePosition(candidates, page);
    return {
      ...(await makeRunResult(services, asked, candidates, page, items, signal)),
      refused: found.refused.map(toRunItem),
      reason: null,
      moreMatched,
      position,
    };
  };
  return readOrElse(findConfirmed, () => findByFilters(REQUIREMENT_UNREAD));
}

async function makeRunResult(
  services: AlertServices,
  { alert, principal }: { alert: StoredAlert; principal: RunPrincipal },
  { selection, position }: Candidates,
  { hits }: FeedPage,
  found: readonly { project: FetchedProject; finding: Finding | null }[],
  signal: AbortSignal,
): Promise<Pick<RunResult, 'items' | 'digest' | 'unconfirmedAmong' | 'hidesMore'>> {
  const longHeard = await findLongHeard(services, found, selection.context.today, signal);
  const failing = makeUnconfirmedLister(selection);
  const failed = new Map(hits.map((hit) => [hit.project.id, failing(hit)]));
  const items = found.map(({ project, finding }) => ({
    ...toRunItem(project),
    finding,
    record: toCompactRecord(services, project),
    newBecause: explainNew(project, position, longHeard.has(project.id)),
    earlier: project.earlierRevisions ?? [],
  }));
  return {
    items,
    hidesMore: filtersIds(alert, selection, principal),
    digest: items.map(({ id, record }) => toDigestEntry(id, record)),
    unconfirmedAmong: (count) => summarizeUnconfirmed(items.slice(0, count).map(({ id }) => failed.get(id) ?? [])),
  };
}

/** Ids of those of the records that were last heard too long ago to be news. */
async function findLongHeard(
  { sets, newlyReadDays }: AlertServices,
  found: readonly { project: FetchedProject }[],
  today: string,
  signal: AbortSignal,
): Promise<Set<number>> {
  if (!found.length) return new Set();
  const ids = found.map(({ project }) => project.id);
  const query = allOf([terms('id', ids), makeLongHeardClause(today, newlyReadDays)]);
  return new Set((await sets.revisions({ query, sort: [{ id: 'asc' }] }, ids.length, signal)).map(({ id }) => id));
}
