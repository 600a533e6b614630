/**
 * Reads codes: zonings, and numbers of cases and parcels.
 *
 *     zonings ::= ("zoned" | "proposed zoning" | …) codes | codes "as the proposed zoning" | codes "zoning"
 *               | [codes] "to" codes | "from" codes, behind or before a word for rezoning, or where both sides are codes
 *     numbers ::= ["case number" | "parcel" | …] number {("," | "or" | "and") number}
 *     codes   ::= code {("," | "or" | "and" | "/") code}
 */
import { unitAt } from './amounts.ts';
import { literalCriterion } from './criterion.ts';
import type { QuestionWords } from './questionWords.ts';
import { isNeeded, listPhrases, listStems } from './words.ts';

const ZONING = /^[A-Z][A-Z\d]{0,7}(?:[-.][A-Z\d]+)*(?:\([\w-]+\))?(?![\w-])/;
/** Letters, and two groups of figures: `LDC26-00031`, `24-RZ-0045`; behind a word for them figures alone: `2025-114`. */
const NUMBER = /^(?!FY)(?=[\w.-]*(?:[A-Z]{2}|(?<![\w.-])[A-Z]))(?=(?:[\w.-]*\d){4})[A-Z]*\d+(?:[A-Z]+|[-.]+)[\w.-]*\d[A-Z]*(?![\w-])/;
/** `CUP 26-02` */
const LETTERS_APART = /^[A-Z]{1,5} \d{2,4}-\d{1,5}(?![\w-])/;
const LETTERS_FIRST = /^(?!FY)(?=(?:[\w.-]*\d){4})[A-Z]+(?:[-.]?\d+[-.][\w.-]*\d|\d{6,})(?![\w-])/;
const FIGURES = /^(?=(?:[\w.-]*\d){3})(?:[A-Z\d]+(?:[-.][A-Z\d]+)+|[A-Z]{1,6}\d+|\d{6,})(?![\w-])/i;
/** Three groups of figures or more, where the question speaks of parcels: `0451-22-7706`, `304-12-018A`. */
const PARCEL = /^\d+[A-Z]?(?:-\d+[A-Z]?){2,}(?![\w-])/;
const REZONING = listStems('codeRezoning');
const SIDES = ['Proposed', 'Existing'] as const;

/** The codes of a list from a token on; undefined for none. */
function codesAt(
  question: QuestionWords,
  at: number,
  pattern: RegExp,
  isOther: (code: string) => boolean = () => false,
): { values: string[]; to: number } | undefined {
  const start = question.tokens[at]?.start ?? question.text.length;
  const [code = ''] = pattern.exec(question.text.slice(start)) ?? [];
  const to = question.tokens.findLastIndex(({ end }) => end <= start + code.length) + 1;
  if (!code || isOther(code) || !question.isFree(at, to)) return undefined;
  const joins = Number(/^(?:or|and)$/.test(question.word(to)));
  const more = joins || /^\s*[,/|]\s*$/.test(question.textAfter(to - 1)) ? codesAt(question, to + joins, pattern, isOther) : undefined;
  return { values: [code, ...(more?.values ?? [])], to: more?.to ?? to };
}

/** Words between a zoning and what tells its side: `where the district they have asked for is MU-4`. */
const CUE_REACH = 8;

/** The side of codes of which no phrase tells it, by the nearest word in their clause that does: `target zoning MF-18`, `going for MU-4`. */
function findCue(question: QuestionWords, at: number, { values, to }: { values: string[]; to: number }) {
  const named = /^(?:designation|zoning|district)$/.test(question.word(to)) ? to + 1 : to;
  if (named === to && !values.every((code) => /\d/.test(code))) return undefined;
  let isZoned = question.is(to, 'codeLand');
  for (let from = at - 1; from >= Math.max(0, at - CUE_REACH) && question.isFree(from) && !/[,;]/.test(question.textAfter(from)); from--) {
    const isZoning = /^(?:zon(?:e|es|ed|ing)|rezon\w+|districts?|designation|classification|going)$/.test(question.word(from));
    isZoned ||= isZoning;
    const side = SIDES.find((one) => question.is(from, `code${one}Cues`));
    if (side && isZoned) return { side, from, to: named };
    if (!isZoning && !side && isNeeded(question.word(from))) break;
  }
  // `on RA-40 or C-2 land`
  const isOnLand =
    (at === 0 || /^(?:on|of)$/.test(question.word(at - 1)) || /[,;]\s*$/.test(question.textAfter(at - 1))) &&
    /^(?:land|ground|parcels?|property|sites?|acreage)$/.test(question.word(to));
  return isOnLand ? { side: 'Existing' as const, from: at, to: to + 1 } : undefined;
}

/** `rezonings from R-1 to PUD`, `zoned R-3`, `AG ground to M-2 or M-3` */
export function readZonings(question: QuestionWords, isState: (text: string) => boolean): void {
  let isMoving = question.stems.some((stem) => REZONING.has(stem));
  for (let i = 0; i < question.tokens.length; i++) {
    const codes = codesAt(question, i, ZONING, isState);
    if (!codes) continue;
    const land = codes.to + question.phraseAt(codes.to, 'codeLand');
    const towards = question.phraseAt(land, 'codeTowards');
    const next = towards ? codesAt(question, land + towards, ZONING, isState) : undefined;
    isMoving ||= next !== undefined && /\d/.test(codes.values.concat(next.values).join(''));
    const said = SIDES.map((side) => {
      const lead = question.phraseBefore(i, `code${side}`) || (isMoving ? question.phraseBefore(i, `code${side}Moving`) : 0);
      return { side, from: i - lead, to: codes.to + (lead ? 0 : question.phraseAt(codes.to, `code${side}Behind`)) };
    }).find(({ from, to }) => from < i || to > codes.to);
    const read = said ?? (next && isMoving ? { side: 'Existing' as const, from: i, to: land } : findCue(question, i, codes));
    // `applications for ADU`
    const isOfThing = question.word(i - 1) === 'for' && !codes.values.some((code) => /\d/.test(code)) && !isMoving;
    if (!read || isOfThing || !question.isFree(read.from, read.to)) continue;
    // The field of the other zoning says no `to C-3`.
    const phrases = listPhrases(`code${read.side}Leads`).flatMap((lead) => codes.values.map((code) => `${lead} ${code}`));
    const criterion = literalCriterion(question.slice(i, codes.to), phrases);
    question.readAsFilters(read.from, read.to, { [`${read.side.toLowerCase()}Zonings`]: codes.values }, 'unstated', criterion);
    i = read.to - 1;
  }
}

/** `case number ZA-2024-0113`, `LDC26-00031 and LDC26-00038`, `parcel 12-045-003` */
export function readNumbers(question: QuestionWords): void {
  const areParcels = question.tokens.some((_, i) => question.is(i, 'codeParcel'));
  for (let i = 0; i < question.tokens.length; i++) {
    const [ofCase, ofParcel] = [question.phraseAt(i, 'codeCase'), question.phraseAt(i, 'codeParcel')];
    const lead = ofCase || ofParcel;
    const at = i + lead + Number(question.word(i + lead) === '#');
    const found = lead
      ? codesAt(question, at, FIGURES)
      : [NUMBER, LETTERS_FIRST, LETTERS_APART].map((pattern) => codesAt(question, i, pattern)).find(Boolean);
    const parcels = areParcels && !found ? codesAt(question, i, PARCEL) : undefined;
    const codes = found ?? parcels;
    // `SFR 20-80 acres`
    if (!codes || !question.isFree(i, codes.to) || (!lead && unitAt(question.tokens, codes.to))) continue;
    const filter = parcels || (ofParcel && !ofCase) ? 'parcelNumbers' : 'caseNumbers';
    question.readAsFilters(i, codes.to, { [filter]: codes.values }, 'always', literalCriterion(question.slice(at, codes.to), codes.values));
    i = codes.to - 1;
  }
}
