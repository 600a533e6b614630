/** Works on AI searches. */
import { AI_SEARCH_KIND } from '../domain/aiSearch.ts';
import { runAiSearch } from '../operations/aiSearch/runAiSearch.ts';
import { giveBack, type SettlingServices } from '../operations/aiSearch/settleAiSearch.ts';
import { defineJob, type JobDefinition } from './registry.ts';

const CONCURRENCY = 2;
const UPKEEP_MS = 3_600_000;

export function screenJob(services: SettlingServices): JobDefinition<unknown> {
  return defineJob({
    kind: AI_SEARCH_KIND,
    concurrency: CONCURRENCY,
    handler: (job, context) => runAiSearch(services, job, context),
    giveBack: (tx, job) => giveBack(services, tx, job, 'failed'),
    upkeep: { everyMs: UPKEEP_MS, run: () => services.screening.removeOutlived() },
  });
}
