/**
 * Determines the freshness of every body from its meetings and from the days on which they were extracted. A rollback reads no source: a body whose
 * newest statements it took away, or wrote again, goes on as it was known. Pure.
 */
import { readBodyKey } from '../../core/domain/record/bodyMeetings.ts';
import type { NamedBody } from './meetingStore.ts';
import { judgeRhythm, learnRhythm } from './rhythm.ts';
import type { LearnedBody, LoadReadings } from './types.ts';

const dayOf = (at: Date) => at.toISOString().slice(0, 10);

/**
 * The freshness of each body.
 * @param bodies by key
 * @param before as the last check left them, by key
 * @param today by the service clock, `YYYY-MM-DD`
 */
export function learnBodies(
  bodies: ReadonlyMap<string, NamedBody>,
  loads: LoadReadings,
  before: ReadonlyMap<string, LearnedBody>,
  today: string,
): LearnedBody[] {
  const dayOfLoad = (load: number) => {
    const at = loads.get(load)?.at;
    return at ? dayOf(at) : today;
  };
  return [...bodies].flatMap(([bodyKey, { recordCount, lastLoad, meetings }]) => {
    const { body, ...place } = readBodyKey(bodyKey);
    if (!body) return [];
    const known = before.get(bodyKey);
    if (known && (lastLoad < known.learned.load || loads.get(lastLoad)?.isReading === false))
      return { ...known, recordCount, ...judgeRhythm(known.learned, today) };
    const read = [...meetings].map(([date, loads]) => ({
      date,
      firstRead: dayOfLoad(loads.firstLoad),
      lastRead: dayOfLoad(loads.lastLoad),
    }));
    const rhythm = learnRhythm(read, today);
    const lastExtractedAt = loads.get(lastLoad)?.at ?? null;
    return { bodyKey, ...place, body, recordCount, lastExtractedAt, ...judgeRhythm(rhythm, today), learned: { ...rhythm, load: lastLoad } };
  });
}
