/** The job that checks every body daily and after each release, and records an event for one that fell silent or reports again. */

import type { Places } from '../../core/domain/places.ts';
import { isWithin } from '../../core/domain/principal.ts';
import { readBodyKey } from '../../core/domain/record/bodyMeetings.ts';
import { serviceToday } from '../../core/domain/serviceClock.ts';
import { defineJob } from '../../core/jobs/registry.ts';
import type { Queryable } from '../../core/store/postgres/pool.ts';
import { recordEvents } from '../webhooks/index.ts';
import { FRESHNESS_EVENTS } from './events.ts';
import { learnBodies } from './learnBodies.ts';
import type { MeetingStore } from './meetingStore.ts';
import type { FreshnessStore } from './store.ts';
import { BODY_RECORDS_MIN, type BodyChange, type KnownBody } from './types.ts';
import { viewPlace } from './view.ts';

const MINUTE_MS = 60_000;

interface FreshnessServices {
  freshness: FreshnessStore;
  meetings: MeetingStore;
  places: Places;
  now: () => Date;
}

/** The bodies that fell silent or report again since the last check. A body that was unknown then is not among them. */
export function findChanges(before: readonly Pick<KnownBody, 'bodyKey' | 'staleSince'>[], now: readonly KnownBody[]): BodyChange[] {
  const wasStale = new Map(before.map(({ bodyKey, staleSince }) => [bodyKey, staleSince !== null]));
  return now.flatMap(({ bodyKey, staleSince, expectedBy, missed }) => {
    const [was, is] = [wasStale.get(bodyKey), staleSince !== null];
    if (was === undefined || was === is) return [];
    return { type: is ? 'coverage.stale' : 'coverage.recovered', bodyKey, expectedBy, missed } as const;
  });
}

/** Records events of the changes for every team whose licence covers the place. */
async function recordChanges(tx: Queryable, { freshness, places }: FreshnessServices, changes: readonly BodyChange[]): Promise<void> {
  if (!changes.length) return;
  const teams = await freshness.teamScopes(tx);
  const events = changes.flatMap(({ type, bodyKey, expectedBy, missed }) => {
    const body = readBodyKey(bodyKey);
    const details = { place: viewPlace(body, places), expectedBy, missed };
    const covered = teams.filter(({ scope }) => isWithin(scope, body));
    return covered.map(({ id: teamId }) => ({ teamId, type, subjectId: bodyKey, details }));
  });
  await recordEvents(tx, FRESHNESS_EVENTS, events);
}

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
      const { freshness, meetings, now } = services;
      const [named, extractedAt] = await Promise.all([meetings.readBodies(context.signal), freshness.extractionTimes()]);
      const bodies = learnBodies(named, extractedAt, serviceToday(now()));
      await context.settle(async (tx) => {
        const before = await freshness.lockAll(tx);
        const changes = findChanges(before, bodies);
        await freshness.replace(tx, bodies, changes);
        const counts = new Map(bodies.map(({ bodyKey, recordCount }) => [bodyKey, recordCount]));
        await recordChanges(
          tx,
          services,
          changes.filter(({ bodyKey }) => (counts.get(bodyKey) ?? 0) >= BODY_RECORDS_MIN),
        );
        return { status: 'ready' };
      });
    },
    takeDue: async (tx) => ((await services.freshness.takeCheck(tx, serviceToday(services.now()))) ? [{ payload: {} }] : []),
  }),
});
