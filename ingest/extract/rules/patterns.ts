/** Patterns whose parts have names: `{ZONE}` stands for what the part `ZONE` says. Pure. */

/** @param parts in the order in which they are filled in, each by its name */
export const fillParts = (pattern: string, parts: readonly (readonly [string, string])[]): string =>
  parts.reduce((made, [name, words]) => made.replaceAll(`{${name}}`, words), pattern);

const ANY_CASE = ' in any case';
/** Patterns of a group: a pattern a line, under what they find. */
export const compileGroups = (groups: Readonly<Record<string, readonly string[]>>): { name: string; pattern: RegExp }[] =>
  Object.entries(groups).flatMap(([name, list]) =>
    list.map((pattern) => ({
      name: name.replace(ANY_CASE, ''),
      pattern: new RegExp(pattern, name.endsWith(ANY_CASE) ? 'gi' : 'g'),
    })),
  );
