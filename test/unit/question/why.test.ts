import assert from 'node:assert/strict';
import { caseNamesOf } from '../../../src/core/domain/cases/caseNames.ts';
import { explainMatch } from '../../../src/features/aiSearch/explainMatch.ts';
import { confirmCriteria, readCriteria, searchTerms } from '../../../src/features/aiSearch/question/index.ts';

const criteria = readCriteria('drainage');
const verdict = confirmCriteria(criteria, {
  projectId: '1',
  names: caseNamesOf({}),
  texts: [{ source: 'rawText', documentId: null, text: 'Residents spoke about stormwater.' }],
});

describe('why a record matched', () => {
  it('is said in one or two sentences, from the record and its quotes', () => {
    const facts = { projectName: 'Cedar Fork', city: 'Austin', state: 'TX', propertyTypeLabel: 'Residential', statusLabel: 'Continued' };
    assert.equal(
      explainMatch(criteria, verdict, facts),
      'Cedar Fork: Residential, in Austin, TX, Continued. Its text answers “drainage” in “Residents spoke about stormwater.”.',
    );
    assert.equal(explainMatch([], { ...verdict, evidence: [] }, {}), 'This project matches the filters of the question.');
  });

  it('is shortened between two characters where a quote has no space', () => {
    const evidence = verdict.evidence.map((one) => ({ ...one, quote: `x${'🏠'.repeat(200)}` }));
    assert(explainMatch(criteria, { ...verdict, evidence }, {}).isWellFormed());
  });
});

describe('search terms', () => {
  it('hold what the thesaurus has for each criterion', () => {
    const [terms] = searchTerms(criteria);
    assert.ok(terms?.includes('stormwater') && terms[0] === 'drainage');
  });

  it('of an amount or a vote alone are the words of its kind, however a text says the number', () => {
    const phrasesOf = (question: string) => searchTerms(readCriteria(question))[0] ?? [];
    assert.ok(phrasesOf('at least 5 acres').includes('acre'));
    assert.ok(!phrasesOf('over 20 percent').includes('%'));
    assert.ok(phrasesOf('approved by a 5-2 vote').length > 0 && phrasesOf('5-2 vote').includes('ayes'));
  });
});
