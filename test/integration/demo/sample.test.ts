/** What the demo does at its start with what earlier starts left in the servers. */
import assert from 'node:assert/strict';
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { serveSample } from '../../../scripts/demo/sample.ts';
import { TODAY } from '../../support/fixtures.ts';
import { TestIndex, THRESHOLDS } from '../../support/index.ts';
import { assertSameState, servedState } from '../../support/ingest.ts';

const PROJECTS = 60;

describe('The demo’s sample', () => {
  const index = new TestIndex(TODAY);
  after(() => index.drop());

  /** @returns what was printed */
  async function serve(): Promise<string> {
    const { url, schema } = await index.records();
    const config = {
      elasticsearchUrls: [index.url],
      elasticsearchApiKey: null,
      elasticsearchCa: null,
      indexPrefix: index.prefix,
      indexShards: 1,
      indexReplicas: 1,
      databaseUrl: url,
      databaseSchema: schema,
      generationsDir: await index.keptFolder(),
      generationsBucketKey: null,
      ...THRESHOLDS,
    };
    const printed: string[] = [];
    await serveSample(config, { root: path.dirname(await index.keptFolder()), projects: PROJECTS }, (line) => printed.push(line));
    return printed.join('\n');
  }

  it('is loaded once, and built again where Elasticsearch has lost it while Postgres stayed', async () => {
    assert.match(await serve(), /^Sample of \d+ made-up projects loaded/);
    const before = await servedState(index);
    assert.match(await serve(), /^Generation 2 is served already; the sample is not loaded again$/);
    await index.dropIndices();
    assert.match(
      await serve(),
      /^Elasticsearch has lost what Postgres has recorded of it: .*\nGeneration 2 is served again \(\d+ projects/,
    );
    assertSameState(await servedState(index), before);
  });

  it('that cannot be built again is a sentence, and the commands that begin again', async () => {
    await index.dropIndices();
    const kept = await index.keptFolder();
    for (const file of readdirSync(kept)) rmSync(path.join(kept, file));
    const lines =
      /^UserError: The files at hand .*missing: .*\.\nTo begin the demo again from nothing, .*: rm -r \.stack\/data, then npm run demo$/;
    await assert.rejects(serve(), lines);
  });
});
