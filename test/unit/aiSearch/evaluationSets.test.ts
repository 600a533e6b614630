import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import path from 'node:path';
import { isTextSet, type TextSet, textSetLines, textSetQuestions } from '../../../scripts/proofs/evalAi/corpus.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../../scripts/proofs/evalAi/sets');
/** The names under which committed sets are asked. */
const SETS = globSync('*.json', { cwd: FOLDER })
  .map((file) => path.basename(file, '.json'))
  .map((name) => (isTextSet(name) ? name : (`sets-${name}` as TextSet)));

describe('A set of questions over made-up minutes', () => {
  for (const name of SETS) {
    it(`names as answers of ${name} only projects of its own texts, each once, and none just for questions without an answer`, () => {
      const projects = new Set(
        textSetLines(name).flatMap((line) => (line.kind === 'project' ? [(line as unknown as { id: number }).id] : [])),
      );
      const questions = textSetQuestions(name);
      assert.ok(projects.size >= 60 && questions.length >= 60);
      for (const { query, answers, class: kind, corpus } of questions) {
        assert.equal(corpus, name, query);
        assert.deepEqual(
          [...new Set(answers)].filter((id) => projects.has(id)),
          answers,
          query,
        );
        assert.equal(answers.length === 0, kind === 'none', query);
      }
    });
  }
});
