/** Names of operations in the Python client: the resource of the tag, and the operation's id without the resource's noun. */

interface NamedOperation {
  operationId: string;
  tags: readonly string[];
}

/** The noun of a resource in its operations' ids, if it is not the singular of the tag. */
const NOUNS: Readonly<Record<string, string>> = { 'AI search': 'AiSearch' };

const snake = (text: string) => text.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replace(/^_/, '');

/** The resource of a tag, such as `ai_search` for `AI search`. */
export const resourceOf = ({ tags: [tag = ''] }: Pick<NamedOperation, 'tags'>) => tag.toLowerCase().replaceAll(' ', '_');

/**
 * The method, such as `search` for searchProjects and `get_results` for getListResults: without the first noun after the verb if that is
 * the resource's.
 */
export function methodOf({ operationId, tags: [tag = ''] }: NamedOperation): string {
  const noun = NOUNS[tag] ?? tag.replace(/s$/, '');
  return snake(operationId.replace(new RegExp(`^([a-z]+)${noun}s?(?=[A-Z]|$)`), '$1'));
}

const KEYWORDS: ReadonlySet<string> = new Set(['class', 'def', 'from', 'global', 'import', 'in', 'is', 'lambda', 'pass', 'with']);

/** The name of a value in Python: with an underscore after one that is a word of the language, such as `from_`. */
export const valueName = (name: string) => (KEYWORDS.has(name) ? `${name}_` : name);

/** The argument of a path parameter, such as `project_id` for projectId. */
export const argumentOf = (name: string) => snake(name);
