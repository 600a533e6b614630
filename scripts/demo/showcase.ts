/** What a team leaves behind after its first weeks, in one of the demo's accounts: every list of the API and the map has something to show. */
import { ApiClient } from '../lib/apiClient.ts';
import { HOST } from '../stack/ports.ts';

const HOMES = { states: ['CO'], propertyTypes: ['residential'], dateRange: 'all' };

/** Each is made where its list is still empty, in this order. */
const SHOWN = [
  { list: '/exports', make: '/exports', body: { filters: { states: ['TX'], propertyTypes: ['industrial'], dateRange: 'all' } } },
  { list: '/lists', make: '/lists', body: { name: 'Homes in Colorado', filters: HOMES } },
  {
    list: '/alerts',
    make: '/alerts',
    body: { name: 'New homes in Colorado', filters: { ...HOMES, dateRange: 'last_6_months' }, cadence: { frequency: 'weekly' } },
    follow: (id: string) => `/alerts/${id}/feeds`,
  },
];

/** @throws UserError with the answer that was not expected */
export async function makeShowcase(port: number, key: string): Promise<void> {
  const client = new ApiClient(`http://${HOST}:${port}`, key);
  for (const { list, make, body, follow } of SHOWN) {
    if ((await client.get<unknown[]>(list)).length) continue;
    const { id } = await client.post(make, body);
    if (follow) await client.post(follow(id));
  }
}
