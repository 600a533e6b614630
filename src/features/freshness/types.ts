/** Decision bodies and their freshness (src/docs/coverage.md). */
import type { PlacedBody } from '../../core/domain/record/bodyMeetings.ts';
import type { Freshness, LearnedRhythm } from './rhythm.ts';

/** A body as the last check found it. */
export interface KnownBody extends Freshness, PlacedBody {
  bodyKey: string;
  body: string;
  /** number of records that name it */
  recordCount: number;
  /** when the newest statement that names it was extracted */
  lastExtractedAt: Date | null;
}

/** A body with what its next judgement goes on with. */
export interface LearnedBody extends KnownBody {
  /** its rhythm, and the number of the newest load that named it */
  learned: LearnedRhythm & { load: number };
}

/** Each load by its number: when its lines were extracted, and whether it read lines. */
export type LoadReadings = ReadonlyMap<number, { at: Date; isReading: boolean }>;

export type ChangeType = 'coverage.stale' | 'coverage.recovered';

/** A body that fell silent, or reports again. */
export interface BodyChange extends Pick<KnownBody, 'bodyKey' | 'expectedBy' | 'missed'> {
  type: ChangeType;
}

/** A change, with the teams that are sent its event. */
export interface SentChange extends BodyChange {
  teamIds: number[];
}

export interface RecordedChange extends BodyChange {
  id: number;
  at: Date;
}
