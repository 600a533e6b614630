/** From a project's statement to the document Elasticsearch keeps, and back. Pure. */
import { createHash } from 'node:crypto';
import { dataRichness } from '../src/domain/dataRichness.ts';
import type { ProjectStatement } from '../src/domain/project.ts';
import { revisionHash } from '../src/domain/revision.ts';
import { COMPACT_KEYS, FULL_KEYS, IDENTITY_KEYS, type ProjectContent, type StoredProject } from '../src/domain/storedProject.ts';
import { GOVERNMENT_DECISIONS } from '../src/domain/vocabulary.ts';
import { allValues, evidenceOf, hearingsOf, isMerged, pastBeyond } from './evidence.ts';

const compactKeys: ReadonlySet<string> = new Set(COMPACT_KEYS);
const fullKeys: ReadonlySet<string> = new Set(FULL_KEYS);

/** Splits a statement by the representation that first serves each field; null and absent are the same and are dropped. */
export function toContent(statement: ProjectStatement): ProjectContent {
  const compact: Record<string, unknown> = {};
  const standard: Record<string, unknown> = {};
  const full: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(statement)) {
    if (value === null || value === undefined) continue;
    const part = compactKeys.has(key) ? compact : fullKeys.has(key) ? full : standard;
    part[key] = value;
  }
  return { compact: compact as unknown as ProjectContent['compact'], standard, full };
}

export const toStatement = (stored: ProjectContent): ProjectStatement => ({ ...stored.standard, ...stored.full, ...stored.compact });

/** The statement of a project that a new generation has not covered: identity and classification, nothing else (decisions §2). */
export function identityOf(statement: ProjectStatement): ProjectStatement {
  const kept = Object.fromEntries(IDENTITY_KEYS.flatMap((key) => (statement[key] === undefined ? [] : [[key, statement[key]]])));
  return { ...(kept as Partial<ProjectStatement>), id: statement.id };
}

function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).filter(([, v]) => v !== null && v !== undefined);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([k, v]) => [k, canonical(v)]));
}

/** Hash of the served content without `meetingDate` (decisions §2): 32 hexadecimal digits. */
export function contentRevision(statement: ProjectStatement): string {
  const { meetingDate: _, ...content } = statement;
  return createHash('sha256')
    .update(JSON.stringify(canonical(content)))
    .digest('hex')
    .slice(0, 32);
}

export interface Version {
  loadedIn: number;
  lastUpdated: string;
}

/**
 * The stored form of a statement, given the version it replaces (and those it absorbs): what they stated and this one does not is kept
 * as past evidence.
 */
export function toStored(statement: ProjectStatement, replaced: readonly StoredProject[], version: Version): StoredProject {
  const older = replaced.flatMap((r) => [evidenceOf(toStatement(r)), r.past ?? {}]);
  const past = pastBeyond(older, evidenceOf(statement));
  const absorbed = distinctSorted(replaced.flatMap((r) => (r.id === statement.id ? (r.absorbedHearings ?? []) : familyHearings(r))));
  return {
    key: String(statement.id),
    id: statement.id,
    loadedIn: version.loadedIn,
    lastUpdated: version.lastUpdated,
    contentRevision: contentRevision(statement),
    ...(isMerged(statement) ? { hearings: distinctSorted([...hearingsOf(statement), ...absorbed]), absorbedHearings: absorbed } : {}),
    ...(past ? { past } : {}),
    ...toContent(statement),
  };
}

const distinctSorted = (dates: readonly string[]) => [...new Set(dates)].sort();

const familyHearings = (stored: StoredProject) => stored.hearings ?? hearingsOf(toStatement(stored));

/**
 * The document to index: the stored form and, under `derived`, all that is searched and sorted. `derived` is never kept in `_source`:
 * it is made anew whenever a version is written.
 * `today` (`YYYY-MM-DD`, service clock) bounds the newest hearing of a merged development.
 */
export function toDocument(stored: StoredProject, today: string): Record<string, unknown> {
  const statement = toStatement(stored);
  const current = evidenceOf(statement);
  const hearings = stored.hearings ?? (statement.meetingDate ? [statement.meetingDate] : []);
  const values = allValues(current, stored.past);
  values.meetingDate = distinctSorted([...(values.meetingDate ?? []), ...hearings]);
  const derived = {
    memberIds: statement.mergedFrom ?? [statement.id],
    memberCount: statement.mergedFrom?.length ?? 1,
    revisionHash: revisionHash(stored.id, stored.contentRevision),
    isGovernmentDecision: statement.propertyType === GOVERNMENT_DECISIONS,
    stateId: id(statement.stateId),
    countyId: id(statement.countyId),
    cityId: id(statement.cityId),
    location: hasPoint(statement) ? { lat: statement.latitude, lon: statement.longitude } : undefined,
    meetingDate: stored.hearings ? hearings.findLast((date) => date <= today) : statement.meetingDate,
    hearings: hearings.map((date) => ({ date, alone: !stored.hearings })),
    dataRichness: dataRichness(statement),
    totalUnitCount: statement.totalUnitCount,
    acreage: statement.acreage,
    landUses: [
      ...current.landUses.map((use) => ({ ...use, current: true })),
      ...(stored.past?.landUses ?? []).map((use) => ({ ...use, current: false })),
    ],
    evidence: values,
    text: current.text,
    names: current.names,
    partyNames: current.partyNames,
    pastText: stored.past?.text,
    pastNames: stored.past?.names,
    pastPartyNames: stored.past?.partyNames,
  };
  return { ...stored, derived };
}

const id = (value: number | null | undefined) => (value === null || value === undefined ? undefined : String(value));

const hasPoint = (s: ProjectStatement) => typeof s.latitude === 'number' && typeof s.longitude === 'number';
