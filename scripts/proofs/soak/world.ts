/** Made-up records and the generation files that add, change, move, merge and remove them. */
import { Random } from '../../sample/random.ts';

export type LoadLine = Record<string, unknown>;

export interface LoadFile {
  lines: LoadLine[];
  /** number of records that the file adds, changes, deletes or merges */
  changes: number;
}

export const PLACES: readonly { state: string; county: string; latitude: number; longitude: number }[] = [
  { state: 'CO', county: 'Boulder County', latitude: 40.01, longitude: -105.27 },
  { state: 'CO', county: 'Denver County', latitude: 39.74, longitude: -104.99 },
  { state: 'TX', county: 'Travis County', latitude: 30.27, longitude: -97.74 },
  { state: 'NC', county: 'Mecklenburg County', latitude: 35.23, longitude: -80.84 },
];
const TYPES = ['residential', 'commercial', 'industrial', 'govt_decisions'];
const STATUSES = ['approved', 'denied', 'pending', 'continued'];
/** Share of records that a full generation does not cover. */
const UNCOVERED = 0.15;
/** Weights of the operations of an increment. */
const WEIGHTS = { change: 52, add: 18, same: 8, move: 6, remove: 7, merge: 3, alone: 2, partial: 4 };
const WITHOUT_MERGES = { ...WEIGHTS, merge: 0, alone: 0 };
type Weights = typeof WEIGHTS;

/** A line that states only a few fields; all others become null. */
function bare({ kind, id, projectName, meetingDate, state, county, latitude, longitude, propertyType }: LoadLine): LoadLine {
  return { kind, id, projectName, meetingDate, state, county, latitude, longitude, propertyType };
}

export interface WorldOptions {
  /** whether increments merge records and separate them again */
  hasMerges: boolean;
  /** largest number of changes of an increment */
  batchMax: number;
}

export class World {
  readonly #random: Random;
  readonly #meetingDate: string;
  /** the last statement of every record that is not removed */
  readonly #lines = new Map<number, LoadLine>();
  readonly #ids: number[] = [];
  readonly #weights: Weights;
  readonly #batchMax: number;
  #revision = 0;

  /** @param today 'YYYY-MM-DD' */
  constructor(seed: number, today: string, { hasMerges, batchMax }: WorldOptions) {
    this.#weights = hasMerges ? WEIGHTS : WITHOUT_MERGES;
    this.#batchMax = batchMax;
    this.#random = new Random(seed, 'world');
    this.#meetingDate = today;
  }

  /** Number of records so far, including removed ones. */
  get size(): number {
    return this.#ids.length;
  }

  header(generation: number, mode: 'full' | 'increment'): LoadLine {
    return { kind: 'generation', generation, mode, extractedAt: `${this.#meetingDate}T00:00:00Z` };
  }

  /** Makes the first full generation. */
  first(records: number): LoadFile {
    return { lines: Array.from({ length: records }, () => this.#add()), changes: records };
  }

  /** Makes a later full generation: most records are unchanged, some changed, new, removed or left out. */
  full(): LoadFile {
    const lines: LoadLine[] = [];
    for (const [id, line] of [...this.#lines]) {
      if (this.#random.chance(UNCOVERED)) continue;
      lines.push(this.#random.chance(0.2) ? this.#change(id, line) : this.#random.chance(0.02) ? this.#remove(id) : line);
    }
    for (let added = 0; added < this.#ids.length * 0.01; added++) lines.push(this.#add());
    return { lines, changes: lines.length };
  }

  /** @param most changes */
  increment(most: number): LoadFile {
    const random = this.#random;
    const wanted = Math.min(random.int(1, random.chance(0.3) ? Math.min(50, this.#batchMax) : this.#batchMax), most);
    const used = new Set<number>();
    const lines: LoadLine[] = [];
    let changes = 0;
    while (changes < wanted) {
      const operation = random.weighted(this.#weights);
      const id = operation === 'add' ? undefined : this.#unused(used);
      const line = id === undefined ? this.#add() : this.#operate(operation, id);
      used.add(line.id as number);
      lines.push(line);
      if (operation !== 'same') changes += 1;
    }
    return { lines, changes };
  }

  /** A random id that the file does not use yet, also of a removed record, which is then added again; undefined if most are used. */
  #unused(used: Set<number>): number | undefined {
    for (let attempt = 0; attempt < 10; attempt++) {
      const id = this.#random.pick(this.#ids);
      if (used.has(id)) continue;
      used.add(id);
      return id;
    }
    return undefined;
  }

  #operate(operation: keyof Weights, id: number): LoadLine {
    const line = this.#lines.get(id);
    if (!line) return this.#state(id, this.#fresh(id));
    if (operation === 'same') return line;
    if (operation === 'remove') return this.#remove(id);
    if (operation === 'move') return this.#change(id, { ...line, ...this.#random.pick(PLACES) });
    if (operation === 'merge') return this.#change(id, { ...line, mergedFrom: [id, this.#random.pick(this.#ids)] });
    if (operation === 'alone') return this.#change(id, { ...line, mergedFrom: [id] });
    if (operation === 'partial') return this.#change(id, bare(line));
    return this.#change(id, line);
  }

  #add(): LoadLine {
    const id = this.#ids.length + 1;
    this.#ids.push(id);
    return this.#state(id, this.#fresh(id));
  }

  #remove(id: number): LoadLine {
    this.#lines.delete(id);
    return { kind: 'project', id, deleted: true };
  }

  #change(id: number, line: LoadLine): LoadLine {
    this.#revision += 1;
    const type = this.#random.chance(0.1) ? { propertyType: this.#random.pick(TYPES) } : {};
    const status = this.#random.pick(STATUSES);
    return this.#state(id, { ...line, ...type, status, acreage: this.#revision / 4, summary: `Revision ${this.#revision} of ${id}` });
  }

  #fresh(id: number): LoadLine {
    this.#revision += 1;
    const { latitude, longitude, ...place } = this.#random.pick(PLACES);
    const jitter = (degrees: number) => Number((degrees + this.#random.decimal(-0.05, 0.05)).toFixed(5));
    return {
      kind: 'project',
      id,
      projectName: `Project ${id}`,
      ...place,
      latitude: jitter(latitude),
      longitude: jitter(longitude),
      meetingDate: this.#meetingDate,
      propertyType: this.#random.pick(TYPES),
      status: this.#random.pick(STATUSES),
      acreage: this.#revision / 4,
      summary: `Revision ${this.#revision} of ${id}`,
      rawText: `Item ${this.#revision}: the board heard project ${id}.`,
    };
  }

  #state(id: number, line: LoadLine): LoadLine {
    this.#lines.set(id, line);
    return line;
  }
}
