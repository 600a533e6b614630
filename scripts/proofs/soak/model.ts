/** A model of the loads, independent of the product: which records may be served at a time, and their fields. */
import { SERVED_FOR_MISSING } from './copyKinds.ts';
import type { Loads } from './loaders.ts';
import type { LoadLine } from './world.ts';

/** Fields that stay when a new generation does not cover the record; all others become null. */
const IDENTITY = ['id', 'projectName', 'state', 'county', 'latitude', 'longitude', 'propertyType', 'meetingDate'];
const STATED = [...IDENTITY, 'status', 'acreage', 'summary', 'rawText'];
/** Longer than the longest job takes. */
const KEPT_MS = 300_000;

export type Held = Readonly<Record<string, unknown>>;
export type ServedState = ReadonlyMap<number, Held>;

/** A state, and when it may have been served: from the start of the command that made it to the end of the one that replaced it. */
interface ServedSpan {
  state: ServedState;
  from: number;
  until: number;
}

export interface Wanted {
  state?: string;
  county?: string;
  type?: string;
  bbox?: { north: number; south: number; east: number; west: number };
  /** whether government decisions are included */
  government?: boolean;
}

const held = (line: LoadLine, fields: readonly string[]): Held =>
  Object.fromEntries(fields.map((field) => [field, line[field] ?? SERVED_FOR_MISSING[field] ?? null]));

export class Model {
  #spans: ServedSpan[] = [{ state: new Map(), from: 0, until: Number.POSITIVE_INFINITY }];
  #before: ServedState = new Map();

  /** The newest state. */
  get newest(): ServedState {
    return (this.#spans.at(-1) as ServedSpan).state;
  }

  /** Runs a load of these lines, header included; until it has ended, the old or the new state may be served. */
  async load(lines: readonly LoadLine[], work: () => Promise<void>): Promise<void> {
    const full = lines[0]?.mode === 'full';
    const next = new Map(full ? [...this.newest].map(([id, record]) => [id, held(held(record, IDENTITY), STATED)] as const) : this.newest);
    for (const line of lines.slice(1)) {
      if (line.deleted) next.delete(line.id as number);
      else next.set(line.id as number, held(line, STATED));
    }
    await this.#serve(next, work, full ? this.newest : this.#before);
  }

  async rollback(work: () => Promise<void>): Promise<void> {
    await this.#serve(this.#before, work, this.newest);
  }

  async #serve(state: ServedState, work: () => Promise<void>, before: ServedState): Promise<void> {
    const replaced = this.#spans.at(-1) as ServedSpan;
    this.#spans.push({ state, from: Date.now(), until: Number.POSITIVE_INFINITY });
    await work();
    replaced.until = Date.now();
    this.#before = before;
    this.#spans = this.#spans.filter(({ until }) => until > Date.now() - KEPT_MS);
  }

  /** Every state that may have been served between two times, the newest first. */
  statesBetween(from: number, until: number): ServedState[] {
    return this.#spans
      .filter((span) => span.from <= until && span.until >= from)
      .map(({ state }) => state)
      .reverse();
  }
}

/** The records of a state that match filters. */
export function selectWanted(state: ServedState, { state: usps, county, type, bbox, government = false }: Wanted): Map<number, Held> {
  const isInBox = ({ latitude, longitude }: Held) =>
    !bbox ||
    (Number(latitude) >= bbox.south && Number(latitude) <= bbox.north && Number(longitude) >= bbox.west && Number(longitude) <= bbox.east);
  return new Map(
    [...state].filter(
      ([, record]) =>
        (!usps || record.state === usps) &&
        (!county || record.county === county) &&
        (!type || record.propertyType === type) &&
        (government || record.propertyType !== 'govt_decisions') &&
        isInBox(record),
    ),
  );
}

/** The first field of an answer that differs from the stated one, with both values. */
export function findDifference(answer: Held, record: Held | undefined): string | undefined {
  if (!record) return `${answer.id} is not served`;
  const field = STATED.find((name) => name in answer && JSON.stringify(answer[name] ?? null) !== JSON.stringify(record[name]));
  return field && `${answer.id}: ${field} is ${JSON.stringify(answer[field])}, stated was ${JSON.stringify(record[field])}`;
}

/** Wraps loaders so that the model knows each load; loads run one after the other, since the order of concurrent ones would be unknown. */
export function loadThroughModel(loaders: Loads, model: Model): Loads {
  const load = (lines: Iterable<LoadLine>) => {
    const all = [...lines];
    return model.load(all, () => loaders.load(all));
  };
  return {
    counts: loaders.counts,
    load,
    loadFull: async (lines) => {
      loaders.counts.fulls += 1;
      await load(lines);
    },
    loadTogether: async (first, second) => {
      await load(first);
      await load(second);
    },
    rollback: () => model.rollback(() => loaders.rollback()),
    renew: () => loaders.renew(),
  };
}
