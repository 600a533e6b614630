/** Requests that fit a use, the bodies that hear them in that city, zoning from and to, construction. */
import requestSets from './data/requestSets.json' with { type: 'json' };
import requestTable from './data/requests.json' with { type: 'json' };
import zoneTable from './data/zones.json' with { type: 'json' };
import type { HearingRole, RequestKind, Site } from './model.ts';
import { hashOf, type Random } from './random.ts';
import type { UseProfile } from './uses.ts';

const REQUESTS = requestTable as Record<string, RequestKind>;
const SETS: Record<string, string[]> = requestSets;
const ZONES: Record<string, string[]> = zoneTable;
const SMALL_TOWN = 20_000;
const VIRGINIA_ONLY_SETS = ['houses', 'apartments', 'mixed', 'shops'];

const CONSTRUCTION: Record<string, string[]> = {
  houses: ['new_construction', 'new_construction', 'site_work'],
  apartments: ['new_construction', 'new_construction', 'new_construction', 'adaptive_reuse', 'renovation'],
  small: ['addition', 'renovation', 'new_construction', 'new_construction', 'repair', 'relocation'],
  shops: ['new_construction', 'new_construction', 'tenant_improvement', 'renovation', 'change_of_use', 'addition', 'adaptive_reuse'],
  works: ['new_construction', 'new_construction', 'addition', 'site_work'],
  civic: ['new_construction', 'addition', 'renovation'],
  utility: ['new_construction', 'new_construction', 'site_work', 'repair'],
  farm: ['new_construction', 'change_of_use', 'addition'],
  signs: ['new_construction'],
  heritage: ['renovation', 'adaptive_reuse', 'relocation', 'repair'],
  mixed: ['new_construction', 'new_construction', 'adaptive_reuse'],
};

export function requestKind(request: string): RequestKind {
  const kind = REQUESTS[request];
  if (!kind) throw new Error(`No such request: '${request}'`);
  return kind;
}

/** A request such as this use makes; a proffer amendment only in Virginia, a landmark designation only of a landmark. */
export function pickRequest(profile: UseProfile, assetClass: string | null, site: Site, random: Random): string {
  if (assetClass === 'landmark_site') return random.pick(SETS.heritage ?? []);
  if (profile.set !== 'signs' && random.chance(0.05)) return random.pick(SETS.any ?? []);
  if (site.city.state === 'VA' && VIRGINIA_ONLY_SETS.includes(profile.set) && random.chance(0.15)) return random.pick(SETS.virginia ?? []);
  return random.pick(SETS[profile.set] ?? []);
}

export function constructionFor(profile: UseProfile, request: string, random: Random): string | null {
  const { construction } = requestKind(request);
  if (construction) return construction === 'none' ? null : construction;
  return random.chance(0.1) ? null : random.pick(CONSTRUCTION[profile.set] ?? []);
}

export interface Zoning {
  existing: string | null;
  proposed: string | null;
}

/** The districts of a case: a rezoning changes the district, everything else only names the one that applies. */
export function zoningFor(profile: UseProfile, request: string, random: Random): Zoning {
  const own = random.pick(ZONES[profile.zone] ?? []);
  if (!requestKind(request).rezones) return { existing: own, proposed: null };
  const proposed = request === 'planned_development' ? 'PUD' : own;
  const others = ['farm', 'low', 'shops', 'works', 'medium'].flatMap((zone) => ZONES[zone] ?? []).filter((code) => code !== proposed);
  return { existing: random.pick(others), proposed };
}

/** The body that hears a step in this city: always the same one, except where a city spreads cases over several. */
export function decisionBodyFor(role: HearingRole, site: Site, random: Random): string {
  const { city, unincorporated } = site;
  const { customs } = city;
  const planning = customs.planning[hashOf('planning', city.id) % customs.planning.length] ?? 'planning_commission';
  switch (role) {
    case 'planning':
      return planning;
    case 'council':
      return unincorporated ? customs.county : city.population < SMALL_TOWN ? customs.smallTown : 'city_council';
    case 'site':
      return random.pick([planning, planning, 'development_review_committee', 'planning_department']);
    case 'permit':
      return random.pick([planning, planning, 'hearing_examiner']);
    case 'appeals':
      return customs.appeals;
    case 'design':
      return random.chance(0.25) ? 'historic_preservation_commission' : 'design_review_board';
    default:
      return FIXED_BODIES[role];
  }
}

const FIXED_BODIES = {
  building: 'building_department',
  staff: 'planning_department',
  historic: 'historic_preservation_commission',
  landUse: 'land_use_committee',
  redevelopment: 'redevelopment_authority',
  other: 'other_body',
} as const;

/** Departments and examiners decide alone: no motion, no votes. */
export const decidesAlone = (body: string): boolean => ['building_department', 'planning_department', 'hearing_examiner'].includes(body);
