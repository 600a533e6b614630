/** A corpus that is loaded once and measured by several suites, and by later commands if it is kept. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Option } from 'commander';
import { runIngestSuccessfully } from '../../lib/programs.ts';
import { withTimedStep } from '../../lib/progress.ts';
import { type Elastic, makePatientElastic, removeIndices, root, Sandbox } from '../../lib/sandbox.ts';
import type { ServerUrls } from '../../stack/index.ts';
import { type Corpus, loadWithLoader, makeCorpus, waitForMerges, withGeneration } from './corpus.ts';

export const keepOption = new Option('--keep', 'leave the loaded corpus for a later --reuse').default(false);
export const reuseOption = new Option(
  '--reuse',
  'take the corpus that --keep left for the same --n and --seed; removed at the end unless kept again',
).default(false);

export interface KeptFiles {
  keep?: boolean;
  reuse?: boolean;
}

export interface Place {
  client: Elastic;
  sandbox: Sandbox;
  signal: AbortSignal;
}

/** The indices and files of a corpus: in the sandbox, or in a place that later commands find. */
export class CorpusHome {
  /** of every index of the corpus */
  readonly prefix: string;
  readonly folder: string;
  readonly #client: Elastic;
  readonly #keeping: KeptFiles;

  constructor({ client, sandbox }: Place, { n, seed }: Pick<Corpus, 'n' | 'seed'>, keeping: KeptFiles) {
    const kept = keeping.keep || keeping.reuse ? `bench-kept-${n}-${seed}` : undefined;
    this.prefix = kept ?? `${sandbox.indexPrefix}-${n}-${seed}`;
    this.folder = kept ? path.join(root, '.stack', 'sandbox', kept) : path.join(sandbox.folder, `${n}-${seed}`);
    this.#client = client;
    this.#keeping = keeping;
    mkdirSync(this.folder, { recursive: true });
  }

  get #note(): string {
    return path.join(this.folder, 'corpus.json');
  }

  /** A kept corpus: the day on which it ends, and what its load noted; undefined if there is none to reuse. */
  async kept<Figures>(): Promise<{ today: string; figures?: Figures } | undefined> {
    if (!this.#keeping.reuse || !existsSync(this.#note)) return undefined;
    if (!(await this.#client.indices.existsAlias({ name: `${this.prefix}-projects` }))) return undefined;
    return JSON.parse(readFileSync(this.#note, 'utf8'));
  }

  noteLoaded({ today }: Corpus, figures?: object): void {
    writeFileSync(this.#note, JSON.stringify({ today, figures }));
  }

  /** Removes what was loaded, unless it is kept. */
  async leave(): Promise<void> {
    if (this.#keeping.keep) return;
    await removeIndices(this.#client, this.prefix);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export interface Loaded {
  corpus: Corpus;
  /** of its indices */
  prefix: string;
}

/** Makes the tables of a sandbox accept an index that was loaded with other tables. */
export const adoptIndex = (sandbox: Sandbox, prefix: string, signal: AbortSignal) =>
  runIngestSuccessfully(sandbox.environment(undefined, prefix), ['adopt', '--json'], sandbox.folder, signal);

/** The corpora of one command in a sandbox of their own, each loaded once for all suites. */
export class LoadedCorpora {
  readonly #servers: ServerUrls;
  readonly #client: Elastic;
  readonly #signal: AbortSignal;
  readonly #loaded = new Map<string, { home: CorpusHome; corpus: Promise<Corpus> }>();
  #sandbox: Promise<Sandbox> | undefined;

  constructor(servers: ServerUrls, signal: AbortSignal) {
    this.#servers = servers;
    this.#client = makePatientElastic(servers.elasticsearchUrl);
    this.#signal = signal;
  }

  /** @param asking the sandbox of the suite: its accounts are charged for what the corpus holds, so that its tables have to know the index */
  async load(asking: Sandbox, n: number, seed: number, keeping: KeptFiles): Promise<Loaded> {
    this.#sandbox ??= Sandbox.make(this.#servers, 'corpora');
    const place = { client: this.#client, sandbox: await this.#sandbox, signal: this.#signal };
    const name = `${n}-${seed}`;
    const home = new CorpusHome(place, { n, seed }, keeping);
    const known = this.#loaded.get(name) ?? { home, corpus: load(place, home, makeCorpus(n, seed)) };
    this.#loaded.set(name, known);
    const loaded = { corpus: await known.corpus, prefix: known.home.prefix };
    await adoptIndex(asking, loaded.prefix, this.#signal);
    return loaded;
  }

  async leave(): Promise<void> {
    for (const { home } of this.#loaded.values()) await home.leave();
    await this.#client.close();
    await (await this.#sandbox)?.remove();
  }
}

/** Makes a corpus, loads and serves it, and waits until its index is merged, unless it is kept. */
async function load({ client, sandbox, signal }: Place, home: CorpusHome, corpus: Corpus): Promise<Corpus> {
  const kept = await home.kept();
  if (kept) return { ...corpus, today: kept.today };
  await removeIndices(client, home.prefix);
  await withGeneration(corpus, home.folder, signal, (file) =>
    withTimedStep('Loaded them', () => loadWithLoader(sandbox.environment(undefined, home.prefix), file, signal)),
  );
  await withTimedStep('Settled the index', () => waitForMerges(client, `${home.prefix}-projects`));
  home.noteLoaded(corpus);
  return corpus;
}
