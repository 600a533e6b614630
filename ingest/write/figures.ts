/**
 * Counts how much a generation states, to detect a truncated file. Only what the generation itself states is counted, not what it carries over
 * from earlier ones. Pure.
 */
import { IDENTITY } from '../../src/core/domain/record/fields.ts';
import type { StoredProject } from '../../src/core/domain/record/storedProject.ts';

export interface Figures {
  /** served projects that the generation states itself */
  records: number;
  /** number of records with a value, by attribute; without identity and classification, which a record keeps anyway */
  fields: Record<string, number>;
}

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

/** Figures of a set, kept up to date while versions are added and removed. */
export class FigureTally {
  readonly figures: Figures;

  constructor({ records, fields }: Figures = { records: 0, fields: {} }) {
    this.figures = { records, fields: { ...fields } };
  }

  add(project: StoredProject): void {
    this.#change(project, 1);
  }

  remove(project: StoredProject): void {
    this.#change(project, -1);
  }

  #change(project: StoredProject, by: 1 | -1): void {
    if (project.uncovered) return;
    const { figures } = this;
    figures.records += by;
    for (const field of listFilledFields(project)) figures.fields[field] = (figures.fields[field] ?? 0) + by;
  }
}

const LOSS_PERCENT = 10;
const FIELDS_LISTED = 5;

interface Change {
  now: number;
  served: number;
}

/** A generation that states less than the one that is served. */
export interface Loss {
  records: Change;
  /** filled fields of all records */
  filledFields: Change;
  /** attributes that lost most values */
  fellMost: ({ field: string } & Change)[];
}

const sumFields = ({ fields }: Figures) => Object.values(fields).reduce((sum, count) => sum + count, 0);
const isLost = ({ now, served }: Change) => served > 0 && 100 * now <= (100 - LOSS_PERCENT) * served;

/** What would be lost by serving `now` in place of `served`; undefined if records and filled fields each drop by less than a tenth. */
export function findLoss(now: Figures, served: Figures): Loss | undefined {
  const records = { now: now.records, served: served.records };
  const filled = { now: sumFields(now), served: sumFields(served) };
  if (!isLost(records) && !isLost(filled)) return undefined;
  const fellMost = Object.entries(served.fields)
    .map(([field, count]) => ({ field, now: now.fields[field] ?? 0, served: count }))
    .filter((change) => change.now < change.served)
    .sort((a, b) => b.served - b.now - (a.served - a.now))
    .slice(0, FIELDS_LISTED);
  return { records, filledFields: filled, fellMost };
}

export function describeLoss({ records, filledFields: filled, fellMost }: Loss): string[] {
  const change = (name: string, { now, served }: Change) =>
    `${name} ${now}, served ${served}${now < served ? ` (${((100 * (served - now)) / served).toFixed(1)} % fewer)` : ''}`;
  return [
    change('records:', records),
    change('filled fields:', filled),
    ...(fellMost.length ? [`fell most: ${fellMost.map(({ field, now, served }) => `${field} ${served} → ${now}`).join(', ')}`] : []),
  ];
}
