/** A line that was loaded before is not read again, so any change in how lines are read must change their keys. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { hashLine, makeLineForm, READING_VERSION } from '../../../ingest/read/lineHash.ts';
import { normaliseProject, withIdentity } from '../../../ingest/read/normalise.ts';
import { isStatement, parseLine, type Statement } from '../../../ingest/read/parseLine.ts';
import { makeFlatFields } from '../../../ingest/write/indexedFields.ts';
import { makeRecordVersion } from '../../../ingest/write/projectDocument.ts';
import { pickContactFields, pickDocumentFields } from '../../../ingest/write/statementWrites.ts';
import { sampleLines } from '../../../scripts/sample/generate.ts';
import { Places } from '../../../src/core/domain/places.ts';
import { loadPlaces } from '../../../src/core/store/files/loadPlaces.ts';

const TODAY = '2026-11-20';
const places = loadPlaces();

/** What this version made of these lines. */
const SEEN = { reading: 14, lines: 'e90bcbf35533dfa2', records: 'dbcee52fecdcafe9' };

function recordOf(line: Statement): object {
  if (line.kind === 'contact') return pickContactFields(line);
  const version = { key: '', loadedIn: 1 };
  if (line.kind === 'document') {
    const fields = pickDocumentFields({ places }, line);
    return { fields, indexed: makeFlatFields('documents', { ...version, ...fields }) };
  }
  const context = { loadedIn: 1, today: TODAY, stamp: () => `${TODAY}T00:00:00.000Z`, generation: 1 };
  const made = makeRecordVersion(withIdentity(normaliseProject(line, places), undefined), { quotes: line.evidence }, context);
  const { quotes, ...stored } = made.version;
  return { stored, quotes: quotes ?? null, indexed: made.indexed() };
}

describe('The names of lines', () => {
  it('change with how lines are read', () => {
    const [lines, records] = [createHash('sha256'), createHash('sha256')];
    for (const line of sampleLines({ seed: 3, projects: 400, today: TODAY, texts: 'long', places, generation: 1 })) {
      const text = JSON.stringify(line);
      lines.update(text);
      const parsed = parseLine(text);
      assert('line' in parsed);
      if (isStatement(parsed.line)) records.update(JSON.stringify(recordOf(parsed.line)));
    }
    const found = { reading: READING_VERSION, lines: lines.digest('hex').slice(0, 16), records: records.digest('hex').slice(0, 16) };
    assert.deepEqual(
      found,
      SEEN,
      found.lines === SEEN.lines
        ? 'the same lines become other records: raise READING_VERSION in ingest/read/lineHash.ts, then write down here what is found'
        : 'the sample has changed: write down here what is found',
    );
  });

  it('differ by text and by catalogue', () => {
    const other = makeLineForm(new Places(places.states, places.counties, places.cities.slice(1)));
    const form = makeLineForm(places);
    assert.notEqual(hashLine(form, '{"id":1}'), hashLine(form, '{"id":2}'));
    assert.notEqual(hashLine(form, '{"id":1}'), hashLine(other, '{"id":1}'));
    assert.equal(hashLine(form, '{"id":1}'), hashLine(makeLineForm(loadPlaces()), '{"id":1}'));
  });
});
