/** Runs proofs in child processes: several that share the seeds, or one whose modules have a defect. */
import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import type { SeedOptions, SeedReport } from './prove.ts';

const PROGRAM = path.join(import.meta.dirname, 'seedMain.ts');

export type ApartOptions = Pick<SeedOptions, 'seed' | 'runs' | 'stride' | 'seconds' | 'path' | 'motif'> & { defect?: string };

/** Runs one proof in a child process. @param onStart gets the process; asked to end, it reports its results so far */
export async function proveInChildProcess(
  options: ApartOptions,
  databaseUrl: string,
  onStart?: (child: ChildProcess) => void,
): Promise<SeedReport> {
  const given = Object.entries(options).filter(([, value]) => value !== undefined && value !== '');
  const args = given.flatMap(([name, value]) => [`--${name}`, String(value)]);
  const child = spawn(process.execPath, [PROGRAM, '--json', ...args], {
    env: { ...process.env, DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onStart?.(child);
  const text = (await child.stdout.toArray()).join('');
  if (!text.startsWith('{')) throw new Error(`The proof ${args.join(' ')} ended without a report`);
  return JSON.parse(text);
}

/** Runs one proof in several processes at once, until one finds a failure or all are done. */
export async function proveInParallel(
  count: number,
  options: ApartOptions,
  { databaseUrl, signal }: { databaseUrl: string; signal: AbortSignal },
): Promise<SeedReport> {
  const began = performance.now();
  const children: ChildProcess[] = [];
  const end = () => {
    for (const child of children) child.kill();
  };
  signal.addEventListener('abort', end);
  const runs = Math.ceil(options.runs / count);
  const reports = await Promise.all(
    Array.from({ length: count }, async (_, i) => {
      const part = { ...options, runs, seed: options.seed + i, stride: count };
      const report = await proveInChildProcess(part, databaseUrl, (child) => void children.push(child));
      if (report.failure) end();
      return report;
    }),
  );
  return addReports(reports, (performance.now() - began) / 1000);
}

function addReports(reports: readonly SeedReport[], seconds: number): SeedReport {
  const sum = (of: (report: SeedReport) => number) => reports.reduce((total, report) => total + of(report), 0);
  const [first] = reports as [SeedReport];
  const marks = Object.fromEntries(Object.keys(first.marks).map((mark) => [mark, sum((report) => report.marks[mark] ?? 0)]));
  const runs = sum((report) => report.runs);
  return {
    ...first,
    runs,
    steps: sum(({ steps }) => steps),
    seconds: Math.round(seconds * 10) / 10,
    cpuSeconds: Math.round(sum(({ cpuSeconds }) => cpuSeconds) * 10) / 10,
    anHour: Math.round((runs / seconds) * 3600),
    marks,
    missing: first.missing.filter((mark) => !marks[mark]),
    failure: reports.find(({ failure }) => failure)?.failure ?? null,
  };
}
