/** Checks of the servers: reachable, recent enough, clocks in sync, with the tables and fields of this version. */

import { type Config, redisPrefixOf } from '../../config.ts';
import { secondsText } from '../../core/domain/durations.ts';
import { Suppressions } from '../../core/people/suppressions.ts';
import { makeElastic } from '../../core/store/elastic/client.ts';
import { readElasticState } from '../../core/store/elastic/clusterState.ts';
import { IndexNames } from '../../core/store/elastic/indices.ts';
import { changedFieldsText, FieldStore } from '../../core/store/elastic/mappedFields.ts';
import { findPendingSql } from '../../core/store/postgres/pending.ts';
import { Database } from '../../core/store/postgres/pool.ts';
import { redisProblem } from '../../core/store/readiness.ts';
import { makeRedis, waitForRedis } from '../../core/store/redis/client.ts';
import { type Machine, mapCountFinding } from './checkMachine.ts';
import { fail, ok, type PreflightFinding, probe, skipped } from './finding.ts';

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

export const versionFinding = (check: string, found: string, least: number): PreflightFinding =>
  Number.parseInt(found, 10) >= least ? ok(check, found) : fail(check, found, `Use version ${least} or newer`);

/**
 * Compares clocks.
 * @param ms our clock minus the server's
 */
function clock(server: string, ms: number): PreflightFinding {
  const found = `${secondsText(Math.abs(ms))} ${ms > 0 ? 'behind' : 'ahead of'} ours`;
  return Math.abs(ms) <= SKEW_MAX_SECONDS * 1000
    ? ok(`clock of ${server}`, found)
    : fail(`clock of ${server}`, found, `Set the clock that is wrong; at most ${SKEW_MAX_SECONDS} s are allowed`);
}

type ElasticSettings = Pick<Config, 'elasticsearchUrls' | 'elasticsearchApiKey' | 'elasticsearchCa' | 'indexPrefix'>;

export async function elasticFindings(settings: ElasticSettings, machine: Machine, now: () => Date): Promise<PreflightFinding[]> {
  const { elasticsearchUrls: url, elasticsearchApiKey: apiKey, elasticsearchCa: ca, indexPrefix } = settings;
  const client = makeElastic({ url, apiKey: apiKey ?? undefined, ca: ca ?? undefined, timeoutMs: TIMEOUT_MS, retries: 0 });
  const names = new IndexNames(indexPrefix);
  const found = await probe(
    'Elasticsearch',
    'Start it, or set ELASTICSEARCH_URL, ELASTICSEARCH_API_KEY, ELASTICSEARCH_CA',
    TIMEOUT_MS + MARGIN_MS,
    async () => {
      const [version, health, { nodes, blockedIndices }, { missing, changed }] = await Promise.all([
        oldestVersion(client),
        healthFindings(client),
        readElasticState(client, names, now),
        new FieldStore(client, names).lacking(),
      ]);
      return [
        version === null
          ? ok('Elasticsearch', 'answers; its key may not ask for the version')
          : versionFinding('Elasticsearch', version, ELASTICSEARCH_LEAST),
        ...health,
        ...(nodes ? [clock('Elasticsearch', now().getTime() - nodes.now.getTime()), diskFinding(nodes.leastDiskAvailable)] : []),
        blockedIndices
          ? fail(
              'indices',
              `${blockedIndices} blocked for writing`,
              'Free disk space; a block set by hand is lifted with PUT INDEX/_settings',
            )
          : ok('indices', 'none blocked'),
        fields(missing, changed),
      ];
    },
  );
  await client.close();
  return [
    ...found,
    ...(url.some((node) => LOOPBACK.test(new URL(node).hostname)) ? mapCountFinding(machine, found[0]?.state === 'ok') : []),
  ];
}

/** The oldest version among the nodes; null when the key may not query it. */
async function oldestVersion(client: ReturnType<typeof makeElastic>): Promise<string | null> {
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
async function healthFindings(client: ReturnType<typeof makeElastic>): Promise<PreflightFinding[]> {
  try {
    await client.cluster.health();
    return [];
  } catch (error) {
    if ((error as { statusCode?: number }).statusCode !== STATUS_FORBIDDEN) throw error;
    const remedy = 'Give the role of ELASTICSEARCH_API_KEY the cluster privilege monitor: the service asks for the health at its start';
    return [fail('health of Elasticsearch', 'its key may not ask for it', remedy)];
  }
}

export function diskFinding(share: number): PreflightFinding {
  const found = `${Math.round(share * 100)} % free on the fullest node`;
  return share >= DISK_LEAST
    ? ok('disk of Elasticsearch', found)
    : fail('disk of Elasticsearch', found, 'Free or add space: near 95 % full it stops writing');
}

function fields(missing: readonly string[], changed: Parameters<typeof changedFieldsText>[0]): PreflightFinding {
  if (changed.length) return fail('fields', `${changed.length} of another type`, changedFieldsText(changed));
  const shown = missing.slice(0, 3).join(', ');
  return missing.length
    ? fail('fields', `${missing.length} missing: ${shown}`, 'npm run ingest -- fields, which says what then has to be loaded again')
    : ok('fields', 'as this version searches them');
}

type PostgresSettings = Pick<Config, 'databaseUrl' | 'databaseSchema'>;

export async function postgresFindings(
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
        versionFinding('Postgres', row.version, POSTGRES_LEAST),
        clock('Postgres', (asked + now().getTime()) / 2 - row.at.getTime()),
        tables(pending, changed),
      ];
    },
  );
  await database.close();
  return found;
}

/** Whether KEY_PEPPER is the secret under which suppressed people are kept; under another one the service does not start. */
export async function suppressionFindings({
  databaseUrl: url,
  databaseSchema: schema,
  keyPepper,
}: PostgresSettings & Pick<Config, 'keyPepper'>): Promise<PreflightFinding[]> {
  const check = 'suppressed people';
  const database = new Database({ url, schema, connections: 1, patience: 2 });
  try {
    await new Suppressions(database, keyPepper).current();
    return [ok(check, 'none, or kept under this KEY_PEPPER')];
  } catch (error) {
    if (error instanceof Error && error.cause instanceof RangeError)
      return [fail(check, 'kept under another KEY_PEPPER', 'Set KEY_PEPPER as it was, or nobody of them is known')];
    return [skipped(check, 'Postgres does not answer, or lacks their table')];
  } finally {
    await database.close();
  }
}

function tables(pending: readonly string[], changed: readonly string[]): PreflightFinding {
  if (changed.length) return fail('tables', `made by another text of ${changed.join(', ')}`, 'Put these files back as they were applied');
  return pending.length
    ? fail('tables', `${pending.length} migrations to apply, the first ${pending[0]}`, 'npm run admin -- migrate (npm start does the same)')
    : ok('tables', 'as this version needs them');
}

export async function redisFindings({ redisUrl: url, ...names }: Pick<Config, 'redisUrl' | 'indexPrefix'>): Promise<PreflightFinding[]> {
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
    const problem = await redisProblem(redis, redisPrefixOf(names));
    return [
      versionFinding('Redis', number, REDIS_LEAST),
      problem === null
        ? ok('writing to Redis', 'taken')
        : fail('writing to Redis', problem, 'Free its memory, or point REDIS_URL at the primary'),
    ];
  });
  redis.disconnect();
  return found;
}
