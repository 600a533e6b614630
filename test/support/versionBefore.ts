/** The version before this one, out of the repository's own history: what is deployed where an upgrade begins. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';

/**
 * Raise it with each release: the commit that runs until this version replaces it. Its packages have to be among ours: for this one, pg-boss
 * is a development package.
 */
export const VERSION_BEFORE = 'a0ee4edc6985';

/** Its parts that make tables and accounts. */
export interface PartsBefore {
  folder: string;
  migrate: typeof import('../../src/core/store/postgres/migrate.ts').migrate;
  AccountStore: typeof import('../../src/core/identity/accounts.ts').AccountStore;
  KeyStore: typeof import('../../src/core/identity/keys.ts').KeyStore;
  /** of its records */
  fieldNames: readonly string[];
}

const root = path.resolve(import.meta.dirname, '../..');

export async function versionBefore(): Promise<PartsBefore> {
  const folder = filesBefore();
  const part = async (name: string) => import(path.join(folder, 'src/store/postgres', name));
  const [{ migrate }, { AccountStore }, { KeyStore }] = await Promise.all(['migrate.ts', 'accounts.ts', 'keys.ts'].map(part));
  const { FIELD_NAMES: fieldNames } = await import(path.join(folder, 'src/domain/record/fields.ts'));
  return { folder, migrate, AccountStore, KeyStore, fieldNames };
}

/**
 * Its files below `.stack/versions`, taken out once, with the packages of this version.
 * @throws Error that says what to do where the clone does not hold the commit
 */
function filesBefore(): string {
  const folder = path.join(root, '.stack', 'versions', VERSION_BEFORE);
  if (existsSync(folder)) return folder;
  const git = (args: string[]) => execFileSync('git', args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  try {
    git(['cat-file', '-e', `${VERSION_BEFORE}^{commit}`]);
  } catch {
    throw new Error(
      `The version before, commit ${VERSION_BEFORE}, is not in this clone, so that the upgrade from it cannot be tried. ` +
        'A clone that was cut short gets it by `git fetch --unshallow`; in CI, check out the whole history.',
    );
  }
  const partial = `${folder}.${process.pid}`;
  mkdirSync(partial, { recursive: true });
  try {
    const archive = path.join(partial, 'version.tar');
    git(['archive', '--format=tar', `--output=${archive}`, VERSION_BEFORE, 'src', 'ingest', 'mappings', 'scripts', 'package.json']);
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
