/** Works on AI searches. */

import { defineJob, type JobDefinition } from '../../core/jobs/registry.ts';
import type { ModelAnswers } from './modelAnswerStore.ts';
import { runAiSearch } from './run.ts';
import { giveBack, type SettlingServices } from './settle.ts';
import { AI_SEARCH_KIND } from './types.ts';

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
    ...AI_SEARCH_KIND,
    concurrency: CONCURRENCY,
    handler: (job, context) => runAiSearch(services, job, context),
    giveBack: (tx, job) => giveBack(services, tx, job, 'failed'),
    upkeep: { everyMs: UPKEEP_MS, run: () => removeOutlived(services) },
  });
}
