/** Looks up the contacts of an enrichment and settles it: unlocks, charge and allowance in one transaction. */

import { defineJob, type JobContext } from '../../core/jobs/defineJob.ts';
import { DeadlinePassed, FinalJobError, type JobError } from '../../core/jobs/kind.ts';
import { isLastAttempt, type StartedJob } from '../../core/jobs/store.ts';
import { type ContactFinding, type EnrichmentPayload, MS_PER_PROJECT } from '../../core/people/enrichment.ts';
import type { Platform } from '../feature.ts';
import { type ContactFinder, FinderUnavailable } from './finder.ts';
import { lookUps } from './lookUps.ts';
import type { EnrichmentStore } from './store.ts';

const SWITCHED_OFF: JobError = {
  code: 'enrichment_unavailable',
  message: 'Contact finding was switched off. Credits and attempts were given back.',
};

const FINDER_AWAY: JobError = {
  code: 'service_unavailable',
  message: 'The contact finder did not answer. Credits and attempts were given back; send the ids again later.',
};

const BACKOFF = { backoffMs: 2_000, backoffMaxMs: 60_000 };

interface EnrichServices extends Pick<Platform, 'store' | 'suppressions'> {
  enrichments: EnrichmentStore;
  /** null if contact finding is switched off */
  finder: ContactFinder | null;
}

export const enrichmentJob = defineJob<EnrichmentPayload, EnrichServices>({
  name: 'enrichment',
  prefix: 'enr',
  maxAttempts: 6,
  deadlineMs: ({ projects }) => 300_000 + projects.length * MS_PER_PROJECT,
  keptDays: 90,
  retriable: false,
  concurrency: 4,
  backoff: BACKOFF,
  work: (services) => ({
    handler: (job, context) => enrich(services, job, context),
    giveBack: (tx, job) => services.enrichments.giveBack(tx, job),
  }),
});

async function enrich(services: EnrichServices, job: StartedJob<EnrichmentPayload>, context: JobContext): Promise<void> {
  const { enrichments, finder } = services;
  if (!finder) throw new FinalJobError(SWITCHED_OFF.code, SWITCHED_OFF.message);
  const known = await enrichments.findings(job.id);
  const { projects, options } = job.payload;
  const ceiling = options.maxProjects ?? projects.length;
  const wanted = projects.slice(0, ceiling).flatMap(({ projectId }) => (known.has(projectId) ? [] : [projectId]));
  try {
    for await (const found of lookUps({ ...services, finder }, wanted, options, context.signal))
      await keep(enrichments, job, context, found);
  } catch (error) {
    if (!mayEndEarly(error, job, context)) throw error;
    // Deliver what was found. If nothing was, the error fails the job.
    if (!(await enrichments.findings(job.id)).size) throw new FinalJobError(FINDER_AWAY.code, FINDER_AWAY.message, { cause: error });
  }
  await context.settle(async (tx) => {
    await enrichments.settle(tx, job);
    return { status: 'completed' };
  });
}

const keep = (enrichments: EnrichmentStore, job: StartedJob, { write }: JobContext, found: ReadonlyMap<number, ContactFinding>) =>
  write((tx) => enrichments.keep(tx, job.id, found));

/** Whether the job may end with what was found: at its deadline, or if the finder does not answer the last attempt either. */
function mayEndEarly(error: unknown, job: StartedJob, { signal }: JobContext): boolean {
  if (signal.aborted) return signal.reason instanceof DeadlinePassed;
  return error instanceof FinderUnavailable && isLastAttempt(job);
}
