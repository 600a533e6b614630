/** Ids that nobody can guess: a prefix that names the kind, and 128 random bits in base 62. */
import { randomBytes } from 'node:crypto';

export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ID_BYTES = 16;
/** 62^22 > 2^128 */
const ID_CHARACTERS = 22;

/** The prefix, _, and 128 random bits in base 62. */
export function newId(prefix: string): string {
  let rest = BigInt(`0x${randomBytes(ID_BYTES).toString('hex')}`);
  let digits = '';
  for (let i = 0; i < ID_CHARACTERS; i++) {
    digits = BASE62.charAt(Number(rest % 62n)) + digits;
    rest /= 62n;
  }
  return `${prefix}_${digits}`;
}

/** The form of such ids, for a kind's prefix. */
export const idPattern = (prefix: string) => new RegExp(`^${prefix}_[0-9A-Za-z]{${ID_CHARACTERS}}$`);
