/** Makes the version that Elasticsearch stores from a project's statement, with the searched fields. Pure. */
import { isDeepStrictEqual } from 'node:util';
import { lazily } from '../../src/core/domain/lazily.ts';
import { listCancelledMeetings } from '../../src/core/domain/process/cancelledHearings.ts';
import { collectHearings, findProcessSpan } from '../../src/core/domain/process/hearings.ts';
import { daysToDecision, writeOutcomeText } from '../../src/core/domain/process/outcome.ts';
import { bodyKeysOf } from '../../src/core/domain/record/bodyMeetings.ts';
import { withEvidence } from '../../src/core/domain/record/fields.ts';
import { matchKeys } from '../../src/core/domain/record/matchKeys.ts';
import type { DocumentQuote } from '../../src/core/domain/record/quotes.ts';
import { READING_NAMES, type Readable, readingOf, readOutcomeFacts } from '../../src/core/domain/record/readings.ts';
import { renderProject } from '../../src/core/domain/record/rendered.ts';
import { revisionHash } from '../../src/core/domain/record/revisionHash.ts';
import { computeRichness } from '../../src/core/domain/record/richness.ts';
import type { ProjectStatement } from '../../src/core/domain/record/statement.ts';
import { type StoredEvidence, type StoredProject, TEXT_ATTRIBUTES } from '../../src/core/domain/record/storedProject.ts';
import { stemText, stemWords } from '../../src/core/domain/stems.ts';
import { GOVERNMENT_DECISIONS } from '../../src/core/domain/vocabulary.ts';
import { isOutside } from '../findings/placeFaults.ts';
import { collectEvidence, distinct, isMerged, toSearchedEvidence } from './matchedEvidence.ts';
import { absorbMembers, collectPastEvidence, inheritEvidence, NO_EVIDENCE, toPastEvidence, uniteFamilyEvidence } from './pastEvidence.ts';
import { toContent, toStatement } from './projectContent.ts';
import { listEarlierRevisions, listServedRevisions, reviseRecord } from './revisions.ts';

/** What a new version replaces, and what it is made from besides its statement. */
export interface Replaced {
  /** the version of the same record */
  before?: StoredProject | undefined;
  /** records that it absorbs */
  members?: readonly StoredProject[];
  /** true if no file of the generation states the record */
  uncovered?: true | undefined;
  /** quotes of documents that prove the statement */
  quotes?: readonly DocumentQuote[] | null | undefined;
  /** hash of the line that states it */
  lineHash?: string | undefined;
  /** hash of its text alone */
  textHash?: string | undefined;
  /** true if the record is not served now: sync must report it even with unchanged content */
  returns?: boolean;
  /** true if the record was absorbed and a line states it on its own again: its earlier evidence stays with the family */
  withoutPast?: boolean;
  /** hearings contributed by the remaining absorbed records, if others are unmerged */
  absorbedHearings?: readonly string[] | undefined;
  /** ids of absorbed records that it unmerges */
  unmerge?: readonly number[];
  /** its served revisions before it was removed, if it returns */
  servedBefore?: string[] | undefined;
}

export interface WriteContext {
  loadedIn: number;
  /** `YYYY-MM-DD`, service clock */
  today: string;
  /** returns the next time of change */
  stamp: () => string;
  /** generation of the version */
  generation: number;
  /** newest time of change that is served, milliseconds since 1970; all are if unset */
  servedUntil?: number | undefined;
  /** whether a point lies outside the place that is stated; by the outlines of the product where left out */
  isOutside?: typeof isOutside | undefined;
}

interface NewVersion {
  version: StoredProject;
  /** makes the derived fields that are indexed with it */
  indexed: () => Record<string, unknown>;
  /** true if no answer can tell it from the version that it replaces, except by its meeting date */
  unchanged: boolean;
}

/** Makes the version of a record from its statement; revision, time of change, evidence and hearings depend on what it replaces. */
export function makeRecordVersion(statement: ProjectStatement, replaced: Replaced, context: WriteContext): NewVersion {
  const { loadedIn, today, stamp, generation } = context;
  const {
    before,
    members = [],
    uncovered,
    quotes,
    lineHash,
    textHash,
    returns,
    withoutPast,
    absorbedHearings = before?.absorbedHearings,
    unmerge = [],
    servedBefore = [],
  } = replaced;
  const isEarlier = ({ statedSince }: StoredProject) => statedSince < generation;
  const { unchanged, ...revision } = reviseRecord(before, statement, textHash);
  const lastUpdated = before && unchanged && !returns ? before.lastUpdated : stamp();
  const heard = isMerged(statement) ? collectFamilyHearings(statement, absorbedHearings, members) : undefined;
  const current = lazily(() => collectEvidence(statement, heard?.hearings));
  const isRestated = unchanged && isDeepStrictEqual(before?.hearings, heard?.hearings);
  const { past, absorbed } = withoutPast
    ? inheritEvidence(undefined, false)
    : inheritEvidence(before, before !== undefined && isEarlier(before), isRestated ? current() : undefined);
  const family = absorbMembers(absorbed, members, isEarlier).filter(({ id }) => statement.mergedFrom?.includes(id));
  const gaveBack = distinct([...(before?.gaveBack ?? []), ...unmerge]).filter((id) => !statement.mergedFrom?.includes(id));
  const keptPast = past === NO_EVIDENCE ? undefined : toPastEvidence(past, current());
  const earlier = listEarlierRevisions(before, () => statement, revision, lastUpdated);
  const served = before ? listServedRevisions(before, revision, context.servedUntil) : servedBefore;
  const version: StoredProject = {
    key: String(statement.id),
    id: statement.id,
    loadedIn,
    statedSince: generation,
    lastUpdated,
    ...revision,
    ...heard,
    ...(keptPast ? { past: keptPast } : {}),
    ...(family.length ? { absorbed: family } : {}),
    ...(gaveBack.length ? { gaveBack: gaveBack.sort((a, b) => a - b) } : {}),
    ...(earlier.length ? { earlierRevisions: earlier } : {}),
    ...(served.length ? { servedRevisions: served } : {}),
    ...(uncovered ? { uncovered } : {}),
    ...((context.isOutside ?? isOutside)(statement) ? { locationDoubtful: true as const } : {}),
    ...(quotes?.length ? { quotes: [...quotes], quotedIn: loadedIn } : {}),
    // Other lines of the file can change a family too.
    ...(lineHash && !isMerged(statement) ? { lineHash, ...(textHash ? { textHash } : {}) } : {}),
    ...toContent(statement),
  };
  return { version, indexed: () => makeSearchedFields(version, today, { statement, current: current(), past }), unchanged };
}

const sortDistinct = (dates: readonly string[]) => distinct(dates).sort();

function collectFamilyHearings(
  statement: ProjectStatement,
  known: readonly string[] | undefined,
  members: readonly StoredProject[],
): Pick<StoredProject, 'hearings' | 'absorbedHearings'> {
  const brought = members.flatMap((member) => member.hearings ?? collectHearings(toStatement(member)));
  const absorbedHearings = sortDistinct([...(known ?? []), ...brought]);
  return { hearings: sortDistinct([...collectHearings(statement), ...absorbedHearings]), absorbedHearings };
}

/** Intermediate results about a version. */
interface Known {
  statement: ProjectStatement;
  /** evidence of the statement, and evidence of earlier generations about the record itself */
  current: StoredEvidence;
  past: StoredEvidence;
}

function toKnown(stored: StoredProject): Known {
  const statement = toStatement(stored);
  const current = collectEvidence(statement, stored.hearings);
  return { statement, current, past: collectPastEvidence(stored, current) };
}

/**
 * The fields under `derived` that are searched and sorted by. They are not stored in `_source`, but derived again whenever a version is written.
 * @param today `YYYY-MM-DD`, service clock; upper bound of the newest hearing of a merged development
 */
export function makeSearchedFields(
  stored: StoredProject,
  today: string,
  { statement, current, past: own }: Known = toKnown(stored),
): { derived: Record<string, unknown> } {
  const hearings = stored.hearings ?? (statement.meetingDate ? [statement.meetingDate] : []);
  const { now, past } = uniteFamilyEvidence(own, stored.absorbed ?? []);
  const { values, evidenceOnly, text, pastText } = toSearchedEvidence(current, now, past);
  const derived = {
    memberIds: statement.mergedFrom ?? [statement.id],
    memberCount: statement.mergedFrom?.length ?? 1,
    documentIds: listDocumentIds(statement, stored.quotes),
    quotedIds: stored.quotes && distinct(stored.quotes.map(({ documentId }) => documentId)),
    revisionHash: revisionHash(stored.id, stored.contentRevision),
    isGovernmentDecision: statement.propertyType === GOVERNMENT_DECISIONS,
    stateId: id(statement.stateId),
    countyId: id(statement.countyId),
    cityId: id(statement.cityId),
    ...bodyKeysOf(statement),
    // Of a record that its generation does not state it is not known whether it is heard.
    cancelledMeetings: stored.uncovered ? [] : listCancelledMeetings(statement, stored.earlierRevisions ?? [], today),
    match: matchKeysOf(statement, [now, past]),
    location: hasPoint(statement) && !stored.locationDoubtful ? { lat: statement.latitude, lon: statement.longitude } : undefined,
    meetingDate: stored.hearings ? hearings.findLast((date) => date <= today) : statement.meetingDate,
    nextHearing: stored.hearings && hearings.find((date) => date > today),
    hearings: hearings.map((date) => ({ date, alone: !stored.hearings })),
    dataRichness: computeRichness(statement),
    ...readMeasurements(statement, current),
    ...makeProcessFields({ statement, hearings: stored.hearings }),
    landUses: statement.landUses,
    evidence: { ...values, meetingDate: hearings },
    evidenceOnly,
    text: text(TEXT_ATTRIBUTES),
    prose: collectProse(statement, current),
    names: text(NAMES),
    partyNames: text(PARTIES),
    pastText: pastText(TEXT_ATTRIBUTES),
    pastNames: pastText(NAMES),
    pastPartyNames: pastText(PARTIES),
    rendered: renderProject(stored, evidenceOnly),
  };
  return { derived };
}

/**
 * The keys by which rows of a client's list match the record: from its statement and those of absorbed records, else from earlier ones.
 * @param layers evidence of absorbed records, and of earlier generations
 */
function matchKeysOf(statement: ProjectStatement, [now, past]: readonly [StoredEvidence, StoredEvidence]) {
  const texts = (name: 'parcelNumbers' | 'caseNumbers' | 'address' | 'zipCode') => {
    const known = [...[statement[name] ?? []].flat(), ...(now.texts[name] ?? [])];
    return known.length ? known : (past.texts[name] ?? []);
  };
  const [parcelNumbers, caseNumbers, addresses] = [texts('parcelNumbers'), texts('caseNumbers'), texts('address')];
  const { city, stateId, countyId } = statement;
  return matchKeys({ parcelNumbers, caseNumbers, addresses, zipCodes: texts('zipCode'), city, stateId, countyId });
}

/** Ids of the documents that the record refers to: whoever may read the record may read them. */
function listDocumentIds({ meetingDocumentId, meetingDocuments }: ProjectStatement, quotes: readonly DocumentQuote[] = []): number[] {
  const listed = (meetingDocuments ?? []).map((document) => document.meetingDocumentId);
  return [...new Set([...(meetingDocumentId ? [meetingDocumentId] : []), ...listed, ...quotes.map(({ documentId }) => documentId)])];
}

const MEASUREMENTS = withEvidence('number');
const MEASURED_READINGS = READING_NAMES.filter((name) => readingOf(name).facet?.kind === 'measurement');

const NO_MEASUREMENTS: Record<string, unknown> = JSON.parse(
  `{${[...MEASUREMENTS, ...MEASURED_READINGS].map((name) => `"${name}":null`).join()}}`,
);

/** Values of the current generation, which answers show: sums and sort orders use no others. */
function readMeasurements(statement: ProjectStatement, { values }: StoredEvidence): Record<string, unknown> {
  const measured = { ...NO_MEASUREMENTS };
  for (const name of MEASUREMENTS) measured[name] = statement[name];
  for (const name of MEASURED_READINGS) measured[name] = values[name]?.[0];
  return measured;
}

/** The course of a project, from which odds are computed: of the current generation only, like measurements. */
function makeProcessFields(readable: Readable) {
  const [facts, span] = [readOutcomeFacts(readable), findProcessSpan(readable.statement, readable.hearings)];
  return {
    outcome: facts && writeOutcomeText(facts),
    firstHearing: span?.first,
    daysToDecision: facts && span && daysToDecision(facts, span),
  };
}

/** Texts of the record that AI search searches; the words of most of them have been extracted already. */
const collectProse = (statement: ProjectStatement, { texts }: StoredEvidence): string[] => [
  ...TEXT_ATTRIBUTES.flatMap((name) => texts[name] ?? []).map(stemWords),
  ...[statement.originalRawText, statement.staffRecommendation].flatMap((text) => (text ? [stemText(text)] : [])),
];

const NAMES = withEvidence('names');
const PARTIES = withEvidence('parties');

const id = (value: number | null | undefined) => (value === null || value === undefined ? undefined : String(value));

const hasPoint = (s: ProjectStatement) => typeof s.latitude === 'number' && typeof s.longitude === 'number';
