/** Suite `alerts`: what a run takes where little changed in much, and how long many alerts take that are due at once. */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Option } from 'commander';
import PQueue from 'p-queue';
import { wholeNumber } from '../../../../src/terminal/program.ts';
import { whole } from '../../../../src/terminal/table.ts';
import { ApiClient } from '../../../lib/apiClient.ts';
import { ApiProcess, runIngestSuccessfully, WorkerProcess } from '../../../lib/programs.ts';
import { withProgress, withTimedStep } from '../../../lib/progress.ts';
import { median, milliseconds, type ReportSection, ratio } from '../../../lib/report.ts';
import type { SandboxEnvironment } from '../../../lib/sandbox.ts';
import { type Corpus, projectLines } from '../corpus.ts';
import { type KeptFiles, keepOption, reuseOption } from '../loaded.ts';
import { type Bench, type Suite, seedOption, sizesOption } from '../suite.ts';

const USUAL_SIZE = 1_000_000;
const USUAL_ALERTS = 10_000;
const ALERTS_OF_A_TEAM = 25;
const REPEATS = 20;
const MADE_AT_ONCE = 4;
const POLL_MS = 250;
/** After the last meeting of the corpus: an alert over everything that has seen everything. */
const PUT_OFF = '2099-01-05';
const LATER = { meetingDateFrom: PUT_OFF };

interface Options extends KeptFiles {
  n?: number[];
  seed: number;
  changes: number;
  alerts: number;
}

interface Run extends Bench {
  options: Options;
  corpus: Corpus;
  env: SandboxEnvironment;
  api: ApiProcess;
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
async function runAlert({ sandbox, env, api, signal }: Run, changes: string): Promise<Steady> {
  const { key } = await sandbox.account('national');
  const client = new ApiClient(api.url, key);
  const alert = await client.post('/alerts', { name: 'Put off', filters: LATER, maxRecordsPerRun: 1_000 }, randomUUID());
  const runNow = () => client.send({ method: 'POST', path: `/alerts/${alert.id}/run`, idempotencyKey: randomUUID() });
  const first = await runNow();
  const file = path.join(sandbox.folder, 'increment.ndjson');
  writeFileSync(file, changes);
  await runIngestSuccessfully(env, ['load', file, '--json'], sandbox.folder, signal);
  const changed = await runNow();
  const nothing: number[] = [];
  const search: number[] = [];
  for (let i = 0; i < REPEATS; i++) {
    nothing.push((await client.send({ path: `/alerts/${alert.id}/preview` })).milliseconds);
    search.push((await client.send({ path: '/projects/search?dateRange=all&representation=compact&limit=100' })).milliseconds);
  }
  return { first: first.milliseconds, changed: changed.milliseconds, records: changed.body.data.records, nothing, search };
}

interface Due {
  alerts: number;
  seconds: number;
  records: number;
}

/** All alerts of many teams fall due at one moment; one worker runs them. */
async function runDueAlerts(run: Run): Promise<Due> {
  const { sandbox, options, corpus } = run;
  const states = corpus.places.states.map(({ id }) => id);
  const teams = Math.ceil(options.alerts / ALERTS_OF_A_TEAM);
  const queue = new PQueue({ concurrency: MADE_AT_ONCE });
  await withProgress('Made the alerts', options.alerts, async (done) => {
    let made = 0;
    for (let team = 0; team < teams; team++)
      void queue.add(async () => {
        const { key } = await sandbox.account('national');
        const client = new ApiClient(run.api.url, key);
        for (let i = 0; i < ALERTS_OF_A_TEAM && made < options.alerts; i++) {
          made += 1;
          const filters = { states: [states[made % states.length]], dateRange: 'all' };
          await client.post('/alerts', { name: `Alert ${made}`, filters, maxRecordsPerRun: 10 }, randomUUID());
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

function sections(steady: Steady, due: Due, { changes }: Options): ReportSection[] {
  const [nothing, search] = [median(steady.nothing), median(steady.search)];
  const alertsPerSecond = due.alerts / due.seconds;
  return [
    {
      title: 'One run',
      text: `*Changes* is the run after an increment of ${whole(changes)} changed records, *nothing* the median of ${REPEATS} previews after it, *search* that of a compact page of 100.`,
      head: ['first run ms', 'changes ms', 'records', 'nothing ms', 'search ms', 'changes ÷ search', 'nothing ÷ search'],
      rows: [
        [
          milliseconds(steady.first),
          milliseconds(steady.changed),
          whole(steady.records),
          milliseconds(nothing),
          milliseconds(search),
          ratio(steady.changed, search),
          ratio(nothing, search),
        ],
      ],
    },
    {
      title: 'Many that are due at once',
      text: 'One worker. The aim is 10,000 within the hour.',
      head: ['alerts', 'records', 'seconds', 'alerts/s', 'minutes for 10,000'],
      rows: [
        [
          whole(due.alerts),
          whole(due.records),
          whole(due.seconds),
          alertsPerSecond.toFixed(1),
          (USUAL_ALERTS / alertsPerSecond / 60).toFixed(1),
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
    const { corpus, prefix } = await bench.corpora.load(bench.sandbox, options.n?.[0] ?? USUAL_SIZE, options.seed, options);
    const env = bench.sandbox.environment(undefined, prefix);
    const api = await ApiProcess.start(env, bench.signal);
    try {
      const run = { ...bench, options, corpus, env, api };
      const steady = await withTimedStep('Ran one alert', () => runAlert(run, changedLines(corpus, options.changes)));
      const ended = await runDueAlerts(run);
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
