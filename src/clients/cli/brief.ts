/** brief: what is known of a place and a use, each sentence with its proof. */
import { type Command, InvalidArgumentError } from 'commander';
import { addCommand, UserError, wholeNumber } from '../../terminal/program.ts';
import { act, type Cli } from './context.ts';
import type { Row } from './output.ts';
import { addSpendingOptions, Spending, type SpendingOptions } from './spending.ts';

const PRECEDENTS_MAX = 20;
const ID_MAX = Number.MAX_SAFE_INTEGER;

/** @throws InvalidArgumentError */
export function point(text: string): { lat: number; lng: number } {
  const [lat, lng, ...others] = text.split(',').map(Number);
  if (lat === undefined || lng === undefined || others.length || Number.isNaN(lat + lng))
    throw new InvalidArgumentError(`'${text}' is no point: they are typed as 40.015,-105.27.`);
  return { lat, lng };
}

/** `industrial` or `industrial/data_center`. */
export function use(text: string) {
  const [type = '', subtype, assetClass] = text.split('/');
  return { type, ...(subtype ? { subtype } : {}), ...(assetClass ? { assetClass } : {}) };
}

interface BriefOptions extends SpendingOptions {
  county?: string;
  city?: string;
  address?: string;
  parcel?: string;
  project?: number;
  point?: { lat: number; lng: number };
  use?: ReturnType<typeof use>;
  precedents?: number;
}

async function makeBrief(cli: Cli, options: BriefOptions): Promise<void> {
  const { county, city, address, parcel, project: projectId, point: at, use: planned, precedents } = options;
  const named = Object.entries({ county, city, address, parcel, projectId, point: at }).filter(([, value]) => value !== undefined);
  if (named.length !== 1) throw new UserError('Name one place: --county, --city, --point, --address, --parcel or --project.');
  const body = {
    place: Object.fromEntries(named),
    ...(planned ? { use: planned } : {}),
    ...(precedents === undefined ? {} : { maxPrecedents: precedents }),
  };
  const spending = new Spending(cli, options);
  const { data } = await spending.ask('createBrief', { body });
  const rows = data.sections.flatMap(({ id, statements }) =>
    statements.map(({ text, quote }, i): Row => ({ part: i ? '' : id, sentence: text, words: quote })),
  );
  cli.print(data, rows);
  cli.note(`The brief is kept until ${data.expiresAt.slice(0, 10)}: ${data.url}`);
  await spending.report();
}

export function addBriefCommand(program: Command): void {
  addSpendingOptions(
    addCommand(program, 'brief', 'what is known of a place and a use, and what is not; only its precedents cost anything')
      .option('--county <name>', "such as 'Boulder County, CO'")
      .option('--city <name>', "such as 'Boulder, CO'")
      .option('--point <lat,lng>', 'five miles around it count', point)
      .option('--address <text>', 'street, city and state')
      .option('--parcel <number>', 'of a record')
      .option('--project <id>', 'around a project, for its use', wholeNumber(1, ID_MAX))
      .option('--use <type/subtype>', 'such as industrial/data_center', use)
      .option('--precedents <number>', `at most so many, 5 by default; none are free`, wholeNumber(0, PRECEDENTS_MAX)),
  ).action(act(makeBrief));
}
