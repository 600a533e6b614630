/** Suite `alerts`: what a run takes where little changed in much, and how long many alerts take that are due at once. */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Option } from 'commander';
import PQueue from 'p-queue';
import { wholeNumber } from '../../../../src/terminal/program.ts';
import { whole } from '../../../../src/terminal/textTable.ts';
import { WorkerProcess } from '../../../lib/programs.ts';
import { withProgress, withTimedStep } from '../../../lib/progress.ts';
import { median, type ReportSection, tableOfFigures, timeWork } from '../../../lib/report.ts';
import { type Corpus, loadWithLoader, projectLines } from '../corpus.ts';
import { type CorpusOptions, type CorpusRun, corpusOptions, corpusText, newClient, type Suite, serveCorpus } from '../suite.ts';

const USUAL_SIZE = 1_000_000;
const USUAL_ALERTS = 10_000;
const ALERTS_OF_A_TEAM = 25;
const REPEATS = 20;
const MADE_AT_ONCE = 4;
const POLL_MS = 250;
/** After the last meeting of the corpus: an alert over everything that has seen everything. */
const PUT_OFF = '2099-01-05';
const LATER = { meetingDateFrom: PUT_OFF };

interface Options extends CorpusOptions {
  changes: number;
  alerts: number;
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
async function runAlert(run: CorpusRun<Options>): Promise<Steady> {
  const { sandbox, env, signal, corpus, options } = run;
  const client = await newClient(run);
  const alert = await client.post('/alerts', { name: 'Put off', filters: LATER, maxRecordsPerRun: 1_000 }, randomUUID());
  const runNow = () => client.send({ method: 'POST', path: `/alerts/${alert.id}/run`, idempotencyKey: randomUUID() });
  const first = await runNow();
  const file = path.join(sandbox.folder, 'increment.ndjson');
  writeFileSync(file, changedLines(corpus, options.changes));
  await loadWithLoader(env, file, signal, false);
  const changed = await runNow();
  const nothing: number[] = [];
  const search: number[] = [];
  for (let i = 0; i < REPEATS; i++) {
    nothing.push(await timeWork(() => client.get(`/alerts/${alert.id}/preview`)));
    search.push(await timeWork(() => client.get('/projects/search?dateRange=all&representation=compact&limit=100')));
  }
  return { first: first.milliseconds, changed: changed.milliseconds, records: changed.body.data.records, nothing, search };
}

interface Due {
  alerts: number;
  seconds: number;
  records: number;
}

async function makeAlerts(run: CorpusRun<Options>): Promise<void> {
  const { options, corpus } = run;
  const states = corpus.places.states.map(({ id }) => id);
  const queue = new PQueue({ concurrency: MADE_AT_ONCE });
  await withProgress('Made the alerts', options.alerts, async (done) => {
    let made = 0;
    for (let team = 0; team < Math.ceil(options.alerts / ALERTS_OF_A_TEAM); team++)
      void queue.add(async () => {
        const client = await newClient(run);
        for (let i = 0; i < ALERTS_OF_A_TEAM && made < options.alerts; i++) {
          made += 1;
          const filters = { states: [states[made % states.length]], dateRange: 'all' };
          await client.post('/alerts', { name: `Alert ${made}`, filters, maxRecordsPerRun: 10 }, randomUUID());
          done(made);
        }
      });
    await queue.onIdle();
  });
}

/** All alerts of many teams fall due at one moment; one worker runs them. */
async function runDueAlerts(run: CorpusRun<Options>): Promise<Due> {
  const { sandbox, options, env, signal } = run;
  const { database } = sandbox;
  await makeAlerts(run);
  await database.query(`update alert set next_run_at = now() - interval '1 minute' where next_run_at is not null`);
  await using _worker = new WorkerProcess(env);
  const ms = await timeWork(() =>
    withProgress('Ran them', options.alerts, async (done) => {
      for (let ended = 0; ended < options.alerts; await sleep(POLL_MS)) {
        signal.throwIfAborted();
        const [row] = await database.query<{ ended: number }>('select count(*)::integer as ended from alert_due where ended');
        ended = Math.min(row?.ended ?? 0, options.alerts);
        done(ended);
      }
    }),
  );
  const [row] = await database.query<Omit<Due, 'seconds'>>(
    `select count(*)::integer as alerts, sum(new_records + changed_records)::integer as records from alert_delivery
     where trigger = 'scheduled' and status = 'completed'`,
  );
  return { alerts: row?.alerts ?? 0, records: row?.records ?? 0, seconds: ms / 1000 };
}

function sections({ first, changed, records, ...repeated }: Steady, due: Due, { changes }: Options): ReportSection[] {
  const [nothing, search] = [median(repeated.nothing), median(repeated.search)];
  const alertsPerSecond = due.alerts / due.seconds;
  return [
    tableOfFigures(
      'One run',
      `*Changes* is the run after an increment of ${whole(changes)} changed records, *nothing* the median of ${REPEATS} previews after it, *search* that of a compact page of 100.`,
      [
        {
          'first run ms': first,
          'changes ms': changed,
          records,
          'nothing ms': nothing,
          'search ms': search,
          'changes ÷ search': changed / search,
          'nothing ÷ search': nothing / search,
        },
      ],
    ),
    tableOfFigures('Many that are due at once', 'One worker. The aim is 10,000 within the hour.', [
      {
        alerts: due.alerts,
        records: due.records,
        seconds: due.seconds,
        'alerts/s': alertsPerSecond.toFixed(1),
        'minutes for 10,000': (USUAL_ALERTS / alertsPerSecond / 60).toFixed(1),
      },
    ]),
  ];
}

export const alerts: Suite<Options> = {
  name: 'alerts',
  summary: 'a run where little changed in much, and many alerts that are due at once',
  options: [
    ...corpusOptions,
    new Option('--changes <records>', 'records that change between two runs').argParser(wholeNumber(1, 1_000)).default(500),
    new Option('--alerts <alerts>', 'alerts that are due at once').argParser(wholeNumber(1, 100_000)).default(USUAL_ALERTS),
  ],
  async run(bench, options) {
    await using run = await serveCorpus(bench, options, USUAL_SIZE);
    const steady = await withTimedStep('Ran one alert', () => runAlert(run));
    const due = await runDueAlerts(run);
    return {
      title: 'Alerts',
      about: `${corpusText(run.corpus)}, one API process, one worker.`,
      sections: sections(steady, due, options),
      figures: { steady, due },
    };
  },
};
