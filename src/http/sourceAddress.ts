/** The source address under which a request is counted. */
import type { IncomingMessage } from 'node:http';
import { isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** An IPv6 address with brackets, quotes and port has 50 characters; longer texts are not addresses. */
const ADDRESS_CHARACTERS_MAX = 64;
/** 64 of 128 bits: the prefix that a subscriber gets, with 2^64 addresses. */
const SUBSCRIBER_GROUPS = 4;

/** How a socket that listens on every address reports IPv4 addresses. */
const IPV4_MAPPED = /^::ffff:([\d.]+)$/i;
const QUOTED = /^"(.*)"$/;
const BRACKETED = /^\[([^\]]*)\](?::\d{1,5})?$/;
const WITH_PORT = /^([\d.]+):\d{1,5}$/;

/** The name of an address: `1.2.3.4` for IPv4, also if mapped into IPv6; `2001:db8:1:2::/64` for IPv6; undefined for any other text. */
function nameAddress(text: string): string | undefined {
  if (isIPv4(text)) return text;
  const mapped = IPV4_MAPPED.exec(text)?.[1];
  if (mapped !== undefined && isIPv4(mapped)) return mapped;
  if (!isIPv6(text)) return undefined;
  const address = ipaddr.process(text);
  if (address instanceof ipaddr.IPv4) return address.toString();
  const groups = address.parts.slice(0, SUBSCRIBER_GROUPS).map((group) => group.toString(16));
  return `${groups.join(':')}::/64`;
}

/** The last entry of X-Forwarded-For in any form that proxies write: bare, with a port, bracketed, quoted. */
function readForwardedFor(header: string | string[] | undefined): string | undefined {
  const all = typeof header === 'string' ? header : header?.join();
  const last = all?.slice(all.lastIndexOf(',') + 1).trim();
  if (!last || last.length > ADDRESS_CHARACTERS_MAX) return undefined;
  const bare = QUOTED.exec(last)?.[1] ?? last;
  return nameAddress(BRACKETED.exec(bare)?.[1] ?? WITH_PORT.exec(bare)?.[1] ?? bare);
}

/** The address of a request: the last one noted by a trusted proxy, if valid, otherwise the socket's. */
export function readSourceAddress(req: Pick<IncomingMessage, 'headers' | 'socket'>, trustProxy: boolean): string {
  const forwarded = trustProxy ? readForwardedFor(req.headers['x-forwarded-for']) : undefined;
  return forwarded ?? nameAddress(req.socket.remoteAddress ?? '') ?? 'unknown';
}
