/** Imports go one way, from the app over features and http down to the core; reads every import of the program and reports each that does not. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { assertNone } from '../support/lists.ts';
import { filesBelow, roomOf, root, SOURCE_FOLDERS } from '../support/sources.ts';

interface Import {
  /** path of the importing file from the root, with slashes */
  from: string;
  /** the same of an imported file of ours; the name of a package otherwise */
  to: string;
  line: number;
}

const OURS = /^(src|ingest|scripts|test)\//;

const SCRIPTS = /\.(m?ts|tsx)$/;

/** A statement begins its line; what it names stands in single quotes, as the formatter writes it. Parsing the tree would take fifty times as long. */
const IMPORTS = /^(?:import|export)\s(?:[^'"();=]*?\sfrom\s)?'([^']+)'|\bimport\('([^']+)'\)/gm;
/** Our own package, which samples of code import. */
const SAMPLED = 'landuse-api';

/** Static and dynamic imports and re-exports of one file, those of types included. */
function importsOf(file: string, text: string): Import[] {
  return [...text.matchAll(IMPORTS)].flatMap(({ index, 1: stated, 2: called }) => {
    const name = (stated ?? called) as string;
    const to = name.startsWith('.') ? path.posix.join(path.posix.dirname(file), name) : name;
    return to === SAMPLED ? [] : [{ from: file, to, line: text.slice(0, index).split('\n').length }];
  });
}

const imports = SOURCE_FOLDERS.flatMap((folder) => filesBelow(folder, SCRIPTS)).flatMap((file) =>
  importsOf(file, readFileSync(path.join(root, file), 'utf8')),
);
const shown = (i: Import) => `${i.from}:${i.line} imports ${i.to}`;
const assertNoImport = (breaks: (i: Import) => boolean, message?: string) =>
  assert.deepEqual(imports.filter(breaks).map(shown), [], message);

const CORE = 'domain query filter store identity jobs ledger mail outgoing people providers search billedJobs'
  .split(' ')
  .map((name) => `core/${name}`);

/** The parts of `src` that each folder may import besides itself: folders below it, and named files at the top. Core imports no feature. */
const BELOW: Record<string, readonly string[]> = {
  catalogue: [],
  terminal: [],
  'core/domain': ['catalogue'],
  'core/query': ['core/domain'],
  'core/outgoing': [],
  'core/filter': ['core/domain', 'core/query'],
  'core/store': ['core/domain', 'core/query'],
  'core/jobs': ['core/domain', 'core/store'],
  'core/ledger': ['core/domain', 'core/query', 'core/store', 'core/jobs'],
  'core/mail': ['core/domain', 'core/store', 'core/jobs'],
  'core/identity': ['core/domain', 'core/store', 'core/mail'],
  'core/people': ['core/domain', 'core/store', 'core/jobs'],
  'core/providers': ['core/domain'],
  'core/search': ['core/domain', 'core/query', 'core/filter', 'core/store', 'core/ledger', 'core/people'],
  'core/billedJobs': ['domain', 'filter', 'identity', 'jobs', 'ledger', 'people', 'search', 'store'].map((name) => `core/${name}`),
  http: CORE,
  'features/feature.ts': [...CORE, 'http', 'config.ts'],
  'features/platform.ts': [...CORE, 'features/feature.ts'],
  web: ['core/domain', 'clients/client'],
  'clients/client': [],
  'clients/packages': [],
  'clients/cli': ['clients/client', 'core/domain', 'terminal'],
  'clients/mcp': ['clients/client', 'core/domain', 'core/filter', 'http'],
  'operate/command.ts': ['core/domain', 'core/store', 'terminal', 'config.ts'],
  'operate/preflight': [...CORE, 'operate/command.ts', 'config.ts', 'terminal'],
  'operate/metrics': [...CORE, 'http', 'config.ts'],
  'operate/tracing': ['operate/metrics', 'core/store', 'http', 'config.ts'],
  'operate/processes': ['operate/metrics', 'http', 'config.ts'],
  'operate/backup': ['operate/command.ts', 'core/domain', 'core/store', 'core/ledger', 'terminal', 'config.ts'],
  'operate/admin': [...CORE, 'operate/command.ts', 'features/alerts', 'features/webhooks', 'features.ts', 'terminal', 'config.ts'],
};

/** Features that import others, each after those whose `index.ts` it may import; one that is not here imports none. */
const FEATURES: Record<string, readonly string[]> = {
  webhooks: [],
  releases: ['webhooks'],
  freshness: ['webhooks'],
  analytics: ['freshness'],
  hearings: ['freshness'],
  contacts: ['webhooks'],
  lists: [],
  aiSearch: ['contacts', 'webhooks'],
  alerts: ['aiSearch', 'lists', 'webhooks'],
  places: [],
  reference: ['places'],
  account: ['contacts', 'alerts', 'places'],
  mailLinks: ['alerts'],
  exports: ['contacts', 'alerts', 'lists', 'webhooks'],
  projects: ['contacts', 'exports'],
  restrictions: ['freshness', 'projects', 'webhooks'],
  match: [],
  briefs: ['analytics', 'freshness', 'hearings', 'match', 'projects', 'restrictions'],
  map: [],
  sync: [],
  snapshots: ['restrictions', 'sync'],
  oauth: [],
  ogc: ['map', 'projects', 'sync'],
};
const BELOW_FEATURES = [...CORE, 'http', 'web', 'catalogue', 'clients/packages', 'config.ts', 'features/feature.ts'];

/** The same for `ingest`: reading lines and versions, finding what is doubtful, writing sets of indices, publishing them, recovering them. */
const INGEST_BELOW: Record<string, readonly string[]> = {
  read: [],
  findings: ['read'],
  write: ['read', 'findings'],
  publish: ['read', 'write', 'findings'],
  recover: ['read', 'write', 'publish'],
  sources: ['read'],
  extract: ['read', 'sources', 'findings'],
};

/** What parts of the page may take of each other, besides what is in its shared folder. */
const FRONTS_OF_PAGE: readonly string[] = ['src/web/app/filters/nothingFound.tsx', 'src/web/app/record/recordPanel.tsx'];
const partOfPage = (file: string) => /^src\/web\/app\/([^/]+)\//.exec(file)?.[1];

const featureOf = (file: string) => /^src\/features\/([^/]+)\//.exec(file)?.[1];
/** Whether a file is an entry (main.ts, worker.ts), the app or its list of features, which are above all folders. */
const isAtTop = (file: string) => /^src\/[^/]+$/.test(file);

/** 'node:fs/promises' → 'node:fs', '@koa/router/x' → '@koa/router', 'pg/lib' → 'pg'. */
const packageOf = (to: string) =>
  OURS.test(to)
    ? undefined
    : to
        .split('/')
        .slice(0, to.startsWith('@') ? 2 : 1)
        .join('/');

const uses = (packages: readonly string[], { to }: Import) => packages.includes(packageOf(to) ?? '');

/** What no import does, by the title of its test. */
const RULES: Record<string, (i: Import) => boolean> = {
  'keep the domain pure: itself, catalogue data, and what computes without I/O': ({ from, to }) =>
    roomOf(from) === 'core/domain' &&
    !/^src\/(core\/domain|catalogue)\//.test(to) &&
    !['typebox', 'luxon', 'node:crypto', 'node:zlib', 'csv-stringify/sync', 'fastest-levenshtein'].includes(to),
  'keep I/O of Node out of query and filter': ({ from, to }) =>
    ['core/query', 'core/filter'].includes(roomOf(from) ?? '') && to.startsWith('node:'),
  'keep the client free of packages and of Node, so that it runs in browsers': ({ from, to }) =>
    from.startsWith('src/clients/client/') && !to.startsWith('src/clients/client/'),
  'keep Koa in the app, http and the routes of features': ({ from, to }) =>
    /^(@koa\/|koa$|koa-)/.test(packageOf(to) ?? '') && !/^src\/(app\.ts|http\/|features\/[^/]+\/(routes|[a-z]\w*Routes)\.ts$)/.test(from),
  'keep the Elasticsearch client in the app, core/store, stores of features, and ingest': (i) =>
    uses(['@elastic/elasticsearch'], i) &&
    !/^(src\/app\.ts|src\/core\/store\/|src\/features\/[^/]+\/(store|[a-z]\w*Store)\.ts$|ingest\/)/.test(i.from),
  "keep the Postgres and Redis clients in core/store; the stack may ask its own Postgres whether it is up, a copy fills a customer's, and simulated connections stand before the real ones":
    (i) =>
      uses(['pg', 'pg-copy-streams', 'ioredis', 'node-pg-migrate', 'rate-limiter-flexible'], i) &&
      !/^(src\/core\/store\/|scripts\/(stack\/postgres|proofs\/seed\/(connections|control))\.ts$|src\/clients\/cli\/tables\/database\.ts$)/.test(
        i.from,
      ),
  'keep what speaks SMTP in core/mail': (i) => uses(['nodemailer'], i) && !i.from.startsWith('src/core/mail/'),
  'keep what calls addresses that others name in core/outgoing and the sender of webhooks': (i) =>
    uses(['undici', 'ipaddr.js'], i) &&
    !/^src\/(core\/outgoing\/|features\/webhooks\/postMessage\.ts$)/.test(i.from) &&
    !(i.to === 'ipaddr.js' && i.from.startsWith('src/http/')),
  'keep the provider of OAuth in its feature': (i) => uses(['oidc-provider'], i) && !i.from.startsWith('src/features/oauth/'),
  'keep the client of buckets in the store of files': ({ from, to }) =>
    /^@(aws-sdk|smithy)\//.test(to) && !from.startsWith('src/core/store/files/'),
  'let src import neither ingest, scripts nor tests, and nobody a test': ({ from, to }) =>
    to.startsWith('test/') || (from.startsWith('src/') && /^(ingest|scripts)\//.test(to)),
  'let ingest reach core/domain, core/providers, core/store, terminal, configuration and the decoder of files of src': ({ from, to }) =>
    from.startsWith('ingest/') &&
    to.startsWith('src/') &&
    !/^src\/(core\/domain\/|core\/providers\/|core\/store\/|terminal\/|config\.ts$|clients\/client\/decodeText\.ts$)/.test(to),
};

describe('imports', () => {
  it('are found: static, type-only, re-exported and dynamic', () => {
    const text = `import './z.ts';\nimport a from './a.ts';\nimport type { B } from '../b.ts';\nimport {\n  type C,\n  d,\n} from 'c/d';
export * from './e.ts';\nexport type { E } from './f.ts';\nconst f = await import('@x/f/g'); type G = import('./g.ts').G;`;
    assert.deepEqual(
      importsOf('src/x/y.ts', text).map(({ to, line }) => `${to} ${line}`),
      ['src/x/z.ts 1', 'src/x/a.ts 2', 'src/b.ts 3', 'c/d 4', 'src/x/e.ts 8', 'src/x/f.ts 9', '@x/f/g 10', 'src/x/g.ts 10'],
    );
    assert(imports.length > 300);
    assert(
      imports.some(({ from, to }) => from.endsWith('.tsx') && to.endsWith('.tsx')),
      'those of the page',
    );
  });

  it('name files that exist', () => {
    const files = new Set([...SOURCE_FOLDERS, 'test'].flatMap((folder) => filesBelow(folder, SCRIPTS)));
    const others = /\.(json|d\.mts|mjs)$/;
    assertNoImport(({ to }) => OURS.test(to) && !others.test(to) && !files.has(to));
  });

  it('go down the rooms of src only', () => {
    const rooms = imports.flatMap(({ from }) => (isAtTop(from) || featureOf(from) ? [] : (roomOf(from) ?? [])));
    assert.deepEqual([...new Set(rooms.filter((room) => !BELOW[room]))], [], 'a room of src that this test does not know');
    const breaks = ({ from, to }: Import) => {
      const [above, below] = [roomOf(from), roomOf(to)];
      return (
        above !== undefined &&
        below !== undefined &&
        above !== below &&
        !isAtTop(from) &&
        !featureOf(from) &&
        !BELOW[above]?.includes(below)
      );
    };
    assertNoImport(breaks);
  });

  it('of features go to core, http and features before them in the list', () => {
    const names = Object.keys(FEATURES);
    for (const [i, [name, others]] of Object.entries(FEATURES).entries())
      assertNone(others, (other) => !names.slice(0, i).includes(other), `${name} imports what stands after it`);
    const breaks = ({ from, to }: Import) => {
      const [above, below] = [featureOf(from), featureOf(to)];
      if (above === undefined || !to.startsWith('src/') || above === below) return false;
      return below ? !(FEATURES[above] ?? []).includes(below) : !BELOW_FEATURES.includes(roomOf(to) ?? '');
    };
    assertNoImport(breaks);
    assert(breaks({ from: 'src/features/contacts/a.ts', to: 'src/features/alerts/index.ts', line: 1 }));
  });

  it('of a feature from elsewhere in src name its index.ts alone', () => {
    const breaks = ({ from, to }: Import) =>
      from.startsWith('src/') &&
      featureOf(to) !== undefined &&
      featureOf(to) !== featureOf(from) &&
      to !== `src/features/${featureOf(to)}/index.ts`;
    assertNoImport(breaks);
    assert(breaks({ from: 'src/features/alerts/a.ts', to: 'src/features/contacts/store.ts', line: 1 }));
    assertNoImport(
      ({ from, to }) => from.startsWith('src/') && featureOf(to) === featureOf(from) && /^src\/features\/[^/]+\/index.ts$/.test(to),
      'inside a feature nobody imports its index.ts',
    );
  });

  it('of a part of the page go to its shared folder, which imports no part, and to the fronts of other parts', () => {
    const breaks = ({ from, to }: Import) => {
      const [above, below] = [partOfPage(from), partOfPage(to)];
      if (above === undefined || above === below || !to.startsWith('src/web/app/')) return false;
      return above === 'shared' || (below !== 'shared' && !FRONTS_OF_PAGE.includes(to));
    };
    assertNoImport(breaks);
    for (const [from, to] of [
      ['account/a.tsx', 'record/proofs.tsx'],
      ['table/a.ts', 'account/keys.tsx'],
      ['record/a.tsx', 'app.tsx'],
      ['shared/a.ts', 'filters/nothingFound.tsx'],
    ])
      assert(breaks({ from: `src/web/app/${from}`, to: `src/web/app/${to}`, line: 1 }), `${from} takes ${to}`);
  });

  for (const [title, breaks] of Object.entries(RULES)) it(title, () => assertNoImport(breaks));

  it('go down the folders of ingest only; a folder takes nothing of the files above them but the refusal', () => {
    const breaks = ({ from, to }: Import) => {
      const [above, below] = [from, to].map((file) => /^ingest\/([^/]+)\//.exec(file)?.[1]);
      if (above === undefined || above === below || !to.startsWith('ingest/')) return false;
      return below === undefined ? to !== 'ingest/loadRefused.ts' : !INGEST_BELOW[above]?.includes(below);
    };
    assertNoImport(breaks);
    assert(breaks({ from: 'ingest/read/a.ts', to: 'ingest/write/b.ts', line: 1 }));
    assert(breaks({ from: 'ingest/write/a.ts', to: 'ingest/load.ts', line: 1 }));
  });

  it('are of declared packages; those of development in scripts alone, and DuckDB where a copy finds it or says what to install', () => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
    const known = (i: Import) => packageOf(i.to) === undefined || i.to.startsWith('node:');
    const withOptional = /^(scripts\/|src\/clients\/cli\/tables\/database\.ts$)/;
    const declared = ({ from }: Import) => (withOptional.test(from) ? { ...devDependencies, ...dependencies } : dependencies);
    assertNoImport((i) => !known(i) && !((packageOf(i.to) as string) in declared(i)));
  });

  it('make no circle, types included', () => {
    const graph = new Map<string, string[]>();
    for (const { from, to } of imports) if (OURS.test(to)) graph.set(from, [...(graph.get(from) ?? []), to]);
    assert.deepEqual(cyclesOf(graph), []);
    const circle = new Map([
      ['a', ['b']],
      ['b', ['c', 'd']],
      ['c', ['a']],
    ]);
    assert.deepEqual(cyclesOf(circle), ['a → b → c → a']);
  });
});

/** Each cycle as a path, beginning with the file that is visited first. */
function cyclesOf(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const cycles: string[] = [];
  const done = new Set<string>();
  const walk = (file: string, trail: readonly string[]): void => {
    const start = trail.indexOf(file);
    if (start >= 0) cycles.push([...trail.slice(start), file].join(' → '));
    if (start >= 0 || done.has(file)) return;
    for (const next of graph.get(file) ?? []) walk(next, [...trail, file]);
    done.add(file);
  };
  for (const file of graph.keys()) walk(file, []);
  return cycles;
}
