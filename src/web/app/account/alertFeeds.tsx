/** Feeds of an alert: addresses for readers and calendars. */
import { call } from '../shared/api.ts';
import { Feeds } from '../shared/feeds.tsx';
import { useCall } from '../shared/hooks.ts';

export const AlertFeeds = ({ id }: { id: string }) => (
  <Feeds
    title="Feeds"
    note="The newest matches for a reader or a calendar, free and without a key."
    feeds={useCall('listAlertFeeds', { id })}
    make={async () => (await call('createAlertFeed', { id, body: {} })).data}
    makes="Make a feed"
    remove={(feedId) => call('deleteAlertFeed', { id, feedId })}
  />
);
