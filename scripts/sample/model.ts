/** The data model of the generator: a made-up project before it is written as a line of a generation. */
import type { DocumentLine, GenerationHeader } from '../../ingest/read/parseLine.ts';
import type { DocumentQuote } from '../../src/core/domain/record/quotes.ts';
import type {
  CompanyEnrichment,
  FilingContact,
  LandUse,
  Party,
  ProjectStatement,
  UnitMixEntry,
  Vote,
} from '../../src/core/domain/record/statement.ts';
import type { FATE_WEIGHTS } from './fixtures.ts';

export type Generation = 1 | 2;
/** How wordy documents and excerpts are; `short` is for big corpora. */
export type TextLength = 'long' | 'short';

export type SampleProjectLine = { kind: 'project'; evidence?: DocumentQuote[] } & ProjectStatement;
export interface DeletionLine {
  kind: 'project';
  id: number;
  deleted: true;
}
/** A document in its only version, of which everything is stated. */
export type SampleDocumentLine = { [name in Exclude<keyof DocumentLine, 'version'>]-?: NonNullable<DocumentLine[name]> };
export interface SampleContactLine {
  kind: 'contact';
  projectId: number;
  name: string;
  role: string;
  company: string | null;
  title: string;
  email: string | null;
  emailConfidence: number | null;
  phone: string | null;
  phoneConfidence: number | null;
  linkedin: string | null;
  linkedinConfidence: number | null;
  companyWebsite: string | null;
  companyName: string | null;
  companyLinkedin: string | null;
  companyArchetype: string | null;
  companyPhone: string | null;
  isGovernmentStaff: boolean;
}
export type SampleLine = GenerationHeader | SampleProjectLine | DeletionLine | SampleDocumentLine | SampleContactLine;

/** What a whole corpus has in common. */
export interface SampleCorpus {
  seed: number;
  projects: number;
  /** day number */
  today: number;
  texts: TextLength;
}

export type Fate = keyof typeof FATE_WEIGHTS | 'deleted' | 'survivor' | 'absorbed' | 'added';

const MEASURES = [
  ...(['acreage', 'lotSizeSqft', 'squareFootage', 'floorCount', 'buildingStories', 'buildingHeightFeet'] as const),
  ...(['totalUnitCount', 'unitMix', 'bedroomCount', 'parkingSpaces', 'lotCount'] as const),
] as const;
type Measure = (typeof MEASURES)[number];
/** Acres, square feet and feet; null where the use has no such measure. */
export type Measures = { [name in Measure]: name extends 'unitMix' ? UnitMixEntry[] | null : number | null };
export const NO_MEASURES = Object.fromEntries(MEASURES.map((name) => [name, null])) as { [name in Measure]: null };
/** Said in texts only. */
export interface Extras {
  megawatts: number | null;
  beds: number | null;
}

export interface Company {
  name: string;
  slug: string;
  archetype: string;
  phone: string;
}

export interface StateCustoms {
  zips: number[];
  areas: string[];
  smallTown: string;
  county: string;
  planning: string[];
  appeals: string;
}

export interface SampleCity {
  id: number;
  name: string;
  state: string;
  stateId: number;
  county: string;
  countyId: number;
  latitude: number;
  longitude: number;
  population: number;
  customs: StateCustoms;
  /** of the city, in other counties than that of its centre */
  parts: readonly { share: number; part: Omit<SampleCity, 'parts'> }[];
}

export interface Site {
  city: SampleCity;
  address: string | null;
  zipCode: string;
  latitude: number;
  longitude: number;
  inOpportunityZone: boolean | null;
  inFemaFloodZone: boolean | null;
  parcelNumbers: string[];
  /** outside the city's limits: the county's governing body decides */
  unincorporated: boolean;
}

/** Who hears a step; which body that is depends on the city and its state's customs. */
export type HearingRole =
  | 'planning'
  | 'council'
  | 'site'
  | 'permit'
  | 'appeals'
  | 'building'
  | 'staff'
  | 'design'
  | 'historic'
  | 'landUse'
  | 'redevelopment'
  | 'other';

export interface RequestKind {
  /** prefix of case numbers */
  case: string;
  phrase: string;
  /** the last step decides, those before it recommend */
  steps: HearingRole[];
  action: string;
  rezones?: boolean;
  /** fixed construction type, or 'none' */
  construction?: string;
}

/** One appearance before a body. */
export interface Hearing {
  day: number;
  body: string;
  decisionType: string;
  status: string;
  votes: Vote[];
  motion: string | null;
  conditions: string[];
  /** set once the hearing's passage is in a document */
  minutes?: Minutes;
  /** true where no minutes of it are found */
  unrecorded?: boolean;
}
export interface Minutes {
  document: SampleDocument;
  excerpt: string;
  passage: string;
}
export interface SampleDocument {
  id: number;
  day: number;
  body: string;
  title: string;
  url: string;
  items: string[];
}

export interface Project {
  id: number;
  index: number;
  fate: Fate;
  government: boolean;
  name: string;
  site: Site;
  /** token of the subtype that shaped it, also where no use states it */
  subtype: string;
  landUses: LandUse[];
  /** 'an 80-unit garden apartments project' */
  description: string;
  measures: Measures;
  request: string;
  kind: RequestKind;
  constructionType: string | null;
  existingZoning: string | null;
  proposedZoning: string | null;
  variance: string;
  caseNumber: string;
  developer: Company | null;
  parties: Party[];
  contacts: FilingContact[];
  companyEnrichment: CompanyEnrichment[] | null;
  staffRecommendation: string | null;
  /** oldest first; at least one */
  hearings: Hearing[];
  nextMeetingDay: number | null;
  /** in generation 2, of a survivor */
  absorbed: Project[];
}
