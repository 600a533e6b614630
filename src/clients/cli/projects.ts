/** search, count, get, changes: what the service knows of projects. */
import { type Command, Option } from 'commander';
import { wholeNumber } from '../../terminal/program.ts';
import type { CompactProject, PageMeta } from '../client/index.ts';
import { type Row, run, showWarnings } from './context.ts';
import { collectFilters, FILTERS_HELP, refuseOwn, type Typed } from './filters.ts';

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
  /** what was delivered leaves the set, so that the next page is the first again */
  leaves?: boolean;
}

/** Pages of what was asked for and no record more: on metered plans each is charged. */
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

export function addProjectCommands(program: Command): void {
  program
    .command('search')
    .description('records that match, newest meeting first')
    .argument('[filters...]', FILTERS_HELP, collectFilters)
    .option('--limit <records>', 'at most so many', wholeNumber(1, RECORDS_MAX), 20)
    .addOption(representation('compact'))
    .action((filters: Typed = {}, { limit, representation: how }, command: Command) =>
      run(command, async (cli) => {
        refuseOwn(filters, SEARCH_SENDS);
        const found: CompactProject[] = [];
        const seen = new Set<string>();
        for await (const { records, meta } of limitedPages(
          (page) => cli.ask('searchProjects', { ...filters, ...page, representation: how }),
          { limit, leaves: filters.deliveryMode === 'new' },
        )) {
          found.push(...records);
          showWarnings(cli, meta, seen);
          const [best] = meta.suggestions ?? [];
          if (best?.matchCount) cli.note(`Without ${best.without} ${best.matchCount} would match.`);
          if (found.length >= limit && meta.hasMore) cli.note(`There is more: raise --limit, or see "landuse count".`);
        }
        cli.print(found, found.map(projectRow), 'Nothing matches.');
      }),
    );
  program
    .command('count')
    .description('how many match, exactly, and what they would cost; with include=contacts also what their contacts would; free')
    .argument('[filters...]', FILTERS_HELP, collectFilters)
    .action((filters: Typed = {}, _, command: Command) =>
      run(command, async (cli) => {
        const { data, meta } = await cli.ask('countProjects', filters);
        showWarnings(cli, meta);
        cli.print(data, [
          {
            matches: data.matchCount,
            'new or changed': data.billableRecordCount,
            'credits required': data.creditsRequired,
            ...(data.contacts
              ? { 'contacts looked up': data.contacts.lookUps, 'credits for contacts': data.contacts.creditsRequired }
              : {}),
            'credits left': data.creditsRemaining,
          },
        ]);
      }),
    );
  program
    .command('get')
    .description('one project by its id')
    .argument('<id>', 'id of the project', projectId)
    .addOption(representation('standard'))
    .action((id: number, { representation: how }, command: Command) =>
      run(command, async (cli) => {
        const { data, meta } = await cli.ask('getProject', { id, representation: how });
        showWarnings(cli, meta);
        cli.print(data, fieldRows(data));
      }),
    );
  program
    .command('evidence')
    .description('the words of documents from which the values of a project were read')
    .argument('<id>', 'id of the project', projectId)
    .action((id: number, _, command: Command) =>
      run(command, async (cli) => {
        const { data, meta } = await cli.ask('getProjectEvidence', { id });
        showWarnings(cli, meta);
        const rows = data.evidence.map(
          ({ field, value, quote, document }): Row => ({
            field,
            value: typeof value === 'object' ? JSON.stringify(value) : String(value),
            quote,
            document: document.meetingDocumentId,
          }),
        );
        cli.print(data, rows, 'No quotes: the generation gives none for this project.');
      }),
    );
  program
    .command('changes')
    .description('what changed of a project since your team received it; free')
    .argument('<id>', 'id of the project', projectId)
    .action((id: number, _, command: Command) =>
      run(command, async (cli) => {
        const { data } = await cli.ask('getProjectChanges', { id });
        cli.print(data, fieldRows(data));
      }),
    );
}

/** One thing as rows of its fields; what is empty is left out. */
export function fieldRows(value: object): Row[] {
  const stated = Object.entries(value).filter(([, one]) => one !== null && !(Array.isArray(one) && !one.length));
  return stated.map(([field, one]) => ({ field, value: typeof one === 'object' ? JSON.stringify(one) : String(one) }));
}
