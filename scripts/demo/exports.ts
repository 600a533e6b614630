/** A CSV export in one of the demo's accounts, so that `GET /exports` and a download have something to show. */
import { HOST } from '../stack/ports.ts';

const BODY = { filters: { states: ['TX'], propertyTypes: ['industrial'], dateRange: 'all' } };

/** Queues one where the key's team has none yet. @throws Error with the answer that was not expected */
export async function sampleExport(port: number, key: string): Promise<void> {
  const ask = async (init: RequestInit = {}) => {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const response = await fetch(`http://${HOST}:${port}/v1/exports`, { ...init, headers });
    const text = await response.text();
    if (!response.ok) throw new Error(`/v1/exports answered ${response.status}: ${text.slice(0, 500)}`);
    return JSON.parse(text);
  };
  if ((await ask()).meta.total === 0) await ask({ method: 'POST', body: JSON.stringify(BODY) });
}
