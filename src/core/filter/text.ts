/** Filters on words and ids. Case, accents and apostrophes are ignored, and punctuation separates words. */
import { listSpellings, normalizeWords } from '../domain/words.ts';
import { phrasesClause, terms, withoutPhrasesClause } from '../query/clauses.ts';
import { filter } from './entry.ts';
import { type PlainKind, parseText, projectIdList } from './kinds.ts';
import { andThen, invalidValue, TEXT_LENGTH_MAX } from './raw.ts';

interface Phrase {
  text: string;
  /** folded words, an entry for each alternative and each way in which it may be spelled */
  alternatives: string[];
}

function phrase(separator: string | null): PlainKind<Phrase> {
  return {
    schema: { type: 'string', maxLength: TEXT_LENGTH_MAX },
    parse: (raw) =>
      andThen(parseText(raw), (text) => {
        const parts = separator === null ? [text] : text.split(separator);
        const alternatives = [...new Set(parts.map(normalizeWords).filter(Boolean).flatMap(listSpellings))];
        if (alternatives.length) return { value: { text, alternatives } };
        return invalidValue('invalid_value', 'holds no word to search for', { value: text.slice(0, 80) });
      }),
    echo: ({ text }) => text,
  };
}

const fieldPair = (current: string, past: string) => ({ current: `derived.${current}`, past: `derived.${past}` });
const inText = fieldPair('text', 'pastText');
const inNames = fieldPair('names', 'pastNames');
const inParties = fieldPair('partyNames', 'pastPartyNames');

export const textFilters = {
  q: filter({
    aliases: ['search', 'query'],
    label: 'Words',
    summary: 'Keyword search; several words are one exact phrase, | separates alternatives',
    example: 'data center|server farm',
    kind: phrase('|'),
    fields: [inText.current, inText.past],
    meaning: ({ alternatives }) => alternatives,
    must: ({ alternatives }) => [phrasesClause('q', inText, alternatives)],
    confirmedByName: true,
    unconfirmed: ({ alternatives }) => withoutPhrasesClause(inText.current, alternatives),
  }),
  projectName: filter({
    aliases: ['name'],
    summary: 'Exact phrase in the name or display name',
    example: 'Cedar Fork',
    kind: phrase(null),
    fields: [inNames.current, inNames.past],
    meaning: ({ alternatives }) => alternatives,
    must: ({ alternatives }) => [phrasesClause('projectName', inNames, alternatives)],
    confirmedByName: true,
    unconfirmed: ({ alternatives }) => withoutPhrasesClause(inNames.current, alternatives),
  }),
  developerName: filter({
    aliases: ['developer', 'company'],
    label: 'Developer',
    summary: 'Exact phrase in the name of a developer, applicant, builder, owner, contractor or architect',
    example: 'Cedar Fork Development',
    kind: phrase(null),
    textFallback: 'always',
    fields: [inParties.current, inParties.past],
    meaning: ({ alternatives }) => alternatives,
    must: ({ alternatives }) => [phrasesClause('developerName', inParties, alternatives)],
    confirmedByName: true,
    unconfirmed: ({ alternatives }) => withoutPhrasesClause(inParties.current, alternatives),
  }),
  projectIds: filter({
    aliases: ['ids'],
    label: 'Project ids',
    summary: 'Only these projects, at most 100; the id of a merged record finds the development it was merged into',
    example: '1001,1002',
    kind: projectIdList,
    countedAlone: true,
    fields: ['derived.memberIds'],
    must: (ids) => [terms('derived.memberIds', ids)],
  }),
};
