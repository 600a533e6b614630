/** Words for acts, their agents and what links them to reasons. Data in `src/catalogue/questionRelations.json`. */
import data from '../../../catalogue/questionRelations.json' with { type: 'json' };
import type { Token } from './tokens.ts';

export type ActName = keyof typeof data.acts;
export type LinkName = keyof typeof data.links;

/** Phrases by their first words, the longest first. */
type PhraseTable = ReadonlyMap<string, readonly (readonly string[])[]>;
const tableOf = (phrases: string): PhraseTable =>
  Map.groupBy(
    phrases
      .split(', ')
      .map((phrase) => phrase.split(' '))
      .sort((a, b) => b.length - a.length),
    ([first]) => first as string,
  );
const wordsOf = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Number of words of the longest phrase at a token; 0 for none. */
export const phraseAt = (table: PhraseTable, tokens: readonly Token[], at: number): number =>
  table.get(tokens[at]?.word ?? '')?.find((phrase) => phrase.every((word, i) => tokens[at + i]?.word === word))?.length ?? 0;

export const ACTS = Object.entries(data.acts).map(([name, act]) => ({
  name: name as ActName,
  words: tableOf(act.words),
  names: ['alsoBy' in act ? act.alsoBy : name, name],
  clashes: wordsOf(act.clashes),
  isDecision: 'status' in act,
}));
export const LINKS = Object.entries(data.links).map(([name, phrases]) => ({ name: name as LinkName, phrases: tableOf(phrases) }));
export const DIRECT_CAUSE = tableOf(data.directCause);
export const CAUSE_IN_TEXT = tableOf(`${data.links.cause}, ${data.causeInText}`);
const NO_ACTS = tableOf(data.noActs);
export const HEARSAY = tableOf(data.hearsay);
export const NOT_HEARSAY = tableOf(data.notHearsay);
export const FAILED = tableOf(data.failed);
export const REASON_STARTS = tableOf(data.reasonStarts);
const ACTORS = Object.values(data.actors).map((phrases) => ({ phrases: phrases.split(', '), table: tableOf(phrases) }));
export const REPORTING = wordsOf(data.reporting);
export const REPORTERS = wordsOf(data.reporters);
export const PRONOUNS = wordsOf(data.pronouns);
export const ASKING = wordsOf(data.asking);
export const DECIDING = wordsOf(data.deciding);
export const FORMER = wordsOf(data.former);
export const INSTRUMENTS = wordsOf(data.instruments);
export const CLAUSE_ENDS = wordsOf(data.clauseEnds);
export const AGENTS = wordsOf(data.agents);
export const NEGATORS = wordsOf(data.negators);
export const TURNS = wordsOf(data.turns);
export const SPEAKING = wordsOf(data.speaking);

export interface Act {
  /** its first token, and the one behind its last */
  from: number;
  to: number;
  name: ActName;
}

/** The acts that words name. */
export function findActs(tokens: readonly Token[], from: number, to: number): Act[] {
  const found: Act[] = [];
  for (let i = from; i < to; i++) {
    if (phraseAt(NO_ACTS, tokens, i)) continue;
    const [longest] = ACTS.map(({ name, words }) => ({ name, length: phraseAt(words, tokens, i) })).sort((a, b) => b.length - a.length);
    if (!longest?.length) continue;
    found.push({ name: longest.name, from: i, to: i + longest.length });
    i += longest.length - 1;
  }
  return found;
}

export const isDecision = (name: ActName): boolean => ACTS.some((act) => act.name === name && act.isDecision);
export const isNegator = (word: string): boolean => NEGATORS.has(word);

/** The phrases of a known kind of agent at a token: `neighbors` are also residents. */
export function agentAt(tokens: readonly Token[], at: number): { length: number; phrases: readonly string[]; isOffice?: true } | undefined {
  const [known] = ACTORS.map(({ table, phrases }) => ({ length: phraseAt(table, tokens, at), phrases })).filter(({ length }) => length);
  return known ?? (AGENTS.has(tokens[at]?.word ?? '') ? { length: 1, phrases: [], isOffice: true } : undefined);
}
