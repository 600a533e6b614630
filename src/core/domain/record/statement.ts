/** Types of a project line of a generation file, derived from the record table. */
import type { Static, TSchema } from 'typebox';
import type { FIELDS, StatedName } from './fields.ts';

export type {
  Classification,
  CompanyEnrichment,
  Decision,
  FilingContact,
  LandUse,
  LandUseRole,
  MeetingDocumentReference,
  Party,
  StatusHistoryEntry,
  UnitMixEntry,
  Vote,
  VoteTotals,
} from './nested.ts';

type Stated<K extends StatedName> = (typeof FIELDS)[K] extends { stated: infer S extends TSchema } ? Static<S> : never;

/**
 * What one project line of a generation file may state: the full representation without what is computed. A field that is absent or null was
 * not covered by the generation. Dates are `YYYY-MM-DD`.
 */
export type ProjectStatement = { id: number } & { [K in Exclude<StatedName, 'id'>]?: Stated<K> | null };
