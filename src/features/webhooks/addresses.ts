/** Where events may be sent to: global unicast alone, unless the operator allows networks of their own, and to few ports. */
import ipaddr from 'ipaddr.js';

export interface AllowedTargets {
  /** WEBHOOK_ALLOW_PRIVATE: the operator lets events go to addresses of this machine and its networks, and by plain http */
  allowPrivate: boolean;
  /** WEBHOOK_PORTS; null for any */
  ports: readonly number[] | null;
}

/** @param port as a URL has it: empty where it is the usual one of the protocol */
export function isAllowedPort({ protocol, port }: { protocol: string; port: string }, ports: AllowedTargets['ports']): boolean {
  return ports === null || ports.includes(port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port));
}

/** What an operator may allow: this machine and networks around it. */
const OWN_NETWORKS: readonly string[] = ['loopback', 'private', 'linkLocal', 'uniqueLocal', 'carrierGradeNat'];
/** Answers machines of one cloud at an address that looks like any other. */
const METADATA = '168.63.129.16';
const GLOBAL_UNICAST: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/** @param address an IP address as DNS or a URL gives it, without brackets */
export function isAllowedAddress(address: string, allowPrivate: boolean): boolean {
  if (!ipaddr.isValid(address)) return false;
  // An IPv4 address inside an IPv6 one is judged as what it is.
  const parsed = ipaddr.process(address);
  const range = parsed.range();
  if (allowPrivate && OWN_NETWORKS.includes(range)) return true;
  if (range !== 'unicast' || parsed.toString() === METADATA) return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(...GLOBAL_UNICAST);
}

/** The host of a URL where it is an address, without brackets; null for a name. Names that mean this machine are its address. */
export function literalAddress(hostname: string): string | null {
  const bare = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (/(^|\.)localhost$/i.test(bare)) return '127.0.0.1';
  return ipaddr.isValid(bare) ? bare : null;
}
