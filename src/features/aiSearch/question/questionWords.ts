/** The words of a question, and which of them are understood already. */
import type { City, County } from '../../../core/domain/places.ts';
import { literalCriterion } from './criterion.ts';
import { correctToken } from './spelling.ts';
import { tokensOf } from './tokens.ts';
import type { Criterion, FilterReading } from './types.ts';
import { TextWords } from './words.ts';

/** Filters that are denied as a whole (`not in Texas`), and that no text can satisfy instead. */
const OF_PLACES_DATES_PEOPLE =
  /^(?:states|counties|cities|dateRange|developerName|(?:meetingDate|firstMeetingDate|nextMeetingDate|lastUpdated)(?:From|To))$/;

export interface AmbiguousName {
  name: string;
  found: readonly (City | County)[];
  meant: readonly string[];
}

export class QuestionWords extends TextWords {
  readonly stems: readonly string[];
  readonly filters: Record<string, string | string[]> = {};
  readonly readings: FilterReading[] = [];
  /** what filters know but cannot express: denials, and alternatives of several filters */
  readonly criteria: Criterion[] = [];
  /** names of several places, and those of them that are meant */
  readonly ambiguous: AmbiguousName[] = [];
  /** words of order, the token behind the superlative, how many records are asked for (0 for all), and the `sort` of a search that says it */
  readonly orders: { text: string; to: number; count: number; sort: string }[] = [];
  readonly #taken = new Set<number>();
  /** names of the filters that a token says; none for one that no filter says */
  readonly read = new Map<number, readonly string[]>();

  constructor(text: string) {
    super(
      text,
      tokensOf(text).map((token, i, all) => correctToken(token, text, [all[i - 1]?.stem, all[i + 1]?.stem])),
    );
    this.stems = this.tokens.map(({ stem }) => stem);
  }

  isFree(from: number, to = from + 1): boolean {
    for (let i = from; i < to; i++) if (!this.tokens[i] || this.#taken.has(i)) return false;
    return to > from;
  }

  /** @param names of the filters that the words say; without them the words are left to the text */
  take(from: number, to: number, names?: readonly string[]): void {
    for (let i = from; i < to; i++) {
      this.#taken.add(i);
      if (names) this.read.set(i, names);
    }
  }

  /** Takes readings back, with all that their filters say. */
  release(names: readonly string[]): void {
    const gone = this.readings.filter(({ filters }) => filters.some((name) => names.includes(name)));
    for (const name of gone.flatMap(({ filters }) => filters)) delete this.filters[name];
    this.readings.splice(0, Infinity, ...this.readings.filter((one) => !gone.includes(one)));
    for (const [i, said] of this.read) if (said.some((name) => !this.filters[name]) && this.read.delete(i)) this.#taken.delete(i);
  }

  /** What one filter was read to say is said by another: a list joins what that says already. */
  renameFilter(before: string, after: string): void {
    const [value, other] = [this.filters[before], this.filters[after]];
    if (value === undefined) return;
    this.filters[after] = Array.isArray(value) && Array.isArray(other) ? [...new Set([...other, ...value])] : value;
    delete this.filters[before];
    const rename = (names: readonly string[]) => names.map((name) => (name === before ? after : name));
    for (const reading of this.readings) reading.filters = rename(reading.filters);
    const [first, ...others] = this.readings.filter(({ filters }) => filters.includes(after));
    for (const one of others) if (first) mergeReading(first, one.criterion, one.filters, one.alsoInText ?? false);
    this.readings.splice(0, Infinity, ...this.readings.filter((one) => !others.includes(one)));
    for (const [token, names] of this.read) this.read.set(token, rename(names));
  }

  /** the words from one token up to another, as they were meant */
  words(from: number, to: number): string {
    const meant = this.tokens.slice(from, to).map(({ word }) => word);
    return meant.join(' ');
  }

  /**
   * The first token of the words that deny what follows at `at`: `not in Dallas`, `other than Dallas`; undefined if none do.
   * @param apart words that may stand between: `not yet approved`
   */
  denialBefore(at: number, apart = 0): number | undefined {
    for (let end = at; end >= at - apart; end--) {
      const start = end - this.phraseBefore(end, 'denials');
      if (start < end && !/^(?:or|whether|said|voted|a)$/.test(this.word(start - 1))) return start;
    }
    return undefined;
  }

  /** Takes words as a denial. @param from token at which the denial begins @param at token at which its object begins */
  readAsDenial(from: number, at: number, to: number): true {
    this.criteria.push({ text: this.slice(from, to), match: { ...literalCriterion(this.slice(at, to)).match, negated: true } });
    this.take(from, to);
    return true;
  }

  /** Takes words as filters or as a denial. Values of a list are added to earlier ones; a second value of a single filter is left to the text. */
  readAsFilters(
    from: number,
    to: number,
    filters: Record<string, string | string[]>,
    orInText: FilterReading['orInText'],
    criterion: Criterion = literalCriterion(this.slice(from, to)),
    alsoInText = false,
  ): boolean {
    const names = Object.keys(filters);
    const denial = names.some((name) => OF_PLACES_DATES_PEOPLE.test(name)) ? this.denialBefore(from) : undefined;
    if (denial !== undefined) return this.readAsDenial(denial, from, to);
    // `only its primary use, no ancillary one`: what is said twice
    const isSame = names.every((name) => typeof filters[name] === 'string' && this.filters[name] === filters[name]);
    if (isSame) this.take(from, to, names);
    if (isSame) return true;
    if (names.some((name) => this.filters[name] !== undefined && !(Array.isArray(filters[name]) && Array.isArray(this.filters[name]))))
      return false;
    for (const [name, value] of Object.entries(filters)) {
      const before = this.filters[name];
      this.filters[name] = Array.isArray(before) && Array.isArray(value) ? [...new Set([...before, ...value])] : value;
    }
    if (names.includes('status')) criterion.match.isDecision = true;
    const same = this.readings.find((reading) => reading.filters.some((name) => names.includes(name)));
    if (same) mergeReading(same, criterion, names, alsoInText);
    else this.readings.push({ text: this.slice(from, to), filters: names, orInText, criterion, ...(alsoInText ? { alsoInText } : {}) });
    this.take(from, to, names);
    return true;
  }
}

/** Two phrases for one filter are alternatives, in its values as in its text. */
function mergeReading(reading: FilterReading, other: Criterion, names: readonly string[], alsoInText: boolean): void {
  if (alsoInText) reading.alsoInText = true;
  reading.filters = [...new Set([...reading.filters, ...names])];
  const [[mine], [theirs]] = [reading.criterion.match.concepts, other.match.concepts];
  if (mine && theirs) mine.phrases = [...new Set([...mine.phrases, ...theirs.phrases])];
  reading.text = `${reading.text}, ${other.text}`;
}
