/** Suite `odds`: base rates by body and use against the state's mean, over held-out years of the public data sets. */
import { outcomeFacts, outcomeOn } from '../../../../src/core/domain/process/outcome.ts';
import { DECIDED_OUTCOMES, GIVEN_UP_OUTCOMES } from '../../../../src/core/domain/process/tokens.ts';
import type { ProjectStatement } from '../../../../src/core/domain/record/statement.ts';
import { whole } from '../../../../src/terminal/textTable.ts';
import type { ApiClient } from '../../../lib/apiClient.ts';
import { type BrierScores, type Forecast, groupOf, type PastCase, poolScores, scoreForecasts } from '../../../lib/oddsBacktest.ts';
import { withTimedStep } from '../../../lib/progress.ts';
import { type PublicLine, requirePublicData } from '../../../lib/publicData.ts';
import { type FiguresRow, type ReportSection, tableOfFigures } from '../../../lib/report.ts';
import { withPublicRecords } from '../publicRecords.ts';
import type { Bench, Suite } from '../suite.ts';

/** A year is held out where it has as many cases, and where as many come before it. */
const HELD_MIN = 100;
/** Data sets whose records have outcomes; permits that were issued have none but that. */
const SETS = ['ca_bayarea', 'ma_massbuilds', 'nc_mecklenburg', 'ny_council', 'va_counties'];

const FINISHED: ReadonlySet<string> = new Set([...DECIDED_OUTCOMES, ...GIVEN_UP_OUTCOMES]);

/** The case of a line, where it is finished and its year is known. */
function caseOf(line: ProjectStatement & { state: string }, today: string): PastCase | undefined {
  const { outcome } = outcomeOn(outcomeFacts(line), today);
  if (!outcome || !FINISHED.has(outcome) || !line.meetingDate) return undefined;
  const year = Number(line.meetingDate.slice(0, 4));
  return { state: line.state, year, body: line.decisionBody ?? null, use: line.propertyType ?? null, approved: outcome === 'approved' };
}

interface OddsData {
  groups: { keys: { decisionBody: string | null; propertyType: string | null }; outcomes: { approved: number | null } }[];
  totals: { outcomes: { approved: number | null } } | null;
}

/** What odds say of the records of a state that were last heard before a year. */
async function forecastFor(client: ApiClient, state: string, year: number): Promise<Forecast> {
  const filters = { states: [state], meetingDateTo: `${year - 1}-12-31`, taxonomyMatchMode: 'primary_only' };
  const { groups, totals } = await client.post<OddsData>('/analytics/odds', { filters, by: ['decisionBody', 'propertyType'] });
  return {
    state: totals?.outcomes.approved ?? null,
    groups: new Map(groups.map(({ keys, outcomes }) => [groupOf({ body: keys.decisionBody, use: keys.propertyType }), outcomes.approved])),
  };
}

interface HeldOut {
  state: string;
  year: number;
  scores: BrierScores;
  /** of records that state a body alone: sources that name one only for what was decided would make forecasts too easy */
  stating: BrierScores | undefined;
}

/** Every year of every state that has enough cases, forecast by those before it. */
async function holdOut(client: ApiClient, cases: readonly PastCase[]): Promise<HeldOut[]> {
  const found: HeldOut[] = [];
  for (const [state, own] of Map.groupBy(cases, (one) => one.state))
    for (const [year, held] of [...Map.groupBy(own, (one) => one.year)].sort(([a], [b]) => a - b)) {
      if (held.length < HELD_MIN || own.filter((one) => one.year < year).length < HELD_MIN) continue;
      const forecast = await forecastFor(client, state, year);
      const stating = held.filter(({ body }) => body !== null);
      const scores = scoreForecasts(held, forecast);
      if (scores) found.push({ state, year, scores, stating: scoreForecasts(stating, forecast) });
    }
  return found;
}

const share = (value: number) => value.toFixed(4);

const scoreRow = (title: string, held: string, { cases, byGroup, stateMean, bodyAndUse }: BrierScores): FiguresRow => ({
  state: title,
  'held out': held,
  cases,
  'with a group': byGroup,
  'Brier, state’s mean': share(stateMean),
  'Brier, body × use': share(bodyAndUse),
});

/** The scores of some years, and those of their cases that state a body. */
function scoreRows(some: readonly HeldOut[], title: string, held: string): FiguresRow[] {
  const stating = some.flatMap((one) => one.stating ?? []);
  const all = scoreRow(title, held, poolScores(some.map(({ scores }) => scores)));
  return stating.length ? [all, scoreRow(`${title}, stating a body`, held, poolScores(stating))] : [all];
}

async function backtest(bench: Bench): Promise<ReportSection & { figures: object }> {
  requirePublicData();
  const today = new Date().toISOString().slice(0, 10);
  const cases: PastCase[] = [];
  const pick = (line: PublicLine) => {
    const found = caseOf(line as ProjectStatement & { state: string }, today);
    if (found) cases.push(found);
    return found && line;
  };
  return withPublicRecords(bench, 'benchodds', SETS, pick, async (client) => {
    const years = await withTimedStep('Forecast the held-out years', () => holdOut(client, cases));
    const states = [...Map.groupBy(years, ({ state }) => state)];
    const latest = states.map(([, own]) => own.at(-1) as HeldOut);
    const rows = [
      ...latest.flatMap((one) => scoreRows([one], one.state, String(one.year))),
      ...scoreRows(latest, 'All', 'the last year of each'),
      ...states.flatMap(([state, own]) => scoreRows(own, state, `each of ${own.length} years`)),
      ...scoreRows(years, 'All', 'each year of each'),
    ];
    const text = `${whole(cases.length)} cases that were decided or given up. What a case becomes, approved or not, is forecast by the odds of its state's cases of earlier years: by the share approved of its body and use, and by that of the state alone. Where the group is hidden or new the state's share stands for it. A year is held out where it has ${HELD_MIN} cases or more and as many come before it. Lower is better. Some sources name a body only for what was decided, so that a missing one tells the outcome: cases that state a body are scored apart, too.`;
    return { ...tableOfFigures('Base rates of body and use against the state’s mean', text, rows), figures: { years } };
  });
}

export const odds: Suite<object> = {
  name: 'odds',
  summary: 'base rates of body and use against the mean of the state, over held-out years of real records; growth has the time of a call',
  options: [],
  async run(bench) {
    const { figures, ...scores } = await backtest(bench);
    return { title: 'Odds', about: 'Through the API, for a team on the National plan.', sections: [scores], figures };
  },
};
