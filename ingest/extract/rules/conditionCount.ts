/** How many conditions a decision takes, where the text counts them: `with the nine conditions`, `conditions 1 through 7 and an eighth`. Pure. */
import type { Span, Stated } from '../types.ts';
import patterns from './conditions.json' with { type: 'json' };
import type { MotionRead } from './motions.ts';
import { NUMBER_WORD, ORDINALS, placeOfMark, readNumber } from './numbers.ts';
import { fillParts } from './patterns.ts';
import type { ReadableText } from './text.ts';

const { NOUN, OF_THEM } = patterns;
const PARTS = Object.entries({ NOUN, OF_THEM, COUNT: `\\d{1,3}|${NUMBER_WORD}`, ORDINAL: ORDINALS.join('|') });
const compile = (pattern: string, flags: string) => new RegExp(fillParts(pattern, PARTS), flags);
/** `24 conditions`, `nine (9) recommended conditions`, `the five items`, `conditions read, 14 of them` */
const COUNTED = compile(patterns.counted, 'gi');
/** `conditions 1-6`, `conditions A to N` */
const RANGE = compile(patterns.range, 'i');
/** `and a fourth`, `an added No. 15`; `deleting condition 5` */
const [MORE, LESS] = [compile(patterns.more, 'i'), compile(patterns.less, 'i')];
/** A motion that takes conditions which stand elsewhere. */
const TAKES = compile(patterns.takes, 'i');

/** What a passage counts: all numbers that it names agree, but for those that are added. */
function findCount(words: string): { count: number; at: number; length: number } | null {
  const range = RANGE.exec(words);
  if (range?.[1] && range[2] && /\d/.test(range[1]) === /\d/.test(range[2])) {
    const last = range[3] && placeOfMark(range[3]) === placeOfMark(range[2]) + 1 ? range[3] : range[2];
    const count = placeOfMark(last) - placeOfMark(range[1]) + 1;
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

/** What the motion counts. @param passage of the case, up to it: a motion that takes `the conditions` takes as many as are counted there */
function readCount({ prose, toSpan }: ReadableText, decision: MotionRead | null, passage: Span): Stated<number> | null {
  if (!decision || !/with_conditions|recommended_approval/.test(decision.result ?? '')) return null;
  const { action, actionStart } = decision;
  const own = findCount(action);
  const other = own ?? (TAKES.test(action) ? findCount(prose.slice(passage.start, passage.end)) : null);
  if (!other) return null;
  const more = MORE.exec(action);
  const next = more ? (more[2] ? Number(more[2]) : ORDINALS.indexOf(more[1]?.toLowerCase() ?? '') + 1) : 0;
  const less = LESS.exec(action);
  const value = other.count + (next === other.count + 1 ? 1 : 0) - (less ? (less[1] ? 2 : 1) : 0);
  const at = (own ? actionStart : passage.start) + other.at;
  return value > 0 ? { value, ...toSpan(at, at + other.length) } : null;
}

type Listed = readonly Stated<string>[];

/** As many as are listed, or counted: a list may only go on behind what is counted, as `12. A fence` behind `eleven conditions`. */
export function countConditions(text: ReadableText, listed: Listed, decision: MotionRead | null, passage: Span): Stated<number> | null {
  const counted = readCount(text, decision, passage);
  const [first] = listed;
  if (!first) return counted;
  const span = { start: first.start, end: listed.at(-1)?.end ?? first.end };
  const mark = Number(/(\d{1,2})[.)]\s*$/.exec(text.original.slice(Math.max(0, first.start - 6), first.start))?.[1] ?? 1);
  if (counted && mark === counted.value + 1) return { value: counted.value + listed.length, ...span };
  return counted && counted.value > listed.length ? counted : { value: listed.length, ...span };
}
