/** Counts how much a generation states, in total and by place. Only what it states itself is counted, not what it carries over. Pure. */
import { IDENTITY } from '../../src/core/domain/record/fields.ts';
import type { StoredProject } from '../../src/core/domain/record/storedProject.ts';
import { EXAMPLES_MAX } from '../findings/finding.ts';
import { type ListLost, lostKey } from '../findings/losses.ts';
import { type FiguresByPlace, listPlacesOf, type PlaceTally, placeKey } from '../findings/placeFigures.ts';

/** Served projects that a generation states itself; their fields are counted without identity and classification, which a record keeps anyway. */
export type Figures = PlaceTally;

/** Attributes that a record keeps even if a generation does not state them. */
const KEPT: ReadonlySet<string> = new Set(IDENTITY);

const isStated = (value: unknown) => value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);

const PARTS = ['compact', 'standard', 'full'] as const;

/** Names of the fields that have a value; each field is stored in one part. */
const listFilledFields = (project: StoredProject): string[] =>
  PARTS.flatMap((name) => {
    const part = project[name] as Readonly<Record<string, unknown>> | undefined;
    return part ? Object.keys(part).filter((field) => !KEPT.has(field) && isStated(part[field])) : [];
  });

/** Most ids that are kept as examples, over all places and fields. */
const EXAMPLES_KEPT = 100_000;

/** Figures of a set, in total and by place, kept up to date while versions are added and removed. */
export class FigureTally {
  readonly figures: Figures;
  /** figures by place at the beginning, which are never changed */
  readonly #before: FiguresByPlace;
  readonly #places: Map<string, PlaceTally>;
  readonly #lost = new Map<string, number[]>();
  #kept = 0;

  constructor({ records, fields }: Figures = { records: 0, fields: {} }, places: FiguresByPlace = new Map()) {
    this.figures = { records, fields: { ...fields } };
    this.#before = places;
    this.#places = new Map(places);
  }

  get places(): FiguresByPlace {
    return this.#places;
  }

  add(project: StoredProject): void {
    this.#change(project, 1);
  }

  remove(project: StoredProject): void {
    this.#change(project, -1);
  }

  /** Keeps the id of a record as an example of what is lost. @param after undefined if the generation does not state the record any more */
  noteLost(before: StoredProject, after: StoredProject | undefined): void {
    if (before.uncovered || this.#kept >= EXAMPLES_KEPT) return;
    const stated = new Set(after && listFilledFields(after));
    const lost = after ? listFilledFields(before).filter((field) => !stated.has(field)) : [null];
    for (const place of lost.length ? listPlacesOf(before.standard).map(placeKey) : [])
      for (const field of lost) this.#keepExample(lostKey(place, field), before.id);
  }

  /** Ids of records that the generation does not state any more in a place, or of which it does not state a field. */
  readonly listLost: ListLost = (place, field) => this.#lost.get(lostKey(place, field)) ?? [];

  #keepExample(key: string, id: number): void {
    const examples = this.#lost.get(key) ?? [];
    if (examples.length >= EXAMPLES_MAX) return;
    this.#lost.set(key, [...examples, id]);
    this.#kept += 1;
  }

  #change(project: StoredProject, by: 1 | -1): void {
    if (project.uncovered) return;
    const fields = listFilledFields(project);
    countRecord(this.figures, fields, by);
    for (const place of listPlacesOf(project.standard)) countRecord(this.#openTally(placeKey(place)), fields, by);
  }

  /** The tally of a place, to be changed. */
  #openTally(key: string): PlaceTally {
    const found = this.#places.get(key);
    if (found && found !== this.#before.get(key)) return found;
    const own = { records: found?.records ?? 0, fields: { ...found?.fields } };
    this.#places.set(key, own);
    return own;
  }
}

function countRecord(tally: PlaceTally, fields: readonly string[], by: 1 | -1): void {
  tally.records += by;
  for (const field of fields) tally.fields[field] = (tally.fields[field] ?? 0) + by;
}
