/** Accepts a job with files once for its Idempotency-Key. */
import type { Warning } from '../domain/warnings.ts';
import type { Actor } from '../search/actor.ts';
import { readGovernmentWarning } from '../search/governmentWarning.ts';
import { runOnce } from '../search/idempotentRequests.ts';
import type { Selection } from '../search/select.ts';
import type { ProjectServices } from '../search/services.ts';
import type { FileJobs, FileRow } from './fileJobs.ts';

interface Submission<Row extends FileRow> {
  jobs: FileJobs<Row>;
  selection: Selection;
  /** how the request could include government items, for a warning */
  sendTheFlag: string;
  /** text that is equal for equal requests */
  same: string;
  /** reserves and queues; undefined if nothing matches */
  accept(actor: Actor): Promise<Row | undefined>;
  findWarnings(row: Row): Warning[];
}

/** @returns the accepted job, undefined if nothing matched, and `meta` of the answer */
export async function submitFiles<Row extends FileRow>(
  services: Pick<ProjectServices, 'store' | 'idempotency'>,
  actor: Actor,
  { jobs, selection, sendTheFlag, same, accept, findWarnings }: Submission<Row>,
) {
  const readLeftOut = () => readGovernmentWarning(services.store, selection, sendTheFlag, actor);
  const [row, leftOut] = await runOnce<[Row | undefined, Warning[]]>(services, actor, same, {
    // Read before the job is accepted: afterwards nothing may fail.
    run: async (claiming) => {
      const left = await readLeftOut();
      return [await accept(claiming), left];
    },
    replay: async ({ kept }) => [await jobs.findKept(actor.principal, kept), await readLeftOut().catch(() => [])],
  });
  const { warnings, appliedDefaults, appliedFilters } = selection;
  const meta = { creditsUsed: 0, warnings: [...warnings, ...leftOut, ...(row ? findWarnings(row) : [])], appliedDefaults, appliedFilters };
  return { row, meta };
}
