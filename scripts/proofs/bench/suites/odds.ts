/** Suite `odds`: base rates by body and use against the state's mean, over held-out years of the public data sets; and the time of a call. */
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import path from 'node:path';
import { createGunzip } from 'node:zlib';
import { writeGeneration } from '../../../../ingest/sources/generation.ts';
import { outcomeFacts, outcomeOn } from '../../../../src/core/domain/process/outcome.ts';
import { DECIDED_OUTCOMES, GIVEN_UP_OUTCOMES } from '../../../../src/core/domain/process/tokens.ts';
import type { ProjectStatement } from '../../../../src/core/domain/record/statement.ts';
import { splitLines } from '../../../../src/terminal/lines.ts';
import { whole } from '../../../../src/terminal/table.ts';
import { ApiClient } from '../../../lib/apiClient.ts';
import { type BrierScores, type Forecast, groupOf, type PastCase, poolScores, scoreForecasts } from '../../../lib/oddsBacktest.ts';
import { ApiProcess, runIngestSuccessfully } from '../../../lib/programs.ts';
import { withTimedStep } from '../../../lib/progress.ts';
import { median, milliseconds, type ReportSection } from '../../../lib/report.ts';
import { root, Sandbox } from '../../../lib/sandbox.ts';
import { type KeptFiles, keepOption, reuseOption } from '../loaded.ts';
import { type Bench, roundsOption, type Suite, seedOption, sizesOption } from '../suite.ts';

const REAL_FOLDER = path.resolve(process.env.REAL_DATA ?? path.join(root, '../shared/data'));
const USUAL_SIZE = 200_000;
/** A year is held out where it has as many cases, and where as many come before it. */
const HELD_MIN = 100;
/** Data sets whose records have outcomes; permits that were issued have none but that. */
const SETS = ['ca_bayarea', 'ma_massbuilds', 'nc_mecklenburg', 'ny_council', 'va_counties'];

interface Options extends KeptFiles {
  n?: number[];
  seed: number;
  rounds: number;
}

const FINISHED: ReadonlySet<string> = new Set([...DECIDED_OUTCOMES, ...GIVEN_UP_OUTCOMES]);

/** The case of a line, where it is finished and its year is known. */
function caseOf(line: ProjectStatement & { state: string }, today: string): PastCase | undefined {
  const { outcome } = outcomeOn(outcomeFacts(line), today);
  if (!outcome || !FINISHED.has(outcome) || !line.meetingDate) return undefined;
  const year = Number(line.meetingDate.slice(0, 4));
  return { state: line.state, year, body: line.decisionBody ?? null, use: line.propertyType ?? null, approved: outcome === 'approved' };
}

/** The public data sets as a generation file, without the texts of which no outcome is read; and their cases. */
async function writeCases(folder: string, today: string): Promise<{ file: string; cases: PastCase[] }> {
  const written = await writeGeneration({ from: REAL_FOLDER, to: folder, generation: 1, only: SETS, onProgress: () => {} });
  const file = path.join(folder, 'cases.ndjson');
  const out = createWriteStream(file);
  const cases: PastCase[] = [];
  for await (const text of splitLines(createReadStream(written.file).pipe(createGunzip()))) {
    const { records: _, sha256: _sha256, ...line } = JSON.parse(text);
    if (line.kind === 'generation') out.write(`${JSON.stringify(line)}\n`);
    if (line.kind !== 'project') continue;
    const found = caseOf(line, today);
    if (!found) continue;
    cases.push(found);
    out.write(`${JSON.stringify({ ...line, rawText: null, originalRawText: null, evidence: undefined, meetingDocumentId: null })}\n`);
  }
  await new Promise((resolve) => out.end(resolve));
  return { file, cases };
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
const row = (title: string, held: string, { cases, byGroup, stateMean, bodyAndUse }: BrierScores) => [
  title,
  held,
  whole(cases),
  whole(byGroup),
  share(stateMean),
  share(bodyAndUse),
];

const TITLE = 'Base rates of body and use against the state’s mean';
const HEAD = ['state', 'held out', 'cases', 'with a group', 'Brier, state’s mean', 'Brier, body × use'];

async function backtest({ servers, signal }: Bench): Promise<ReportSection & { figures: object | null }> {
  const skipped = `Skipped: the public data sets are not in ${REAL_FOLDER}; REAL_DATA names their folder.`;
  if (!existsSync(REAL_FOLDER)) return { title: TITLE, text: skipped, head: HEAD, rows: [], figures: null };
  const sandbox = await Sandbox.make(servers, 'benchodds');
  try {
    const today = new Date().toISOString().slice(0, 10);
    const { file, cases } = await withTimedStep('Wrote the cases of the public data sets', () => writeCases(sandbox.folder, today));
    await withTimedStep('Loaded them', () =>
      runIngestSuccessfully(sandbox.environment(), ['load', file, '--activate'], sandbox.folder, signal),
    );
    const api = await ApiProcess.start(sandbox.environment(), signal);
    try {
      const client = new ApiClient(api.url, (await sandbox.account('national')).key);
      const years = await withTimedStep('Forecast the held-out years', () => holdOut(client, cases));
      const states = [...Map.groupBy(years, ({ state }) => state)];
      const latest = states.map(([, own]) => own.at(-1) as HeldOut);
      const rowsOf = (some: readonly HeldOut[], title: string, held: string) => {
        const stating = some.flatMap((one) => one.stating ?? []);
        const all = row(title, held, poolScores(some.map(({ scores }) => scores)));
        return stating.length ? [all, row(`${title}, stating a body`, held, poolScores(stating))] : [all];
      };
      return {
        title: TITLE,
        text: `${whole(cases.length)} cases that were decided or given up. What a case becomes, approved or not, is forecast by the odds of its state's cases of earlier years: by the share approved of its body and use, and by that of the state alone. Where the group is hidden or new the state's share stands for it. A year is held out where it has ${HELD_MIN} cases or more and as many come before it. Lower is better. Some sources name a body only for what was decided, so that a missing one tells the outcome: cases that state a body are scored apart, too.`,
        head: HEAD,
        rows: [
          ...latest.flatMap((one) => rowsOf([one], one.state, String(one.year))),
          ...rowsOf(latest, 'All', 'the last year of each'),
          ...states.flatMap(([state, own]) => rowsOf(own, state, `each of ${own.length} years`)),
          ...rowsOf(years, 'All', 'each year of each'),
        ],
        figures: { years },
      };
    } finally {
      await api.end();
    }
  } finally {
    await sandbox.remove();
  }
}

const TIMED = [
  { title: 'everything', body: { filters: { dateRange: 'all' } } },
  { title: 'by body', body: { filters: { dateRange: 'all' }, by: ['decisionBody'] } },
  { title: 'by body and use', body: { filters: { dateRange: 'all' }, by: ['decisionBody', 'propertyType'] } },
  { title: 'by county', body: { filters: { dateRange: 'all' }, by: ['county'] } },
];

async function measureTime({ corpora, sandbox, signal }: Bench, { n, seed, rounds, ...keeping }: Options) {
  const { corpus, prefix } = await corpora.load(sandbox, n?.[0] ?? USUAL_SIZE, seed, keeping);
  const api = await ApiProcess.start(sandbox.environment(undefined, prefix), signal);
  try {
    const client = new ApiClient(api.url, (await sandbox.account('national')).key);
    const timed = [];
    for (const { title, body } of TIMED) {
      const times: number[] = [];
      let groups = 0;
      for (let round = 0; round <= rounds; round++) {
        const began = performance.now();
        groups = (await client.post<OddsData>('/analytics/odds', body)).groups.length;
        // The first warms up.
        if (round) times.push(performance.now() - began);
      }
      timed.push({ title, groups, times });
    }
    return { records: corpus.n, timed };
  } finally {
    await api.end();
  }
}

export const odds: Suite<Options> = {
  name: 'odds',
  summary: 'base rates of body and use against the mean of the state, over held-out years of real records; the time of a call',
  options: [sizesOption, seedOption, roundsOption, keepOption, reuseOption],
  async run(bench, options) {
    const { figures, ...scores } = await backtest(bench);
    const { records, timed } = await measureTime(bench, options);
    return {
      title: 'Odds',
      about: 'Through the API, for a team on the National plan.',
      sections: [
        scores,
        {
          title: 'Time',
          text: `Over ${whole(records)} made-up records, one request at a time.`,
          head: ['odds', 'groups', 'requests', 'median ms', 'slowest ms'],
          rows: timed.map(({ title, groups, times }) => [
            title,
            whole(groups),
            whole(times.length),
            milliseconds(median(times)),
            milliseconds(Math.max(...times)),
          ]),
        },
      ],
      figures: { backtest: figures, time: { records, timed } },
    };
  },
};
