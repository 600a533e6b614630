/** Patterns whose parts have names: `{ZONE}` stands for what the part `ZONE` says. Pure. */

/** @param parts in the order in which they are filled in, each by its name */
export const fillParts = (pattern: string, parts: readonly (readonly [string, string])[]): string =>
  parts.reduce((made, [name, words]) => made.replaceAll(`{${name}}`, words), pattern);
