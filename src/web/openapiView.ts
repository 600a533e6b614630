/** The OpenAPI document, as the pages of the reference read it. */

export type Json = Record<string, unknown>;

export interface DocumentedParameter extends Json {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
}

export interface Content {
  schema?: Json;
  example?: unknown;
  examples?: Record<string, Json>;
}

export interface Response extends Json {
  description: string;
  headers?: Json;
  content?: Record<string, Content>;
}

export interface DocumentedOperation extends Json {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  parameters: Json[];
  responses: Record<string, Response>;
  requestBody?: { required: boolean; content: Record<string, Content> };
  'x-codeSamples': { lang: string; source: string }[];
}

export interface Document extends Json {
  info: Json;
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, DocumentedOperation>>;
  'x-warnings': Record<string, { meaning: string; changesResult: boolean }>;
  components: {
    parameters: Record<string, DocumentedParameter>;
    schemas: Record<string, Json>;
    headers: Record<string, Json>;
    examples?: Record<string, Json>;
  };
}

export interface Placed extends DocumentedOperation {
  path: string;
  method: string;
}

/** Whether the clients have an operation: open routes serve pages and probes, and GIS programs have their own client. */
export const hasClient = ({ tags }: { tags: readonly string[] }) => !tags.includes('Service') && !tags.includes('GIS');

export const nameOf = ({ $ref }: Json) => String($ref).split('/').at(-1) ?? '';

/** Resolves a reference within the document; any other value is returned unchanged. */
export function resolve(document: Document, value: Json): Json {
  if (typeof value.$ref !== 'string') return value;
  const found = value.$ref
    .slice(2)
    .split('/')
    .reduce<unknown>((at, part) => (at as Json | undefined)?.[part], document);
  if (!found) throw new Error(`The document has no ${value.$ref}`);
  return found as Json;
}

export const schemaOf = ({ schema, content }: Json): Json =>
  ((schema as Json | undefined)?.contentSchema ??
    schema ??
    Object.values((content ?? {}) as Record<string, Json>)[0]?.schema ??
    {}) as Json;

/** The response with the schemas that its contents refer to in place. */
function refusalOf(response: Response, document: Document): Response {
  const contents = Object.entries(response.content ?? {});
  const content = contents.map(([type, { schema = {}, ...others }]) => [type, { ...others, schema: resolve(document, schema) }]);
  return { ...response, content: Object.fromEntries(content) };
}

/**
 * Operations in reading order; sections are ordered by their first operation.
 * @param order ids; operations that are not listed come last in their section
 */
export function operationsOf(document: Document, order: readonly string[]): Placed[] {
  const place = ({ operationId }: DocumentedOperation) => (order.includes(operationId) ? order.indexOf(operationId) : order.length);
  const responsesOf = ({ responses }: DocumentedOperation) =>
    Object.fromEntries(
      Object.entries(responses).map(([status, response]) => [status, Number(status) < 400 ? response : refusalOf(response, document)]),
    );
  const all = Object.entries(document.paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ ...operation, responses: responsesOf(operation), path, method })),
    )
    .sort((a, b) => place(a) - place(b));
  const parts = [...new Set(all.map(partOf))];
  return all.sort((a, b) => parts.indexOf(partOf(a)) - parts.indexOf(partOf(b)));
}

/** The section of the reference that contains an operation. */
export const partOf = ({ tags: [tag = ''] }: DocumentedOperation): string => tag;

export const parametersOf = ({ parameters }: DocumentedOperation, document: Document): DocumentedParameter[] =>
  parameters.map((one) => resolve(document, one) as DocumentedParameter);

/** The values of a content's examples, by name. */
export function examplesOf({ example, examples = {} }: Content, document: Document): Record<string, unknown> {
  const named = Object.entries(examples).map(([name, one]) => [name, resolve(document, one).value] as const);
  return { ...(example === undefined ? {} : { example }), ...Object.fromEntries(named) };
}

/** Bodies of refusals by code: the shared example, or that of the first operation that has one. */
export function errorExamples(document: object): Record<string, unknown> {
  const described = document as Document;
  const found: Record<string, unknown> = {};
  for (const { responses } of operationsOf(described, []))
    for (const { content = {} } of Object.values(responses))
      for (const one of Object.values(content)) Object.assign(found, { ...examplesOf(one, described), ...found });
  const shared = Object.entries(described.components.examples ?? {}).map(([code, { value }]) => [code, value]);
  return { ...found, ...Object.fromEntries(shared) };
}
