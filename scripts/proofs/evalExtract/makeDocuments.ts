/**
 * Makes documents of the public data sets' texts, as bodies publish them, and measures how they are read back.
 *
 *   npm run extract-documents -- --to .stack/documents           PDF (one and two columns), HTML, DOCX of each meeting; JSON of Legistar
 *   npm run extract-documents -- --to .stack/documents --check   and reads them: share of the words in order, time and memory by format
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { endReading, openDocument } from '../../../ingest/extract/documents/index.ts';
import type { ReadDocument } from '../../../ingest/extract/types.ts';
import { makeProgram, wholeNumber } from '../../../src/terminal/program.ts';
import { openBrowser } from '../../lib/browser.ts';
import { DATA_FOLDER, requirePublicData } from '../../lib/publicData.ts';
import { writeLegistarEvent, writePrintPage, writeWebPage, writeWordFile } from './documentForms.ts';
import { compareWords, showDifference } from './wordOrder.ts';

interface Meeting {
  name: string;
  title: string;
  text: string;
}

const linesOf = (file: string) =>
  gunzipSync(readFileSync(path.join(DATA_FOLDER, file)))
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

/** A text without the lines in which the data set says where it is from. */
const withoutSource = (text: string) =>
  text
    .replace(/^\s*---\n[\s\S]*?\n---\n/, '')
    .split('\n')
    .filter((line) => !line.startsWith('>'))
    .join('\n');

/** The first document of a file. */
async function readFirst(file: string): Promise<ReadDocument | undefined> {
  const [document] = await (await openDocument(file, file)).read();
  return document;
}

async function readUtah(): Promise<Meeting[]> {
  const folder = path.join(DATA_FOLDER, 'ut_minutes');
  const files = readdirSync(folder).filter((file) => /_\d{4}-\d\d-\d\d\w*\.md$/.test(file));
  const meetings: Meeting[] = [];
  for (const file of files) {
    const document = await readFirst(path.join(folder, file));
    const name = path.basename(file, '.md');
    meetings.push({ name: `ut_minutes/${name}`, title: name.replaceAll('_', ' '), text: withoutSource(document?.text ?? '') });
  }
  return meetings;
}

/** Segments of one county's minutes, those of a day after each other. */
function readChesterfield(): Meeting[] {
  const segments = linesOf('va_counties/chesterfield_minutes.ndjson.gz');
  return [...Map.groupBy(segments, (segment) => String(segment.meeting_date))].map(([day, ofDay]) => ({
    name: `va_counties/chesterfield_${day}`,
    title: `Chesterfield County Board of Supervisors ${day}`,
    text: `Chesterfield County Board of Supervisors\nMinutes of ${day}\n\n${ofDay.map((segment) => segment.text).join('\n\n')}\n`,
  }));
}

const FORMS = ['pdf', 'columns.pdf', 'html', 'docx'] as const;
type Form = (typeof FORMS)[number];

async function writeForm({ text, title }: Meeting, form: Form, page: Page): Promise<Uint8Array | string> {
  if (form === 'html') return writeWebPage(text, title);
  if (form === 'docx') return writeWordFile(text, title);
  await page.setContent(writePrintPage(text, { columns: form === 'pdf' ? 1 : 2, head: title }), { timeout: 0 });
  return page.pdf({ preferCSSPageSize: true });
}

async function writeDocuments(meetings: readonly Meeting[], to: string, forms: readonly Form[]): Promise<void> {
  await using browser = await openBrowser({ draws: false });
  for (const meeting of meetings) {
    await using page = await browser.newPage();
    for (const form of forms) {
      const file = path.join(to, `${meeting.name}.${form}`);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, await writeForm(meeting, form, page));
    }
  }
}

function writeLegistar(to: string): void {
  mkdirSync(path.join(to, 'ny_council'), { recursive: true });
  for (const meeting of linesOf('ny_council/meetings_landuse.ndjson.gz'))
    writeFileSync(path.join(to, 'ny_council', `${meeting.ID}.json`), JSON.stringify(writeLegistarEvent(meeting)));
}

/** Reads documents back, and prints a line for each form. */
async function check(meetings: readonly Meeting[], to: string): Promise<void> {
  for (const form of FORMS) {
    let [words, same] = [0, 0];
    const begun = performance.now();
    for (const { name, text } of meetings) {
      const document = await readFirst(path.join(to, `${name}.${form}`));
      const order = compareWords(text, document?.text ?? '');
      words += order.words;
      same += order.same;
      if (order.same < 0.995 * order.words)
        console.log(`${name}.${form} ${(order.same / order.words).toFixed(4)}: ${showDifference(text, document?.text ?? '')}`);
    }
    const seconds = (performance.now() - begun) / 1000;
    const mebibytes = Math.round(process.memoryUsage.rss() / 1024 ** 2);
    console.log(
      `${form}: ${meetings.length} documents, ${words} words, ${(same / words).toFixed(5)} in order, ${seconds.toFixed(1)} s, ${mebibytes} MiB`,
    );
  }
}

/** One PDF of as many pages, of the texts again and again. */
async function checkPages(meetings: readonly Meeting[], pages: number, to: string): Promise<void> {
  const parts = Array.from({ length: Math.ceil(pages / 4) }, (_, at) => meetings[at % meetings.length]?.text ?? '');
  const file = path.join(to, `${pages}-pages.pdf`);
  await writeDocuments([{ name: `${pages}-pages`, title: 'Board of Supervisors', text: parts.join('\n\n') }], to, ['pdf']);
  const begun = performance.now();
  const document = await readFirst(file);
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  console.log(
    `${document?.pageStarts.length} pages: ${seconds} s, at most ${Math.round(process.resourceUsage().maxRSS / 1024)} MiB${document?.unread ? `, ${document.unread}` : ''}`,
  );
}

const program = makeProgram(
  'npm run extract-documents --',
  'Makes documents of the public data sets and reads them back.',
  'Examples:\n  npm run extract-documents -- --to .stack/documents --check',
)
  .requiredOption('--to <folder>', 'folder of the documents')
  .option('--only <sets...>', 'of ut_minutes, va_counties, ny_council')
  .option('--check', 'read them back, with the share of words in order, time and memory')
  .option('--pages <number>', 'read back one PDF of about as many pages instead', wholeNumber(1, 10_000));

const options = program.parse().opts<{ to: string; check?: boolean; only?: string[]; pages?: number }>();
requirePublicData();
const wants = (set: string) => !options.only || options.only.includes(set);
const utah = await readUtah();
if (options.pages) await checkPages(utah, options.pages, options.to);
else {
  const meetings = [...(wants('ut_minutes') ? utah : []), ...(wants('va_counties') ? readChesterfield() : [])];
  await writeDocuments(meetings, options.to, FORMS);
  if (wants('ny_council')) writeLegistar(options.to);
  if (options.check) await check(meetings, options.to);
}
await endReading();
