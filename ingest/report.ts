/** Texts for people: the progress of a load, its report and summary, and what a switch has done. */
import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { Pace, progressLines, startBar } from '../src/terminal/progress.ts';
import type { LoadReport } from './findings/types.ts';
import type { ServedNow } from './publish/activate.ts';
import type { StampProgress } from './publish/stampWrites.ts';
import { describeReasons } from './read/rejects.ts';
import type { RenewProgress } from './recover/renew.ts';
import type { LoadSummary, Progress } from './write/loadContext.ts';

interface ProgressView {
  update: (progress: Progress) => void;
  stop: () => void;
}

/** A bar with rate and time left on a terminal; elsewhere a line every ten seconds. */
export function loadProgress(file: string, stream: NodeJS.WriteStream): ProgressView {
  return stream.isTTY ? loadBar(file, stream) : { update: loadLines(file, stream), stop: () => undefined };
}

function loadBar(file: string, stream: NodeJS.WriteStream): ProgressView {
  const pace = new Pace();
  const bar = startBar(basename(file), 1, `{percentage}% | {records} records | {rate}/s | {eta_formatted} left`, stream);
  bar.update(0, 1, { records: 0, rate: 0 });
  return {
    update: ({ bytesRead, totalBytes, records }) => bar.update(bytesRead, totalBytes, { records, rate: pace.rate(records) }),
    stop: () => bar.stop(),
  };
}

const loadLines = (file: string, stream: NodeJS.WriteStream) =>
  progressLines<Progress>(stream, ({ bytesRead, totalBytes, records }, pace) => {
    const percent = Math.round((100 * bytesRead) / totalBytes);
    const left = pace.secondsLeft(bytesRead, totalBytes);
    return `${basename(file)}: ${percent} %, ${records} records, ${pace.rate(records)}/s, ${left} s left`;
  });

export const rebuildProgress = (stream: NodeJS.WriteStream) =>
  progressLines<{ files: number; of: number; records: number }>(
    stream,
    ({ files, of, records }, pace) => `file ${files + 1} of ${of}: ${records} records, ${pace.rate(records)}/s`,
  );

/** Shows progress; each pass is timed separately. */
export function renewProgress(stream: NodeJS.WriteStream): (done: RenewProgress) => void {
  let [pass, update] = [0, (_: RenewProgress) => {}];
  return (done) => {
    if (done.pass !== pass) [pass, update] = [done.pass, passLines(stream)];
    update(done);
  };
}

const passLines = (stream: NodeJS.WriteStream) =>
  progressLines<RenewProgress>(
    stream,
    ({ pass, compared, of }, pace) => `pass ${pass}: ${compared} of ${of} compared, ${pace.rate(compared)}/s`,
  );

/** Timed from the first record that is compared. */
export function stampProgress(stream: NodeJS.WriteStream): (done: StampProgress) => void {
  let update: ((done: StampProgress) => void) | undefined;
  return (done) => {
    update ??= progressLines(stream, ({ compared, of, stamped }, pace) => {
      const left = pace.secondsLeft(compared, of);
      return `stamping for sync: ${compared} of ${of} compared, ${stamped} stamped, ${pace.rate(compared)}/s, ${left} s left`;
    });
    update(done);
  };
}

/** Describes what is served now, and whether sync follows later. */
export function switchText({ generation, replaced, records, syncFollows, finishes }: ServedNow): string {
  const served = `Generation ${generation} is served now (${records} projects)`;
  if (finishes)
    return `${served} since a command before, which was cut short while it stamped the records that differ from generation ${replaced} for sync. This one finishes it.`;
  const head = `${served}${replaced === null ? '' : `, instead of ${replaced}`}.`;
  if (!syncFollows) return head;
  return `${head} Sync still shows generation ${replaced}, until the records that differ are stamped. If this is cut short, run it again.`;
}

export function describeSummary(summary: LoadSummary): string {
  const { file, generation, mode, copied, seconds, recordsPerSecond } = summary;
  if (summary.load === null) return `${basename(file)}: generation ${generation} is served already from the same file; nothing was loaded`;
  const counts = (['added', 'changed', 'unchanged', 'uncovered', 'merged', 'unmerged', 'deleted'] as const)
    .filter((key) => summary[key] > 0)
    .map((key) => `${summary[key]} ${key}`);
  const lines = [
    `${basename(file)}: generation ${generation} (${mode}${copied ? ', into a copy' : ''}) loaded in ${seconds} s, ${recordsPerSecond} records/s`,
    `  projects   ${summary.projects}${counts.length ? ` (${counts.join(', ')})` : ''}`,
    `  documents  ${summary.documents}`,
    `  contacts   ${summary.contacts}`,
  ];
  if (summary.restrictions) lines.push(`  restrictions  ${summary.restrictions}`);
  if (summary.rejected) lines.push(`  rejected   ${summary.rejected}, kept in ${summary.rejects}`);
  lines.push(...describeReasons(summary.reasons).map((text) => `    ${text}`));
  lines.push(summary.served ? '  served now' : `  not served yet: npm run ingest -- activate ${generation}`);
  return lines.join('\n');
}

/** Writes the report next to the file. @returns its path; null if the folder cannot be written to: the report is kept with the generation, too */
export async function writeReportFile(file: string, report: LoadReport): Promise<string | null> {
  const path = `${file}.report.json`;
  try {
    await writeFile(path, `${JSON.stringify(report, null, 1)}\n`);
    return path;
  } catch (error) {
    if (['EACCES', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}

/** Findings that the head of a report names. */
const FINDINGS_SHOWN = 10;

/** The head of a report: its counts, and the first findings. @param path of the file that holds the rest */
export function describeReport({ generation, base, records, findings }: LoadReport, path: string | null): string {
  const { stated, carriedOver, ...changes } = records;
  const counts = Object.entries({ ...changes, 'carried over': carriedOver }).filter(([, count]) => count > 0);
  const compared = base === null ? 'nothing was served before' : `compared with generation ${base}`;
  const more = findings.length - FINDINGS_SHOWN;
  return [
    `Report of generation ${generation}, ${compared}: ${stated} records stated${counts.map(([what, count]) => `, ${count} ${what}`).join('')}`,
    ...findings
      .slice(0, FINDINGS_SHOWN)
      .map(({ severity, code, text }) => `  ${severity === 'refuse' ? 'REFUSED' : 'warning'} ${code}: ${text}`),
    ...(more > 0 ? [`  … and ${more} more finding${more === 1 ? '' : 's'}`] : []),
    ...(findings.length ? [] : ['  no findings']),
    ...(path ? [`  whole report: ${path}`] : []),
  ].join('\n');
}
