/** Words and ids. A value matches words in any case; punctuation separates words. */
import { words } from '../domain/words.ts';
import { phrases, terms, withoutPhrases } from '../query/clauses.ts';
import { filter } from './entry.ts';
import { type Kind, phraseText, projectIdList, TEXT_LENGTH_MAX, Unusable } from './kinds.ts';

interface Phrase {
  text: string;
  /** folded words, one entry an alternative */
  alternatives: string[];
}

function phrase(separator: string | null): Kind<Phrase> {
  return {
    schema: { type: 'string', maxLength: TEXT_LENGTH_MAX },
    parse: (raw) => {
      const text = phraseText(raw);
      const parts = separator === null ? [text] : text.split(separator);
      const alternatives = [...new Set(parts.map(words).filter(Boolean))];
      if (alternatives.length) return { text, alternatives };
      throw new Unusable('invalid_value', 'holds no word to search for', { value: text.slice(0, 80) });
    },
    echo: (value) => value.text,
  };
}

const over = (current: string, past: string) => ({ current: `derived.${current}`, past: `derived.${past}` });
const inText = over('text', 'pastText');
const inNames = over('names', 'pastNames');
const inParties = over('partyNames', 'pastPartyNames');

export const textFilters = {
  q: filter({
    aliases: ['search', 'query'],
    summary: 'Keyword search; several words are one exact phrase, | separates alternatives',
    example: 'data center|server farm',
    kind: phrase('|'),
    fields: [inText.current, inText.past],
    meaning: ({ alternatives }) => alternatives,
    must: ({ alternatives }) => [phrases('q', inText, alternatives)],
    confirmedByName: true,
    unconfirmed: ({ alternatives }) => withoutPhrases(inText.current, alternatives),
  }),
  projectName: filter({
    aliases: ['name'],
    summary: 'Exact phrase in the name or display name',
    example: 'Cedar Fork',
    kind: phrase(null),
    fields: [inNames.current, inNames.past],
    meaning: ({ alternatives }) => alternatives,
    must: ({ alternatives }) => [phrases('projectName', inNames, alternatives)],
    confirmedByName: true,
    unconfirmed: ({ alternatives }) => withoutPhrases(inNames.current, alternatives),
  }),
  developerName: filter({
    aliases: ['developer', 'company'],
    summary: 'Exact phrase in the name of a developer, applicant, builder, owner, contractor or architect',
    example: 'Cedar Fork Development',
    kind: phrase(null),
    fields: [inParties.current, inParties.past],
    meaning: ({ alternatives }) => alternatives,
    must: ({ alternatives }) => [phrases('developerName', inParties, alternatives)],
    confirmedByName: true,
    unconfirmed: ({ alternatives }) => withoutPhrases(inParties.current, alternatives),
  }),
  projectIds: filter({
    aliases: ['ids'],
    summary: 'Only these projects, at most 100; the id of a merged record finds the development it was merged into',
    example: '1001,1002',
    kind: projectIdList,
    fields: ['derived.memberIds'],
    must: (ids) => [terms('derived.memberIds', ids)],
  }),
};
