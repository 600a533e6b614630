/**
 * Building permits of Chicago, 2024–26 (`permits.ndjson.gz`, one permit a line; no licence to redistribute, so no row of it is committed).
 *
 * Columns: n permit number (own id) · s status · t type · r review · wt kind of express work · d day of issue · a address · lat, lon ·
 * gc general contractor · os other names on the permit, separated by ' | ' · x description. Ward (w), community area (ca, cn), cost (c)
 * and street have no field in the record and are left out.
 *
 * Two passes: a third of the permits are trade work that names no building. The first pass counts what the other permits of the same
 * address, block and area say. A silent permit takes the type (never more) that two thirds of its address state; failing that, the type that
 * goes with its kind of work, or that nine tenths of the addresses around it have (either is right nine times in ten where it can be
 * checked). Such records are noted (`use_from_address`, `use_from_work`, `use_from_surroundings`); where opinions differ more, the permit
 * is rejected as `unclassified`. Memory holds counts by address and area.
 */
import type { LandUse, Party } from '../../../src/core/domain/record/statement.ts';
import { rejectOf } from '../items.ts';
import { Locator, placeFields, toPosition } from '../location.ts';
import { findLots, findStories, findUnits } from '../phrases.ts';
import { readJsonLines } from '../readers.ts';
import { actionFields, compileClassifiers, type Fields, type RulesFile, useFields } from '../rules.ts';
import type { DraftWithNotes, ProjectDraft, ReadContext, SourceAdapter, SourceItem } from '../types.ts';
import { distinctValues, parseDay, parseText } from '../values.ts';
import file from './rules/il_chicago.json' with { type: 'json' };

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

const rules = compileClassifiers(file as RulesFile);
const stages = (file as RulesFile).landUses;
/** The stages that say what the building is, not what work is done in it. */
const building = compileClassifiers({ landUses: stages.filter((s) => file.buildingStages.includes('include' in s ? s.include : s.stage)) });
const inferredNotes = new Map(Object.entries(file.inferredStages));
/** The stages that read the permit's own words, then each that reads something else, with the note that says so. */
const ownWords = compileClassifiers({ landUses: stages.filter((s) => !('stage' in s && inferredNotes.has(s.stage))) });
const inferredUses = stages.flatMap((s) => {
  const note = 'stage' in s ? inferredNotes.get(s.stage) : undefined;
  return note === undefined ? [] : [{ note, landUses: compileClassifiers({ landUses: [s] }).landUses }];
});

function fieldsOf(permit: Permit): Fields {
  return {
    type: permit.t,
    work: permit.wt ?? '',
    text: permit.x ?? '',
    status: permit.s ?? '',
    issued: parseDay(permit.d) ?? '',
  };
}

/** Counts, by key (an address, a block), which building types permits state. */
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
const AROUND_SHARE = 0.9;
const BLOCK_QUORUM = 2;
const AREA_QUORUM = 5;

/** What other permits say about the address, the block (the hundred of house numbers on its street) and the area around it. */
class Neighbours {
  readonly #addresses = new UseVotes();
  readonly #around = new UseVotes();
  readonly #voted = new Map<string, string>();

  add(permit: Permit): void {
    const type = building.landUses(fieldsOf(permit))[0]?.type;
    if (type === undefined) return;
    this.#addresses.add(permit.a, type);
    if (this.#voted.has(permit.a)) return;
    this.#voted.set(permit.a, type);
    this.#around.add(blockOf(permit), type);
    this.#around.add(areaOf(permit), type);
  }

  /** Type tokens, '' where nothing is said or opinions differ. Dwellings and commerce under one address are a mixed use. */
  usesAround(permit: Permit): { address: string; around: string } {
    const [first, second] = this.#addresses.shares(permit.a, 1);
    const both = [first?.type, second?.type].sort().join(' ');
    const mixed = both === 'commercial residential' ? 'mixed_use' : '';
    const address = first && first.share >= ADDRESS_SHARE ? first.type : mixed;
    const candidates = [this.#around.shares(blockOf(permit), BLOCK_QUORUM)[0], this.#around.shares(areaOf(permit), AREA_QUORUM)[0]];
    return { address, around: candidates.find((c) => c && c.share >= AROUND_SHARE)?.type ?? '' };
  }
}

/** `3209 W 16TH ST` → `32 W 16TH ST` */
function blockOf({ a }: Permit): string {
  return a.replace(/^(\d+)/, (number) => String(Math.floor(Number(number) / 100)));
}

/** A square of about 440 m. */
function areaOf({ lat, lon }: Permit): string {
  return `area ${Math.round((lat ?? 0) / 0.004)} ${Math.round((lon ?? 0) / 0.0052)}`;
}

/** `PERMIT – EXPRESS PERMIT PROGRAM` → `Express Permit Program` */
function typeName(type: string): string {
  const name = type.replace(/^PERMIT\s*[-–]\s*/, '').toLowerCase();
  return name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
}

function parties(permit: Permit): Party[] {
  const contractor = parseText(permit.gc, 500);
  const others = (permit.os ?? '').split(' | ').map((name) => parseText(name, 500));
  const named = distinctValues(others).filter((name) => name !== contractor);
  const list = named.map((name): Party => ({ role: (rules.partyRole({ name }) ?? 'owner') as Party['role'], name }));
  return contractor ? [{ role: 'contractor', name: contractor }, ...list] : list;
}

/** Size of what is built: only a new building's own description states it without doubt. */
function sizes(permit: Permit, description: string): Pick<ProjectDraft, 'totalUnitCount' | 'buildingStories' | 'lotCount'> {
  if (!/NEW CONSTRUCTION/.test(permit.t)) return {};
  // `SECTION 504 DWELLING UNITS` are accessible ones.
  const dwellings = /(?<!\bSECTION )\b(\d+)[- ]?(?:D\.?U\.?S?\b|DWELLING UNITS?)/i.exec(description);
  return {
    totalUnitCount: dwellings ? Number(dwellings[1]) : findUnits(description.replaceAll(/\bSECTION \d+/g, '')),
    buildingStories: findStories(description),
    lotCount: findLots(description),
  };
}

function statusSummary(permit: Permit, issued: string): string {
  const state = parseText(permit.s);
  return `Permit issued on ${issued}${state ? `; status of the permit: ${state.toLowerCase()}` : ''}.`;
}

function toDraft(permit: Permit, issued: string, landUses: LandUse[], fields: Fields, locator: Locator): DraftWithNotes {
  const place = locator.find('Cook County', 'Chicago');
  const { notes, ...point } = toPosition('IL', permit.lat, permit.lon);
  const description = parseText(permit.x);
  const status = rules.status(fields);
  const decisionBody = rules.decisionBody(fields);
  const decisionType = rules.decisionType(fields);
  const project: ProjectDraft = {
    recordType: 'permit',
    displayName: `${typeName(permit.t)}, ${permit.a}`,
    meetingDate: issued,
    address: parseText(permit.a),
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
  for await (const permit of readJsonLines<Permit>(folder, FILE)) neighbours.add(permit);
  const seen = new Set<string>();
  for await (const permit of readJsonLines<Permit>(folder, FILE)) {
    yield seen.has(permit.n) ? rejectOf(permit.n, 1, 'duplicate') : toItem(permit, neighbours, locator);
    seen.add(permit.n);
  }
}

function toItem(permit: Permit, neighbours: Neighbours, locator: Locator): SourceItem {
  const issued = parseDay(permit.d);
  if (!issued) return rejectOf(permit.n, 1, 'no_date');
  const fields = fieldsOf(permit);
  const { landUses, notes: origin } = usesOf(fields, neighbours.usesAround(permit));
  if (landUses.length === 0) return rejectOf(permit.n, 1, 'unclassified');
  const [project, notes] = toDraft(permit, issued, landUses, fields, locator);
  return { kind: 'record', ownId: permit.n, rows: 1, project, notes: [...notes, ...origin] };
}

function usesOf(fields: Fields, around: Fields): { landUses: LandUse[]; notes: string[] } {
  const said = ownWords.landUses(fields);
  if (said.length) return { landUses: said, notes: [] };
  const all = { ...fields, ...around };
  for (const { note, landUses: classify } of inferredUses) {
    const landUses = classify(all);
    if (landUses.length) return { landUses, notes: [note] };
  }
  return { landUses: [], notes: [] };
}

export const ilChicago: SourceAdapter = { name: 'il_chicago', title: 'Chicago building permits', files: [FILE], read };
