/** Feeds of hearings: an address for a calendar. */
import type { Filters } from '../../../clients/client/generated.ts';
import { call } from '../shared/api.ts';
import { Feeds } from '../shared/feeds.tsx';
import { useCall } from '../shared/hooks.ts';

export const Subscription = ({ filters }: { filters: Filters }) => (
  <Feeds
    title="Subscribe in a calendar"
    note="The hearings of these filters for the next year, free and kept up to date by themselves."
    feeds={useCall('listHearingFeeds', {})}
    make={async () => (await call('createHearingFeed', { body: { filters } })).data}
    makes="Make a calendar address"
    remove={(id) => call('deleteHearingFeed', { id })}
  />
);
