/**
 * The outcome of a project: decided, pending, or given up without a decision (src/docs/outcomes.md). A statement gives facts that do not
 * depend on the day; the outcome of a day follows from them, so that a record becomes stalled without being loaded again. Pure.
 */
import type { ProjectStatement } from '../record/statement.ts';
import { collectHearings, daysAfter, daysBetween, type ProcessSpan } from './hearings.ts';
import type { OutcomeRule, ProjectOutcome } from './tokens.ts';

/** Days without a hearing, none announced, after which an undecided project counts as given up. */
const SILENCE_DAYS = 180;
/** So many continuances, followed by silence, are a denial that nobody voted on. */
const SOFT_DENIAL_CONTINUANCES = 3;

type Decided = Extract<ProjectOutcome, 'approved' | 'denied' | 'withdrawn'>;
type GivenUp = Extract<ProjectOutcome, 'stalled' | 'soft_denial'>;

/** What is known of an outcome, whatever the day. */
export type OutcomeFacts =
  | { decided: Decided; since: string | null; rule: OutcomeRule }
  | {
      decided: null;
      /** first day known of the project; null if that is not in the past */
      since: string | null;
      /** first day on which it is silent */
      silentOn: string;
      /** what silence makes of it; null if nothing says that a decision is awaited */
      silentOutcome: GivenUp | null;
      rule: OutcomeRule;
      silenceRule: OutcomeRule;
    };

interface OutcomeOnDay {
  outcome: ProjectOutcome | null;
  /** the first day on which it was so, as far as known */
  since: string | null;
  rule: OutcomeRule;
}

type Statement = Partial<ProjectStatement>;

interface Step {
  status: string;
  /** null for the record's own status where no hearing is known */
  day: string | null;
}

const DECIDES: Readonly<Record<string, Decided>> = {
  approved: 'approved',
  approved_with_conditions: 'approved',
  denied: 'denied',
  withdrawn: 'withdrawn',
};
const AWAITS: ReadonlySet<string> = new Set(['recommended_approval', 'recommended_denial', 'continued', 'tabled', 'pending']);

/** Kinds of decision that are not final: what they approve needs another vote. Withdrawals end a case whatever the kind. */
const PASSES_ON: ReadonlySet<string> = new Set(['recommendation', 'first_reading', 'public_hearing', 'work_session', 'filed']);

const isStatus = (status: string | null | undefined): status is string => status !== null && status !== undefined && status !== 'unknown';

/** The status that a decision of a kind leaves the case in. */
function statusAfterDecision(status: string, decisionType: string | null | undefined): string {
  return DECIDES[status] && status !== 'withdrawn' && PASSES_ON.has(decisionType ?? '') ? 'pending' : status;
}

/** What happened, oldest first; of one day the record's own status comes last. */
function listSteps({ statusHistory, decisions, status, decisionType, meetingDate }: Statement, latest: string | undefined): Step[] {
  const passedOn = new Set(
    (decisions ?? []).filter((one) => PASSES_ON.has(one.decisionType ?? '')).map((one) => `${one.meetingDate} ${one.decisionBody ?? ''}`),
  );
  const history = (statusHistory ?? []).flatMap(({ status, date, decisionBody }) => {
    const isPassedOn = passedOn.has(`${date} ${decisionBody ?? ''}`);
    // A hearing without a decision leaves the case as it was; of any other step without a status nobody knows how it left it.
    if (isPassedOn && !isStatus(status)) return [];
    return [{ status: isPassedOn ? statusAfterDecision(status, 'recommendation') : status, day: date }];
  });
  const decided = (decisions ?? []).flatMap((one) =>
    isStatus(one.status) ? [{ status: statusAfterDecision(one.status, one.decisionType), day: one.meetingDate }] : [],
  );
  const ownDay = meetingDate ?? latest;
  const own: Step[] = isStatus(status) ? [{ status: statusAfterDecision(status, decisionType), day: ownDay ?? null }] : [];
  return [...history, ...decided, ...own].sort((a, b) => compareDays(a.day ?? LAST_DAY, b.day ?? LAST_DAY));
}

/** Sorts behind every day: what a record states of its status is the latest that is known of it. */
const LAST_DAY = '9999-12-31';
const compareDays = (a: string, b: string) => (a < b ? -1 : Number(a > b));

/** Whether a statement says anything about an outcome. */
export function statesOutcome({ status, decisions, statusHistory, nextMeetingDate }: Statement): boolean {
  return isStatus(status) || Boolean(decisions?.length || statusHistory?.length || nextMeetingDate);
}

/**
 * The facts of an outcome. The latest step counts: a decision decides, anything else leaves the case open. If it is not known what the latest
 * step was, nothing but a decision before it can be told.
 * @param family hearings of a merged development
 * @returns undefined if it cannot be told on any day
 */
export function outcomeFacts(statement: Statement, family: readonly string[] = []): OutcomeFacts | undefined {
  const { nextMeetingDate = null, statusHistory, status } = statement;
  const hearings = [...collectHearings(statement), ...family].sort();
  const steps = listSteps(statement, hearings.at(-1));
  const known = steps.filter(({ status }) => isStatus(status));
  const last = known.at(-1);
  const decided = last && DECIDES[last.status];
  if (!decided) return deriveUndecidedFacts(steps, [...hearings, ...(statusHistory ?? []).map(({ date }) => date)].sort(), nextMeetingDate);
  const undone = known.findLastIndex((step) => DECIDES[step.status] !== decided);
  const since = known[undone + 1]?.day ?? last.day;
  return { decided, since, rule: DECIDES[status ?? ''] === decided ? 'stated_status' : 'latest_decision' };
}

function deriveUndecidedFacts(steps: readonly Step[], days: readonly string[], next: string | null): OutcomeFacts | undefined {
  const last = steps.at(-1);
  const latest = [...days, ...(next ? [next] : [])].sort().at(-1);
  if (!latest) return undefined;
  const known = { decided: null, since: days[0] ?? null } as const;
  if (!last || !AWAITS.has(last.status))
    return next
      ? { ...known, silentOn: daysAfter(next, 1), silentOutcome: null, rule: 'hearing_announced', silenceRule: 'cannot_be_told' }
      : undefined;
  const putOff = new Set(steps.filter(({ status }) => status === 'continued' || status === 'tabled').map(({ day }) => day)).size;
  const silentOn = daysAfter(latest, SILENCE_DAYS);
  const isAnnounced = next !== null && next > (last.day ?? '');
  const rule = isAnnounced ? 'hearing_announced' : 'awaits_decision';
  if (last.status === 'tabled' && !isAnnounced)
    return { ...known, silentOn, silentOutcome: 'soft_denial', rule, silenceRule: 'tabled_then_silent' };
  if (putOff >= SOFT_DENIAL_CONTINUANCES)
    return { ...known, silentOn, silentOutcome: 'soft_denial', rule, silenceRule: 'continued_then_silent' };
  return { ...known, silentOn, silentOutcome: 'stalled', rule, silenceRule: 'silent_180_days' };
}

/** The outcome on a day. @param today `YYYY-MM-DD`, service clock */
export function outcomeOn(facts: OutcomeFacts | undefined, today: string): OutcomeOnDay {
  if (!facts) return { outcome: null, since: null, rule: 'cannot_be_told' };
  if (facts.decided) return { outcome: facts.decided, since: facts.since, rule: facts.rule };
  if (today >= facts.silentOn)
    return { outcome: facts.silentOutcome, since: facts.silentOutcome && facts.silentOn, rule: facts.silenceRule };
  return { outcome: 'pending', since: facts.since && facts.since <= today ? facts.since : null, rule: facts.rule };
}

/** Days from the first hearing to an approval or denial; undefined for other outcomes, and if its day is not known. */
export function daysToDecision({ decided, since }: OutcomeFacts, { first }: ProcessSpan): number | undefined {
  if (!decided || decided === 'withdrawn' || since === null) return undefined;
  return Math.max(0, daysBetween(first, since));
}

/** Stands between what silence makes of a project and the day from which it does. */
const AT = '@';
/** The character after `AT`, with which a range of texts ends that begin with a word and `AT`. */
const AFTER_AT = 'A';
const UNTOLD = 'untold';

/** Facts as one text to be indexed: an outcome, or what it becomes on a day, such as `stalled@2026-05-01`. */
export function writeOutcomeText(facts: OutcomeFacts): string {
  return facts.decided ?? `${facts.silentOutcome ?? UNTOLD}${AT}${facts.silentOn}`;
}

/** A range of texts, in the order of their characters. */
type TextRange = { gte?: string; gt?: string; lte?: string; lt?: string };

/** The texts of projects that have an outcome on a day: one text, or ranges of texts. */
export function selectOutcomeTexts(outcome: ProjectOutcome, today: string): { text: string } | { ranges: TextRange[] } {
  if (outcome === 'stalled' || outcome === 'soft_denial') return { ranges: [{ gte: `${outcome}${AT}`, lte: `${outcome}${AT}${today}` }] };
  if (outcome !== 'pending') return { text: outcome };
  return { ranges: ['stalled', 'soft_denial', UNTOLD].map((word) => ({ gt: `${word}${AT}${today}`, lt: `${word}${AFTER_AT}` })) };
}
