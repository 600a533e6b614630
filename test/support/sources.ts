/** The program as the tests of its shape read it: the files of a folder, each parsed. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from '@babel/parser';

export const root = path.resolve(import.meta.dirname, '../..');
export const SOURCE_FOLDERS = ['src', 'ingest', 'scripts'];

/** Paths from the root, with slashes, of the files below a folder whose names match `names`. */
export function filesBelow(folder: string, names: RegExp): string[] {
  return readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && names.test(entry.name) && !entry.name.endsWith('.d.mts'))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'));
}

export const readSource = (file: string) => readFileSync(path.join(root, file), 'utf8');

/** The syntax tree of a file, TypeScript or JavaScript by its name. */
export const parseSource = (file: string, text: string) =>
  parse(text, {
    sourceFilename: file,
    sourceType: 'module',
    plugins: [...(/tsx?$/.test(file) ? (['typescript'] as const) : []), ...(file.endsWith('.tsx') ? (['jsx'] as const) : [])],
  });

/** 'src/core/store/postgres/pool.ts' → 'core/store', 'src/config.ts' → 'config.ts'; undefined outside `src`. */
export const roomOf = (file: string) => /^src\/((?:core|features|clients|operate)\/[^/]+|[^/]+)/.exec(file)?.[1];
