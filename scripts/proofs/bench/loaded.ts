/** A corpus that is loaded once and measured by several suites, and by later commands if it is kept. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Option } from 'commander';
import { runIngestSuccessfully } from '../../lib/programs.ts';
import { withTimedStep } from '../../lib/progress.ts';
import { type Elastic, makePatientElastic, removeIndices, root, Sandbox } from '../../lib/sandbox.ts';
import type { ServerUrls } from '../../stack/index.ts';
import { type Corpus, loadWithLoader, makeCorpus, settleIndex, writeGeneration } from './corpus.ts';

export const keepOption = new Option('--keep', 'leave the loaded corpus for a later --reuse').default(false);
export const reuseOption = new Option(
  '--reuse',
  'take the corpus that --keep left for the same --n and --seed; removed at the end unless kept again',
).default(false);

/** Which corpus is wanted, and whether an earlier one is taken and this one left. */
export interface WantedCorpus {
  n: number;
  seed: number;
  keep?: boolean;
  reuse?: boolean;
}

export interface Place {
  client: Elastic;
  sandbox: Sandbox;
  signal: AbortSignal;
}

/** A corpus and its indices, whose files are in the folder. */
export interface CorpusPlace {
  corpus: Corpus;
  /** of every index of the corpus */
  prefix: string;
  folder: string;
}

/** A corpus that is removed at the end of its scope, unless it is kept. */
export interface LoadedCorpus<Figures> extends CorpusPlace, AsyncDisposable {
  /** what its load returned */
  figures: Figures;
}

/** Makes the tables of a sandbox accept an index that was loaded with other tables. */
const adoptIndex = (sandbox: Sandbox, prefix: string, signal: AbortSignal) =>
  runIngestSuccessfully(sandbox.environment(undefined, prefix), ['adopt', '--json'], sandbox.folder, signal);

/**
 * Opens a corpus in the sandbox, or in a place that later commands find.
 * @param load loads it unless a kept one is taken; its figures are kept with it
 * @param suits whether the figures of a kept one are those of such a load
 */
export async function openCorpus<Figures>(
  { client, sandbox, signal }: Place,
  { n, seed, keep = false, reuse = false }: WantedCorpus,
  load: (place: CorpusPlace) => Promise<Figures>,
  suits: (figures: unknown) => boolean = () => true,
): Promise<LoadedCorpus<Figures>> {
  const kept = keep || reuse ? `bench-kept-${n}-${seed}` : undefined;
  const prefix = kept ?? `${sandbox.indexPrefix}-${n}-${seed}`;
  const folder = kept ? path.join(root, '.stack', 'sandbox', kept) : path.join(sandbox.folder, `${n}-${seed}`);
  const note = path.join(folder, 'corpus.json');
  const remove = async () => {
    await removeIndices(client, prefix);
    rmSync(folder, { recursive: true, force: true });
  };
  const place = { corpus: makeCorpus(n, seed), prefix, folder, [Symbol.asyncDispose]: async () => (keep ? undefined : remove()) };
  if (reuse && existsSync(note) && (await client.indices.existsAlias({ name: `${prefix}-projects` }))) {
    const { today, figures } = JSON.parse(readFileSync(note, 'utf8'));
    if (suits(figures)) {
      await adoptIndex(sandbox, prefix, signal);
      return { ...place, corpus: { ...place.corpus, today }, figures };
    }
  }
  await remove(); // what a load that was broken off has left
  mkdirSync(folder, { recursive: true });
  const figures = await load(place);
  writeFileSync(note, JSON.stringify({ today: place.corpus.today, figures }));
  return { ...place, figures };
}

async function loadCorpus({ client, sandbox, signal, corpus, prefix, folder }: Place & CorpusPlace): Promise<void> {
  using written = await writeGeneration(corpus, folder, signal);
  await withTimedStep('Loaded them', () => loadWithLoader(sandbox.environment(undefined, prefix), written.file, signal));
  await settleIndex(client, prefix);
}

/** The corpora of one command in a sandbox of their own, each loaded once for all suites. */
export class LoadedCorpora implements AsyncDisposable {
  readonly #servers: ServerUrls;
  readonly #client: Elastic;
  readonly #signal: AbortSignal;
  readonly #loaded = new Map<string, Promise<LoadedCorpus<unknown>>>();
  #sandbox: Promise<Sandbox> | undefined;

  constructor(servers: ServerUrls, signal: AbortSignal) {
    this.#servers = servers;
    this.#client = makePatientElastic(servers.elasticsearchUrl);
    this.#signal = signal;
  }

  /**
   * @param asking the sandbox of the suite: its accounts are charged for what the corpus holds, so that its tables have to know the index
   * @param load other than the usual one, if it is loaded now @param suits see `openCorpus`
   */
  async load(
    asking: Sandbox,
    wanted: WantedCorpus,
    load: (place: Place & CorpusPlace) => Promise<unknown> = loadCorpus,
    suits?: (figures: unknown) => boolean,
  ): Promise<CorpusPlace & { figures: unknown }> {
    this.#sandbox ??= Sandbox.make(this.#servers, 'corpora');
    const place = { client: this.#client, sandbox: await this.#sandbox, signal: this.#signal };
    const name = `${wanted.n}-${wanted.seed}`;
    const known = this.#loaded.get(name) ?? openCorpus(place, wanted, (corpus) => load({ ...place, ...corpus }), suits);
    this.#loaded.set(name, known);
    const loaded = await known;
    await adoptIndex(asking, loaded.prefix, this.#signal);
    return loaded;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const loaded of await Promise.allSettled(this.#loaded.values()))
      if (loaded.status === 'fulfilled') await loaded.value[Symbol.asyncDispose]();
    await this.#client.close();
    await (await this.#sandbox)?.remove();
  }
}
