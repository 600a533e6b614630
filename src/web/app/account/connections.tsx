/** The tab of connections: programs that act for a key by OAuth. */
import type { ListConnectionsData } from '../../../clients/client/generated.ts';
import { call } from '../shared/api.ts';
import { Action } from '../shared/ui.tsx';
import { date, number } from '../shared/words.ts';
import { Collection } from './collection.tsx';

const nameOf = ({ client: { name, returnsTo } }: ListConnectionsData) => name ?? returnsTo;

/** Ends a connection, once the reader has confirmed. */
async function endConnection(one: ListConnectionsData): Promise<void> {
  if (confirm(`Disconnect ${nameOf(one)}? It stops at once, and has to be connected again.`)) await call('endConnection', { id: one.id });
}

export const Connections = () => (
  <Collection
    title="Connections"
    lead={
      <>
        Programs that use the tools for agents with one of your keys; an owner of the team sees all of them:{' '}
        <a href="/docs/guides/mcp">how a program is connected</a>.
      </>
    }
    load={(signal) => call('listConnections', {}, { signal })}
    none="No program is connected."
    heads={['Program', 'Where', 'Credits this month', 'Connected', 'Ends unless used', 'Actions']}
    row={(one, { act }) => [
      nameOf(one),
      one.client.returnsTo,
      `${number(one.creditsSpent)} of ${number(one.monthlyCredits)}`,
      date(one.createdAt),
      date(one.expiresAt),
      <Action kind="small danger" work={act(() => endConnection(one))}>
        Disconnect
      </Action>,
    ]}
  />
);
