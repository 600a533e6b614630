/** Compares extracted cases with labelled ones. Pure. */
import type { ExtractedCase, ExtractedDocument } from '../../../ingest/extract/types.ts';
import { computeInterval } from '../../../src/core/domain/shares.ts';
import type { GoldCase, GoldDocument } from './golds.ts';

/** Of one field. `both`: labels and extraction have it; `right` of those; `labelled`: labels have it; `filled`: extraction has it where labels are silent. */
export interface FieldScore {
  labelled: number;
  both: number;
  right: number;
  extra: number;
}

export interface Wrong {
  file: string;
  field: string;
  expected: unknown;
  found: unknown;
}

export interface EvaluationSum {
  documents: number;
  characters: number;
  gold: number;
  extracted: number;
  matched: number;
  quotes: number;
  verbatim: number;
  fields: Record<string, FieldScore>;
  wrong: Wrong[];
}

export const newSum = (): EvaluationSum => ({
  documents: 0,
  characters: 0,
  gold: 0,
  extracted: 0,
  matched: 0,
  quotes: 0,
  verbatim: 0,
  fields: {},
  wrong: [],
});

/** Characters that OCR mistakes for each other are one. */
const fold = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .replace(/0/g, 'o')
    .replace(/[1i]/g, 'l')
    .trim();
const foldNumber = (text: string) =>
  text
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .replace(/O/g, '0')
    .replace(/(?<=^\d\d)5N/, 'SN');
const surname = (name: string) => fold(name).split(' ').at(-1) ?? '';
const tokens = (text: string) =>
  new Set(
    fold(text)
      .split(' ')
      .filter((word) => word.length > 2),
  );

function similarity(a: string, b: string): number {
  const [left, right] = [tokens(a), tokens(b)];
  const common = [...left].filter((word) => right.has(word)).length;
  return common / Math.max(1, Math.min(left.size, right.size));
}

/** How sure it is that two are the same case; 0: they are not. */
function likeness(gold: GoldCase, found: ExtractedCase): number {
  const numbers = gold.numbers.map(foldNumber);
  const hasNumber = found.caseNumbers.some(({ value }) =>
    numbers.some((number) => number.includes(foldNumber(value)) || foldNumber(value).includes(number)),
  );
  const motion = found.motions.at(-1);
  const inMotion = gold.quote && motion && gold.quote.start < motion.end && gold.quote.end > motion.start;
  const title = gold.title && found.title ? similarity(gold.title, found.title.value) : 0;
  const within = gold.quote && gold.quote.start < found.end && gold.quote.end > found.start;
  return (
    (hasNumber ? 4 : 0) +
    (inMotion ? 3 : 0) +
    (within && !gold.numbers.length ? 1 : 0) +
    (hasNumber || inMotion || within ? title : title >= 0.8 ? title : 0)
  );
}

function matchCases(golds: readonly GoldCase[], founds: readonly ExtractedCase[]): [GoldCase, ExtractedCase][] {
  const pairs = golds.flatMap((gold) => founds.map((found) => ({ gold, found, score: likeness(gold, found) })));
  const matched: [GoldCase, ExtractedCase][] = [];
  for (const { gold, found, score } of pairs.sort((a, b) => b.score - a.score))
    if (score > 0.7 && !matched.some(([one, other]) => one === gold || other === found)) matched.push([gold, found]);
  return matched;
}

const family = (decision: string) => (/den/.test(decision) ? 'against' : /approv/.test(decision) ? 'for' : decision);

/** @param strict whether a doubtful label takes one reading alone */
function isRightDecision(expected: string, found: string, doubtful: boolean): boolean {
  return expected === found || (doubtful && family(expected) === family(found));
}

const contains = (a: string, b: string) => fold(a).includes(fold(b)) || fold(b).includes(fold(a));
const zoneCodes = (text: string) => text.match(/\b[A-Z]{1,5}\d?(?:-[A-Z0-9]+)*\b/g) ?? [];
/** The codes of a parcel, without the words before them: `PIN 5428-03` is `5428-03`. */
const codesOf = (text: string) => (text.match(/[\w./-]*\d[\w./-]*/g) ?? []).map(foldNumber);
const COMPARISONS: Readonly<Record<string, (expected: string | number, found: string | number) => boolean>> = {
  case_number: (a, b) =>
    String(b)
      .split('|')
      .some((one) => foldNumber(String(a)).includes(foldNumber(one))),
  title: (a, b) => similarity(String(a), String(b)) >= 0.6,
  address: (a, b) => contains(String(a).replace(/\./g, ''), String(b).replace(/\./g, '')) || similarity(String(a), String(b)) >= 0.75,
  applicant: (a, b) => contains(String(a), String(b)),
  existing_zoning: (a, b) =>
    contains(String(a), String(b)) || (zoneCodes(String(a))[0] !== undefined && zoneCodes(String(a))[0] === zoneCodes(String(b))[0]),
  proposed_zoning: (a, b) =>
    contains(String(a), String(b)) || (zoneCodes(String(a))[0] !== undefined && zoneCodes(String(a))[0] === zoneCodes(String(b))[0]),
  staff_recommendation: (a, b) => String(b).slice(0, 3) === String(a).slice(0, 3),
  parcel: (a, b) =>
    String(b)
      .split('|')
      .some((one) => codesOf(one).every((code) => codesOf(String(a)).includes(code))),
};

const join = (list: readonly { value: string }[]) => (list.length ? list.map(({ value }) => value).join('|') : null);
const EXTRACTED: Readonly<Record<string, (one: ExtractedCase) => string | number | null>> = {
  case_number: (one) => join(one.caseNumbers),
  title: (one) => one.title?.value ?? null,
  address: (one) => one.address?.value ?? null,
  parcel: (one) => join(one.parcelNumbers),
  applicant: (one) => one.contacts.find(({ role }) => role === 'applicant')?.name ?? null,
  acreage: (one) => one.acreage?.value ?? null,
  units: (one) => one.units?.value ?? null,
  lots: (one) => one.lots?.value ?? null,
  existing_zoning: (one) => one.existingZoning?.value ?? null,
  proposed_zoning: (one) => one.proposedZoning?.value ?? null,
  conditions_count: (one) => one.conditionCount?.value ?? null,
  conditions_listed: (one) => one.conditions.length || null,
  next_hearing_date: (one) => one.nextHearing?.value ?? null,
  staff_recommendation: (one) => one.staffRecommendation?.value ?? null,
};

/** Adds one document to a sum. @param doubtful whether labels that are in doubt count; then either reading is right */
export function addDocument(sum: EvaluationSum, gold: GoldDocument, found: ExtractedDocument, doubtful: boolean): void {
  const { file, text } = gold.document;
  const golds = gold.cases.filter(({ doubts }) => doubtful || !doubts.includes('case'));
  const pairs = matchCases(gold.cases, found.cases);
  const note = (field: string, expected: unknown, value: unknown, right: boolean) => {
    sum.fields[field] ??= { labelled: 0, both: 0, right: 0, extra: 0 };
    const score = sum.fields[field];
    const [has, filled] = [expected !== null && expected !== undefined, value !== null && value !== undefined];
    if (has) score.labelled += 1;
    if (has && filled) score.both += 1;
    if (has && filled && right) score.right += 1;
    if (!has && filled) score.extra += 1;
    if ((has || filled) && !right) sum.wrong.push({ file, field, expected, found: value });
  };
  sum.documents += 1;
  sum.characters += text.length;
  sum.gold += golds.length;
  // What an agenda announces becomes hearings ahead; labels of agendas that state no outcome name no cases.
  const isUnlabelled = (one: ExtractedCase) => one.caseNumbers.some(({ value }) => gold.unlabelled?.has(value));
  // Where doubtful labels do not count, neither do the cases that were read for them.
  const matched = pairs.filter(([one]) => golds.includes(one));
  const isMatched = (one: ExtractedCase) => matched.some(([, other]) => other === one);
  const isLeftOut = (one: ExtractedCase) => !doubtful && !isMatched(one) && (isUnlabelled(one) || pairs.some(([, other]) => other === one));
  const counted = found.cases.filter((one) => !isLeftOut(one));
  if (golds.length || gold.kind !== 'agenda') sum.extracted += counted.length;
  sum.matched += matched.length;
  for (const one of golds)
    if (!pairs.some(([other]) => other === one))
      sum.wrong.push({ file, field: 'case', expected: one.numbers.join() || one.title, found: null });
  for (const one of golds.length || gold.kind !== 'agenda' ? found.cases : [])
    if (!pairs.some(([, other]) => other === one))
      sum.wrong.push({ file, field: 'case', expected: null, found: join(one.caseNumbers) ?? one.title?.value });
  note('kind', gold.kind, found.kind, gold.kind === found.kind);
  note(
    'meeting_date',
    gold.set === 'va_counties' ? undefined : gold.date,
    gold.set === 'va_counties' ? undefined : found.meetingDate?.value,
    gold.date === found.meetingDate?.value,
  );
  for (const [one, other] of pairs) {
    const counts = (field: string) => doubtful || !one.doubts.includes(field);
    if (one.decision !== undefined && counts('outcome'))
      note(
        'decision',
        one.decision,
        other.decision?.value ?? null,
        one.decision === null
          ? other.decision?.value === 'withdrawn'
          : isRightDecision(one.decision, other.decision?.value ?? '', one.doubts.includes('outcome') || gold.set === 'va_counties'),
      );
    for (const [field, expected] of Object.entries(one.values)) {
      const value = EXTRACTED[field]?.(other) ?? null;
      if (counts(field))
        note(field, expected, value, expected !== null && value !== null && (COMPARISONS[field]?.(expected, value) ?? expected === value));
    }
    if (one.tally !== undefined && counts('vote')) addVotes(one, other, note);
  }
  countQuotes(sum, text, found);
}

function addVotes(
  gold: GoldCase,
  { motions }: ExtractedCase,
  note: (field: string, expected: unknown, value: unknown, right: boolean) => void,
): void {
  const motion = motions.at(-1);
  const tally = motion?.tally?.value ?? null;
  const expected = gold.tally ?? null;
  note(
    'vote_totals',
    expected,
    tally,
    expected !== null &&
      tally !== null &&
      expected.yes === tally.yes &&
      expected.no === tally.no &&
      expected.abstain === (tally.abstain ?? 0),
  );
  note('mover', gold.mover, motion?.mover?.value ?? null, surname(gold.mover ?? '') === surname(motion?.mover?.value ?? ''));
  note('seconder', gold.seconder, motion?.seconder?.value ?? null, surname(gold.seconder ?? '') === surname(motion?.seconder?.value ?? ''));
  const cast = (vote: string) => !['absent', 'recused', 'recuse'].includes(vote);
  // Labels spell `recuse`.
  const names = new Map(Object.entries(gold.votes ?? {}).map(([name, vote]) => [surname(name), vote.replace(/^recuse$/, 'recused')]));
  const found = new Map((motion?.votes ?? []).map(({ name, vote }) => [surname(name), vote as string]));
  for (const [name, vote] of names) note('vote_by_name', vote, found.get(name) ?? null, found.get(name) === vote);
  if (names.size)
    for (const [name, vote] of found) if (!names.has(name) && cast(vote)) note('vote_by_name', null, `${name} ${vote}`, false);
}

/** Spans of every value; each is words of the text, and not blank. */
function countQuotes(sum: EvaluationSum, text: string, found: ExtractedDocument): void {
  const look = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(look);
    else if (value && typeof value === 'object') {
      const { start, end } = value as { start?: number; end?: number };
      if (start !== undefined && end !== undefined) {
        sum.quotes += 1;
        const stated = (value as { value?: unknown; name?: unknown }).value ?? (value as { name?: unknown }).name;
        const quote = text.slice(start, end);
        const bare = (words: string) =>
          words
            .replace(/[\s\u2010-\u2015*|_-]+/g, '')
            .replace(/[\u2018\u2019]/g, "'")
            .replace(/[\u201c\u201d]/g, '"')
            // Of case numbers, digits that a scan has as letters are read.
            .replace(/O/g, '0')
            .replace(/[lI]/g, '1');
        const isSaid =
          typeof stated !== 'string' ||
          /^\d{4}-\d\d-\d\d$|^[a-z_]+$/.test(stated) ||
          bare(quote).includes(bare(stated)) ||
          bare(quote).startsWith(bare(stated).slice(0, 20));
        if (start >= 0 && end <= text.length && quote.trim() && isSaid) sum.verbatim += 1;
        else sum.wrong.push({ file: '', field: 'quote', expected: stated, found: quote.slice(0, 80) });
      }
      Object.values(value).forEach(look);
    }
  };
  look(found);
}

/** `0.95 (19/20, .76–.99)` */
export function formatShare(count: number, whole: number): string {
  if (!whole) return '–';
  const share = Math.round((count / whole) * 10_000) / 10_000;
  const [low, high] = computeInterval(count, whole, share);
  return `${share.toFixed(3)} (${count}/${whole}, ${low.toFixed(2)}–${high.toFixed(2)})`;
}
