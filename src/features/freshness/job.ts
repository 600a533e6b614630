/** The job that checks every body daily and after each release, and records an event for one that fell silent or reports again. */

import type { Places } from '../../core/domain/places.ts';
import { isWithin } from '../../core/domain/principal.ts';
import { readBodyKey } from '../../core/domain/record/bodyMeetings.ts';
import { serviceToday } from '../../core/domain/serviceClock.ts';
import { defineJob } from '../../core/jobs/defineJob.ts';
import type { Queryable } from '../../core/store/postgres/pool.ts';
import { recordEvents } from '../webhooks/index.ts';
import { FRESHNESS_EVENTS } from './events.ts';
import { learnBodies } from './learnBodies.ts';
import type { MeetingStore } from './meetingStore.ts';
import { BODY_RECORDS_MIN, type FreshnessStore } from './store.ts';
import type { BodyChange, KnownBody, SentChange } from './types.ts';
import { viewPlace } from './view.ts';

const MINUTE_MS = 60_000;

interface FreshnessServices {
  freshness: FreshnessStore;
  meetings: MeetingStore;
  places: Places;
  now: () => Date;
}

/**
 * The bodies that fell silent or report again since the last check. A body that was unknown then did not fall silent since; one reports again
 * only if it was said to be silent.
 * @param before as the last check left them, by key
 * @param silent keys of the bodies that are said to be silent
 */
export const findChanges = (
  before: ReadonlyMap<string, Pick<KnownBody, 'staleSince'>>,
  silent: Pick<ReadonlySet<string>, 'has'>,
  now: readonly Pick<KnownBody, 'bodyKey' | 'staleSince' | 'expectedBy' | 'missed'>[],
): BodyChange[] =>
  now.flatMap(({ bodyKey, staleSince, expectedBy, missed }) => {
    const isSaid = silent.has(bodyKey);
    if (staleSince === null) return isSaid ? { type: 'coverage.recovered', bodyKey, expectedBy, missed } : [];
    return before.get(bodyKey)?.staleSince === null && !isSaid ? { type: 'coverage.stale', bodyKey, expectedBy, missed } : [];
  });

/**
 * The teams that are sent the event of each change: those whose licence covers the place, and of a body that reports again only those that were
 * sent that it fell silent.
 * @param shown keys of the bodies that answers show
 */
async function addressChanges(
  tx: Queryable,
  { freshness }: FreshnessServices,
  changes: readonly BodyChange[],
  { silent, shown }: { silent: ReadonlyMap<string, number[]>; shown: ReadonlySet<string> },
): Promise<SentChange[]> {
  if (!changes.length) return [];
  const teams = await freshness.listTeamScopes(tx);
  return changes.map((change) => {
    const body = readBodyKey(change.bodyKey);
    const covered = shown.has(change.bodyKey) ? teams.filter(({ scope }) => isWithin(scope, body)).map(({ id }) => id) : [];
    const told = silent.get(change.bodyKey);
    return { ...change, teamIds: change.type === 'coverage.stale' ? covered : covered.filter((id) => told?.includes(id)) };
  });
}

const makeEvents = (changes: readonly SentChange[], places: Places) =>
  changes.flatMap(({ type, bodyKey, expectedBy, missed, teamIds }) => {
    const details = { place: viewPlace(readBodyKey(bodyKey), places), expectedBy, missed };
    return teamIds.map((teamId) => ({ teamId, type, subjectId: bodyKey, details }));
  });

export const checkFreshnessJob = defineJob<Record<string, never>, FreshnessServices>({
  name: 'check_freshness',
  prefix: 'fre',
  maxAttempts: 20,
  deadlineMs: () => 30 * MINUTE_MS,
  keptDays: 1,
  retriable: false,
  concurrency: 1,
  work: (services) => ({
    async handler(_, context) {
      const { freshness, meetings, places, now } = services;
      const [named, loads] = await Promise.all([meetings.readBodies(context.signal), freshness.readLoads()]);
      await context.settle(async (tx) => {
        const [before, silent] = [await freshness.lockAll(tx), await freshness.listSilentTeams(tx)];
        const bodies = learnBodies(named, loads, before, serviceToday(now()));
        const shown = new Set(bodies.flatMap(({ bodyKey, recordCount }) => (recordCount >= BODY_RECORDS_MIN ? [bodyKey] : [])));
        const changes = await addressChanges(tx, services, findChanges(before, silent, bodies), { silent, shown });
        await freshness.replace(tx, bodies, changes);
        await recordEvents(tx, FRESHNESS_EVENTS, makeEvents(changes, places));
        return { status: 'ready' };
      });
    },
    takeDue: async (tx) => ((await services.freshness.takeCheck(tx, serviceToday(services.now()))) ? [{ payload: {} }] : []),
  }),
});
