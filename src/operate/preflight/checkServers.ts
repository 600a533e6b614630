/** Checks of the servers: reachable, recent enough, clocks in sync, with the tables and fields of this version. */

import { type Config, redisPrefixOf } from '../../config.ts';
import { secondsText } from '../../core/domain/durations.ts';
import { Suppressions } from '../../core/people/suppressions.ts';
import { makeElastic } from '../../core/store/elastic/client.ts';
import { readElasticState } from '../../core/store/elastic/clusterState.ts';
import { IndexNames } from '../../core/store/elastic/indices.ts';
import { describeChangedFields, FieldStore } from '../../core/store/elastic/mappedFields.ts';
import { findPendingSql } from '../../core/store/postgres/pending.ts';
import { Database } from '../../core/store/postgres/pool.ts';
import { findRedisProblem } from '../../core/store/readiness.ts';
import { makeRedis, waitForRedis } from '../../core/store/redis/client.ts';
import { checkMapCount, type Machine } from './checkMachine.ts';
import { fail, makeOk, makeSkipped, type PreflightFinding, probe } from './finding.ts';

const TIMEOUT_MS = 5_000;
/** Added to the deadline, so that a client's own timeout reports first. */
const MARGIN_MS = 1_000;
const ELASTICSEARCH_LEAST = 9;
const POSTGRES_LEAST = 15;
const REDIS_LEAST = 6;
/** A process whose clock differs more from that of Postgres does not start. */
const SKEW_MAX_SECONDS = 5;
const DISK_LEAST = 0.15;
const STATUS_FORBIDDEN = 403;
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

export const checkVersion = (check: string, found: string, least: number): PreflightFinding =>
  Number.parseInt(found, 10) >= least ? makeOk(check, found) : fail(check, found, `Use version ${least} or newer`);

/** Compares clocks. @param ms our clock minus the server's */
function checkClock(server: string, ms: number): PreflightFinding {
  const found = `${secondsText(Math.abs(ms))} ${ms > 0 ? 'behind' : 'ahead of'} ours`;
  return Math.abs(ms) <= SKEW_MAX_SECONDS * 1000
    ? makeOk(`clock of ${server}`, found)
    : fail(`clock of ${server}`, found, `Set the clock that is wrong; at most ${SKEW_MAX_SECONDS} s are allowed`);
}

type ElasticSettings = Pick<Config, 'elasticsearchUrls' | 'elasticsearchApiKey' | 'elasticsearchCa' | 'indexPrefix'>;

export async function checkElastic(settings: ElasticSettings, machine: Machine, now: () => Date): Promise<PreflightFinding[]> {
  const { elasticsearchUrls: url, elasticsearchApiKey: apiKey, elasticsearchCa: ca, indexPrefix } = settings;
  const client = makeElastic({ url, apiKey: apiKey ?? undefined, ca: ca ?? undefined, timeoutMs: TIMEOUT_MS, retries: 0 });
  const names = new IndexNames(indexPrefix);
  const found = await probe(
    'Elasticsearch',
    'Start it, or set ELASTICSEARCH_URL, ELASTICSEARCH_API_KEY, ELASTICSEARCH_CA',
    TIMEOUT_MS + MARGIN_MS,
    async () => {
      const [version, health, { nodes, blockedIndices }, { missing, changed }] = await Promise.all([
        readOldestVersion(client),
        checkHealthIsAllowed(client),
        readElasticState(client, names, now),
        new FieldStore(client, names).findMissingFields(),
      ]);
      return [
        version === null
          ? makeOk('Elasticsearch', 'answers; its key may not ask for the version')
          : checkVersion('Elasticsearch', version, ELASTICSEARCH_LEAST),
        ...health,
        ...(nodes ? [checkClock('Elasticsearch', now().getTime() - nodes.now.getTime()), checkDiskShare(nodes.leastDiskAvailable)] : []),
        blockedIndices
          ? fail(
              'indices',
              `${blockedIndices} blocked for writing`,
              'Free disk space; a block set by hand is lifted with PUT INDEX/_settings',
            )
          : makeOk('indices', 'none blocked'),
        checkMappedFields(missing, changed),
      ];
    },
  );
  await client.close();
  return [...found, ...(url.some((node) => LOOPBACK.test(new URL(node).hostname)) ? checkMapCount(machine, found[0]?.state === 'ok') : [])];
}

/** The oldest version among the nodes; null when the key may not query it. */
async function readOldestVersion(client: ReturnType<typeof makeElastic>): Promise<string | null> {
  try {
    const { nodes } = await client.nodes.info({ filter_path: 'nodes.*.version' });
    const versions = Object.values(nodes ?? {}).map(({ version }) => version);
    return versions.sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))[0] ?? 'unknown';
  } catch (error) {
    if ((error as { statusCode?: number }).statusCode === STATUS_FORBIDDEN) return null;
    throw error;
  }
}

/** A failure when the key may not ask for the health of the cluster, which the service does at its start. */
async function checkHealthIsAllowed(client: ReturnType<typeof makeElastic>): Promise<PreflightFinding[]> {
  try {
    await client.cluster.health();
    return [];
  } catch (error) {
    if ((error as { statusCode?: number }).statusCode !== STATUS_FORBIDDEN) throw error;
    const remedy = 'Give the role of ELASTICSEARCH_API_KEY the cluster privilege monitor: the service asks for the health at its start';
    return [fail('health of Elasticsearch', 'its key may not ask for it', remedy)];
  }
}

export function checkDiskShare(share: number): PreflightFinding {
  const found = `${Math.round(share * 100)} % free on the fullest node`;
  return share >= DISK_LEAST
    ? makeOk('disk of Elasticsearch', found)
    : fail('disk of Elasticsearch', found, 'Free or add space: near 95 % full it stops writing');
}

function checkMappedFields(missing: readonly string[], changed: Parameters<typeof describeChangedFields>[0]): PreflightFinding {
  if (changed.length) return fail('fields', `${changed.length} of another type`, describeChangedFields(changed));
  const shown = missing.slice(0, 3).join(', ');
  return missing.length
    ? fail('fields', `${missing.length} missing: ${shown}`, 'npm run ingest -- fields, which says what then has to be loaded again')
    : makeOk('fields', 'as this version searches them');
}

type PostgresSettings = Pick<Config, 'databaseUrl' | 'databaseSchema'>;

export async function checkPostgres(
  { databaseUrl: url, databaseSchema: schema }: PostgresSettings,
  now: () => Date,
): Promise<PreflightFinding[]> {
  const database = new Database({ url, schema, connections: 1, patience: 2 });
  const found = await probe(
    'Postgres',
    'Start it, or set DATABASE_URL; scripts/stack/serviceRole.sql makes the role',
    TIMEOUT_MS + MARGIN_MS,
    async () => {
      const asked = now().getTime();
      const [row] = await database.query<{ version: string; at: Date }>(
        `select current_setting('server_version') as version, clock_timestamp() as at`,
      );
      if (!row) throw new Error('answered without a row');
      const { pending, changed } = await findPendingSql(database, schema);
      return [
        checkVersion('Postgres', row.version, POSTGRES_LEAST),
        checkClock('Postgres', (asked + now().getTime()) / 2 - row.at.getTime()),
        checkMigrations(pending, changed),
      ];
    },
  );
  await database.close();
  return found;
}

/** Whether KEY_PEPPER is the secret under which suppressed people are kept; under another one the service does not start. */
export async function checkSuppression({
  databaseUrl: url,
  databaseSchema: schema,
  keyPepper,
}: PostgresSettings & Pick<Config, 'keyPepper'>): Promise<PreflightFinding[]> {
  const check = 'suppressed people';
  const database = new Database({ url, schema, connections: 1, patience: 2 });
  try {
    await new Suppressions(database, keyPepper).current();
    return [makeOk(check, 'none, or kept under this KEY_PEPPER')];
  } catch (error) {
    if (error instanceof Error && error.cause instanceof RangeError)
      return [fail(check, 'kept under another KEY_PEPPER', 'Set KEY_PEPPER as it was, or nobody of them is known')];
    return [makeSkipped(check, 'Postgres does not answer, or lacks their table')];
  } finally {
    await database.close();
  }
}

function checkMigrations(pending: readonly string[], changed: readonly string[]): PreflightFinding {
  if (changed.length) return fail('tables', `made by another text of ${changed.join(', ')}`, 'Put these files back as they were applied');
  return pending.length
    ? fail('tables', `${pending.length} migrations to apply, the first ${pending[0]}`, 'npm run admin -- migrate (npm start does the same)')
    : makeOk('tables', 'as this version needs them');
}

export async function checkRedis({ redisUrl: url, ...names }: Pick<Config, 'redisUrl' | 'indexPrefix'>): Promise<PreflightFinding[]> {
  let refused: Error | undefined;
  const redis = makeRedis({
    url,
    onError: (error) => {
      refused = error;
    },
  });
  const found = await probe('Redis', 'Start it, or set REDIS_URL', TIMEOUT_MS + MARGIN_MS, async () => {
    if (!(await waitForRedis(redis, TIMEOUT_MS))) throw refused ?? new Error('no connection');
    const [, number = 'unknown'] = /redis_version:(\S+)/.exec(await redis.info('server')) ?? [];
    const problem = await findRedisProblem(redis, redisPrefixOf(names));
    return [
      checkVersion('Redis', number, REDIS_LEAST),
      problem === null
        ? makeOk('writing to Redis', 'taken')
        : fail('writing to Redis', problem, 'Free its memory, or point REDIS_URL at the primary'),
    ];
  });
  redis.disconnect();
  return found;
}
