/** Settings for commands run by hand: the environment, completed from the local stack where one runs. */
import { findStack } from '../stack/index.ts';
import { localSecrets, readLocalSecrets } from './secrets.ts';

type Environment = Record<string, string | undefined>;

/**
 * `given` wins. Without DATABASE_URL the servers and secrets of the stack that runs in the project are taken. Local secrets are
 * never used for another database: keys minted under them would not be known there.
 */
export async function commandEnvironment(root: string, given: Environment): Promise<Environment> {
  const urls = await findStack(root);
  if (given.DATABASE_URL) return given.DATABASE_URL === urls?.databaseUrl ? { ...readLocalSecrets(root), ...given } : given;
  if (!urls) return given;
  const servers = { ELASTICSEARCH_URL: urls.elasticsearchUrl, DATABASE_URL: urls.databaseUrl, REDIS_URL: urls.redisUrl };
  return { ...servers, ...localSecrets(root), ...Object.fromEntries(Object.entries(given).filter(([, value]) => value)) };
}
