/** Suite `outcomes`: what became of real records by the rules, compared with labels that were read (scripts/proofs/outcomes/reading.md). */
import { whole } from '../../../../src/terminal/textTable.ts';
import { DATA_FOLDER, requirePublicData } from '../../../lib/publicData.ts';
import { type ReportSection, tableOf } from '../../../lib/report.ts';
import {
  type Comparison,
  compareLabels,
  HALVES,
  halfOf,
  type MeasuredOutcomes,
  measurePairs,
  measureReadings,
  OUTCOME_CLASSES,
  type OutcomeAnswer,
  outcomePairs,
  readLabels,
  readStatements,
} from '../../outcomes/evaluation.ts';
import type { Suite } from '../suite.ts';

const share = (value: number) => (Number.isNaN(value) ? '-' : value.toFixed(3));
const title = (answer: OutcomeAnswer) => String(answer ?? 'null');

function classRows(measured: readonly MeasuredOutcomes[]): string[][] {
  return OUTCOME_CLASSES.map((name, i) => [
    title(name),
    ...measured.flatMap(({ classes }) => {
      const { labelled = 0, precision = Number.NaN, recall = Number.NaN } = classes[i] ?? {};
      return [whole(labelled), share(precision), share(recall)];
    }),
  ]);
}

function confusionRows({ confusion }: MeasuredOutcomes): string[][] {
  return OUTCOME_CLASSES.map((labelled) => [
    title(labelled),
    ...OUTCOME_CLASSES.map((readings) => whole(confusion.get(labelled)?.get(readings) ?? 0)),
  ]);
}

function sectionsOf(groups: readonly { name: string; comparisons: Comparison[] }[]): { sections: ReportSection[]; figures: object } {
  const measured = groups.map(({ comparisons }) => measurePairs(outcomePairs(comparisons), OUTCOME_CLASSES));
  const readings = (['staff', 'vote'] as const).flatMap((name) =>
    groups.map((group) => ({ name, group: group.name, ...measureReadings(group.comparisons, name) })),
  );
  const sections: ReportSection[] = [
    {
      title: 'Outcomes',
      text: 'The aim is 0.95. Rules were mended on the seen half alone.',
      head: ['records', 'number', 'accuracy'],
      rows: groups.map(({ name }, i) => [name, whole(measured[i]?.count ?? 0), share(measured[i]?.accuracy ?? Number.NaN)]),
    },
    {
      title: 'By outcome',
      text: 'The aim is 0.90 for each.',
      head: ['outcome', ...groups.flatMap(({ name }) => [`${name}: number`, 'precision', 'recall'])],
      rows: classRows(measured),
    },
    {
      title: 'Confusion',
      text: 'All records: a row for what was read, a column for what it is by the rules.',
      head: ['read', ...OUTCOME_CLASSES.map(title)],
      rows: measured[0] ? confusionRows(measured[0]) : [],
    },
    tableOf(
      'Staff recommendation and vote',
      "From Chesterfield's minutes, which were read by OCR: what is not clear is left out.",
      readings,
      [
        ['reading', ({ name }) => (name === 'staff' ? 'staff recommendation' : 'vote result')],
        ['records', ({ group }) => group],
        ['read', ({ read }) => whole(read)],
        ['stated', ({ labelled }) => whole(labelled)],
        ['derived', ({ derived }) => whole(derived)],
        ['right', ({ right }) => whole(right)],
      ],
    ),
  ];
  return { sections, figures: { outcomes: groups.map(({ name }, i) => ({ name, ...measured[i], confusion: undefined })), readings } };
}

export const outcomes: Suite<Record<string, never>> = {
  name: 'outcomes',
  summary: 'what became of 386 real records, by the rules and as it was read',
  options: [],
  async run() {
    requirePublicData();
    const comparisons = compareLabels(readLabels(), await readStatements(DATA_FOLDER));
    const halves = HALVES.map((name) => ({ name, comparisons: comparisons.filter(({ label }) => halfOf(label) === name) }));
    return {
      title: 'Outcomes',
      about: `${comparisons.length} records of New York's Council, Mecklenburg, Loudoun, Prince William and Chesterfield counties, drawn by source and status word and labelled by reading, before any rule was run on them. Each is asked for a day of its own.`,
      ...sectionsOf([{ name: 'all', comparisons }, ...halves]),
    };
  },
};
