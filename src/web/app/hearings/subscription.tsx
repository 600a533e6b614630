/** Feeds of hearings: an address for a calendar, shown once, and those made before. */
import { useState } from 'preact/hooks';
import type { Filters } from '../../../clients/client/generated.ts';
import type { DataOf } from '../shared/answers.ts';
import { call } from '../shared/api.ts';
import { CriteriaWords } from '../shared/criteria.tsx';
import { useCall } from '../shared/hooks.ts';
import { SecretAddress } from '../shared/secretAddress.tsx';
import { Action, PartCard, Pending } from '../shared/ui.tsx';
import { moment } from '../shared/words.ts';

export function Subscription({ filters }: { filters: Filters }) {
  const [made, setMade] = useState<DataOf<'createHearingFeed'> | null>(null);
  const feeds = useCall('listHearingFeeds', {});
  const make = async () => {
    setMade((await call('createHearingFeed', { body: { filters } })).data);
    feeds.again();
  };
  const revoke = async (id: string) => {
    if (!confirm('Revoke this feed? Its address stops working in every calendar, and cannot be restored.')) return;
    await call('deleteHearingFeed', { id });
    if (made?.id === id) setMade(null);
    feeds.again();
  };
  return (
    <PartCard title="Subscribe" note="The hearings of these filters for the next year in your calendar, free and kept up to date.">
      <Pending asked={feeds} />
      {made && (
        <div role="status" class="part-card">
          <p>
            Copy it now: it is shown this once. Whoever knows the address can read the calendar.{' '}
            {made.icsUrl && <a href={made.icsUrl.replace(/^https?:/, 'webcal:')}>Open it in your calendar</a>}
          </p>
          <SecretAddress id="hearings-url" label="Address for calendars" address={made.icsUrl} />
        </div>
      )}
      <ul class="recipients">
        {feeds.answer?.data.map((feed) => (
          <li key={feed.id}>
            Made {moment(feed.createdAt)}: <CriteriaWords filters={feed.filters} />{' '}
            <Action kind="small danger" work={() => revoke(feed.id)}>
              Revoke<span class="hidden"> the feed made {moment(feed.createdAt)}</span>
            </Action>
          </li>
        ))}
      </ul>
      <p class="actions">
        <Action work={make}>Make a calendar address</Action>
      </p>
    </PartCard>
  );
}
