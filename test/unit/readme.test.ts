import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { load } from 'js-yaml';
import { configTable } from '../../src/config.ts';
import { guides, readme } from '../support/guides.ts';
import { assertNone } from '../support/lists.ts';
import { readSource } from '../support/sources.ts';

const MOST_WORDS = 700;

describe('the guide to settings', () => {
  it('lists every setting as the configuration defines it', () => {
    const guide = readSource('src/docs/settings.md');
    assert.ok(guide.includes(configTable()), `Replace the table of settings with:\n${configTable()}`);
  });
});

describe('README', () => {
  it(`has at most ${MOST_WORDS} words`, () => {
    const words = readme.text.split(/\s+/).filter(Boolean).length;
    assert(words <= MOST_WORDS, `It has ${words}: move details to a guide.`);
  });

  it('names the two commands to begin with', () => {
    for (const command of ['npm run demo', 'npm test']) assert.match(readme.text, new RegExp(`^${command}\\b`, 'm'));
  });

  it('links every guide', () => {
    assertNone(
      guides.map(({ name }) => name),
      (name) => !readme.text.includes(`](src/docs/${name})`),
    );
  });
});

describe('.github', () => {
  const read = (file: string) => load(readSource(`.github/${file}`)) as Record<string, unknown>;

  it('has one workflow, which runs .ci/run on pushes and pull requests', () => {
    const { on, jobs } = read('workflows/ci.yml') as { on: object; jobs: Record<string, { steps: { run?: string }[] }> };
    assert.deepEqual(Object.keys(on), ['push', 'pull_request']);
    assert.equal(jobs.test?.steps.at(-1)?.run, '.ci/run');
  });

  it('has forms whose fields have unique ids and labels', () => {
    for (const name of readdirSync(new URL('../../.github/ISSUE_TEMPLATE', import.meta.url)).filter((name) => name !== 'config.yml')) {
      const { body } = read(`ISSUE_TEMPLATE/${name}`) as { body: { type: string; id?: string; attributes: { label?: string } }[] };
      const fields = body.filter(({ type }) => type !== 'markdown');
      assert.equal(new Set(fields.map(({ id }) => id)).size, fields.length, name);
      assert(
        fields.every(({ id, attributes }) => id && attributes.label),
        name,
      );
    }
  });
});
