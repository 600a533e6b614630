/** What the demo serves: the sample, loaded once, and built again from the kept files where Elasticsearch has lost it. */
import path from 'node:path';
import { connectLoader, type Loader, type LoaderConfig } from '../../ingest/connection.ts';
import { loadFile } from '../../ingest/load.ts';
import { LoadRefused } from '../../ingest/loadRefused.ts';
import { activate } from '../../ingest/publish/activate.ts';
import { compareServed } from '../../ingest/publish/repair.ts';
import { rebuild } from '../../ingest/recover/rebuild.ts';
import { loadProgress, rebuildProgress } from '../../ingest/report.ts';
import type { Disagreement } from '../../src/core/domain/lineage.ts';
import { loadPlaces } from '../../src/core/store/files/places.ts';
import { UserError } from '../../src/terminal/program.ts';
import { writeSample } from '../sample/generate.ts';
import { seconds } from '../stack/errors.ts';

const SEED = 2026;
/** Of these the index is older than its record, or gone; where it is another's, an operator decides. */
const REBUILT = ['lost', 'behind'];

export interface Sample {
  /** project's folder */
  root: string;
  projects: number;
}

/**
 * Loads both generations of the sample, unless a generation is served already: data of one's own is never replaced. What Postgres has recorded and
 * Elasticsearch has lost is built again.
 * @throws UserError where it cannot be, with what to do
 */
export async function serveSample(config: LoaderConfig, sample: Sample, log: (line: string) => void): Promise<void> {
  const loader = await connectLoader(config);
  try {
    const { served } = await loader.store.read();
    const apart = compareServed(served, await (await loader.clock.lineage()).current());
    if (apart) await mend(loader, apart, log);
    else if (served) log(`Generation ${served.generation} is served already; the sample is not loaded again`);
    else await load(loader, sample, log);
  } catch (error) {
    if (!(error instanceof LoadRefused)) throw error;
    throw new UserError([`${error.message}.`, ...error.problems.map((problem) => `  ${problem}`)].join('\n'));
  } finally {
    await loader.close();
  }
}

async function mend({ locked, store, clock }: Loader, { fault, message }: Disagreement, log: (line: string) => void): Promise<void> {
  if (!REBUILT.includes(fault)) throw new UserError(`${message}.\n${FROM_NOTHING}`);
  log('Elasticsearch has lost what Postgres has recorded of it: it is built again from the files that loads kept …');
  try {
    const context = { store, ...clock, onProgress: rebuildProgress(process.stderr) };
    const done = await locked((assertLocked) => rebuild({ ...context, assertLocked }, []));
    log(`Generation ${done.generation} is served again (${done.records} projects, ${done.seconds} s)`);
  } catch (error) {
    if (!(error instanceof LoadRefused)) throw error;
    throw new UserError(`${[error.message, ...error.problems].join('; ')}.\n${FROM_NOTHING}`);
  }
}

const FROM_NOTHING = 'To begin the demo again from nothing, accounts and keys included: rm -r .stack/data, then npm run demo';

async function load(
  { locked, client, names, layout, store, clock }: Loader,
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
      const { generation } = await loadFile({ client, names, places, layout, ...clock, onProgress: progress.update }, file, false).finally(
        progress.stop,
      );
      await activate(store, generation, clock, { acceptLoss: true }); // the second leaves records out on purpose
    }
  });
  const loaded = (await store.read()).served;
  log(`Sample of ${loaded ? await store.count('projects', loaded) : 0} made-up projects loaded (${seconds(started)})`);
}
