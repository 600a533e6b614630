/** Odds in plain words, as the page, the command line and tools say them. Pure. */

interface Odds {
  n: number;
  givenUp: number | null;
  outcomes: { approved: number | null };
  intervals: { approved: readonly number[] | null };
  /** day of the earliest first hearing */
  since: string | null;
  daysToDecision: { p50: number | null; p75: number | null } | null;
}

/** Only none is 0 %, and only all are 100 %. */
const percent = (share: number) => (share > 0 && share < 1 ? Math.min(99, Math.max(1, Math.round(100 * share))) : 100 * share);

function describeApproved({ outcomes: { approved }, intervals }: Odds): string {
  const [low, high] = intervals.approved ?? [];
  if (approved === null || low === undefined || high === undefined) return 'the share approved is not shown.';
  return `${percent(approved)} % were approved: between ${percent(low)} and ${percent(high)} % with 95 % confidence.`;
}

/** `Of those neither withdrawn nor given up before, half are voted on by day 120, …` */
export function describeDays({ p50, p75 }: NonNullable<Odds['daysToDecision']>): string {
  const quarters = p75 === null ? 'three quarters not in the time that is known' : `three quarters by day ${p75}`;
  const half = p50 === null ? 'fewer than half are voted on in the time that is known' : `half are voted on by day ${p50}, ${quarters}`;
  return `Of those neither withdrawn nor given up before, ${half}.`;
}

/** `Of 89 decided since 2019-03-05, 75 % were approved: between 65 and 83 % with 95 % confidence. …` */
export function describeOdds(odds: Odds): string {
  const { n, givenUp, since, daysToDecision } = odds;
  const decided = `Of ${n.toLocaleString('en-US')} decided${givenUp === 0 ? '' : ' or given up'}${since === null ? '' : ` since ${since}`}`;
  return `${decided}, ${describeApproved(odds)}${daysToDecision ? ` ${describeDays(daysToDecision)}` : ''}`;
}
