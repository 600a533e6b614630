/** Decision bodies and their freshness (src/docs/coverage.md). */
import type { PlacedBody } from '../../core/domain/record/bodyMeetings.ts';
import type { Freshness } from './rhythm.ts';

/** A body that fewer records name is not shown, as in analytics. */
export const BODY_RECORDS_MIN = 5;
/** Most bodies in one answer. */
export const BODIES_MAX = 10_000;

/** A body as the last check found it. */
export interface KnownBody extends Freshness, PlacedBody {
  bodyKey: string;
  body: string;
  /** number of records that name it */
  recordCount: number;
  /** when the newest statement that names it was extracted */
  lastExtractedAt: Date | null;
}

export type ChangeType = 'coverage.stale' | 'coverage.recovered';

/** A body that fell silent, or reports again. */
export interface BodyChange extends Pick<KnownBody, 'bodyKey' | 'expectedBy' | 'missed'> {
  type: ChangeType;
}

export interface RecordedChange extends BodyChange {
  id: number;
  at: Date;
}
