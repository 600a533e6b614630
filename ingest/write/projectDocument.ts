/** From a project's statement to the version that Elasticsearch keeps, with all that is searched. Pure. */
import { isDeepStrictEqual } from 'node:util';
import { lazily } from '../../src/core/domain/lazily.ts';
import { hearingsOf, processSpanOf } from '../../src/core/domain/process/hearings.ts';
import { daysToDecision, outcomeText } from '../../src/core/domain/process/outcome.ts';
import { bodyKeysOf } from '../../src/core/domain/record/bodyMeetings.ts';
import { withEvidence } from '../../src/core/domain/record/fields.ts';
import { matchKeys } from '../../src/core/domain/record/matchKeys.ts';
import type { DocumentQuote } from '../../src/core/domain/record/quotes.ts';
import { factsOf, READING_NAMES, type Readable, readingOf } from '../../src/core/domain/record/readings.ts';
import { renderProject } from '../../src/core/domain/record/rendered.ts';
import { revisionHash } from '../../src/core/domain/record/revisionHash.ts';
import { computeRichness } from '../../src/core/domain/record/richness.ts';
import type { ProjectStatement } from '../../src/core/domain/record/statement.ts';
import { type StoredEvidence, type StoredProject, TEXT_EVIDENCE } from '../../src/core/domain/record/storedProject.ts';
import { stemText, stemWords } from '../../src/core/domain/stems.ts';
import { GOVERNMENT_DECISIONS } from '../../src/core/domain/vocabulary.ts';
import { distinct, evidenceOf, isMerged, toSearchedEvidence } from './evidence.ts';
import { absorbMembers, familyEvidence, inheritEvidence, NO_EVIDENCE, pastEvidenceOf, toPastEvidence } from './pastEvidence.ts';
import { toContent, toStatement } from './projectContent.ts';
import { earlierRevisions, reviseRecord } from './revisions.ts';

/** What a new version takes the place of. */
export interface Replaced {
  /** the version of the same record */
  before?: StoredProject | undefined;
  /** other records that it absorbs */
  members?: readonly StoredProject[];
  /** true where no file of the generation states the record */
  uncovered?: true | undefined;
  /** words of documents that prove what the statement says */
  quotes?: readonly DocumentQuote[] | null | undefined;
  /** of the line that states it */
  lineHash?: string | undefined;
  /** true where it is not served now: a copy has to learn of it, whatever it says */
  returns?: boolean;
  /** true where it was absorbed and a line states it on its own again: what it stated before stays evidence of that family alone */
  withoutPast?: boolean;
  /** hearings that absorbed records brought, where some of those are given back */
  absorbedHearings?: readonly string[] | undefined;
  /** ids that it gives back */
  unmerge?: readonly number[];
}

export interface WriteContext {
  loadedIn: number;
  /** `YYYY-MM-DD`, service clock */
  today: string;
  /** the next time of change */
  stamp: () => string;
  /** that the version is of */
  generation: number;
  /** of versions that do not say since when they are stated */
  generationBefore: number;
}

interface NewVersion {
  version: StoredProject;
  /** what is indexed besides it, made when it is asked for */
  indexed: () => Record<string, unknown>;
  /** true if no answer can tell it from the version that it replaces, but for its meeting date */
  unchanged: boolean;
}

/** The version of a record that a statement makes: its revision, time of change, evidence and hearings follow from what it replaces. */
export function makeVersion(statement: ProjectStatement, replaced: Replaced, context: WriteContext): NewVersion {
  const { loadedIn, today, stamp, generation, generationBefore } = context;
  const {
    before,
    members = [],
    uncovered,
    quotes,
    lineHash,
    returns,
    withoutPast,
    absorbedHearings = before?.absorbedHearings,
    unmerge = [],
  } = replaced;
  const isEarlier = ({ statedSince = generationBefore }: StoredProject) => statedSince < generation;
  const { unchanged, ...revision } = reviseRecord(before, statement);
  const lastUpdated = before && unchanged && !returns ? before.lastUpdated : stamp();
  const heard = isMerged(statement) ? hearingsOfFamily(statement, absorbedHearings, members) : undefined;
  const current = lazily(() => evidenceOf(statement, heard?.hearings));
  const isRestated = unchanged && isDeepStrictEqual(before?.hearings, heard?.hearings);
  const { past, absorbed } = withoutPast
    ? inheritEvidence(undefined, false)
    : inheritEvidence(before, before !== undefined && isEarlier(before), isRestated ? current() : undefined);
  const family = absorbMembers(absorbed, members, isEarlier).filter(({ id }) => statement.mergedFrom?.includes(id));
  const gaveBack = distinct([...(before?.gaveBack ?? []), ...unmerge]).filter((id) => !statement.mergedFrom?.includes(id));
  const keptPast = past === NO_EVIDENCE ? undefined : toPastEvidence(past, current());
  const earlier = earlierRevisions(before, () => statement, revision, lastUpdated);
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
    ...(uncovered ? { uncovered } : {}),
    ...(quotes?.length ? { quotes: [...quotes], quotedIn: loadedIn } : {}),
    // What becomes of a family, other lines say, too.
    ...(lineHash && !isMerged(statement) ? { lineHash } : {}),
    ...toContent(statement),
  };
  return { version, indexed: () => searchedFieldsOf(version, today, { statement, current: current(), past }), unchanged };
}

const distinctSorted = (dates: readonly string[]) => distinct(dates).sort();

function hearingsOfFamily(
  statement: ProjectStatement,
  known: readonly string[] | undefined,
  members: readonly StoredProject[],
): Pick<StoredProject, 'hearings' | 'absorbedHearings'> {
  const brought = members.flatMap((member) => member.hearings ?? hearingsOf(toStatement(member)));
  const absorbedHearings = distinctSorted([...(known ?? []), ...brought]);
  return { hearings: distinctSorted([...hearingsOf(statement), ...absorbedHearings]), absorbedHearings };
}

/** What has been worked out of a version already. */
interface Known {
  statement: ProjectStatement;
  /** evidence of the statement, and of what earlier generations stated of the record itself */
  current: StoredEvidence;
  past: StoredEvidence;
}

function toKnown(stored: StoredProject): Known {
  const statement = toStatement(stored);
  const current = evidenceOf(statement, stored.hearings);
  return { statement, current, past: pastEvidenceOf(stored, current) };
}

/**
 * What is indexed besides the stored form: under `derived`, all that is searched and sorted. `derived` is never kept in `_source`: it is made
 * again whenever a version is written.
 * @param today `YYYY-MM-DD`, service clock; bounds the newest hearing of a merged development
 */
export function searchedFieldsOf(
  stored: StoredProject,
  today: string,
  { statement, current, past: own }: Known = toKnown(stored),
): { derived: Record<string, unknown> } {
  const hearings = stored.hearings ?? (statement.meetingDate ? [statement.meetingDate] : []);
  const { now, past } = familyEvidence(own, stored.absorbed ?? []);
  const { values, evidenceOnly, text, pastText } = toSearchedEvidence(current, now, past);
  const derived = {
    memberIds: statement.mergedFrom ?? [statement.id],
    memberCount: statement.mergedFrom?.length ?? 1,
    documentIds: documentIds(statement, stored.quotes),
    quotedIds: stored.quotes && distinct(stored.quotes.map(({ documentId }) => documentId)),
    revisionHash: revisionHash(stored.id, stored.contentRevision),
    isGovernmentDecision: statement.propertyType === GOVERNMENT_DECISIONS,
    stateId: id(statement.stateId),
    countyId: id(statement.countyId),
    cityId: id(statement.cityId),
    ...bodyKeysOf(statement),
    match: matchKeysOf(statement, [now, past]),
    location: hasPoint(statement) ? { lat: statement.latitude, lon: statement.longitude } : undefined,
    meetingDate: stored.hearings ? hearings.findLast((date) => date <= today) : statement.meetingDate,
    nextHearing: stored.hearings && hearings.find((date) => date > today),
    hearings: hearings.map((date) => ({ date, alone: !stored.hearings })),
    dataRichness: computeRichness(statement),
    ...measurementsOf(statement, current),
    ...processOf({ statement, hearings: stored.hearings }),
    landUses: statement.landUses,
    evidence: { ...values, meetingDate: hearings },
    evidenceOnly,
    text: text(TEXT_EVIDENCE),
    prose: proseOf(statement, current),
    names: text(NAMES),
    partyNames: text(PARTIES),
    pastText: pastText(TEXT_EVIDENCE),
    pastNames: pastText(NAMES),
    pastPartyNames: pastText(PARTIES),
    rendered: renderProject(stored, evidenceOnly),
  };
  return { derived };
}

/**
 * What rows of a client's list find the record by: what it states and what absorbed records do, and of what neither states what others stated.
 * @param layers evidence of absorbed records, and of earlier generations
 */
function matchKeysOf(statement: ProjectStatement, [now, past]: readonly [StoredEvidence, StoredEvidence]) {
  const texts = (name: 'parcelNumbers' | 'caseNumbers' | 'address') => {
    const known = [...[statement[name] ?? []].flat(), ...(now.texts[name] ?? [])];
    return known.length ? known : (past.texts[name] ?? []);
  };
  const [parcelNumbers, caseNumbers, addresses] = [texts('parcelNumbers'), texts('caseNumbers'), texts('address')];
  return matchKeys({ parcelNumbers, caseNumbers, addresses, city: statement.city });
}

/** Documents that the record names: who may read it may read them. */
function documentIds({ meetingDocumentId, meetingDocuments }: ProjectStatement, quotes: readonly DocumentQuote[] = []): number[] {
  const listed = (meetingDocuments ?? []).map((document) => document.meetingDocumentId);
  return [...new Set([...(meetingDocumentId ? [meetingDocumentId] : []), ...listed, ...quotes.map(({ documentId }) => documentId)])];
}

const MEASUREMENTS = withEvidence('number');
const MEASURED_READINGS = READING_NAMES.filter((name) => readingOf(name).facet?.kind === 'measurement');

/** What the current generation states, which is what answers show: sums and orders take no other. */
const measurementsOf = (statement: ProjectStatement, { values }: StoredEvidence) => ({
  ...Object.fromEntries(MEASUREMENTS.map((name) => [name, statement[name]])),
  ...Object.fromEntries(MEASURED_READINGS.map((name) => [name, values[name]?.[0]])),
});

/** The course of a project as odds reckon with it: what the current generation states, like measurements. */
function processOf(readable: Readable) {
  const [facts, span] = [factsOf(readable), processSpanOf(readable.statement, readable.hearings)];
  return {
    outcome: facts && outcomeText(facts),
    firstHearing: span?.first,
    daysToDecision: facts && span && daysToDecision(facts, span),
  };
}

/** Texts that the record states, as AI search looks for them; of most of them the words are known already. */
const proseOf = (statement: ProjectStatement, { texts }: StoredEvidence): string[] => [
  ...TEXT_EVIDENCE.flatMap((name) => texts[name] ?? []).map(stemWords),
  ...[statement.originalRawText, statement.staffRecommendation].flatMap((text) => (text ? [stemText(text)] : [])),
];

const NAMES = withEvidence('names');
const PARTIES = withEvidence('parties');

const id = (value: number | null | undefined) => (value === null || value === undefined ? undefined : String(value));

const hasPoint = (s: ProjectStatement) => typeof s.latitude === 'number' && typeof s.longitude === 'number';
