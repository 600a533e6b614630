/** What a question asks of who did what, because of what, and with which sign: sentences that say it, and sentences that only have its words. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { caseNamesOf } from '../../../src/core/domain/cases/caseNames.ts';
import { confirmCriteria, type SourceText, understandQuestion } from '../../../src/features/aiSearch/question/index.ts';
import { evidenceOf } from '../../../src/features/aiSearch/quotableSentences.ts';
import { TODAY } from '../../support/fixtures.ts';
import { places } from '../../support/index.ts';
import { splitAt } from '../../support/markedText.ts';

/** Questions with texts that prove them (`+`) and texts that do not (`-`). */
const RELATIONS = splitAt(readFileSync(path.join(import.meta.dirname, 'relations.txt'), 'utf8'), '===').flatMap(([question, lines]) =>
  lines.split(/\n(?=[+-] )/).map((line) => ({ question, isProof: line.startsWith('+'), text: line.slice(2) })),
);

const raw = (text: string): SourceText => ({ source: 'rawText', documentId: null, text });

const isProven = (question: string, text: string) => {
  const { criteria } = understandQuestion(question, { today: TODAY, places });
  const relations = criteria.filter(({ match }) => match.relation);
  assert.equal(relations.length, 1, JSON.stringify(criteria));
  return confirmCriteria(relations, { projectId: '1', names: caseNamesOf({}), texts: [raw(text)] }).confirmed;
};

describe('a relation', () => {
  for (const { question, isProof, text } of RELATIONS)
    it(`${isProof ? 'is' : 'is not'} said: ${question} | ${text}`, () => assert.equal(isProven(question, text), isProof));

  it('is no proof by a language model either where the sentences say the opposite, or only report it', () => {
    const [criterion] = understandQuestion('solar farms that neighbors opposed because of views', { today: TODAY, places }).criteria;
    const isProof = (text: string) =>
      criterion && evidenceOf(criterion, [[{ source: raw(text), passage: 0, place: 0, start: 0, end: text.length, text }]]) !== null;
    assert.equal(isProof('Neighbors begged the Board to think of their porches.'), true);
    assert.equal(isProof('Neighbors opposed it: the panels are ugly from their porches.'), true);
    assert.equal(isProof('Neighbors supported it because of the views.'), false);
    assert.equal(isProof('Neighbors did not oppose it.'), false);
    assert.equal(isProof('Mr. Lee was told that neighbors opposed it because of views.'), false);
  });
});
