/** Compares outcomes by the rules with labels by readers (reading.md). */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectId } from '../../../ingest/sources/ids.ts';
import { ADAPTERS } from '../../../ingest/sources/registry.ts';
import type { ProjectDraft } from '../../../ingest/sources/types.ts';
import { OUTCOMES, type ProjectOutcome, type StaffRecommendation, type VoteResult } from '../../../src/core/domain/process/tokens.ts';
import { derivedOf } from '../../../src/core/domain/record/readings.ts';
import { loadPlaces } from '../../../src/core/store/files/loadPlaces.ts';

export interface Label {
  id: number;
  /** the record as it stood at the end of this day; absent for a record as it is */
  until?: string;
  /** the day it is asked for */
  today: string;
  outcome: ProjectOutcome | null;
  /** absent where the record was not read for it */
  staff?: StaffRecommendation | null;
  vote?: VoteResult | null;
}

export const HALVES = ['seen', 'unseen'] as const;
export type Half = (typeof HALVES)[number];

/** Rules are improved on the seen half only. Ids are hashes, so the halves are alike. */
export const halfOf = ({ id }: Label): Half => (id % 2 === 0 ? 'seen' : 'unseen');

export const readLabels = (): Label[] => JSON.parse(readFileSync(path.join(import.meta.dirname, 'labels.json'), 'utf8'));

/** A record as it stood at the end of a day, before which nothing was decided. */
function statementUntil(statement: ProjectDraft, until: string): ProjectDraft {
  const statusHistory = statement.statusHistory?.filter(({ date }) => date <= until) ?? null;
  return {
    ...statement,
    status: 'pending',
    decisionType: null,
    meetingDate: until,
    statusHistory,
    decisions: statement.decisions?.filter(({ meetingDate }) => meetingDate <= until) ?? null,
    meetingDocuments: statement.meetingDocuments?.filter(({ meetingDate }) => meetingDate && meetingDate <= until) ?? null,
  };
}

const SETS: readonly string[] = ['ny_council', 'nc_mecklenburg', 'va_counties'];

export async function readStatements(folder: string, sets: readonly string[] = SETS): Promise<Map<number, ProjectDraft>> {
  const places = loadPlaces();
  const statements = new Map<number, ProjectDraft>();
  for (const adapter of ADAPTERS.filter(({ name }) => sets.includes(name)))
    for await (const item of adapter.read({ folder: path.join(folder, adapter.name), places }))
      if (item.kind === 'record') statements.set(projectId(adapter.name, item.ownId), item.project);
  return statements;
}

export interface Comparison {
  label: Label;
  /** by the rules */
  derived: ReturnType<typeof derivedOf>;
}

/** @throws Error where a labelled record is not among the statements */
export function compareLabels(labels: readonly Label[], statements: ReadonlyMap<number, ProjectDraft>): Comparison[] {
  return labels.map((label) => {
    const statement = statements.get(label.id);
    if (!statement) throw new Error(`The labelled record ${label.id} is in none of the data sets.`);
    return { label, derived: derivedOf({ statement: label.until ? statementUntil(statement, label.until) : statement }, label.today) };
  });
}

/** null, of which nothing is known, is a class of its own. */
export type OutcomeAnswer = string | number | null;

export interface Quality {
  name: string;
  labelled: number;
  /** of those that are so by the rules; NaN of none */
  precision: number;
  /** of those labelled so; NaN of none */
  recall: number;
}

export interface MeasuredOutcomes {
  count: number;
  accuracy: number;
  classes: Quality[];
  /** labelled → by the rules → how many */
  confusion: Map<OutcomeAnswer, Map<OutcomeAnswer, number>>;
}

export type Pair = readonly [labelled: OutcomeAnswer, derived: OutcomeAnswer];

export function measurePairs(pairs: readonly Pair[], names: readonly OutcomeAnswer[]): MeasuredOutcomes {
  const confusion = new Map<OutcomeAnswer, Map<OutcomeAnswer, number>>();
  for (const [labelled, derived] of pairs) {
    const row = confusion.get(labelled) ?? new Map<OutcomeAnswer, number>();
    row.set(derived, (row.get(derived) ?? 0) + 1);
    confusion.set(labelled, row);
  }
  const count = (test: (pair: Pair) => boolean) => pairs.filter(test).length;
  const classes = names.map((name): Quality => {
    const right = count(([labelled, derived]) => labelled === name && derived === name);
    const labelled = count(([label]) => label === name);
    return {
      name: String(name ?? 'null'),
      labelled,
      precision: right / count(([, derived]) => derived === name),
      recall: right / labelled,
    };
  });
  return { count: pairs.length, accuracy: count(([labelled, derived]) => labelled === derived) / pairs.length, classes, confusion };
}

export const OUTCOME_CLASSES: readonly OutcomeAnswer[] = [...OUTCOMES, null];

export const outcomePairs = (comparisons: readonly Comparison[]): Pair[] =>
  comparisons.map(({ label, derived }) => [label.outcome, derived.outcome]);

/** Recommendations and votes by the rules, of records that were read for them. */
export interface ReadingQuality {
  read: number;
  labelled: number;
  /** for which the rules have one */
  derived: number;
  right: number;
}

export function measureReadings(comparisons: readonly Comparison[], name: 'staff' | 'vote'): ReadingQuality {
  const read = comparisons.filter(({ label }) => label[name] !== undefined);
  const answer = ({ derived }: Comparison): OutcomeAnswer => (name === 'staff' ? derived.staffRecommendation : derived.voteResult);
  const derived = read.filter((one) => answer(one) !== null);
  return {
    read: read.length,
    labelled: read.filter(({ label }) => label[name] !== null).length,
    derived: derived.length,
    right: derived.filter((one) => answer(one) === one.label[name]).length,
  };
}
