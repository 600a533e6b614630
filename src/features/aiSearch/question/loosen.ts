/**
 * Loosens a question that no record answers in full: its words are weighed instead of all being required. Places, dates, statuses, numbers, votes, names
 * and denials stay required, and so does the rarest of the other parts, or a use that it is linked to. Pure.
 */

import { criterionOfAmount } from './amounts.ts';
import { EMPTY_RULE } from './criterion.ts';
import { isInstruction } from './instructions.ts';
import { isNeeded } from './plainWords.ts';
import { tokensOf } from './tokens.ts';
import type { Concept, Criterion, FilterReading, Understanding } from './types.ts';
import { findUses } from './uses.ts';

/** Filters that say what a record is about, and that its text may say in other words. */
const OF_SUBJECT = new Set(['propertyTypes', 'propertySubtypes', 'assetClasses', 'requestTypes']);

const OF_PLACE = new Set(['cities', 'counties']);

/** Readings of a bare name as a place, which may have another meaning: `Chesterfield` is also a county, `Harlem` a part of a city. */
export const barePlaceNames = ({ readings }: Understanding): FilterReading[] =>
  readings.filter(({ filters, criterion }) => filters.every((name) => OF_PLACE.has(name)) && /^\p{Lu}/u.test(criterion.text));

/** The understanding without readings as places in which no record lies: texts have to say their names. */
export function requireNamesInText(understanding: Understanding, empty: readonly FilterReading[]): Understanding {
  const left = new Set(empty.flatMap(({ filters }) => filters));
  return {
    ...understanding,
    filters: Object.fromEntries(Object.entries(understanding.filters).filter(([name]) => !left.has(name))),
    readings: understanding.readings.filter((reading) => !empty.includes(reading)),
    criteria: [...understanding.criteria, ...empty.map(({ criterion }) => ({ ...criterion, isNeeded: true as const }))],
    warnings: empty.map(({ text }) => `No record lies in the place “${text}”: the text has to name it.`),
  };
}

/** One thing that a question is about. */
export interface LoosePart {
  criterion: Criterion;
  /** names of uses that it defines together with others of the question, and that prove it if few records have them */
  linked: readonly string[];
  /** set if a filter may meet it, too */
  reading?: FilterReading;
}

const isName = ({ text }: Concept, question: string) => /^\p{Lu}/u.test(text) && !question.startsWith(text);

const stemsIn = (text: string): string[] =>
  tokensOf(text).flatMap(({ word, value, stem }) => (value === null && isNeeded(word) ? [stem] : []));

const EVERYTHING =
  '(?:all|every|each|any)\\s+(?:other\\s+)?(?:records?|projects?|applications?|entr(?:y|ies)|match(?:es)?|criteria|filters?)|(?:return|list|show|confirm) everything';
const OF_SERVICE = '(?:project )?ids?|evidence|prompt|password|database|api key|criteria|instructions?';
const NOT_OF_LAND = new RegExp(`\\b(?:${EVERYTHING}|${OF_SERVICE})\\b`, 'i');

/** A question for all that there is, about the service, or one that speaks to a machine is asked as it is. */
export const mayBeLoosened = (question: string): boolean => !NOT_OF_LAND.test(question) && !isInstruction(question);

type Parts = ReturnType<typeof splitUnderstanding>;

/** What an answer still has to meet, and what may be left out. @param question its words: a capital at their beginning is no name */
export function splitUnderstanding({ criteria, readings }: Understanding, question: string) {
  const parts: { firm: Criterion[]; loose: LoosePart[] } = { firm: [], loose: [] };
  for (const criterion of criteria) {
    const { concepts, amounts, negated, vote } = criterion.match;
    if (negated || vote || criterion.isNeeded) {
      parts.firm.push(criterion);
      continue;
    }
    // In the same statement as the rest.
    for (const amount of amounts) parts.firm.push({ ...criterionOfAmount(criterion.text, amount), weight: 0, isNeeded: true });
    for (const concept of concepts) {
      const own = { text: concept.text, match: { ...EMPTY_RULE, concepts: [concept] } };
      if (isName(concept, question) || /\d/.test(concept.text)) parts.firm.push(own);
      else parts.loose.push({ criterion: own, linked: [] });
    }
  }
  for (const reading of readings)
    if (reading.filters.some((name) => OF_SUBJECT.has(name))) parts.loose.push({ criterion: reading.criterion, reading, linked: [] });
  return { ...parts, loose: linkUses(parts.loose) };
}

/** Adds to each thing the names of uses that it defines together with others of the question; of alternatives one has to define them. */
function linkUses(loose: readonly LoosePart[]): LoosePart[] {
  const stems = loose.map(({ criterion }) => criterion.text.split(' or ').map(stemsIn));
  const uses = findUses([...new Set(stems.flat(2))]);
  return loose.map((part, i) => {
    const defines = (own: readonly string[]) =>
      uses.filter((use) => own.length && own.every((stem) => use.stems.has(stem))).flatMap((use) => use.names);
    return { ...part, linked: [...new Set(stems[i]?.flatMap(defines))] };
  });
}

/** The names of all uses that parts are linked to. */
export const linkedNames = (loose: readonly LoosePart[]): string[] => [...new Set(loose.flatMap((part) => part.linked))];

/** The part with the linked names that are telling. */
export function withLinkedNames(part: LoosePart, isTelling: (name: string) => boolean): LoosePart {
  const { criterion, linked: names } = part;
  const [concept] = criterion.match.concepts;
  const telling = names.filter(isTelling);
  if (!concept || !telling.length) return part;
  const phrases = [...new Set([...concept.phrases, ...telling])];
  return { ...part, criterion: { ...criterion, match: { ...criterion.match, concepts: [{ ...concept, phrases }] } } };
}

/** How many records say a part of the question: of all records, and of those within the firm filters. */
export interface RecordCounts {
  anywhere: number;
  within: number;
}

/** Parts that fewer records say weigh no more: odd words of a question tell no more than rare ones. */
const RARE_RECORDS = 20;

/**
 * The understanding with weights in place of demands; undefined if nothing can be left out.
 * @param said for each loose part @param total number of records
 */
export function loosenUnderstanding(
  understanding: Understanding,
  { firm, loose }: Parts,
  said: readonly RecordCounts[],
  total: number,
): Understanding | undefined {
  const weights = said.map(({ anywhere }) => Math.log((total + 1) / (Math.min(total, Math.max(anywhere, RARE_RECORDS)) + 0.5)));
  const sum = weights.reduce((a, b) => a + b, 0);
  // The rarest of the parts that any record meets.
  const rarest = said.reduce(
    (best, { within, anywhere }, i) => (within > 0 && anywhere < (said[best]?.anywhere ?? total + 1) ? i : best),
    -1,
  );
  if (rarest < 0) return undefined;
  const weighed = loose.map(({ criterion, reading }, i) => {
    const share: Criterion = { ...criterion, weight: (weights[i] as number) / sum, ...(i === rarest ? { isNeeded: true as const } : {}) };
    return { criterion: share, ...(reading ? { reading: { ...reading, orInText: 'always' as const, criterion: share } } : {}) };
  });
  const readingOf = (reading: FilterReading) => weighed.find((_, i) => loose[i]?.reading === reading)?.reading ?? reading;
  return {
    ...understanding,
    criteria: [...firm, ...weighed.flatMap(({ criterion, reading }) => (reading ? [] : [criterion]))],
    readings: understanding.readings.map(readingOf),
    warnings: [
      ...(understanding.warnings ?? []),
      `No record says all that is asked: these say “${loose[rarest]?.criterion.text}” and more of the rest, or what it is linked to.`,
    ],
    isLoose: true,
  };
}
