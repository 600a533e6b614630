/** One account per plan for the demo, and its keys in `.stack/demo-keys.json`. */

import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { LicencePlaces, PlanId } from '../../src/core/domain/plans.ts';
import type { AccountStore, Team } from '../../src/core/identity/accounts.ts';
import { EVERY_KEY, type KeyStore } from '../../src/core/identity/keys.ts';
import type { Resolution } from '../../src/core/identity/resolvedKeys.ts';
import { OWNER_ONLY_FILE } from '../../src/core/store/files/modes.ts';

const DEMO_KEY_NAMES = [
  'national',
  'nationalTeammate',
  'state',
  'multiState',
  'county',
  'apiOnly',
  'trial',
  'lapsed',
  'disabled',
  'outsider',
  'revoked',
] as const;
type DemoKeyName = (typeof DEMO_KEY_NAMES)[number];
export type DemoKeys = Record<DemoKeyName, string>;

interface DemoStores {
  accounts: AccountStore;
  keys: KeyStore;
}

interface DemoTeam {
  name: string;
  plan: PlanId;
  licence?: LicencePlaces;
  /** the first is the owner; each gets a user and a key of this name */
  users: readonly [DemoKeyName, ...DemoKeyName[]];
  /** what became of the team, or of its keys; they work unless given */
  end?: 'lapsed' | 'disabled' | 'revoked';
}

/** FIPS numbers; all of them occur in the sample. */
const [COLORADO, TEXAS, BOULDER_COUNTY] = [8, 48, 8013];
const SAMPLE_STATES = [4, 6, COLORADO, 12, 13, 17, 36, 37, 39, TEXAS, 51, 53];

const states = (...stateIds: readonly number[]): LicencePlaces => ({ stateIds, countyIds: [] });

const DEMO_TEAMS: readonly DemoTeam[] = [
  { name: 'Demo National', plan: 'national', users: ['national', 'nationalTeammate'] },
  { name: 'Demo State', plan: 'state', licence: states(COLORADO), users: ['state'] },
  { name: 'Demo Multi-State', plan: 'multi_state', licence: states(COLORADO, TEXAS), users: ['multiState'] },
  { name: 'Demo County', plan: 'county', licence: { stateIds: [], countyIds: [BOULDER_COUNTY] }, users: ['county'] },
  { name: 'Demo API Only', plan: 'api_only', users: ['apiOnly'] },
  { name: 'Demo Trial', plan: 'trial', licence: states(...SAMPLE_STATES), users: ['trial'] },
  { name: 'Demo Outsider', plan: 'national', users: ['outsider'] },
  { name: 'Demo Lapsed', plan: 'national', users: ['lapsed'], end: 'lapsed' },
  { name: 'Demo Disabled', plan: 'national', users: ['disabled'], end: 'disabled' },
  { name: 'Demo Revoked', plan: 'national', users: ['revoked'], end: 'revoked' },
];

/** What the keys of a team have to resolve to. */
const expectedOf = ({ end }: DemoTeam): Resolution['kind'] => (end === undefined ? 'ok' : end === 'lapsed' ? 'lapsed' : 'unusable');

async function endTeam({ accounts, keys }: DemoStores, { id: teamId }: Team, end: NonNullable<DemoTeam['end']>): Promise<void> {
  if (end !== 'revoked') await accounts.setStatus(teamId, end);
  else for (const key of await keys.list({ ...EVERY_KEY, teamId })) await keys.revoke(key.id, EVERY_KEY);
}

/** Whether the team's keys of an earlier demo still resolve as expected, all to one team of the right plan. */
async function areKeysUsable(keys: KeyStore, team: DemoTeam, existing: Partial<DemoKeys>): Promise<boolean> {
  const resolved = await Promise.all(team.users.map((user) => keys.resolve(existing[user])));
  if (!resolved.every((r) => r.kind === expectedOf(team))) return false;
  const principals = resolved.flatMap((r) => (r.kind === 'ok' || r.kind === 'lapsed' ? r.principal : []));
  return principals.every((p) => p.plan.id === team.plan && p.teamId === principals[0]?.teamId);
}

async function makeTeam(stores: DemoStores, team: DemoTeam): Promise<Partial<DemoKeys>> {
  const { name, plan, users, licence, end } = team;
  const made = await stores.accounts.createTeam({ name, plan, ...(licence ? { licence } : {}) });
  const secrets: Partial<DemoKeys> = {};
  for (const [i, user] of users.entries()) {
    const email = `${user.toLowerCase()}.${made.id}@demo.example`;
    const { id } = await stores.accounts.createUser({ teamId: made.id, name: `Demo ${user}`, email, role: i === 0 ? 'owner' : 'member' });
    secrets[user] = (await stores.keys.mint(id, 'demo')).secret;
  }
  if (end) await endTeam(stores, made, end);
  return secrets;
}

/**
 * Creates a key for every name. Accounts whose keys in `existing` still resolve are kept with their ledger; the others are created again.
 * Only a working key proves that its account still exists, so revoked and disabled keys are kept only if the national key works.
 */
export async function createDemoAccounts(stores: DemoStores, existing: Partial<DemoKeys> = {}): Promise<DemoKeys> {
  const sameDatabase = (await stores.keys.resolve(existing.national)).kind === 'ok';
  const keys: Partial<DemoKeys> = {};
  for (const team of DEMO_TEAMS) {
    const keep = sameDatabase && (await areKeysUsable(stores.keys, team, existing));
    Object.assign(keys, keep ? Object.fromEntries(team.users.map((user) => [user, existing[user]])) : await makeTeam(stores, team));
  }
  return keys as DemoKeys;
}

const demoKeysFile = (root: string): string => path.join(root, '.stack', 'demo-keys.json');

/** The keys that an earlier demo wrote; none if the file is absent or unreadable. */
export function readDemoKeys(root: string): Partial<DemoKeys> {
  try {
    return JSON.parse(readFileSync(demoKeysFile(root), 'utf8')) as Partial<DemoKeys>;
  } catch {
    return {};
  }
}

/** Creates or keeps the accounts, and writes their keys into a file that only its owner can read. */
export async function prepareDemoAccounts(root: string, stores: DemoStores): Promise<DemoKeys> {
  const keys = await createDemoAccounts(stores, readDemoKeys(root));
  const file = demoKeysFile(root);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(`${file}.${process.pid}`, `${JSON.stringify(keys, null, 2)}\n`, { mode: OWNER_ONLY_FILE });
  renameSync(`${file}.${process.pid}`, file);
  return keys;
}
