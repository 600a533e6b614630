/** Findings about what a file states: what is wrong, where, how often, and what to do about it. A collector looks for findings while a file is loaded. */
import type { Places } from '../../src/core/domain/places.ts';
import type { ProjectStatement } from '../../src/core/domain/record/statement.ts';
import type { LineProblem } from '../read/lineProblems.ts';
import type { DocumentLine, ProjectLine, Statement } from '../read/parseLine.ts';
import type { FiguresByPlace } from './placeFigures.ts';

/** A finding that refuses keeps a generation from being served until it is accepted by its code. */
type Severity = 'refuse' | 'warn';

export const SEVERITY_OF = {
  place_lost: 'refuse',
  field_lost: 'refuse',
  places_exchanged: 'refuse',
  point_outside: 'warn',
  ids_contradict: 'warn',
  not_minutes: 'refuse',
  same_case: 'refuse',
  votes_contradict: 'refuse',
  dates_contradict: 'warn',
  placeholder_date: 'warn',
  old_news: 'warn',
  text_damaged: 'warn',
  duplicate_key: 'warn',
  unresolved_place: 'warn',
  records_lost: 'refuse',
} as const satisfies Record<string, Severity>;

export type FindingCode = keyof typeof SEVERITY_OF;

export interface LoadFinding {
  code: FindingCode;
  severity: Severity;
  /** name of the place (`namePlace`); null if the finding is about the whole file */
  place: string | null;
  /** name of the record's field; null if it is about whole records */
  field: string | null;
  /** records or documents concerned */
  count: number;
  /** ids of up to `EXAMPLES_MAX` of them */
  examples: number[];
  /** a sentence: what, where, how many, and what to do about it */
  text: string;
}

export const EXAMPLES_MAX = 20;

/** A project line as it is loaded. */
export interface LoadedProject {
  /** as the file states it */
  line: ProjectLine;
  /** the line itself */
  text: string;
  /** what the record with this id stated before, served or in the set that the file is loaded into; undefined if it is new */
  served: ProjectStatement | undefined;
}

/** Figures by place: what the generation states with this file, and what is served; empty if nothing is served. */
export interface ComparedFigures {
  now: FiguresByPlace;
  served: FiguresByPlace;
}

/**
 * Looks at the lines of one file, and lists what it found at its end. Lines that state their record unchanged are not shown to it, nor are deletions.
 */
export interface FindingCollector {
  /** @param project the canonical statement, completed with what the record keeps from its previous version */
  addProject(project: ProjectStatement, loaded: LoadedProject): void;
  addDocument(document: DocumentLine): void;
  /** @param line the fields without a problem; undefined if none can be used */
  addBadLine(line: Statement | undefined, problems: readonly LineProblem[]): void;
  listFindings(figures: ComparedFigures): LoadFinding[];
}

/** A finding is made where a place has so many faulty records, or so large a share of its records; fewer than so many never refuse. */
export interface Threshold {
  records: number;
  /** percent of the place's records in the file; null if only the number counts */
  percent: number | null;
}

export interface FindingContext {
  places: Places;
  /** `YYYY-MM-DD` */
  today: string;
  /** in place of those of the table (`thresholds.ts`), by code */
  thresholds?: Readonly<Partial<Record<FindingCode, Threshold>>>;
}
