/** Migrations are frozen once they are committed, and every change of the ledger's functions has a version of its own. */
import assert from 'node:assert/strict';
import {
  checksumFunctions,
  readCommittedChecksums,
  readFunctionFiles,
  readMigrationFiles,
} from '../../src/core/store/postgres/sqlFiles.ts';

describe('the SQL of the schema', () => {
  const committed = readCommittedChecksums();

  it('keeps every committed migration as it is, and lists every new one', () => {
    const found = Object.fromEntries(readMigrationFiles().map(({ name, checksum }) => [name, checksum]));
    assert.deepEqual(
      found,
      committed.migrations,
      'a committed migration is never edited: write a new one; add the line of a new one to src/core/store/postgres/checksums.json',
    );
  });

  it('has a new version of the functions with every change of one', () => {
    assert.equal(
      checksumFunctions(readFunctionFiles()),
      committed.functions.checksum,
      `a function has changed: in src/core/store/postgres/checksums.json raise functions.version above ${committed.functions.version} and state this checksum`,
    );
    assert(Number.isSafeInteger(committed.functions.version));
  });

  it('holds one function a file, which is named for it and can be applied again', () => {
    const files = readFunctionFiles();
    assert(files.length >= 12);
    for (const { name, text } of files) {
      const made = [...text.matchAll(/^create (or replace )?function (\w+)/gm)];
      assert.deepEqual(
        made.map(([, , made]) => made),
        [name],
        `functions/${name}.sql`,
      );
      const replaces = made[0]?.[1] !== undefined || text.includes(`drop function if exists ${name}`);
      assert(replaces, `functions/${name}.sql: 'create or replace', or drop it first where its signature changes`);
    }
  });
});
