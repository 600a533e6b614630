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

interface Alternatives {
  $ref?: string;
  anyOf?: readonly Alternatives[];
}

/** Error codes named by the schema of a refusal. @param schemas components of the document */
export function listCodes(schema: unknown, schemas: Json): ErrorCode[] {
  const { anyOf = [schema] } = Object(schema) as Alternatives;
  const text = JSON.stringify((anyOf as Alternatives[]).map((one) => (one?.$ref ? schemas[one.$ref.split('/').at(-1) ?? ''] : one)));
  return (Object.keys(ERRORS) as ErrorCode[]).filter((code) => text.includes(`"${code}"`));
}

const exampleRef = (code: string) => ({ $ref: `#/components/examples/${code}` });

/** The recorded examples, and the components of the document that they are added to. */
interface Sources extends RecordedExamples {
  schemas: Json;
}

function contentExamples(id: string, status: string, type: string, { schema }: Content, { errors, operations, schemas }: Sources): Json {
  const own = operations[id] ?? {};
  if (Number(status) < 400) {
    const value = own[`${status} ${type}`];
    return value === undefined ? {} : { recorded: { value } };
  }
  const known = listCodes(schema, schemas).filter((code) => code in own || code in errors);
  return Object.fromEntries(known.map((code) => [code, code in own ? { value: own[code] } : exampleRef(code)]));
}

function responseWithExamples(id: string, status: string, response: Json, sources: Sources): Json {
  if (!response.content) return response;
  const content = Object.entries(response.content as Record<string, Content>).map(([type, one]) => {
    const examples = contentExamples(id, status, type, one, sources);
    return [type, Object.keys(examples).length ? { ...one, examples } : one];
  });
  return { ...response, content: Object.fromEntries(content) };
}

function operationWithExamples(operation: Json, sources: Sources): Json {
  const responses = Object.entries(operation.responses as Record<string, Json>).map(([status, response]) => [
    status,
    responseWithExamples(String(operation.operationId), status, response, sources),
  ]);
  return { ...operation, responses: Object.fromEntries(responses) };
}

/** Adds an example to each response that has a recorded one. Pure. */
export function withExamples(document: Json, recorded: RecordedExamples): Json {
  const components = document.components as { schemas: Json };
  const sources = { ...recorded, schemas: components.schemas };
  const paths = Object.entries(document.paths as Record<string, Record<string, Json>>).map(([place, methods]) => [
    place,
    Object.fromEntries(Object.entries(methods).map(([method, one]) => [method, operationWithExamples(one, sources)])),
  ]);
  const text = JSON.stringify(paths);
  const used = Object.entries(recorded.errors).filter(([code]) => text.includes(JSON.stringify(exampleRef(code).$ref)));
  const examples = Object.fromEntries(used.map(([code, value]) => [code, { value }]));
  return { ...document, paths: Object.fromEntries(paths), components: { ...components, examples } };
}
