/** Asks everything that a brief says, each question as its route asks it, so that the calls of statements repeat it. */

import { scopeOf } from '../../core/domain/principal.ts';
import { daysAfter } from '../../core/domain/process/hearings.ts';
import type { RestrictedUse, Restriction } from '../../core/domain/restriction/schemas.ts';
import { serviceToday } from '../../core/domain/serviceClock.ts';
import { parseFilterObject } from '../../core/filter/parse.ts';
import { allOf } from '../../core/query/clauses.ts';
import type { Actor } from '../../core/search/actor.ts';
import { type Selection, selectionOf } from '../../core/search/select.ts';
import { environmentOf } from '../../core/search/services.ts';
import type { LineageStore } from '../../core/store/postgres/lineageStore.ts';
import { type Answerable, type AnswerableServices, aggregate, findAnswerable, findOdds } from '../analytics/index.ts';
import { nameBody } from '../freshness/index.ts';
import { type HearingServices, listHearings, parseHearings } from '../hearings/index.ts';
import type { QuoteServices } from '../projects/index.ts';
import { checkRestrictions, listRestrictions, type RestrictionServices } from '../restrictions/index.ts';
import { findPrecedents, readPrecedents, type ToldPrecedent } from './precedents.ts';
import { labelUse, makeUseFilter } from './request.ts';
import { makeRegion, type SiteServices } from './site.ts';
import type { BriefArea, BriefSite, CheckedPlace } from './types.ts';

export type GatherServices = SiteServices &
  AnswerableServices &
  HearingServices &
  RestrictionServices &
  QuoteServices & { releases: Pick<LineageStore, 'release'> };

/** Days ahead of which hearings are told. */
const HEARINGS_AHEAD_DAYS = 90;
/** With fewer records here, shares are of the region. */
const ENOUGH_RECORDS = 20;

export type OddsAnswer = Awaited<ReturnType<typeof findOdds>>['data'];
export type AggregateAnswer = Awaited<ReturnType<typeof aggregate>>['data'];
export type HearingsAnswer = Awaited<ReturnType<typeof listHearings>>;
export type RestrictionsAnswer = Awaited<ReturnType<typeof checkRestrictions>>['data'];

/** An area with the filters of a request, and how many records they match. */
export interface CountedArea extends BriefArea {
  /** with the use; every date */
  asked: Readonly<Record<string, unknown>>;
  count: number;
}

/** What was asked with an answer, so that a statement can repeat it. */
export interface AskedOf<A> {
  sent: Readonly<Record<string, unknown>>;
  answer: A;
}

/** Everything that a brief is written from. */
export interface Gathered {
  site: BriefSite;
  use: RestrictedUse | null;
  /** its label; empty for any use */
  useLabel: string;
  today: string;
  area: CountedArea;
  region: CountedArea | null;
  /** where shares are of: the area, or the region where too little is known of that */
  base: CountedArea;
  anyUse: AskedOf<number>;
  pending: AskedOf<number>;
  odds: { where: string; asked: AskedOf<OddsAnswer> }[];
  /** of the area, by outcome */
  outcomes: AskedOf<AggregateAnswer>;
  /** odds of any use around, where no denial is among the odds told; null elsewhere */
  denials: Gathered['odds'][number] | null;
  /** whose bodies and votes are told: with the use, or of any use where too few have it */
  deciding: BriefArea & { of: string };
  bodies: AskedOf<AggregateAnswer>;
  /** those of `answerable`, by name */
  namedBodies: string[];
  votes: AskedOf<AggregateAnswer>;
  zonings: AskedOf<AggregateAnswer>;
  answerable: AskedOf<Answerable>;
  hearings: AskedOf<HearingsAnswer>;
  /** of each place that is asked about: what binds first */
  restrictions: (AskedOf<RestrictionsAnswer> & Pick<CheckedPlace, 'where'>)[];
  /** those of the use in the counties, or the city, of the place, of every status */
  listed: AskedOf<Restriction[]>;
  /** how many restrictions of the state, by any use and status, are known; null where no state is */
  knownRestrictions: (AskedOf<number> & { state: string }) | null;
  /** bodies of the county that are silent, with the day since which they are; null where no county is known */
  silent: { bodies: { name: string; since: string }[]; countyId: number } | null;
  precedents: ToldPrecedent[];
}

/** Silent bodies that a brief names. */
const SILENT_MAX = 5;

/** Groups of zonings among which changes are looked for: those that ask for none come before, since more projects are in them. */
const ZONINGS_MAX = 1_000;
/** Restrictions of a place that are looked through. */
const LISTED_MAX = 100;
const SUREST = ['yes', 'unclear', 'no'];

const EVERY_DATE = { dateRange: 'all' } as const;

type Filters = Readonly<Record<string, unknown>>;

/** Makes what reads filters as a body of analytics has them. */
function makeReader({ places, now }: GatherServices, { principal }: Actor) {
  const today = serviceToday(now());
  const read = (filters: Filters) => parseFilterObject(filters, '', places);
  const select = (filters: Filters): Selection => {
    const reading = read(filters);
    return selectionOf(reading.filters, principal, today, reading.warnings);
  };
  return { today, read, select };
}

/** The filters by which precedents are chosen: of the region with the use. */
export const precedentFilters = ({ area, region }: BriefSite, use: RestrictedUse | null): Filters => ({
  ...(region ?? area).filters,
  ...makeUseFilter(use),
  ...EVERY_DATE,
});

/** Records of a city need not state its counties: then its region is the state, so that it holds all that is here. @throws ApiError */
export async function widenRegion(services: GatherServices, actor: Actor, site: BriefSite): Promise<BriefSite> {
  const { area, region } = site;
  if (!area.filters.cities || !region?.filters.counties) return site;
  const { select } = makeReader(services, actor);
  const [here, around] = [area, region].map(({ filters }) => allOf([select({ ...filters, ...EVERY_DATE }).query]));
  const [outside] = await services.store.counts([{ bool: { filter: here, must_not: around } }], actor.signal);
  return outside ? { ...site, region: makeRegion(services, actor, site.stateId, []) } : site;
}

/** The precedents of a site. @throws ApiError `search_unavailable` */
export function choosePrecedents(services: GatherServices, actor: Actor, site: BriefSite, use: RestrictedUse | null, most: number) {
  const { select } = makeReader(services, actor);
  const here = select({ ...site.area.filters, ...EVERY_DATE });
  return findPrecedents(services, actor, site, { selection: select(precedentFilters(site, use)), here }, most);
}

/** The bodies of a county that are silent. @throws ApiError */
async function listSilent(
  { freshness, places }: GatherServices,
  { principal }: Actor,
  countyId: number | null,
): Promise<Gathered['silent']> {
  if (countyId === null) return null;
  const bodies = await freshness.list(scopeOf(principal), { counties: [countyId] });
  const silent = bodies.flatMap(({ bodyKey, staleSince }) =>
    staleSince === null ? [] : [{ name: nameBody(bodyKey, places), since: staleSince }],
  );
  return { bodies: silent.slice(0, SILENT_MAX), countyId };
}

/** Asks for a brief, in four round trips one after the other. @param hits the precedents @throws ApiError */
export async function gatherBrief(
  services: GatherServices,
  actor: Actor,
  { site, use, hits }: { site: BriefSite; use: RestrictedUse | null; hits: Parameters<typeof readPrecedents>[2] },
): Promise<Gathered> {
  const { today, read, select } = makeReader(services, actor);
  const withUse = (area: BriefArea) => ({ ...area.filters, ...makeUseFilter(use), ...EVERY_DATE });
  const here = withUse(site.area);
  const around = site.region && withUse(site.region);
  const anyUse = { ...site.area.filters, ...EVERY_DATE };
  const pending = { ...here, outcomes: ['pending'] };
  const counted = [here, anyUse, pending, ...(around ? [around] : [])].map((filters) => select(filters).query);
  const [inArea = 0, ofAnyUse = 0, ofPending = 0, inRegion = 0] = await services.store.counts(counted, actor.signal);
  const area = { ...site.area, asked: here, count: inArea };
  const region = site.region && around && { ...site.region, asked: around, count: inRegion };
  const base = region && inArea < ENOUGH_RECORDS ? region : area;
  const useLabel = use ? labelUse(use) : '';
  const ignoreUse = (one: BriefArea): CountedArea => ({ ...one, asked: { ...one.filters, ...EVERY_DATE }, count: 0 });
  const anyBase = ignoreUse(site.region && ofAnyUse < ENOUGH_RECORDS ? site.region : site.area);
  const deciding =
    use && base.count < ENOUGH_RECORDS
      ? { ...anyBase, of: 'projects of any use' }
      : { ...base, of: useLabel ? `${useLabel} projects` : 'projects' };

  const askAnalytics = async (body: Filters, { asked: filters }: Pick<CountedArea, 'asked'> = base): Promise<AskedOf<AggregateAnswer>> => {
    const sent = { filters, ...body };
    return { sent, answer: (await aggregate(services, actor, sent, [read(filters)])).data };
  };
  const askOdds = async ({ where, asked: filters }: CountedArea): Promise<Gathered['odds'][number]> => ({
    where,
    asked: { sent: { filters }, answer: (await findOdds(services, actor, { filters }, [read(filters)])).data },
  });
  const askDenials = async (told: Gathered['odds']) =>
    told.some(({ asked }) => asked.answer.totals?.outcomes.denied === 0) ? askOdds(ignoreUse(site.region ?? site.area)) : null;
  const oddsTold = Promise.all([area, ...(region ? [region] : [])].map(askOdds));
  const askHearings = async () => {
    const sent = { ...site.area.filters, from: today, to: daysAfter(today, HEARINGS_AHEAD_DAYS) };
    const raw = new Map(Object.entries(sent).map(([name, value]) => [name, [value]]));
    return { sent, answer: await listHearings(services, actor, parseHearings(raw, actor.principal, environmentOf(services))) };
  };
  const askRestrictions = async ({ where, asked }: CheckedPlace) => {
    const sent = { ...asked, ...(use ? { uses: [use] } : {}), on: today };
    return { where, sent, answer: (await checkRestrictions(services, actor, sent)).data };
  };
  const askListed = async (): Promise<Gathered['listed']> => {
    const { cityId, countyId, region: around, subject } = site;
    const isCity = cityId !== null && !subject;
    const filters = { ...(isCity ? { cities: [cityId] } : { counties: around?.filters.counties ?? [countyId] }), ...makeUseFilter(use) };
    const { data } = await listRestrictions(services, actor, { filters: read(filters).filters, limit: LISTED_MAX });
    const isHere = ({ place }: Restriction) => cityId === null || place.cityId === null || place.cityId === cityId;
    return { sent: { ...filters, limit: LISTED_MAX }, answer: data.filter(isHere) };
  };
  const countRestrictions = async (): Promise<Gathered['knownRestrictions']> => {
    if (site.stateId === null) return null;
    const sent = { states: site.stateId };
    const { meta } = await listRestrictions(services, actor, { filters: read({ states: [site.stateId] }).filters, limit: 1 });
    return { sent, answer: Number(meta.total), state: services.places.state(site.stateId)?.name ?? String(site.stateId) };
  };
  const [
    odds,
    denials,
    outcomes,
    bodies,
    votes,
    zonings,
    answerable,
    hearings,
    restrictions,
    listed,
    knownRestrictions,
    silent,
    precedents,
  ] = await Promise.all([
    oddsTold,
    oddsTold.then(askDenials),
    askAnalytics({ groupBy: ['outcome'] }, area),
    askAnalytics({ groupBy: ['decisionBody'], limit: 3 }, deciding),
    askAnalytics({ groupBy: ['voteResult'] }, deciding),
    askAnalytics({ groupBy: ['existingZoning', 'proposedZoning'], limit: ZONINGS_MAX }),
    findAnswerable(services, actor, select(base.asked)).then(({ data }) => ({ sent: base.asked, answer: data })),
    askHearings(),
    Promise.all(site.checked.map(askRestrictions)),
    askListed(),
    countRestrictions(),
    listSilent(services, actor, site.countyId),
    readPrecedents(services, actor, hits),
  ]);
  return {
    site,
    use,
    useLabel,
    today,
    area,
    region,
    base,
    anyUse: { sent: anyUse, answer: ofAnyUse },
    pending: { sent: pending, answer: ofPending },
    odds,
    denials,
    outcomes,
    deciding,
    bodies,
    namedBodies: answerable.answer.bodies.map(({ bodyKey }) => nameBody(bodyKey, services.places)),
    votes,
    zonings,
    answerable,
    hearings,
    restrictions: restrictions.sort((a, b) => SUREST.indexOf(a.answer.binds) - SUREST.indexOf(b.answer.binds)),
    listed,
    knownRestrictions,
    silent,
    precedents,
  };
}
