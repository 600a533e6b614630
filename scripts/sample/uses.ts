/** Makes the land uses of a project from the Building Type tree, measures that fit the use, and the phrase that names it. */
import type { LandUse, UnitMixEntry } from '../../src/core/domain/record/statement.ts';
import { assetClasses, GOVERNMENT_DECISIONS, propertySubtypes } from '../../src/core/domain/vocabulary.ts';
import classMeasures from './data/classMeasures.json' with { type: 'json' };
import unitMixes from './data/unitMixes.json' with { type: 'json' };
import commercial from './data/uses-commercial.json' with { type: 'json' };
import residential from './data/uses-residential.json' with { type: 'json' };
import working from './data/uses-working.json' with { type: 'json' };
import type { Extras, Measures } from './model.ts';
import type { Random } from './random.ts';

type Range = readonly number[];

/** How projects of one subtype look. Ranges are [low, high]; acres, square feet, feet. */
export interface UseProfile {
  weight: number;
  /** key of `data/requestSets.json` */
  set: string;
  /** key of `data/zones.json` */
  zone: string;
  /** archetype of the company that proposes it */
  by: string;
  /** noun that ends its description */
  tail: string;
  names: string[];
  mix?: string;
  also?: string[];
  measures: {
    acres?: Range | null;
    sqft?: Range | null;
    units?: Range | null;
    lots?: Range | null;
    stories?: Range | null;
    height?: Range | null;
    mw?: Range | null;
    beds?: Range | null;
    parkingSpaces?: Range | null;
    bedroomsPerUnit?: number;
    parkingPerUnit?: number;
    parkingPerThousand?: number;
  };
}

export const PROFILES: Readonly<Record<string, UseProfile>> = { ...residential, ...commercial, ...working };
const WEIGHTS: Record<string, number> = Object.fromEntries(Object.entries(PROFILES).map(([subtype, profile]) => [subtype, profile.weight]));
const TYPE_OF = new Map(propertySubtypes.terms.map((s) => [s.token, s.type]));
const CLASSES_OF = Map.groupBy(assetClasses.terms, (c) => c.subtype);
/** Ranges of a class that differ from those of its subtype; null for a measure that it lacks */
const CLASS_MEASURES: Record<string, UseProfile['measures']> = classMeasures;
const MIXES: Record<string, string[]> = unitMixes;
const SQFT_PER_ACRE = 43_560;

export function profileOf(subtype: string): UseProfile {
  const profile = PROFILES[subtype];
  if (!profile) throw new Error(`No profile of the subtype '${subtype}'`);
  return profile;
}

export const pickSubtype = (random: Random): string => random.weighted(WEIGHTS);

/** A use at the depth that a record might establish: mostly an asset class, sometimes only a subtype or a type. */
export function landUse(subtype: string, role: LandUse['role'], random: Random): LandUse {
  const type = TYPE_OF.get(subtype);
  if (!type) throw new Error(`No Building Type has the subtype '${subtype}'`);
  const depth = random.next();
  const assetClass = random.pick(CLASSES_OF.get(subtype) ?? []).token;
  return { type, subtype: depth < 0.04 ? null : subtype, assetClass: depth < 0.15 ? null : assetClass, role };
}

/** The primary use, then what such a project often brings along; no use is a shallower version of another. */
export function landUsesOf(subtype: string, random: Random): LandUse[] {
  const primary = landUse(subtype, 'primary', random);
  const also = profileOf(subtype).also ?? [];
  const companions = random.chance(0.4) ? random.some(also, random.int(1, 2)) : [];
  return distinct([primary, ...companions.map((c) => landUse(c, random.chance(0.7) ? 'secondary' : 'other', random))]);
}

/** A use of another class, subtype or type than the given one, as an extraction may have misread it. */
export function misreadUse(uses: readonly LandUse[], subtype: string, random: Random): LandUse[] {
  const type = TYPE_OF.get(subtype);
  const siblings = propertySubtypes.terms.filter((s) => s.type === type && s.token !== subtype).map((s) => s.token);
  const other = random.pick([...siblings, ...(profileOf(subtype).also ?? [])]);
  return distinct([landUse(other, 'primary', random), ...uses.slice(1)]);
}

function distinct(uses: readonly LandUse[]): LandUse[] {
  const covers = (a: LandUse, b: LandUse) =>
    a.type === b.type &&
    (!a.subtype || !b.subtype || (a.subtype === b.subtype && (!a.assetClass || !b.assetClass || a.assetClass === b.assetClass)));
  return uses.filter((use, i) => !uses.slice(0, i).some((earlier) => covers(earlier, use)));
}

export function governmentUse(assetClass: string): LandUse & { subtype: string } {
  const subtype = assetClasses.terms.find((c) => c.token === assetClass)?.subtype;
  if (!subtype) throw new Error(`No subtype has the asset class '${assetClass}'`);
  return { type: GOVERNMENT_DECISIONS, subtype, assetClass, role: 'primary' };
}

/** To three significant digits above a thousand, whole numbers below. */
const tidy = (value: number): number => {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(value, 1))) - 2);
  return Math.max(1, Math.round(value / step) * step);
};

/** Measures of one project: all ranges are read at about the same place, so that a big site has many units. */
export function measuresOf(profile: UseProfile, assetClass: string | null, random: Random): Measures & Extras {
  const m = { ...profile.measures, ...CLASS_MEASURES[assetClass ?? ''] };
  const place = random.next();
  const read = (range: Range | null | undefined): number | null => {
    if (!range) return null;
    const [low = 0, high = low] = range;
    const at = Math.min(1, Math.max(0, place + random.decimal(-0.15, 0.15)));
    return low * (high / low) ** at;
  };
  const whole = (range: Range | null | undefined) => {
    const value = read(range);
    return value === null ? null : tidy(value);
  };
  const acres = read(m.acres);
  const units = whole(m.units);
  const lots = m.lots && profile.mix !== 'community' ? units : whole(m.lots);
  const sqft = whole(m.sqft);
  const stories = whole(m.stories);
  return {
    acreage: acres === null ? null : Number(acres.toFixed(acres < 10 ? 2 : 1)),
    lotSizeSqft: acres !== null && acres < 5 && !lots ? Math.round(acres * SQFT_PER_ACRE) : null,
    squareFootage: sqft,
    floorCount: stories !== null && random.chance(0.7) ? stories : null,
    buildingStories: stories,
    buildingHeightFeet: whole(m.height) ?? (stories === null ? null : Math.round(stories * random.decimal(10.5, 13) + 4)),
    totalUnitCount: units,
    unitMix: units === null || random.chance(0.25) ? null : unitMix(MIXES[profile.mix ?? ''] ?? [], units, random),
    bedroomCount: units !== null && m.bedroomsPerUnit ? Math.max(1, Math.round(units * m.bedroomsPerUnit)) : null,
    parkingSpaces: whole(m.parkingSpaces) ?? parking(m, units, sqft, random),
    lotCount: lots === null ? null : Math.min(lots, units ?? lots),
    megawatts: whole(m.mw),
    beds: whole(m.beds),
  };
}

function parking(m: UseProfile['measures'], units: number | null, sqft: number | null, random: Random): number | null {
  const needed =
    m.parkingPerUnit && units ? units * m.parkingPerUnit : m.parkingPerThousand && sqft ? (sqft / 1000) * m.parkingPerThousand : null;
  return needed === null ? null : Math.max(2, Math.round(needed * random.decimal(0.9, 1.2)));
}

/** The units by kind; the counts sum to `units` and none is 0. */
function unitMix(kinds: readonly string[], units: number, random: Random): UnitMixEntry[] | null {
  const used = kinds.slice(0, units);
  if (!used.length) return null;
  const weights = used.map(() => random.decimal(0.4, 1.6));
  const total = weights.reduce((sum, w) => sum + w, 0);
  const counts = weights.map((w) => 1 + Math.floor(((units - used.length) * w) / total));
  const last = units - counts.slice(0, -1).reduce((sum, c) => sum + c, 0);
  return used.map((unitType, i) => ({ unitType, count: i === used.length - 1 ? last : (counts[i] ?? 0) }));
}

/** large, medium or small, by whichever measure is known. */
export function sizeOf(m: Measures): 'large' | 'medium' | 'small' | null {
  const { totalUnitCount: units, squareFootage: sqft, acreage } = m;
  if (units === null && sqft === null && acreage === null) return null;
  if ((units ?? 0) >= 150 || (sqft ?? 0) >= 150_000 || (acreage ?? 0) >= 60) return 'large';
  if ((units ?? 0) >= 20 || (sqft ?? 0) >= 20_000 || (acreage ?? 0) >= 8) return 'medium';
  return 'small';
}
