/** The previous version, extracted from the repository's history, from which tests upgrade. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';

/**
 * The commit of the previous version; change it with each release. It runs with this version's packages, so pg-boss is a development package.
 */
export const PREVIOUS_VERSION = 'a0ee4edc6985';

/** The parts of the previous version that create tables and accounts. */
export interface PreviousVersion {
  folder: string;
  migrate: typeof import('../../src/core/store/postgres/migrate.ts').migrate;
  AccountStore: typeof import('../../src/core/identity/accounts.ts').AccountStore;
  KeyStore: typeof import('../../src/core/identity/keys.ts').KeyStore;
  /** names of its record's fields */
  fieldNames: readonly string[];
}

const root = path.resolve(import.meta.dirname, '../..');

export async function loadPreviousVersion(): Promise<PreviousVersion> {
  const folder = extractPreviousVersion();
  const part = async (name: string) => import(path.join(folder, 'src/store/postgres', name));
  const [{ migrate }, { AccountStore }, { KeyStore }] = await Promise.all(['migrate.ts', 'accounts.ts', 'keys.ts'].map(part));
  const { FIELD_NAMES: fieldNames } = await import(path.join(folder, 'src/domain/record/fields.ts'));
  return { folder, migrate, AccountStore, KeyStore, fieldNames };
}

/**
 * Extracts its files once below `.stack/versions`, with the packages of this version.
 * @returns the folder
 * @throws Error with a remedy if the clone does not contain the commit
 */
function extractPreviousVersion(): string {
  const folder = path.join(root, '.stack', 'versions', PREVIOUS_VERSION);
  if (existsSync(folder)) return folder;
  const git = (args: string[]) => execFileSync('git', args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  try {
    git(['cat-file', '-e', `${PREVIOUS_VERSION}^{commit}`]);
  } catch {
    throw new Error(
      `The version before, commit ${PREVIOUS_VERSION}, is not in this clone, so that the upgrade from it cannot be tried. ` +
        'A clone that was cut short gets it by `git fetch --unshallow`; in CI, check out the whole history.',
    );
  }
  const partial = `${folder}.${process.pid}`;
  mkdirSync(partial, { recursive: true });
  try {
    const archive = path.join(partial, 'version.tar');
    git(['archive', '--format=tar', `--output=${archive}`, PREVIOUS_VERSION, 'src', 'ingest', 'mappings', 'scripts', 'package.json']);
    execFileSync('tar', ['-xf', archive, '-C', partial]);
    rmSync(archive);
    symlinkSync(path.join(root, 'node_modules'), path.join(partial, 'node_modules'));
    renameSync(partial, folder);
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}
