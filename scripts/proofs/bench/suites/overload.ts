/** Suite `overload`: what one process can serve at most, what it serves of three times as much, and whether all is as before a minute later. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Option } from 'commander';
import { wholeNumber } from '../../../../src/terminal/program.ts';
import { whole } from '../../../../src/terminal/textTable.ts';
import { withTimedStep } from '../../../lib/progress.ts';
import { median, milliseconds, p99, quantile, type ReportSection, ratio, sum } from '../../../lib/report.ts';
import { type CellName, pathsOf } from '../cells.ts';
import { allTeams, answeredPerSecond, Clients, type ClientsTally } from '../clients.ts';
import type { Corpus } from '../corpus.ts';
import { type Cpu, type Meters, metersOf, readMeters, twoDecimals } from '../measure.ts';
import { type CorpusOptions, type CorpusRun, corpusOptions, corpusText, cpuProfOption, type Suite, serveCorpus } from '../suite.ts';

const USUAL_SIZE = 100_000;
/** What is asked, in turn: everything that costs the search backend something, an aggregation aside. */
const CELLS: readonly CellName[] = ['standard', 'polygon', 'count', 'evidence', 'record', 'phrase'];
/** Closed loops that rise until no further one serves more. */
const CONNECTIONS = [8, 16, 32, 64, 128];
const WARM_UP_MS = 5_000;
const NORMAL_SHARE = 0.5;
const AFTER_MS = 60_000;
/** What the teams offer, as shares of the maximum for every one that is offered in all: the last asks for less than its turn. */
const OFFERED = [0.6, 0.24, 0.13, 0.03];
/** An answer that comes later is of no use. */
const USEFUL_MS = 5_000;

interface Options extends CorpusOptions {
  phaseSeconds: number;
  times: number;
  overloadSeconds: number;
}

interface Run extends CorpusRun<Options> {
  clients: Clients;
  meters: Meters;
}

/** A phase, and the processor time of servers and API meanwhile. */
interface Phase extends ClientsTally {
  name: string;
  cpu: Cpu & { api: number };
}

async function runPhase(
  { api, clients, meters, signal }: Run,
  name: string,
  load: Parameters<Clients['run']>[0],
  ms: number,
): Promise<Phase> {
  await clients.take();
  const [servers, own] = [readMeters(meters), (await api.usage()).cpuMicroseconds];
  const tally = await withTimedStep(name, () => clients.run(load, ms, signal));
  const after = readMeters(meters);
  const cpu = Object.fromEntries(meters.map(([server], at) => [server, (after[at] as number) - (servers[at] as number)]));
  return { ...tally, name, cpu: { ...cpu, api: ((await api.usage()).cpuMicroseconds - own) / 1000 } };
}

interface Found {
  closed: Phase[];
  /** connections of the best closed loop */
  best: number;
  phases: Phase[];
}

async function measureOverload(run: Run): Promise<Found> {
  const { options } = run;
  const ms = options.phaseSeconds * 1000;
  const closedLoop = (connections: number, title = `${connections} connections`) =>
    runPhase(run, title, { kind: 'closed', connections }, ms);
  await runPhase(run, 'Warmed up', { kind: 'closed', connections: 16 }, WARM_UP_MS);
  const closed: Phase[] = [];
  for (const connections of CONNECTIONS) closed.push(await closedLoop(connections));
  const rates = closed.map(answeredPerSecond);
  const best = CONNECTIONS[rates.indexOf(Math.max(...rates))] as number;
  const most = Math.max(...rates);
  const openLoop = (title: string, share: number, milliseconds: number) =>
    runPhase(run, title, { kind: 'open', perSecond: OFFERED.map((part) => part * share * most) }, milliseconds);
  await waitUntilIdle(run);
  const phases = [
    await openLoop('normal load, before', NORMAL_SHARE, 2 * ms),
    await openLoop(`${options.times} times the most`, options.times, options.overloadSeconds * 1000),
    await openLoop('normal load, the minute after', NORMAL_SHARE, AFTER_MS),
    await openLoop('normal load, a minute later', NORMAL_SHARE, 2 * ms),
  ];
  await waitUntilIdle(run);
  closed.push(await closedLoop(best, `${best} connections, at the end`));
  return { closed, best, phases };
}

/** Nothing is asked any more, and what was asked is answered. */
async function waitUntilIdle({ clients, signal }: Run): Promise<void> {
  clients.setLoad({ kind: 'none' });
  await sleep(2_000, undefined, { signal });
}

const useful = (times: readonly number[]) => times.filter((ms) => ms <= USEFUL_MS).length;
const goodput = (phase: Phase) => useful(allTeams(phase).answeredMs) / phase.seconds;

function phaseRow(phase: Phase, most: number): string[] {
  const { calls, answeredMs, refusedMs, retryAfterSeconds, failures, givenUp } = allTeams(phase);
  const { seconds } = phase;
  const times = (values: readonly number[]) => (values.length ? [milliseconds(median(values)), milliseconds(p99(values))] : ['', '']);
  return [
    phase.name,
    whole(calls / seconds),
    whole((answeredMs.length + refusedMs.length + failures.length) / seconds),
    whole(goodput(phase)),
    ratio(goodput(phase), most),
    ...times(answeredMs),
    whole(refusedMs.length / seconds),
    ...times(refusedMs),
    retryAfterSeconds.length ? `${quantile(retryAfterSeconds, 0)}–${quantile(retryAfterSeconds, 1)}` : '',
    whole(failures.length),
    whole(givenUp),
  ];
}

const PHASE_HEAD = [
  ...['', 'calls /s', 'attempts /s', 'served /s', 'of the most', 'served p50', 'p99', 'refused /s', 'refused p50', 'p99'],
  ...['Retry-After s', 'other failures', 'given up'],
];

/** What each team would get of `most` where none gets more than it asks for, and those that ask for more get equal parts. */
function fairShares(asked: readonly number[], most: number): number[] {
  const shares = asked.map(() => 0);
  let left = most;
  let open = asked.map((_, team) => team);
  while (open.length) {
    const part = left / open.length;
    const content = open.filter((team) => (asked[team] as number) <= part);
    const settled = content.length ? content : open;
    for (const team of settled) {
      shares[team] = content.length ? (asked[team] as number) : part;
      left -= shares[team] as number;
    }
    open = content.length ? open.filter((team) => !content.includes(team)) : [];
  }
  return shares;
}

function teamRows(phase: Phase): string[][] {
  const asked = phase.teams.map(({ calls }) => calls / phase.seconds);
  const served = phase.teams.map(({ answeredMs }) => useful(answeredMs) / phase.seconds);
  const fair = fairShares(asked, sum(served));
  return phase.teams.map(({ answeredMs, refusedMs }, team) => [
    String(team + 1),
    whole(asked[team] as number),
    whole(served[team] as number),
    whole(fair[team] as number),
    ratio(served[team] as number, fair[team] as number),
    milliseconds(p99(answeredMs)),
    whole(refusedMs.length / phase.seconds),
  ]);
}

const cores = (ms: number | undefined, { seconds }: Phase) => (ms === undefined ? '' : twoDecimals(ms / 1000 / seconds));

const costRow = (phase: Phase): string[] => [
  phase.name,
  ...[phase.cpu.elasticsearch, phase.cpu.postgres, phase.cpu.redis, phase.cpu.api, phase.cpuMilliseconds].map((ms) => cores(ms, phase)),
  milliseconds(phase.lateP99Milliseconds),
];

function verdictRows({ closed, phases }: Found, most: number): string[][] {
  const [before, overload, , after] = phases as [Phase, Phase, Phase, Phase];
  const { refusedMs, failures, retryAfterSeconds } = allTeams(overload);
  const [early, late] = [before, after].map((phase) => ({
    rate: answeredPerSecond(phase) / (allTeams(phase).calls / phase.seconds),
    p99: p99(allTeams(phase).answeredMs),
  }));
  const last = closed.at(-1) as Phase;
  return [
    ['served under overload, of the most', '≥ 0.90', ratio(goodput(overload), most)],
    ['refusals, p99 ms', '< 50', milliseconds(p99(refusedMs))],
    ['ends that are neither 200 nor 503 with Retry-After', '0', whole(failures.length)],
    ['refusals without a wait of a second at least', '0', whole(retryAfterSeconds.filter((seconds) => !(seconds >= 1)).length)],
    ['normal load a minute later: answered, of what was asked', '≥ 0.98', twoDecimals(late?.rate ?? 0)],
    ['its p99 ÷ p99 before', '≤ 1.5', ratio(late?.p99 ?? 0, early?.p99 ?? 1)],
    ['the most at the end ÷ before', '≥ 0.90', ratio(answeredPerSecond(last), most)],
  ];
}

function sections(found: Found, options: Options): ReportSection[] {
  const { closed, phases } = found;
  const most = Math.max(...closed.slice(0, CONNECTIONS.length).map(answeredPerSecond));
  const overload = phases[1] as Phase;
  return [
    { title: 'Against the aims', head: ['', 'aim', 'found'], rows: verdictRows(found, most) },
    {
      title: 'The most that is served',
      text: 'Closed loops: each connection sends its next request when the last one is answered.',
      head: PHASE_HEAD,
      rows: closed.map((phase) => phaseRow(phase, most)),
    },
    {
      title: `Normal load, ${options.times} times the most, and normal load again`,
      text: `Open loop: calls begin at random moments whatever becomes of earlier ones, each by the TypeScript client, with up to five retries after the wait that a refusal asks for. *Attempts* are requests that ended, retries among them; *served* are answers within ${USEFUL_MS / 1000} s. What the overload has left unanswered is repeated during the minute after it.`,
      head: PHASE_HEAD,
      rows: phases.map((phase) => phaseRow(phase, most)),
    },
    {
      title: 'Teams under overload',
      text: '*Fair* gives no team more than it asks for, and equal parts to those that ask for more.',
      head: ['team', 'calls /s', 'served /s', 'fair /s', 'served ÷ fair', 'served p99', 'refused /s'],
      rows: teamRows(overload),
    },
    {
      title: 'What it costs',
      text: 'Cores in use, of processes of this machine. *Clients* is the load generator, a process of its own; by *late* its own timers were late, p99, and times of answers are too long by up to as much.',
      head: ['', 'Elasticsearch', 'Postgres', 'Redis', 'API', 'clients', 'late ms'],
      rows: [...closed, ...phases].map(costRow),
    },
  ];
}

/** The same paths in turn, of all cells. */
const mixedPaths = (corpus: Corpus): string[] => {
  const lists = CELLS.map((cell) => pathsOf(cell, corpus));
  return (lists[0] ?? []).flatMap((_, at) => lists.map((list) => list[at] as string));
};

export const overload: Suite<Options> = {
  name: 'overload',
  summary: 'three times what one process can serve, with clients that retry: what is served, refused, and as before afterwards',
  options: [
    ...corpusOptions,
    new Option('--times <factor>', 'how many times the most is offered').argParser(wholeNumber(1, 20)).default(3),
    new Option('--phase-seconds <seconds>', 'of each closed loop; normal load is measured for twice as long')
      .argParser(wholeNumber(1, 600))
      .default(10),
    new Option('--overload-seconds <seconds>', 'how long it is offered').argParser(wholeNumber(1, 3600)).default(60),
    cpuProfOption,
  ],
  async run(bench, options) {
    await using run = await serveCorpus(bench, options, USUAL_SIZE);
    const accounts = await Promise.all(OFFERED.map(() => run.sandbox.account('national')));
    const keys = accounts.map(({ key }) => key);
    await using clients = new Clients({ url: run.api.url, keys, paths: mixedPaths(run.corpus), seed: options.seed });
    const found = await measureOverload({ ...run, clients, meters: metersOf(run.servers) });
    return {
      title: 'Overload',
      about: `${corpusText(run.corpus)}, one API process, ${OFFERED.length} teams. Asked in turn: ${CELLS.join(', ')}.`,
      sections: sections(found, options),
      figures: { best: found.best, closed: found.closed.map(figuresOf), phases: found.phases.map(figuresOf) },
    };
  },
};

/** Figures without the time of each attempt. */
const figuresOf = (phase: Phase) => {
  const { answeredMs, refusedMs, failures, ...counts } = allTeams(phase);
  return {
    name: phase.name,
    seconds: phase.seconds,
    calls: counts.calls,
    givenUp: counts.givenUp,
    served: answeredMs.length,
    servedP99: p99(answeredMs),
    refused: refusedMs.length,
    refusedP99: p99(refusedMs),
    failures: [...new Set(failures.map(({ what }) => what))],
    cpu: phase.cpu,
    clientsCpu: phase.cpuMilliseconds,
  };
};
