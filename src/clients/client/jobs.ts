/** Waits for jobs of the service. */
import { JobFailure } from './errors.ts';
import type { AiSearchData, EnrichmentJob, ExportJob, Snapshot } from './generated.ts';
import { sleep } from './transport.ts';

/** How to read a job, by the prefix of its id: `exp_…`, `enr_…`, `ais_…`, `snp_…`. */
export type SettledJob<J> = J extends { exportJobId: string }
  ? ExportJob
  : J extends { enrichmentJobId: string }
    ? EnrichmentJob
    : J extends { interpretation: object }
      ? AiSearchData
      : J extends { manifestUrl: string }
        ? Snapshot
        : never;

export interface WaitOptions<J> {
  /** called with each state of the job, including the last one */
  onProgress?: (job: J) => void;
  /** first wait between two polls, in milliseconds; later ones are up to ten times longer. 500 by default */
  pollMs?: number;
  signal?: AbortSignal;
}

const POLLS = { exp: 'getExport', enr: 'getEnrichment', ais: 'getAiSearch', snp: 'getSnapshot' } as const;
const PENDING = new Set(['queued', 'building', 'running']);
const GOOD = new Set(['ready', 'completed', 'partial']);
const LATER = 1.5;
const LONGEST = 10;

type Poll = (
  id: (typeof POLLS)[keyof typeof POLLS],
  input: { id: string },
) => Promise<{ data: ExportJob | EnrichmentJob | AiSearchData | Snapshot }>;

/** @throws JobFailure unless the job ends as ready, completed or, for a search, partial; TypeError for an id that is not of a job */
export async function waitFor<J extends { id: string }>(job: J, options: WaitOptions<SettledJob<J>>, poll: Poll): Promise<SettledJob<J>> {
  const operation = POLLS[job.id.split('_')[0] as keyof typeof POLLS];
  if (!operation) throw new TypeError(`${job.id} is no job: exports are exp_…, enrichments enr_…, AI searches ais_…, snapshots snp_…`);
  const { onProgress, pollMs = 500, signal } = options;
  for (let waitMs = pollMs; ; waitMs = Math.min(waitMs * LATER, pollMs * LONGEST)) {
    const { data } = await poll(operation, { id: job.id });
    onProgress?.(data as SettledJob<J>);
    if (GOOD.has(data.status)) return data as SettledJob<J>;
    if (!PENDING.has(data.status)) throw new JobFailure(data.error?.message ?? `${job.id} is ${data.status}`, data);
    await sleep(waitMs, signal);
  }
}
