/** alerts and lists: what a team keeps. */
import { type Command, Option } from 'commander';
import { addCommand, wholeNumber } from '../../terminal/program.ts';
import type { Alert, AlertDelivery, CompactProject, List } from '../client/index.ts';
import { act, addById, addPlainCommand, type Cli, readAllPages, showWarnings } from './context.ts';
import { asBody, collectFilters, FILTERS_HELP, type Typed } from './filters.ts';
import type { Row } from './output.ts';
import { fieldRows, limitedPages, projectId, projectRow, RECORDS_MAX } from './projects.ts';
import { addSpendingOptions, Spending, type SpendingOptions } from './spending.ts';

const alertRow = ({ id, name, status, cadence, nextRunAt }: Alert): Row => ({ id, name, status, runs: cadence.frequency, next: nextRunAt });
const deliveryRow = ({ deliveryId, trigger, status, records, creditsCharged, startedAt }: AlertDelivery): Row => ({
  delivery: deliveryId,
  trigger,
  status,
  records,
  credits: creditsCharged,
  started: startedAt,
});
const listRow = ({ id, name, kind, projectCount }: List): Row => ({ id, name, kind, projects: projectCount });

const showOne = (cli: Cli, value: object) => cli.print(value, fieldRows(value));

export function addAlertCommands(program: Command): void {
  const group = addCommand(program, 'alerts', 'standing searches');
  const list = async (cli: Cli) => {
    const data = await readAllPages((page) => cli.ask('listAlerts', page));
    cli.print(data, data.map(alertRow), 'No alerts yet.');
  };
  addPlainCommand(group, 'list', 'every alert that you may see', list, true);
  addCommand(group, 'create', 'a new standing search')
    .argument('[filters...]', FILTERS_HELP, collectFilters)
    .requiredOption('--name <name>', 'its name')
    .addOption(new Option('--every <frequency>', 'when it runs').choices(['daily', 'weekly', 'monthly']).default('weekly'))
    .action(
      act(async (cli, filters: Typed = {}, { name, every }) => {
        const { data, meta } = await cli.ask('createAlert', { body: { name, filters: asBody(filters), cadence: { frequency: every } } });
        showWarnings(cli, meta);
        cli.print(data, [alertRow(data)]);
      }),
    );
  addById(group, 'get', 'one alert', 'its id', async (cli, id) => showOne(cli, (await cli.ask('getAlert', { id })).data));
  addById(group, 'preview', 'what a run would deliver and cost; free', 'its id', async (cli, id) =>
    showOne(cli, (await cli.ask('previewAlert', { id })).data),
  );
  const running = addCommand(group, 'run', 'run it now: up to 3 times a day, charged as a search').argument('<id>', 'its id');
  addSpendingOptions(running).action(
    act(async (cli, id: string, options: SpendingOptions) => {
      const spending = new Spending(cli, options);
      const { data } = await spending.ask('runAlert', { id, body: {} });
      cli.print(data, [deliveryRow(data)]);
      await spending.report();
    }),
  );
  addById(group, 'deliveries', 'its runs, newest first', 'its id', async (cli, id) => {
    const data = await readAllPages((page) => cli.ask('listAlertDeliveries', { id, ...page }));
    cli.print(data, data.map(deliveryRow), 'It has not run yet.');
  });
  addById(group, 'matches', 'what it has delivered', 'its id', async (cli, id) => {
    const data = await readAllPages((page) => cli.ask('listAlertMatches', { id, ...page }));
    cli.print(data, data.map(projectRow), 'Nothing yet.');
  });
  addById(group, 'delete', 'archive it for every member', 'its id', async (cli, id) => {
    const { data } = await cli.ask('deleteAlert', { id });
    cli.print(data, [{ id }]);
  });
  addById(group, 'restore', 'bring it back, with its list, within 30 days of its deletion', 'its id', async (cli, id) =>
    showOne(cli, (await cli.ask('restoreAlert', { id })).data),
  );
}

/** The highest price of the first records of a list. */
async function priceOfList(cli: Cli, id: string, limit: number): Promise<number> {
  const { records, credits } = (await cli.ask('getList', { id })).data.results?.billable ?? { records: 0, credits: 0 };
  return records ? Math.min(credits, Math.ceil((limit * credits) / records)) : 0;
}

async function listResults(cli: Cli, id: string, { limit, ...bound }: SpendingOptions & { limit: number }): Promise<void> {
  const spending = new Spending(cli, bound);
  const found: CompactProject[] = [];
  const seen = new Set<string>();
  const askPage = (page: object) =>
    spending.ask('getListResults', { id, ...page, representation: 'compact' }, () => priceOfList(cli, id, limit));
  for await (const { records, meta } of limitedPages(askPage, { limit })) {
    if (!Array.isArray(records)) return showOne(cli, records);
    found.push(...records);
    showWarnings(cli, meta, seen);
    if (found.length >= limit && meta.hasMore) cli.note('There is more: raise --limit.');
  }
  cli.print(found, found.map(projectRow), 'It is empty.');
  await spending.report();
}

export function addListCommands(program: Command): void {
  const group = addCommand(program, 'lists', 'saved lists');
  const list = async (cli: Cli) => {
    const data = await readAllPages((page) => cli.ask('listLists', page));
    cli.print(data, data.map(listRow), 'No lists yet.');
  };
  addPlainCommand(group, 'list', 'every list that you may see', list, true);
  addCommand(group, 'create', 'a new list of projects')
    .argument('[ids...]', 'ids of projects', (text: string, before: number[] = []) => [...before, projectId(text)])
    .requiredOption('--name <name>', 'its name')
    .action(
      act(async (cli, projectIds: number[] = [], { name }) => {
        const { data } = await cli.ask('createList', { body: { name, projectIds } });
        cli.print(data, [listRow(data)]);
      }),
    );
  addById(group, 'get', 'one list, with what its records would cost', 'its id', async (cli, id) =>
    showOne(cli, (await cli.ask('getList', { id })).data),
  );
  const results = addCommand(group, 'results', 'its records')
    .argument('<id>', 'its id')
    .option('--limit <records>', 'at most so many', wholeNumber(1, RECORDS_MAX), 20);
  addSpendingOptions(results).action(act(listResults));
  addCommand(group, 'add', 'adds projects')
    .argument('<id>', 'its id')
    .argument('<projects...>', 'ids of projects', (text: string, before: number[] = []) => [...before, projectId(text)])
    .action(
      act(async (cli, id: string, projectIds: number[]) =>
        showOne(cli, (await cli.ask('addListProjects', { id, body: { projectIds } })).data),
      ),
    );
  addById(group, 'delete', 'deletes it', 'its id', async (cli, id) => {
    const { data } = await cli.ask('deleteList', { id });
    cli.print(data, [{ id }]);
  });
  addById(group, 'restore', 'brings it back within 30 days of its deletion', 'its id', async (cli, id) =>
    showOne(cli, (await cli.ask('restoreList', { id })).data),
  );
}
