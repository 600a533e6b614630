/** How many conditions a decision takes, where the text counts them: `with the nine conditions`, `conditions 1 through 7 and an eighth`. Pure. */
import type { Span, Stated } from '../types.ts';
import type { MotionRead } from './motions.ts';
import { NUMBER_WORD, ORDINALS, readNumber } from './numbers.ts';
import type { ReadableText } from './text.ts';

const COUNT = `\\d{1,3}|${NUMBER_WORD}`;
const NOUN = '(?:conditions?|stipulations?|provisos?|restrictions?|commitments?|proffers?|technical evaluations?)';
const OF_THEM =
  "(?:(?:staff'?s?|recommended|proposed|standard|listed|suggested|draft|special|specific|attached|additional|added|further|new|other|general|following|revised|amended|planning|of approval) ){0,3}";
/** `24 conditions`, `nine (9) recommended conditions`, `the five items`, `conditions read, 14 of them` */
const COUNTED = new RegExp(
  `(?<![\\w.#-])(?<!\\d/)(${COUNT})(?: ?[(]\\d{1,3}[)])? {1,6}(${OF_THEM})(?:${NOUN}\\b|(?<=\\b(?:subject to|with) (?:the |all )?\\w{1,12} )items\\b)|\\b${NOUN}(?: \\w+)?, (${COUNT}) of them\\b`,
  'gi',
);
/** `conditions 1-6`, `Stipulations 1 through 12`, `conditions A to N` */
const RANGE = new RegExp(
  `\\b${NOUN}(?: of approval)? (?:nos?\\. ?|numbers? |#)?(\\d{1,2}|[A-Z])(?: ?- ?| through | thru | to )#?(\\d{1,2}|[A-Z])\\b`,
  'i',
);
const MORE = new RegExp(
  `\\ban? (${ORDINALS.join('|')})\\b(?! (?:motion|reading|hearing|time))|\\b(?:an )?(?:added|additional) (?:${NOUN} )?(?:no\\. ?|number |#)(\\d{1,2})\\b`,
  'i',
);
const LESS = new RegExp(
  `\\b(?:deleting|striking|omitting|removing|eliminating|except(?:ing| for)?|without|less|minus) ${NOUN} (?:nos?\\. ?|numbers? |#)?\\d{1,2}( and #?\\d{1,2})?`,
  'i',
);
/** A motion that takes conditions which stand elsewhere. */
const TAKES =
  /\b(?:with|subject to|upon|including|and|under|per|on) (?:(?:the|all|staff'?s?|these|those|its|any|proposed|recommended|listed|planning|standard) ){0,3}(?:conditions?|stipulations?|recommend(?:ed|ations?))\b|\bas (?:conditioned|recommended)\b|\bconditional(?:ly)? approv|\brecommended by (?:\w+ )?staff\b/i;

const placeOf = (mark: string): number => (/\d/.test(mark) ? Number(mark) : mark.toUpperCase().charCodeAt(0) - 64);

interface CountAt {
  count: number;
  at: number;
  length: number;
}

/** What a passage counts: all numbers that it names agree, but for those that are added. */
function findCount(words: string): CountAt | null {
  const range = RANGE.exec(words);
  if (range?.[1] && range[2] && /\d/.test(range[1]) === /\d/.test(range[2])) {
    const count = placeOf(range[2]) - placeOf(range[1]) + 1;
    if (count > 0) return { count, at: range.index, length: range[0].length };
  }
  const found = [...words.matchAll(COUNTED)].map(({ index, 0: whole, 1: before, 2: kind = '', 3: behind = '' }) => ({
    count: readNumber(before ?? behind),
    adds: /additional|added|further|new|other/i.test(kind),
    at: index,
    length: whole.length,
  }));
  const [first, ...rest] = found.filter(({ adds }) => !adds);
  if (!first || rest.some(({ count }) => count !== first.count)) return null;
  const more = found.find(({ adds }) => adds)?.count ?? 0;
  return { ...first, count: first.count + more };
}

/** @param passage of the case, up to its motion: a motion that takes `the conditions` takes as many as are counted there */
export function readConditionCount(
  { prose, toSpan }: ReadableText,
  decision: MotionRead | null,
  { start, end }: Span,
): Stated<number> | null {
  if (!decision || !/with_conditions|recommended_approval/.test(decision.result ?? '')) return null;
  const { action, actionStart } = decision;
  const own = findCount(action);
  const other = own ?? (TAKES.test(action) ? findCount(prose.slice(start, end)) : null);
  if (!other) return null;
  const more = MORE.exec(action);
  const next = more ? (more[2] ? Number(more[2]) : ORDINALS.indexOf(more[1]?.toLowerCase() ?? '') + 1) : 0;
  // `conditions A through F and G`
  const letter = [...action.matchAll(/\b[A-Z] (?:through|to|thru) [A-Z] and ([A-Z])\b/g)].some(
    ([, one = '']) => placeOf(one) === other.count + 1,
  );
  const less = LESS.exec(action);
  const value = other.count + (next === other.count + 1 || letter ? 1 : 0) - (less ? (less[1] ? 2 : 1) : 0);
  const at = (own ? actionStart : start) + other.at;
  return value > 0 ? { value, ...toSpan(at, at + other.length) } : null;
}

/** The count of a list, and what the text counts: a list may only go on behind what is counted, as `12. A fence` behind `eleven conditions`. */
export function countConditions(
  text: ReadableText,
  listed: readonly Stated<string>[],
  counted: Stated<number> | null,
): Stated<number> | null {
  const [first] = listed;
  if (!first) return counted;
  const span = { start: first.start, end: listed.at(-1)?.end ?? first.end };
  const mark = Number(/(\d{1,2})[.)]\s*$/.exec(text.original.slice(Math.max(0, first.start - 6), first.start))?.[1] ?? 1);
  if (counted && mark === counted.value + 1) return { value: counted.value + listed.length, ...span };
  return counted && counted.value > listed.length ? counted : { value: listed.length, ...span };
}
