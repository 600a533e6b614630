/** Works on AI searches. */
import { AI_SEARCH_KIND } from '../domain/aiSearch.ts';
import { runAiSearch } from '../operations/aiSearch/runAiSearch.ts';
import { giveBack, type SettlingServices } from '../operations/aiSearch/settleAiSearch.ts';
import type { ModelAnswers } from '../store/postgres/modelAnswers.ts';
import { defineJob, type JobDefinition } from './registry.ts';

const CONCURRENCY = 2;
const UPKEEP_MS = 3_600_000;

/** What upkeep needs besides. */
interface ScreeningJobServices extends SettlingServices {
  answers: ModelAnswers;
}

async function removeOutlived({ screening, answers }: ScreeningJobServices): Promise<void> {
  await screening.removeOutlived();
  await answers.removeOutlived();
}

export function screenJob(services: ScreeningJobServices): JobDefinition<unknown> {
  return defineJob({
    kind: AI_SEARCH_KIND,
    concurrency: CONCURRENCY,
    handler: (job, context) => runAiSearch(services, job, context),
    giveBack: (tx, job) => giveBack(services, tx, job, 'failed'),
    upkeep: { everyMs: UPKEEP_MS, run: () => removeOutlived(services) },
  });
}
