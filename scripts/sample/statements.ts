/** One generation's view of a project: what its line states and what it leaves uncovered. */
import type { StatedName } from '../../src/core/domain/record/fields.ts';
import type { DocumentQuote } from '../../src/core/domain/record/quotes.ts';
import type { Decision, LandUse, MeetingDocumentReference, VoteTotals } from '../../src/core/domain/record/statement.ts';
import { actionTypes } from '../../src/core/domain/vocabulary.ts';
import { dateOf } from './days.ts';
import type { Generation, Hearing, Measures, Project, SampleCorpus, SampleProjectLine } from './model.ts';
import { Random } from './random.ts';
import { actionOf, isDecided } from './stages.ts';
import { formatNumber, originalText, requestPhrase, statusSentence, summaryOf } from './texts.ts';
import { misreadUse, sizeOf } from './uses.ts';

const PERMITS: readonly string[] = ['building_permit', 'demolition_permit', 'sign_permit'];
/** Share of a measurement that an extraction leaves uncovered, by itself and for a newly added project. */
const UNCOVERED_SHARE = 0.22;
const UNCOVERED_SHARE_WHEN_ADDED = 0.85;
const ITEMS_A_PAGE = 3;

/** The hearings that the generation knows of, oldest first: a survivor has those of its whole family. */
export function hearingsIn(project: Project, generation: Generation): Hearing[] {
  if (generation === 1) return project.fate === 'decided' ? project.hearings.slice(0, -1) : project.hearings;
  return [project, ...project.absorbed].flatMap((p) => p.hearings).sort((a, b) => a.day - b.day);
}

/** Whether the generation has a line that states the project. */
export function isCovered(project: Project, generation: Generation): boolean {
  if (generation === 1) return project.fate !== 'added';
  return !['uncovered', 'absorbed', 'deleted'].includes(project.fate);
}

export function statement(project: Project, generation: Generation, corpus: SampleCorpus): SampleProjectLine {
  const random = new Random(corpus.seed, 'coverage', project.id);
  const measures = coveredMeasures(project, generation, random);
  const hearings = hearingsIn(project, generation);
  const line: SampleProjectLine = {
    kind: 'project',
    id: project.id,
    recordType: project.government ? 'government_decision' : 'project',
    projectName: project.name,
    displayName: project.government ? project.name : `${project.name}, ${project.site.city.name}`,
    ...place(project, generation),
    ...use(project, generation, random),
    ...measures,
    projectSize: sizeOf(measures),
    summary: summaryOf(project, measures),
    ...asked(project),
    ...stage(project, hearings),
    ...people(project),
  };
  if (generation === 2) {
    if (project.absorbed.length) line.mergedFrom = [project.id, ...project.absorbed.map((p) => p.id)];
    if (project.fate === 'measuresLost') loseMeasures(line, measures, random);
  }
  const evidence = quotesOf(project, line, hearings.at(-1));
  return evidence.length ? { ...line, evidence } : line;
}

type Said = [field: StatedName, words: string];

/** The sentences of the latest minutes that say what the line states. */
function quotesOf(project: Project, line: SampleProjectLine, last: Hearing | undefined): DocumentQuote[] {
  const { minutes } = last ?? {};
  if (!last || !minutes) return [];
  const { measures } = project;
  const said = (field: keyof Measures, words: (size: string) => string): Said[] => {
    const size = measures[field];
    return typeof size === 'number' && line[field] === size ? [[field, words(formatNumber(size))]] : [];
  };
  const sentences: Said[] = [
    ['status', statusSentence(project, last)],
    ['requestType', requestPhrase(project)],
    ...said('acreage', (size) => `The site has ${size} acres.`),
    ...said('parkingSpaces', (size) => `${size} parking spaces are proposed.`),
    ...said('totalUnitCount', () => project.description),
  ];
  const page = 1 + Math.floor(minutes.document.items.indexOf(minutes.passage) / ITEMS_A_PAGE);
  return sentences.flatMap(([field, words]) =>
    (line[field] ?? null) !== null && minutes.excerpt.includes(words)
      ? [{ field, quote: words, documentId: minutes.document.id, page }]
      : [],
  );
}

function place({ site, absorbed }: Project, generation: Generation) {
  const { city, unincorporated, parcelNumbers, ...rest } = site;
  const { state, stateId, county, countyId } = city;
  const family = generation === 2 ? absorbed.flatMap((p) => p.site.parcelNumbers) : [];
  return {
    ...rest,
    city: city.name,
    cityId: city.id,
    county,
    countyId,
    state,
    stateId,
    parcelNumbers: [...new Set([...parcelNumbers, ...family])],
  };
}

function use(project: Project, generation: Generation, random: Random) {
  const wrong = generation === 1 && project.fate === 'reclassified' && !project.government;
  const landUses: LandUse[] = wrong ? misreadUse(project.landUses, project.subtype, random) : project.landUses;
  const primary = landUses[0];
  return {
    propertyType: primary?.type ?? null,
    propertySubtype: primary?.subtype ?? null,
    assetClass: landUses.find((u) => u.assetClass !== null)?.assetClass ?? null,
    landUses,
    classifications: landUses
      .filter((u, i) => landUses.findIndex((v) => v.type === u.type) === i)
      .map(({ type, role }) => ({ type, role })),
  };
}

function asked(project: Project) {
  const { request, constructionType, existingZoning, proposedZoning } = project;
  return {
    requestType: request,
    isRezone: project.kind.rezones === true,
    constructionType,
    existingZoning,
    proposedZoning,
    staffRecommendation: project.staffRecommendation,
  };
}

/** Everything that follows from the hearings; the last one gives the state of the case. */
function stage(project: Project, hearings: readonly Hearing[]) {
  const [first, last] = [hearings[0], hearings.at(-1)];
  if (!first || !last) throw new Error(`Project ${project.id} was never heard`);
  const action = actionOf(project.kind, last);
  const permitted = PERMITS.includes(project.request) || isDecided(last.status);
  return {
    status: last.status,
    statusSummary: statusSentence(project, last),
    meetingDate: dateOf(last.day),
    firstMeetingDate: dateOf(first.day),
    nextMeetingDate: project.nextMeetingDay === null ? null : dateOf(project.nextMeetingDay),
    appearanceCount: hearings.length,
    decisionBody: last.body,
    decisionType: last.decisionType,
    actionType: action,
    actionCategory: actionTypes.find(action)?.category ?? null,
    isConstructionLead: !project.government && project.constructionType !== null && permitted && last.status !== 'denied',
    hasConstructionDetails: project.measures.squareFootage !== null && project.constructionType !== null,
    caseNumbers: [...new Set([project, ...(hearings.length > project.hearings.length ? project.absorbed : [])].map((p) => p.caseNumber))],
    conditionsOfApproval: last.conditions.length ? last.conditions : null,
    voteTotals: voteTotals(last),
    decisions: hearings.map(decision),
    statusHistory: hearings.map((h) => ({ status: h.status, date: dateOf(h.day), decisionBody: h.body })),
    ...source(hearings, last),
  };
}

/** A hearing as a decision; one at which nothing was decided has a null status. */
const decision = ({ body, decisionType, status, day, motion, votes }: Hearing): Decision => ({
  decisionBody: body,
  decisionType,
  status: status === 'unknown' ? null : status,
  meetingDate: dateOf(day),
  motion,
  votes,
});

function voteTotals({ votes }: Hearing): VoteTotals | null {
  const count = (...kinds: string[]) => votes.filter((v) => kinds.includes(v.vote)).length;
  return votes.length ? { yes: count('yes'), no: count('no'), abstain: count('abstain', 'recused'), absent: count('absent') } : null;
}

/** The minutes that the project's text comes from: those of the latest appearance, then every other found. */
function source(hearings: readonly Hearing[], last: Hearing) {
  const documents = [...new Set(hearings.flatMap((h) => h.minutes?.document ?? []))];
  const original = last.minutes && last.minutes.passage !== last.minutes.excerpt ? originalText(last.minutes.passage) : null;
  return {
    sourceDocumentUrl: last.minutes?.document.url ?? null,
    meetingDocumentId: last.minutes?.document.id ?? null,
    meetingDocuments: documents.map(
      (d): MeetingDocumentReference => ({
        meetingDocumentId: d.id,
        title: d.title,
        decisionBody: d.body,
        meetingDate: dateOf(d.day),
        url: d.url,
      }),
    ),
    rawText: last.minutes?.excerpt ?? null,
    originalRawText: original?.text ?? null,
    originalRawTextTruncated: original?.truncated ?? null,
  };
}

const people = ({ parties, contacts, companyEnrichment }: Project) => ({ parties, contacts, companyEnrichment });

/** The measurements that the generation covers. Generation 1 reads a corrected one too small. */
function coveredMeasures(project: Project, generation: Generation, random: Random): Measures {
  const share = project.fate === 'added' ? UNCOVERED_SHARE_WHEN_ADDED : UNCOVERED_SHARE;
  const entries = Object.entries(project.measures).map(([name, value]) => [name, random.chance(share) ? null : value]);
  const covered: Measures = Object.fromEntries(entries);
  if (covered.totalUnitCount === null) covered.unitMix = null;
  if (generation === 1 && project.fate === 'corrected') {
    if (covered.acreage !== null) covered.acreage = Number(((covered.acreage * 5) / 6).toFixed(2));
    else if (covered.squareFootage !== null) covered.squareFootage = Math.round(covered.squareFootage * 0.9);
  }
  return covered;
}

/** Leaves out at least half of the measurements that generation 1 stated, the unit mix together with its total. */
function loseMeasures(line: SampleProjectLine, measures: Measures, random: Random): void {
  const stated = (Object.keys(measures) as (keyof Measures)[]).filter((name) => measures[name] !== null);
  for (const name of random.some(stated, Math.ceil(stated.length / 2))) delete line[name];
  if (line.totalUnitCount === undefined) delete line.unitMix;
}
