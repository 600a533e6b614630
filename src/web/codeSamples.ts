/** The example of an operation in each client's language, in addition to the shell command of the document. */
import { COMMAND_LINES } from './commandLines.ts';
import { type Document, type DocumentedParameter, hasClient, type Json, type Placed, parametersOf, schemaOf } from './openapiView.ts';
import { methodOf, resourceOf, valueName } from './pythonNames.ts';

export interface CodeSample {
  /** the name of the tab */
  language: 'curl' | 'TypeScript' | 'Python' | 'Command line';
  source: string;
}

/** What the example sends: path values, query parameters and the body. */
interface Sent {
  path: Record<string, unknown>;
  query: Record<string, unknown>;
  body: unknown;
}

/** The path and query of the shell command. */
export const urlOfShell = ({ 'x-codeSamples': [sample], path }: Placed): string =>
  /"https?:\/\/[^"/]+(\/[^"]*)"$/.exec(sample?.source ?? '')?.[1] ?? path;

/** The value of a query text, according to its schema. */
function parsedValue(text: string, parameter: DocumentedParameter): unknown {
  const schema = schemaOf(parameter);
  const types = [schema.type].flat();
  if (types.includes('object') || text.startsWith('[')) return JSON.parse(text);
  if (types.includes('array')) return text.split(',').map((one) => parsedValue(one, { ...parameter, schema: schema.items as Json }));
  if (types.includes('boolean')) return text === 'true';
  return types.some((type) => type === 'integer' || type === 'number') && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

function sentBy(operation: Placed, document: Document): Sent {
  const parameters = parametersOf(operation, document);
  const [place = '', query = ''] = urlOfShell(operation).split('?');
  const values = place.split('/');
  const ofPath = operation.path.split('/').flatMap((part, i): [string, unknown][] => {
    const [, name] = /^\{(\w+)\}/.exec(part) ?? [];
    const parameter = parameters.find((one) => one.in === 'path' && one.name === name);
    if (!name || !parameter) return [];
    const example = (schemaOf(parameter).examples as unknown[] | undefined)?.[0];
    const shown = decodeURIComponent(values[i] ?? '');
    return [[name, shown.startsWith('$') ? example : parsedValue(shown, parameter)]];
  });
  const ofQuery = [...new URLSearchParams(query)].map(([name, text]): [string, unknown] => {
    const parameter = parameters.find((one) => one.in === 'query' && one.name === name);
    return [name, parameter ? parsedValue(text, parameter) : text];
  });
  const [content] = Object.values(operation.requestBody?.content ?? {});
  return { path: Object.fromEntries(ofPath), query: Object.fromEntries(ofQuery), body: operation.requestBody && (content?.example ?? {}) };
}

/** A value as a TypeScript literal: unquoted keys, single-quoted texts. */
function typescriptValue(value: unknown, indent = ''): string {
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  if (value === null || typeof value !== 'object') return String(value);
  const below = `${indent}  `;
  if (Array.isArray(value)) return `[${value.map((one) => typescriptValue(one, indent)).join(', ')}]`;
  const lines = Object.entries(value).map(([name, one]) => `${below}${name}: ${typescriptValue(one, below)},`);
  return lines.length ? `{\n${lines.join('\n')}\n${indent}}` : '{}';
}

function pythonValue(value: unknown, indent = ''): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((one) => pythonValue(one, indent)).join(', ')}]`;
  const below = `${indent}    `;
  const lines = Object.entries(value).map(([name, one]) => `${below}${JSON.stringify(name)}: ${pythonValue(one, below)},`);
  return lines.length ? `{\n${lines.join('\n')}\n${indent}}` : '{}';
}

/** Whether it answers `{data, meta}`; a manifest is answered as it is. */
function isEnveloped({ responses }: Placed): boolean {
  const schema = responses['200']?.content?.['application/json']?.schema as Json | undefined;
  return !schema?.properties || 'data' in (schema.properties as Json);
}

function typescriptSample(operation: Placed, { path, query, body }: Sent, root: string): string {
  const { operationId, path: template } = operation;
  const answer = isEnveloped(operation) ? { taken: '{ data, meta }', shown: 'data, meta' } : { taken: 'answer', shown: 'answer' };
  const input = { ...path, ...query, ...(body === undefined ? {} : { body }) };
  const call =
    template.endsWith('/download') && 'id' in path
      ? `const file = await api.download(${typescriptValue(path.id)});\nconsole.log(await file.text());`
      : `const ${answer.taken} = await api.call('${operationId}', ${typescriptValue(input)});\nconsole.log(${answer.shown});`;
  return `import { LandUseClient } from 'landuse-api';\n\nconst api = new LandUseClient({ key: 'svc_live_…', url: '${root}' });\n${call}`;
}

function pythonSample(operation: Placed, { path, query, body }: Sent, root: string): string {
  const named = { ...query, ...(body && typeof body === 'object' ? body : {}) };
  const given = [
    ...Object.values(path).map((value) => pythonValue(value)),
    ...Object.entries(named).map(([name, value]) => `${valueName(name)}=${pythonValue(value, '    ')}`),
  ];
  const call = `api.${resourceOf(operation)}.${methodOf(operation)}`;
  const line = `${call}(${given.join(', ')})`;
  const answer =
    line.length < 90 && !line.includes('\n')
      ? line
      : `${call}(\n${given.map((one) => `        ${one.replaceAll('\n', '\n    ')},`).join('\n')}\n    )`;
  return `from landuse_api import LandUse\n\nwith LandUse(api_key="svc_live_…", base_url="${root}") as api:\n    answer = ${answer}\n    print(answer)`;
}

/** Whether the clients have a method for it, since it answers JSON or a stored file. */
function isInClients({ tags, responses, path }: Placed): boolean {
  const types = Object.entries(responses).flatMap(([status, { content }]) => (Number(status) < 300 ? Object.keys(content ?? {}) : []));
  return hasClient({ tags }) && (types.includes('application/json') || path.endsWith('/download'));
}

export function codeSamples(operation: Placed, document: Document): CodeSample[] {
  const root = String((document.servers as Json[])[0]?.url);
  const shell = operation['x-codeSamples'].map(({ source }): CodeSample => ({ language: 'curl', source }));
  const command = COMMAND_LINES[operation.operationId];
  const sent = sentBy(operation, document);
  const clients: CodeSample[] = isInClients(operation)
    ? [
        { language: 'TypeScript', source: typescriptSample(operation, sent, root) },
        { language: 'Python', source: pythonSample(operation, sent, root) },
      ]
    : [];
  return [...shell, ...clients, ...(command ? [{ language: 'Command line' as const, source: command }] : [])];
}
