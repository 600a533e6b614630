/** Sentences about a made-up project in the trade's language: descriptions, summaries, the passage of the minutes. */
import type { LandUse } from '../../src/core/domain/record/statement.ts';
import { assetClasses, decisionBodies, propertySubtypes, propertyTypes, requestTypes, statuses } from '../../src/core/domain/vocabulary.ts';
import texts from './data/texts.json' with { type: 'json' };
import { longDate } from './days.ts';
import type { Extras, Hearing, Measures, Project, SampleCorpus } from './model.ts';
import type { Random } from './random.ts';

const ORIGINAL_TEXT_LIMIT = 1100;

/** 1234567.5 → '1,234,567.5' */
export function formatNumber(value: number): string {
  const [whole = '', fraction] = String(value).split('.');
  const marked = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction ? `${marked}.${fraction}` : marked;
}

/** Lower case, except for words that are written in capitals (LIHTC, RV). */
const lower = (label: string): string => label.replace(/[A-Za-z0-9-]+/g, (w) => (/^[A-Z0-9-]{2,}$/.test(w) ? w : w.toLowerCase()));
const withArticle = (phrase: string): string => `${/^(8|11\D|18\D|[aeio])/.test(phrase) ? 'an' : 'a'} ${phrase}`;

/** 'a 240-unit garden apartments project' */
export function describe(use: Pick<LandUse, 'type' | 'subtype' | 'assetClass'>, m: Measures & Extras, tail: string): string {
  const name = assetClasses.label(use.assetClass) ?? propertySubtypes.label(use.subtype) ?? propertyTypes.label(use.type) ?? '';
  const size = sizePhrase(m);
  const ending = lower(name).endsWith(tail) ? '' : ` ${tail}`;
  return withArticle(`${size ? `${size} ` : ''}${lower(name)}${ending}`);
}

function sizePhrase(m: Measures & Extras): string | null {
  if (m.lotCount) return `${formatNumber(m.lotCount)}-lot`;
  if (m.totalUnitCount) return `${formatNumber(m.totalUnitCount)}-unit`;
  if (m.megawatts) return `${formatNumber(m.megawatts)}-megawatt`;
  if (m.beds) return `${formatNumber(m.beds)}-bed`;
  if (m.squareFootage) return `${formatNumber(m.squareFootage)}-square-foot`;
  return m.buildingHeightFeet ? `${formatNumber(m.buildingHeightFeet)}-foot` : null;
}

/** 'a rezoning from A-1 to PUD' */
export function requestPhrase(project: Project): string {
  return project.kind.phrase
    .replace('{existing}', project.existingZoning ?? 'its present')
    .replace('{proposed}', project.proposedZoning ?? 'a new')
    .replace('{variance}', project.variance);
}

/** How a body is called in a sentence or title. */
export const bodyName = (body: string): string => (body === 'other_body' ? 'Special Commission' : (decisionBodies.label(body) ?? body));
const applicantOf = (project: Project): string =>
  project.parties.find((p) => p.role === 'applicant')?.name ?? project.developer?.name ?? 'the city';
const cityOf = (project: Project): string => `${project.site.city.name}, ${project.site.city.state}`;
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Sentences on what would be built, of the measures that are known. */
function measureSentences(m: Measures): string[] {
  const sentences: string[] = [];
  if (m.buildingStories && m.squareFootage && m.totalUnitCount) {
    sentences.push(
      `The plans show ${formatNumber(m.squareFootage)} square feet in ${m.buildingStories === 1 ? 'one story' : `${m.buildingStories} stories`}.`,
    );
  } else if (m.buildingHeightFeet && m.squareFootage) {
    sentences.push(`The building would rise ${m.buildingHeightFeet} feet.`);
  }
  if (m.unitMix && m.unitMix.length > 1)
    sentences.push(`Units: ${m.unitMix.map((u) => `${formatNumber(u.count)} ${u.unitType.toLowerCase()}`).join(', ')}.`);
  if (m.parkingSpaces) sentences.push(`${formatNumber(m.parkingSpaces)} parking spaces are proposed.`);
  return sentences;
}

/** The project's description: the use, its size, where, the request, the zoning and the developer. */
export function summaryOf(project: Project, measures: Measures): string {
  if (project.government)
    return `${project.name}: ${project.request === 'other_request' ? 'an item' : withArticle(lower(requestTypes.label(project.request) ?? 'item'))} before the public bodies of ${cityOf(project)}.`;
  const acres = measures.acreage === null ? '' : ` on ${formatNumber(measures.acreage)} acres`;
  const sentences = [
    `${project.developer?.name ?? 'The owner'} proposes ${project.description}${acres} at ${project.site.address} in ${cityOf(project)}.`,
    `The request is for ${requestPhrase(project)}.`,
    ...measureSentences(measures),
  ];
  return sentences.join(' ');
}

/** One sentence on the state of the case. */
export function statusSentence(project: Project, hearing: Hearing): string {
  const body = `The ${bodyName(hearing.body)}`;
  const what = project.request === 'other_request' ? 'the item' : `the ${lower(requestTypes.label(project.request) ?? 'request')}`;
  const when = `on ${longDate(hearing.day)}`;
  if (hearing.status === 'unknown') return `${body} heard ${what} ${when}; no decision is recorded.`;
  if (hearing.status === 'pending') return `${capital(what)} was before ${body.replace('The', 'the')} ${when} and is pending.`;
  if (hearing.status === 'withdrawn') return `The applicant withdrew ${what} before the ${bodyName(hearing.body)} ${when}.`;
  return `${body} ${pastTense(hearing.status)} ${what}${hearing.status === 'approved_with_conditions' ? ' with conditions' : ''} ${when}${tally(hearing)}.`;
}

const PAST: Record<string, string> = {
  approved_with_conditions: 'approved',
  recommended_approval: 'recommended approval of',
  recommended_denial: 'recommended denial of',
};
const pastTense = (status: string): string => PAST[status] ?? lower(statuses.label(status) ?? status);

function tally(hearing: Hearing): string {
  const count = (vote: string) => hearing.votes.filter((v) => v.vote === vote).length;
  return hearing.votes.length ? ` by a vote of ${count('yes')} to ${count('no')}` : '';
}

/** The first paragraph of an item: what is asked, by whom, where, and how it ended. */
function excerptOf(project: Project, hearing: Hearing): string {
  const m = project.measures;
  const acres = m.acreage === null ? '' : ` The site has ${formatNumber(m.acreage)} acres.`;
  const asks = project.government
    ? `${project.name}, ${requestPhrase(project)}.`
    : `${capital(applicantOf(project))} requests ${requestPhrase(project)} for ${project.name}, ${project.description}, at ${project.site.address}, ${project.site.city.name}.${acres}`;
  return [`Case ${project.caseNumber}. ${asks}`, ...measureSentences(m), statusSentence(project, hearing)].join(' ');
}

/** An item of the minutes. The excerpt opens the passage word for word, so that it can be quoted from the document. */
export function minutesOf(project: Project, hearing: Hearing, random: Random, corpus: SampleCorpus): { excerpt: string; passage: string } {
  const excerpt = excerptOf(project, hearing);
  if (corpus.texts === 'short') return { excerpt, passage: excerpt };
  const closing =
    hearing.status === 'withdrawn'
      ? random.pick(texts.withdrawals)
      : hearing.status === 'continued'
        ? `The hearing was continued ${random.pick(texts.continuances)}.`
        : '';
  const votes = hearing.votes.length ? `Voting: ${hearing.votes.map((v) => `${v.name}, ${v.vote}`).join('; ')}.` : '';
  const conditions = hearing.conditions.length ? `Conditions: ${hearing.conditions.join(' ')}` : '';
  const talk = random.chance(0.12)
    ? [...texts.comment, ...texts.discussion]
    : [...random.some(texts.comment, random.int(1, 2)), random.pick(texts.discussion)];
  const discussed = [random.pick(texts.staff), ...talk, hearing.motion ?? '', votes, closing, conditions].filter(Boolean);
  return { excerpt, passage: `${excerpt}\n${discussed.join(' ')}` };
}

/** The longer passage as the record keeps it: cut where it is very long. */
export function originalText(passage: string): { text: string; truncated: boolean } {
  return { text: passage.slice(0, ORIGINAL_TEXT_LIMIT), truncated: passage.length > ORIGINAL_TEXT_LIMIT };
}
