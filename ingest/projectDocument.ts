/** From a project's statement to the document Elasticsearch keeps, and back. Pure. */
import { createHash } from 'node:crypto';
import { dataRichness } from '../src/domain/dataRichness.ts';
import type { ProjectStatement } from '../src/domain/project.ts';
import { revisionHash } from '../src/domain/revision.ts';
import {
  COMPACT_KEYS,
  type EarlierRevision,
  FULL_KEYS,
  IDENTITY_KEYS,
  type ProjectContent,
  type StoredProject,
} from '../src/domain/storedProject.ts';
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

/** A text that is equal for equal content, whatever the order of keys; nulls count as absent. No two contents share one. */
function canonicalText(value: unknown, except?: string): string {
  if (typeof value === 'string') return `${value.length}:${value}`;
  if (value === null || typeof value !== 'object') return `=${value}`;
  if (Array.isArray(value)) return `[${value.map((item) => canonicalText(item)).join()}]`;
  let text = '{';
  for (const key of Object.keys(value).sort()) {
    const entry = (value as Record<string, unknown>)[key];
    if (entry !== null && entry !== undefined && key !== except) text += `${key}=${canonicalText(entry)},`;
  }
  return `${text}}`;
}

/** A field that is served and no part of a revision (decisions §2). */
const UNREVISED = 'meetingDate';

/** Hash of the served content without `meetingDate` (decisions §2): 32 hexadecimal digits. */
export function contentRevision(statement: ProjectStatement): string {
  return createHash('sha256').update(canonicalText(statement, UNREVISED)).digest('hex').slice(0, 32);
}

/** Replaced revisions that a record remembers; the oldest go first. */
const EARLIER_REVISIONS_MAX = 20;

function changedFields(before: ProjectStatement, after: ProjectStatement): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]) as Set<keyof ProjectStatement>;
  const differs = (name: keyof ProjectStatement) => canonicalText(before[name] ?? null) !== canonicalText(after[name] ?? null);
  return [...names].filter((name) => name !== UNREVISED && differs(name)).sort();
}

/** What a record remembers of the revisions before it once it takes the place of `before`. */
export function earlierRevisions(
  before: StoredProject | undefined,
  after: ProjectStatement,
  { contentRevision: revision, lastUpdated }: Required<Pick<Version, 'contentRevision' | 'lastUpdated'>>,
): EarlierRevision[] {
  if (!before) return [];
  const known = before.earlierRevisions ?? [];
  if (before.contentRevision === revision) return known;
  const replaced = { revision: before.contentRevision, replacedAt: lastUpdated, changed: changedFields(toStatement(before), after) };
  return [...known, replaced].slice(-EARLIER_REVISIONS_MAX);
}

export interface Version {
  loadedIn: number;
  lastUpdated: string;
  /** that of the statement, where it is at hand */
  contentRevision?: string;
}

/**
 * The stored form of a statement, given the version it replaces (and those it absorbs): what they stated and this one does not is kept
 * as past evidence.
 */
export function toStored(statement: ProjectStatement, replaced: readonly StoredProject[], version: Version): StoredProject {
  const revision = version.contentRevision ?? contentRevision(statement);
  const past = pastOf(statement, replaced, revision);
  const before = replaced.find(({ id }) => id === statement.id);
  const earlier = earlierRevisions(before, statement, { contentRevision: revision, lastUpdated: version.lastUpdated });
  const absorbed = distinctSorted(replaced.flatMap((r) => (r.id === statement.id ? (r.absorbedHearings ?? []) : familyHearings(r))));
  return {
    key: String(statement.id),
    id: statement.id,
    loadedIn: version.loadedIn,
    lastUpdated: version.lastUpdated,
    contentRevision: revision,
    ...(isMerged(statement) ? { hearings: distinctSorted([...hearingsOf(statement), ...absorbed]), absorbedHearings: absorbed } : {}),
    ...(past ? { past } : {}),
    ...(earlier.length ? { earlierRevisions: earlier } : {}),
    ...toContent(statement),
  };
}

/** What the replaced versions stated, now or before, and this statement does not. @param revision of the statement */
export function pastOf(statement: ProjectStatement, replaced: readonly StoredProject[], revision: string): StoredProject['past'] {
  const [only, ...others] = replaced;
  if (!only) return undefined;
  const restated = only.contentRevision === revision && only.compact.meetingDate === statement.meetingDate;
  if (restated && !others.length) return only.past;
  const older = replaced.flatMap((r) => [evidenceOf(toStatement(r)), r.past ?? {}]);
  return pastBeyond(older, evidenceOf(statement));
}

const distinctSorted = (dates: readonly string[]) => [...new Set(dates)].sort();

const familyHearings = (stored: StoredProject) => stored.hearings ?? hearingsOf(toStatement(stored));

/**
 * The document to index: the stored form and, under `derived`, all that is searched and sorted. `derived` is never kept in `_source`:
 * it is made anew whenever a version is written.
 * @param today `YYYY-MM-DD`, service clock; bounds the newest hearing of a merged development
 * @param statement that of `stored`, where it is at hand
 */
export function toDocument(stored: StoredProject, today: string, statement = toStatement(stored)): Record<string, unknown> {
  const current = evidenceOf(statement);
  const hearings = stored.hearings ?? (statement.meetingDate ? [statement.meetingDate] : []);
  const values = allValues(current, stored.past);
  values.meetingDate = distinctSorted([...(values.meetingDate ?? []), ...hearings]);
  const derived = {
    memberIds: statement.mergedFrom ?? [statement.id],
    memberCount: statement.mergedFrom?.length ?? 1,
    documentIds: documentIds(statement),
    revisionHash: revisionHash(stored.id, stored.contentRevision),
    isGovernmentDecision: statement.propertyType === GOVERNMENT_DECISIONS,
    stateId: id(statement.stateId),
    countyId: id(statement.countyId),
    cityId: id(statement.cityId),
    location: hasPoint(statement) ? { lat: statement.latitude, lon: statement.longitude } : undefined,
    meetingDate: stored.hearings ? hearings.findLast((date) => date <= today) : statement.meetingDate,
    nextHearing: stored.hearings && hearings.find((date) => date > today),
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

/** Documents that the record names: who may read it may read them. */
function documentIds({ meetingDocumentId, meetingDocuments }: ProjectStatement): number[] {
  const listed = (meetingDocuments ?? []).map((document) => document.meetingDocumentId);
  return [...new Set([...(meetingDocumentId ? [meetingDocumentId] : []), ...listed])];
}

const id = (value: number | null | undefined) => (value === null || value === undefined ? undefined : String(value));

const hasPoint = (s: ProjectStatement) => typeof s.latitude === 'number' && typeof s.longitude === 'number';
