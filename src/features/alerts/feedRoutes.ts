/** Feeds of alerts for readers and calendars: without a key, authenticated by the secret in the URL. */
import type { OpenRoute } from '../../http/openRoutes.ts';
import { opaqueId } from '../../http/pathParameters.ts';
import { readFeedRoute } from '../../http/secretFeeds.ts';
import { FEED_FORMATS, type FeedFormat } from './feedFormats.ts';
import { type FeedServices, readFeed } from './feeds.ts';

const secret = opaqueId('feed', 'The secret of the feed', 'fds');

const FORMATS: Record<FeedFormat, { id: string; type: string; summary: string }> = {
  rss: { id: 'readRssFeed', type: 'application/rss+xml', summary: 'Matches of an alert as RSS 2.0' },
  json: { id: 'readJsonFeed', type: 'application/feed+json', summary: 'Matches of an alert as JSON Feed' },
  ics: { id: 'readCalendarFeed', type: 'text/calendar', summary: 'Hearings of an alert’s matches as iCalendar, all-day events' },
};

export const feedRoutes = (services: FeedServices): OpenRoute[] =>
  FEED_FORMATS.map((format) =>
    readFeedRoute({
      ...FORMATS[format],
      below: `/feeds/${format}/`,
      secret,
      errors: ['search_unavailable'],
      ended: 'revoked',
      read: (known) => readFeed(services, known, format),
    }),
  );
