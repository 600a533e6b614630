/** Determines the freshness of every body from its meetings and from the days on which they were extracted. Pure. */
import { readBodyKey } from '../../core/domain/record/bodyMeetings.ts';
import type { NamedBody } from './meetingStore.ts';
import { judgeFreshness } from './rhythm.ts';
import type { KnownBody } from './types.ts';

const dayOf = (at: Date) => at.toISOString().slice(0, 10);

/**
 * The freshness of each body.
 * @param bodies by key
 * @param extractedAt when the lines of each load were extracted, by its number
 * @param today by the service clock, `YYYY-MM-DD`
 */
export function learnBodies(bodies: ReadonlyMap<string, NamedBody>, extractedAt: ReadonlyMap<number, Date>, today: string): KnownBody[] {
  const dayOfLoad = (load: number) => {
    const at = extractedAt.get(load);
    return at ? dayOf(at) : today;
  };
  return [...bodies].flatMap(([bodyKey, { recordCount, lastLoad, meetings }]) => {
    const { body, ...place } = readBodyKey(bodyKey);
    if (!body) return [];
    const read = [...meetings].map(([date, loads]) => ({
      date,
      firstRead: dayOfLoad(loads.firstLoad),
      lastRead: dayOfLoad(loads.lastLoad),
    }));
    return { bodyKey, ...place, body, recordCount, lastExtractedAt: extractedAt.get(lastLoad) ?? null, ...judgeFreshness(read, today) };
  });
}
