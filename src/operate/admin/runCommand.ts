/** The common parts of admin commands: settings, stores, output. */
import { type Command, InvalidArgumentError } from 'commander';
import { readConfig } from '../../config.ts';
import { ApiError } from '../../core/domain/errors.ts';
import type { Places } from '../../core/domain/places.ts';
import { isPlanId, type LicencePlaces, PLAN_IDS, type PlanId } from '../../core/domain/plans.ts';
import { AccountStore } from '../../core/identity/accounts.ts';
import { KeyStore } from '../../core/identity/keys.ts';
import { loadPlaces } from '../../core/store/files/loadPlaces.ts';
import { Database, isUnreadable, sqlState } from '../../core/store/postgres/pool.ts';
import { printableLines } from '../../terminal/printable.ts';
import { actionsBy, UserError } from '../../terminal/program.ts';
import { type FailureWords, operatorEnvironment, printResult, reportFailure } from '../command.ts';
import { makeKeyChanges } from './reports.ts';

const CHOICES_SHOWN = 5;
const COMMAND_TIMEOUT_MS = 600_000;
const UNDEFINED_TABLE = '42P01';

/** Everything that a command may need, created for one run. */
export interface Admin {
  /** for reading, and for changes that concern no feature */
  accounts: Omit<AccountStore, 'close' | 'closeUser' | 'createUser'>;
  /** for changes that concern features; loads all of them */
  loadAccounts(): Promise<AccountStore>;
  keys: KeyStore;
  database: Database;
  /** loaded at first use */
  readonly places: Places;
  settings: Readonly<{ databaseUrl: string; databaseSchema: string; keyPepper: string }>;
  /** whether --json was given */
  json: boolean;
  /** prints one JSON value with --json, otherwise the lines */
  print(value: unknown, lines: string | readonly string[]): void;
}

/** Runs a command with its stores and closes them; a failure is reported by a sentence and an exit code. */
async function run(command: Command, work: (admin: Admin) => Promise<void>): Promise<void> {
  const json = Boolean(command.optsWithGlobals().json);
  let database: Database | undefined;
  try {
    const env = operatorEnvironment();
    const settings = readConfig(env, ['databaseUrl', 'databaseSchema', 'keyPepper']);
    database = new Database({
      url: settings.databaseUrl,
      schema: settings.databaseSchema,
      connections: 2,
      statementTimeoutMs: COMMAND_TIMEOUT_MS,
    });
    const changes = makeKeyChanges(env, (reason) => warn(reportLost(reason), json));
    const keys = new KeyStore({ database, pepper: settings.keyPepper, changes });
    const print: Admin['print'] = (value, lines) => printResult(json, value, [lines].flat());
    let places: Places | undefined;
    const connected = database;
    await work({
      accounts: new AccountStore(connected, [], changes),
      loadAccounts: async () => new AccountStore(connected, (await import('../../features.ts')).TEAM_SUBSCRIBERS, changes),
      keys,
      database,
      get places() {
        places ??= loadPlaces();
        return places;
      },
      settings,
      json,
      print,
    });
  } catch (error) {
    reportFailure(error, json, FAILURES);
  } finally {
    await database?.close();
  }
}

/** Makes a function the action of a command, as `act` of the command line does. */
export const perform = actionsBy(run);

const reportLost = (reason: string) =>
  `It is done, but could not be reported through Redis: ${reason}. A process that loses Postgres may take keys as they were, for five minutes.`;

function warn(message: string, json: boolean): void {
  console.error(json ? JSON.stringify({ warning: { message } }) : printableLines(`Warning: ${message}`));
}

const FAILURES: FailureWords = {
  afterBlock: 'Nothing was changed.',
  explain: (error, cause) => {
    if (sqlState(cause) === UNDEFINED_TABLE)
      return { message: 'The database has no tables yet. Run: npm run admin -- migrate', code: 'not_migrated' };
    if (isUnreadable(cause)) return { message: `Postgres refused a statement: ${(cause as Error).message}`, code: 'failed' };
    return error instanceof ApiError ? { message: error.message, code: error.code } : undefined;
  },
};

export function parseId(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It has to be the number of a team or user, as the list commands show it.');
}

export function parsePlan(text: string): PlanId {
  if (isPlanId(text)) return text;
  throw new InvalidArgumentError(`Plans are ${PLAN_IDS.join(', ')}.`);
}

/**
 * Parses places such as 'CO,TX', 'Colorado, Texas', 'all', or 'Boulder County, CO; Larimer County, CO'.
 * @throws UserError for an unknown place
 */
export function parseLicence(places: Places, options: { states?: string; counties?: string }): LicencePlaces {
  const split = (text: string | undefined, separator: string) =>
    (text ?? '')
      .split(separator)
      .map((part) => part.trim())
      .filter(Boolean);
  const stateNames = split(options.states, ',');
  const all = stateNames.length === 1 && stateNames[0]?.toLowerCase() === 'all';
  return {
    stateIds: all ? places.states.map((s) => s.id) : removeRepeated(stateNames.map((name) => findStateId(places, name))),
    countyIds: removeRepeated(split(options.counties, ';').map((name) => findCountyId(places, name))),
  };
}

const removeRepeated = (ids: readonly number[]): number[] => [...new Set(ids)];

function findStateId(places: Places, name: string): number {
  const state = places.findState(name);
  if (!state) throw new UserError(`There is no state '${name}'. Write CO, Colorado or 8, several with commas.`);
  return state.id;
}

function findCountyId(places: Places, name: string): number {
  const [county, ...others] = places.findCounties(name);
  if (!county) throw new UserError(`There is no county '${name}'. Write 'Boulder County, CO' or 8013, several with semicolons.`);
  if (others.length === 0) return county.id;
  const choices = [county, ...others].slice(0, CHOICES_SHOWN).map((c) => `${c.name}, ${places.state(c.stateId)?.abbreviation} (${c.id})`);
  throw new UserError(`'${name}' may mean ${others.length + 1} counties, such as ${choices.join('; ')}.`);
}
