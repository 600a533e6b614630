/** Creates an export, a list and an alert in one of the demo's accounts, so that the lists of the API and of the map are not empty. */
import { ApiClient } from '../lib/apiClient.ts';
import { HOST } from '../stack/ports.ts';

const HOMES = { states: ['CO'], propertyTypes: ['residential'], dateRange: 'all' };

/** What is created, in this order, if its list is still empty. */
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

/** Creates what is missing. @throws UserError with an unexpected answer */
export async function makeShowcase(port: number, key: string): Promise<void> {
  const client = new ApiClient(`http://${HOST}:${port}`, key);
  for (const { list, make, body, follow } of SHOWN) {
    if ((await client.get<unknown[]>(list)).length) continue;
    const { id } = await client.post(make, body);
    if (follow) await client.post(follow(id));
  }
}
