/** The job that looks at every restriction daily and after each release, and records events of what changed. */
import { findRestrictionChanges, type RestrictionChange } from '../../core/domain/restriction/changes.ts';
import type { StoredRestriction } from '../../core/domain/restriction/schemas.ts';
import { computeStatus } from '../../core/domain/restriction/status.ts';
import { serviceToday } from '../../core/domain/serviceClock.ts';
import { defineJob } from '../../core/jobs/defineJob.ts';
import { type RestrictionStore, toListsText } from '../../core/store/postgres/restrictions.ts';
import type { FreshnessStore } from '../freshness/index.ts';
import { recordEvents } from '../webhooks/index.ts';
import type { AnnouncedSources, RestrictionCheckStore } from './checkStore.ts';
import { makeDetails, RESTRICTION_EVENTS } from './events.ts';
import { isLicensed } from './listRestrictions.ts';

const MINUTE_MS = 60_000;

const TYPES: Readonly<Record<RestrictionChange, string>> = {
  adopted: 'restriction.adopted',
  extended: 'restriction.extended',
  ending: 'restriction.ending',
  ended: 'restriction.ended',
};

interface CheckServices {
  restrictions: Pick<RestrictionStore, 'read' | 'readServedLists'>;
  checks: RestrictionCheckStore;
  freshness: Pick<FreshnessStore, 'listTeamScopes'>;
  now: () => Date;
}

type Teams = Awaited<ReturnType<FreshnessStore['listTeamScopes']>>;

/** The events of a source. Of one that is new to the service nothing has changed: its restrictions are what there is. */
function announceSource(restrictions: readonly StoredRestriction[], known: AnnouncedSources[string] | undefined, on: string, teams: Teams) {
  const announced = { ...known };
  const events = restrictions.flatMap((one) => {
    const found = findRestrictionChanges(one, known?.[one.id], on);
    announced[one.id] = found.announced;
    const details = makeDetails(one, computeStatus(one, on), found.announced.end);
    const its = teams.filter(({ scope }) => isLicensed(scope, one));
    return (known ? found.changes : []).flatMap((change) =>
      its.map(({ id }) => ({ teamId: id, type: TYPES[change], subjectId: String(one.id), details })),
    );
  });
  return { announced, events };
}

export const checkRestrictionsJob = defineJob<Record<string, never>, CheckServices>({
  name: 'check_restrictions',
  prefix: 'rch',
  maxAttempts: 20,
  deadlineMs: () => 30 * MINUTE_MS,
  keptDays: 1,
  retriable: false,
  concurrency: 1,
  work: ({ restrictions, checks, freshness, now }) => ({
    async handler(_, context) {
      const lists = await restrictions.readServedLists();
      const sources = await Promise.all(
        Object.entries(lists).map(async ([name, id]) => [name, await restrictions.read({ [name]: id })] as const),
      );
      await context.settle(async (tx) => {
        const [announced, teams] = [await checks.lock(tx), await freshness.listTeamScopes(tx)];
        const made = sources.map(([name, all]) => [name, announceSource(all, announced[name], serviceToday(now()), teams)] as const);
        await checks.write(tx, { ...announced, ...Object.fromEntries(made.map(([name, source]) => [name, source.announced])) });
        const events = made.flatMap(([, source]) => source.events);
        if (events.length) await recordEvents(tx, RESTRICTION_EVENTS, events);
        return { status: 'ready' };
      });
    },
    takeDue: async (tx) => {
      const lists = toListsText(await restrictions.readServedLists());
      return lists && (await checks.takeCheck(tx, serviceToday(now()), lists)) ? [{ payload: {} }] : [];
    },
  }),
});
