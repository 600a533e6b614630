/** Checks everything that is needed before the service starts, with a remedy for each problem. Changes nothing. */
import { ConfigError, loadConfig, readConfig, removedSettings, type ServiceSettings } from '../../config.ts';
import { fileFindings, mailFindings } from './checkFilesAndMail.ts';
import { type Machine, machineFindings, thisMachine } from './checkMachine.ts';
import { elasticFindings, postgresFindings, redisFindings, suppressionFindings } from './checkServers.ts';
import { fail, ok, type PreflightFinding, skipped } from './finding.ts';

type Environment = Readonly<Record<string, string | undefined>>;

function settingFindings(env: Environment): PreflightFinding[] {
  try {
    loadConfig(env);
    return [ok('settings', removedSettings(env) ?? 'all can be used')];
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
    return Promise.resolve([skipped(check, 'its settings cannot be used')]);
  }
}

/**
 * Runs all checks.
 * @param machine for tests
 * @param now for tests
 */
export async function preflight(env: Environment, machine: Machine = thisMachine(), now = () => new Date()): Promise<PreflightFinding[]> {
  const elastic = ['elasticsearchUrls', 'elasticsearchApiKey', 'elasticsearchCa', 'indexPrefix'] as const;
  const found = await Promise.all([
    withSettings(env, 'Elasticsearch', elastic, (settings) => elasticFindings(settings, machine, now)),
    withSettings(env, 'Postgres', ['databaseUrl', 'databaseSchema'], (settings) => postgresFindings(settings, now)),
    withSettings(env, 'suppressed people', ['databaseUrl', 'databaseSchema', 'keyPepper'], suppressionFindings),
    withSettings(env, 'Redis', ['redisUrl', 'indexPrefix'], redisFindings),
    withSettings(env, 'files of exports', ['exportDir', 'exportBucketKey'], fileFindings),
    withSettings(env, 'mail', ['smtpUrl'], mailFindings),
  ]);
  return [...settingFindings(env), ...machineFindings(machine), ...found.flat()];
}
