/** What people see of a load: a bar with rate and time left while it runs, a summary when it is done. */
import { basename } from 'node:path';
import { SingleBar } from 'cli-progress';
import type { ServedNow } from './publish/activate.ts';
import type { StampProgress } from './publish/restamp.ts';
import { reasonTexts } from './read/rejects.ts';
import type { RenewProgress } from './recover/renew.ts';
import type { LoadSummary, Progress } from './write/loadContext.ts';

const LINE_EVERY_MS = 10_000;

export interface ProgressView {
  update: (progress: Progress) => void;
  stop: () => void;
}

/** A bar on a terminal; elsewhere a line every ten seconds. */
export function loadProgress(file: string, stream: NodeJS.WriteStream): ProgressView {
  return stream.isTTY ? bar(file, stream) : plainLines(file, stream);
}

const rate = (records: number, since: number) => Math.round(records / Math.max((Date.now() - since) / 1000, 0.001));

function bar(file: string, stream: NodeJS.WriteStream): ProgressView {
  const started = Date.now();
  const view = new SingleBar({
    stream,
    format: `${basename(file)} [{bar}] {percentage}% | {records} records | {rate}/s | {eta_formatted} left`,
    hideCursor: true,
    etaBuffer: 50,
  });
  view.start(1, 0, { records: 0, rate: 0 });
  return {
    update: ({ bytesRead, totalBytes, records }) => {
      view.setTotal(totalBytes);
      view.update(bytesRead, { records, rate: rate(records, started) });
    },
    stop: () => view.stop(),
  };
}

function plainLines(file: string, stream: NodeJS.WriteStream): ProgressView {
  const started = Date.now();
  let last = started;
  return {
    update: ({ bytesRead, totalBytes, records }) => {
      if (Date.now() - last < LINE_EVERY_MS) return;
      last = Date.now();
      const left = Math.round(((last - started) / 1000) * (totalBytes / Math.max(bytesRead, 1) - 1));
      stream.write(
        `${basename(file)}: ${Math.round((100 * bytesRead) / totalBytes)} %, ${records} records, ${rate(records, started)}/s, ${left} s left\n`,
      );
    },
    stop: () => undefined,
  };
}

/** A line every ten seconds. */
export function rebuildProgress(stream: NodeJS.WriteStream): (done: { files: number; of: number; records: number }) => void {
  const started = Date.now();
  let last = started;
  return ({ files, of, records }) => {
    if (Date.now() - last < LINE_EVERY_MS) return;
    last = Date.now();
    stream.write(`file ${files + 1} of ${of}: ${records} records, ${rate(records, started)}/s\n`);
  };
}

/** A line every ten seconds. */
export function renewProgress(stream: NodeJS.WriteStream): (done: RenewProgress) => void {
  let [started, last, of] = [0, 0, 0];
  return ({ pass, compared, of: versions }) => {
    if (pass !== of) [started, last, of] = [Date.now(), Date.now(), pass];
    if (Date.now() - last < LINE_EVERY_MS) return;
    last = Date.now();
    stream.write(`pass ${pass}: ${compared} of ${versions} compared, ${rate(compared, started)}/s\n`);
  };
}

/** A line every ten seconds. */
export function stampProgress(stream: NodeJS.WriteStream): (done: StampProgress) => void {
  let [started, last] = [0, 0];
  return ({ compared, of, stamped }) => {
    if (!started) [started, last] = [Date.now(), Date.now()];
    if (Date.now() - last < LINE_EVERY_MS) return;
    last = Date.now();
    const left = Math.round(((last - started) / 1000) * (of / Math.max(compared, 1) - 1));
    stream.write(`stamping for sync: ${compared} of ${of} compared, ${stamped} stamped, ${rate(compared, started)}/s, ${left} s left\n`);
  };
}

/** What is served from now on, and whether sync follows later. */
export function switchText({ generation, replaced, records, syncFollows, finishes }: ServedNow): string {
  const served = `Generation ${generation} is served now (${records} projects)`;
  if (finishes)
    return `${served} since a command before, which was cut short while it stamped the records that differ from generation ${replaced} for sync. This one finishes it.`;
  const head = `${served}${replaced === null ? '' : `, instead of ${replaced}`}.`;
  if (!syncFollows) return head;
  return `${head} Sync still shows generation ${replaced}, until the records that differ are stamped. If this is cut short, run it again.`;
}

export function summaryText(summary: LoadSummary): string {
  const { file, generation, mode, copied, seconds, recordsPerSecond } = summary;
  const counts = (['added', 'changed', 'unchanged', 'uncovered', 'merged', 'unmerged', 'deleted'] as const)
    .filter((key) => summary[key] > 0)
    .map((key) => `${summary[key]} ${key}`);
  const lines = [
    `${basename(file)}: generation ${generation} (${mode}${copied ? ', into a copy' : ''}) loaded in ${seconds} s, ${recordsPerSecond} records/s`,
    `  projects   ${summary.projects}${counts.length ? ` (${counts.join(', ')})` : ''}`,
    `  documents  ${summary.documents}`,
    `  contacts   ${summary.contacts}`,
  ];
  if (summary.rejected) lines.push(`  rejected   ${summary.rejected}, kept in ${summary.rejects}`);
  lines.push(...reasonTexts(summary.reasons).map((text) => `    ${text}`));
  lines.push(summary.served ? '  served now' : `  not served yet: npm run ingest -- activate ${generation}`);
  return lines.join('\n');
}
