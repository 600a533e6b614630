/**
 * Increments of the public data sets as they were published, which are no part of the project, so that nothing honest is refused:
 * `PUBLIC_DATA=folder npm test -- test/integration/ingest/increments.test.ts`.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { writeGeneration } from '../../../ingest/sources/generation.ts';
import { ADAPTERS } from '../../../ingest/sources/registry.ts';
import { newFolder } from '../../support/folder.ts';
import { TestIndex } from '../../support/index.ts';

const { PUBLIC_DATA } = process.env;
const INCREMENTS = 50;
const BASE_LINES_MOST = 3000;

const increments = (from: string) =>
  function (this: Mocha.Suite): void {
    this.timeout(1_200_000);
    const index = new TestIndex('2026-11-20');
    const folder = newFolder('increments');
    after(() => index.drop());

    /** The lines of one set: documents and records that are served first, and more records in consecutive parts. */
    async function linesOf(name: string): Promise<{ base: string[]; parts: string[][] }> {
      const { file } = await writeGeneration({ from, to: folder, only: [name], onProgress: () => {} });
      const [, ...all] = gunzipSync(readFileSync(file)).toString().trim().split('\n');
      const lines = all.filter((line) => line.startsWith('{"kind":"project"'));
      const documents = all.filter((line) => !line.startsWith('{"kind":"project"'));
      const base = lines.slice(0, Math.min(Math.ceil(lines.length / 2), BASE_LINES_MOST));
      const each = Math.floor(base.length / INCREMENTS);
      const part = (n: number) => lines.slice(base.length + n * each, base.length + (n + 1) * each);
      return { base: [...documents, ...base], parts: Array.from({ length: INCREMENTS }, (_, n) => part(n)) };
    }

    it('load with no more than one finding that refuses', async () => {
      const sets = [];
      for (const { name } of ADAPTERS) sets.push(await linesOf(name));
      // Records whose source names no use are no lines to load.
      await index.load(
        sets.flatMap(({ base }) => base),
        { skipInvalid: true },
      );
      assert.ok(sets.every(({ parts }) => parts.every((part) => part.length > 0)));
      const refused: string[] = [];
      for (let n = 0; n < INCREMENTS; n++) {
        const lines = sets.flatMap(({ parts }) => parts[n] ?? []);
        await index
          .load(lines, { mode: 'increment', accept: [], checksPoints: true, skipInvalid: true })
          .catch((error: Error) => refused.push(`${n}: ${error.message}`));
      }
      assert.ok(refused.length <= 1, refused.join('\n'));
    });
  };

if (PUBLIC_DATA !== undefined) describe('increments of the public data sets', increments(PUBLIC_DATA));
