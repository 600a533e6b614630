/** An enrichment as answers show it. Pure. */
import { MS_PER_PROJECT } from '../../core/people/enrichment.ts';
import type { StoredEnrichment } from './store.ts';

type EnrichmentStatus = 'queued' | 'running' | 'completed' | 'failed';
export type Enrichment = ReturnType<typeof enrichmentView>;

const statusOf = ({ jobStatus, startedAt }: StoredEnrichment): EnrichmentStatus => {
  if (jobStatus === 'failed' || jobStatus === 'completed') return jobStatus;
  return startedAt ? 'running' : 'queued';
};

function noteOf({ notAttempted, jobStatus }: StoredEnrichment): string | null {
  if (jobStatus !== 'completed' || !notAttempted.length) return null;
  return `${notAttempted.length} projects were not looked up and cost nothing; sending exactly the ids in notAttempted again is free to try.`;
}

/** @param publicUrl root of the service, without a trailing slash */
export function enrichmentView(stored: StoredEnrichment, publicUrl: string) {
  const { id, accepted, alreadyEnriched, notPurchased, notFound, processed, found, notAttempted } = stored;
  return {
    id,
    enrichmentJobId: id,
    status: statusOf(stored),
    accepted,
    skipped: { alreadyEnriched, notPurchased, notFound },
    processed,
    found,
    pending: stored.settledAt ? 0 : accepted.length - processed,
    notAttempted,
    note: noteOf(stored),
    error: stored.error,
    creditsReserved: stored.creditsReserved,
    creditsCharged: stored.creditsCharged ?? 0,
    creditsRefunded: stored.creditsRefunded ?? 0,
    estimatedCompletion: new Date(stored.createdAt.getTime() + accepted.length * MS_PER_PROJECT).toISOString(),
    createdAt: stored.createdAt.toISOString(),
    settledAt: stored.settledAt?.toISOString() ?? null,
    pollUrl: `${publicUrl}/v1/enrichments/${id}`,
  };
}
