import assert from 'node:assert/strict';
import type { Principal } from '../../../src/core/domain/principal.ts';
import { loadPlaces } from '../../../src/core/store/files/loadPlaces.ts';
import { readRows } from '../../../src/features/match/request.ts';

const places = loadPlaces();
const anybody = { licence: { nationwide: true } } as Principal;
const problemsOf = (rows: unknown[]) => readRows({ rows }, anybody, places).problems;

describe('rows of a list', () => {
  it('says in its message which place may be meant', () => {
    const [state, county] = problemsOf([
      { caseNumber: 'A-1', state: 'Colorada' },
      { caseNumber: 'A-1', state: 'CO', county: 'Bolder' },
    ]);
    assert.deepEqual([state?.didYouMean, county?.didYouMean], ['Colorado', 'Boulder']);
    assert.match(state?.message ?? '', /'Colorada' is no US state; did you mean 'Colorado'\?$/);
    assert.match(county?.message ?? '', /; did you mean 'Boulder'\?$/);
  });

  it('compares the first unknown places alone with all that there are, so that many are refused as quickly', () => {
    const problems = problemsOf(Array.from({ length: 100 }, (_, i) => ({ caseNumber: 'A-1', county: `${'Xyz'.repeat(60)}${i}` })));
    assert.equal(problems.length, 100);
    assert.deepEqual(
      problems.flatMap(({ nearest }, i) => (nearest ? [i] : [])),
      Array.from({ length: 20 }, (_, i) => i),
    );
    assert(problems.every(({ code, reference }) => code === 'unknown_place' && reference));
  });
});
