/** Feeds of an alert: addresses for readers and calendars, shown once. */
import { useState } from 'preact/hooks';
import type { AlertFeed, MadeFeed } from '../shared/answers.ts';
import { ask, type FailedRequest } from '../shared/api.ts';
import { copyText } from '../shared/clipboard.ts';
import { showToast } from '../shared/toasts.tsx';
import { Action, Loading, Notice, useAnswer } from '../shared/ui.tsx';
import { moment } from '../shared/words.ts';

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
      <div class="row" key={field}>
        <div class="field">
          <label for={field}>{label}</label>
          <input id={field} readOnly value={made[field] ?? ''} onFocus={(event) => event.currentTarget.select()} />
        </div>
        <button
          type="button"
          onClick={async () => {
            await copyText(made[field] ?? '');
            showToast('The address is copied.');
          }}
        >
          Copy<span class="hidden"> the address of {label}</span>
        </button>
      </div>
    ))}
  </div>
);

export function AlertFeeds({ id }: { id: string }) {
  const [made, setMade] = useState<MadeFeed | null>(null);
  const [problem, setProblem] = useState<FailedRequest | null>(null);
  const { answer, problem: refused, again } = useAnswer((signal) => ask(`/alerts/${id}/feeds`, { signal }), [id]);
  const feeds: AlertFeed[] = answer?.data ?? [];
  const make = async () => {
    const { data } = await ask(`/alerts/${id}/feeds`, { method: 'POST', body: {} });
    setMade(data);
    again();
  };
  const revoke = async (feed: AlertFeed) => {
    if (!confirm('Revoke this feed? Its addresses stop working for everyone who reads it, and cannot be restored.')) return;
    await ask(`/alerts/${id}/feeds/${feed.id}`, { method: 'DELETE' });
    if (made?.id === feed.id) setMade(null);
    again();
  };
  return (
    <section class="card part-card">
      <h2>Feeds</h2>
      <p class="note">The newest matches for a reader or a calendar, free and without a key.</p>
      {problem && <Notice problem={problem} />}
      {refused && <Notice problem={refused} again={again} />}
      {!answer && !refused && <Loading />}
      {made && <FeedAddresses made={made} />}
      <ul class="recipients">
        {feeds.map((feed) => (
          <li key={feed.id}>
            Made {moment(feed.createdAt)}{' '}
            <Action kind="small danger" onProblem={setProblem} work={() => revoke(feed)}>
              Revoke<span class="hidden"> the feed made {moment(feed.createdAt)}</span>
            </Action>
          </li>
        ))}
      </ul>
      <p class="actions">
        <Action onProblem={setProblem} work={make}>
          Make a feed
        </Action>
      </p>
    </section>
  );
}
