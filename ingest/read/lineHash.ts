/**
 * Hashes of lines. A line that was loaded before is recognised by its hash and need not be parsed, since it would make the same record of the same
 * previous version. The hash covers the text, the version of the reading rules, and the catalogue of places.
 */
import { hash } from 'node:crypto';
import type { Places } from '../../src/core/domain/places.ts';
import { SEARCHED_FIELDS } from '../../src/core/store/elastic/mappedFields.ts';

/** Version of the reading rules: increase it with every change that makes a different record of a line. test/unit/record/reading.test.ts detects such changes. */
export const READING_VERSION = 14;
/** 66 bits in base64. */
const CHARACTERS = 11;

/** Prefix of the hashed text: identifies how this version reads lines. */
export const makeLineForm = (places: Places): string => hash('sha1', JSON.stringify([READING_VERSION, SEARCHED_FIELDS, places.digest]));

export const hashLine = (form: string, text: string): string => hash('sha1', form + text, 'base64url').slice(0, CHARACTERS);
