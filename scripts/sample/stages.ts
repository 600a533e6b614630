/** Makes the hearings of a case: bodies, dates, outcomes and votes. */
import type { Vote } from '../../src/core/domain/record/statement.ts';
import texts from './data/texts.json' with { type: 'json' };
import { meetingOnOrBefore } from './days.ts';
import { DAYS_BETWEEN_GENERATIONS } from './fixtures.ts';
import { person } from './inventedPeople.ts';
import type { Hearing, RequestKind, SampleCorpus, Site } from './model.ts';
import { hashOf, Random } from './random.ts';
import { decidesAlone, decisionBodyFor } from './requests.ts';

const STATUS_WEIGHTS = {
  approved: 34,
  approved_with_conditions: 16,
  recommended_approval: 8,
  recommended_denial: 3,
  denied: 7,
  continued: 9,
  tabled: 4,
  withdrawn: 4,
  pending: 9,
  unknown: 6,
} as const;
const PERMIT_WEIGHTS = { approved: 70, approved_with_conditions: 6, denied: 3, pending: 12, withdrawn: 3, unknown: 6 } as const;
type Status = keyof typeof STATUS_WEIGHTS;

const CARRIED: readonly string[] = ['approved', 'approved_with_conditions', 'recommended_approval', 'recommended_denial', 'denied'];
export const isDecided = (status: string): boolean => ['approved', 'approved_with_conditions', 'denied'].includes(status);
const OLD_CASE_SHARE = 0.1;
/** An open case without a hearing for longer than this is silent. */
const SILENT_DAYS = 180;
/** One of this many silent cases was put off several times before. */
const PUT_OFF_EVERY = 3;
const PUT_OFF_TIMES = 3;
const PUT_OFF_DAYS = 28;
/** One denial in so many is a motion to approve that failed on a tie. */
const TIED_DENIAL_EVERY = 5;

interface Timeline {
  kind: RequestKind;
  site: Site;
  /** the newest hearing is the body's last meeting on or before this day */
  latest: number;
  /** continued in generation 1 and decided since */
  decidedSince: boolean;
}

/** All hearings of a case, oldest first. */
export function hearingsOf({ kind, site, latest, decidedSince }: Timeline, random: Random, corpus: SampleCorpus): Hearing[] {
  const bodies = kind.steps.map((role) => decisionBodyFor(role, site, random));
  const { status, step } = decidedSince ? { status: decision(random), step: bodies.length - 1 } : outcome(kind, bodies, random);
  const body = bodies[step] ?? 'other_body';
  const hearings = [hearing(meetingOnOrBefore(latest, site.city.id, body), body, status, site, random, corpus)];
  const dayBefore = (next: number) =>
    (decidedSince ? Math.min(next, corpus.today - DAYS_BETWEEN_GENERATIONS) : next - 21) - random.int(0, 50);
  const prepend = (earlierBody: string, earlierStatus: Status, target: number) =>
    hearings.unshift(hearing(meetingOnOrBefore(target, site.city.id, earlierBody), earlierBody, earlierStatus, site, random, corpus));
  const first = () => hearings[0]?.day ?? latest;
  if (decidedSince) prepend(body, 'continued', dayBefore(first()));
  else if (!decidesAlone(body) && random.chance(0.25)) prepend(body, 'continued', dayBefore(first()));
  for (const earlier of bodies.slice(0, step).reverse()) {
    if (random.chance(0.7)) prepend(earlier, recommendation(status, random), first() - random.int(21, 60));
  }
  if (random.chance(OLD_CASE_SHARE))
    prepend(bodies[0] ?? body, random.pick(['tabled', 'pending', 'withdrawn']), corpus.today - random.int(420, 1900));
  return isPutOff(status, site, latest, corpus) ? [...putOffs(first(), body, site, corpus), ...hearings] : hearings;
}

function isPutOff(status: Status, site: Site, latest: number, { seed, today }: SampleCorpus): boolean {
  const isSilent = ['continued', 'tabled', 'pending'].includes(status) && latest < today - SILENT_DAYS;
  return isSilent && hashOf(seed, 'put off', site.latitude, latest) % PUT_OFF_EVERY === 0;
}

/** Continuances before a hearing, of which no minutes are found. */
function putOffs(before: number, body: string, site: Site, corpus: SampleCorpus): Hearing[] {
  const random = new Random(corpus.seed, 'put offs', site.latitude, before);
  return Array.from({ length: PUT_OFF_TIMES }, (_, i) => {
    const day = meetingOnOrBefore(before - PUT_OFF_DAYS * (PUT_OFF_TIMES - i), site.city.id, body);
    return { ...hearing(day, body, 'continued', site, random, corpus), unrecorded: true };
  });
}

const decision = (random: Random) => random.weighted({ approved: 6, approved_with_conditions: 3, denied: 1 });

function outcome(kind: RequestKind, bodies: readonly string[], random: Random): { status: Status; step: number } {
  const last = bodies.length - 1;
  const status = random.weighted<Status>(kind.action.endsWith('_issuance') ? { ...NO_WEIGHT, ...PERMIT_WEIGHTS } : STATUS_WEIGHTS);
  if (status.startsWith('recommended_')) return last > 0 ? { status, step: 0 } : { status: decision(random), step: last };
  return { status, step: isDecided(status) ? last : random.int(0, last) };
}

const NO_WEIGHT = Object.fromEntries(Object.keys(STATUS_WEIGHTS).map((status) => [status, 0])) as Record<Status, number>;

function recommendation(final: string, random: Random): Status {
  const against = final === 'denied' ? 0.6 : 0.08;
  return random.chance(against) ? 'recommended_denial' : 'recommended_approval';
}

function hearing(day: number, body: string, status: Status, site: Site, random: Random, corpus: SampleCorpus): Hearing {
  const members = decidesAlone(body) ? [] : membersOf(body, site.city.id, corpus.seed);
  const cast = status === 'pending' || status === 'unknown' || status === 'withdrawn' ? [] : votesOf(members, status, random);
  const isTied = status === 'denied' && hashOf(corpus.seed, 'tie', site.city.id, body, day) % TIED_DENIAL_EVERY === 0;
  const votes = isTied ? tied(cast) : cast;
  const conditions = status === 'approved_with_conditions' ? random.some(texts.conditions, random.int(1, 4)) : [];
  const [mover, seconder] = votes.filter((v) => v.vote === 'yes');
  const ending = isTied ? 'seconded the motion, which failed on a tie.' : 'seconded the motion.';
  const motion = mover && seconder ? `${mover.name} moved to ${verb(isTied ? 'approved' : status)}; ${seconder.name} ${ending}` : null;
  return { day, body, decisionType: decisionType(status, body, random), status, votes, motion, conditions };
}

const VERBS: Partial<Record<Status, string>> = {
  approved: 'approve the request',
  approved_with_conditions: 'approve the request subject to conditions',
  recommended_approval: 'recommend approval',
  recommended_denial: 'recommend denial',
  denied: 'deny the request',
  continued: 'continue the hearing',
  tabled: 'table the item',
};
const verb = (status: Status): string => VERBS[status] ?? 'receive the item';

/** The members of a body in one city: the same five, seven or nine invented people at every meeting. */
export function membersOf(body: string, cityId: number, seed: number): string[] {
  const size = 5 + 2 * (hashOf('size', cityId, body) % 3);
  const random = new Random(seed, 'members', cityId, body);
  return Array.from({ length: size }, () => person(random).name);
}

/** Votes on the motion, which carries: absences, recusals and a minority against it occur. */
function votesOf(members: readonly string[], status: Status, random: Random): Vote[] {
  if (!members.length) return [];
  const contested = CARRIED.includes(status) && random.chance(0.45);
  let away = random.chance(0.25) ? 1 : 0;
  let against = contested ? random.int(1, Math.floor((members.length - 1) / 2) - away) : 0;
  const order = random.some(members, members.length);
  return order.map((name) => {
    if (away-- > 0) return { name, vote: random.pick(['absent', 'absent', 'recused', 'abstain'] as const) };
    return { name, vote: against-- > 0 ? 'no' : 'yes' };
  });
}

/** The same votes, as many for as against. */
function tied(votes: readonly Vote[]): Vote[] {
  const voting = votes.filter(({ vote }) => vote === 'yes' || vote === 'no');
  const half = Math.floor(voting.length / 2);
  return votes.map((one) => {
    const place = voting.indexOf(one);
    if (place < 0) return one;
    return { ...one, vote: place < half ? 'yes' : place < 2 * half ? 'no' : 'absent' };
  });
}

function decisionType(status: Status, body: string, random: Random): string {
  const council = /council|village_board|county_commission|supervisors/.test(body);
  if (status.startsWith('recommended_')) return 'recommendation';
  if (status === 'pending')
    return council
      ? random.pick(['first_reading', 'work_session'])
      : decidesAlone(body)
        ? 'filed'
        : random.pick(['work_session', 'public_hearing']);
  if (status === 'unknown') return decidesAlone(body) ? 'filed' : random.pick(['public_hearing', 'work_session']);
  if (decidesAlone(body)) return status === 'withdrawn' ? 'filed' : 'administrative_approval';
  if (!isDecided(status)) return 'public_hearing';
  if (random.chance(0.04)) return 'reconsideration';
  if (council && random.chance(0.35)) return 'second_reading';
  return status === 'approved' && random.chance(0.12) ? 'consent_item' : 'final_action';
}

const ACTION_OF_STATUS: Partial<Record<string, string>> = {
  continued: 'continuance',
  tabled: 'continuance',
  withdrawn: 'withdrawal',
  pending: 'filing',
  unknown: 'filing',
};

/** The action taken at a hearing: what the request decides, unless the hearing decided nothing. */
export const actionOf = (kind: RequestKind, hearing: Hearing): string =>
  hearing.decisionType === 'first_reading' ? 'referral' : (ACTION_OF_STATUS[hearing.status] ?? kind.action);
