/** Values behind labels, as forms and staff reports print them: `ACRES: 31.9  LOTS: 87`, or a label on one line and its value on the next. Pure. */
import labels from './labels.json' with { type: 'json' };

export type FormLabel = keyof typeof labels;
/** A value, and where it stands in `prose`. */
export interface LabelValue {
  value: string;
  at: number;
}
export type Labels = Partial<Record<FormLabel, LabelValue>>;

const NAMES = Object.keys(labels) as FormLabel[];
const ANY = Object.values(labels).join('|');
/** A label begins a line, or follows the value of another one; its first letter is a capital. */
const LABELLED = new RegExp(
  `(?:^|\\n|[.;,|-] |[([]|(?<=[\\w.)]) (?=[A-Z]{4}|[A-Z][a-z]))[A-Z]{0,3}[).]? ?(?:${NAMES.map((name) => `(?<${name}>${labels[name]})`).join('|')})(?:\\(e?s\\))?(?: ?(?:#|no\\.?))? ?:`,
  'gi',
);
const ALONE = new RegExp(`^(?:${ANY})(?:\\(e?s\\))?(?: ?(?:#|no\\.?))? ?:$`, 'i');
/** Whether a line is a label alone, whose value stands on the next one. */
export const isLabelAlone = (line: string): boolean => /^[A-Z].{1,32}:$/.test(line) && ALONE.test(line);
const FIRST = new RegExp(
  `^(?!(?:action(?! requested)|vote|motion|second|seconded by|moved by|result)\\b)(?:${ANY})(?: ?\\(?e?s\\)?)?(?: ?(?:#|no\\.?|number))? ?:`,
  'i',
);
/** Whether a line begins with a label. */
export const beginsWithLabel = (line: string): boolean => FIRST.test(line);
/** Labels that no sentence begins with, so that a gap behind one is as good as a colon: `Applicant     Kingdom Cider Works, Inc.` */
const COLUMN = new RegExp(
  `(^ *|[^ :] {3,})((?!(?:to|from|site|size|area|staff|title|project|lots|units|other|type|code|section|building|notice) )(?:${ANY}))   (?=[ ]*\\S)`,
  'gi',
);
/** A row of a label, or of the mark of an item, and what it heads: `Zoning | TR-10 |`, `Item IV.b | Use permit |` */
const ROW = new RegExp(`^(?:(${ANY})|Item [A-Z\\d.]{1,8}) \\|( [^|]{1,300})\\|?$`, 'i');
/** A line whose labels stand in columns, or in cells, as a line with colons of the same length. */
export const closeColumns = (line: string): string =>
  line.includes(' | ')
    ? line.replace(ROW, (whole, label: string | undefined) => whole.replace(' |', label ? ': ' : '  ').replace('|', ' '))
    : line.includes('   ')
      ? line.replace(COLUMN, (whole, before: string, label: string) => (/^[A-Z]/.test(label) ? `${before}${label}:  ` : whole))
      : line;
const VALUE_MOST = 240;

interface LabelAt {
  name: FormLabel;
  start: number;
  end: number;
}

function findLabels(words: string): LabelAt[] {
  return [...words.matchAll(LABELLED)].flatMap(({ index, 0: whole, groups = {} }) => {
    const name = NAMES.find((one) => groups[one] !== undefined);
    const first = /[A-Za-z]/.exec(whole)?.[0] ?? '';
    return name && (first === first.toUpperCase() || /^; /.test(whole)) ? [{ name, start: index, end: index + whole.length }] : [];
  });
}

/** The first value of each label in a range of `prose`. */
export function readLabels(prose: string, start: number, end: number): Labels {
  const words = prose.slice(start, end);
  const found = findLabels(words);
  const read: Labels = {};
  for (const [i, { name, end: at }] of found.entries()) {
    const stop = Math.min(found[i + 1]?.start ?? words.length, at + VALUE_MOST);
    const rest = words.slice(at, stop);
    const lead = /^\s{0,3}/.exec(rest)?.[0].length ?? 0;
    const value = (rest.slice(lead).split('\n', 1)[0] ?? '').replace(/[\s;,]{1,5}$/, '');
    if (!value || read[name]) continue;
    read[name] = { value, at: start + at + lead };
  }
  return read;
}
