/** The two secrets of a local installation, generated once and stored in `.stack/secrets.json`, which only its owner can read. */

import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { OWNER_ONLY_FILE } from './modes.ts';

const SECRET_BYTES = 32;

/** Named like their environment variables. */
interface LocalSecrets {
  CURSOR_SECRET: string;
  KEY_PEPPER: string;
}

export const secretsFile = (root: string): string => path.join(root, '.stack', 'secrets.json');

/** The secrets of the project at `root`; undefined if there are none yet. */
export function readLocalSecrets(root: string): LocalSecrets | undefined {
  let text: string;
  try {
    text = readFileSync(secretsFile(root), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const { CURSOR_SECRET, KEY_PEPPER } = JSON.parse(text) as Partial<LocalSecrets>;
  if (CURSOR_SECRET && KEY_PEPPER) return { CURSOR_SECRET, KEY_PEPPER };
  throw new Error(
    `${secretsFile(root)} lacks CURSOR_SECRET or KEY_PEPPER: remove the file to have it made again (old keys then stop working).`,
  );
}

/** Reads the secrets, or generates them. If two processes generate them at once, both get the same. */
export function ensureLocalSecrets(root: string): LocalSecrets {
  const known = readLocalSecrets(root);
  if (known) return known;
  const secret = () => randomBytes(SECRET_BYTES).toString('hex');
  const file = secretsFile(root);
  const draft = `${file}.${process.pid}`;
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(draft, `${JSON.stringify({ CURSOR_SECRET: secret(), KEY_PEPPER: secret() }, null, 2)}\n`, { mode: OWNER_ONLY_FILE });
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return ensureLocalSecrets(root);
}
