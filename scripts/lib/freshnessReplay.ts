/** Replays the meetings of a body day by day: when it would have been called silent though it met, and how soon where it is silenced. Pure. */
import { DAY_MS } from '../../src/core/query/intervals.ts';
import { judgeFreshness } from '../../src/features/freshness/index.ts';

const dayNumber = (day: string) => Date.parse(day) / DAY_MS;
const dayText = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10);
const DAYS_A_YEAR = 365.25;

/** A body that was silenced before one of its meetings. */
export interface Silencing {
  /** the meeting that was not read any more */
  firstMissed: string;
  /** days from it to the day on which the body is called silent */
  namedAfterDays: number;
  /** as learned before the silence */
  cadenceDays: number;
  usualPauseDays: number;
  /** days for which it is silent in that season anyway, from its last meeting */
  allowedDays: number;
}

export interface Replay {
  years: number;
  /** days on which it is called silent although it meets again */
  falseAlarms: string[];
  silencings: Silencing[];
}

/**
 * @param days on which the body met, `YYYY-MM-DD`, ascending, each read on its day
 * @param learnedDays of the first meetings that only teach
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
