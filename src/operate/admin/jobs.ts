/** `admin jobs …`: lists queued, running and failed jobs, and retries failed ones. */
import type { Command } from 'commander';
import { type Job, JobStore } from '../../core/jobs/store.ts';
import { JobSweep } from '../../core/jobs/sweep.ts';
import { addCommand, UserError, wholeNumber } from '../../terminal/program.ts';
import { textTable } from '../../terminal/textTable.ts';
import { type Admin, parseId, perform } from './runCommand.ts';

const LISTED = 50;

interface ListOptions {
  kind?: string;
  status?: string;
  team?: number;
  limit: number;
}

const REFUSALS = {
  not_found: 'There is no such job.',
  running: 'The job is running; when its worker is lost, it is queued again by itself.',
  settled: 'The job has ended well; there is nothing to repeat.',
  final: 'The job gave back what it had reserved when it failed; its customer has to order it again.',
};

const jobRow = (job: Job) => ({
  job: job.id,
  kind: job.kind,
  team: job.teamId,
  status: job.status,
  attempts: `${job.attempt - job.handedBack} of ${job.maxAttempts}`,
  created: job.createdAt.toISOString(),
  settled: job.settledAt?.toISOString() ?? null,
  failure: job.lastFailure?.split('\n')[0]?.slice(0, 80) ?? null,
});

async function list(admin: Admin, { limit, ...where }: ListOptions): Promise<void> {
  const jobs = await new JobStore(admin.database).list(where, limit);
  // Without payloads, since they contain what customers asked for.
  const rows = jobs.map(jobRow);
  admin.print(rows, textTable(rows, 'No such jobs.'));
}

async function showJob(admin: Admin, id: string): Promise<void> {
  const job = await new JobStore(admin.database).find(id);
  if (!job) throw new UserError(REFUSALS.not_found);
  admin.print(
    job,
    Object.entries(job).map(([name, value]) => `${name}: ${value instanceof Date ? value.toISOString() : JSON.stringify(value)}`),
  );
}

async function retry(admin: Admin, id: string): Promise<void> {
  const answer = await new JobSweep(new JobStore(admin.database)).retry(id);
  if (answer !== 'queued') throw new UserError(REFUSALS[answer]);
  admin.print({ id, status: answer }, `Queued again: ${id}`);
}

export function addJobCommands(program: Command): void {
  const jobs = addCommand(program, 'jobs', 'exports, look-ups and other work in the background');
  addCommand(jobs, 'list', 'newest first; --status failed shows what was given up')
    .option('--kind <kind>', 'of one kind')
    .option('--status <status>', 'queued, running, failed, or a last status of the kind')
    .option('--team <team>', 'number of the team', parseId)
    .option('--limit <n>', 'at most so many', wholeNumber(0, 999_999_999), LISTED)
    .action(perform(list));
  addCommand(jobs, 'show', 'one job with its payload and what went wrong last').argument('<job>', 'id of the job').action(perform(showJob));
  addCommand(jobs, 'retry', 'run a failed job again, or a waiting one at once').argument('<job>', 'id of the job').action(perform(retry));
}
