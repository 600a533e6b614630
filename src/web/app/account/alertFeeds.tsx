/** Feeds of an alert: addresses for readers and calendars, shown once. */
import { useState } from 'preact/hooks';
import type { DataOf } from '../shared/answers.ts';
import { call } from '../shared/api.ts';
import { useCall } from '../shared/hooks.ts';
import { SecretAddress } from '../shared/secretAddress.tsx';
import { Action, PartCard, Pending } from '../shared/ui.tsx';
import { moment } from '../shared/words.ts';

type MadeFeed = DataOf<'createAlertFeed'>;

const FORMATS = [
  ['rssUrl', 'RSS, for readers'],
  ['jsonUrl', 'JSON Feed, for programs'],
  ['icsUrl', 'iCalendar, for calendars'],
] as const;

/** The addresses of a new feed, each with a button that copies it. */
const FeedAddresses = ({ made }: { made: MadeFeed }) => (
  <div role="status" class="part-card">
    <p>Copy them now: they are shown this once. Whoever knows an address can read the feed.</p>
    {FORMATS.map(([field, label]) => (
      <SecretAddress key={field} id={field} label={label} address={made[field]} />
    ))}
  </div>
);

export function AlertFeeds({ id }: { id: string }) {
  const [made, setMade] = useState<MadeFeed | null>(null);
  const feeds = useCall('listAlertFeeds', { id });
  const make = async () => {
    setMade((await call('createAlertFeed', { id, body: {} })).data);
    feeds.again();
  };
  const revoke = async (feedId: string) => {
    if (!confirm('Revoke this feed? Its addresses stop working for everyone who reads it, and cannot be restored.')) return;
    await call('deleteAlertFeed', { id, feedId });
    if (made?.id === feedId) setMade(null);
    feeds.again();
  };
  return (
    <PartCard title="Feeds" note="The newest matches for a reader or a calendar, free and without a key.">
      <Pending asked={feeds} />
      {made && <FeedAddresses made={made} />}
      <ul class="recipients">
        {feeds.answer?.data.map((feed) => (
          <li key={feed.id}>
            Made {moment(feed.createdAt)}{' '}
            <Action kind="small danger" work={() => revoke(feed.id)}>
              Revoke<span class="hidden"> the feed made {moment(feed.createdAt)}</span>
            </Action>
          </li>
        ))}
      </ul>
      <p class="actions">
        <Action work={make}>Make a feed</Action>
      </p>
    </PartCard>
  );
}
