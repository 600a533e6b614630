/** Words for acts, their agents and what links them to reasons. Data in `src/catalogue/questionRelations.json`. */
import data from '../../../catalogue/questionRelations.json' with { type: 'json' };
import type { Token } from './tokens.ts';
import { Phrases } from './words.ts';

export type ActName = keyof typeof data.acts;
export type LinkName = keyof typeof data.links;
export type RelationList = keyof typeof data.words;

const ACTS = Object.entries(data.acts).map(([name, act]) => ({
  name: name as ActName,
  words: new Phrases(act.words),
  names: ['alsoBy' in act ? act.alsoBy : name, name],
  clashes: act.clashes.split(' '),
  isDecision: 'status' in act,
}));
const LINKS = Object.entries(data.links).map(([name, list]) => ({ name: name as LinkName, phrases: new Phrases(list) }));
const CAUSE_IN_TEXT = new Phrases(`${data.links.cause}, ${data.words.causeInText}`);
const LISTS = Object.entries(data.words).map(([name, list]) => [name, new Phrases(list)] as const);
const ACTORS = Object.values(data.actors).map((list) => ({ phrases: list.split(', '), table: new Phrases(list) }));

/** Lists of words and phrases by their names. */
export const RELATION_WORDS = Object.fromEntries(LISTS) as Readonly<Record<RelationList, Phrases>>;

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
    if (RELATION_WORDS.noActs.lengthAt(tokens, i)) continue;
    const [longest] = ACTS.map(({ name, words }) => ({ name, length: words.lengthAt(tokens, i) })).sort((a, b) => b.length - a.length);
    if (!longest?.length) continue;
    found.push({ name: longest.name, from: i, to: i + longest.length });
    i += longest.length - 1;
  }
  return found;
}

const actNamed = (name: ActName | null) => ACTS.find((one) => one.name === name);
export const isDecision = (name: ActName): boolean => actNamed(name)?.isDecision ?? false;
/** Whether an act meets what is asked: who worries also opposes. */
export const isActOf = (asked: ActName, { name }: Act): boolean => actNamed(asked)?.names.includes(name) ?? false;
export const clashes = (asked: ActName | null, { name }: Act): boolean => actNamed(asked)?.clashes.includes(name) ?? false;

/** The link that begins at a token. */
export const linkAt = (tokens: readonly Token[], at: number): { name: LinkName; length: number } | undefined =>
  LINKS.map(({ name, phrases }) => ({ name, length: phrases.lengthAt(tokens, at) })).find(({ length }) => length);

/** Phrases by which texts link an act to what a link asks for. */
export const phrasesOfLink = (link: LinkName): Phrases | undefined =>
  link === 'cause' ? CAUSE_IN_TEXT : LINKS.find((one) => one.name === link)?.phrases;

/** The phrases of a known kind of agent at a token: `neighbors` are also residents. */
export function agentAt(tokens: readonly Token[], at: number): { length: number; phrases: readonly string[]; isOffice?: true } | undefined {
  const known = ACTORS.map(({ table, phrases }) => ({ length: table.lengthAt(tokens, at), phrases })).find(({ length }) => length);
  return known ?? (RELATION_WORDS.agents.lengthAt(tokens, at) ? { length: 1, phrases: [], isOffice: true } : undefined);
}
