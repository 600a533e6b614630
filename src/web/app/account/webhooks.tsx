/** The tab of webhooks: addresses that are called when something has happened. */

import type { WebhookAddress } from '../shared/answers.ts';
import { ask } from '../shared/api.ts';
import { Action, Badge } from '../shared/ui.tsx';
import { date, nameInWords } from '../shared/words.ts';
import { Collection } from './collection.tsx';

/** Deletes a webhook, which nothing brings back, once the reader has confirmed. */
async function deleteWebhook({ id, url }: WebhookAddress): Promise<void> {
  if (confirm(`Delete the webhook ${url}? Nothing is sent to it from then on, and it cannot be restored.`))
    await ask(`/webhooks/${id}`, { method: 'DELETE' });
}

export const Webhooks = () => (
  <Collection<WebhookAddress>
    title="Webhooks"
    lead={
      <>
        Addresses that are called when something has happened: <a href="/docs/guides/webhooks">how to make one and check what it is sent</a>
        .
      </>
    }
    load={(signal, query) => ask(`/webhooks${query}`, { signal })}
    none="No webhook. The guide shows how to make one."
    heads={['Address', 'Events', 'Status', 'Made', 'Actions']}
    row={(one, { act, onProblem }) => [
      <code>{one.url}</code>,
      one.types.join(', '),
      <Badge token={one.status} label={nameInWords(one.status)} />,
      date(one.createdAt),
      <>
        <Action kind="small" onProblem={onProblem} work={act(() => ask(`/webhooks/${one.id}/test`, { method: 'POST' }))}>
          Send a ping
        </Action>
        <Action kind="small danger" onProblem={onProblem} work={act(() => deleteWebhook(one))}>
          Delete
        </Action>
      </>,
    ]}
  />
);
