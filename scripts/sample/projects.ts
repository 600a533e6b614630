/** Makes a project of a docket with all its true facts; each generation later states a part of them. */
import classNames from './data/classNames.json' with { type: 'json' };
import government from './data/government.json' with { type: 'json' };
import names from './data/names.json' with { type: 'json' };
import texts from './data/texts.json' with { type: 'json' };
import { meetingOnOrBefore, yearOf } from './days.ts';
import { GOVERNMENT_SHARE } from './fixtures.ts';
import { companyOf, enrichmentOf, filingContacts, partiesOf } from './inventedPeople.ts';
import {
  type Extras,
  type Fate,
  type Hearing,
  type Measures,
  NO_MEASURES,
  type Project,
  type SampleCity,
  type SampleCorpus,
} from './model.ts';
import { Random } from './random.ts';
import { constructionFor, pickRequest, requestKind, zoningFor } from './requests.ts';
import { siteNear, siteOfGovernment } from './sites.ts';
import { hearingsOf } from './stages.ts';
import { describe } from './texts.ts';
import { governmentUse, landUsesOf, measuresOf, pickSubtype, profileOf } from './uses.ts';

interface ProjectSeed {
  id: number;
  index: number;
  fate: Fate;
  city: SampleCity;
  /** the newest hearing is the body's last meeting on or before this day */
  latest: number;
}

/** What projects of a class are called, where the names of its subtype would not fit */
const CLASS_NAMES: Record<string, string[]> = classNames;
const DECISIONS: Record<string, (typeof government)[keyof typeof government]> = government;
const DECISION_WEIGHTS = Object.fromEntries(Object.entries(government).map(([assetClass, { weight }]) => [assetClass, weight]));
const AWAITING: readonly string[] = ['continued', 'tabled', 'pending', 'recommended_approval', 'recommended_denial'];

/** A development or, once in a while, a government decision. A sibling is the survivor whose later phase this one is. */
export function makeProject(birth: ProjectSeed, corpus: SampleCorpus, sibling?: Project): Project {
  const random = new Random(corpus.seed, 'project', birth.id);
  const family = birth.fate === 'survivor' || birth.fate === 'absorbed';
  const isGovernment = random.chance(GOVERNMENT_SHARE) && !family;
  const project = isGovernment ? governmentDecision(birth, random, corpus) : development(birth, random, corpus, sibling);
  return { ...project, nextMeetingDay: nextMeeting(project.hearings, birth.city.id, corpus, random) };
}

function development(birth: ProjectSeed, random: Random, corpus: SampleCorpus, sibling: Project | undefined): Project {
  const { id, index, fate, city } = birth;
  const subtype = sibling?.subtype ?? pickSubtype(random);
  const profile = profileOf(subtype);
  const site = sibling ? { ...siteNear(city, random, corpus), ...siteBeside(sibling, random) } : siteNear(city, random, corpus);
  const landUses = landUsesOf(subtype, random);
  const primary = landUses[0] ?? { type: '', subtype: null, assetClass: null };
  const { megawatts, beds, ...measures }: Measures & Extras = measuresOf(profile, primary.assetClass ?? null, random);
  const request = sibling?.request ?? pickRequest(profile, primary.assetClass ?? null, site, random);
  const kind = requestKind(request);
  const zoning = zoningFor(profile, request, random);
  const developer = sibling?.developer ?? companyOf(profile.by, city, random, corpus);
  const hearings = hearingsOf({ kind, site, latest: birth.latest, decidedSince: fate === 'decided' }, random, corpus);
  return {
    id,
    index,
    fate,
    government: false,
    name: sibling
      ? `${sibling.name}, Phase ${sibling.absorbed.length + 2}`
      : nameOf(CLASS_NAMES[primary.assetClass ?? ''] ?? profile.names, random),
    site,
    subtype,
    landUses,
    description: describe(primary, { ...measures, megawatts, beds }, profile.tail),
    measures,
    request,
    kind,
    constructionType: constructionFor(profile, request, random),
    existingZoning: zoning.existing,
    proposedZoning: zoning.proposed,
    variance: random.pick(texts.variances),
    caseNumber: caseNumber(kind.case, hearings, random),
    developer,
    parties: sibling?.parties ?? partiesOf(developer, city, random, corpus),
    contacts: filingContacts(developer, city, random, corpus),
    companyEnrichment: enrichmentOf(developer, random),
    staffRecommendation: random.chance(0.4) ? null : random.pick(texts.recommendations),
    hearings,
    nextMeetingDay: null,
    absorbed: [],
  };
}

function governmentDecision({ id, index, fate, city, latest }: ProjectSeed, random: Random, corpus: SampleCorpus): Project {
  const assetClass = random.weighted(DECISION_WEIGHTS);
  const decision = DECISIONS[assetClass];
  if (!decision) throw new Error(`No government decision '${assetClass}'`);
  const { request } = decision;
  const landUse = governmentUse(assetClass);
  const kind = requestKind(request);
  const ownKind = {
    ...kind,
    action: decision.action,
    phrase: 'for adoption',
    steps: request === 'other_request' ? (['council'] as const).slice() : kind.steps,
  };
  const site = siteOfGovernment(city);
  const hearings = hearingsOf({ kind: ownKind, site, latest, decidedSince: fate === 'decided' }, random, corpus);
  const name = `${city.name} ${random.pick(decision.names)}`;
  return {
    id,
    index,
    fate,
    government: true,
    name,
    site,
    subtype: landUse.subtype,
    landUses: [landUse],
    description: name,
    measures: NO_MEASURES,
    request,
    kind: ownKind,
    constructionType: null,
    existingZoning: null,
    proposedZoning: null,
    variance: '',
    caseNumber: caseNumber('GOV', hearings, random),
    developer: null,
    parties: [],
    companyEnrichment: null,
    contacts: filingContacts(null, city, random, corpus),
    staffRecommendation: null,
    hearings,
    nextMeetingDay: null,
    absorbed: [],
  };
}

const nameOf = (suffixes: readonly string[], random: Random): string =>
  `${random.pick(names.siteFirst)} ${random.pick(names.siteSecond)} ${random.pick(suffixes)}`;

const caseNumber = (prefix: string, hearings: readonly Hearing[], random: Random): string =>
  `${prefix}-${yearOf(hearings[0]?.day ?? 0)}-${String(random.int(1, 9999)).padStart(4, '0')}`;

/** A later phase is a few hundred metres from the first one, at the same street. */
function siteBeside(sibling: Project, random: Random) {
  const { city, address, zipCode, latitude, longitude, unincorporated } = sibling.site;
  const shift = () => random.decimal(-0.003, 0.003);
  return {
    city,
    address,
    zipCode,
    unincorporated,
    latitude: Number((latitude + shift()).toFixed(6)),
    longitude: Number((longitude + shift()).toFixed(6)),
  };
}

/** The next meeting of the same body, for a case that was heard lately and awaits one. The only date after today. */
function nextMeeting(hearings: readonly Hearing[], cityId: number, corpus: SampleCorpus, random: Random): number | null {
  const last = hearings.at(-1);
  if (!last || !AWAITING.includes(last.status) || last.day < corpus.today - 75 || random.chance(0.2)) return null;
  return meetingOnOrBefore(corpus.today + random.int(14, 42), cityId, last.body);
}
