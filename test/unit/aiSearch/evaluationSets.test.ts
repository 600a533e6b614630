import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { CORPORA, isTextSet, textSetLines, textSetQuestions } from '../../../scripts/proofs/evalAi/corpus.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../../scripts/proofs/evalAi/sets');

describe('A set of questions over made-up minutes', () => {
  for (const name of CORPORA.filter(isTextSet)) {
    it(`names as answers of ${name} only projects of its own texts, each once, and none just for questions without an answer`, () => {
      const projects = new Set(
        textSetLines(name).flatMap((line) => (line.kind === 'project' ? [(line as unknown as { id: number }).id] : [])),
      );
      const questions = textSetQuestions(name);
      assert.ok(projects.size >= 60 && questions.length >= 60);
      for (const { query, answers, class: kind } of questions) {
        assert.deepEqual(
          [...new Set(answers)].filter((id) => projects.has(id)),
          answers,
          query,
        );
        assert.equal(answers.length === 0, kind === 'none', query);
      }
    });
  }

  it('has, where it is sealed, the digests that were committed before it was opened', () => {
    const lines = readFileSync(path.join(FOLDER, 'sealed.sha256'), 'utf8').trimEnd().split('\n');
    const digest = (file: string) =>
      createHash('sha256')
        .update(readFileSync(path.join(FOLDER, file)))
        .digest('hex');
    assert.deepEqual(
      lines,
      lines.map((line) => line.split('  ')[1] as string).map((file) => `${digest(file)}  ${file}`),
    );
  });
});
