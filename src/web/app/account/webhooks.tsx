/** The tab of webhooks: addresses that are called when something has happened. */
import type { ListWebhooksData } from '../../../clients/client/generated.ts';
import { call } from '../shared/api.ts';
import { Action, Badge, SmallAction } from '../shared/ui.tsx';
import { date, nameInWords } from '../shared/words.ts';
import { Collection } from './collection.tsx';

/** Deletes a webhook, which nothing brings back, once the reader has confirmed. */
async function deleteWebhook({ id, url }: ListWebhooksData): Promise<void> {
  if (confirm(`Delete the webhook ${url}? Nothing is sent to it from then on, and it cannot be restored.`))
    await call('deleteWebhook', { id });
}

export const Webhooks = () => (
  <Collection
    title="Webhooks"
    lead={
      <>
        Addresses that are called when something has happened: <a href="/docs/guides/webhooks">how to make one and check what it is sent</a>
        .
      </>
    }
    load={(signal, page) => call('listWebhooks', page, { signal })}
    none="No webhook. The guide shows how to make one."
    heads={['Address', 'Events', 'Status', 'Made', 'Actions']}
    row={(one, { act }) => [
      <code>{one.url}</code>,
      one.types.join(', '),
      <Badge token={one.status} label={nameInWords(one.status)} />,
      date(one.createdAt),
      <>
        <SmallAction work={act(() => call('testWebhook', { id: one.id }))}>Send a ping</SmallAction>
        <Action kind="small danger" work={act(() => deleteWebhook(one))}>
          Delete
        </Action>
      </>,
    ]}
  />
);
