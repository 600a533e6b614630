import assert from 'node:assert/strict';
import lists from '../../../src/catalogue/questionLists.json' with { type: 'json' };
import { type FilterName, filterOf } from '../../../src/core/filter/table.ts';
import { interpretSentence } from '../../../src/features/aiSearch/interpret.ts';
import { understandQuestion } from '../../../src/features/aiSearch/question/index.ts';
import { places } from '../../support/index.ts';
import { type Asked, Corpus, type Line, matches } from '../../support/oracle.ts';
import { Random } from '../../support/random.ts';
import { PARENTS, randomLine } from '../../support/randomProjects.ts';
import { structuredQuestion } from '../../support/structuredQuestions.ts';

const TODAY = '2026-11-20';
const QUESTIONS = 40;
const SEED = Number(process.env.QUESTIONS_SEED ?? 55);

/** The filters of a question as the oracle takes them; undefined if it asks for something in the text, too. */
function readAsked(wording: string): Asked | undefined {
  const { filters, criteria } = understandQuestion(wording, { today: TODAY, places });
  if (criteria.length) return undefined;
  const asked = Object.entries(filters).map(([name, value]): [string, unknown] => {
    const { ofPlaces } = filterOf(name as FilterName);
    if (name === 'states') return [name, [value].flat().map((one) => places.findState(one)?.id)];
    if (ofPlaces) return [name, [value].flat().map(Number)];
    return [name, /(?:Min|Max)$/.test(name) ? Number(value) : value];
  });
  return { dateRange: 'all', ...Object.fromEntries(asked) } as Asked;
}

describe(`questions that filters answer whole (QUESTIONS_SEED=${SEED})`, () => {
  const random = new Random(SEED);
  const questions = Array.from({ length: QUESTIONS }, () => structuredQuestion(random));
  const lines = questions.flatMap(({ line }, i) =>
    Array.from({ length: 3 }, (_, k): Line => ({ ...randomLine(random, 1 + i * 3 + k, TODAY), ...line }) as Line),
  );
  const corpus = new Corpus();
  corpus.load([...lines, ...Array.from({ length: 200 }, (_, i) => randomLine(random, 1000 + i, TODAY))], 1, 'full');
  const select = (asked: Asked) =>
    [...corpus.entries.values()].flatMap((one) => (matches(one, asked, TODAY, PARENTS) ? [one.current.id] : []));

  for (const { asked, wordings } of questions)
    it(`find all right records and no others in five wordings: ${wordings[0]}`, () => {
      const right = select(asked);
      assert.ok(right.length >= 1, 'a record answers it');
      for (const wording of wordings) {
        const read = readAsked(wording);
        assert.deepEqual(
          read && select(read),
          right,
          `${wording}: ${JSON.stringify(read ?? understandQuestion(wording, { today: TODAY, places }))}`,
        );
      }
    });
});

const ASKING = new Set(lists.asking.split(/[, ]+/));
/** Words that no filter says, or that change what others say. */
const MORE =
  'blorp because nobody yesterday may or not near unless 5 １２ first but over least hotels Springfield between except 100-foot without nobody to may june 2 split'.split(
    ' ',
  );
const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{Nd}]+/gu) ?? [];

describe(`sentences with words that no filter says (QUESTIONS_SEED=${SEED})`, () => {
  const random = new Random(SEED);
  const sentences = Array.from({ length: 200 }, () => {
    const words = random.pick(structuredQuestion(random).wordings).split(' ');
    for (const more of random.some(MORE, random.integer(1, 3))) words.splice(random.integer(0, words.length), 0, more);
    return words.join(' ');
  });

  it('lose no word, and have none both as a filter and as what filters do not know', () => {
    const services = { places, now: () => new Date(`${TODAY}T12:00:00Z`) };
    for (const sentence of sentences) {
      const { readings, rest } = interpretSentence(services, { licence: { nationwide: true } }, sentence).data;
      const told = [...new Set(readings.map(({ words }) => words)), rest ?? ''].flatMap(wordsOf);
      const count = (all: readonly string[], word: string) => all.filter((one) => one === word).length;
      for (const word of new Set(wordsOf(sentence))) {
        const [said, there] = [count(wordsOf(sentence), word), count(told, word)];
        assert.ok(there <= said && (there === said || ASKING.has(word)), `${word} in “${sentence}”: ${JSON.stringify({ readings, rest })}`);
      }
    }
  });

  it('are never answered by filters alone: adjectives, verbs, numbers, places and times', () => {
    for (const unknown of ['blorp', 'luxury', 'blorping', 'Blorpville', '17 blorps', 'near Blorpville', 'in Blorpember', 'blorped'])
      for (let i = 0; i < 40; i++) {
        const sentence = random.pick(structuredQuestion(random).wordings).split(' ');
        // `with or without a garage` asks nothing, whatever its words are.
        if (sentence.includes('without') || sentence.includes('whether')) continue;
        sentence.splice(random.integer(0, sentence.length), 0, unknown);
        const wording = sentence.join(' ');
        const [, word] = /(\w+)$/.exec(unknown) ?? [];
        const { criteria, filters } = understandQuestion(wording, { today: TODAY, places });
        const told = [...criteria.map(({ text }) => text), filters.developerName ?? ''].join(' ');
        assert.ok(told.includes(word as string), `${wording}: ${JSON.stringify({ filters, criteria })}`);
      }
  });
});
