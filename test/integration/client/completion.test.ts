/** Completion of the command line by shells as they are, against the real service. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { listenOnLoopback } from '../../../scripts/lib/loopback.ts';
import { project, TODAY } from '../../support/fixtures.ts';
import { newFolder } from '../../support/folder.ts';
import { landuseMain as main, runLanduse } from '../../support/landuseProcess.ts';
import { bareEnvironment, outputOf } from '../../support/programs.ts';
import { provideWorld } from '../../support/world.ts';

const BOUND_MS = 1_500;
/** After this time a command gives up asking the service, and completes nothing. */
const ASKED_FOR_MS = 1_200;
/** How often a busy machine may make it give up. */
const TRIES = 5;
const DAY_MS = 86_400_000;
/** What bash makes of a line in which the cursor is at the end, word by word as it splits them. */
const BASH_TRIAL = `COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _landuse; printf '%s\\n' "\${COMPREPLY[@]}"`;

interface Options {
  key?: string;
  url?: string;
  cache?: string;
}

describe('completion', () => {
  const folder = newFolder('completion');
  const world = provideWorld({ today: TODAY }, [project(1), project(2)]);
  let key: string;
  before(async () => {
    key = await world.api.key();
  });

  const landuse = (args: readonly string[], options: Options = {}) => {
    const env = { XDG_CACHE_HOME: options.cache ?? path.join(folder, 'cache') };
    return runLanduse(args, { url: options.url ?? world.api.url, key: options.key ?? key, folder, env });
  };

  async function ask(words: readonly string[], options: Options = {}): Promise<{ stdout: string; stderr: string; ms: number }> {
    const started = performance.now();
    const { stdout, stderr } = await landuse(['__complete', '--', ...words], options);
    return { stdout, stderr, ms: performance.now() - started };
  }

  /** Completions without their meanings. */
  async function values(words: readonly string[], options: Options = {}): Promise<string[]> {
    let { stdout, stderr, ms } = await ask(words, options);
    for (let tries = 1; !stdout && ms > ASKED_FOR_MS && tries < TRIES; tries++) ({ stdout, stderr, ms } = await ask(words, options));
    assert.equal(stderr, '');
    return stdout.split('\n').flatMap((line) => (line ? [line.split('\t')[0] ?? ''] : []));
  }

  it('knows commands, options, filters and the words that an argument takes', async () => {
    assert.deepEqual(await values(['alerts', 'pre']), ['preview']);
    assert.deepEqual(await values(['count', 'acreageM']), ['acreageMin=', 'acreageMax=']);
    assert.deepEqual(await values(['--json', 'alerts', 'create', '--every', 'w']), ['weekly']);
    assert.deepEqual(await values(['completion', '']), ['bash', 'zsh', 'fish']);
    assert((await values(['search', '--'])).includes('--max-credits'));
    assert.deepEqual(await values(['sync', '--to', '']), [], 'a file, which the shell completes itself');
    assert(!(await values([''])).includes('__complete'));
  });

  it('knows the words of filters without a key, behind those of a list too', async () => {
    const open = { key: '' };
    assert.deepEqual(await values(['count', 'states=c'], open), ['states=CA', 'states=CO', 'states=CT']);
    assert.deepEqual(await values(['count', 'states=CO,Tex'], open), ['states=CO,Texas']);
    assert.deepEqual(await values(['count', 'status=approved'], open), ['status=approved', 'status=approved_with_conditions']);
    assert((await values(['search', 'propertyTypes='], open)).includes('propertyTypes=residential'));
    assert.deepEqual(await values(['count', 'projectSizes=l'], open), ['projectSizes=large']);
    for (const name of ['propertySubtypes', 'assetClasses', 'decisionBodies', 'requestTypes', 'decisionTypes', 'constructionTypes'])
      assert((await values(['count', `${name}=`], open)).length > 2, name);
    assert.deepEqual(await values(['count', 'cities=boul'], open), [], 'places need a key');
  });

  it('knows cities and counties by their beginning, and ids by the names of alerts and lists', async () => {
    assert((await values(['count', 'cities=boul'])).includes('cities=Boulder, CO'));
    assert((await values(['count', 'cities=Denver, CO,boul'])).includes('cities=Denver, CO,Boulder, CO'));
    assert.deepEqual(await values(['count', 'counties=boulder county, c']), ['counties=Boulder County, CO']);
    const solar = { name: 'Solar in Colorado', filters: { states: ['CO'] }, cadence: { frequency: 'daily' } };
    const { body: alert } = await world.api.post('/alerts', solar, { key });
    // a name of before names were one line
    await world.api.database.query('update alert set name = $2 where id = $1', [alert.data.id, 'Solar\tin\x1b Colorado']);
    const { body: list } = await world.api.post('/lists', { name: 'To call', projectIds: [1] }, { key });
    assert.equal((await ask(['alerts', 'run', ''])).stdout, `${alert.data.id}\tSolar\\x09in\\x1b Colorado\n`);
    const { stdout: lists } = await ask(['lists', 'get', '']);
    assert(lists.split('\n').includes(`${list.data.id}\tTo call`), `beside the list that the alert keeps: ${lists}`);
    assert.deepEqual(await values(['lists', 'get', ''], { key: await world.api.key() }), [], 'of another team');
  });

  it('keeps the words for a day, and longer while their version is the same', async () => {
    const cache = path.join(folder, 'kept');
    const words = ['count', 'projectSizes=s'];
    assert.deepEqual(await values(words, { cache }), ['projectSizes=small']);
    const [name = ''] = await readdir(path.join(cache, 'landuse'));
    const file = path.join(cache, 'landuse', name);
    const kept = JSON.parse(await readFile(file, 'utf8'));
    const projectSizes = [{ token: 'small_kept', label: 'Kept' }];
    const marked = (version: string) => writeFile(file, JSON.stringify({ ...kept, version, projectSizes }));
    await marked('000000000000');
    assert.deepEqual(await values(words, { cache }), ['projectSizes=small_kept'], 'not asked for again');
    await marked(kept.version);
    const twoDaysAgo = new Date(Date.now() - 2 * DAY_MS);
    await utimes(file, twoDaysAgo, twoDaysAgo);
    assert.deepEqual(await values(words, { cache }), ['projectSizes=small_kept'], 'the version is the same');
    await marked('000000000000');
    await utimes(file, twoDaysAgo, twoDaysAgo);
    assert.deepEqual(await values(words, { cache }), ['projectSizes=small'], 'the version is another');
    await writeFile(file, '{"version":');
    assert.deepEqual(await values(words, { cache }), ['projectSizes=small'], 'it was damaged');
  });

  it('answers nothing, soon and silently, where the service does not', async () => {
    await using silent = await listenOnLoopback(net.createServer());
    const cache = path.join(folder, 'none');
    for (const url of [silent.url, 'http://127.0.0.1:1', 'no address'])
      for (const words of ['count states=', 'count cities=boul', 'alerts get ']) {
        const { stdout, stderr, ms } = await ask(words.split(' '), { url, cache });
        assert.deepEqual([stdout, stderr], ['', ''], `${url} ${words}`);
        assert(ms < BOUND_MS + 1_000, `${url}: ${ms} ms on a machine that is busy`);
      }
    assert.deepEqual(await values(['alerts', 'pre'], { url: 'no address' }), ['preview'], 'commands need no service');
  });

  /** A shell in which `landuse` is this command line, with the script that it prints. */
  async function inShell(shell: string, define: string, trial: string): Promise<string> {
    const { stdout: script } = await landuse(['completion', shell]);
    const own = { XDG_CONFIG_HOME: folder, XDG_CACHE_HOME: path.join(folder, 'cache'), LANDUSE_URL: world.api.url, LANDUSE_KEY: key };
    const args = [...(shell === 'zsh' ? ['-f'] : []), '-c', `${define}\n${script}\n${trial}`];
    const child = spawn(shell, args, { env: { ...bareEnvironment, ...own }, cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    const output = outputOf(child);
    await once(child, 'close');
    assert.equal(output.stderr, '');
    return output.stdout;
  }

  it('works in bash, which splits words at =', async () => {
    const define = `landuse() { '${process.execPath}' '${main}' "$@"; }`;
    const lines: readonly (readonly [words: string, replies: readonly string[]])[] = [
      ['alerts pre', ['preview']],
      ['count acreageM', ['acreageMin=', 'acreageMax=']],
      ['count states = C', ['CA', 'CO', 'CT']],
      ['count propertyTypes = residential states = CO,T', ['CO,TN', 'CO,TX']],
      ['count projectSizes =', ['large', 'medium', 'small']],
      ['count cities = Boulder,\\\\\\ C', ['Boulder,\\ CO']],
      ["count \\'counties=Boulder\\ County,\\ C", ['counties=Boulder County, CO']],
    ];
    for (const [words, replies] of lines) {
      const stdout = await inShell('bash', define, `COMP_WORDS=(landuse ${words}); ${BASH_TRIAL}`);
      assert.deepEqual(stdout.trim().split('\n'), replies, words);
    }
  });

  it('works in zsh, with meanings', async function () {
    if (spawnSync('zsh', ['--version']).error) return this.skip();
    const shown = `_describe() { print -rl -- "\${(@P)4}"; }`;
    const define = `landuse() { '${process.execPath}' '${main}' "$@"; }\ncompdef() { :; }\n_files() { print files; }\n${shown}`;
    const lines: readonly (readonly [words: string, replies: string])[] = [
      ['count states=C', 'states=CA:California\nstates=CO:Colorado\nstates=CT:Connecticut\n'],
      ["count \\'projectSizes=s", 'projectSizes=small:Small\n'],
      ['sync --to ""', 'files\n'],
    ];
    for (const [words, replies] of lines)
      assert.equal(await inShell('zsh', define, `words=(landuse ${words}); CURRENT=$#words; _landuse`), replies, words);
  });

  it('works in fish, with meanings', async function () {
    if (spawnSync('fish', ['--version']).error) return this.skip();
    const define = `function landuse; '${process.execPath}' '${main}' $argv; end`;
    assert.equal(
      await inShell('fish', define, 'complete -C "landuse count states=C"'),
      'states=CA\tCalifornia\nstates=CO\tColorado\nstates=CT\tConnecticut\n',
    );
    assert.match(await inShell('fish', define, 'complete -C "landuse alerts pre"'), /^preview\twhat a run would/);
  });
});
