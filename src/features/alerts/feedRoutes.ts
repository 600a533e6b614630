/** Feeds of alerts for readers and calendars: without a key, authenticated by the secret in the URL. */
import { file } from '../../http/declaration.ts';
import type { OpenRoute } from '../../http/openRoutes.ts';
import { opaqueId } from '../../http/pathParameters.ts';
import { FEED_FORMATS, type FeedFormat } from './feedFormats.ts';
import { type FeedServices, readFeed, unknownFeedError } from './feeds.ts';

const secret = opaqueId('feed', 'The secret of the feed', 'fds');

const FORMATS: Record<FeedFormat, { id: string; type: string; summary: string }> = {
  rss: { id: 'readRssFeed', type: 'application/rss+xml', summary: 'Matches of an alert as RSS 2.0' },
  json: { id: 'readJsonFeed', type: 'application/feed+json', summary: 'Matches of an alert as JSON Feed' },
  ics: { id: 'readCalendarFeed', type: 'text/calendar', summary: 'Hearings of an alert’s matches as iCalendar, all-day events' },
};

export const feedRoutes = (services: FeedServices): OpenRoute[] =>
  FEED_FORMATS.map((format) => {
    const { id, type, summary } = FORMATS[format];
    const below = `/feeds/${format}/`;
    return {
      rate: 'feed',
      paths: [],
      below,
      type: `${type}; charset=utf-8`,
      // Revalidated each time, so that a revoked feed disappears at once.
      lifetime: { seconds: 0, scope: 'private' },
      handle: (rest) => {
        const known = secret.parse(rest);
        if (known === undefined) throw unknownFeedError();
        return readFeed(services, known, format);
      },
      reference: {
        id,
        summary,
        path: `${below}{secret}`,
        params: { secret },
        answers: [file(type)],
        errors: ['resource_not_found', 'feed_gone', 'subscription_required', 'search_unavailable', 'service_unavailable'],
      },
    };
  });
