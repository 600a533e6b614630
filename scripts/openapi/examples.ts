/** Makes the examples of the reference: for each declared response, one answer of a test run, shortened and the same on every run. */
import { spawn } from 'node:child_process';
import { mkdtempDisposableSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { ERRORS, type ErrorCode } from '../../src/core/domain/errorTable.ts';
import { EXAMPLES_FILE, listCodes, type RecordedExamples } from '../../src/http/openapiExamples.ts';
import { makeReproducible, shortenExample } from './exampleText.ts';

type Json = Record<string, unknown>;

const root = path.resolve(import.meta.dirname, '../..');
/** Tests whose answers are preferred, since they hold the demo's data. */
const FIRST = ['test/integration/reference/guides.test.ts'];
/** Further tests, for media types that no row of the contract names. */
const MORE = ['test/integration/http/geoJson.test.ts'];
/** Added to the weight of other tests' answers, which hold records with few fields: they are used only if the preferred answer is far longer. */
const LATER_WEIGHT = 1_500;

interface Recorded {
  operation: string;
  status: number;
  type: string;
  code: string | null;
  body: unknown;
  weight: number;
}

interface Described {
  paths: Record<string, Record<string, { operationId: string; responses: Record<string, { content?: Record<string, { schema: Json }> }> }>>;
  components: { schemas: Record<string, Json> };
}

/** Files of the tests that hold the rows of the contract. */
function testFiles(): string[] {
  const text = readFileSync(path.join(root, 'test/contract/coverage.tsv'), 'utf8');
  const files = [...text.matchAll(/\t((?:integration|fault)\/\S+\.test\.ts)\t/g)].map(([, file]) => `test/${file}`);
  return [...new Set([...files, ...MORE])].filter((file) => !FIRST.includes(file));
}

function runTests(files: readonly string[], folder: string): Promise<void> {
  const child = spawn(process.execPath, ['scripts/test.ts', ...files], {
    cwd: root,
    env: { ...process.env, RECORD_ANSWERS: folder },
    stdio: 'inherit',
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error('Tests failed; the examples are as before'))));
  });
}

const readRecordings = (folder: string, more: number): Recorded[] =>
  readdirSync(folder)
    .flatMap((name) => JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as Recorded[])
    .map((one) => ({ ...one, weight: one.weight + more }));

/** Runs tests and returns the answers that they got. @param files only these tests; empty for all of the contract */
async function recordAnswers(files: readonly string[]): Promise<Recorded[]> {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'answers-'));
  const wanted = files.length ? files : [...FIRST, ...testFiles()];
  const parts = [
    { name: 'first', more: 0, files: wanted.filter((file) => FIRST.includes(file)) },
    { name: 'later', more: LATER_WEIGHT, files: wanted.filter((file) => !FIRST.includes(file)) },
  ];
  const found: Recorded[] = [];
  for (const part of parts.filter((one) => one.files.length)) {
    const answers = path.join(folder.path, part.name);
    await runTests(part.files, answers);
    found.push(...readRecordings(answers, part.more));
  }
  return found;
}

/** Chooses the first of several answers that is valid by its schema. */
class Chooser {
  readonly #ajv = new Ajv2020({ strict: false });
  readonly #recorded: readonly Recorded[];

  constructor({ components }: Described, recorded: readonly Recorded[]) {
    formats.default(this.#ajv);
    for (const [name, schema] of Object.entries(components.schemas)) this.#ajv.addSchema(schema, `#/components/schemas/${name}`);
    this.#recorded = [...recorded].sort((a, b) => a.weight - b.weight || (a.operation < b.operation ? -1 : 1));
  }

  choose(schema: Json, fits: (one: Recorded) => boolean): unknown {
    const allows = this.#ajv.compile(schema);
    for (const { body } of this.#recorded.filter(fits)) {
      const read = schema.type === 'string' ? body : parseJsonText(body);
      const value = makeReproducible(shortenExample(read, schema));
      if (allows(value)) return value;
    }
    return undefined;
  }
}

function parseJsonText(body: unknown): unknown {
  return typeof body === 'string' && /^[{[]/.test(body) ? JSON.parse(body) : body;
}

/** An answer that says that nothing changed has no body. */
const UNCHANGED = '304';

const typeOf = (type: string): string => type.split(';')[0] ?? type;

/** @param document OpenAPI */
function chooseExamples(document: object, recorded: readonly Recorded[]): RecordedExamples {
  const described = document as Described;
  const chooser = new Chooser(described, recorded);
  const errors: Record<string, unknown> = {};
  const operations: Record<string, Record<string, unknown>> = {};
  for (const { operationId: id, responses } of Object.values(described.paths).flatMap((methods) => Object.values(methods)))
    for (const [status, { content = {} }] of Object.entries(responses))
      for (const [type, { schema }] of Object.entries(status === UNCHANGED ? {} : content)) {
        const own: Record<string, unknown> = operations[id] ?? {};
        operations[id] = own;
        const here = (one: Recorded) => one.operation === id && String(one.status) === status;
        if (Number(status) < 400) own[`${status} ${type}`] = chooser.choose(schema, (one) => here(one) && one.type === typeOf(type));
        else
          for (const code of listCodes(schema, described.components.schemas)) {
            errors[code] ??= chooser.choose(described.components.schemas.Error ?? {}, (one) => one.code === code);
            own[code] = chooser.choose(schema, (one) => here(one) && one.code === code);
          }
      }
  return { errors, operations };
}

/** The current examples, as answers that are preferred to all others if they are still valid. */
function readCurrentExamples(): Recorded[] {
  const { errors, operations } = JSON.parse(readFileSync(EXAMPLES_FILE, 'utf8')) as RecordedExamples;
  const statusOf = (code: string) => ERRORS[code as ErrorCode]?.status ?? 0;
  const kept = (operation: string, name: string, body: unknown): Recorded => {
    const [, status, type] = /^(\d+) (.+)$/.exec(name) ?? [];
    const place = type
      ? { status: Number(status), type: typeOf(type), code: null }
      : { status: statusOf(name), type: 'application/json', code: name };
    return { operation, ...place, body, weight: Number.NEGATIVE_INFINITY };
  };
  return [
    ...Object.entries(errors).map(([code, body]) => kept('', code, body)),
    ...Object.entries(operations).flatMap(([id, own]) => Object.entries(own).map(([name, body]) => kept(id, name, body))),
  ];
}

/**
 * Writes the examples of the document.
 * @param document OpenAPI
 * @param files tests to run for examples that are missing or no longer valid; if empty, all tests of the contract run and every example is replaced
 */
export async function writeExamples(document: object, files: readonly string[]): Promise<void> {
  const recorded = await recordAnswers(files);
  writeRecorded(document, files.length ? [...readCurrentExamples(), ...recorded] : recorded);
}

const writeRecorded = (document: object, recorded: readonly Recorded[]): void =>
  writeFileSync(EXAMPLES_FILE, `${JSON.stringify(chooseExamples(document, recorded), null, 1)}\n`);
