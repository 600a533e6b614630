/** Which addresses may be called that others name: only global unicast, unless the operator allows private networks, and only some ports. */
import ipaddr from 'ipaddr.js';

export interface AllowedTargets {
  /** whether calls may go to this machine and private networks, and over plain http */
  allowPrivate: boolean;
  /** null for any */
  ports: readonly number[] | null;
}

/** Whether a URL's port is allowed. @param port as in a URL: empty for the protocol's default */
export function isAllowedPort({ protocol, port }: { protocol: string; port: string }, ports: AllowedTargets['ports']): boolean {
  return ports === null || ports.includes(port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port));
}

/** Ranges that an operator may allow: this machine and private networks. */
const OWN_NETWORKS: readonly string[] = ['loopback', 'private', 'linkLocal', 'uniqueLocal', 'carrierGradeNat'];
/** The address of a cloud's metadata service, in a public range. */
const METADATA = '168.63.129.16';
const GLOBAL_UNICAST: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/** Whether an address may be called. @param address an IP address as DNS or a URL has it, without brackets */
export function isAllowedAddress(address: string, allowPrivate: boolean): boolean {
  if (!ipaddr.isValid(address)) return false;
  // An IPv4 address mapped into IPv6 is judged as IPv4.
  const parsed = ipaddr.process(address);
  const range = parsed.range();
  if (allowPrivate && OWN_NETWORKS.includes(range)) return true;
  if (range !== 'unicast' || parsed.toString() === METADATA) return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(...GLOBAL_UNICAST);
}

/** The host of a URL if it is an address, without brackets; null for a name. Names that mean this machine are converted to its address. */
export function readLiteralAddress(hostname: string): string | null {
  const bare = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (/(^|\.)localhost$/i.test(bare)) return '127.0.0.1';
  return ipaddr.isValid(bare) ? bare : null;
}
