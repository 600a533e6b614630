/** Loads the sample for the demo once, and rebuilds it from the kept generation files if Elasticsearch has lost it. */
import path from 'node:path';
import { connectLoader, type Loader, type LoaderConfig } from '../../ingest/connection.ts';
import { ACCEPT_ALL } from '../../ingest/findings/acceptance.ts';
import { loadFile } from '../../ingest/load.ts';
import { LoadRefused } from '../../ingest/loadRefused.ts';
import { activateGeneration } from '../../ingest/publish/activate.ts';
import { compareServed } from '../../ingest/publish/repair.ts';
import { rebuildIndex } from '../../ingest/recover/rebuild.ts';
import { loadProgress, rebuildProgress } from '../../ingest/report.ts';
import type { Disagreement } from '../../src/core/domain/lineage.ts';
import { loadPlaces } from '../../src/core/store/files/loadPlaces.ts';
import { UserError } from '../../src/terminal/program.ts';
import { writeSample } from '../sample/generate.ts';
import { secondsSince } from '../stack/errors.ts';

const SEED = 2026;
/** Faults by which the index is gone or older than Postgres has recorded: it is rebuilt. Other faults are left to an operator. */
const REBUILT = ['lost', 'behind'];

export interface Sample {
  /** folder of the project */
  root: string;
  projects: number;
}

/**
 * Loads both generations of the sample, unless a generation is served already: the user's own data is never replaced. An index that Elasticsearch has
 * lost is rebuilt.
 * @throws UserError that says what to do, if that fails
 */
export async function serveSample(config: LoaderConfig, sample: Sample, log: (line: string) => void): Promise<void> {
  const loader = await connectLoader(config);
  try {
    const { served } = await loader.store.read();
    const apart = compareServed(served, await (await loader.clock.lineage()).readCurrent());
    if (apart) await rebuildLost(loader, apart, log);
    else if (served) log(`Generation ${served.generation} is served already; the sample is not loaded again`);
    else await load(loader, sample, log);
  } catch (error) {
    if (!(error instanceof LoadRefused)) throw error;
    throw new UserError([`${error.message}.`, ...error.problems.map((problem) => `  ${problem}`)].join('\n'));
  } finally {
    await loader.close();
  }
}

async function rebuildLost({ locked, store, clock }: Loader, { fault, message }: Disagreement, log: (line: string) => void): Promise<void> {
  if (!REBUILT.includes(fault)) throw new UserError(`${message}.\n${RESET_HINT}`);
  log('Elasticsearch has lost what Postgres has recorded of it: it is built again from the files that loads kept …');
  try {
    const context = { store, ...clock, onProgress: rebuildProgress(process.stderr) };
    const done = await locked((assertLocked) => rebuildIndex({ ...context, assertLocked }, []));
    log(`Generation ${done.generation} is served again (${done.records} projects, ${done.seconds} s)`);
  } catch (error) {
    if (!(error instanceof LoadRefused)) throw error;
    throw new UserError(`${[error.message, ...error.problems].join('; ')}.\n${RESET_HINT}`);
  }
}

const RESET_HINT = 'To begin the demo again from nothing, accounts and keys included: rm -r .stack/data, then npm run demo';

async function load(
  { locked, client, names, layout, store, clock, thresholds }: Loader,
  { root, projects }: Sample,
  log: (line: string) => void,
): Promise<void> {
  const started = Date.now();
  const places = loadPlaces();
  const folder = path.join(root, '.stack', 'sample');
  const files = await writeSample({ folder, seed: SEED, projects, today: clock.today, places });
  await locked(async () => {
    for (const file of files) {
      const progress = loadProgress(file, process.stderr);
      const context = { client, names, places, layout, thresholds, ...clock };
      const { generation } = await loadFile({ ...context, onProgress: progress.update }, file, false).finally(progress.stop);
      await activateGeneration(store, generation, { ...context, accept: ACCEPT_ALL }); // the second leaves records out on purpose
    }
  });
  const loaded = (await store.read()).served;
  log(`Sample of ${loaded ? await store.countRecords('projects', loaded) : 0} made-up projects loaded (${secondsSince(started)})`);
}
