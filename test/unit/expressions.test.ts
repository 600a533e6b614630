/** Every regular expression of the program takes time linear in its text: one that does not lets a text stop the service. */

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { check } from 'recheck';
import { buildExpressions, type Expression, programTexts, readExpressions } from '../support/expressions.ts';
import { assertNone } from '../support/lists.ts';
import { readSource, root } from '../support/sources.ts';

/**
 * Verdicts by digests of expression, settings and version, which take the checker a minute. Those that are committed are of the expressions when
 * `GOLDEN=write npm test -- test/unit/expressions.test.ts` was last run; others are kept where this ran.
 */
const COMMITTED = path.join(import.meta.dirname, 'expressions.json');
const VERDICTS = path.join(root, '.stack', 'expressions.json');
const CHECKS_AT_ONCE = 2;
/** By steps instead of time, so that a busy machine has the same verdicts. Of large automata, which take seconds, it tries a few attacks instead. */
const SETTINGS = {
  timeout: 300_000,
  attackTimeout: null,
  incubationTimeout: null,
  seedingTimeout: null,
  attackLimit: 100_000_000,
  maxAttackStringSize: 100_000,
  maxNFASize: 3_000,
  maxIteration: 3,
  maxGenerationSize: 40,
  maxInitialGenerationSize: 150,
  mutationSize: 20,
  crossoverSize: 10,
};
/**
 * Of the command that reads public sources, not of the service. They take the checker minutes, and are linear: what they repeat is bounded, so that
 * from each place in the text at most 300 characters are looked at.
 */
const EXCEPTIONS = [
  String.raw`\bsports? (facilit|complex|cent|field)|`,
  String.raw`\bfarms?\b(?=.{0,300}\b(agricultur|`,
  String.raw`\b(road|street|highway|sidewalk|intersection|median|bridge|repaving|`,
];
const isException = ({ at, source }: Expression) => at.startsWith('ingest/sources/') && EXCEPTIONS.some((one) => source.startsWith(one));
const { recheck: VERSION } = JSON.parse(readSource('package.json')).devDependencies;

const nameOf = ({ source, flags }: Expression) =>
  createHash('sha256')
    .update(JSON.stringify([VERSION, SETTINGS, source, flags]))
    .digest('base64url');

/** What is wrong with an expression; '' for a safe one. */
async function findFault({ source, flags }: Expression): Promise<string> {
  const found = await check(source, flags, SETTINGS);
  if (found.status === 'safe') return '';
  if (found.status === 'unknown') return `is not understood (${found.error.kind}): write it more simply`;
  return `takes time of the ${found.complexity.summary} in a text such as ${found.attack.pattern.slice(0, 300)}`;
}

type Verdicts = Record<string, string>;

function readVerdicts(): Verdicts {
  const committed: Verdicts = JSON.parse(readFileSync(COMMITTED, 'utf8'));
  try {
    return { ...JSON.parse(readFileSync(VERDICTS, 'utf8')), ...committed };
  } catch {
    return committed;
  }
}

function writeCommitted(expressions: readonly Expression[], verdicts: Verdicts): void {
  const names = new Set(expressions.map(nameOf));
  const kept = [...names].sort().map((name) => [name, verdicts[name]]);
  writeFileSync(COMMITTED, `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`);
}

async function findFaults(expressions: readonly Expression[]): Promise<string[]> {
  const verdicts = readVerdicts();
  const unknown = new Map(expressions.map((one) => [nameOf(one), one] as const).filter(([name]) => verdicts[name] === undefined));
  const waiting = [...unknown];
  const work = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      verdicts[next[0]] = await findFault(next[1]);
      writeFileSync(VERDICTS, JSON.stringify(verdicts));
    }
  };
  mkdirSync(path.dirname(VERDICTS), { recursive: true });
  await Promise.all(Array.from({ length: CHECKS_AT_ONCE }, work));
  if (process.env.GOLDEN === 'write') writeCommitted(expressions, verdicts);
  return expressions.flatMap((one) => {
    const fault = verdicts[nameOf(one)];
    return fault ? [`${one.at} /${one.source}/${one.flags} ${fault}`] : [];
  });
}

describe('a regular expression of the program', function () {
  this.timeout(900_000);
  const { literals, builders } = readExpressions(programTexts());
  const built = buildExpressions([...new Set(builders.map((at) => at.replace(/:\d+$/, '')))]);
  const ours = built.filter(({ at }) => /^(?:src|ingest)\//.test(at));

  it('is checked wherever it is built of parts', () => {
    const seen = new Set(ours.map(({ at }) => at));
    assertNone(builders, (at) => !seen.has(at), 'call these in test/support/builtExpressions.ts');
  });

  it('takes time linear in the length of its text', async () => {
    const all = [...literals, ...ours];
    assert.ok(literals.length > 400 && ours.length > 200);
    const exceptions = new Set(all.filter(isException).map(({ source }) => source));
    assert.equal(exceptions.size, EXCEPTIONS.length);
    assert.deepEqual(await findFaults(all.filter((one) => !isException(one))), []);
  });

  it('is found and named with its place if a short text can stop it', async () => {
    const text = ['const fine = /^[a-z]+$/;', 'const slow = /^(?:[A-Z0-9#-]+[ #]*){0,6}$/;'].join('\n');
    const [fault, ...others] = await Promise.all(readExpressions([['src/a.ts', text]]).literals.map(findFault));
    assert.equal(fault, '');
    assert.match(others[0] ?? '', /takes time of the .*polynomial in a text such as .*repeat/);
  });
});
