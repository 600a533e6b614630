/** Scripts and styles of pages, bundled from `src/web/app` and `src/web/docs` when one of them is first requested: nothing is built beforehand. */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, stop } from 'esbuild';
import { lazily } from '../core/domain/lazily.ts';
import { digestOf } from './assets.ts';

const ENTRIES = {
  app: path.resolve(import.meta.dirname, 'app/main.tsx'),
  'app-style': path.resolve(import.meta.dirname, 'app/app.css'),
  docs: path.resolve(import.meta.dirname, 'docs/main.js'),
  // The map's renderer starts it as a worker by its address.
  worker: fileURLToPath(import.meta.resolve('maplibre-gl/dist/maplibre-gl-worker.mjs')),
};

/** Files of the service's own code that pages use, too. */
const SHARED = [
  ...['decodeText', 'defaultUrl', 'errors', 'generated', 'listFile', 'matchList', 'prepare', 'transport'].map(
    (name) => `../clients/client/${name}.ts`,
  ),
  '../core/domain/cases/caseHeadings.ts',
  '../core/domain/cases/caseNames.ts',
  '../core/domain/cases/casePassages.ts',
  '../core/domain/csvText.ts',
  '../core/domain/distance.ts',
  '../core/domain/meetingFilters.ts',
  '../core/domain/oddsText.ts',
  '../core/domain/record/cellText.ts',
  '../core/domain/restriction/status.ts',
  '../core/domain/ring.ts',
  '../core/domain/serviceClock.ts',
  '../core/domain/words.ts',
];

/** Every file that can change what is built: ours, and the versions of packages. */
function readSources(): string[] {
  const own = globSync('{app,docs,shared}/**/*.{ts,tsx,js,css,json}', { cwd: import.meta.dirname }).sort();
  const packages = path.resolve(import.meta.dirname, '../../package.json');
  return [packages, ...[...own, ...SHARED].map((name) => path.join(import.meta.dirname, name))].map((file) => readFileSync(file, 'utf8'));
}

let built: Promise<ReadonlyMap<string, string>> | undefined;

/** The files by their names, built once in a process; a build that failed is tried again by the next request. */
function builtFiles(): Promise<ReadonlyMap<string, string>> {
  built ??= buildFiles();
  built.catch(() => {
    built = undefined;
  });
  return built;
}

/** The files' address has to change with every file of ours that they are built from. @param inputs relative to this folder */
function refuseUnnamed(inputs: readonly string[]): void {
  const unnamed = inputs.filter((name) => !/^(app|docs|shared)\/|node_modules\//.test(name) && !SHARED.includes(name));
  if (unnamed.length) throw new Error(`Pages are built from ${unnamed.join(', ')}: name them in SHARED of bundle.ts`);
}

async function buildFiles(): Promise<ReadonlyMap<string, string>> {
  try {
    const { outputFiles, metafile } = await build({
      metafile: true,
      absWorkingDir: import.meta.dirname,
      entryPoints: ENTRIES,
      bundle: true,
      splitting: true,
      format: 'esm',
      target: 'es2024',
      jsx: 'automatic',
      jsxImportSource: 'preact',
      minify: true,
      write: false,
      outdir: path.resolve('/'),
      chunkNames: '[name]-[hash]',
      logLevel: 'silent',
      // None of the settings of the service's own code applies to pages.
      tsconfigRaw: {},
    });
    refuseUnnamed(Object.keys(metafile.inputs));
    return new Map(outputFiles.map((file) => [path.basename(file.path), file.text]));
  } finally {
    await stop();
  }
}

export interface Bundle {
  /** the folder that the files are served from: it contains a digest of all sources, so that each file can be stored for ever */
  root: string;
  /** paths of the files that pages name */
  paths: Readonly<Record<'app' | 'style' | 'docs' | 'worker', string>>;
  /** The content of a file by its name in the folder; undefined when there is none. */
  read(name: string): Promise<string | undefined>;
}

/** The bundle of all pages; their sources are read once in a process. */
export const pageBundle = lazily((): Bundle => {
  const root = `/assets/${digestOf(readSources().join('\0'))}/`;
  return {
    root,
    paths: { app: `${root}app.js`, style: `${root}app-style.css`, docs: `${root}docs.js`, worker: `${root}worker.js` },
    read: async (name) => (await builtFiles()).get(name),
  };
});
