/** Makes criteria of words. */
import { isUse, synonymsOf } from './thesaurus.ts';
import type { Criterion, MatchRule, Relation } from './types.ts';

export const EMPTY_RULE: MatchRule = { concepts: [], amounts: [], negated: false, vote: null };

/**
 * A criterion for each use that is asked: the title may name one, the description another. Anything else that is asked together, and what is denied,
 * counted or voted on, has to be in one statement.
 */
export function splitByUse(criterion: Criterion): Criterion[] {
  const { concepts, amounts, negated, vote } = criterion.match;
  const uses = concepts.filter(({ isUse }) => isUse).length;
  if (negated || vote || amounts.length || concepts.length < 2 || uses < concepts.length - 1) return [criterion];
  const verbatim = (text: string) => (criterion.text.includes(text) ? text : criterion.text);
  return concepts.map((one) => ({
    text: verbatim(one.text),
    match: { ...EMPTY_RULE, concepts: [one], ...(one.isUse ? { isUse: true } : {}) },
  }));
}

/** A criterion that any of the phrases meets. @param text as in the question */
export const criterionOfPhrases = (text: string, phrases: readonly string[]): Criterion => ({
  text,
  match: {
    ...EMPTY_RULE,
    concepts: [{ text, phrases: [...new Set([text.toLowerCase(), ...phrases.flatMap(synonymsOf)])] }],
    ...(isUse(text) ? { isUse: true } : {}),
  },
});

/** A criterion that the text itself has to meet, or one of these phrases, word by word. */
export const literalCriterion = (text: string, phrases: readonly string[] = [text]): Criterion => ({
  text,
  match: { ...EMPTY_RULE, concepts: [{ text, phrases: [...new Set(phrases.map((one) => one.toLowerCase()))] }] },
});

/** A criterion with the single things that it asks of a text, by which records are ranked: none of them proves the whole. */
export function partsOf(criterion: Criterion): Criterion[] {
  const { concepts, relation, amounts, negated, vote } = criterion.match;
  const things = [...concepts, ...(relation?.left ?? [])];
  if (amounts.length || negated || vote || (!relation && things.length < 2)) return [criterion];
  const isStanceAlone = relation?.link === null;
  const alone = isStanceAlone ? [] : things.map((one) => ({ text: one.text, match: { ...EMPTY_RULE, concepts: [one] } }));
  const { stance, agent } = relation ?? {};
  const stanceOf = stance && {
    text: stance.text,
    match: { ...EMPTY_RULE, concepts: [agent ?? stance], relation: { ...relation, link: null, also: [] } as Relation },
  };
  return [
    ...alone,
    ...(stanceOf && !isStanceAlone ? [stanceOf] : []),
    criterion,
    ...(isStanceAlone && agent ? [{ text: agent.text, match: { ...EMPTY_RULE, concepts: [agent] } }] : []),
  ];
}
