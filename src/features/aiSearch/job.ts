/** Works on AI searches. */

import { defineJob } from '../../core/jobs/defineJob.ts';
import { AI_KEPT_DAYS } from './limits.ts';
import type { ModelAnswers } from './modelAnswerStore.ts';
import { runAiSearch } from './run.ts';
import { refundSearch, type SettlingServices } from './settle.ts';
import type { AiSearchPayload } from './types.ts';

const DEADLINE_MS = 10 * 60_000;
const UPKEEP_MS = 3_600_000;

/** What upkeep needs in addition. */
interface ScreeningJobServices extends SettlingServices {
  answers: ModelAnswers;
}

async function removeOutlived({ screening, answers, feedback }: ScreeningJobServices): Promise<void> {
  await screening.removeOutlived();
  await feedback.removeOutlived();
  await answers.removeOutlived();
}

export const aiSearchJob = defineJob<AiSearchPayload, ScreeningJobServices>({
  name: 'ai_search',
  prefix: 'ais',
  maxAttempts: 5,
  deadlineMs: () => DEADLINE_MS,
  keptDays: AI_KEPT_DAYS,
  retriable: false,
  concurrency: 2,
  work: (services) => ({
    handler: (job, context) => runAiSearch(services, job, context),
    giveBack: (tx, job) => refundSearch(services, tx, job, 'failed'),
    upkeep: { everyMs: UPKEEP_MS, run: () => removeOutlived(services) },
  }),
});
