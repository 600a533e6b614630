/** The OpenAPI document as it was last committed, and as the code makes it now. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { composeService } from '../../src/app.ts';
import changelog from '../../src/catalogue/changelog.json' with { type: 'json' };
import { loadConfig } from '../../src/config.ts';
import { writeClientTypes } from './clientTypes.ts';
import { type Changes, compareDocuments } from './compare.ts';
import { writePythonClient } from './pythonClient.ts';
import { writePythonRecords } from './pythonRecords.ts';

type Json = Record<string, unknown>;

const file = path.resolve(import.meta.dirname, '../../test/contract/openapi.json');

/** With the settings that nobody made: no server is asked for it. */
export async function currentDocument(): Promise<Json> {
  const nowhere = { ELASTICSEARCH_URL: 'http://127.0.0.1:1', DATABASE_URL: 'postgres://127.0.0.1:1/x', REDIS_URL: 'redis://127.0.0.1:1' };
  const secret = 'x'.repeat(32);
  const service = composeService(loadConfig({ ...nowhere, CURSOR_SECRET: secret, KEY_PEPPER: secret, LOG_LEVEL: 'silent' }));
  const document = JSON.parse(JSON.stringify(service.openApi())) as Json;
  await service.close();
  return document;
}

export const committedDocument = (): Json => (existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Json) : {});

/** @param named what the changelog names as breaking, in the words of the comparison */
export function unnamedBreaks({ breaking }: Changes, named: ReadonlySet<string> = namedBreaks()): string[] {
  return breaking.filter((change) => !named.has(change));
}

/** `breaks` of every entry of the changelog. */
function namedBreaks(): Set<string> {
  const changes: { kind: string; breaks?: readonly string[] }[] = changelog.entries.flatMap((entry) => entry.changes);
  return new Set(changes.flatMap(({ breaks = [] }) => breaks));
}

/** Writes the document of now, and what of the clients follows from it. @throws Error that lists breaking changes which the changelog does not name */
export async function writeSnapshot(): Promise<Changes> {
  const now = await currentDocument();
  const changes = compareDocuments(committedDocument(), now);
  const unnamed = unnamedBreaks(changes);
  if (unnamed.length)
    throw new Error(
      `These changes break clients; name each under "breaks" of an entry in src/catalogue/changelog.json:\n${unnamed.join('\n')}`,
    );
  writeFileSync(file, `${JSON.stringify(now, null, 1)}\n`);
  writeClientTypes(now);
  writePythonClient(now);
  writePythonRecords(now);
  return changes;
}
