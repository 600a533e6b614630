/** The commands search, count, get, evidence, documents and changes. */
import { type Command, Option } from 'commander';
import { openInBrowser } from '../../terminal/browser.ts';
import { printableLines } from '../../terminal/printable.ts';
import { addCommand, wholeNumber } from '../../terminal/program.ts';
import type { GetProjectChangesData } from '../client/generated.ts';
import { type CompactProject, isRefusal, type PageMeta, withDerived } from '../client/index.ts';
import { act, type Cli, showWarnings } from './context.ts';
import { collectFilters, collectFiltersAndWords, FILTERS_HELP, readSentence, refuseOwnParameters, type Typed } from './filters.ts';
import type { Row } from './output.ts';
import { addSpendingOptions, Spending, type SpendingOptions } from './spending.ts';
import { projectView } from './view.ts';

/** Of a search and of a list. */
export const RECORDS_MAX = 10_000;
const PAGE_MAX = 100;
const FROM_THE_FIRST = '--limit counts from the first record';
const SEARCH_SENDS = {
  limit: 'type --limit',
  offset: FROM_THE_FIRST,
  page: FROM_THE_FIRST,
  representation: 'type --representation',
  format: 'a file comes from "landuse export"',
};

export const projectId = wholeNumber(1, Number.MAX_SAFE_INTEGER);
export const representation = (usual: string) =>
  new Option('--representation <name>', 'how much of each record').choices(['compact', 'standard', 'full']).default(usual);

export const projectRow = (
  one: Pick<CompactProject, 'id' | 'projectName' | 'city' | 'state' | 'statusLabel' | 'meetingDate' | 'propertyTypeLabel'>,
): Row => ({
  id: one.id,
  name: one.projectName,
  city: one.city,
  state: one.state,
  type: one.propertyTypeLabel,
  status: one.statusLabel,
  meeting: one.meetingDate,
});

interface Limits {
  limit: number;
  /** true if delivered records leave the match set, so that the next page is the first one again */
  leaves?: boolean;
}

/** Reads pages up to the requested number of records, and no more, since each record may be charged. */
export async function* limitedPages(ask: (page: object) => Promise<{ data: unknown; meta: unknown }>, { limit, leaves = false }: Limits) {
  for (let left = limit, offset = 0; left > 0; ) {
    const { data, meta } = await ask({ limit: Math.min(left, PAGE_MAX), offset });
    const page = meta as PageMeta;
    yield { records: data as CompactProject[], meta: page };
    if (!leaves) offset += page.pageCount;
    left -= page.pageCount;
    if (!page.hasMore || !page.pageCount) return;
  }
}

interface SearchOptions extends SpendingOptions {
  limit: number;
  representation: string;
}

async function search(cli: Cli, typed: Typed = {}, { limit, representation: how, ...bound }: SearchOptions): Promise<void> {
  refuseOwnParameters(typed, SEARCH_SENDS);
  const filters = await readSentence(cli, typed);
  const spending = new Spending(cli, bound);
  const found: CompactProject[] = [];
  const seen = new Set<string>();
  const askPage = (page: object) =>
    spending.ask('searchProjects', withDerived({ ...filters, ...page, representation: how }), () => priceOfSearch(cli, filters, limit));
  for await (const { records, meta } of limitedPages(askPage, { limit, leaves: filters.deliveryMode === 'new' })) {
    found.push(...records);
    showWarnings(cli, meta, seen);
    const [best] = meta.suggestions ?? [];
    if (best?.matchCount) cli.note(`Without ${best.without} ${best.matchCount} would match.`);
    if (found.length >= limit && meta.hasMore) cli.note(`There is more: raise --limit, or see "landuse count".`);
  }
  cli.print(found, found.map(projectRow), 'Nothing matches.');
  await spending.report();
}

/** Counts what filters match; undefined if they cannot be counted, since a count accepts `projectIds` only alone. */
export async function countIfPossible(cli: Cli, query: Typed) {
  try {
    return (await cli.ask('countProjects', query)).data;
  } catch (error) {
    if (isRefusal(error, 'invalid_request')) return undefined;
    throw error;
  }
}

/** The highest price of all pages of a search; 0 if they cannot be counted. */
async function priceOfSearch(cli: Cli, filters: Typed, limit: number): Promise<number> {
  const counted = await countIfPossible(cli, filters);
  return counted ? Math.min(counted.creditsRequired, limit * counted.creditRate) : 0;
}

async function count(cli: Cli, filters: Typed = {}): Promise<void> {
  const { data, meta } = await cli.ask('countProjects', filters);
  showWarnings(cli, meta);
  const { contacts } = data;
  cli.print(data, [
    {
      matches: data.matchCount,
      'new or changed': data.billableRecordCount,
      'credits required': data.creditsRequired,
      ...(contacts ? { 'contacts looked up': contacts.lookUps, 'credits for contacts': contacts.creditsRequired } : {}),
      'credits left': data.creditsRemaining,
    },
  ]);
}

/** A defect: no command sends an Idempotency-Key with a read. */
const REPEATED = 'The answer repeats another one';

interface GetOptions extends SpendingOptions {
  representation: string;
  web?: boolean;
}

async function get(cli: Cli, id: number, { representation: how, web, ...bound }: GetOptions): Promise<void> {
  const spending = new Spending(cli, bound);
  const { data, meta } = await spending.ask('getProject', withDerived({ id, representation: how }));
  if (!data) throw new Error(REPEATED);
  showWarnings(cli, meta);
  if (cli.isForPeople) process.stdout.write(`${projectView(data as unknown as Record<string, unknown>, cli.width)}\n`);
  else cli.print(data, fieldRows(data));
  if (web) openInBrowser(data.serviceLink);
  await spending.report();
}

async function showEvidence(cli: Cli, id: number, bound: SpendingOptions): Promise<void> {
  const spending = new Spending(cli, bound);
  const { data, meta } = await spending.ask('getProjectEvidence', { id });
  if (!data) throw new Error(REPEATED);
  showWarnings(cli, meta);
  const rows = data.evidence.map(
    ({ field, value, quote, document, documentVersion }): Row => ({
      field,
      value: typeof value === 'object' ? JSON.stringify(value) : String(value),
      quote,
      document: document.meetingDocumentId,
      version: documentVersion,
    }),
  );
  cli.print(data, rows, 'No quotes: the generation gives none for this project.');
  await spending.report();
}

/** Prints only the text for people. */
async function showDocument(cli: Cli, id: number, bound: SpendingOptions): Promise<void> {
  const spending = new Spending(cli, bound);
  const { data } = await spending.ask('getDocument', { id });
  if (cli.isForPeople) {
    const { title, decisionBodyLabel, meetingDate, version, url, text } = data;
    const head = [title, decisionBodyLabel, meetingDate, version, url].filter((one) => one !== null).join('\n');
    process.stdout.write(`${printableLines(`${head}\n\n${text ?? 'The text of this document is not kept.'}`)}\n`);
  } else cli.print(data, fieldRows(data));
  await spending.report();
}

export function addProjectCommands(program: Command): void {
  const searching = addCommand(program, 'search', 'records that match, newest meeting first')
    .argument('[filters...]', `${FILTERS_HELP}, or a sentence: "denied rezonings in Texas"`, collectFiltersAndWords)
    .option('--limit <records>', 'at most so many', wholeNumber(1, RECORDS_MAX), 20)
    .addOption(representation('compact'));
  addSpendingOptions(searching).action(act(search));
  program
    .command('count')
    .description('how many match, exactly, and what they would cost; with include=contacts also what their contacts would; free')
    .argument('[filters...]', FILTERS_HELP, collectFilters)
    .action(act(count));
  const getting = addCommand(program, 'get', 'one project by its id')
    .argument('<id>', 'id of the project', projectId)
    .addOption(representation('standard'))
    .option('--web', 'open its page in the browser too');
  addSpendingOptions(getting).action(act(get));
  const evidence = addCommand(program, 'evidence', 'the words of documents from which the values of a project were read').argument(
    '<id>',
    'id of the project',
    projectId,
  );
  addSpendingOptions(evidence).action(act(showEvidence));
  const documents = addCommand(program, 'documents', 'the text of a meeting document').argument(
    '<id>',
    'meetingDocumentId of a project',
    projectId,
  );
  addSpendingOptions(documents).action(act(showDocument));
  addCommand(program, 'changes', 'what changed of a project since your team received it; free')
    .argument('<id>', 'id of the project', projectId)
    .action(
      act(async (cli, id: number) => {
        const { data } = await cli.ask('getProjectChanges', { id });
        const { changes, ...rest } = data;
        cli.print(data, [...fieldRows(rest), ...changes.flatMap(changeRows)]);
      }),
    );
}

/** A row for each changed field, with its values if the answer has them. */
const changeRows = ({ at, fields }: GetProjectChangesData['changes'][number]): Row[] =>
  fields.map((field) => ({
    field: field.name,
    value: 'before' in field ? `${at}: ${JSON.stringify(field.before)} → ${JSON.stringify(field.after)}` : at,
  }));

/** An object as rows of its nonempty fields. */
export function fieldRows(value: object): Row[] {
  const stated = Object.entries(value).filter(([, one]) => one !== null && !(Array.isArray(one) && !one.length));
  return stated.map(([field, one]) => ({ field, value: typeof one === 'object' ? JSON.stringify(one) : String(one) }));
}
