/**
 * Replays the meetings of a decision body day by day: on which days it would wrongly have been reported as silent, and how soon it is reported if
 * its meetings really stop. Pure.
 */
import { DAY_MS } from '../../src/core/query/intervals.ts';
import { judgeFreshness } from '../../src/features/freshness/index.ts';

const dayNumber = (day: string) => Date.parse(day) / DAY_MS;
const dayText = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10);
const DAYS_A_YEAR = 365.25;

/** A simulated silence: all meetings from one on are withheld. */
export interface Silencing {
  /** the first meeting that is withheld */
  firstMissed: string;
  /** days from it to the day on which the body is reported as silent */
  namedAfterDays: number;
  /** learned from the meetings before the silence */
  cadenceDays: number;
  usualPauseDays: number;
  /** days from its last meeting that the rules allow in that season */
  allowedDays: number;
}

export interface Replay {
  years: number;
  /** days on which it is reported as silent although it meets again */
  falseAlarms: string[];
  silencings: Silencing[];
}

/**
 * Withholds each meeting after the learning period, and those after it, in turn.
 * @param days on which the body met, `YYYY-MM-DD`, ascending; each meeting is read on its day
 * @param learnedDays length of the learning period, of which nothing is judged
 */
export function replayBody(days: readonly string[], learnedDays = 365): Replay {
  const first = dayNumber(days[0] as string) + learnedDays;
  const falseAlarms: string[] = [];
  const silencings: Silencing[] = [];
  for (const [i, next] of days.entries()) {
    if (dayNumber(next) < first) continue;
    const known = days.slice(0, i).map((date) => ({ date, firstRead: date, lastRead: date }));
    const last = days[i - 1] as string;
    const { cadenceDays, usualPauseDays, expectedBy } = judgeFreshness(known, last);
    if (cadenceDays === null || usualPauseDays === null || expectedBy === null) continue;
    let day = dayNumber(last);
    while (judgeFreshness(known, dayText(day)).staleSince === null) day++;
    if (day < dayNumber(next)) falseAlarms.push(dayText(day));
    const namedAfterDays = Math.max(0, day - dayNumber(next));
    silencings.push({
      firstMissed: next,
      namedAfterDays,
      cadenceDays,
      usualPauseDays,
      allowedDays: dayNumber(expectedBy) - dayNumber(last),
    });
  }
  return { years: (dayNumber(days.at(-1) as string) - first) / DAYS_A_YEAR, falseAlarms, silencings };
}
