/**
 * The table of changes in the guide on contributing. All rows are made dry in a copy of the tree, together: first without their second halves, where tests
 * have to fail that name what is missing, then whole, where what should follow does.
 */
import assert from 'node:assert/strict';
import { readSource } from '../support/sources.ts';
import { type Edit, TreeCopy } from '../support/treeCopy.ts';

const FILTER: Edit = {
  file: 'src/core/filter/stage.ts',
  behind: 'export const stageFilters = {',
  text: `
  dryness: filter<boolean>({
    summary: 'Whether it is dry',
    example: 'true',
    kind: boolean,
    fields: ['derived.evidence.dryness'],
    must: (value) => [terms('derived.evidence.dryness', [value])],
  }),`,
};
const FIELD: Edit = {
  file: 'src/core/domain/record/fields.ts',
  behind: '} as const satisfies Record<string, Field>;',
  instead: true,
  text: `  dryness: yesOrNo('full', 'Whether it is dry'),\n} as const satisfies Record<string, Field>;`,
};
const MAPPED: Edit = {
  file: 'mappings/projects.json',
  behind: '"isRezone": { "type": "boolean" },',
  text: '"dryness": { "type": "boolean" },',
};
function covered(table: string, row: string): Edit {
  return {
    file: 'test/contract/coverage.tsv',
    behind: 'table\trow\tfile\ttest',
    text: `\n${table}\t${row}\tintegration/projects/records.test.ts\tthat are read by meetingDocumentId, within the licence`,
  };
}
const routeOf = (id: string, path: string) => `route('Documents', '${id}', 'GET ${path}', {
    summary: 'Whether it is dry',
    answers: [json(Type.Object({ dry: Type.Boolean() }), { meta: Type.Object({ creditsUsed: Type.Integer() }) })], errors: [],
    handle: async () => ({ data: { dry: true }, meta: { creditsUsed: 0 } }),
  }),`;
const SECOND_HALVES: Edit[] = [
  MAPPED,
  ...[
    ['endpoint', 'GET /dryness'],
    ['parameter', 'dryness'],
    ['error', 'dry_spell'],
  ].map(([table, row]) => covered(table as string, row as string)),
];
const ROUTE: Edit = { file: 'src/features/documents/routes.ts', behind: 'return [', text: routeOf('getDryness', '/dryness') };
const ERROR: Edit = {
  file: 'src/core/domain/errorTable.ts',
  behind: 'export const ERRORS = {',
  text: `\n  dry_spell: { status: 409, meaning: 'It is too dry.', remedy: 'Wait for rain.', details: null, example: { why: 'The demo is wet.' } },`,
};
const METRIC: Edit = {
  file: 'src/features/webhooks/metrics.ts',
  behind: 'MetricDeclaration[] = [',
  text: `{ kind: 'gauge', name: 'landuse_dryness', help: 'How dry it is', labels: [], sql: 'select 1 as value' },`,
};
const EVENT: Edit = {
  file: 'src/features/webhooks/index.ts',
  behind: ': Feature = {',
  text: `events: [{ type: 'dry.spell', summary: 'it is dry', example: 'dry_1', data: ({ id }) => ({ id }) }],`,
};
const UPWARDS: Edit = {
  file: 'src/features/documents/routes.ts',
  behind: "import { Type } from 'typebox';",
  text: "\nimport '../alerts/index.ts';",
};
const PLAN: Edit = { file: 'src/core/domain/plans.ts', behind: 'monthlyCredits: 300', instead: true, text: 'monthlyCredits: 301' };
const TOY: Edit[] = [
  {
    file: 'src/features/toy/index.ts',
    text: `import { Type } from 'typebox';
import { defineJob } from '../../core/jobs/defineJob.ts';
import { json, route } from '../../http/declaration.ts';
import type { Feature } from '../feature.ts';

const toyJob = defineJob({
  ...{ name: 'toy', prefix: 'toy', maxAttempts: 1, deadlineMs: () => 1_000, keptDays: 1, retriable: true, concurrency: 1 },
  work: () => ({ handler: async (_, { settle }) => settle(async () => ({ status: 'done' })) }),
});

export const toy: Feature = {
  routes: () => [
    ${routeOf('getToy', '/toy')}
  ],
  jobs: () => [toyJob.with()],
  events: [{ type: 'toy.broken', data: ({ id }) => ({ id }) }],
  metrics: [{ kind: 'counter', name: 'landuse_toys_total', help: 'Toys', labels: [] }],
};
`,
  },
  {
    file: 'src/features.ts',
    behind: "import { webhooks } from './features/webhooks/index.ts';",
    text: "\nimport { toy } from './features/toy/index.ts';",
  },
  { file: 'src/features.ts', behind: 'export const FEATURES: readonly Feature[] = [', text: 'toy,' },
  covered('endpoint', 'GET /toy'),
];
/** Writes document and client types, as `npm run openapi` does, before the other tests of the process read them. */
const DOCUMENT: Edit = {
  file: 'test/unit/document.test.ts',
  text: `
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { writeSnapshot } from '../../scripts/openapi/snapshot.ts';
import { FEATURES } from '../../src/features.ts';

const { additive } = await writeSnapshot();
it('the document and the client have what was added', () => {
  for (const change of ['/v1/dryness', 'dry.spell', '/v1/toy', 'toy.broken']) assert(additive.join().includes(change), change);
  assert.match(readFileSync('src/clients/client/generated.ts', 'utf8'), /getDryness/);
  const platform = new Proxy({}, { get: (_, name) => (name === 'once' ? () => platform : platform) });
  assert(FEATURES[0].jobs(platform).some(({ name }) => name === 'toy'));
});`,
};
const TABLE = 'The table of record fields';
/** Suites of which a new field fails others, too. */
const OF_FIELDS = /^(The table of record fields|What is paid for|A project line) /;
const LISTED = 'every row of the contract of the OpenAPI document is listed, and every listed one is in the document';
/** Of each row, by its first cell: the change without its second half, and the tests that fail then. */
const ROWS: Record<string, { edits: Edit[]; failing: string[] }> = {
  'a filter': { edits: [FILTER], failing: ['the table of filters dryness names mapped fields only, and every field of its clauses'] },
  'a field of the record': {
    edits: [FIELD],
    failing: [
      `${TABLE} has a field in the mapping for each value that filters match, and no other field there`,
      `${TABLE} is what the published schema of generation files says of projects`,
      `${TABLE} lists the fields of each representation in their order`,
    ],
  },
  'a route': { edits: [ROUTE], failing: [LISTED] },
  'a plan’s figures': {
    edits: [PLAN],
    failing: ["plans have the contract's figures", 'plans let a team have a monthly figure of its own, 0 included, but never a trial'],
  },
  'an error': { edits: [ERROR], failing: [LISTED] },
  'an event for webhooks': { edits: [EVENT], failing: ['the text of the guides lists every type of event in webhooks.md'] },
  'a metric': { edits: [METRIC], failing: ['the guide on running the service lists every metric as it is defined'] },
  'a feature, a job': { edits: [UPWARDS], failing: ['imports of features go to core, http and features before them in the list'] },
};
/** Whose failures name what is missing. */
const TESTS = ['filterTable', 'record/table', 'keys', 'guides', 'metricsGuide'].map((name) => `test/unit/${name}.test.ts`);
/** What filters make of rubbish is the same with one more of a kind, and takes most of the time. */
const QUICK = ['--invert', '--fgrep', 'any rubbish'];
const COVERAGE = 'test/contract/coverage.test.ts';
const IMPORTS = 'test/unit/imports.test.ts';

describe('the table of changes in the guide on contributing', () => {
  let tree: TreeCopy;
  before(() => {
    tree = new TreeCopy();
  });
  after(() => tree.remove());

  const edit = (...edits: Edit[]) => {
    for (const one of edits) tree.edit(one);
  };

  it('has just the rows that are made dry here', () => {
    const [, table = ''] = readSource('src/docs/contributing.md').split('| To change |');
    const [rows = ''] = table.split('\n\n');
    const names = [...rows.matchAll(/^\| ([^|]+?) \|/gm)].map(([, cell]) => cell as string);
    assert.deepEqual(names.sort(), Object.keys(ROWS).sort());
  });

  it('names tests that fail where the second half of a change is missing, and the document and the client follow the first', async () => {
    edit(...TOY, ...Object.values(ROWS).flatMap(({ edits }) => edits), DOCUMENT);
    const failed = await tree.failures(...QUICK, DOCUMENT.file, ...TESTS, COVERAGE, IMPORTS);
    for (const [name, { failing }] of Object.entries(ROWS))
      for (const title of failing) assert(failed.includes(title), `${name}: ${title}`);
    const expected = Object.values(ROWS).flatMap(({ failing }) => failing);
    const others = failed.filter((title) => !expected.includes(title) && !OF_FIELDS.test(title));
    assert.deepEqual(others, []);
  });

  it('names all of a filter, a route, a feature and a job: whole, they fail no test', async () => {
    edit({ ...UPWARDS, behind: UPWARDS.text, instead: true, text: '' }, ...SECOND_HALVES);
    assert.deepEqual(await tree.failures(...QUICK, 'test/unit/filterTable.test.ts', COVERAGE, IMPORTS), []);
  });
});
