/** Public feeds of bodies that fell silent or report again. They contain names of bodies and days, and nothing of a record. */
import type { Places } from '../../core/domain/places.ts';
import { file } from '../../http/declaration.ts';
import { writeReaderFeed } from '../../http/feedWriters.ts';
import type { OpenRoute } from '../../http/openRoutes.ts';
import { guidePath } from '../../web/docsFrame.ts';
import type { FreshnessStore } from './store.ts';
import type { RecordedChange } from './types.ts';
import { nameBody } from './view.ts';

/** Most entries of a feed. */
const ENTRIES = 100;

const FORMATS = {
  rss: { id: 'readCoverageRss', type: 'application/rss+xml', summary: 'Bodies that fell silent or report again, as RSS 2.0' },
  json: { id: 'readCoverageFeed', type: 'application/feed+json', summary: 'Bodies that fell silent or report again, as JSON Feed' },
} as const;
type Format = keyof typeof FORMATS;

function describeChange({ type, bodyKey, expectedBy, missed }: RecordedChange, places: Places): { title: string; text: string } {
  const name = nameBody(bodyKey, places);
  if (type === 'coverage.recovered') return { title: `Read again: ${name}`, text: `${name} is read again.` };
  const meetings = missed === 1 ? 'one meeting has' : `${missed} meetings have`;
  return { title: `Silent: ${name}`, text: `The next meeting was due by ${expectedBy}; by its rhythm ${meetings} not been read.` };
}

function writeFeed(
  changes: readonly RecordedChange[],
  { places, publicUrl }: { places: Places; publicUrl: string },
  format: Format,
): string {
  const selfUrl = `${publicUrl}/coverage.${format}`;
  const link = `${publicUrl}${guidePath('coverage')}`;
  const title = 'Coverage of the Land Use Intelligence API';
  const description = 'Decision bodies whose meetings are no longer read, and those that are read again';
  const entries = changes.map((change) => ({ ...describeChange(change, places), id: `${selfUrl}#${change.id}`, link, date: change.at }));
  return writeReaderFeed({ title, description, link, selfUrl, updated: changes[0]?.at }, entries, format);
}

/** `/coverage.rss` and `/coverage.json`. */
export const coverageFeedRoutes = (
  freshness: Pick<FreshnessStore, 'listNewestChanges'>,
  shown: { places: Places; publicUrl: string },
): OpenRoute[] =>
  (Object.keys(FORMATS) as Format[]).map((format) => {
    const { id, type, summary } = FORMATS[format];
    return {
      rate: 'feed',
      paths: [`/coverage.${format}`],
      type: `${type}; charset=utf-8`,
      lifetime: { seconds: 60, scope: 'shared' },
      handle: async () => writeFeed(await freshness.listNewestChanges(ENTRIES), shown, format),
      reference: { id, summary, answers: [file(type)], errors: ['service_unavailable'] },
    };
  });
