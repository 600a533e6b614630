/** Suite `alerts`: what a run takes where little changed in much, and how long many alerts take that are due at once. */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Option } from 'commander';
import PQueue from 'p-queue';
import { UserError, wholeNumber } from '../../../src/terminal/program.ts';
import { whole } from '../../../src/terminal/table.ts';
import { Api, ingest, WorkerProcess } from '../../lib/programs.ts';
import { step, withProgress } from '../../lib/progress.ts';
import { quantile } from '../../lib/quantile.ts';
import type { Environment } from '../../lib/sandbox.ts';
import { type Corpus, projectLines } from '../corpus.ts';
import { type Keeping, keepOption, reuseOption } from '../loaded.ts';
import { type Bench, milliseconds, type Section, type Suite, seedOption, sizesOption } from '../suite.ts';

const USUAL_SIZE = 1_000_000;
const USUAL_ALERTS = 10_000;
const ALERTS_OF_A_TEAM = 25;
const REPEATS = 20;
const MADE_AT_ONCE = 4;
const POLL_MS = 250;
/** After the last meeting of the corpus: an alert over everything that has seen everything. */
const PUT_OFF = '2099-01-05';
const LATER = { meetingDateFrom: PUT_OFF };

interface Options extends Keeping {
  n?: number[];
  seed: number;
  changes: number;
  alerts: number;
}

interface Run extends Bench {
  options: Options;
  corpus: Corpus;
  env: Environment;
  api: Api;
}

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into field by field
type Data = any;

/** @returns `data`, and how long it took in milliseconds */
async function ask({ api }: Run, key: string, method: string, where: string, body?: object): Promise<{ data: Data; took: number }> {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() };
  const started = performance.now();
  const response = await fetch(`${api.url}/v1${where}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  const text = await response.text();
  if (!response.ok) throw new UserError(`${method} ${where} answered ${response.status}: ${text.slice(0, 300)}`);
  return { data: JSON.parse(text).data, took: performance.now() - started };
}

/** An increment: the first records of the corpus, put off to a day after the last. */
function changedLines(corpus: Corpus, count: number): string {
  const lines: string[] = [];
  for (const line of projectLines(corpus, 1)) {
    if (line.kind === 'generation') lines.push(JSON.stringify({ ...line, mode: 'increment', records: undefined, sha256: undefined }));
    else lines.push(JSON.stringify({ ...line, meetingDate: PUT_OFF, status: 'continued' }));
    if (lines.length > count) break;
  }
  return `${lines.join('\n')}\n`;
}

interface Steady {
  /** milliseconds: of the first run, which looks at everything; of the one after the changes; of those after which nothing changed; of a search page */
  first: number;
  changed: number;
  records: number;
  nothing: number[];
  search: number[];
}

/** Previews find what a run would deliver without spending one of the three runs of a day. */
async function runs(run: Run, changes: string): Promise<Steady> {
  const { key } = await run.sandbox.account('national');
  const { data: alert } = await ask(run, key, 'POST', '/alerts', { name: 'Put off', filters: LATER, maxRecordsPerRun: 1_000 });
  const runNow = () => ask(run, key, 'POST', `/alerts/${alert.id}/run`);
  const first = await runNow();
  const file = path.join(run.sandbox.folder, 'increment.ndjson');
  writeFileSync(file, changes);
  await ingest(run.env, ['load', file, '--json'], run.sandbox.folder, run.signal);
  const changed = await runNow();
  const nothing: number[] = [];
  const search: number[] = [];
  for (let i = 0; i < REPEATS; i++) {
    nothing.push((await ask(run, key, 'GET', `/alerts/${alert.id}/preview`)).took);
    search.push((await ask(run, key, 'GET', '/projects/search?dateRange=all&representation=compact&limit=100')).took);
  }
  return { first: first.took, changed: changed.took, records: changed.data.records, nothing, search };
}

interface Due {
  alerts: number;
  seconds: number;
  records: number;
}

/** All alerts of many teams fall due at one moment; one worker runs them. */
async function due(run: Run): Promise<Due> {
  const { sandbox, options, corpus } = run;
  const states = corpus.places.states.map(({ id }) => id);
  const teams = Math.ceil(options.alerts / ALERTS_OF_A_TEAM);
  const queue = new PQueue({ concurrency: MADE_AT_ONCE });
  await withProgress('Made the alerts', options.alerts, async (done) => {
    let made = 0;
    for (let team = 0; team < teams; team++)
      void queue.add(async () => {
        const { key } = await sandbox.account('national');
        for (let i = 0; i < ALERTS_OF_A_TEAM && made < options.alerts; i++) {
          made += 1;
          await ask(run, key, 'POST', '/alerts', {
            name: `Alert ${made}`,
            filters: { states: [states[made % states.length]], dateRange: 'all' },
            maxRecordsPerRun: 10,
          });
          done(made);
        }
      });
    await queue.onIdle();
  });
  await sandbox.database.query(`update alert set next_run_at = now() - interval '1 minute' where next_run_at is not null`);
  const worker = new WorkerProcess(run.env);
  const started = performance.now();
  try {
    await withProgress('Ran them', options.alerts, async (done) => {
      for (let ended = 0; ended < options.alerts; await sleep(POLL_MS)) {
        run.signal.throwIfAborted();
        const [row] = await sandbox.database.query<{ ended: number }>('select count(*)::integer as ended from alert_due where ended');
        ended = Math.min(row?.ended ?? 0, options.alerts);
        done(ended);
      }
    });
    const seconds = (performance.now() - started) / 1000;
    const [row] = await sandbox.database.query<{ alerts: number; records: number }>(
      `select count(*)::integer as alerts, sum(new_records + changed_records)::integer as records from alert_delivery
       where trigger = 'scheduled' and status = 'completed'`,
    );
    return { alerts: row?.alerts ?? 0, records: row?.records ?? 0, seconds };
  } finally {
    await worker.end();
  }
}

function sections(steady: Steady, due: Due, { changes }: Options): Section[] {
  const [nothing, search] = [quantile(steady.nothing, 0.5), quantile(steady.search, 0.5)];
  return [
    {
      title: 'One run',
      text: `*Changes* is the run after an increment of ${whole(changes)} changed records, *nothing* the median of ${REPEATS} previews after it, *search* that of a compact page of 100.`,
      head: ['first run ms', 'changes ms', 'records', 'nothing ms', 'search ms', 'changes ÷ search', 'nothing ÷ search'],
      rows: [
        [
          ...[milliseconds(steady.first), milliseconds(steady.changed), whole(steady.records), milliseconds(nothing), milliseconds(search)],
          ...[(steady.changed / search).toFixed(2), (nothing / search).toFixed(2)],
        ],
      ],
    },
    {
      title: 'Many that are due at once',
      text: 'One worker. The aim is 10,000 within the hour.',
      head: ['alerts', 'records', 'seconds', 'alerts/s', 'minutes for 10,000'],
      rows: [
        [
          ...[whole(due.alerts), whole(due.records), whole(due.seconds), (due.alerts / due.seconds).toFixed(1)],
          (USUAL_ALERTS / (due.alerts / due.seconds) / 60).toFixed(1),
        ],
      ],
    },
  ];
}

export const alerts: Suite<Options> = {
  name: 'alerts',
  summary: 'a run where little changed in much, and many alerts that are due at once',
  options: [
    sizesOption,
    seedOption,
    keepOption,
    reuseOption,
    new Option('--changes <records>', 'records that change between two runs').argParser(wholeNumber(1, 1_000)).default(500),
    new Option('--alerts <alerts>', 'alerts that are due at once').argParser(wholeNumber(1, 100_000)).default(USUAL_ALERTS),
  ],
  async run(bench, options) {
    const { corpus, prefix } = await bench.corpora.of(bench.sandbox, options.n?.[0] ?? USUAL_SIZE, options.seed, options);
    const env = bench.sandbox.environment(undefined, prefix);
    const api = await Api.start(env, bench.signal);
    try {
      const run = { ...bench, options, corpus, env, api };
      const steady = await step('Ran one alert', () => runs(run, changedLines(corpus, options.changes)));
      const ended = await due(run);
      return {
        title: 'Alerts',
        about: `${whole(corpus.n)} made-up projects (seed ${corpus.seed}), one API process, one worker.`,
        sections: sections(steady, ended, options),
        figures: { steady, due: ended },
      };
    } finally {
      await api.end();
    }
  },
};
