/** Fixed facts of the made-up sample that the demo's accounts and tests may rely on, whatever the seed. */

/** USPS abbreviations of the states that have the made-up projects. */
export const SAMPLE_STATES = ['AZ', 'CA', 'CO', 'FL', 'GA', 'IL', 'NC', 'NY', 'OH', 'TX', 'VA', 'WA'] as const;

/** Counties (FIPS) that hold at least this share of the projects, whatever their population. */
export const FAVOURED_COUNTIES: readonly { countyId: number; name: string; share: number }[] = [
  { countyId: 8013, name: 'Boulder County, Colorado', share: 0.025 },
  { countyId: 48113, name: 'Dallas County, Texas', share: 0.04 },
];

interface CityPart {
  cityId: number;
  countyId: number;
  /** a point of the part, with the part's projects around it */
  latitude: number;
  longitude: number;
  /** of the city's projects */
  share: number;
}

/** Parts of cities in another county than the city's centre. */
export const CITY_PARTS: readonly CityPart[] = [
  { cityId: 5412347, countyId: 8005, latitude: 39.66, longitude: -104.79, share: 0.5 }, // Aurora in Arapahoe County
  { cityId: 5579276, countyId: 8123, latitude: 40.165, longitude: -105.03, share: 0.25 }, // Longmont in Weld County
  { cityId: 4699066, countyId: 48157, latitude: 29.59, longitude: -95.47, share: 0.25 }, // Houston in Fort Bend County
  { cityId: 4180439, countyId: 13089, latitude: 33.76, longitude: -84.335, share: 0.4 }, // Atlanta in DeKalb County
  { cityId: 5128581, countyId: 36047, latitude: 40.65, longitude: -73.95, share: 0.3 }, // New York in Kings County
  { cityId: 5128581, countyId: 36081, latitude: 40.73, longitude: -73.8, share: 0.25 }, // New York in Queens County
];

export const DEFAULT_SEED = 2026;
export const DEFAULT_PROJECTS = 3000;

export const FIRST_PROJECT_ID = 1001;
export const FIRST_DOCUMENT_ID = 500_001;

/** Days between the two extractions: nothing in generation 1 happened in the last 21 days. */
export const DAYS_BETWEEN_GENERATIONS = 21;
/** Projects that generation 2 adds, as a share of those of generation 1. */
export const ADDED_SHARE = 0.08;
/** Projects that generation 2 deletes outright. */
export const DELETED_COUNT = 5;
/** Every meeting date is within this many days before `today`. */
export const WINDOW_DAYS = 364;
/** Share of projects that are no development but a government decision. */
export const GOVERNMENT_SHARE = 0.05;
/** Share of projects that absorb one or two others in generation 2. */
export const MERGED_SHARE = 0.02;

/** Weights of how the other projects of generation 1 change in generation 2. */
export const FATE_WEIGHTS = {
  /** the same line again, word for word */
  same: 58,
  /** generation 2 has no line of it */
  uncovered: 11.5,
  /** continued in generation 1, decided since */
  decided: 8,
  /** some measurements of generation 1 are missing */
  measuresLost: 14,
  /** a measurement was corrected, e.g. 5 acres to 6 */
  corrected: 6,
  /** a primary use of another class, subtype or type */
  reclassified: 2.5,
} as const;
