/** ask: a question in plain words, answered by records with the sentences that show why. */
import type { Command } from 'commander';
import { addCommand, listOf, wholeNumber } from '../../terminal/program.ts';
import { act, type Cli, showWarnings, waitForJob } from './context.ts';
import { asBody, collectFilters, FILTERS_HELP, type Typed } from './filters.ts';
import type { Row } from './output.ts';
import { addSpendingOptions, Spending, type SpendingOptions } from './spending.ts';

const ANSWERS_MAX = 100;

interface AskOptions extends SpendingOptions {
  limit: number;
}

async function ask(cli: Cli, query: string, filters: Typed = {}, { limit, ...bound }: AskOptions): Promise<void> {
  const spending = new Spending(cli, bound);
  const { data: job, meta } = await spending.ask('createAiSearch', { body: { query, limit, filters: asBody(filters) } });
  showWarnings(cli, meta);
  const settled = await waitForJob(cli, 'read', job, ({ progress }) => [progress.reviewed, progress.candidates]);
  spending.recordCharge(settled.creditsCharged);
  if (settled.partialReason) cli.note(`Not everything was read: ${settled.partialReason.replaceAll('_', ' ')}.`);
  const rows = settled.results.map(
    ({ id, projectName, city, state, whyThisMatched }): Row => ({ id, name: projectName, city, state, why: whyThisMatched }),
  );
  cli.print(settled.results, rows, 'No record is known to say all of it.');
  const { count = 0, records = [] } = settled.related ?? {};
  if (count) cli.note(`${count} more may be related, and ${count === 1 ? 'costs' : 'cost'} nothing${records.length ? ':' : '.'}`);
  for (const { id, projectName, city, state, meets, misses } of records)
    cli.note(
      `  ${[id, projectName, city, state].filter(Boolean).join(', ')}: ${meets.length ? `says ${meets.join(', ')}; may not say ${misses.join(', ')}` : 'has words of the question'}`,
    );
  if (rows.length || records.length)
    cli.note(`Say which are right, and the next search follows it: landuse judge ${settled.id} --right IDS --wrong IDS`);
  await spending.report();
}

async function judge(cli: Cli, id: string, { right, wrong }: { right: number[]; wrong: number[] }): Promise<void> {
  const { data } = await cli.ask('judgeAnswers', { id, body: { confirm: right, dismiss: wrong } });
  cli.print(data, [{ search: data.id, right: data.confirmed, wrong: data.dismissed }]);
  cli.note('The next search for this question follows it.');
}

export function addAiSearchCommand(program: Command): void {
  const asking = addCommand(program, 'ask', 'a question in plain words: the records whose documents answer it')
    .argument('<question>', 'such as "townhomes that neighbours objected to"')
    .argument('[filters...]', FILTERS_HELP, collectFilters)
    .option('--limit <records>', 'at most so many', wholeNumber(1, ANSWERS_MAX), 10);
  addSpendingOptions(asking).action(act(ask));
  addCommand(program, 'judge', 'say which answers of a question are right and which are wrong, for the next search for it; free')
    .argument('<search>', 'id of the search, such as ais_4gTqBv3s0ZyqY2m1Lr8KdA')
    .option('--right <ids>', 'these records answer the question', listOf(Number), [])
    .option('--wrong <ids>', 'these do not', listOf(Number), [])
    .action(act(judge));
}
