/** The text form of an API key, and where a request carries it (src/docs/keys.md). Pure. */
import { crc32 } from 'node:zlib';
import { BASE62 } from './ids.ts';

const LIVE_PREFIX = 'svc_live_';
const TEST_PREFIX = 'svc_test_';
const LEGACY_PREFIX = 'legacy_';
const RANDOM_CHARACTERS = 30;
const CHECKSUM_CHARACTERS = 6;
/** Bytes from here on would favour the first characters of the alphabet: 248 is the largest multiple of 62 below 256. */
const UNBIASED_BYTES = 248;
/** No credential longer than this is looked at; ours have 45. */
const CREDENTIAL_CHARACTERS_MAX = 255;

const LIVE = new RegExp(`^${LIVE_PREFIX}([0-9A-Za-z]{${RANDOM_CHARACTERS}})([0-9A-Za-z]{${CHECKSUM_CHARACTERS}})$`);
const LEGACY = new RegExp(`^${LEGACY_PREFIX}[\\x21-\\x7e]{1,${CREDENTIAL_CHARACTERS_MAX - LEGACY_PREFIX.length}}$`);

/**
 * live: a production key with the right checksum; malformed_live: its prefix with anything else behind it (a typo);
 * test: a sandbox key, refused today; legacy: issued before the service rename; foreign: no key of this service.
 */
export type KeyKind = 'live' | 'malformed_live' | 'test' | 'legacy' | 'foreign';

/** CRC32 of the random part in base 62: 62^6 > 2^32, so six characters hold it. */
export function checksum(random: string): string {
  let rest = crc32(random);
  let digits = '';
  for (let i = 0; i < CHECKSUM_CHARACTERS; i++) {
    digits = BASE62.charAt(rest % BASE62.length) + digits;
    rest = Math.floor(rest / BASE62.length);
  }
  return digits;
}

/** A new key: the prefix, 30 unbiased base-62 characters (178 bits), 6 of their CRC32. `randomBytes` as in node:crypto. */
export function mintKey(randomBytes: (size: number) => Uint8Array): string {
  let random = '';
  while (random.length < RANDOM_CHARACTERS) {
    for (const byte of randomBytes(RANDOM_CHARACTERS)) {
      if (byte < UNBIASED_BYTES && random.length < RANDOM_CHARACTERS) random += BASE62.charAt(byte % BASE62.length);
    }
  }
  return `${LIVE_PREFIX}${random}${checksum(random)}`;
}

export function classifyKey(text: string): KeyKind {
  if (text.length > CREDENTIAL_CHARACTERS_MAX) return 'foreign';
  if (text.startsWith(TEST_PREFIX)) return 'test';
  if (LEGACY.test(text)) return 'legacy';
  if (!text.startsWith(LIVE_PREFIX)) return 'foreign';
  const [, random = '', sum] = LIVE.exec(text) ?? [];
  return sum !== undefined && checksum(random) === sum ? 'live' : 'malformed_live';
}

/** An access token of OAuth: 256 random bits in base64url, without a prefix. */
const ACCESS_TOKEN = /^[\w-]{43}$/;

export const isAccessToken = (text: string): boolean => ACCESS_TOKEN.test(text);

const ANY_KEY = new RegExp(`${LIVE_PREFIX}|${TEST_PREFIX}|${LEGACY_PREFIX}`, 'i');

/** Whether a text may hold a key: somebody sends one as the id of a request, say. */
export const mayHoldKey = (text: string): boolean => ANY_KEY.test(text);

/** What may be shown of a key after its birth: enough to tell two apart, too little to guess from. */
export function splitForDisplay(key: string): { prefix: string; lastFour: string } {
  const prefix = key.startsWith(LEGACY_PREFIX) ? LEGACY_PREFIX : LIVE_PREFIX;
  return { prefix, lastFour: key.length >= prefix.length + 12 ? key.slice(-4) : '' };
}

/** The two headers with every repetition, as `headersDistinct` of node:http has them. */
export interface CredentialHeaders {
  authorization?: string[] | undefined;
  'x-api-key'?: string[] | undefined;
}

const BEARER = /^\s*bearer\s+(\S+)\s*$/i;

const BASIC = /^\s*basic\s+([A-Za-z0-9+/_=-]+)\s*$/i;

/** User and password of Basic authentication (RFC 7617), as far as they are keys. */
function keysOfBasic(header: string): string[] {
  const text = Buffer.from(BASIC.exec(header)?.[1] ?? '', 'base64').toString();
  const colon = text.indexOf(':');
  return [text.slice(0, Math.max(0, colon)), text.slice(colon + 1)].filter((part) => classifyKey(part) !== 'foreign');
}

/**
 * The different credentials of a request, usually one: `Authorization: Bearer K` in any capitalisation and spacing, and `X-API-Key: K`.
 * Another scheme (Basic, Digest) and a cookie are no credential at all, so that X-API-Key still counts with a proxy's Basic authentication.
 * @param acceptsBasicAuth keys count that come as user or password of Basic
 */
export function extractCredentials(headers: CredentialHeaders, acceptsBasicAuth = false): string[] {
  const bearers = (headers.authorization ?? []).map((header) => BEARER.exec(header)?.[1]);
  const apiKeys = (headers['x-api-key'] ?? []).map((header) => header.trim());
  const basic = acceptsBasicAuth ? (headers.authorization ?? []).flatMap(keysOfBasic) : [];
  return [...new Set([...bearers, ...basic, ...apiKeys].filter((text): text is string => Boolean(text)))];
}
