/** match: which projects the rows of a CSV file are. */
import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { addCommand, UserError } from '../../terminal/program.ts';
import { type ListFile, nameColumns, readListFile } from '../client/listFile.ts';
import { describeColumns, findListColumns, matchList } from '../client/matchList.ts';
import { act, type Cli } from './context.ts';
import { EXITS } from './failures.ts';

/** @throws UserError */
async function readList(file: string): Promise<ListFile> {
  try {
    const list = readListFile(await readFile(file));
    if (list.lines.length) return list;
  } catch (error) {
    throw new UserError(`${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
  throw new UserError(`${file} holds no rows below its header line.`);
}

async function matchFile(cli: Cli, file: string, { minScore }: { minScore?: string }): Promise<void> {
  const list = await readList(file);
  const { headers, lines, notices } = list;
  for (const notice of notices) cli.note(`${file}: ${notice}`);
  const columns = findListColumns(headers);
  if (!columns)
    throw new UserError(
      `No column of the file names anything. Call one of them parcel, case, address, or two latitude and longitude; it has ${headers.join(', ')}.`,
    );
  cli.note(`Columns: ${describeColumns(headers, columns)}.`);
  const least = minScore === undefined ? {} : { minScore: Number(minScore) };
  const bar = cli.startPacedBar('match', lines.length);
  const matched = await matchList(
    list,
    columns,
    (body) => cli.ask('matchProjects', { body: { ...body, ...least } }),
    (done) => bar.update(done),
  ).finally(() => bar.stop());
  const added = Object.keys(matched[0] ?? {});
  const names = nameColumns([...headers, ...added]);
  const shown = lines.map(({ cells }, i) => {
    const values = [...cells, ...Object.values(matched[i] ?? {})];
    return Object.fromEntries(names.map((name, at) => [name, values[at] ?? null]));
  });
  const titles = new Map(names.map((name, at) => [name, headers[at] ?? name]));
  cli.print(shown, shown, 'No rows.', titles);
  const unread = matched.filter(({ matchProblem }) => matchProblem !== null).length;
  cli.note(`${matched.filter(({ matchCount }) => matchCount > 0).length} of ${lines.length} rows match, ${unread} could not be read.`);
  if (unread) process.exitCode = EXITS.failed;
}

export function addMatchCommand(program: Command): void {
  addCommand(program, 'match', 'which projects the rows of a CSV file are: parcel and case numbers, addresses, points; free')
    .argument('<file>', 'CSV with a header line: parcel, case, address, city, county, state, latitude, longitude, id')
    .option('--min-score <score>', 'from 0 to 1, 0.8 by default: how sure a match must be')
    .action(act(matchFile));
}
