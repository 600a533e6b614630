/** Numbers of projects and documents, derived from the source and its own id, so that they stay the same from load to load. Pure. */
import { createHash } from 'node:crypto';

/** 13 hexadecimal digits are 52 bits: below 2^53, so every number is exact in JSON. */
const HEX_DIGITS = 13;

function numberOf(key: string): number {
  return Number.parseInt(createHash('sha256').update(key).digest('hex').slice(0, HEX_DIGITS), 16);
}

/** Number of a case, e.g. `projectId('il_chicago', '100928735')`. */
export function projectId(source: string, ownId: string): number {
  return numberOf(`project\n${source}\n${ownId}`);
}

/** Number of a document, e.g. `documentId('ny_council', 'resolution/51732')`. */
export function documentId(source: string, ownId: string): number {
  return numberOf(`document\n${source}\n${ownId}`);
}

/** Number of a restriction, e.g. `restrictionId('moratoria', 'al-birmingham-2026')`. */
export function restrictionId(source: string, ownId: string): number {
  return numberOf(`restriction\n${source}\n${ownId}`);
}

/** Refuses a number that has been given before: two cases under one number are an error, never a merge. */
export class NumberRegister {
  readonly #seen = new Set<number>();

  /** @throws Error when the number is taken */
  take(number: number, source: string, ownId: string): number {
    if (this.#seen.has(number)) throw new Error(`The number ${number} of ${source} '${ownId}' is already taken by another record`);
    this.#seen.add(number);
    return number;
  }
}
