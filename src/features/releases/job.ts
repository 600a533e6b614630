/** The job that records an event of a new release for every team. */
import { defineJob } from '../../core/jobs/defineJob.ts';
import type { ReleaseStore } from '../../core/store/postgres/releases.ts';
import { recordEvents } from '../webhooks/index.ts';
import { RELEASE_EVENTS } from './events.ts';

const MINUTE_MS = 60_000;

export const announceReleaseJob = defineJob<{ generation: number }, Pick<ReleaseStore, 'takeUnannounced'>>({
  name: 'announce_release',
  prefix: 'rel',
  maxAttempts: 20,
  deadlineMs: () => 30 * MINUTE_MS,
  keptDays: 1,
  retriable: false,
  concurrency: 1,
  work: (releases) => ({
    handler: ({ payload: { generation } }, context) =>
      context.settle(async (tx) => {
        const teams = await tx.query<{ id: number }>('select id from team order by id');
        const event = { type: 'release.published', subjectId: String(generation) };
        await recordEvents(
          tx,
          RELEASE_EVENTS,
          teams.map(({ id }) => ({ ...event, teamId: id })),
        );
        return { status: 'ready' };
      }),
    takeDue: async (tx) => (await releases.takeUnannounced(tx)).map((generation) => ({ payload: { generation } })),
  }),
});
