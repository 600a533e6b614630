/** Makes the synchronous modules of the Python client from the asynchronous ones: `_generated_NAME.py` from each `_async_NAME.py`. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const FOLDER = path.resolve(import.meta.dirname, '../../src/clients/python/landuse_api');
const ASYNC = '_async_';
const GENERATED = '_generated_';

/** What is asynchronous, and what replaces it. */
const REPLACED: readonly (readonly [RegExp, string])[] = [
  [/\ban `async /g, 'a `'],
  [/\basync (?=def |for |with )/g, ''],
  [/\bawait /g, ''],
  [/ for programs with an event loop/g, ''],
  [/\bAsync(?=[A-Z])/g, ''],
  [/\basyncio\b/g, 'time'],
  [/\b__a(?=enter__|exit__)/g, '__'],
  [/\.a(?=close\(|read\(|iter_raw\()/g, '.'],
  [new RegExp(`\\b${ASYNC}`, 'g'), GENERATED],
];

/** The synchronous form of Python code. */
export const removeAsync = (code: string): string => REPLACED.reduce((text, [pattern, plain]) => text.replaceAll(pattern, plain), code);

/** Generates the modules: their names, each with its text. */
export function generatePythonSync(): Map<string, string> {
  const sources = readdirSync(FOLDER).filter((name) => name.startsWith(ASYNC) && name.endsWith('.py'));
  return new Map(
    sources.map((name) => {
      const head = `# Made from ${name} by "npm run openapi"; changes by hand are lost.\n`;
      return [name.replace(ASYNC, GENERATED), head + removeAsync(readFileSync(path.join(FOLDER, name), 'utf8'))];
    }),
  );
}

export function readCommittedPythonSync(): Map<string, string> {
  const names = readdirSync(FOLDER).filter((name) => name.startsWith(GENERATED));
  return new Map(names.map((name) => [name, readFileSync(path.join(FOLDER, name), 'utf8')]));
}

export function writePythonSync(): void {
  for (const [name, text] of generatePythonSync()) writeFileSync(path.join(FOLDER, name), text);
}
