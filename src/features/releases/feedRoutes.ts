/** Public feeds of releases. They contain only numbers, and nothing of a record. */
import { Feed } from 'feed';
import type { RecordedRelease, ReleaseStore } from '../../core/store/postgres/releases.ts';
import { file } from '../../http/declaration.ts';
import type { OpenRoute } from '../../http/openRoutes.ts';
import { guidePath } from '../../web/docsFrame.ts';

/** Most entries of a feed. */
const ENTRIES = 50;

const FORMATS = {
  rss: { id: 'readReleasesRss', type: 'application/rss+xml', summary: 'Releases as RSS 2.0' },
  json: { id: 'readReleasesFeed', type: 'application/feed+json', summary: 'Releases as JSON Feed' },
} as const;
type Format = keyof typeof FORMATS;

const number = new Intl.NumberFormat('en-US');

function describeRelease({ recordCount, added, changed, removed, rolledBack }: RecordedRelease): string {
  const brought = [
    { count: added, what: 'added' },
    { count: changed, what: 'changed' },
    { count: removed, what: 'removed' },
  ].flatMap(({ count, what }) => (count === null ? [] : [`${number.format(count)} ${what}`]));
  const text = [`${number.format(recordCount)} records`, ...brought].join(', ');
  return rolledBack ? `Served again: ${text}` : text;
}

function writeFeed(releases: readonly RecordedRelease[], publicUrl: string, format: Format): string {
  const selfUrl = `${publicUrl}/releases.${format}`;
  const guideUrl = `${publicUrl}${guidePath('releases')}`;
  const feed = new Feed({
    id: selfUrl,
    title: 'Releases of the Land Use Intelligence API',
    description: 'What each generation of the records brought',
    link: guideUrl,
    generator: false as const,
    updated: releases[0]?.activatedAt ?? new Date(0),
    feedLinks: { [format]: selfUrl },
  });
  for (const release of releases) {
    const details = describeRelease(release);
    feed.addItem({
      title: `Generation ${release.generation}: ${details}`,
      id: `${selfUrl}#${release.activatedAt.toISOString()}`,
      link: guideUrl,
      date: release.activatedAt,
      description: details,
      content: details,
    });
  }
  return format === 'rss' ? feed.rss2() : feed.json1();
}

/** `/releases.rss` and `/releases.json`. */
export const releaseFeedRoutes = (store: Pick<ReleaseStore, 'list'>, publicUrl: string): OpenRoute[] =>
  (Object.keys(FORMATS) as Format[]).map((format) => {
    const { id, type, summary } = FORMATS[format];
    return {
      rate: 'feed',
      paths: [`/releases.${format}`],
      type: `${type}; charset=utf-8`,
      lifetime: { seconds: 60, scope: 'shared' },
      handle: async () => writeFeed((await store.list(ENTRIES, 0)).releases, publicUrl, format),
      reference: { id, summary, answers: [file(type)], errors: ['service_unavailable'] },
    };
  });
