/**
 * Building permits of Chicago, 2024–26 (`permits.ndjson.gz`, one permit a line; no licence to redistribute, so no row of it is committed).
 *
 * Columns: n permit number (own id) · s status · t type · r review · wt kind of express work · d day of issue · a address · lat, lon ·
 * gc general contractor · os other names on the permit, separated by ' | ' · x description. Ward (w), community area (ca, cn), cost (c)
 * and street have no field in the record and are left out.
 *
 * A permit whose own words name no use has none: what other permits of its address or street say is not said of it. Names of `os` are called
 * 'other applicants and contractors' by the permits, so that who is no contractor by its name counts as an applicant.
 */
import type { Party } from '../../../src/core/domain/record/statement.ts';
import { recordOf, rejectOf } from '../items.ts';
import { Locator } from '../location.ts';
import { findLots, findStories, findUnits, withoutSurroundings } from '../phrases.ts';
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

function fieldsOf(permit: Permit): Fields {
  return {
    type: permit.t,
    work: permit.wt ?? '',
    text: withoutSurroundings((permit.x ?? '').replace(/\b(?:\d+ NON-|0 )(?:RESIDENTIAL|DWELLING) UNITS?(?:\(S\))?/gi, '')),
    status: permit.s ?? '',
    issued: parseDay(permit.d) ?? '',
  };
}

/** `PERMIT – EXPRESS PERMIT PROGRAM` → `Express Permit Program` */
function typeName(type: string): string {
  const name = type.replace(/^PERMIT\s*[-–]\s*/, '').toLowerCase();
  return name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
}

function parties(permit: Permit): Party[] {
  const namesIn = (list: string | null) => distinctValues((list ?? '').split(' | ').map((name) => parseText(name, 500)));
  const contractors = namesIn(permit.gc);
  const named = namesIn(permit.os).filter((name) => !contractors.includes(name) && !/^owner acting as/i.test(name));
  // Of several names, a permit for a new contractor does not tell which one that is.
  const text = named.length === 1 ? (permit.x ?? '') : '';
  const list = named.map((name): Party => ({ role: (rules.partyRole({ name, text }) ?? 'applicant') as Party['role'], name }));
  return [...contractors.map((name): Party => ({ role: 'contractor', name })), ...list];
}

/** Size of what is built: only a new building's own description states it without doubt. */
function sizes(permit: Permit, description: string): Pick<ProjectDraft, 'totalUnitCount' | 'buildingStories' | 'lotCount'> {
  if (!/NEW CONSTRUCTION/.test(permit.t)) return {};
  // `SECTION 504 DWELLING UNITS` are accessible ones.
  const words = description.replaceAll(/\bSECTION \d+/g, '');
  return { totalUnitCount: findUnits(words), buildingStories: findStories(words), lotCount: findLots(words) };
}

function statusSummary(permit: Permit, issued: string | null): string {
  const state = parseText(permit.s);
  return `Permit issued on ${issued ?? 'an unstated day'}${state ? `; status of the permit: ${state.toLowerCase()}` : ''}.`;
}

function toDraft(permit: Permit, locator: Locator): DraftWithNotes {
  const stated = { county: 'Cook County', city: 'Chicago', latitude: permit.lat, longitude: permit.lon };
  const { notes, ...place } = locator.find(stated);
  const fields = fieldsOf(permit);
  const issued = parseDay(permit.d);
  const description = parseText(permit.x);
  const status = rules.status(fields);
  const approved = status === 'approved' ? issued : null;
  const decisionBody = rules.decisionBody(fields);
  const decisionType = rules.decisionType(fields);
  const project: ProjectDraft = {
    recordType: 'permit',
    displayName: `${typeName(permit.t)}, ${permit.a}`,
    meetingDate: status === 'withdrawn' ? null : issued,
    address: parseText(permit.a),
    ...place,
    ...useFields(rules.landUses(fields)),
    status,
    summary: description,
    statusSummary: statusSummary(permit, issued),
    ...actionFields(rules, fields),
    decisionBody,
    decisionType,
    ...sizes(permit, description ?? ''),
    parties: parties(permit),
    // A permit that was suspended, revoked, cancelled or has expired is approved no more; since when is not stated.
    decisions: approved ? [{ decisionBody, decisionType, status, meetingDate: approved }] : [],
    statusHistory: approved ? [{ status: 'approved', date: approved, decisionBody }] : [],
    rawText: description,
    caseNumbers: [permit.n],
  };
  return [project, notes];
}

const FILE = 'permits.ndjson.gz';

async function* read({ folder, places }: ReadContext): AsyncGenerator<SourceItem> {
  const locator = new Locator(places, 'IL');
  const seen = new Set<string>();
  for await (const permit of readJsonLines<Permit>(folder, FILE)) {
    yield seen.has(permit.n) ? rejectOf(permit.n, [permit], 'duplicate') : recordOf(permit.n, [permit], toDraft(permit, locator));
    seen.add(permit.n);
  }
}

export const ilChicago: SourceAdapter = { name: 'il_chicago', title: 'Chicago building permits', files: [FILE], read };
