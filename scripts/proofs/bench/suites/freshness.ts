/** Suite `freshness`: the bodies of the public data sets, replayed day by day. */
import { bodyKeysOf, readBodyKey, readMeetingKey } from '../../../../src/core/domain/record/bodyMeetings.ts';
import { decisionBodies } from '../../../../src/core/domain/vocabulary.ts';
import { loadPlaces } from '../../../../src/core/store/files/loadPlaces.ts';
import { GRACE_DAYS } from '../../../../src/features/freshness/index.ts';
import { type Replay, replayBody } from '../../../lib/freshnessReplay.ts';
import { withTimedStep } from '../../../lib/progress.ts';
import { readPublicLines, requirePublicData } from '../../../lib/publicData.ts';
import { type FiguresRow, median, quantile, sum, tableOfFigures } from '../../../lib/report.ts';
import type { Suite } from '../suite.ts';

/** Bodies with fewer meetings do not last for a year of learning and a year of replay. */
const MEETINGS_MIN = 30;
/** Older dates are of registers that were typed in later. */
const SINCE = '2005-01-01';

/** Days on which each body met, ascending. */
async function readMeetings(folder: string): Promise<Map<string, string[]>> {
  const days = new Map<string, Set<string>>();
  let until = '';
  for await (const line of readPublicLines(folder)) {
    if (line.kind === 'generation') until = String(line.extractedAt).slice(0, 10);
    if (line.kind !== 'project') continue;
    for (const meeting of bodyKeysOf(line as never).bodyMeetings) {
      const { date, bodyKey } = readMeetingKey(meeting);
      if (!readBodyKey(bodyKey).body || date < SINCE || date > until) continue;
      const known = days.get(bodyKey);
      if (known) known.add(date);
      else days.set(bodyKey, new Set([date]));
    }
  }
  return new Map([...days].filter(([, { size }]) => size >= MEETINGS_MIN).map(([key, some]) => [key, [...some].sort()]));
}

const places = loadPlaces();

function labelOf(key: string): string {
  const { stateId, countyId, cityId, body } = readBodyKey(key);
  const place = (cityId && places.city(cityId)?.name) || (countyId && places.county(countyId)?.name) || '';
  return [place, places.state(stateId)?.abbreviation, decisionBodies.label(body)].filter(Boolean).join(', ');
}

/** Within a rhythm: no later after the missed meeting than the pause that was usual, and the grace. */
const isInTime = ({ namedAfterDays, allowedDays }: Replay['silencings'][number]) => namedAfterDays <= allowedDays + GRACE_DAYS;
const isWithinCadence = ({ namedAfterDays, cadenceDays }: Replay['silencings'][number]) => namedAfterDays <= cadenceDays + 2 * GRACE_DAYS;
const percent = (of: readonly unknown[], all: readonly unknown[]) => `${Math.round((100 * of.length) / all.length)}`;

function replayRow(key: string, meetings: number, { silencings, falseAlarms, years }: Replay): FiguresRow {
  const delays = silencings.map(({ namedAfterDays }) => namedAfterDays);
  return {
    body: labelOf(key),
    meetings,
    years: years.toFixed(1),
    cadence: String(median(silencings.map(({ cadenceDays }) => cadenceDays))),
    'usual pause': String(median(silencings.map(({ usualPauseDays }) => usualPauseDays))),
    'false alarms': falseAlarms.length,
    'a year': (falseAlarms.length / years).toFixed(2),
    'named after: median': median(delays),
    '90 %': quantile(delays, 0.9),
    'within cadence': percent(silencings.filter(isWithinCadence), silencings),
    'within pause': percent(silencings.filter(isInTime), silencings),
  };
}

export const freshness: Suite<object> = {
  name: 'freshness',
  summary: 'bodies of the public data sets day by day: false alarms, and how soon a silenced one is named',
  options: [],
  async run({ sandbox }) {
    requirePublicData();
    const bodies = await withTimedStep('Read the public data sets', () => readMeetings(sandbox.folder));
    const replays = [...bodies]
      .sort((a, b) => b[1].length - a[1].length)
      .map(([key, days]) => ({ key, meetings: days.length, ...replayBody(days) }))
      .filter(({ silencings }) => silencings.length);
    const perYear = replays.map(({ falseAlarms, years }) => falseAlarms.length / years);
    const all = replays.flatMap(({ silencings }) => silencings);
    const figures = {
      bodies: replays.length,
      falseAlarmsAYear: { mean: sum(perYear) / perYear.length, most: Math.max(...perYear) },
      silencings: all.length,
      inTime: all.filter(isInTime).length,
      withinCadence: all.filter(isWithinCadence).length,
    };
    return {
      title: 'Freshness of bodies',
      about: `The ${replays.length} bodies of the public data sets that met on at least ${MEETINGS_MIN} days since ${SINCE}. Each is replayed after a year of learning, as if each meeting were read on its day.`,
      sections: [
        tableOfFigures(
          'Alarms',
          `*False alarms*: the body was called silent and met again. *Named after*: days from the first meeting that is not read to the day on which the body is called silent, where it is silenced before each of its meetings in turn. *Within cadence*: named no later than one median interval and ${2 * GRACE_DAYS} days after that meeting, percent. *Within pause*: no later than the longest pause that was usual at that time of the year and ${GRACE_DAYS} days, percent.`,
          replays.map(({ key, meetings, ...replay }) => replayRow(key, meetings, replay)),
        ),
      ],
      figures,
    };
  },
};
