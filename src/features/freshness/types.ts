/** Words of freshness: a decision body of a place, and what was last learned of it (src/docs/coverage.md). */
import type { PlacedBody } from '../../core/domain/record/bodyMeetings.ts';
import type { Freshness } from './rhythm.ts';

/** Fewer records than this show nothing of a body, as in analytics. */
export const BODY_RECORDS_MIN = 5;
/** Bodies that one answer lists. */
export const BODIES_MAX = 10_000;

/** A body as it stood when a worker last looked. */
export interface KnownBody extends Freshness, PlacedBody {
  bodyKey: string;
  body: string;
  /** records that name it */
  recordCount: number;
  /** when the newest statement of a record that names it was extracted */
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
