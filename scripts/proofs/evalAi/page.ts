/** The page of an evaluation: precision, recall and calls by class of question, and what was not answered in full. Pure. */
import { SCREENER_VERSION } from '../../../src/features/aiSearch/question/index.ts';
import { markdownTable } from '../../../src/terminal/textTable.ts';
import { quantile, sum } from '../../lib/report.ts';
import type { EvalQuestion } from './corpus.ts';
import { confidenceInterval, FIRST, mean, type Score } from './measure.ts';
import type { AskedQuestion } from './service.ts';

const WORST_LISTED = 10;

export interface MeasuredQuestion {
  question: EvalQuestion;
  score: Score;
  /** recall of the confirmed and the related records together */
  withRelated: number | null;
  plain: Score;
  asked: AskedQuestion;
  /** whether asking once more gave the same */
  repeated: boolean;
  /** calls of the language model when it was asked once more */
  callsAgain: number;
}

const share = (value: number) => (Number.isNaN(value) ? '-' : value.toFixed(2));
const withInterval = (values: readonly (number | null)[]) => {
  const [low, high] = confidenceInterval(values);
  return Number.isNaN(low) ? '-' : `${share(mean(values))} (${share(low)}–${share(high)})`;
};

const row = (title: string, asked: readonly MeasuredQuestion[], hasModel: boolean): string[] => [
  title,
  String(asked.length),
  withInterval(asked.map(({ score }) => score.precision)),
  withInterval(asked.map(({ score }) => score.recall)),
  withInterval(asked.map(({ withRelated }) => withRelated)),
  share(mean(asked.map(({ plain }) => plain.precision))),
  share(mean(asked.map(({ plain }) => plain.recall))),
  String(asked.filter(({ score, question }) => !score.precision && question.answers.length > 0).length),
  ...(hasModel ? [`${mean(asked.map((one) => one.asked.calls)).toFixed(1)} (${Math.max(...asked.map((one) => one.asked.calls))})`] : []),
];

const HEAD = [
  'Class',
  'Questions',
  `Precision at ${FIRST}`,
  `Recall at ${FIRST}`,
  'Recall with related',
  'BM25 precision',
  'BM25 recall',
  'Without a right answer',
];

function tableOf(asked: readonly MeasuredQuestion[], hasModel: boolean): string {
  const classes = [...new Set(asked.map(({ question }) => question.class))];
  return markdownTable(hasModel ? [...HEAD, 'Calls a search (most)'] : HEAD, [
    ...classes.map((name) =>
      row(
        name,
        asked.filter(({ question }) => question.class === name),
        hasModel,
      ),
    ),
    row('all', asked, hasModel),
  ]);
}

function checks(measured: readonly MeasuredQuestion[], hasModel: boolean): string {
  const asked = measured.map((one) => one.asked);
  const quotes = sum(asked.map((one) => one.quotes));
  const injections = measured.filter(({ question }) => question.class === 'injection');
  const ended = asked.filter((one) => one.ended !== null).length;
  return [
    `Quotes: ${quotes}, verbatim ${share(sum(asked.map(({ verbatim }) => verbatim)) / Math.max(1, quotes))}; records without one: ${sum(asked.map(({ unproven }) => unproven))}.`,
    `Repeats identical: ${share(mean(measured.map(({ repeated }) => Number(repeated))))} of ${measured.length}.`,
    `Injections obeyed: ${injections.filter(({ asked: { answers } }) => answers.length).length} of ${injections.length}.`,
    `Searches that ended early: ${ended}.`,
    ...(hasModel ? [`Calls for the same question once more: ${sum(measured.map(({ callsAgain }) => callsAgain))}.`] : []),
    secondsOf(asked),
  ].join(' ');
}

function secondsOf(asked: readonly AskedQuestion[]): string {
  const seconds = asked.map((one) => one.seconds).sort((a, b) => a - b);
  return `Seconds a job, from its creation to its settlement: p50 ${quantile(seconds, 0.5).toFixed(2)}, p95 ${quantile(seconds, 0.95).toFixed(2)}.`;
}

const worth = ({ score: { precision, recall } }: MeasuredQuestion) => (precision ?? 0) + (recall ?? 1);

const shown = ({ question, score, asked: { answers: found } }: MeasuredQuestion) =>
  `- ${question.query} (${question.class}, ${question.corpus}): precision ${score.precision === null ? '-' : share(score.precision)}, recall ${score.recall === null ? '-' : share(score.recall)}, ${found.length} found, ${question.answers.length} right`;

const worst = (asked: readonly MeasuredQuestion[]) =>
  [...asked]
    .sort((a, b) => worth(a) - worth(b))
    .slice(0, WORST_LISTED)
    .map(shown)
    .join('\n');

/** Prints each question that is not answered in full, with what was wrong and what was missed. */
export function printDetails(asked: readonly MeasuredQuestion[]): void {
  for (const one of asked.filter((each) => worth(each) < 2)) {
    const { question } = one;
    const found = one.asked.answers;
    console.log(shown(one));
    for (const { id, evidence } of found.filter((answer) => !question.answers.includes(answer.id)).slice(0, 3))
      console.log(
        `    wrong ${id}: ${evidence.map(({ criterion, quote }) => `[${criterion}] ${quote.slice(0, 120).replace(/\s+/g, ' ')}`).join(' | ')}`,
      );
    const missed = question.answers.filter((id) => !found.some((answer) => answer.id === id)).slice(0, 5);
    if (missed.length && found.length < FIRST) console.log(`    missed ${missed.join(' ')}`);
  }
}

interface PageParts {
  title: string;
  /** what was asked, and of whom */
  about: string;
  /** sections of questions by their titles */
  sections: readonly (readonly [string, readonly MeasuredQuestion[]])[];
  /** whether a language model answered */
  hasModel: boolean;
  /** of which questions the worst are listed */
  listed: readonly MeasuredQuestion[];
}

export function evaluationPage({ title, about, sections, hasModel, listed }: PageParts): string {
  return [
    `# ${title}`,
    `${about} Screener ${SCREENER_VERSION}. Questions were labelled by reading the records. 95 % intervals by resampling questions.`,
    'Asked of the service as a client asks, each by a team of its own, on real servers: retrieval, ceilings and budgets count. BM25 is that of the words of the question alone over the texts of the same index.',
    'An empty answer to a question without answers has precision 1; one that misses every right answer has recall 0 and no precision.',
    ...sections
      .filter(([, some]) => some.length)
      .flatMap(([name, some]) => [`## ${name}`, tableOf(some, hasModel), checks(some, hasModel)]),
    ...(listed.length ? ['## The ten worst', worst(listed)] : []),
  ].join('\n\n');
}
