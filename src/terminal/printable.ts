/**
 * Makes text safe to print on a terminal. Control characters (C0, DEL, C1) in a record or a message could move the cursor, set the title or hide
 * what follows, so they are printed as `\x1b` and the like. Pure.
 */

const CONTROL = /\p{Cc}/gu;
const CONTROL_BUT_LAYOUT = /(?![\n\t])\p{Cc}/gu;
/** Control characters that JSON.stringify does not escape. */
const CONTROL_IN_JSON = /(?!\n)\p{Cc}/gu;

const hexOf = (character: string) => character.charCodeAt(0).toString(16).padStart(2, '0');
const escaped = (character: string) => `\\x${hexOf(character)}`;

/** Escapes the text of a table cell, or any other text of a single line. */
export const printable = (text: string): string => text.replace(CONTROL, escaped);

/** Escapes text of several lines, whose line ends and tabs stay. */
export const printableLines = (text: string): string => text.replace(CONTROL_BUT_LAYOUT, escaped);

/** Indented JSON with control characters escaped; parsing it returns the same value. */
export const printableJson = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(CONTROL_IN_JSON, (character) => `\\u00${hexOf(character)}`);
