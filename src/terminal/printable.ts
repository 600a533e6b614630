/**
 * Text as a terminal may have it. Control characters (C0, DEL, C1) that a record or a message holds would move the cursor, set the title or hide
 * what follows: people see them as `\x1b`. Pure.
 */

const CONTROL = /\p{Cc}/gu;
const CONTROL_BUT_LAYOUT = /(?![\n\t])\p{Cc}/gu;
/** Those that JSON leaves as they are. */
const CONTROL_IN_JSON = /(?!\n)\p{Cc}/gu;

const hexOf = (character: string) => character.charCodeAt(0).toString(16).padStart(2, '0');
const escaped = (character: string) => `\\x${hexOf(character)}`;

/** A cell, or anything else that is to stay on its line. */
export const printable = (text: string): string => text.replace(CONTROL, escaped);

/** Lines: their ends and tabs stay. */
export const printableLines = (text: string): string => text.replace(CONTROL_BUT_LAYOUT, escaped);

/** Indented JSON, the same value for whoever parses it. */
export const printableJson = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(CONTROL_IN_JSON, (character) => `\\u00${hexOf(character)}`);
