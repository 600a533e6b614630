/** Lists of words and phrases by which questions and texts are read; data in `src/catalogue/questionLists.json`. */
import lists from '../../../catalogue/questionLists.json' with { type: 'json' };

type ListName = keyof typeof lists;

/** The words of a list, in lower case. */
export const listWords = (name: ListName): ReadonlySet<string> => new Set(lists[name].split(' '));

/** The phrases of a list, in lower case, one space between words. */
export const listPhrases = (name: ListName): readonly string[] => lists[name].split(', ');

const NEGATING = listWords('negating');

export const isNegating = (word: string): boolean => NEGATING.has(word);
