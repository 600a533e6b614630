/** The SQL that a schema is made of: migrations, each applied once and frozen since, and functions, replaced whole when one of them changes. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const MIGRATIONS_FOLDER = fileURLToPath(new URL('migrations', import.meta.url));
const FUNCTIONS_FOLDER = fileURLToPath(new URL('functions', import.meta.url));
const CHECKSUMS_FILE = new URL('checksums.json', import.meta.url);

interface SqlFile {
  /** without `.sql` */
  name: string;
  text: string;
  /** SHA-256 of the text, in hexadecimal */
  checksum: string;
}

/** What `checksums.json` states; a test compares it with the files. */
interface Checksums {
  /** by name */
  migrations: Record<string, string>;
  functions: {
    /** raised with every change, so that a process of an older version leaves newer functions alone */
    version: number;
    checksum: string;
  };
}

const checksumOf = (text: string) => createHash('sha256').update(text).digest('hex');

function sqlFiles(folder: string): SqlFile[] {
  const names = readdirSync(folder).filter((file) => file.endsWith('.sql'));
  return names.sort().map((file) => {
    const text = readFileSync(`${folder}/${file}`, 'utf8');
    return { name: file.slice(0, -'.sql'.length), text, checksum: checksumOf(text) };
  });
}

/** In the order in which they are applied. */
export const migrationFiles = (): SqlFile[] => sqlFiles(MIGRATIONS_FOLDER);

/** One function a file, which is named for it. */
export const functionFiles = (): SqlFile[] => sqlFiles(FUNCTIONS_FOLDER);

/** Of all functions together; changes with every one of them. */
export const functionsChecksum = (files: readonly SqlFile[]): string =>
  checksumOf(files.map(({ name, checksum }) => `${name} ${checksum}\n`).join(''));

export const committedChecksums = (): Checksums => JSON.parse(readFileSync(CHECKSUMS_FILE, 'utf8')) as Checksums;
