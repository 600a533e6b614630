/** The service's jobs without their searches and external look-ups; reserving, writing and settling is the service's own code. */
import { revisionHash } from '../../../src/core/domain/record/revisionHash.ts';
import type { ServedItem } from '../../../src/core/domain/record/servedItem.ts';
import type { JobContext, JobDefinition } from '../../../src/core/jobs/defineJob.ts';
import { FinalJobError } from '../../../src/core/jobs/kind.ts';
import type { StartedJob } from '../../../src/core/jobs/store.ts';
import type { ContactFinding } from '../../../src/core/people/enrichment.ts';
import { enrichmentJob } from '../../../src/features/contacts/job.ts';
import type { EnrichmentStore } from '../../../src/features/contacts/store.ts';
import { exportJob } from '../../../src/features/exports/job.ts';
import type { ExportStore } from '../../../src/features/exports/store.ts';
import type { ExportPayload } from '../../../src/features/exports/types.ts';
import { waitSimulated } from './clock.ts';
import type { Sought } from './moneyActions.ts';

const revisionOf = (id: number, of: number) => `${of}`.repeat(8) + id;
/** Records with an even id know which revisions were served before; the others know none. */
export const itemsOf = ({ ids: sought, version: of }: Sought): ServedItem[] =>
  sought.map((id) => {
    const before = id % 2 === 0 ? Array.from({ length: of }, (_, version) => revisionOf(id, version)) : [];
    return { id, revision: revisionOf(id, of), supersedes: before };
  });
const hashed = (items: ServedItem[]) => items.map((item) => ({ ...item, revisionHash: revisionHash(item.id, item.revision) }));

interface Work {
  workMs: number;
  fails?: 'never' | 'once' | 'for good';
  sought?: Sought;
}

/** The work of a job in the proof, stored in its payload in place of the usual parameters. */
const workOf = (job: StartedJob): Work => (job.payload as { proof: Work }).proof;

async function doWork({ job, context }: { job: StartedJob; context: JobContext }): Promise<void> {
  const { workMs: ms, fails } = workOf(job);
  await context.progress({ processed: 1 });
  if (ms) await waitSimulated(ms);
  await context.write(async (tx) => {
    await tx.query('insert into proof_write (job_id, attempt) values ($1, $2)', [job.id, job.attempt]);
  });
  if (ms) await waitSimulated(ms);
  if (fails === 'once' && job.attempt === 1) throw new Error('The first attempt fails');
  if (fails === 'for good') throw new FinalJobError('service_unavailable', 'The job cannot be done');
}

export function makeDefinitions(stores: { exports: ExportStore; enrichments: EnrichmentStore }): JobDefinition<unknown>[] {
  const { exports, enrichments } = stores;
  const exporting = exportJob.with(stores as never);
  const enriching = enrichmentJob.with(stores as never);
  delete exporting.upkeep;
  return [
    {
      ...exporting,
      handler: async (job, context) => {
        await doWork({ job, context });
        const items = hashed(itemsOf(workOf(job).sought as Sought));
        const file = { name: `${job.id}-${job.attempt}`, rowCount: items.length, sizeBytes: 10, sha256: '', longCells: null };
        const built = { file, items, matchCount: items.length, unconfirmed: null, people: new Set<string>(), findings: new Map() };
        await context.settle(async (tx) => {
          await exports.settle(tx, job as StartedJob<ExportPayload>, built);
          return { status: 'ready' };
        });
      },
    },
    {
      ...enriching,
      handler: async (job, context) => {
        await doWork({ job, context });
        const { projects } = job.payload as { projects: { projectId: number }[] };
        const found = new Map(projects.map(({ projectId }): [number, ContactFinding] => [projectId, FOUND]));
        await context.write((tx) => enrichments.keep(tx, job.id, found));
        await context.settle(async (tx) => {
          await enrichments.settle(tx, job as never);
          return { status: 'completed' };
        });
      },
    },
  ];
}

const FOUND: ContactFinding = { opens: 'channels', people: [], companies: [], lowConfidenceWithheld: 0, hashes: [] };
