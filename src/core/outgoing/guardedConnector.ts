/**
 * Connects to a server that others name, such as the receiver of a webhook, by a checked address. The connection uses the very address that was checked, so that a name cannot resolve to
 * another one between check and connection. An address in the URL is checked like one from DNS.
 */
import { lookup } from 'node:dns/promises';
import { buildConnector } from 'undici';
import { type AllowedTargets, isAllowedAddress, isAllowedPort, readLiteralAddress } from './addresses.ts';

const CONNECT_TIMEOUT_MS = 10_000;

export type Dial = buildConnector.connector;
/** Every address of a name. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/** The server's address or port may not be called; no connection was made. */
export class TargetRefused extends Error {}
export class NameNotResolved extends Error {}

export interface GuardOptions extends AllowedTargets {
  /** replaces DNS in tests */
  resolve?: Resolve;
  /** replaces connections in tests */
  dial?: Dial;
}

const resolveByDns: Resolve = async (hostname) => (await lookup(hostname, { all: true, order: 'ipv4first' })).map(({ address }) => address);
const dialDirectly = (): Dial => buildConnector({ timeout: CONNECT_TIMEOUT_MS, maxCachedSessions: 0, allowH2: false });

/** A connector that refuses a forbidden port, and a name if any of its addresses is forbidden. */
export function makeGuardedConnector({ allowPrivate, ports, resolve = resolveByDns, dial = dialDirectly() }: GuardOptions): Dial {
  return (options, callback) => {
    if (!isAllowedPort(options, ports)) {
      callback(new TargetRefused('The server is at a port that may not be called'), null);
      return;
    }
    resolveAllowedAddress(options.hostname, allowPrivate, resolve).then(
      (address) => dial({ ...options, hostname: address, ...servername(options) }, callback),
      (error: Error) => callback(error, null),
    );
  };
}

/** The certificate has to be for the name in the URL, whatever address is used. */
const servername = ({ protocol, hostname, servername: given }: buildConnector.Options) =>
  protocol === 'https:' && readLiteralAddress(hostname) === null ? { servername: given ?? hostname } : {};

/** @throws TargetRefused, NameNotResolved */
async function resolveAllowedAddress(hostname: string, allowPrivate: boolean, resolve: Resolve): Promise<string> {
  const literal = readLiteralAddress(hostname);
  const addresses = literal === null ? await resolveName(hostname, resolve) : [literal];
  const [first] = addresses;
  if (first === undefined) throw new NameNotResolved('The name of the server has no address');
  if (!addresses.every((address) => isAllowedAddress(address, allowPrivate)))
    throw new TargetRefused('The server is at an address that may not be called');
  return first;
}

async function resolveName(hostname: string, resolve: Resolve): Promise<readonly string[]> {
  try {
    return await resolve(hostname);
  } catch (cause) {
    throw new NameNotResolved('The name of the server is unknown', { cause });
  }
}
