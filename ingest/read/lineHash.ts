/**
 * Hashes of lines. A line that was loaded before is recognised by its hash and need not be parsed: the same line makes the same record of the same
 * previous version. The hash covers the text, the way in which this version reads it, and the catalogue of places.
 */
import { hash } from 'node:crypto';
import type { Places } from '../../src/core/domain/places.ts';
import { SEARCHED_FIELDS } from '../../src/core/store/elastic/mappedFields.ts';

/** To be raised with every change by which a line becomes another record; test/unit/record/reading.test.ts finds such a change. */
export const READING_VERSION = 8;
/** 66 bits in base64. */
const CHARACTERS = 11;

/** What the hashed text begins with in this version. */
export const lineFormOf = (places: Places): string => hash('sha1', JSON.stringify([READING_VERSION, SEARCHED_FIELDS, places.digest]));

export const lineHashOf = (form: string, text: string): string => hash('sha1', form + text, 'base64url').slice(0, CHARACTERS);
