/** Checks everything that is needed before the service starts, with a remedy for each problem. Changes nothing. */
import { ConfigError, loadConfig, readConfig, type ServiceSettings } from '../../config.ts';
import { checkFiles, checkMail } from './checkFilesAndMail.ts';
import { checkMachine, type Machine, readMachine } from './checkMachine.ts';
import { checkElastic, checkPostgres, checkRedis, checkSuppression } from './checkServers.ts';
import { fail, makeOk, makeSkipped, type PreflightFinding } from './finding.ts';

type Environment = Readonly<Record<string, string | undefined>>;

function checkSettings(env: Environment): PreflightFinding[] {
  try {
    loadConfig(env);
    return [makeOk('settings', 'all can be used')];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map((problem) => fail('settings', problem.split(' ')[0] ?? 'unusable', problem));
  }
}

/** Runs a check if its own settings are valid, regardless of others. */
function withSettings<K extends keyof ServiceSettings>(
  env: Environment,
  check: string,
  keys: readonly K[],
  work: (settings: Readonly<Pick<ServiceSettings, K>>) => Promise<PreflightFinding[]>,
): Promise<PreflightFinding[]> {
  try {
    return work(readConfig(env, keys));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return Promise.resolve([makeSkipped(check, 'its settings cannot be used')]);
  }
}

/**
 * Runs all checks.
 * @param machine for tests
 * @param now for tests
 */
export async function runPreflight(
  env: Environment,
  machine: Machine = readMachine(),
  now = () => new Date(),
): Promise<PreflightFinding[]> {
  const elastic = ['elasticsearchUrls', 'elasticsearchApiKey', 'elasticsearchCa', 'indexPrefix'] as const;
  const found = await Promise.all([
    withSettings(env, 'Elasticsearch', elastic, (settings) => checkElastic(settings, machine, now)),
    withSettings(env, 'Postgres', ['databaseUrl', 'databaseSchema'], (settings) => checkPostgres(settings, now)),
    withSettings(env, 'suppressed people', ['databaseUrl', 'databaseSchema', 'keyPepper'], checkSuppression),
    withSettings(env, 'Redis', ['redisUrl', 'indexPrefix'], checkRedis),
    withSettings(env, 'files of exports', ['exportDir', 'exportBucketKey'], checkFiles),
    withSettings(env, 'mail', ['smtpUrl'], checkMail),
  ]);
  return [...checkSettings(env), ...checkMachine(machine), ...found.flat()];
}
