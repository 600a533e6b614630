/** Public feeds of releases. They contain only numbers, and nothing of a record. */
import type { RecordedRelease, ReleaseStore } from '../../core/store/postgres/releases.ts';
import { file } from '../../http/declaration.ts';
import { writeReaderFeed } from '../../http/feedWriters.ts';
import type { OpenRoute } from '../../http/openRoutes.ts';
import { guidePath } from '../../web/docsFrame.ts';

/** Most entries of a feed. */
const ENTRIES = 50;

type Releases = readonly RecordedRelease[];

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

/** A data set for each release; its files are snapshots, for which a key is needed. */
function writeCatalog(releases: Releases, publicUrl: string, contact: string): string {
  const dataset = releases.map((release) => ({
    '@type': 'dcat:Dataset',
    identifier: `${publicUrl}/releases.json#${release.activatedAt.toISOString()}`,
    title: `US land-use projects, generation ${release.generation}`,
    description: `Rezonings, site plans and permits, read from the minutes of city and county meetings. ${describeRelease(release)}.`,
    keyword: ['land use', 'zoning', 'planning', 'permits'],
    modified: release.activatedAt.toISOString(),
    publisher: { '@type': 'org:Organization', name: 'Land Use Intelligence API' },
    contactPoint: { '@type': 'vcard:Contact', fn: 'Land Use Intelligence API', hasEmail: `mailto:${contact}` },
    accessLevel: 'restricted public',
    rights: 'A key of the service is needed.',
    landingPage: `${publicUrl}${guidePath('releases')}`,
    spatial: 'United States',
    distribution: [
      {
        '@type': 'dcat:Distribution',
        title: 'Snapshots: NDJSON and GeoParquet',
        accessURL: `${publicUrl}${guidePath('snapshots')}`,
        format: 'API',
      },
      { '@type': 'dcat:Distribution', title: 'OGC API - Features', accessURL: `${publicUrl}/ogc`, format: 'API' },
    ],
  }));
  const catalog = {
    '@context': 'https://project-open-data.cio.gov/v1.1/schema/catalog.jsonld',
    '@type': 'dcat:Catalog',
    conformsTo: 'https://project-open-data.cio.gov/v1.1/schema',
    describedBy: 'https://project-open-data.cio.gov/v1.1/schema/catalog.json',
    dataset,
  };
  return JSON.stringify(catalog);
}

const writeFeed =
  (format: 'rss' | 'json') =>
  (releases: Releases, publicUrl: string): string => {
    const selfUrl = `${publicUrl}/releases.${format}`;
    const link = `${publicUrl}${guidePath('releases')}`;
    const title = 'Releases of the Land Use Intelligence API';
    const description = 'What each generation of the records brought';
    const entries = releases.map((release) => {
      const [date, text] = [release.activatedAt, describeRelease(release)];
      return { id: `${selfUrl}#${date.toISOString()}`, title: `Generation ${release.generation}: ${text}`, link, date, text };
    });
    return writeReaderFeed({ title, description, link, selfUrl, updated: releases[0]?.activatedAt }, entries, format);
  };

const FORMATS = [
  { id: 'readReleasesRss', path: '/releases.rss', type: 'application/rss+xml', summary: 'Releases as RSS 2.0', write: writeFeed('rss') },
  {
    id: 'readReleasesFeed',
    path: '/releases.json',
    type: 'application/feed+json',
    summary: 'Releases as JSON Feed',
    write: writeFeed('json'),
  },
  {
    id: 'readReleasesCatalog',
    path: '/data.json',
    type: 'application/json',
    summary: 'Releases as a catalogue of data sets (DCAT-US 1.1)',
    write: writeCatalog,
  },
];

/** `/releases.rss`, `/releases.json` and `/data.json`. @param contact address that answers for the service */
export const releaseFeedRoutes = (store: Pick<ReleaseStore, 'list'>, publicUrl: string, contact: string): OpenRoute[] =>
  FORMATS.map(({ id, path, type, summary, write }) => ({
    rate: 'feed',
    paths: [path],
    type: `${type}; charset=utf-8`,
    lifetime: { seconds: 60, scope: 'shared' },
    handle: async () => write((await store.list(ENTRIES, 0)).releases, publicUrl, contact),
    reference: { id, summary, answers: [file(type)], errors: ['service_unavailable'] },
  }));
