/** The service's URL and the key: from options, the environment, or the file of `landuse login`. */
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { UserError } from '../../terminal/program.ts';
import { DEFAULT_URL, serviceRoot } from '../client/defaultUrl.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface Settings {
  url: string;
  key: string | undefined;
}

const OWNER_ONLY = 0o600;

const loginFile = (environment: Environment): string =>
  path.join(environment.XDG_CONFIG_HOME || path.join(homedir(), '.config'), 'landuse', 'login.json');

interface Login {
  url: string;
  key: string;
}

function readLogin(file: string): Login | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new UserError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}): make it yours, or run "landuse login" again.`);
  }
  const login = parsed(text);
  if (typeof login?.url !== 'string' || typeof login.key !== 'string')
    throw new UserError(`${file} is damaged: run "landuse login" again.`);
  return { url: login.url, key: login.key };
}

function parsed(text: string): Partial<Login> | undefined {
  try {
    return JSON.parse(text) ?? undefined;
  } catch {
    return undefined;
  }
}

/** The key that a file holds, such as a mounted secret. */
function readKeyFile(file: string): string {
  let key: string;
  try {
    key = readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new UserError(`LANDUSE_KEY_FILE, ${file}, cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
  if (!key) throw new UserError(`LANDUSE_KEY_FILE, ${file}, is empty.`);
  return key;
}

/** The settings of a command. A stored key is only used for the service for which it was stored. */
export function settingsOf(options: { url?: string }, environment: Environment): Settings {
  const { LANDUSE_KEY: given, LANDUSE_KEY_FILE: keyFile } = environment;
  const stated = given || (keyFile ? readKeyFile(keyFile) : undefined);
  const login = stated ? undefined : readLogin(loginFile(environment));
  const url = serviceRoot(options.url ?? environment.LANDUSE_URL ?? login?.url ?? DEFAULT_URL);
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new UserError(`'${url}' is no address of a service: it begins with http:// or https://.`);
  return { url, key: stated || (login?.url === url ? login.key : undefined) };
}

/** Stores the login in a file that only its owner can read. @returns its path */
export function keepLogin(login: Login, environment: Environment): string {
  const file = loginFile(environment);
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, `${JSON.stringify(login)}\n`, { mode: OWNER_ONLY });
  chmodSync(file, OWNER_ONLY); // also if the file existed
  return file;
}

export const forgetLogin = (environment: Environment): void => rmSync(loginFile(environment), { force: true });
