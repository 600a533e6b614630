/** Where the real servers are: `npm test` sets the three variables; mocha run by hand takes the running stack's. */
import { readFileSync } from 'node:fs';

const NAMES = { ELASTICSEARCH_URL: 'elasticsearchUrl', DATABASE_URL: 'databaseUrl', REDIS_URL: 'redisUrl' } as const;

export function serverUrl(name: keyof typeof NAMES): string {
  const given = process.env[name];
  if (given) return given;
  try {
    const { urls } = JSON.parse(readFileSync(new URL('../../.stack/stack.json', import.meta.url), 'utf8'));
    return urls[NAMES[name]];
  } catch {
    throw new Error(`${name} is not set and no stack is running: use npm test, or npm run stack first.`);
  }
}
