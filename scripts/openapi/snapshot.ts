/** The committed OpenAPI document (the snapshot), and the one that the code makes now. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { composeService } from '../../src/app.ts';
import changelog from '../../src/catalogue/changelog.json' with { type: 'json' };
import { loadConfig } from '../../src/config.ts';
import { writeClientTypes } from './clientTypes.ts';
import { type Changes, compareDocuments } from './compare.ts';
import { writePythonClient } from './pythonClient.ts';
import { writePythonRecords } from './pythonRecords.ts';
import { writePythonSync } from './pythonSync.ts';

type Json = Record<string, unknown>;

const file = path.resolve(import.meta.dirname, '../../test/contract/openapi.json');

/** Makes the document with default settings; no server is needed. */
export async function makeDocument(): Promise<Json> {
  const nowhere = { ELASTICSEARCH_URL: 'http://127.0.0.1:1', DATABASE_URL: 'postgres://127.0.0.1:1/x', REDIS_URL: 'redis://127.0.0.1:1' };
  const secret = 'x'.repeat(32);
  const service = composeService(loadConfig({ ...nowhere, CURSOR_SECRET: secret, KEY_PEPPER: secret, LOG_LEVEL: 'silent' }));
  const document = JSON.parse(JSON.stringify(service.openApi())) as Json;
  await service.close();
  return document;
}

export const readCommittedDocument = (): Json => (existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Json) : {});

/** Breaking changes that the changelog does not name. @param named those that it names, in the words of the comparison */
export function findUnnamedBreaks({ breaking }: Changes, named: ReadonlySet<string> = readNamedBreaks()): string[] {
  return breaking.filter((change) => !named.has(change));
}

/** `breaks` of every entry of the changelog. */
function readNamedBreaks(): Set<string> {
  const changes: { kind: string; breaks?: readonly string[] }[] = changelog.entries.flatMap((entry) => entry.changes);
  return new Set(changes.flatMap(({ breaks = [] }) => breaks));
}

/** Writes the document and the generated parts of the clients. @throws Error that lists breaking changes which the changelog does not name */
export async function writeSnapshot(): Promise<Changes> {
  const now = await makeDocument();
  const changes = compareDocuments(readCommittedDocument(), now);
  const unnamed = findUnnamedBreaks(changes);
  if (unnamed.length)
    throw new Error(
      `These changes break clients; name each under "breaks" of an entry in src/catalogue/changelog.json:\n${unnamed.join('\n')}`,
    );
  writeFileSync(file, `${JSON.stringify(now, null, 1)}\n`);
  writeClientTypes(now);
  writePythonClient(now);
  writePythonRecords(now);
  writePythonSync();
  return changes;
}
