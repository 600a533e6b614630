/** What an operation is called in the Python client: the resource of its tag, and its id without the resource's own noun. */

interface NamedOperation {
  operationId: string;
  tags: readonly string[];
}

/** Nouns that an operation's id repeats from its resource, where they are not the tag in the singular. */
const NOUNS: Readonly<Record<string, string>> = { 'AI search': 'AiSearch' };

const snake = (text: string) => text.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replace(/^_/, '');

/** `ai_search` of the tag `AI search`. */
export const resourceOf = ({ tags: [tag = ''] }: Pick<NamedOperation, 'tags'>) => tag.toLowerCase().replaceAll(' ', '_');

/** `search` of searchProjects, `get_results` of getListResults: the first noun after the verb goes, where it is the resource's. */
export function methodOf({ operationId, tags: [tag = ''] }: NamedOperation): string {
  const noun = NOUNS[tag] ?? tag.replace(/s$/, '');
  return snake(operationId.replace(new RegExp(`^([a-z]+)${noun}s?(?=[A-Z]|$)`), '$1'));
}

/** A value of the path as an argument: `project_id` of projectId. */
export const argumentOf = (name: string) => snake(name);
