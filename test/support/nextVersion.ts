/** The next version of the service: this one with another migration, in a copy of the tree. */
import { readMigrationFiles } from '../../src/core/store/postgres/sqlFiles.ts';
import { TreeCopy } from './treeCopy.ts';

const NUMBER_DIGITS = 4;
export const NEXT_MIGRATION = `${String(readMigrationFiles().length + 1).padStart(NUMBER_DIGITS, '0')}_next`;
const SQL = `-- Up Migration

alter table team add column nickname text;
update team set nickname = lower(name);
alter table api_key add column nickname text;

-- Down Migration

alter table api_key drop column nickname;
alter table team drop column nickname;
`;

export interface NextVersion {
  load: TreeCopy['load'];
  migrate: typeof import('../../src/core/store/postgres/migrate.ts').migrate;
  remove(): void;
}

export async function makeNextVersion(): Promise<NextVersion> {
  const tree = new TreeCopy();
  tree.edit({ file: `src/core/store/postgres/migrations/${NEXT_MIGRATION}.sql`, text: SQL });
  const { migrate } = await tree.load<NextVersion>('src/core/store/postgres/migrate.ts');
  return { load: (file) => tree.load(file), migrate, remove: () => tree.remove() };
}
