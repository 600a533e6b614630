// The state of the page as a call of the API, in three languages. Pure.
import { queryOf } from './state.js';

export const LANGUAGES = /** @type {const} */ ({ curl: 'curl', typescript: 'TypeScript', python: 'Python' });
/** Calls that take the same filters. */
export const CALLS = {
  search: { path: '/projects/search', title: 'Records' },
  count: { path: '/projects/count', title: 'Count and price' },
  map: { path: '/projects/map', title: 'Map' },
};

/**
 * @param {keyof typeof LANGUAGES} language
 * @param {{root: string, path: string, filters: Record<string, string>}} call root of the API with its host
 */
export function codeOf(language, { root, path, filters }) {
  const url = `${root}${path}${queryOf(filters)}`;
  if (language === 'curl') return `curl -sg -H "Authorization: Bearer $KEY" \\\n  '${url.replaceAll("'", '%27')}'`;
  if (language === 'typescript')
    return `const url = new URL(${JSON.stringify(`${root}${path}`)});
url.search = new URLSearchParams(${JSON.stringify(filters, null, 2)}).toString();
const response = await fetch(url, { headers: { Authorization: \`Bearer \${process.env.KEY}\` } });
const { data, meta, error } = await response.json();
if (error) throw new Error(\`\${error.code}: \${error.message}\`);
console.log(meta, data);`;
  return `import os
import requests

response = requests.get(
    ${JSON.stringify(`${root}${path}`)},
    params=${JSON.stringify(filters, null, 4).replaceAll('\n', '\n    ')},
    headers={"Authorization": f"Bearer {os.environ['KEY']}"},
)
answer = response.json()
if "error" in answer:
    raise SystemExit(f"{answer['error']['code']}: {answer['error']['message']}")
print(answer["meta"], answer["data"])`;
}
