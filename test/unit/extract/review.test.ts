/** Judging values beside their words: what is drawn, who may answer, and that no answer is lost. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { ReviewFile } from '../../../ingest/extract/review/reviewFile.ts';
import { type DrawnValue, drawValues } from '../../../ingest/extract/review/sample.ts';
import { runHosted } from '../../support/commandHost.ts';
import { newFolder } from '../../support/folder.ts';
import { bareEnvironment, outputOf, root } from '../../support/programs.ts';

const PASSAGE = 'Case RZ-1, heard in public on the evening of that day: 4.2 acres at 12 Oak Street. The board approved it.';
const TEXT = `Another case, of 4.2 acres.\n${PASSAGE}`;
const quote = (field: string, words: string) => ({ field, quote: words, documentId: 5, page: 2 });
const project = (id: number) => ({
  kind: 'project',
  id,
  state: 'CO',
  propertyType: 'residential',
  caseNumbers: [`RZ-${id}`],
  projectName: 'Maple Yard',
  acreage: 4.2,
  rawText: `\n${PASSAGE}`,
  address: '12 Oak Street',
  evidence: [quote('acreage', '4.2 acres'), quote('address', '12 Oak Street')],
});
const MAIN = 'ingest/extract/main.ts';
const runExtract = (...args: string[]) => runHosted({ file: MAIN, args, env: bareEnvironment });

describe('a review', () => {
  const folder = newFolder('review');
  const generation = path.join(folder, 'generation.ndjson');
  const reviews = path.join(folder, 'reviews.ndjson');
  before(() => {
    const header = { kind: 'generation', generation: 1, mode: 'full', extractedAt: '2026-11-20T00:00:00Z' };
    const lines = [header, { kind: 'document', id: 5, title: 'Minutes', text: TEXT }, ...[1, 2, 3, 4, 5, 6].map(project)];
    writeFileSync(generation, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  });
  const readReviews = () =>
    readFileSync(reviews, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));

  it('draws as many values of each field, by a seed, each with its words and those around them', async () => {
    const drawn = await drawValues(generation, { number: 6, seed: 'a' });
    assert.deepEqual(Object.fromEntries([...Map.groupBy(drawn, ({ field }) => field)].map(([field, some]) => [field, some.length])), {
      acreage: 3,
      address: 3,
    });
    assert.deepEqual(await drawValues(generation, { number: 6, seed: 'a' }), drawn);
    const others = await drawValues(generation, { number: 6, seed: 'b' });
    assert.notDeepEqual(new Set(others.map(({ projectId }) => projectId)), new Set(drawn.map(({ projectId }) => projectId)));
    const { value, record, quotes } = drawn.find(({ field }) => field === 'acreage') as DrawnValue;
    assert.deepEqual([value, record.replace(/\d/, 'n')], [4.2, 'RZ-n · Maple Yard']);
    assert.deepEqual(quotes, [
      {
        before: 'Another case, of 4.2 acres.\nCase RZ-1, heard in public on the evening of that day: ',
        words: '4.2 acres',
        after: ' at 12 Oak Street. The board approved it.',
        document: 'Minutes',
        page: 2,
      },
    ]);
  });

  it('leaves out a line that a load refuses, and says which', async () => {
    const file = path.join(folder, 'refused.ndjson');
    const lines = readFileSync(generation, 'utf8').split('\n');
    const refused = JSON.stringify({ ...project(7), parcelNumbers: ['1'.repeat(101)] });
    writeFileSync(file, [...lines.slice(0, 2), refused, ...lines.slice(2)].join('\n'));
    const told: string[] = [];
    const options = { number: 20, seed: 'a', onRefused: (reason: string) => told.push(reason) };
    assert.deepEqual(await drawValues(file, options), await drawValues(generation, options));
    assert.deepEqual(told, [`${file}:3: parcelNumbers.0 must NOT have more than 100 characters`]);
    writeFileSync(file, [...lines.slice(0, 2), '{"kind":"project","id":7', ...lines.slice(2)].join('\n'));
    await assert.rejects(drawValues(file, options), { name: 'UserError', message: /refused\.ndjson:3: not JSON/ });
  });

  it('has each answer on the disk when the page gets its reply, and goes on after a kill', async () => {
    const start = async () => {
      const child = spawn(process.execPath, [MAIN, 'review', generation, '--reviews', reviews, '--values', '4'], {
        cwd: root,
        env: bareEnvironment,
      });
      const output = outputOf(child);
      while (!/http:\S+/.test(output.stdout)) {
        assert.equal(child.exitCode, null, output.stderr);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      return { child, url: /http:\S+/.exec(output.stdout)?.[0] as string };
    };
    const ask = (url: string, route: string, body?: object, headers: Record<string, string> = {}) =>
      new Promise<number>((resolve, reject) => {
        const text = body && JSON.stringify(body);
        const sent = { ...(text ? { 'Content-Length': String(text.length) } : {}), ...headers };
        const asked = request(new URL(route, url), { method: text ? 'POST' : 'GET', headers: sent }, (answer) =>
          resolve(answer.resume().statusCode ?? 0),
        );
        asked.on('error', reject).end(text);
      });
    const first = await start();
    assert.equal(await ask(first.url, '/'), 200);
    for (const [index, right] of [true, false, true].entries()) assert.equal(await ask(first.url, '/answers', { index, right }), 200);
    for (const headers of [{ Host: 'review.example' }, { Origin: 'http://other.example' }] as Record<string, string>[])
      assert.equal(await ask(first.url, '/answers', { index: 0, right: false }, headers), 403);
    for (const wrong of [{ index: 99, right: true }, { index: 0 }, { index: 0, right: 'yes' }])
      assert.equal(await ask(first.url, '/answers', wrong), 400);
    first.child.kill('SIGKILL');
    await once(first.child, 'close');
    assert.deepEqual(
      readReviews().map(({ kind, right }) => [kind, right]),
      [
        ['review', true],
        ['review', false],
        ['review', true],
      ],
    );

    appendFileSync(reviews, '{"kind":"review","proj');
    const second = await start();
    const values = (await (await fetch(new URL('/values', second.url))).json()) as { right: boolean | null }[];
    assert.deepEqual(
      values.map(({ right }) => right),
      [true, false, true, null],
    );
    assert.equal(await ask(second.url, '/answers', { index: 0, right: false }), 200);
    assert.equal(readReviews().length, 4, 'what a kill has cut off is gone');
    second.child.kill('SIGTERM');
    const [code] = await once(second.child, 'close');
    assert.equal(code, 0);
  });

  it('keeps a last line that was written by hand, and leaves a file of something else as it is', () => {
    const file = path.join(folder, 'byHand.ndjson');
    const now = new Date('2026-11-20T00:00:00Z');
    const line = '{"kind":"review","projectId":1,"field":"acreage","right":true,"reviewedAt":"2026-11-19T00:00:00Z"}';
    for (const [text, kept] of [
      [line, `${line}\n`],
      [`${line}\n{"kind":"review","fi\xe9`, `${line}\n`],
    ] as const) {
      writeFileSync(file, text, 'latin1');
      const answers = new ReviewFile(file);
      assert.equal(answers.find({ projectId: 1, field: 'acreage' }), true);
      answers.add({ projectId: 2, field: 'acreage' }, true, now);
      answers.close();
      assert.equal(readFileSync(file, 'utf8').split('\n')[1]?.includes('"projectId":2'), true);
      assert(readFileSync(file, 'utf8').startsWith(kept));
    }
    writeFileSync(file, '[{"files": "*"}]');
    assert.throws(() => new ReviewFile(file), { name: 'UserError', message: /byHand\.ndjson:1: not a review/ });
    assert.equal(readFileSync(file, 'utf8'), '[{"files": "*"}]');
  });

  it('loses no answer where two people judge into one file; the later one counts', () => {
    const file = path.join(folder, 'both.ndjson');
    const [one, other] = [new ReviewFile(file), new ReviewFile(file)];
    for (let id = 1; id <= 40; id++) {
      one.add({ projectId: id, field: 'acreage' }, true, new Date());
      other.add({ projectId: id, field: 'acreage' }, id % 2 === 0, new Date());
      other.add({ projectId: id, field: 'address' }, true, new Date());
    }
    for (const each of [one, other]) each.close();
    const read = new ReviewFile(file);
    const found = Array.from({ length: 40 }, (_, i) => [
      read.find({ projectId: i + 1, field: 'acreage' }),
      read.find({ projectId: i + 1, field: 'address' }),
    ]);
    read.close();
    assert.deepEqual(
      found,
      found.map((_, i) => [i % 2 === 1, true]),
    );
  });

  it('refuses files that are none, with their place', async () => {
    const run = async (...args: string[]) => (({ code, stderr }) => [code, stderr.trim()])(await runExtract('review', ...args));
    assert.deepEqual(await run('gone.ndjson'), [2, 'gone.ndjson: there is no such file; check the path']);
    const other = path.join(folder, 'other.ndjson');
    writeFileSync(other, '{"kind":"document","id":5}\n');
    assert.deepEqual(await run(other), [2, `${other}: no value has a quote; is it a generation that npm run extract wrote?`]);
    assert.deepEqual(await run(generation, '--reviews', other), [
      2,
      `${other}:1: not a review; mend the line, or name another file with --reviews`,
    ]);
  });
});

describe('npm run extract', () => {
  const folder = newFolder('extract');
  it('writes one whole file where two runs write it at once', async () => {
    const bodies = path.join(folder, 'both.json');
    writeFileSync(bodies, JSON.stringify([{ files: '*.txt', state: 'CO', city: 'Boulder', body: 'Planning Commission' }]));
    const out = path.join(folder, 'both.ndjson.gz');
    const run = (to: string) => runExtract(path.join(import.meta.dirname, 'minutes'), '--bodies', bodies, '--out', to, '--generation', '1');
    const runs = await Promise.all([run(out), run(out)]);
    for (const { code, stderr } of runs) assert.equal(code, 0, stderr);
    const alone = path.join(folder, 'alone.ndjson.gz');
    assert.equal((await run(alone)).code, 0);
    assert.match(gunzipSync(readFileSync(out)).toString(), /"kind":"document"/);
    assert.deepEqual(readFileSync(out), readFileSync(alone));
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.startsWith('both.ndjson.gz.')),
      [],
    );
  });

  it('refuses a day that its month lacks, and does not take the next month for it', async () => {
    const args = ['x', '--bodies', 'b', '--out', 'o', '--generation', '1', '--extracted-at', '2026-02-30T00:00:00Z'];
    const { code, stderr } = await runExtract(...args);
    assert.equal(code, 2);
    assert.match(stderr, /'2026-02-30T00:00:00Z' is invalid/);
  });

  it('reads a folder by its bodies and prints what it wrote; its help has examples', async () => {
    const bodies = path.join(folder, 'bodies.json');
    writeFileSync(bodies, JSON.stringify([{ files: '*.txt', state: 'CO', city: 'Boulder', body: 'Planning Commission' }]));
    writeFileSync(
      path.join(folder, 'a.txt'),
      'Boulder Planning Commission\nMinutes of March 2, 2026\n\nThe meeting was called to order at 6:00 p.m.\n',
    );
    const out = path.join(folder, 'generation.ndjson.gz');
    const args = [folder, '--bodies', bodies, '--out', out, '--generation', '1'];
    const { code, stdout, stderr } = await runExtract(...args, '--json');
    assert.equal(code, 0, stderr);
    assert.deepEqual([JSON.parse(stdout).generation, existsSync(out)], [1, true]);
    const again = await runExtract(...args);
    assert.deepEqual([again.code, again.stderr.trim()], [2, `The file '${out}' exists already; name another one, or move it away.`]);
    const help = await runExtract('--help');
    assert.equal(help.code, 0);
    assert(help.stdout.includes('npm run extract -- review generation-1.ndjson.gz'), help.stdout);
    const wrong = await runExtract(folder, '--bodies', bodies);
    assert.equal(wrong.code, 2);
    const local = await runExtract(...args, '--extracted-at', '2026-11-29T06:00');
    assert.match(local.stderr, /It has to be a time such as 2026-11-29T06:00:00Z/);
    const cut = path.join(folder, 'cut.ndjson.gz');
    writeFileSync(cut, readFileSync(out).subarray(0, -20));
    const previous = await runExtract(...args.with(4, path.join(folder, 'x.ndjson')), '--previous', cut);
    assert.deepEqual([previous.code, /cut\.ndjson\.gz: cannot be read beyond line \d/.test(previous.stderr)], [2, true]);
    const model = await runExtract(...args.with(4, path.join(folder, 'x.ndjson')), '--model');
    assert.match(model.stderr, /--model needs LANGUAGE_MODEL_URL and LANGUAGE_MODEL_NAME/);
  });
});
