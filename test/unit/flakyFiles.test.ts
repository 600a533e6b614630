import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { longestFirst, readDurations } from '../../scripts/test/durations.ts';
import { capturePrinted } from '../../scripts/test/reporter.ts';
import { flakyText, type RunOutcome, runStages } from '../../scripts/test/runStages.ts';
import { bareEnvironment } from '../support/programs.ts';

/** Text of a test file that fails at first and then creates a mark by which it passes. */
const FAILS_ONCE = `
  import { existsSync, writeFileSync } from 'node:fs';
  const mark = new URL('mark', import.meta.url);
  it('finds the mark', () => {
    if (existsSync(mark)) return;
    writeFileSync(mark, '');
    throw new Error('No mark\\nin this folder');
  });
`;
const FAILS_ALWAYS = `it('adds', () => { throw new Error('2 is not 3'); });`;
const NEVER_ENDS = `it('begins', () => console.log('begun')); it('never ends', () => new Promise(() => setInterval(() => {}, 1_000))).timeout(0);`;
const PASSES = `it('passes', () => {});`;

describe('a run of all test files', () => {
  // within the checkout, whose package says that these are modules
  const parent = path.resolve(import.meta.dirname, '../../.stack');
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(path.join(parent, 'flaky-'));
  after(() => rmSync(folder, { recursive: true }));

  const file = (name: string, text: string): string => {
    const place = path.join(folder, `${name}.test.ts`);
    writeFileSync(place, text);
    return place;
  };
  const run = (files: string[]): Promise<{ result: RunOutcome; text: string }> => {
    const options = { lastAfter: Promise.resolve(), env: process.env, signal: new AbortController().signal };
    return capturePrinted(() => runStages([{ files, lanes: 1 }], options));
  };

  it('names a file that fails at first and passes alone as flaky, with its first failure', async () => {
    const flaky = file('flaky', FAILS_ONCE);
    const { result, text } = await run([flaky, file('passes', PASSES)]);
    assert.deepEqual(result.counts, { passed: 2, failed: 0, skipped: 0 });
    assert.deepEqual(result.flaky, [`${flaky}: finds the mark: No mark`]);
    assert.match(text, /flaky\.test\.ts failed at first, and passed alone:\n[\s\S]*No mark\nin this folder/);
    assert.equal(flakyText(result.flaky), `\nFlaky: failed at first, and passed alone\n  ${flaky}: finds the mark: No mark\n`);
  });

  it('starts with the files that took longest in the last run, and goes on by size with those that it does not know', () => {
    const small = file('small', PASSES);
    const large = file('large', FAILS_ONCE);
    assert.deepEqual(longestFirst([small, large, 'quick', 'slow'], { slow: 40, quick: 2 }), ['slow', 'quick', large, small]);
  });

  it('of a new clone starts with files that are there', () => {
    const missing = Object.keys(readDurations(folder)).filter((name) => !existsSync(name));
    assert.deepEqual(missing, []);
  });

  it('counts one that fails again as failed, and no file as flaky', async () => {
    const { result, text } = await run([file('fails', FAILS_ALWAYS), file('passes', PASSES)]);
    assert.deepEqual(result.counts, { passed: 1, failed: 1, skipped: 0 });
    assert.deepEqual(result.flaky, []);
    assert.match(text, /2 is not 3/);
    assert.equal(flakyText(result.flaky), '');
  });

  it('that is aborted says so before its counts, which are not of the whole run', async () => {
    const url = 'http://127.0.0.1:1';
    const child = spawn(process.execPath, ['scripts/test.ts', file('endless', NEVER_ENDS)], {
      env: { ...bareEnvironment, ELASTICSEARCH_URL: url, DATABASE_URL: url, REDIS_URL: url },
    });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (more: string) => {
      if (more.includes('begun')) child.kill('SIGTERM');
      text += more;
    });
    const [code] = await once(child, 'close');
    assert.equal(code, 1);
    assert.match(text, /\nStopped by SIGTERM\. The run was aborted: what had not ended is not counted\.\n\n\d+ passed, 1 failed\n$/);
  });
});
