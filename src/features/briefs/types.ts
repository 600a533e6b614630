/** Site briefs: what is known of a place and a use, in sentences that each carry their proof. */
import type { Static } from 'typebox';
import type { RestrictedUse } from '../../core/domain/restriction/schemas.ts';
import type { briefBody, section, statement } from './schemas.ts';

export type BriefBody = Static<typeof briefBody>;
export type SentPlace = BriefBody['place'];
export type BriefStatement = Static<typeof statement>;
/** A request that repeats the number of a statement, or the quote. */
export type Call = NonNullable<BriefStatement['call']>;
export type Basis = BriefStatement['basis'];
export type ToldSection = Static<typeof section>;

/** Degrees, WGS 84. */
export interface SitePoint {
  latitude: number;
  longitude: number;
}

/** Records that lie somewhere, and where that is in a sentence: `in Boulder County, CO`. */
export interface BriefArea {
  where: string;
  filters: Readonly<Record<string, unknown>>;
}

/** The project that a brief is about: left out of its precedents, which resemble it. */
export interface Subject {
  id: number;
  use: RestrictedUse | null;
  sizes: Readonly<Record<string, number>>;
  record: Readonly<Record<string, unknown>>;
}

/** One of the places of a site that a restriction may bind, and what that is in a sentence: `here`, `in Boulder County, CO`. */
export interface CheckedPlace {
  where: string;
  asked: Readonly<Record<string, unknown>>;
}

/** A place that was found. */
export interface BriefSite {
  label: string;
  stateId: number | null;
  countyId: number | null;
  cityId: number | null;
  point: SitePoint | null;
  /** what counts as here */
  area: BriefArea;
  /** the place around it; null where the licence does not cover it */
  region: BriefArea | null;
  /** what `POST /restrictions/check` is asked about, the nearest to the middle first; empty where no county is known */
  checked: readonly CheckedPlace[];
  /** further counties that a shape touches: not of the licence, or too many; null for what is no shape */
  unchecked: readonly string[] | null;
  /** what a reader would not expect of what counts as here, in sentences */
  caveats: readonly string[];
  subject: Subject | null;
}

export interface BriefContent {
  place: SentPlace & Pick<BriefSite, 'label' | 'stateId' | 'countyId' | 'cityId'> & { location: SitePoint | null };
  use: RestrictedUse | null;
  asOf: string;
  generation: number | null;
  sections: ToldSection[];
  /** compact records without their delivery */
  precedents: Readonly<Record<string, unknown>>[];
}

export interface StoredBrief extends BriefContent {
  id: string;
  createdAt: Date;
  expiresAt: Date;
  creditsUsed: number;
}
