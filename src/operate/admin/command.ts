/** What every admin command shares: its settings, its stores, its output, its exit codes. */
import path from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { ConfigError, readConfig } from '../../config.ts';
import { ApiError } from '../../core/domain/errors.ts';
import type { Places } from '../../core/domain/places.ts';
import { isPlanId, type LicencePlaces, PLAN_IDS, type PlanId } from '../../core/domain/plans.ts';
import { AccountStore } from '../../core/identity/accounts.ts';
import { KeyStore } from '../../core/identity/keys.ts';
import { commandEnvironment } from '../../core/store/files/localStack.ts';
import { loadPlaces } from '../../core/store/files/places.ts';
import { databaseBlock } from '../../core/store/postgres/blocks.ts';
import { Database, sqlState } from '../../core/store/postgres/pool.ts';
import { printableJson, printableLines } from '../../terminal/printable.ts';
import { EXIT_FAILED, EXIT_USAGE, UserError } from '../../terminal/program.ts';
import { changesOf } from './reports.ts';

const CHOICES_SHOWN = 5;
const COMMAND_TIMEOUT_MS = 600_000;
const UNDEFINED_TABLE = '42P01';
const root = path.resolve(import.meta.dirname, '../../..');

/** Everything that a command may need, made for its one run. */
export interface Admin {
  /** to read, and for changes that concern no feature */
  accounts: Omit<AccountStore, 'close' | 'closeUser' | 'createUser'>;
  /** for changes that concern features: loads all of them */
  loadAccounts(): Promise<AccountStore>;
  keys: KeyStore;
  database: Database;
  /** read when first asked for */
  readonly places: Places;
  settings: Readonly<{ databaseUrl: string; databaseSchema: string; keyPepper: string }>;
  /** one JSON value with --json, else the lines */
  print(value: unknown, lines: string | readonly string[]): void;
}

/** Runs one command with its stores and closes them; failures become one sentence and an exit code. */
export async function run(command: Command, work: (admin: Admin) => Promise<void>): Promise<void> {
  const json = Boolean(command.optsWithGlobals().json);
  let database: Database | undefined;
  try {
    const env = commandEnvironment(root, process.env);
    const settings = readConfig(env, ['databaseUrl', 'databaseSchema', 'keyPepper']);
    database = new Database({
      url: settings.databaseUrl,
      schema: settings.databaseSchema,
      connections: 2,
      statementTimeoutMs: COMMAND_TIMEOUT_MS,
    });
    const changes = changesOf(env, (reason) => warn(reportLost(reason), json));
    const keys = new KeyStore({ database, pepper: settings.keyPepper, changes });
    const print: Admin['print'] = (value, lines) => console.log(json ? printableJson(value) : printableLines([lines].flat().join('\n')));
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
      print,
    });
  } catch (error) {
    fail(error, json);
  } finally {
    await database?.close();
  }
}

const reportLost = (reason: string) =>
  `It is done, but could not be reported through Redis: ${reason}. A process that loses Postgres may take keys as they were, for five minutes.`;

function warn(message: string, json: boolean): void {
  console.error(json ? JSON.stringify({ warning: { message } }) : printableLines(`Warning: ${message}`));
}

function fail(error: unknown, json: boolean): void {
  const { message, code } = explain(error);
  if (json) console.error(JSON.stringify({ error: { code, message } }));
  else console.error(printableLines(message));
  process.exitCode = error instanceof ConfigError ? EXIT_USAGE : EXIT_FAILED;
}

/** A sentence for a failure that an operator can meet; anything else is a defect and is thrown on with its stack. */
function explain(error: unknown): { message: string; code: string } {
  if (error instanceof ConfigError) {
    return { message: `${error.message}\nOr start local servers first: npm run stack (or npm run demo).`, code: 'config' };
  }
  const block = databaseBlock(error);
  if (block) return { message: `${block.remedy} Nothing was changed.`, code: 'service_unavailable' };
  if (sqlState(error instanceof ApiError ? error.cause : error) === UNDEFINED_TABLE)
    return { message: 'The database has no tables yet. Run: npm run admin -- migrate', code: 'not_migrated' };
  if (error instanceof ApiError) return { message: error.message, code: error.code };
  if (error instanceof UserError) return { message: error.message, code: 'failed' };
  throw error;
}

export function parseId(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It has to be the number of a team or user, as the list commands show it.');
}

export function parsePlan(text: string): PlanId {
  if (isPlanId(text)) return text;
  throw new InvalidArgumentError(`Plans are ${PLAN_IDS.join(', ')}.`);
}

/** 'CO,TX' or 'Colorado, Texas' or 'all'; 'Boulder County, CO; Larimer County, CO'. Throws UserError for a place it does not find. */
export function parseLicence(places: Places, options: { states?: string; counties?: string }): LicencePlaces {
  const split = (text: string | undefined, separator: string) =>
    (text ?? '')
      .split(separator)
      .map((part) => part.trim())
      .filter(Boolean);
  const stateNames = split(options.states, ',');
  const all = stateNames.length === 1 && stateNames[0]?.toLowerCase() === 'all';
  return {
    stateIds: all ? places.states.map((s) => s.id) : unique(stateNames.map((name) => stateId(places, name))),
    countyIds: unique(split(options.counties, ';').map((name) => countyId(places, name))),
  };
}

const unique = (ids: readonly number[]): number[] => [...new Set(ids)];

function stateId(places: Places, name: string): number {
  const state = places.findState(name);
  if (!state) throw new UserError(`There is no state '${name}'. Write CO, Colorado or 8, several with commas.`);
  return state.id;
}

function countyId(places: Places, name: string): number {
  const [county, ...others] = places.findCounties(name);
  if (!county) throw new UserError(`There is no county '${name}'. Write 'Boulder County, CO' or 8013, several with semicolons.`);
  if (others.length === 0) return county.id;
  const choices = [county, ...others].slice(0, CHOICES_SHOWN).map((c) => `${c.name}, ${places.state(c.stateId)?.abbreviation} (${c.id})`);
  throw new UserError(`'${name}' may mean ${others.length + 1} counties, such as ${choices.join('; ')}.`);
}
