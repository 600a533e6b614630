/** Finds the place that a brief is about. */
import { metersBetween } from '../../core/domain/distance.ts';
import { denyPlaces } from '../../core/domain/entitlement.ts';
import { ApiError } from '../../core/domain/errors.ts';
import { countiesOfCity } from '../../core/domain/places.ts';
import { scopeOf } from '../../core/domain/principal.ts';
import { revisionHash } from '../../core/domain/record/revisionHash.ts';
import type { StoredProject } from '../../core/domain/record/storedProject.ts';
import type { RestrictedUse } from '../../core/domain/restriction/schemas.ts';
import { isInsideRing, unwrapRing } from '../../core/domain/ring.ts';
import type { FilterValues } from '../../core/filter/table.ts';
import { type Geocoder, GeocoderUnavailable } from '../../core/providers/geocoder.ts';
import type { Circle } from '../../core/query/clauses.ts';
import type { Actor } from '../../core/search/actor.ts';
import { selectUnfiltered } from '../../core/search/select.ts';
import { toPublicRecords } from '../../core/search/servePage.ts';
import { environmentOf, type ProjectServices } from '../../core/search/services.ts';
import { NOBODY } from '../../core/search/shownPeople.ts';
import { findCountyAt } from '../../core/store/files/outlines.ts';
import { type MatchServices, matchRows, readRows } from '../match/index.ts';
import { findProject } from '../projects/index.ts';
import type { BriefRequest } from './request.ts';
import type { BriefArea, BriefBody, BriefSite, CheckedPlace, SentPlace, SitePoint, Subject } from './types.ts';

export type SiteServices = ProjectServices &
  MatchServices & {
    /** undefined where the operator has none */
    geocoder: Geocoder | undefined;
  };

/** What counts as here around a point: five miles. */
const NEAR_METERS = 8_047;
/** Across a shape, 100 miles: a brief is about a site, not a region. */
const ACROSS_MAX_METERS = 160_934;
const STATES_MAX = 4;
/** Counties of a shape that are asked for restrictions. */
const CHECKED_MAX = 12;
/** Points of a shape along each side that are looked up. */
const GRID_STEPS = 12;
const GEOCODING_MS = 5_000;

const placeError = (kind: string, message: string) => new ApiError('invalid_request', message, { param: `place.${kind}` });

const toCircle = ({ latitude: lat, longitude: lng }: SitePoint): Circle => ({ lat, lng, radiusMeters: NEAR_METERS });

const checkHere = (asked: CheckedPlace['asked']): CheckedPlace[] => [{ where: 'here', asked }];

/** What lies around a place, and holds all of it that the licence covers: its counties, else its state, if the licence covers that. */
export function makeRegion(
  { places }: Pick<SiteServices, 'places'>,
  actor: Actor,
  stateId: number | null,
  countyIds: Iterable<number>,
): BriefArea | null {
  const counties = [...countyIds].filter((id) => !denyPlaces(actor.principal, { countyIds: [id] }, places));
  if (counties.length) {
    const names = counties.flatMap((id) => places.county(id) ?? []).map((county) => places.labelOf(county));
    return { where: names.length > 2 ? 'in the counties around' : `in ${names.join(' and ')}`, filters: { counties } };
  }
  const scope = scopeOf(actor.principal);
  const state = stateId ? places.state(stateId) : undefined;
  return state && (!scope || scope.stateIds.includes(state.id)) ? { where: `in ${state.name}`, filters: { states: [state.id] } } : null;
}

/** @throws ApiError `geographic_access_denied` */
function throwIfUnlicensed({ places }: SiteServices, { principal }: Actor, param: string, countyId: number): void {
  const denial = denyPlaces(principal, { countyIds: [countyId] }, places);
  if (denial) throw new ApiError(denial.code, denial.message, { param, details: denial.details ?? {} });
}

/** A place around a point. @throws ApiError for one in no county, or outside the licence */
function makePointSite(services: SiteServices, actor: Actor, kind: string, point: SitePoint, label?: string): BriefSite {
  const countyId = findCountyAt(point);
  if (countyId === undefined) throw placeError(kind, `place.${kind} lies in no county of the United States`);
  throwIfUnlicensed(services, actor, `place.${kind}`, countyId);
  const stateId = Math.floor(countyId / 1000);
  const { latitude: lat, longitude: lng } = point;
  const { counties } = surveyShape({ circle: toCircle(point) });
  return {
    label: label ?? `${lat.toFixed(4)}, ${lng.toFixed(4)}`,
    stateId,
    countyId,
    cityId: null,
    point,
    area: { where: 'within five miles', filters: { circle: toCircle(point) } },
    region: makeRegion(services, actor, stateId, counties.keys()),
    checked: checkHere({ point: { lat, lng } }),
    unchecked: null,
    caveats: listChecked(services, actor, counties).caveats,
    subject: null,
  };
}

/** A circle as a ring of so many sides. */
const CIRCLE_SIDES = 24;

function makeRing({ lat, lng, radiusMeters }: Circle): [number, number][] {
  const [north, east] = [radiusMeters / 111_320, radiusMeters / (111_320 * Math.max(0.01, Math.cos((lat * Math.PI) / 180)))];
  return Array.from({ length: CIRCLE_SIDES + 1 }, (_, i) => {
    const angle = (2 * Math.PI * (i % CIRCLE_SIDES)) / CIRCLE_SIDES;
    return [lng + east * Math.sin(angle), lat + north * Math.cos(angle)];
  });
}

/** Points all over a shape, its middle first. */
function samplePoints({ circle, polygon = [] }: FilterValues): { points: SitePoint[]; acrossMeters: number } {
  const ring = circle ? makeRing(circle) : unwrapRing(polygon);
  const [lngs, lats] = [ring.map(([lng]) => lng), ring.map(([, lat]) => lat)];
  const [west, east, south, north] = [Math.min(...lngs), Math.max(...lngs), Math.min(...lats), Math.max(...lats)];
  const pickStep = (from: number, to: number, step: number) => from + ((to - from) * (step + 0.5)) / GRID_STEPS;
  const grid = Array.from({ length: GRID_STEPS ** 2 }, (_, i) => ({
    latitude: pickStep(south, north, Math.floor(i / GRID_STEPS)),
    longitude: pickStep(west, east, i % GRID_STEPS),
  }));
  const inside = grid.filter(({ latitude, longitude }) => isInsideRing(ring, longitude, latitude));
  const middle = { latitude: (south + north) / 2, longitude: (west + east) / 2 };
  inside.sort((a, b) => metersBetween(a, middle) - metersBetween(b, middle));
  const corners = ring.map(([longitude, latitude]) => ({ latitude, longitude }));
  const acrossMeters = circle
    ? 2 * circle.radiusMeters
    : metersBetween({ latitude: south, longitude: west }, { latitude: north, longitude: east });
  return { points: [...(circle ? [middle] : []), ...inside, ...corners], acrossMeters };
}

/** Behind the 180th meridian it goes on at -180. */
const turnBack = ({ latitude, longitude }: SitePoint): SitePoint => ({
  latitude,
  longitude: Math.abs(longitude) > 180 ? longitude - 360 * Math.sign(longitude) : longitude,
});

/** The counties that a shape touches, each with a point in it; that of its middle comes first. */
function surveyShape(shape: FilterValues): { counties: ReadonlyMap<number, SitePoint>; acrossMeters: number } {
  const { points, acrossMeters } = samplePoints(shape);
  const counties = new Map<number, SitePoint>();
  for (const one of points.map(turnBack)) {
    const id = findCountyAt(one);
    if (id !== undefined && !counties.has(id)) counties.set(id, one);
  }
  return { counties, acrossMeters };
}

/** The counties of a shape that are asked for restrictions, each by a point in it, and the others. */
function listChecked({ places }: SiteServices, { principal }: Actor, counties: ReadonlyMap<number, SitePoint>) {
  const all = [...counties].map(([id, { latitude: lat, longitude: lng }]) => {
    const county = places.county(id);
    const isLicensed = !denyPlaces(principal, { countyIds: [id] }, places);
    return { name: county ? places.labelOf(county) : String(id), isLicensed, asked: { point: { lat, lng } } };
  });
  const asked = all.filter(({ isLicensed }) => isLicensed).slice(0, CHECKED_MAX);
  const checked = asked.map(({ name, asked }): CheckedPlace => ({ where: all.length > 1 ? `in ${name}` : 'here', asked }));
  const foreign = all.filter(({ isLicensed }) => !isLicensed).map(({ name }) => name);
  return {
    checked,
    unchecked: all.filter((one) => !asked.includes(one)).map(({ name }) => name),
    caveats: foreign.length ? [`Your licence does not cover ${foreign.join('; ')}: what lies there is in no number of this brief.`] : [],
  };
}

/** The place in a shape. @throws ApiError for one that is too large, in no county, or whose middle lies outside the licence */
function makeShapeSite(services: SiteServices, actor: Actor, shape: FilterValues): BriefSite {
  const kind = shape.circle ? 'circle' : 'polygon';
  const { counties, acrossMeters } = surveyShape(shape);
  const states = [...new Set([...counties.keys()].map((id) => Math.floor(id / 1000)))];
  const names = states.map((id) => services.places.state(id)?.name ?? String(id));
  if (acrossMeters > ACROSS_MAX_METERS || states.length > STATES_MAX) {
    const over = names.length ? ` over ${names.length} ${names.length === 1 ? 'state' : 'states'} (${names.join(', ')})` : '';
    const across = Math.round(acrossMeters / 1_609.34);
    throw placeError(
      kind,
      `place.${kind} reaches ${across} miles${over}: a brief is about a site. Send a shape of at most 100 miles across, in at most ${STATES_MAX} states, or a county`,
    );
  }
  const [point] = counties.values();
  if (!point) throw placeError(kind, `place.${kind} lies in no county of the United States`);
  const site = makePointSite(services, actor, kind, point);
  const filters: Record<string, unknown> = shape.circle ? { circle: shape.circle } : { polygon: shape.polygon };
  return {
    ...site,
    ...listChecked(services, actor, counties),
    region: makeRegion(services, actor, site.stateId, counties.keys()),
    label: `${kind === 'circle' ? 'Circle' : 'Shape'} around ${site.label}`,
    area: { where: 'in the shape', filters },
  };
}

/** A whole county or city. @param places those that the filter read */
function makeAreaSite(services: SiteServices, actor: Actor, { counties = [], cities = [] }: FilterValues): BriefSite {
  const { places } = services;
  const [countyId, cityId] = [counties[0], cities[0]];
  const city = cityId === undefined ? undefined : places.city(cityId);
  const place = city ?? (countyId === undefined ? undefined : places.county(countyId));
  const label = place ? places.labelOf(place) : String(cityId ?? countyId);
  const stateId = place?.stateId ?? null;
  const inCounty = city?.countyId ?? countyId ?? null;
  const { latitude, longitude } = (place ?? {}) as Partial<SitePoint>;
  return {
    label,
    stateId,
    countyId: inCounty,
    cityId: cityId ?? null,
    point: latitude !== undefined && longitude !== undefined ? { latitude, longitude } : null,
    area: { where: `in ${label}`, filters: cityId === undefined ? { counties: [countyId] } : { cities: [cityId] } },
    region: makeRegion(services, actor, stateId, city ? countiesOfCity(city) : []),
    checked: checkHere(cityId === undefined ? { county: String(countyId) } : { city: String(cityId) }),
    unchecked: null,
    caveats: [],
    subject: null,
  };
}

/** Measurements by which precedents of a project resemble it. */
const SIZES = ['totalUnitCount', 'acreage', 'squareFootage'] as const;

/** A project. On metered plans only one that the pool holds as it is: a brief tells its place, use and size. @throws ApiError `resource_not_found` */
async function readSubject(
  services: SiteServices,
  actor: Actor,
  id: number,
  kind: string,
): Promise<{ subject: Subject; stored: Partial<StoredProject['compact'] & StoredProject['standard']> }> {
  const hit = await findProject(services, actor, id, 'full');
  const { project } = hit;
  const { teamId, plan } = actor.principal;
  if (plan.recordCredit > 0) {
    const held = await services.holdings.pageHoldings(teamId, [
      { id: project.id, revisionHash: revisionHash(project.id, project.contentRevision) },
    ]);
    if (!held.get(project.id)?.paid)
      throw new ApiError(
        'resource_not_found',
        `Your pool does not hold project ${id} as it is now: read it first, or ask about its county, city or point`,
        {
          param: `place.${kind}`,
        },
      );
  }
  const selection = selectUnfiltered(environmentOf(services).today);
  const [record = {}] = toPublicRecords({ hits: [hit], selection, representation: 'full' }, actor.principal, services.publicUrl, NOBODY);
  const stored = { ...project.compact, ...project.standard };
  const [main] = stored.landUses ?? [];
  const use: RestrictedUse | null = main ? { type: main.type, subtype: main.subtype ?? null, assetClass: main.assetClass ?? null } : null;
  const sizes = Object.fromEntries(SIZES.flatMap((name) => (typeof record[name] === 'number' ? [[name, record[name]]] : [])));
  return { subject: { id: project.id, use, sizes, record }, stored };
}

/** The place of a project: around its point, else its city or county. @throws ApiError */
async function makeProjectSite(services: SiteServices, actor: Actor, id: number, kind: string): Promise<BriefSite> {
  const { subject, stored } = await readSubject(services, actor, id, kind);
  const { latitude, longitude, cityId, countyId } = stored;
  const label = String(subject.record.projectName ?? subject.record.displayName ?? `Project ${id}`);
  const own = { label, subject, checked: checkHere({ projectId: subject.id }) };
  if (typeof latitude === 'number' && typeof longitude === 'number' && findCountyAt({ latitude, longitude }) !== undefined) {
    const site = makePointSite(services, actor, kind, { latitude, longitude });
    return { ...site, ...own, cityId: cityId ?? null };
  }
  if (!cityId && !countyId)
    throw placeError(kind, `Project ${id} states neither a point nor a city or county; send a point, city or county`);
  const site = makeAreaSite(services, actor, cityId ? { cities: [cityId] } : { counties: [countyId as number] });
  return {
    ...site,
    ...own,
    caveats: [...site.caveats, `The record of this site states no point: what counts as here is all of ${site.label}.`],
  };
}

/** Street, city and state of an address: `1777 Broadway, Boulder, CO 80302`. */
function splitAddress(address: string, { places }: SiteServices) {
  const parts = address.split(',').map((part) => part.trim());
  const state = places.findState(
    (parts.at(-1) ?? '')
      .split(' ')
      .filter((word) => !/\d/.test(word))
      .join(' '),
  );
  if (!state || parts.length < 2) return { address };
  return { address, state: state.abbreviation, ...(parts.length > 2 ? { city: parts.at(-2) as string } : {}) };
}

/** The record that an address or a parcel means; undefined where there is none, or it is not the pool's. @throws ApiError */
async function findMatch(services: SiteServices, actor: Actor, { address, parcel }: SentPlace): Promise<number | undefined> {
  const kind = parcel === undefined ? 'address' : 'parcel';
  const row = parcel === undefined ? splitAddress(address as string, services) : { parcelNumber: parcel };
  const { problems, value } = readRows({ rows: [row] }, actor.principal, services.places);
  const [problem] = problems;
  if (problem) {
    const message =
      problem.code === 'missing'
        ? `place.${kind} names nothing to look for; send ${kind === 'address' ? 'a street with its number, city and state' : 'the number of a parcel'}`
        : problem.message.replaceAll(/rows\[0\](?:\.\w+)?/g, `place.${kind}`);
    throw new ApiError(problem.answer, message, { param: `place.${kind}`, details: problem.details ?? {} });
  }
  const { data } = await matchRows(services, actor, { rows: [row] }, value);
  return data[0]?.candidates[0]?.id;
}

/** @throws ApiError where the operator has no geocoder, or it knows no such house */
async function geocode(services: SiteServices, actor: Actor, address: string): Promise<SitePoint> {
  const unknown = 'no record of yours is at this address';
  if (!services.geocoder)
    throw placeError('address', `place.address is not found: ${unknown}, and this service has no geocoder (GEOCODER_URL). Send a point`);
  const signal = AbortSignal.any([AbortSignal.timeout(GEOCODING_MS), ...(actor.signal ? [actor.signal] : [])]);
  const [street = address, ...rest] = address.split(',').map((part) => part.trim());
  const within = rest.join(', ') || 'USA';
  const found = await services.geocoder.find(street, within, signal).catch((error) => {
    if (!(error instanceof GeocoderUnavailable) && !signal.aborted) throw error;
    throw placeError(
      'address',
      `place.address is not found: ${unknown}, and the geocoder does not answer. Send a point, or ask again later`,
    );
  });
  if (!found) throw placeError('address', `place.address is not found: ${unknown}, and the geocoder knows no such house. Send a point`);
  return found;
}

async function makeMatchedSite(services: SiteServices, actor: Actor, place: SentPlace): Promise<BriefSite> {
  const kind = place.parcel === undefined ? 'address' : 'parcel';
  const label = String(place.parcel ?? place.address);
  const id = await findMatch(services, actor, place);
  if (id !== undefined) {
    const { subject: _, ...site } = await makeProjectSite(services, actor, id, kind);
    const { lat, lng } = { lat: site.point?.latitude, lng: site.point?.longitude };
    // The records of the site itself are its best precedents, and only its place is asked about.
    const checked =
      lat !== undefined && site.area.filters.circle
        ? checkHere({ point: { lat, lng } })
        : makeAreaSite(services, actor, site.area.filters as FilterValues).checked;
    return { ...site, label, checked, subject: null };
  }
  if (kind === 'address') return makePointSite(services, actor, kind, await geocode(services, actor, label), label);
  throw placeError('parcel', `place.parcel is not found: no record of yours names parcel ${label}. Send an address or a point`);
}

/** Finds the place of a body. @throws ApiError with its name and a remedy; nothing is charged */
export async function findSite(services: SiteServices, actor: Actor, { place }: BriefBody, read: BriefRequest): Promise<BriefSite> {
  if (place.projectId !== undefined) {
    const site = await makeProjectSite(services, actor, place.projectId, 'projectId');
    return {
      ...site,
      caveats: [...site.caveats, 'This project itself counts in the numbers where it matches; it is no precedent of itself.'],
    };
  }
  if (place.address !== undefined || place.parcel !== undefined) return makeMatchedSite(services, actor, place);
  if (place.point) return makePointSite(services, actor, 'point', { latitude: place.point.lat, longitude: place.point.lng });
  if (read.place.circle || read.place.polygon) return makeShapeSite(services, actor, read.place);
  return makeAreaSite(services, actor, read.place);
}
