/** The state of the page as a call of the API, in several languages. Pure. */
import { ROUTES } from '../../../clients/client/generated.ts';
import { queryOf } from '../shared/state.ts';

export const LANGUAGES = { curl: 'curl', typescript: 'TypeScript', python: 'Python' } as const;
/** Calls that take the same filters: and their names in the clients served at `/clients`. */
export const CALLS = {
  search: { title: 'Records', operation: 'searchProjects', method: 'search' },
  count: { title: 'Count and price', operation: 'countProjects', method: 'count' },
  map: { title: 'Map', operation: 'mapProjects', method: 'map' },
} as const;

const NUMBER = /(Min|Max)$/;
const LIST = /^(states|counties|cities|status|\w+(Types|Subtypes|Classes|Bodies|Combos|Sizes|Ids))$/;

/** The JSON of a shape or list; any other text that begins like one stays a text. */
function parsedOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function typedValue(name: string, text: string): unknown {
  if (/^[[{]/.test(text)) return parsedOrText(text);
  if (text === 'true' || text === 'false') return text === 'true';
  if (NUMBER.test(name)) return Number(text);
  if (!LIST.test(name)) return text;
  // "Boulder, CO,Denver, CO" are two places: a comma within a name is followed by a space.
  const values = text.split(/,(?! )/);
  return values.map((value) => (/^\d+$/.test(value) ? Number(value) : value));
}

const pythonValue = (value: unknown) =>
  JSON.stringify(value, (_, one) => (typeof one === 'boolean' ? `\u0000${one}` : one)).replaceAll(/"\\u0000(true|false)"/g, (_, flag) =>
    flag === 'true' ? 'True' : 'False',
  );

interface AskedSearch {
  publicUrl: string;
  call: keyof typeof CALLS;
  filters: Readonly<Record<string, string>>;
}

/** A program, or a command, that makes the call. */
export function codeOf(language: keyof typeof LANGUAGES, { publicUrl, call, filters }: AskedSearch): string {
  const { operation, method } = CALLS[call];
  const url = `${publicUrl}${ROUTES[operation][1]}${queryOf(filters)}`;
  if (language === 'curl') return `curl -sg -H "Authorization: Bearer $KEY" \\\n  '${url.replaceAll("'", '%27')}'`;
  const values = Object.entries(filters).map(([name, text]) => [name, typedValue(name, text)] as const);
  if (language === 'typescript')
    return `// npm install ${publicUrl}/clients/landuse-api.tgz
import { LandUseClient } from 'landuse-api';

const api = new LandUseClient({ key: process.env.KEY ?? '', url: '${publicUrl}' });
const { data, meta } = await api.call('${operation}', ${JSON.stringify(Object.fromEntries(values), null, 2)});
console.log(meta, data);`;
  return `# pip install from ${publicUrl}/clients
import os

from landuse_api import LandUse

with LandUse(os.environ["KEY"], "${publicUrl}") as api:
    answer = api.projects.${method}(
${values.map(([name, value]) => `        ${name}=${pythonValue(value)},\n`).join('')}    )
    print(answer["meta"], answer["data"])`;
}
