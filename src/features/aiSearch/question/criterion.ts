/** Makes criteria of words. */
import { isUse, synonymsOf } from './thesaurus.ts';
import type { Concept, Criterion, MatchRule } from './types.ts';

export const EMPTY_RULE: MatchRule = { concepts: [], amounts: [], negated: false, vote: null };

/** A criterion that one of these phrases meets, word by word. @param text as in the question */
export const literalCriterion = (text: string, phrases: readonly string[] = [text]): Criterion => ({
  text,
  match: { ...EMPTY_RULE, concepts: [{ text, phrases: [...new Set(phrases.map((one) => one.toLowerCase()))] }] },
});

/** A criterion that any of the phrases meets, or a synonym. @param text as in the question */
export function criterionOfPhrases(text: string, phrases: readonly string[]): Criterion {
  const { match } = literalCriterion(text, [text, ...phrases.flatMap(synonymsOf)]);
  return { text, match: { ...match, ...(isUse(text) ? { isUse: true } : {}) } };
}

const criterionOfConcept = ({ hints = [], ...concept }: Concept, text: string = concept.text): Criterion => ({
  text,
  match: { ...EMPTY_RULE, concepts: [{ ...concept, phrases: [...new Set([...concept.phrases, ...hints])] }] },
});

/**
 * A criterion for each use that is asked: the title may name one, the description another. Anything else that is asked together, and what is denied,
 * counted or voted on, has to be in one statement.
 */
export function splitByUse(criterion: Criterion): Criterion[] {
  const { concepts, amounts, negated, vote } = criterion.match;
  const uses = concepts.filter((one) => one.isUse).length;
  if (negated || vote || amounts.length || concepts.length < 2 || uses < concepts.length - 1) return [criterion];
  return concepts.map((one) => {
    const { text, match } = criterionOfConcept(one, criterion.text.includes(one.text) ? one.text : criterion.text);
    return { text, match: { ...match, ...(one.isUse ? { isUse: true } : {}) } };
  });
}

/** A criterion with the single things that it asks of a text, by which records are ranked: none of them proves the whole. */
export function partsOf(criterion: Criterion): Criterion[] {
  const { concepts, relation, amounts, negated, vote } = criterion.match;
  const things = [...concepts, ...(relation?.left ?? [])];
  if (amounts.length || negated || vote || (!relation && things.length < 2)) return [criterion];
  const { stance, agent } = relation ?? {};
  const ofAgent = agent ? [criterionOfConcept(agent)] : [];
  if (relation?.link === null) return [criterion, ...ofAgent];
  const alone = things.map((one) => criterionOfConcept(one));
  if (!relation || !stance) return [...alone, criterion];
  const { text, match } = criterionOfConcept(agent ?? stance, stance.text);
  return [...alone, { text, match: { ...match, relation: { ...relation, link: null, also: [] } } }, criterion];
}
