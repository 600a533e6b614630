/** analytics, odds, coverage: figures by up to two dimensions. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { describeOdds } from '../../core/domain/oddsText.ts';
import { addCommand, listOf, wholeNumber } from '../../terminal/program.ts';
import { act, showWarnings } from './context.ts';
import { asBody, collectFilters, FILTERS_HELP, type Typed } from './filters.ts';
import type { Row } from './output.ts';

const GROUPS_MAX = 1_000;

function metric(text: string): { op: string; field: string } {
  const [, op, field] = /^(\w+):(\w+)$/.exec(text) ?? [];
  if (!op || !field) throw new InvalidArgumentError(`'${text}' is no metric: they are typed as op:field, such as median:acreage.`);
  return { op, field };
}

export function addAnalyticsCommand(program: Command): void {
  addCommand(program, 'analytics', 'counts and statistics of what matches, without records; free')
    .argument('[filters...]', FILTERS_HELP, collectFilters)
    .option('--by <dimensions>', 'up to two, such as state,status', listOf(String), [])
    .option('--metrics <list>', 'op:field, such as sum:acreage,median:totalUnitCount', listOf(metric), [])
    .addOption(new Option('--interval <name>', 'of dates').choices(['week', 'month', 'quarter', 'year']))
    .option('--limit <groups>', 'groups at most', wholeNumber(1, GROUPS_MAX))
    .action(
      act(async (cli, filters: Typed = {}, { by, metrics, interval, limit }) => {
        const optional = { ...(interval ? { interval } : {}), ...(limit ? { limit } : {}), ...(metrics.length ? { metrics } : {}) };
        const { data, meta } = await cli.ask('aggregateProjects', { body: { filters: asBody(filters), groupBy: by, ...optional } });
        showWarnings(cli, meta);
        if (meta.suppressedGroups) cli.note('Note: small groups are left out.');
        if (meta.truncated) cli.note('There are more groups: raise --limit.');
        const groups = data.groups.map(({ labels, keys, count, metrics: found }) => ({ ...keys, ...labels, count, ...found }) as Row);
        const total = data.totals && !by.length ? [{ count: data.totals.count, ...data.totals.metrics } as Row] : [];
        cli.print(data, groups.length ? groups : total, 'Nothing matches, or too little to be shown.');
      }),
    );
}

const percent = (part: number | null, whole = 1) => (part === null ? null : `${Math.round((100 * part) / whole)} %`);

const exactPercent = (share: number | null) => (share === null ? null : `${(100 * share).toFixed(1)} %`);
const DAY = /^\d{4}-\d\d-\d\d$/;

function day(text: string): string {
  if (!DAY.test(text)) throw new InvalidArgumentError(`'${text}' is no day: they are typed as 2025-03-31.`);
  return text;
}

const ODDS_MAX = 100;

export function addOddsCommand(program: Command): void {
  addCommand(program, 'odds', 'what becomes of what matches, and how many days it takes; free')
    .argument('[filters...]', FILTERS_HELP, collectFilters)
    .option('--by <dimensions>', 'up to two, such as decisionBody,propertyType', listOf(String), [])
    .addOption(new Option('--interval <name>', 'of dates').choices(['week', 'month', 'quarter', 'year']))
    .option('--since <day>', 'only what was first heard on this day or later', day)
    .option('--limit <groups>', 'groups at most', wholeNumber(1, ODDS_MAX))
    .action(
      act(async (cli, filters: Typed = {}, { by, interval, since, limit }) => {
        const optional = { ...(interval ? { interval } : {}), ...(since ? { since } : {}), ...(limit ? { limit } : {}) };
        const { data, meta } = await cli.ask('getOdds', { body: { filters: asBody(filters), by, ...optional } });
        showWarnings(cli, meta);
        if (meta.suppressedGroups) cli.note('Note: small groups are left out.');
        if (meta.truncated) cli.note('There are more groups than are shown.');
        if (data.totals) cli.note(describeOdds(data.totals));
        const rows = data.groups.map(
          ({ labels, n, decided, undecided, outcomes, other, intervals, daysToDecision, hearingsToDecision }): Row => ({
            ...(labels as Record<string, string>),
            n,
            decided,
            pending: undecided,
            approved: exactPercent(outcomes.approved),
            'at least': exactPercent(intervals.approved?.[0] ?? null),
            'at most': exactPercent(intervals.approved?.[1] ?? null),
            denied: exactPercent(outcomes.denied),
            withdrawn: exactPercent(outcomes.withdrawn),
            stalled: exactPercent(outcomes.stalled),
            'soft denial': exactPercent(outcomes.soft_denial),
            other: exactPercent(other),
            'median days': daysToDecision?.p50 ?? null,
            'median hearings': hearingsToDecision?.p50 ?? null,
          }),
        );
        cli.print(data, rows, 'Nothing matches, or too little to be shown: a group needs five decided records.');
      }),
    );
}

export function addCoverageCommand(program: Command): void {
  addCommand(program, 'coverage', 'how much the data holds, how fresh and how full it is; free')
    .argument('[filters...]', FILTERS_HELP, collectFilters)
    .option(
      '--by <dimensions>',
      'up to two of state, county, month; or body: decision bodies, and since when they are silent',
      listOf(String),
    )
    .action(
      act(async (cli, filters: Typed = {}, { by }) => {
        const byBody = by?.join() === 'body';
        const { data, meta } = await cli.ask('getCoverage', { ...filters, ...(byBody ? { by: 'body' } : by ? { groupBy: by } : {}) });
        showWarnings(cli, meta);
        if (meta.suppressedGroups) cli.note('Note: small groups are left out.');
        const bodies = () =>
          data.groups.map(
            ({ labels, records, cadenceDays, lastMeetingDate, expectedBy, missed, staleSince }): Row => ({
              place: labels.city ?? labels.county ?? labels.state ?? null,
              body: labels.decisionBody ?? null,
              records,
              'days apart': cadenceDays ?? null,
              'last meeting': lastMeetingDate ?? null,
              due: expectedBy ?? null,
              missed: missed ?? null,
              'silent since': staleSince ?? null,
            }),
          );
        if (byBody) return cli.print(data, bodies(), 'No body of these places is named by enough records.');
        const rows = data.groups.map(
          ({ labels, records, newestMeeting, meanDaysToLoad, filledShare, filled }): Row => ({
            ...labels,
            records,
            newest: newestMeeting,
            'days to load': meanDaysToLoad,
            filled: percent(filledShare),
            units: percent(filled?.totalUnitCount ?? null, records),
            acreage: percent(filled?.acreage ?? null, records),
          }),
        );
        cli.print(data, rows, 'Nothing matches, or too little to be shown.');
      }),
    );
}
