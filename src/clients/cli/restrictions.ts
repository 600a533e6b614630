/** restrictions: moratoria, bans and interim ordinances, and whether one binds a place. */
import type { Command } from 'commander';
import { addCommand, UserError, wholeNumber } from '../../terminal/program.ts';
import { point, use } from './brief.ts';
import { act, type Cli } from './context.ts';
import { collectFilters, FILTERS_HELP, type Typed } from './filters.ts';
import type { Row } from './output.ts';

interface RestrictionOptions {
  county?: string;
  city?: string;
  project?: number;
  point?: ReturnType<typeof point>;
  use?: ReturnType<typeof use>;
  on?: string;
}

async function listRestrictions(cli: Cli, filters: Typed): Promise<void> {
  const { data, meta } = await cli.ask('listRestrictions', filters);
  if (meta.total > data.length) cli.note(`${data.length} of ${meta.total}: the rest with offset=${data.length}.`);
  const rows = data.map(({ id, status, title, effectiveTo, extensions, endEvent }): Row => {
    const ends = extensions.at(-1)?.to ?? effectiveTo ?? endEvent;
    return { id, status, title, ends };
  });
  cli.print(data, rows, 'No restriction matches.');
}

async function checkPlace(cli: Cli, places: Typed, { use: planned, on }: RestrictionOptions): Promise<void> {
  const body = { ...places, ...(planned ? { uses: [planned] } : {}), ...(on ? { on } : {}) };
  const { data } = await cli.ask('checkRestrictions', { body });
  const rows = data.because.map(({ restrictionId, binds, text, quote }): Row => ({ id: restrictionId, binds, text, words: quote }));
  cli.print(data, rows, 'No known restriction binds.');
  if (data.because.length) cli.note(`Binds on ${data.on}: ${data.binds}.`);
}

/** A named place is checked; otherwise what matches is listed. @throws UserError */
async function showRestrictions(cli: Cli, filters: Typed = {}, options: RestrictionOptions = {}): Promise<void> {
  const { county, city, project: projectId, point: at } = options;
  const places = Object.fromEntries(Object.entries({ county, city, projectId, point: at }).filter(([, value]) => value !== undefined));
  const named = Object.keys(places).length;
  if (named > 1 || (named && Object.keys(filters).length))
    throw new UserError('Name one place to check (--county, --city, --point or --project), or filters to list, not both.');
  if (!named && (options.use || options.on))
    throw new UserError('--use and --on need a place to check: --county, --city, --point or --project. A list takes inForceOn=DAY.');
  return named ? checkPlace(cli, places, options) : listRestrictions(cli, filters);
}

export function addRestrictionsCommand(program: Command): void {
  addCommand(program, 'restrictions', 'moratoria, bans and interim ordinances that match; with a place, whether one binds it; free')
    .argument('[filters...]', FILTERS_HELP, collectFilters)
    .option('--county <name>', "check a county, such as 'Boulder County, CO'")
    .option('--city <name>', "check a city, such as 'Boulder, CO'")
    .option('--point <lat,lng>', 'check a point', point)
    .option('--project <id>', 'check a project, for its uses', wholeNumber(1, Number.MAX_SAFE_INTEGER))
    .option('--use <type/subtype>', 'such as industrial/data_center', use)
    .option('--on <day>', 'the day, YYYY-MM-DD; today without it')
    .action(act(showRestrictions));
}
