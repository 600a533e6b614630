/** Writes the sections of a brief. Every sentence says no more than the answer of its call. Pure. */
import { describeDays, describeOdds } from '../../core/domain/oddsText.ts';
import { daysAfter } from '../../core/domain/process/hearings.ts';
import type { Restriction } from '../../core/domain/restriction/schemas.ts';
import { findEnd } from '../../core/domain/restriction/status.ts';
import type { AggregateAnswer, AskedOf, CountedArea, Gathered, RestrictionsAnswer } from './gather.ts';
import { tellPrecedent, tellZoning } from './precedents.ts';
import {
  countProjects,
  makeCountCall,
  makeGet,
  makePost,
  showNumber,
  stateComputed,
  stateCount,
  stateQuote,
  stateUnknown,
} from './statements.ts';
import type { BriefStatement, Call, ToldSection } from './types.ts';

const ODDS_PATH = '/analytics/odds';
const AGGREGATE_PATH = '/analytics/aggregate';
/** Restrictions and hearings that a brief tells one by one. */
const TOLD_MAX = 10;
/** How long a restriction that ended is told of. */
const LATELY_DAYS = 365;

/** `Data Center projects`, `projects`. */
const nameProjects = (use: string) => (use ? `${use} projects` : 'projects');

const stateArea = ({ where, asked, count }: CountedArea, use: string): BriefStatement =>
  stateCount(`${countProjects(count, use)} on record ${where}, of every year.`, makeCountCall(asked));

function writePrecedents({ area, region, anyUse, pending, useLabel, precedents }: Gathered): BriefStatement[] {
  return [
    stateArea(area, useLabel),
    ...(useLabel ? [stateArea({ ...area, asked: anyUse.sent, count: anyUse.answer }, '')] : []),
    ...(region ? [stateArea(region, useLabel)] : []),
    stateCount(`${countProjects(pending.answer, useLabel)} known to be pending ${area.where}.`, makeCountCall(pending.sent)),
    ...precedents.flatMap(tellPrecedent),
    ...(precedents.length ? [] : [stateUnknown('This brief has no precedents.')]),
  ];
}

const capitalize = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

const uncapitalize = (text: string) => `${text.charAt(0).toLowerCase()}${text.slice(1)}`;

/** How many projects of the area are in no share. */
function writeWithoutOutcome({ outcomes: { sent, answer }, area, useLabel }: Gathered): BriefStatement[] {
  const count = answer.groups.find(({ keys }) => keys.outcome === null)?.count;
  if (!count) return [];
  const text = `${countProjects(count, useLabel)} without a known outcome ${area.where}, and counted in no share.`;
  return [stateComputed(text, makePost(AGGREGATE_PATH, sent))];
}

/** That denials are not known at all. */
function writeDenials({ denials }: Gathered): BriefStatement[] {
  const { sent, answer } = denials?.asked ?? {};
  if (!denials || !sent || answer?.totals?.outcomes.denied !== 0) return [];
  const text = `${capitalize(denials.where)}, no denial of any use is on record: our sources there may not list denials.`;
  return [stateComputed(text, makePost(ODDS_PATH, sent))];
}

/** What counts as given up in odds. */
function writeGivenUp({ where, asked: { sent, answer } }: Gathered['odds'][number]): BriefStatement[] {
  const { givenUp = 0, n } = answer.totals ?? {};
  if (!givenUp) return [];
  const text = `Counted as given up ${where}: ${showNumber(givenUp)} of ${showNumber(Number(n))}, of which nothing more was read; another body may have decided.`;
  return [stateComputed(text, makePost(ODDS_PATH, sent))];
}

function writeOdds(gathered: Gathered): BriefStatement[] {
  const { odds, useLabel } = gathered;
  const told = odds.map(({ where, asked: { sent, answer } }) => {
    const call = makePost(ODDS_PATH, sent);
    const { totals } = answer;
    if (!totals)
      return stateUnknown(`We do not know the odds of ${nameProjects(useLabel)} ${where}: they need five decided projects.`, call);
    if (totals.outcomes.approved === null)
      return stateUnknown(
        `The odds of ${nameProjects(useLabel)} ${where} are not shown: they would tell of few projects that are not paid for.`,
        call,
      );
    return stateComputed(`${capitalize(where)}, ${uncapitalize(describeOdds({ ...totals, daysToDecision: null }))}`, call);
  });
  return [...told, ...writeDenials(gathered), ...odds.flatMap(writeGivenUp), ...writeWithoutOutcome(gathered)];
}

function writeTimeline({ odds, useLabel }: Gathered): BriefStatement[] {
  return odds.flatMap(({ where, asked: { sent, answer } }) => {
    const call = makePost(ODDS_PATH, sent);
    const { daysToDecision = null, hearingsToDecision = null } = answer.totals ?? {};
    const name = `how long ${nameProjects(useLabel)} take ${where}`;
    const hearings = hearingsToDecision?.p50;
    // Of most sources only the day of the decision is on record, from which no time follows.
    const dated = daysToDecision?.p75 === 0 ? 'three quarters' : 'half';
    const days = !daysToDecision
      ? stateUnknown(`We do not know ${name}: that needs five decisions with their days.`, call)
      : daysToDecision.p50 === 0
        ? stateUnknown(`We do not know ${name}: for ${dated} of those decided, only one day is on record.`, call)
        : stateComputed(`${capitalize(where)}, in days from the first hearing: ${uncapitalize(describeDays(daysToDecision))}`, call);
    const most = hearings === 1 ? 'one hearing' : `at most ${hearings} hearings`;
    return [days, ...(hearings ? [stateComputed(`${capitalize(where)}, half of those decided took ${most}.`, call)] : [])];
  });
}

const VERDICTS: Record<RestrictionsAnswer['binds'], (where: string) => string> = {
  yes: (where) => `A restriction that binds ${where} is in force`,
  unclear: (where) => `A restriction may bind ${where}; whether it does is unclear`,
  no: (where) => `No restriction that we know of binds ${where}`,
};

/** Until when a restriction is in force as of a day; nothing where that is not known. */
function tellEnd({ title, endBasis, endEvent, effectiveTo, extensions }: Restriction, on: string, call: Call) {
  const end = findEnd({ effectiveTo, extensions }, on);
  if (!end) return endBasis === 'none' ? [stateComputed(`${title}: it has no end.`, call)] : [];
  const computed = endBasis === 'computed' && end === effectiveTo ? ', computed from its length' : '';
  return [stateComputed(`${title}: its last day is ${end}${computed}${endEvent ? '; an event may end it earlier' : ''}.`, call)];
}

/** Restrictions that bind no more, for a year, and those that are only proposed. */
function writeUnbinding({ listed: { sent, answer }, today }: Gathered): BriefStatement[] {
  const call = makeGet('/restrictions', sent);
  return answer
    .flatMap((one) => {
      if (one.status === 'proposed') return [stateComputed(`${one.title}: proposed; whether it was adopted since is not known.`, call)];
      const end = findEnd(one, today);
      if (!end || end >= today || end < daysAfter(today, -LATELY_DAYS)) return [];
      const computed = one.endBasis === 'computed' && end === one.effectiveTo ? ', computed from its length' : '';
      return [stateComputed(`${one.title}: ${one.status}; its last day was ${end}${computed}, as far as we know.`, call)];
    })
    .slice(0, TOLD_MAX);
}

const stateVerdict = ({ where, sent, answer }: Gathered['restrictions'][number], useLabel: string) =>
  stateComputed(`${VERDICTS[answer.binds](where)} for ${useLabel || 'any use'} on ${answer.on}.`, makePost('/restrictions/check', sent));

function writeRestrictions(gathered: Gathered): BriefStatement[] {
  const { restrictions, site, useLabel, knownRestrictions } = gathered;
  if (!restrictions.length)
    return [stateUnknown('Whether a moratorium or ban binds here is not known: the county of the place is not known.')];
  // What binds a whole state is told once.
  const said = new Set<string>();
  const isNew = (text: string) => !said.has(text) && said.add(text);
  const told = restrictions.flatMap((checked) => {
    const { sent, answer } = checked;
    const call = makePost('/restrictions/check', sent);
    const reasons = answer.because.slice(0, TOLD_MAX).filter(({ restrictionId, text }) => isNew(`${restrictionId} ${text}`));
    return [
      stateVerdict(checked, useLabel),
      ...reasons.map(({ text, quote, quotedFrom, restrictionId }) => {
        const documentId = answer.restrictions.find(({ id }) => id === restrictionId)?.documentId ?? null;
        const owner = quotedFrom === 'inventory' ? ' The words are those of an inventory.' : '';
        const sentence = `${text}${/[.!?]$/.test(text) ? '' : '.'}${owner}`;
        return quote === null ? stateComputed(sentence, call) : stateQuote(sentence, call, quote, { documentId });
      }),
      ...answer.restrictions.slice(0, TOLD_MAX).flatMap((one) => (isNew(`end of ${one.id}`) ? tellEnd(one, answer.on, call) : [])),
      ...(answer.because.length > TOLD_MAX
        ? [stateUnknown('Further restrictions that may bind are in the answer of the call.', call)]
        : []),
    ];
  });
  const isOfCounty = restrictions.some(({ answer }) => answer.restrictions.some(({ place }) => place.jurisdictionType === 'county'));
  const { unchecked } = site;
  return [
    ...told,
    ...writeUnbinding(gathered),
    ...(isOfCounty && site.cityId === null
      ? [stateUnknown('What a county restricts need not bind inside a city, and we know no outlines of cities.')]
      : []),
    ...(unchecked?.length ? [stateUnknown(`Whether a restriction binds in ${unchecked.join('; ')} was not asked for this brief.`)] : []),
    ...(unchecked ? [stateUnknown('A county that the shape only grazes may not be asked about.')] : []),
    ...(knownRestrictions?.answer === 0
      ? [
          stateUnknown(
            `We hold no restriction anywhere in ${knownRestrictions.state}: that none is found says little.`,
            makeGet('/restrictions', knownRestrictions.sent),
          ),
        ]
      : []),
    stateUnknown('Restrictions, and extensions of them, that no inventory or minutes of ours state are not known.'),
  ];
}

function writeHearings({ hearings: { sent, answer }, area, useLabel }: Gathered): BriefStatement[] {
  const call = makeGet('/hearings', sent);
  const { data, meta } = answer;
  const held = meta.suppressed === true ? ' of projects that your pool holds' : '';
  const through = `from ${sent.from} to ${sent.to}`;
  if (!data.length) return [stateComputed(`No hearing${held} that we know of is announced ${area.where} ${through}.`, call)];
  const told = data.slice(0, TOLD_MAX);
  return [
    ...told.map(({ date, bodyLabel, place, projectCount }) =>
      stateComputed(
        `Hearing announced for ${date}: ${bodyLabel ?? 'a body that is not named'}, ${place.label}, ${projectCount === 1 ? '1 project' : `${showNumber(projectCount)} projects`}${useLabel ? ' of any use' : ''}${held}.`,
        call,
      ),
    ),
    ...(data.length > told.length ? [stateUnknown(`Further hearings are announced ${through}.`, call)] : []),
  ];
}

type AggregateGroup = AggregateAnswer['groups'][number];

/** Groups that state something. */
const listStated = ({ answer }: AskedOf<AggregateAnswer>) =>
  answer.groups.filter(({ keys }: AggregateGroup) => Object.values(keys).some((key) => key !== null));

function writeDeciders({ bodies, namedBodies, answerable, votes, base, deciding: { where, of }, useLabel }: Gathered): BriefStatement[] {
  const told = (asked: AskedOf<AggregateAnswer>, dimension: string, tell: (label: string, count: string) => string) =>
    listStated(asked).map(({ labels, count }: AggregateGroup) =>
      stateComputed(tell(String(labels[dimension]), showNumber(count)), makePost(AGGREGATE_PATH, asked.sent)),
    );
  const decided = told(bodies, 'decisionBody', (label, count) => `${label}: the body of ${count} ${of} ${where}.`);
  const voted = told(votes, 'voteResult', (label, count) => `${label} at the latest vote: ${count} ${of} ${where}.`);
  const namedText = `${namedBodies.join('; ')}: named as who decides by ${nameProjects(useLabel)} ${base.where}; by how many may not be shown.`;
  const named = namedBodies.length ? [stateComputed(namedText, makeGet('/coverage/answerable', answerable.sent))] : [];
  const deciders = decided.length ? decided : named;
  return [
    ...(deciders.length
      ? deciders
      : [
          stateUnknown(
            `Who decides on ${of} ${where} is not known: no body is named by five of them, or it may not be shown.`,
            makePost(AGGREGATE_PATH, bodies.sent),
          ),
        ]),
    ...(voted.length
      ? voted
      : [
          stateUnknown(
            `How bodies vote on ${of} ${where} is not known: no result is stated by five of them, or it may not be shown.`,
            makePost(AGGREGATE_PATH, votes.sent),
          ),
        ]),
  ];
}

function writeZoning({ site, zonings, base: { where }, useLabel, precedents }: Gathered): BriefStatement[] {
  const { subject } = site;
  const own = subject ? tellZoning({ ...subject, proven: [] }) : [];
  const call = makePost(AGGREGATE_PATH, zonings.sent);
  const pairs = listStated(zonings)
    .filter(({ keys }: AggregateGroup) => keys.proposedZoning !== null)
    .slice(0, 3)
    .map(({ keys, count }: AggregateGroup) => {
      const asked =
        keys.existingZoning === null
          ? `asked for ${keys.proposedZoning}; from which zoning is not stated`
          : `asked to go from ${keys.existingZoning} to ${keys.proposedZoning}`;
      return stateComputed(`${showNumber(count)} ${nameProjects(useLabel)} ${where} ${asked}.`, call);
    });
  return [
    ...own,
    ...(pairs.length
      ? pairs
      : [
          stateUnknown(
            `Which zoning ${nameProjects(useLabel)} ${where} usually ask for is not known: no change is asked for by five of them, or it may not be shown.`,
            call,
          ),
        ]),
    ...precedents.flatMap(tellZoning),
    ...(subject ? [] : [stateUnknown('The zoning of the site itself is not known: we hold no zoning maps.')]),
  ];
}

const FIELD_WORDS: Record<string, string> = {
  decisionBody: 'who decides',
  proposedZoning: 'the zoning asked for',
  voteResult: 'the vote',
  totalUnitCount: 'the number of units',
  acreage: 'the acreage',
};

function writeCoverage({ site, answerable: { sent, answer }, silent, base: { where }, useLabel }: Gathered): BriefStatement[] {
  const call = makeGet('/coverage/answerable', sent);
  const { matchCount, fields, bodies, years, missing } = answer;
  const stated = Object.entries(FIELD_WORDS).flatMap(([name, words]) => {
    const found = fields.find((field) => field.name === name);
    return found?.stated ? [`${showNumber(found.stated)} state ${words}`] : [];
  });
  const newest = bodies
    .map(({ to }) => to)
    .sort()
    .at(-1);
  const extracted = bodies.flatMap(({ lastExtractedAt }) => lastExtractedAt ?? []).sort();
  const [first, last] = [years[0], years.at(-1)];
  return [
    ...site.caveats.map((text) => stateUnknown(text)),
    ...(stated.length
      ? [stateComputed(`Of ${showNumber(matchCount)} ${nameProjects(useLabel)} ${where}, ${stated.join(', ')}.`, call)]
      : []),
    ...(first && last
      ? [
          stateComputed(
            first === last
              ? `Only ${first.year} has five records or more.`
              : `${last.year - first.year < years.length ? 'Each year' : 'Not every year'} from ${first.year} to ${last.year} has five records or more.`,
            call,
          ),
        ]
      : []),
    ...(newest
      ? [stateComputed(`Of the bodies that five of these records name, the newest hearing or decision read is of ${newest}.`, call)]
      : []),
    ...(extracted.length ? [stateComputed(`What these bodies state was read last on ${extracted.at(-1)?.slice(0, 10)}.`, call)] : []),
    ...(silent?.bodies.map(({ name, since }) =>
      stateComputed(
        `${name} has been silent since ${since}: its minutes may be missing.`,
        makeGet('/coverage', { by: 'body', counties: silent.countyId }),
      ),
    ) ?? []),
    ...(matchCount
      ? missing.map((text) => stateUnknown(`${capitalize(nameProjects(useLabel))} ${where}: ${uncapitalize(text)}`, call))
      : [stateUnknown(`No ${nameProjects(useLabel)} are on record ${where}: what is asked for there is not known.`, call)]),
  ];
}

/** The first statements of sections, and what is not known of them. */
function writeSummary(sections: readonly ToldSection[], gathered: Gathered): BriefStatement[] {
  const statementsOf = (id: ToldSection['id']) => sections.find((section) => section.id === id)?.statements ?? [];
  const odds = statementsOf('odds');
  const binding = gathered.restrictions.map((checked) => stateVerdict(checked, gathered.useLabel));
  const chosen = [
    statementsOf('precedents')[0],
    odds.find(({ basis }) => basis !== 'none') ?? odds[0],
    ...writeDenials(gathered),
    statementsOf('timeline').find(({ basis }) => basis !== 'none'),
    ...(binding.length ? binding : statementsOf('restrictions').slice(0, 1)),
    ...writeUnbinding(gathered).slice(0, 2),
    statementsOf('hearings')[0],
  ];
  const { matchCount } = gathered.answerable.answer;
  const caveats = gathered.site.caveats.map((text) => stateUnknown(text));
  const unknown = matchCount ? caveats : statementsOf('coverage').filter(({ basis }) => basis === 'none');
  return [...chosen, ...unknown].filter((statement) => statement !== undefined);
}

export function writeSections(gathered: Gathered): ToldSection[] {
  const sections: ToldSection[] = [
    { id: 'precedents', statements: writePrecedents(gathered) },
    { id: 'odds', statements: writeOdds(gathered) },
    { id: 'timeline', statements: writeTimeline(gathered) },
    { id: 'restrictions', statements: writeRestrictions(gathered) },
    { id: 'hearings', statements: [...writeHearings(gathered), ...writeDeciders(gathered)] },
    { id: 'zoning', statements: writeZoning(gathered) },
    { id: 'coverage', statements: writeCoverage(gathered) },
  ];
  return [{ id: 'summary', statements: writeSummary(sections, gathered) }, ...sections];
}
