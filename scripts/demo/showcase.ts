/** What a team leaves behind after its first weeks, in one of the demo's accounts: every list of the API and the map has something to show. */
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

/** @throws Error with the answer that was not expected */
export async function makeShowcase(port: number, key: string): Promise<void> {
  const ask = async (path: string, body?: object) => {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const init = body ? { method: 'POST', body: JSON.stringify(body) } : {};
    const response = await fetch(`http://${HOST}:${port}/v1${path}`, { ...init, headers });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text.slice(0, 500)}`);
    return JSON.parse(text);
  };
  for (const { list, make, body, follow } of SHOWN) {
    if ((await ask(list)).data.length) continue;
    const { data } = await ask(make, body);
    if (follow) await ask(follow(data.id), {});
  }
}
