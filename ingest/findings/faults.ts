/** Gathers the faults of single records by code, field and place, and makes findings of those that reach their threshold. */
import type { ProjectStatement } from '../../src/core/domain/record/statement.ts';
import { EXAMPLES_MAX, type FindingContext, type LoadFinding, SEVERITY_OF, type Threshold } from './finding.ts';
import { type FiguresByPlace, namePlace, parsePlaceKey, placeKey } from './placeFigures.ts';
import { RULES, type RuleCode } from './thresholds.ts';

/** Reports a fault of the record that is looked at. @param words what it states, made only where it becomes the example of a finding */
export type ReportFault = (code: RuleCode, field: string | null, words: () => string) => void;

/** Records of a place with the same fault. */
interface Fault {
  count: number;
  /** ids of the first ones */
  examples: number[];
  /** what the first one states */
  words: string;
}

/** With the key of its place. */
type FaultOfPlace = readonly [key: string, fault: Fault];

const WORDS_CHARACTERS = 200;

/** Nothing of it where the state is not known. */
export type FaultPlace = Partial<Pick<ProjectStatement, 'stateId' | 'countyId' | 'decisionBody'>>;

const keyOf = ({ stateId, countyId, decisionBody }: FaultPlace) =>
  placeKey({ stateId: stateId ?? 0, countyId: countyId ?? null, decisionBody: decisionBody ?? null });

export class FaultTally {
  readonly #context: FindingContext;
  /** records by key of their body */
  readonly #records = new Map<string, number>();
  /** faults by code and field, then by key of the place */
  readonly #faults = new Map<string, Map<string, Fault>>();

  constructor(context: FindingContext) {
    this.#context = context;
  }

  addRecord(place: FaultPlace): void {
    const key = keyOf(place);
    this.#records.set(key, (this.#records.get(key) ?? 0) + 1);
  }

  /** @param place of the record; its body counts only where the rule is about bodies @param id undefined where it cannot be read */
  addFault(place: FaultPlace, id: number | undefined, ...[code, field, words]: Parameters<ReportFault>): void {
    const kind = `${code}|${field ?? ''}`;
    const byPlace = this.#faults.get(kind) ?? new Map<string, Fault>();
    this.#faults.set(kind, byPlace);
    const key = keyOf(RULES[code].ofBody ? place : { ...place, decisionBody: null });
    const fault = byPlace.get(key) ?? { count: 0, examples: [], words: words().slice(0, WORDS_CHARACTERS) };
    byPlace.set(key, fault);
    fault.count += 1;
    if (id !== undefined && fault.examples.length < EXAMPLES_MAX) fault.examples.push(id);
  }

  /** @param now figures of the generation with the file: an increment may state a few records of a large place only */
  listFindings(now: FiguresByPlace = new Map()): LoadFinding[] {
    const seen = [...sumByPlace(this.#records)];
    const records = new Map(seen.map(([key, count]) => [key, Math.max(count, now.get(key)?.records ?? 0)]));
    return [...this.#faults].flatMap(([kind, byPlace]) => {
      const [code, field] = kind.split('|') as [RuleCode, string];
      return this.#selectFound(this.#thresholdOf(code), byPlace, records).map(([key, fault]) =>
        this.#describe(code, field || null, fault, { key, records: records.get(key) ?? fault.count }),
      );
    });
  }

  #thresholdOf(code: RuleCode): Threshold {
    return this.#context.thresholds?.[code] ?? RULES[code];
  }

  /** The places with many faults, then the states in which the others have many together, then what is a large share of the rest. */
  #selectFound({ records, percent }: Threshold, faults: ReadonlyMap<string, Fault>, all: ReadonlyMap<string, number>): FaultOfPlace[] {
    const isMany = ([, { count }]: FaultOfPlace) => count >= records;
    const isShare = ([key, { count }]: FaultOfPlace) => percent !== null && 100 * count >= percent * (all.get(key) ?? 0);
    const few = [...faults].filter((fault) => !isMany(fault));
    const inStates = [...uniteByState(few)].filter(isMany);
    const told = new Set(inStates.map(([key]) => parsePlaceKey(key).stateId));
    const untold = few.filter(([key]) => !told.has(parsePlaceKey(key).stateId));
    const rare = untold.filter((fault) => !isShare(fault));
    return [...[...faults].filter(isMany), ...inStates, ...untold.filter(isShare), ...[...uniteByState(rare)].filter(isShare)];
  }

  #describe(
    code: RuleCode,
    field: string | null,
    { count, examples, words }: Fault,
    { key, records }: { key: string; records: number },
  ): LoadFinding {
    const { says, remedy } = RULES[code];
    const place = parsePlaceKey(key);
    const name = place.stateId ? namePlace(this.#context.places, place) : null;
    const what = `${name ?? 'No known state'}: ${count} of ${records}`;
    const text = `${what} ${says}${field ? ` (${field})` : ''}; for example ${[...examples.slice(0, 1), words].join(': ')}. ${remedy}.`;
    const isFew = count < this.#thresholdOf(code).records;
    return { code, severity: isFew ? 'warn' : SEVERITY_OF[code], place: name, field, count, examples, text };
  }
}

/** Numbers of records of bodies, and of the counties and states in which they are. */
function sumByPlace(ofBodies: ReadonlyMap<string, number>): Map<string, number> {
  const sums = new Map<string, number>();
  for (const [key, count] of ofBodies) {
    const place = parsePlaceKey(key);
    const around = [key, keyOf({ ...place, decisionBody: null }), keyOf({ stateId: place.stateId })];
    for (const one of new Set(around)) sums.set(one, (sums.get(one) ?? 0) + count);
  }
  return sums;
}

/** Joins the faults of the places of each state: what is rare in every county may be frequent in the state. */
function uniteByState(faults: readonly FaultOfPlace[]): Map<string, Fault> {
  const states = new Map<string, Fault>();
  for (const [key, fault] of faults) {
    const state = keyOf({ stateId: parsePlaceKey(key).stateId });
    const known = states.get(state);
    const examples = [...(known?.examples ?? []), ...fault.examples].slice(0, EXAMPLES_MAX);
    states.set(state, { count: (known?.count ?? 0) + fault.count, examples, words: known?.words ?? fault.words });
  }
  return states;
}
