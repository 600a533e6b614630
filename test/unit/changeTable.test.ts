/**
 * The table of changes in the guide on contributing. Each row is made dry in a copy of the tree: first without its second half, where a test has to fail that
 * names what is missing, then whole, where what should follow does.
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
const routeOf = (path: string) => `route({
    id: 'getDryness', section: 'Documents', method: 'get', path: '${path}', summary: 'Whether it is dry',
    answers: [json(Type.Object({ dry: Type.Boolean() }), { meta: Type.Object({ creditsUsed: Type.Integer() }) })], errors: [],
    handle: async () => ({ data: { dry: true }, meta: { creditsUsed: 0 } }),
  }),`;
const coveredRoute = (name: string): Edit => ({
  file: 'test/contract/coverage.ts',
  behind: 'export const ENDPOINTS: Record<string, Held> = {',
  text: `\n  '${name}': records('that are read by meetingDocumentId, within the licence'),`,
});
const ROUTE: Edit = { file: 'src/features/documents/routes.ts', behind: 'return [', text: routeOf('/dryness') };
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
const event = (index: string): Edit => ({
  file: `src/features/${index}/index.ts`,
  behind: ': Feature = {',
  text: `events: [{ type: 'dry.spell', summary: 'it is dry', example: 'dry_1', data: ({ id }) => ({ id }) }],`,
});
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
    ${routeOf('/toy')}
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
];
/** Writes document and client types, as `npm run openapi` does, and prints the parts that this test checks. */
const WRITE_DOCUMENT = `
  import { readFileSync } from 'node:fs';
  import { writeSnapshot } from './scripts/openapi/snapshot.ts';
  const { additive } = await writeSnapshot();
  const types = readFileSync('src/clients/client/generated.ts', 'utf8');
  console.log(JSON.stringify({ additive, hasMethod: types.includes('getDryness') }));`;
const COVERAGE = 'test/contract/coverage.test.ts';

describe('the table of changes in the guide on contributing', () => {
  let tree: TreeCopy;
  before(() => {
    tree = new TreeCopy();
  });
  afterEach(() => tree.restore());
  after(() => tree.remove());

  const edit = (...edits: Edit[]) => {
    for (const one of edits) tree.edit(one);
  };
  const writeDocument = async () => {
    tree.remember('test/contract/openapi.json', 'src/clients/client/generated.ts');
    return JSON.parse(await tree.printed(WRITE_DOCUMENT)) as { additive: string[]; hasMethod: boolean };
  };

  /** Of each row, by its first cell, what makes the change and sees it fail and follow. */
  const ROWS: Record<string, () => Promise<void>> = {
    'a filter': async () => {
      edit(FILTER);
      const tests = 'test/unit/filterTable.test.ts';
      assert.deepEqual(await tree.failures(tests), [
        'the table of filters dryness names mapped fields only, and every field of its clauses',
      ]);
      edit(MAPPED);
      assert.deepEqual(await tree.failures(tests), []);
    },
    'a field of the record': async () => {
      edit(FIELD);
      const failed = await tree.failures('test/unit/record/table.test.ts');
      assert(
        failed.includes(
          'The table of record fields has a field in the mapping for each value that filters match, and no other field there',
        ),
      );
      assert(failed.includes('The table of record fields is what the published schema of generation files says of projects'));
      assert(failed.includes('The table of record fields lists the fields of each representation in their order'));
    },
    'a route': async () => {
      edit(ROUTE);
      const written = await writeDocument();
      assert(written.hasMethod);
      assert(written.additive.some((change) => change.includes('/v1/dryness')));
      assert.deepEqual(await tree.failures(COVERAGE), [LISTED]);
      edit(coveredRoute('GET /dryness'));
      assert.deepEqual(await tree.failures(COVERAGE), []);
    },
    'a plan’s figures': async () => {
      edit({ file: 'src/core/domain/plans.ts', behind: 'monthlyCredits: 300', instead: true, text: 'monthlyCredits: 301' });
      assert.deepEqual(await tree.failures('test/unit/keys.test.ts'), [
        "plans have the contract's figures",
        'plans let a team have a monthly figure of its own, 0 included, but never a trial',
      ]);
    },
    'an error': async () => {
      edit(ERROR);
      await writeDocument();
      assert.deepEqual(await tree.failures(COVERAGE), [LISTED]);
    },
    'an event for webhooks': async () => {
      edit(event('webhooks'));
      assert.deepEqual(await tree.failures('test/unit/guides.test.ts'), [
        'the text of the guides lists every type of event in webhooks.md',
      ]);
      const { additive } = await writeDocument();
      assert(additive.some((change) => change.includes('dry.spell')));
    },
    'a metric': async () => {
      edit(METRIC);
      assert.deepEqual(await tree.failures('test/unit/metricsGuide.test.ts'), [
        'the guide on running the service lists every metric as it is defined',
      ]);
    },
    'a feature, a job': async () => {
      edit(...TOY);
      assert.deepEqual(await tree.failures('test/unit/imports.test.ts'), []);
      const kinds = `
        import { FEATURES } from './src/features.ts';
        const platform = new Proxy({}, { get: (_, name) => (name === 'once' ? () => platform : platform) });
        console.log(FEATURES.find(({ jobs }) => jobs?.(platform).some(({ name }) => name === 'toy')) !== undefined);`;
      assert.equal(await tree.printed(kinds), 'true');
      const { additive } = await writeDocument();
      assert(additive.some((change) => change.includes('/v1/toy')));
      assert(additive.some((change) => change.includes('toy.broken')));
      edit({ file: 'src/features/toy/index.ts', behind: "import { Type } from 'typebox';", text: "\nimport '../alerts/index.ts';" });
      assert.deepEqual(await tree.failures('test/unit/imports.test.ts'), [
        'imports of features go to core, http and features before them in the list',
      ]);
    },
  };
  const LISTED = 'every row of the contract of the OpenAPI document is listed, and every listed one is in the document';

  it('has just the rows that are made dry here', () => {
    const [, table = ''] = readSource('src/docs/contributing.md').split('| To change |');
    const [rows = ''] = table.split('\n\n');
    const names = [...rows.matchAll(/^\| ([^|]+?) \|/gm)].map(([, cell]) => cell as string);
    assert.deepEqual(names.sort(), Object.keys(ROWS).sort());
  });
  for (const [name, prove] of Object.entries(ROWS)) it(name, prove);
});
