/** Properties of every row of the tables of filters and controls. */

import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import projectsMapping from '../../mappings/projects.json' with { type: 'json' };
import { ApiError, refusalOf as oneAnswer } from '../../src/core/domain/errors.ts';
import { STATED_NAMES } from '../../src/core/domain/record/fields.ts';
import { CONTROLS } from '../../src/core/filter/controls.ts';
import type { AnyFilter } from '../../src/core/filter/entry.ts';
import { CANONICAL } from '../../src/core/filter/names.ts';
import { findMissingCompanions, parseFilterObject, readParameters } from '../../src/core/filter/parse.ts';
import { FILTER_NAMES, FILTERS, filterOf, REMOVED } from '../../src/core/filter/table.ts';
import { evidencePaths } from '../../src/core/search/unconfirmedFilters.ts';
import { loadPlaces } from '../../src/core/store/files/loadPlaces.ts';
import { assertNone, pluck } from '../support/lists.ts';

const ENTRIES: readonly (readonly [string, AnyFilter])[] = [...Object.entries(FILTERS), ...Object.entries(CONTROLS)];
const places = loadPlaces();
const ajv = new Ajv2020({ strict: false });

/** What a request with these parameters means; companions that an entry needs are sent with it. */
function parse(parameters: Record<string, readonly unknown[]>): Record<string, unknown> {
  const reading = readParameters(new Map(Object.entries(parameters)), CONTROLS, places);
  const problems = [...reading.problems, ...findMissingCompanions(reading)];
  if (problems.length) throw oneAnswer(problems);
  return { ...reading.filters, ...reading.controls };
}

const companions = (entry: AnyFilter) => (entry.needs ? { [entry.needs]: ['true'] } : {});
const parsed = (name: string, entry: AnyFilter, raw: readonly unknown[]) => parse({ ...companions(entry), [name]: raw })[name];

function refusalOf(parameters: Record<string, readonly unknown[]>): ApiError | undefined {
  try {
    parse(parameters);
  } catch (error) {
    assert.ok(error instanceof ApiError, `${(error as Error).stack}`);
    assert.equal(error.status, 400);
    assert.doesNotThrow(() => JSON.stringify(error.details));
    return error;
  }
  return undefined;
}

interface Problem {
  param: string;
  code: string;
  message: string;
}

const problemsOf = (error: ApiError | undefined) => (error?.details?.problems ?? []) as Problem[];

/** Field paths of a mapping, with those of nested and plain objects. */
function mappedFields(properties: Record<string, { properties?: object }>, prefix = ''): string[] {
  return Object.entries(properties).flatMap(([name, field]) => [
    `${prefix}${name}`,
    ...(field.properties ? mappedFields(field.properties as Record<string, object>, `${prefix}${name}.`) : []),
  ]);
}

const FIELDS = new Set(mappedFields(projectsMapping.properties as Record<string, object>));

/** Field names that a clause mentions: keys and `path` values below `derived` and the sortable roots. */
function fieldsIn(clause: unknown): string[] {
  if (Array.isArray(clause)) return clause.flatMap(fieldsIn);
  if (clause === null || typeof clause !== 'object') return [];
  return Object.entries(clause).flatMap(([key, value]) => [...(key.startsWith('derived.') ? [key] : []), ...fieldsIn(value)]);
}

const deep = `${'['.repeat(9_000)}${']'.repeat(9_000)}`;
const GARBAGE: readonly unknown[] = [
  ...['', ' ', '\0', 'a\0b', ' - ', '\ud800', '🏗️', deep, `${'{"a":'.repeat(4_000)}1${'}'.repeat(4_000)}`],
  ...'null undefined NaN Infinity -Infinity 1e999 -0 ٣ 0x10 1_000 [] {} [[]] [{}] [null] ["",""] " , ,,,, | ||'.split(' '),
  ...'{"toString":1} {"__proto__":{"x":1}} 2026-02-30 2026-13 0000 9999 9999-12-31T23:59:59-14:00'.split(' '),
  ...['a'.repeat(16_000), `a${' '.repeat(16_000)}b`, '9'.repeat(400), 'x,'.repeat(4_000)],
  Array.from({ length: 4_000 }, (_, i) => `x${i}`).join(','),
  Array.from({ length: 500 }, (_, i) => `residentiel housing ${i}`).join(','),
  ...[null, undefined, true, 0, Number.NaN, Number.POSITIVE_INFINITY, [], {}, [[]], { toString: 1, valueOf: 1 }, JSON.parse(deep)],
];

const PARSE_LIMIT_MS = 50;

for (const [title, entries] of [
  ['filters', ENTRIES.filter(([name]) => name in FILTERS)],
  ['controls', ENTRIES.filter(([name]) => name in CONTROLS)],
] as const) {
  describe(`the table of ${title}`, () => {
    for (const [name, entry] of entries) {
      describe(name, () => {
        const value = () => parsed(name, entry, [entry.example]);

        it('parses its example, and parses its echo back to the same value', () => {
          assert.notEqual(value(), undefined);
          const echoed = entry.kind.echo(value());
          const back = parsed(name, entry, [JSON.parse(JSON.stringify(echoed))]);
          assert.deepEqual(entry.kind.echo(back), echoed);
          assert.deepEqual(back, value());
          const asText = typeof echoed === 'string' ? echoed : JSON.stringify(echoed);
          assert.deepEqual(parsed(name, entry, [asText]), value(), 'the echo as a query string would carry it');
        });

        it('describes itself: a summary, and a JSON Schema that accepts its echo', () => {
          assert.ok(entry.summary.length > 10);
          assert.equal(ajv.validateSchema(entry.kind.schema), true, ajv.errorsText());
          const validate = ajv.compile(entry.kind.schema);
          assert.ok(validate(entry.kind.echo(value())), ajv.errorsText(validate.errors));
        });

        it('is found under each of its names', () => {
          for (const alias of entry.aliases ?? []) {
            assert.equal(CANONICAL.get(alias), name);
            const { [name]: byAlias } = parse({ ...companions(entry), [alias]: [entry.example] });
            assert.deepEqual(byAlias, value());
          }
        });

        it('names mapped fields only, and every field of its clauses', () => {
          for (const field of entry.fields) assert.ok(FIELDS.has(field), `${field} is not mapped`);
          const context = { roles: ['primary'] as const, today: '2026-11-20' };
          const clauses = [...(entry.must?.(value(), context) ?? []), ...(entry.mustNot?.(value(), context) ?? [])];
          for (const field of fieldsIn(clauses)) {
            assert.ok(FIELDS.has(field), `${field} is not mapped`);
            assert.ok(entry.fields.includes(field) || field.endsWith('.current') || field.endsWith('.type'), `${field} is not declared`);
          }
          if (clauses.length) assert.ok(entry.fields.length > 0, 'clauses without fields');
        });

        it('answers any rubbish with a 400 that says what is wrong, at once', () => {
          for (const rubbish of GARBAGE) checkRubbish(name, entry, [rubbish]);
          checkRubbish(name, entry, [entry.example, deep]);
          fc.assert(
            fc.property(
              fc.oneof(fc.string({ unit: 'binary', maxLength: 200 }), fc.json(), fc.double().map(String), fc.jsonValue()),
              (any) => checkRubbish(name, entry, [any]),
            ),
            { numRuns: 100 },
          );
        });
      });
    }
  });
}

function checkRubbish(name: string, entry: AnyFilter, raw: readonly unknown[]): void {
  const timed = () => {
    const started = process.cpuUsage();
    const refusal = refusalOf({ ...companions(entry), [name]: raw });
    return { refusal, took: process.cpuUsage(started).user / 1000 };
  };
  const { refusal, took } = timed();
  // compiling and collecting garbage count too, so that it is tried again before it is called slow
  const quick = took < PARSE_LIMIT_MS || [1, 2, 3].some(() => timed().took < PARSE_LIMIT_MS);
  assert.ok(quick, `${name} took ${took} ms`);
  if (!refusal) return;
  const problems = problemsOf(refusal);
  assert.ok(problems.length > 0, 'no problems');
  for (const problem of problems) {
    assert.equal(typeof problem.code, 'string');
    assert.equal(typeof problem.message, 'string');
    assert.ok(problem.message.length < 1000, problem.message);
  }
  assert.equal(problems[0]?.param.split('[')[0], name);
}

/** Entries whose value is a list of texts or numbers. */
const LISTS = ENTRIES.filter(([, entry]) => {
  const { type, items } = entry.kind.schema as { type: string; items?: { type?: unknown } };
  return type === 'array' && items?.type !== 'array' && items?.type !== 'object';
});

/** Two different values of a list, as they can be sent. */
function twoValues(entry: AnyFilter): [string, string] {
  const { items } = entry.kind.schema as { items: { enum?: string[] } };
  if (items.enum) return [items.enum[0] as string, items.enum[1] as string];
  const example = entry.example.split(',');
  return example.length > 1 ? [example[0] as string, example[1] as string] : [example[0] as string, example[0] as string];
}

describe('lists', () => {
  it('are most of the table', () => assert.ok(LISTS.length > 15));

  for (const [name, entry] of LISTS)
    it(`${name}: a comma list, a JSON array, a repeated parameter and a mixture are one`, () => {
      const [a, b] = twoValues(entry);
      const wanted = parsed(name, entry, [[a, b]]);
      assert.deepEqual(parsed(name, entry, [`${a},${b}`]), wanted);
      assert.deepEqual(parsed(name, entry, [` ${a} , ${b} ,`]), wanted);
      assert.deepEqual(parsed(name, entry, [JSON.stringify([a, b])]), wanted);
      assert.deepEqual(parsed(name, entry, [a, b]), wanted);
      assert.deepEqual(parsed(name, entry, [a, JSON.stringify([b]), `${a},${b}`]), wanted);
      assert.deepEqual(parsed(name, entry, [a]), parsed(name, entry, [JSON.stringify([a])]));
      const [alias] = entry.aliases ?? [];
      if (alias) assert.deepEqual(parse({ ...companions(entry), [name]: [a], [alias]: [b] })[name], wanted, 'a name and its alias');
    });

  it('report every unusable value, and are read without them', () => {
    const { filters, problems, unusable } = readParameters(new Map([['states', ['CO,Atlantis,TX', 'Narnia']]]), CONTROLS, places);
    assert.deepEqual(pluck(problems, 'param', 'code', 'value'), [
      ['states', 'unknown_place', 'Atlantis'],
      ['states', 'unknown_place', 'Narnia'],
    ]);
    assert.deepEqual(filters, { states: [8, 48] });
    assert.deepEqual([...unusable], ['states']);
  });

  it('count distinct values against their limit', () => {
    assert.deepEqual(parse({ projectIds: [Array(600).fill(7).join(',')] }).projectIds, [7]);
    assert.equal(
      problemsOf(refusalOf({ projectIds: [Array.from({ length: 101 }, (_, i) => i + 1).join(',')] }))[0]?.code,
      'too_many_values',
    );
    const cases = (count: number) => Array.from({ length: count }, (_, i) => `RZ-${i},rz ${i}`).join(',');
    assert.deepEqual(
      parse({ caseNumbers: [cases(100)] }).caseNumbers,
      Array.from({ length: 100 }, (_, i) => `RZ${i}`),
    );
    assert.equal(problemsOf(refusalOf({ caseNumbers: [cases(101)] }))[0]?.code, 'too_many_values');
    const hundred = Array.from({ length: 100 }, (_, i) => i + 1);
    assert.deepEqual(parse({ projectIds: [hundred.join(',')] }).projectIds, hundred);
  });
});

describe('names', () => {
  it('and aliases are each of one entry', () => {
    const all = ENTRIES.flatMap(([name, entry]) => [name, ...(entry.aliases ?? [])]);
    assertNone(all, (name, i) => all.indexOf(name) !== i);
    assertNone(all, (name) => name in REMOVED);
  });

  it('of filters that narrow an entry stand before it in the table, so that they are read first', () => {
    const narrowed = FILTER_NAMES.filter((name) => filterOf(name).narrowedBy);
    assert.ok(narrowed.length > 0);
    for (const name of narrowed)
      for (const by of filterOf(name).narrowedBy ?? [])
        assert.ok(
          FILTER_NAMES.some((other, place) => other === by && place < FILTER_NAMES.indexOf(name)),
          `${by} narrows ${name}`,
        );
  });

  for (const name of Object.keys(REMOVED))
    it(`${name} was removed, which is said of it`, () => {
      const refusal = refusalOf({ [name]: ['x'] });
      assert.equal(refusal?.code, 'invalid_filter');
      assert.deepEqual(
        problemsOf(refusal).map(({ param, code }) => ({ param, code })),
        [{ param: name, code: 'unknown_parameter' }],
      );
      assert.match(problemsOf(refusal)[0]?.message ?? '', /removed/);
    });

  it('that are unknown are refused, whatever they are, all of them at once', () => {
    const names = ['constructor', '__proto__', 'toString', 'hasOwnProperty', '', '\0', 'propertyTipes', 'x'.repeat(10_000)];
    const error = oneAnswer(readParameters(new Map(names.map((name) => [name, ['1']])), CONTROLS, places).problems);
    assert.equal(error.code, 'invalid_filter');
    const problems = problemsOf(error);
    assert.equal(problems.length, names.length);
    for (const problem of problems) {
      assert.equal(problem.code, 'unknown_parameter');
      assert.match(problem.message, /^There is no parameter/);
    }
  });

  it('near a known one say which', () => {
    const [problem] = problemsOf(refusalOf({ propertyTipes: ['residential'] })) as (Problem & { didYouMean?: string })[];
    assert.equal(problem?.didYouMean, 'propertyTypes');
  });

  it('of every unusable parameter are reported together', () => {
    const refusal = refusalOf({ acreageMin: ['x'], status: ['aproved'], bogus: ['1'], limit: ['0'], sort: ['sideways'] });
    assert.equal(refusal?.code, 'invalid_filter');
    assert.deepEqual(
      problemsOf(refusal)
        .map((problem) => problem.param)
        .sort(),
      ['acreageMin', 'bogus', 'limit', 'sort', 'status'],
    );
  });
});

describe('evidence', () => {
  it('is read from declared attributes of the statement', () => {
    const stated = new Set<string>(STATED_NAMES);
    for (const name of FILTER_NAMES) {
      const entry = FILTERS[name] as AnyFilter;
      assert.equal(Boolean(entry.confirms), (entry.reads ?? []).length > 0, `${name}: confirms and reads go together`);
      for (const key of entry.reads ?? []) assert.ok(stated.has(key), `${name} reads '${key}', which no statement has`);
      const paths = evidencePaths({ [name]: parsed(name, entry, [entry.example]) });
      assert.equal(paths.length, (entry.reads ?? []).length);
    }
  });
});

describe('filters in a body', () => {
  it('are read as JSON or as text, and their problems name the path', () => {
    const good = parseFilterObject({ states: [8, 'TX'], acreageMin: 2, cities: 'Boulder, CO,Longmont', q: 'solar' }, 'filters.', places);
    assert.deepEqual(good.problems, []);
    assert.deepEqual([good.filters.states, good.filters.acreageMin, good.filters.cities?.length], [[8, 48], 2, 2]);
    const bad = parseFilterObject(
      { state: 'Atlantis', citis: 'Boulder', acreageMin: 'x', civicSubtypes: ['ordinance_text'], sort: 'acreage' },
      'filters.',
      places,
    );
    assert.deepEqual(pluck(bad.problems, 'param', 'code', 'answer'), [
      ['filters.citis', 'unknown_parameter', 'invalid_filter'],
      ['filters.sort', 'not_supported', 'invalid_filter'],
      ['filters.state', 'unknown_place', 'invalid_filter'],
      ['filters.acreageMin', 'invalid_number', 'invalid_filter'],
      ['filters.civicSubtypes', 'missing_companion', 'invalid_filter'],
    ]);
    assert.match(bad.problems.at(-1)?.message ?? '', /filters\.includeGovernmentDecisions=true/);
    assert.deepEqual(parseFilterObject({ sort: 'acreage' }, 'filters.', places, { sort: CONTROLS.sort }).controls, { sort: 'acreage' });
    for (const none of [null, [], 'x', 1])
      assert.deepEqual(pluck(parseFilterObject(none, 'filters.', places).problems, 'param'), ['filters']);
  });
});
