/** Answers whether a restriction binds a project, a point, a county or a city on a day. */
import { denyPlaces } from '../../core/domain/entitlement.ts';
import { ApiError } from '../../core/domain/errors.ts';
import {
  type AskedPlace,
  type AskedUses,
  type Binding,
  combineBindings,
  type FoundRestriction,
  findEnded,
  findRestrictions,
} from '../../core/domain/restriction/check.ts';
import type { Restriction } from '../../core/domain/restriction/schemas.ts';
import type { Actor } from '../../core/search/actor.ts';
import { environmentOf, type OperationAnswer } from '../../core/search/services.ts';
import { findCountyAt } from '../../core/store/files/outlines.ts';
import { findProject } from '../projects/index.ts';
import { type RestrictionServices, showRestriction } from './listRestrictions.ts';
import { type CheckBody, readCheckedUses, readSharedFilters } from './request.ts';

export interface Because {
  restrictionId: number;
  binds: Exclude<Binding, 'no'>;
  text: string;
  quote: string | null;
  quotedFrom: Restriction['evidenceFrom'];
}

export interface CheckAnswer {
  binds: Binding;
  on: string;
  because: Because[];
  restrictions: Restriction[];
  /** of the year before */
  ended: Restriction[];
}

interface Subject {
  place: AskedPlace;
  /** those of the project, where one is asked about */
  uses: AskedUses;
}

/** Where a project lies, and its uses. On metered plans only a project that the pool holds is looked at: the answer tells its place and uses. */
async function readProjectSubject(services: RestrictionServices, actor: Actor, id: number): Promise<Subject> {
  const { project } = await findProject(services, actor, id, 'full');
  const { teamId, plan } = actor.principal;
  if (plan.recordCredit > 0 && !(await services.holdings.recordHolding(teamId, project.id)))
    throw new ApiError(
      'resource_not_found',
      `Your pool does not hold project ${id}: read it first, or ask about its county, city or point`,
      {
        param: 'projectId',
      },
    );
  const { stateId = null, countyId = null, cityId = null, landUses } = { ...project.compact, ...project.standard };
  const uses = landUses?.map(({ type, subtype = null, assetClass = null }) => ({ type, subtype, assetClass }));
  return { place: { stateId, countyId, cityId, isArea: false }, uses: uses?.length ? uses : null };
}

/** The county in which a point lies. @throws ApiError `geographic_access_denied`, `invalid_request` for a point in no county */
function readPointSubject({ places }: RestrictionServices, actor: Actor, { lat, lng }: NonNullable<CheckBody['point']>): Subject {
  const countyId = findCountyAt({ latitude: lat, longitude: lng });
  if (countyId === undefined) throw new ApiError('invalid_request', 'point lies in no county of the United States', { param: 'point' });
  const stateId = Math.floor(countyId / 1000);
  const denial = denyPlaces(actor.principal, { countyIds: [countyId] }, places);
  if (denial) throw new ApiError(denial.code, denial.message, { param: 'point', details: denial.details ?? {} });
  return { place: { stateId, countyId, cityId: null, isArea: false, mayBeInCity: true }, uses: [] };
}

/** A whole county or city, by its name or number. @throws ApiError with what is wrong with the name */
function readAreaSubject(services: RestrictionServices, actor: Actor, { county, city }: CheckBody): Subject {
  const sent = county === undefined ? { cities: [city] } : { counties: [county] };
  const { counties: [countyId] = [], cities: [cityId] = [] } = readSharedFilters(sent, actor.principal, environmentOf(services));
  const { places } = services;
  const found = cityId === undefined ? undefined : places.city(cityId);
  const inCounty = countyId ?? found?.countyId ?? null;
  const stateId = found?.stateId ?? (countyId === undefined ? null : (places.county(countyId)?.stateId ?? null));
  const furtherCountyIds = found?.furtherCountyIds ?? [];
  return { place: { stateId, countyId: inCounty, cityId: cityId ?? null, furtherCountyIds, isArea: true }, uses: [] };
}

function readSubject(services: RestrictionServices, actor: Actor, body: CheckBody): Promise<Subject> | Subject {
  if (body.projectId !== undefined) return readProjectSubject(services, actor, body.projectId);
  return body.point ? readPointSubject(services, actor, body.point) : readAreaSubject(services, actor, body);
}

const QUOTE_CHARACTERS_MIN = 20;

/** What a restriction says of the question, with its words where it has any. */
export function explain({ restriction: { id, title, evidence, evidenceFrom }, binds, reason }: FoundRestriction): Because {
  // `Active` alone proves little: then the longest of its words are shown.
  const quotes = evidence.map(({ quote: words }) => words).sort((a, b) => b.length - a.length);
  const status = evidence.find(({ field }) => field === 'status')?.quote;
  const quote = (status && status.length >= QUOTE_CHARACTERS_MIN ? status : quotes[0]) ?? null;
  const text = reason === null ? `${title} binds here` : `${title}: ${reason}`;
  return { restrictionId: id, binds, text, quote, quotedFrom: quote === null ? null : (evidenceFrom ?? null) };
}

/** `POST /restrictions/check`. Restrictions that do not bind on the day are not listed. */
export async function checkRestrictions(
  services: RestrictionServices,
  actor: Actor,
  body: CheckBody,
): Promise<OperationAnswer<CheckAnswer>> {
  const sentUses = readCheckedUses(body);
  const on = body.on ?? environmentOf(services).today;
  const { place, uses } = await readSubject(services, actor, body);
  // The place is in the licence, and so is what binds there, such as the moratorium of a whole state.
  const served = await services.restrictions.readServed();
  const question = { place, uses: sentUses.length ? sentUses : uses, on };
  const found = findRestrictions(served, question);
  return {
    data: {
      binds: combineBindings(found.map(({ binds }) => binds)),
      on,
      because: found.map(explain),
      restrictions: found.map(({ restriction }) => showRestriction(restriction, on)),
      ended: findEnded(served, question).map((one) => showRestriction(one, on)),
    },
    meta: { creditsUsed: 0 },
  };
}
