/** The SQL files of a schema: migrations, each applied once and then frozen, and functions, replaced together when one of them changes. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const MIGRATIONS_FOLDER = fileURLToPath(new URL('migrations', import.meta.url));
const FUNCTIONS_FOLDER = fileURLToPath(new URL('functions', import.meta.url));
const CHECKSUMS_FILE = new URL('checksums.json', import.meta.url);

interface SqlFile {
  /** file name without `.sql` */
  name: string;
  text: string;
  /** SHA-256 of the text, in hexadecimal */
  checksum: string;
}

/** Contents of `checksums.json`, which a test compares with the files. */
interface Checksums {
  /** by name */
  migrations: Record<string, string>;
  functions: {
    /** increased with every change, so that a process of an older version does not replace newer functions */
    version: number;
    checksum: string;
  };
}

const checksumText = (text: string) => createHash('sha256').update(text).digest('hex');

function readSqlFiles(folder: string): SqlFile[] {
  const names = readdirSync(folder).filter((file) => file.endsWith('.sql'));
  return names.sort().map((file) => {
    const text = readFileSync(`${folder}/${file}`, 'utf8');
    return { name: file.slice(0, -'.sql'.length), text, checksum: checksumText(text) };
  });
}

/** The migrations, in the order in which they are applied. */
export const readMigrationFiles = (): SqlFile[] => readSqlFiles(MIGRATIONS_FOLDER);

/** The functions; each file is named after its function. */
export const readFunctionFiles = (): SqlFile[] => readSqlFiles(FUNCTIONS_FOLDER);

export const checksumFunctions = (files: readonly SqlFile[]): string =>
  checksumText(files.map(({ name, checksum }) => `${name} ${checksum}\n`).join(''));

export const readCommittedChecksums = (): Checksums => JSON.parse(readFileSync(CHECKSUMS_FILE, 'utf8')) as Checksums;
