/**
 * Examples of answers in the OpenAPI document, recorded by a run of the tests (`npm run openapi -- --examples`). A refusal without an
 * example of its own operation gets the one of its code.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { DEMO_URL, ERRORS, type ErrorCode } from '../core/domain/errorTable.ts';

type Json = Record<string, unknown>;

export interface RecordedExamples {
  /** bodies by error code */
  errors: Readonly<Record<string, unknown>>;
  /** bodies by operation, then by `200 application/json` or by the code of a refusal */
  operations: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export const EXAMPLES_FILE = path.resolve(import.meta.dirname, '../catalogue/examples.json');

/**
 * The recorded examples.
 * @param publicUrl root of the service, which replaces that of the demo
 */
export const readExamples = (publicUrl: string): RecordedExamples =>
  JSON.parse(readFileSync(EXAMPLES_FILE, 'utf8').replaceAll(DEMO_URL, publicUrl)) as RecordedExamples;

interface Content extends Json {
  schema?: unknown;
}

/** Error codes named by the schema of a refusal. */
export function listCodes(schema: unknown): ErrorCode[] {
  const text = JSON.stringify(schema) ?? '';
  return (Object.keys(ERRORS) as ErrorCode[]).filter((code) => text.includes(`"${code}"`));
}

const exampleRef = (code: string) => ({ $ref: `#/components/examples/${code}` });

function contentExamples(id: string, status: string, type: string, { schema }: Content, { errors, operations }: RecordedExamples): Json {
  const own = operations[id] ?? {};
  if (Number(status) < 400) {
    const value = own[`${status} ${type}`];
    return value === undefined ? {} : { recorded: { value } };
  }
  const known = listCodes(schema).filter((code) => code in own || code in errors);
  return Object.fromEntries(known.map((code) => [code, code in own ? { value: own[code] } : exampleRef(code)]));
}

function responseWithExamples(id: string, status: string, response: Json, recorded: RecordedExamples): Json {
  if (!response.content) return response;
  const content = Object.entries(response.content as Record<string, Content>).map(([type, one]) => {
    const examples = contentExamples(id, status, type, one, recorded);
    return [type, Object.keys(examples).length ? { ...one, examples } : one];
  });
  return { ...response, content: Object.fromEntries(content) };
}

function operationWithExamples(operation: Json, recorded: RecordedExamples): Json {
  const responses = Object.entries(operation.responses as Record<string, Json>).map(([status, response]) => [
    status,
    responseWithExamples(String(operation.operationId), status, response, recorded),
  ]);
  return { ...operation, responses: Object.fromEntries(responses) };
}

/** Adds an example to each response that has a recorded one. Pure. */
export function withExamples(document: Json, recorded: RecordedExamples): Json {
  const paths = Object.entries(document.paths as Record<string, Record<string, Json>>).map(([place, methods]) => [
    place,
    Object.fromEntries(Object.entries(methods).map(([method, one]) => [method, operationWithExamples(one, recorded)])),
  ]);
  const text = JSON.stringify(paths);
  const used = Object.entries(recorded.errors).filter(([code]) => text.includes(JSON.stringify(exampleRef(code).$ref)));
  const examples = Object.fromEntries(used.map(([code, value]) => [code, { value }]));
  return { ...document, paths: Object.fromEntries(paths), components: { ...(document.components as Json), examples } };
}
