/** Projects like the one that is planned: found by use, nearness, outcome, size and year, and told with their words. */
import { DECIDED_OUTCOMES, GIVEN_UP_OUTCOMES } from '../../core/domain/process/tokens.ts';
import type { ProvenValue } from '../../core/domain/record/quotes.ts';
import type { PublicRecord } from '../../core/domain/record/represent.ts';
import { outcomes as outcomeWords } from '../../core/domain/vocabulary.ts';
import { allOf, anyOf, type Clause, range } from '../../core/query/clauses.ts';
import { outcomeClauses } from '../../core/query/facets.ts';
import type { Actor } from '../../core/search/actor.ts';
import { type Selection, selectUnfiltered } from '../../core/search/select.ts';
import { toPublicRecords } from '../../core/search/servePage.ts';
import { environmentOf, type ProjectServices } from '../../core/search/services.ts';
import { NOBODY } from '../../core/search/shownPeople.ts';
import type { ProjectHit } from '../../core/store/elastic/projects.ts';
import { findProvenQuotes, type QuoteServices } from '../projects/index.ts';
import { makeGet, showNumber, stateComputed, stateQuote } from './statements.ts';
import type { BriefSite, BriefStatement } from './types.ts';

/** What each likeness weighs; at its pivot a nearness is worth half. What was asked for here goes before all others. */
const WEIGHTS = { here: 16, near: 4, decided: 2, recent: 2, size: 1.5 };
const NEAR_PIVOT = '10km';
const RECENT_PIVOT = '1095d';
/** Sizes from half to twice resemble each other. */
const SIZE_FACTOR = 2;

const weighed = (clause: Clause, boost: number): Clause => ({ constant_score: { filter: clause, boost } });

/** The more of these a record meets, the better a precedent it is. */
function makeLikenessClauses({ point, subject }: BriefSite, here: Clause, today: string): Clause[] {
  const decided = anyOf((['approved', 'denied'] as const).flatMap((outcome) => outcomeClauses('derived.outcome', outcome, today)));
  const sizes = Object.entries(subject?.sizes ?? {}).map(([name, size]) =>
    weighed(range(`derived.${name}`, { gte: size / SIZE_FACTOR, lte: size * SIZE_FACTOR }), WEIGHTS.size),
  );
  const origin = point && { lat: point.latitude, lon: point.longitude };
  return [
    weighed(here, WEIGHTS.here),
    ...(origin ? [{ distance_feature: { field: 'derived.location', origin, pivot: NEAR_PIVOT, boost: WEIGHTS.near } }] : []),
    { distance_feature: { field: 'derived.meetingDate', origin: today, pivot: RECENT_PIVOT, boost: WEIGHTS.recent } },
    weighed(decided, WEIGHTS.decided),
    ...sizes,
  ];
}

/** The best precedents, best first. @param selection of the region and use @param here of the place @throws ApiError `search_unavailable` */
export async function findPrecedents(
  { store }: Pick<ProjectServices, 'store'>,
  { signal }: Pick<Actor, 'signal'>,
  site: BriefSite,
  { selection, here }: { selection: Selection; here: Selection },
  most: number,
): Promise<ProjectHit[]> {
  if (!most) return [];
  const itself = site.subject ? [{ term: { id: site.subject.id } }] : [];
  const should = makeLikenessClauses(site, allOf([here.query]), selection.context.today);
  const { hits } = await store.page({
    query: { bool: { filter: [allOf([selection.query])], must_not: itself, should } },
    sort: [{ _score: 'desc' }, { lastUpdated: 'desc' }, { id: 'desc' }],
    size: most,
    representation: 'full',
    alsoFetch: ['quotes'],
    count: false,
    signal,
  });
  return hits;
}

/** A precedent with the words that prove it. */
export interface ToldPrecedent {
  id: number;
  /** its full representation with `derived` */
  record: PublicRecord;
  proven: readonly ProvenValue[];
}

/** Reads what the documents of each say. @throws ApiError */
export function readPrecedents(
  services: ProjectServices & QuoteServices,
  actor: Actor,
  hits: readonly ProjectHit[],
): Promise<ToldPrecedent[]> {
  const selection = selectUnfiltered(environmentOf(services).today);
  const found = { hits, selection, representation: 'full' as const, withDerived: true };
  const records = toPublicRecords(found, actor.principal, services.publicUrl, NOBODY);
  return Promise.all(
    hits.map(async ({ project }, i) => {
      const record = records[i] as PublicRecord;
      const { proven } = await findProvenQuotes(services, project, record, actor.signal);
      return { id: project.id, record, proven };
    }),
  );
}

const DECIDING = ['decisions', 'status', 'decisionType', 'statusHistory', 'voteTotals'];
const ZONING = ['proposedZoning', 'existingZoning'];

const textOf = (value: unknown) => (typeof value === 'string' && value.trim() ? value.trim() : undefined);
const numberOf = (value: unknown) => (typeof value === 'number' ? value : undefined);

/** `Maple Court, Boulder, CO`; a name that ends with its place is not given it again. */
function nameRecord({ id, projectName, displayName, city, county, state }: PublicRecord): string {
  const name = (textOf(projectName) ?? textOf(displayName) ?? `Project ${id}`).replace(/(?<![\s,;:])[\s,;:]+$/, '');
  const [bare, place] = [name.replace(/(?<![.\s]\p{L}|Inc|Co)\.$/u, ''), textOf(city) ?? textOf(county)];
  if (bare.endsWith(`, ${state}`)) return bare;
  const isPlaced = place !== undefined && bare.endsWith(`, ${place}`);
  return [bare, isPlaced ? undefined : place, textOf(state)].filter((part) => part !== undefined).join(', ');
}

/** `120 units on 4.5 acres`; empty where it states neither. */
function describeSize({ totalUnitCount, acreage }: PublicRecord): string {
  const [units, acres] = [numberOf(totalUnitCount), numberOf(acreage)];
  const parts = [
    units === undefined ? undefined : `${showNumber(units)} ${units === 1 ? 'unit' : 'units'}`,
    acres === undefined ? undefined : `${showNumber(acres)} ${acres === 1 ? 'acre' : 'acres'}`,
  ];
  return parts.filter(Boolean).join(' on ');
}

function describeVote({ voteTotals }: PublicRecord): string {
  const { yes, no } = (voteTotals ?? {}) as { yes?: number | null; no?: number | null };
  return typeof yes === 'number' && typeof no === 'number' ? `the vote was ${yes} to ${no}` : '';
}

const ENDED: ReadonlySet<string> = new Set(DECIDED_OUTCOMES);
const GIVEN_UP: ReadonlySet<string> = new Set(GIVEN_UP_OUTCOMES);

function describeOutcome({ derived, meetingDate, status }: PublicRecord): string {
  const { outcome = null, outcomeSince = null } = (derived ?? {}) as { outcome?: string | null; outcomeSince?: string | null };
  const last = textOf(meetingDate);
  if (outcome === null) return `${last ? `last hearing or decision on ${last}; ` : ''}what became of it is not known`;
  const isConditional = outcome === 'approved' && status === 'approved_with_conditions';
  const label = isConditional ? 'approved with conditions' : (outcomeWords.label(outcome) ?? outcome).toLowerCase();
  if (GIVEN_UP.has(outcome) && last) return `no hearing or decision is known after ${last}, so that it counts as ${label}`;
  return outcomeSince ? `${label} ${ENDED.has(outcome) ? 'on' : 'since'} ${outcomeSince}` : label;
}

/** A sentence about a record, and the words of the first of these fields that has some. @param about what they are of: `the zoning of` */
function tellRecord({ id, record, proven }: ToldPrecedent, text: string, fields: readonly string[], about: string): BriefStatement[] {
  const [proof] = fields.flatMap((field) => proven.find((one) => one.field === field) ?? []);
  const fact = stateComputed(text, makeGet(`/projects/${id}`, { representation: 'full', include: 'derived' }), id);
  if (!proof) return [fact];
  const { quote, documentId } = proof;
  return [
    fact,
    stateQuote(`On ${about} ${nameRecord(record)} a document says:`, makeGet(`/projects/${id}/evidence`), quote.trim(), {
      documentId,
      projectId: id,
    }),
  ];
}

export function tellPrecedent(told: ToldPrecedent): BriefStatement[] {
  const facts = [describeOutcome(told.record), describeSize(told.record), describeVote(told.record)].filter(Boolean);
  return tellRecord(told, `${nameRecord(told.record)}: ${facts.join('; ')}.`, DECIDING, 'what became of');
}

/** From which zoning to which a record asked to go, if it states either. */
export function tellZoning(told: ToldPrecedent): BriefStatement[] {
  const [from, to] = [textOf(told.record.existingZoning), textOf(told.record.proposedZoning)];
  if (!to && !from) return [];
  const text = to ? `asked for zoning ${to}${from ? `, from ${from}` : ''}` : `zoned ${from}; no other zoning is stated`;
  return tellRecord(told, `${nameRecord(told.record)}: ${text}.`, ZONING, 'the zoning of');
}
