/**
 * Building permits of Chicago, 2024–26 (`permits.ndjson.gz`, one permit a line; no licence to redistribute, so no row of it is committed).
 *
 * Columns: n permit number (own id) · s status · t type · r review · wt kind of express work · d day of issue · a address · lat, lon ·
 * gc general contractor · os other names on the permit, separated by ' | ' · x description. Ward (w), community area (ca, cn), cost (c)
 * and street have no field in the record and are left out.
 *
 * Two passes: a fifth of the permits are trade work that names no building. The first pass counts what the other permits of the same
 * address, and of the same block, say the building is. A silent permit takes the type (never more) that two thirds of its address state,
 * or four fifths of at least five permits of its block; it is noted as `use_from_neighbours`. Memory holds counts by address and block.
 */
import type { LandUse, Party } from '../../src/domain/project.ts';
import { actionFields, classifiers, type RulesFile, useFields } from './classifiers.ts';
import { position } from './coordinates.ts';
import { Locator, placeFields } from './location.ts';
import { lots, stories, units } from './phrases.ts';
import { jsonLines } from './readers.ts';
import file from './rules/il_chicago.json' with { type: 'json' };
import type { Fields } from './rules.ts';
import type { ProjectDraft, ReadContext, SourceAdapter, SourceItem } from './types.ts';
import { day, distinct, text } from './values.ts';

interface Permit {
  n: string;
  s: string | null;
  t: string;
  r: string;
  wt: string | null;
  d: string;
  a: string;
  lat: number | null;
  lon: number | null;
  gc: string | null;
  os: string | null;
  x: string | null;
}

const rules = classifiers(file as RulesFile);
/** Only the stages that say what the building is, not what work is done in it. */
const building = classifiers({
  landUses: (file as RulesFile).landUses.filter((s) => file.buildingStages.includes('include' in s ? s.include : s.stage)),
});

function fieldsOf(permit: Permit): Fields {
  return {
    type: permit.t,
    work: permit.wt ?? '',
    text: permit.x ?? '',
    status: permit.s ?? '',
    issued: day(permit.d) ?? '',
  };
}

/** What the permits of one key (an address, a block) say the building is, by type. */
class UseVotes {
  readonly #votes = new Map<string, Map<string, number>>();

  add(key: string, type: string): void {
    const votes = this.#votes.get(key) ?? new Map<string, number>();
    votes.set(type, (votes.get(type) ?? 0) + 1);
    this.#votes.set(key, votes);
  }

  /** Types with their share of the votes, the commonest first; nothing below the quorum. */
  shares(key: string, quorum: number): { type: string; share: number }[] {
    const votes = [...(this.#votes.get(key) ?? [])].sort((a, b) => b[1] - a[1]);
    const all = votes.reduce((sum, [, n]) => sum + n, 0);
    return all < quorum ? [] : votes.map(([type, n]) => ({ type, share: n / all }));
  }
}

const ADDRESS_SHARE = 2 / 3;
const BLOCK_QUORUM = 2;
const BLOCK_SHARE = 0.75;

/** What other permits say about the address, and about its block: the hundred of house numbers on its street. */
class Neighbours {
  readonly #addresses = new UseVotes();
  readonly #blocks = new UseVotes();

  add(permit: Permit): void {
    const type = building.landUses(fieldsOf(permit))[0]?.type;
    if (type === undefined) return;
    this.#addresses.add(permit.a, type);
    this.#blocks.add(blockOf(permit.a), type);
  }

  /** Type tokens, '' where nothing is said or opinions differ. Dwellings and commerce under one address are a mixed use. */
  of(permit: Permit): { address: string; block: string } {
    const [first, second] = this.#addresses.shares(permit.a, 1);
    const both = [first?.type, second?.type].sort().join(' ');
    const mixed = both === 'commercial residential' ? 'mixed_use' : '';
    const address = first && first.share >= ADDRESS_SHARE ? first.type : mixed;
    const [common] = this.#blocks.shares(blockOf(permit.a), BLOCK_QUORUM);
    return { address, block: common && common.share >= BLOCK_SHARE ? common.type : '' };
  }
}

/** `3209 W 16TH ST` → `32 W 16TH ST` */
function blockOf(address: string): string {
  return address.replace(/^(\d+)/, (number) => String(Math.floor(Number(number) / 100)));
}

/** `PERMIT – EXPRESS PERMIT PROGRAM` → `Express Permit Program` */
function typeName(type: string): string {
  const name = type.replace(/^PERMIT\s*[-–]\s*/, '').toLowerCase();
  return name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
}

function parties(permit: Permit): Party[] {
  const contractor = text(permit.gc, 500);
  const others = (permit.os ?? '').split(' | ').map((name) => text(name, 500));
  const named = distinct(others).filter((name) => name !== contractor);
  const list = named.map((name): Party => ({ role: (rules.partyRole({ name }) ?? 'owner') as Party['role'], name }));
  return contractor ? [{ role: 'contractor', name: contractor }, ...list] : list;
}

/** Size of what is built: only a new building's own description states it without doubt. */
function sizes(permit: Permit, description: string): Pick<ProjectDraft, 'totalUnitCount' | 'buildingStories' | 'lotCount'> {
  if (!/NEW CONSTRUCTION/.test(permit.t)) return {};
  const dwellings = /\b(\d+)[- ]?(?:D\.?U\.?S?\b|DWELLING UNITS?)/i.exec(description);
  return {
    totalUnitCount: dwellings ? Number(dwellings[1]) : units(description),
    buildingStories: stories(description),
    lotCount: lots(description),
  };
}

function statusSummary(permit: Permit, issued: string): string {
  const state = text(permit.s);
  return `Permit issued on ${issued}${state ? `; status of the permit: ${state.toLowerCase()}` : ''}.`;
}

function draft(permit: Permit, issued: string, landUses: LandUse[], fields: Fields, locator: Locator): [ProjectDraft, string[]] {
  const place = locator.find('Cook County', 'Chicago');
  const { notes, ...point } = position('IL', permit.lat, permit.lon);
  const description = text(permit.x);
  const status = rules.status(fields);
  const decisionBody = rules.decisionBody(fields);
  const decisionType = rules.decisionType(fields);
  const project: ProjectDraft = {
    recordType: 'permit',
    displayName: `${typeName(permit.t)}, ${permit.a}`,
    meetingDate: issued,
    firstMeetingDate: issued,
    address: text(permit.a),
    ...placeFields(place),
    ...point,
    ...useFields(landUses),
    status,
    summary: description,
    statusSummary: statusSummary(permit, issued),
    ...actionFields(rules, fields),
    decisionBody,
    decisionType,
    ...sizes(permit, description ?? ''),
    parties: parties(permit),
    decisions: [{ decisionBody, decisionType, status: 'approved', meetingDate: issued }],
    statusHistory: [{ status: 'approved', date: issued, decisionBody }],
    rawText: description,
    caseNumbers: [permit.n],
  };
  return [project, [...notes, ...place.notes]];
}

const FILE = 'permits.ndjson.gz';

async function* read({ folder, places }: ReadContext): AsyncGenerator<SourceItem> {
  const locator = new Locator(places, 'IL');
  const neighbours = new Neighbours();
  for await (const permit of jsonLines<Permit>(folder, FILE)) neighbours.add(permit);
  const seen = new Set<string>();
  for await (const permit of jsonLines<Permit>(folder, FILE)) {
    yield seen.has(permit.n) ? rejected(permit, 'duplicate') : convert(permit, neighbours, locator);
    seen.add(permit.n);
  }
}

const rejected = (permit: Permit, reason: string): SourceItem => ({ kind: 'reject', ownId: permit.n, rows: 1, reason });

function convert(permit: Permit, neighbours: Neighbours, locator: Locator): SourceItem {
  const issued = day(permit.d);
  if (!issued) return rejected(permit, 'no_date');
  const fields = fieldsOf(permit);
  const own = rules.landUses(fields);
  const landUses = own.length ? own : rules.landUses({ ...fields, ...neighbours.of(permit) });
  if (landUses.length === 0) return rejected(permit, 'unclassified');
  const [project, notes] = draft(permit, issued, landUses, fields, locator);
  const inferred = own.length ? [] : ['use_from_neighbours'];
  return { kind: 'record', ownId: permit.n, rows: 1, project, notes: [...notes, ...inferred] };
}

export const ilChicago: SourceAdapter = { name: 'il_chicago', title: 'Chicago building permits', files: [FILE], read };
