/** Votes of a motion: by name, counted, unanimous. Tables with marks, lists behind `Ayes:`, rows of a roll call, and sentences. Pure. */
import type { Vote } from '../../../src/core/domain/record/statement.ts';
import type { Span, Stated } from '../types.ts';
import { findNameBefore, isName, type NameAt, splitNames, surnameOf, withoutTitle } from './names.ts';
import { NUMBER_WORD, readNumber } from './numbers.ts';
import { findFrom, type ReadableText, type TextLine } from './text.ts';

export interface VotesRead {
  votes: (Vote & Span)[];
  tally: Stated<{ yes: number; no: number; abstain: number | null }> | null;
  unanimous: Stated<true> | null;
  /** true: it says that it carried; false: that it failed; null: neither */
  carried: boolean | null;
  doubts: string[];
}

type VoteWord = Vote['vote'];

const WORDS: readonly [RegExp, VoteWord][] = [
  [/^(?:yes|ayes?|yeas?|yea|y|for|favou?r|approve|affirmative|in favou?r|yes votes?|in the affirmative|voting aye|voting yes)$/i, 'yes'],
  [/^(?:no|nays?|noes|n|nos|against|oppos\w+|negative|(?:in )?dissent\w*|in opposition|deny|in the negative|voting nay|voting no)$/i, 'no'],
  [/^(?:abstain\w{0,5}|abstentions?|present not voting|abst?)$/i, 'abstain'],
  [/^(?:recus\w*|conflict|disqualified)$/i, 'recused'],
  [/^(?:absent\w*|excused?|not present|away)$/i, 'absent'],
];
const voteOf = (word: string): VoteWord | null => WORDS.find(([pattern]) => pattern.test(word.trim()))?.[1] ?? null;

const VOTE_WORD =
  '(?:[Yy]es|YES|[Aa]yes?|AYE|[Nn]ays?|NAY|[Yy]eas?|YEA|[Nn]o|NO|[Aa]bstain(?:ed|s|ing)?|ABSTAIN(?:ED)?|[Aa]bsent|ABSENT|[Ee]xcused|EXCUSED|[Rr]ecused?|RECUSED?|[YN](?= ?(?:[/,;]|-|\\n|$)|\\.? [A-Z][a-z])|[Aa]bst(?=\\.))';
/** `Commissioner Wood - Aye`, `Jill Fonte -Aye`, `Chair Roach: Yes`, `Lee aye` */
const INLINE = new RegExp(
  `(?: ?[-:=]{1,2} ?|[?] (?=${VOTE_WORD})|, (?=(?:aye|nay|yea|yes|no)\\b)| (?=(?:[Aa]ye|[Nn]ay|[Yy]ea|AYE|NAY|YEA)\\b)| (?=(?:[Yy]es|YES|[Nn]o|NO)(?:[,;.)]|\n|$))| (?=${VOTE_WORD} (?:Motion\\b|[A-Z][\\w'-]{1,20}(?: [A-Z][\\w'-]{1,20})? ${VOTE_WORD}\\b))| (?=["'](?:aye|nay|yes|no|abstain\\w{0,4})["'])| (?=(?:[YN](?: ?[/,;]| -|\n|$)|[Aa]bst\\.))| \\.{2,20} ?)["']?(${VOTE_WORD})\\b["']?(?! (?:one|other|further|public|comments?|questions?|conditions?|of)\\b|\\. ?[A-Z#]{0,9}[-\\d])`,
  'g',
);
const LABEL =
  '(?:(?:yes|no)(?=["\'] ?:)|Y(?=: [A-Z])|N(?=: [A-Zn])|Ayes?|AYES?|Yeas?|YEAS?|Yes|YES|Nays?|NAYS?|Noes|NOES|No|NO|In [Ff]avor|IN FAVOR|For|FOR|Opposed|OPPOSED|Against|AGAINST|Abstain(?:ed|ing)?|ABSTAIN(?:ED|ING)?|Abstentions?|ABSTENTIONS?|Absent|ABSENT|Excused|EXCUSED|Recused|RECUSED|Recusals?|Not [Vv]oting|NOT VOTING|(?:Voting|VOTING) (?:[Aa]ye|[Nn]ay|[Yy]es|[Nn]o|YES|NO|AYE|NAY))';
const LABELLED_LIST = new RegExp(
  `(?<![\\w-])["']?(${LABEL})["']?(?: ?[(]\\d{1,2}[)]| \\d{1,2}(?= ?[-:]))?(?: votes?)?(?: members?)? ?(?: ?[-:] ?\\d{1,2} (?=[A-Z][a-z][\\w'-]{1,20}(?:,|\\n|$))| (?<=\\n(?:Ayes?|AYES?|Nays?|NAYS?|Yeas?|YEAS?|Noes|Abstain(?:ed)?|Absent|ABSENT) )(?=[A-Z][\\w'-]{1,20}(?:,|\\n|$))|:|=| by(?= [A-Z])| -(?! \\d)|[.](?= [A-Z])) ?(?:(?:Commissioners?|COMMISSIONERS?|Members?|MEMBERS?|Supervisors?|Trustees?): ?|\\d{1,2}(?:[,:;]| -) ?(?=[A-Z][A-Za-z]{2})|\\d{1,2} ?(?=[(]))?`,
  'g',
);
const LIST_END = new RegExp(
  `(?<!\\b(?:[A-Z]|Mr|Ms|Mrs|Dr|Jr|Sr|MR|MS|MRS|DR|JR|SR))[.](?= |$|\\n)|;|\\n|["']?\\b${LABEL}\\b["']? ?(?:[(]\\d{1,2}[)] ?)?(?:[:=-]|[.] [A-Z])|\\b(?:[Mm]otion|MOTION|[Tt]he|[Uu]nanimous\\w*|[Cc]arried|[Pp]assed|Vote)\\b`,
);
const DID =
  '(?:yes|aye|nay|no|yea|in favor|in the affirmative|in the negative|against|in (?:opposition|dissent)|for|to approve|abstain\\w{0,5}|opposed)';
/** `voted "Yes"`, `voting no`, `opposed`: the names stand before it, or behind it: `voting aye were A, B and C` */
const VOTED = new RegExp(
  `(?:,? |(?<=\\n)|^)(?:all |who )?(?:\\b(?:voted|voting|votes|vote|casting a|cast a|cast the)(?: on)? ?(?:the )?["']?(${DID})\\b["']?|\\b(?:casting|cast) (?:the|a) (?:only |sole |lone |one )?(negative|dissenting|opposing|nay|no) vote|\\b(?:was |were |having )?(opposed|opposing|absent|dissent(?:ed|ing)|abstain(?:ed|ing|s)|recus(?:ed|ing))\\b|(in favor|against|in opposition|for(?: the motion)?(?=[.,;]))(?=[.,;]| and\\b| with\\b))`,
  'gi',
);
const LISTED_AFTER = /^ ?(?:(?:were|was|are|is) ?:?|:|-) ?/;
/** What stands before a list of names in its sentence. */
const BEFORE_LIST =
  /^.{0,160}\b(?:with|passed|carried|follows|vote|votes|voted(?=:)|call|motion|favor|opposed|yes"?|no"?|aye|nay)\b[:,]? /i;
const UNANIMOUS =
  /\b(?:unanimous(?:ly)?|ayes?(?: ?[:-])? all\b|all (?:(?:those |(?:the )?(?:\w+ )?(?:members|commissioners) )?(?:present )?)?(?:were |was |voted |voting |voices? )?(?:in favou?r|ayes?|yes|in the affirmative|yeas)|all ayes|all (?:members )?approved|all voted (?:aye|yes|in favou?r)|(?:with )?no (?:opposition|nays|dissent|one opposed)|without (?:opposition|dissent|objection))\b/i;
const FAILED =
  /\b(?:motion|vote|it|substitute motion|amendment)(?: to \w+)? (?:then )?(?:has |was |is )?(?:failed|fails|failing|died|dies|defeated|lost|not (?:carry|carried|pass|adopted|seconded)|did not (?:carry|pass|receive a second)|does not (?:carry|pass)|withdrawn|rescinded)\b|\b(?:failed|died|dies|fails) (?:for|due to|because of)(?: the)? (?:lack|want) of|\b(?:lack|want) of a second\b|\bno (?:second|2nd)\b|\bmotion (?:to \w+ )?(?:failed|fails)\b|\bMOTION FAILED\b|\b(?:failed|fails) (?:by|on) a vote|\d-\d, fails\b|\bdeclared (?:that )?(?:the )?(?:\w+ ){0,3}(?:denied|lost|failed|dead|defeated)\b|\b(?:withdrew|rescinded) (?:his|her|the|their) motion\b|\bRESULT: ?(?:FAILED|DEFEATED|LOST)/gi;
const CARRIED =
  /\b(?:carried|carries|passed|passes|prevailed|unanimous(?:ly)?|so ordered|motion approved|motion was approved|motion adopted|adopted|RESULT: ?\w+|APPROVED|all in favor)\b/gi;

const COUNT = `(\\d{1,2}|zero|${NUMBER_WORD})`;
const countOf = (text: string | undefined): number => (text === undefined || /^0\d/.test(text) ? Number.NaN : readNumber(text));
const GAP = ' ?(?:-to-|-|:| to |/) ?';
/** `passed 5-2`, `with a vote of 6-to-1`, `passed six to one`, `(7-0)` */
const AFTER_WORD = new RegExp(
  `(?:\\bvot(?:e|ed|es|ing)|\\bpass(?:ed|es)|\\bcarri(?:ed|es)|\\bapprov(?:ed|al)|\\badopted|\\bden(?:ied|ial)|\\bfail(?:ed|s)|\\bunanimous(?:ly)?|\\bmotion|\\btally|\\bresult|\\broll call|\\bcontinued|\\btabled|\\brecommend(?:ed)?)(?:[ :,("|-]{1,3}(?:\\w{1,12}[ :,("|-]{1,3}){0,5}?)(?<![A-Za-z]-)(?!0\\d|\\d{1,2}/\\d{1,2}/\\d\\d)${COUNT}${GAP}${COUNT}(?:${GAP}${COUNT})?(?![\\d/-]|\\.\\d| (?:feet|foot|ft|acres|pm|p\\.m|a\\.m|years|stor))`,
  'gi',
);
const BEFORE_WORD = new RegExp(
  `(?<![\\d/.-])${COUNT}${GAP}${COUNT}(?:${GAP}${COUNT})? (?:vote|in favor|in the affirmative|margin|majority|decision|\\((?:yes|aye))`,
  'gi',
);
const COUNTED_WORDS = new RegExp(
  `(?<![\\d/.-])${COUNT}(?: members?| commissioners?| votes?)? ?(?:\\(|- )?(ayes?|yes|yeas?|in favor|for|affirmative|nays?|noes|no|opposed|against|in opposition|abstain\\w{0,5}|abstentions?)\\b(?! later)`,
  'gi',
);
const LABELLED_COUNT =
  /\b(ayes?|yes|yeas?|in favor|for|nays?|noes|no|opposed|against|abstain\w{0,5}|abstentions?)(?: votes?)?(?: ?(?:[:=-]|\() ?(?:unanimous ?\()?(\d{1,2}|none|zero|one|two|three|four|five|six|seven|eight|nine)\b| (?<=(?:ayes?|yeas?|yes|nays?|noes|votes|abst\w{4,7}) )(\d{1,2})(?= ?(?:[(,;.\n]|$)))(?!\/|-\d|\.\d|,\d)/gi;
/** `1 nay (Smith)`, `Nays: 1 (Smith)`, `Nays: Two (Lee and Smith)` */
const COUNTED_NAMES = new RegExp(`\\b(${LABEL})(?: votes?)?(?: ?[:=-]? ?${COUNT.replace('(', '(?:')})? ?[(]([^()\\n\\d]{2,120})[)]`, 'gi');
/** As many names behind a count as were against: `carried 5-1 (Reed)` */
const OUTVOTED = /\b\d{1,2}-([1-9])[,:]? [(]([^()\n\d]{3,80})[)]/g;
const TALLY_MOST = 25;
/** `motion to address ZB 20-05`, `subject to conditions 1-3` */
const CODE_BEFORE =
  /\b(?!(?:VOTE|AYES|YES|NO|TO|OF|BY|WAS|AND|PASS)\b)[A-Z]{1,4} $|\b(?:[Cc]ondition|[Ss]tipulation|[Ii]tem|[Ll]ot|[Ss]ection|[Pp]age|[Nn]umber)s? $/;

/** What a stretch of `prose` says of a vote. @param surnames of members, in lower case */
export function readVotes(text: ReadableText, from: number, to: number, surnames: ReadonlySet<string>): VotesRead {
  const prose = text.prose.slice(from, to);
  const doubts: string[] = [];
  const found = new Map<string, Vote & Span>();
  const add = (name: string, vote: VoteWord, span: Span) => {
    const key = surnameOf(name);
    const known = found.get(key);
    if (!known) found.set(key, { name, vote, ...span });
    else if (known.vote !== vote && !doubts.includes('votes_differ')) doubts.push('votes_differ');
  };
  const addAt = (name: string, at: number, vote: VoteWord) => add(name, vote, text.toSpan(from + at, from + at + name.length));
  const table = readTable(text, text.toOriginal(from), text.toOriginal(to));
  for (const { name, vote, ...span } of table) add(name, vote, span);
  if (!table.length) readLists(prose, surnames, addAt);
  const votes = [...found.values()];
  const unanimous = UNANIMOUS.exec(prose);
  const tally = readTally(text, from, prose, unanimous !== null) ?? countVotes(votes);
  // `carried 5-0, with Mr. Reed abstaining`
  if (tally?.value.abstain === null) tally.value.abstain = votes.filter(({ vote }) => vote === 'abstain').length || null;
  const failed = [...prose.matchAll(FAILED)].at(-1);
  const carried = [...prose.matchAll(CARRIED)].length > 0;
  const lost = tally !== null && tally.value.yes <= tally.value.no;
  const counted = votes.filter(({ vote }) => vote === 'yes').length;
  if (tally && counted > 1 && counted !== tally.value.yes && !/\bchair\b/i.test(prose)) doubts.push('tally_and_names_differ');
  return {
    votes,
    tally,
    unanimous:
      unanimous && !tally?.value.no && !votes.some(({ vote }) => vote === 'no')
        ? { value: true, ...text.toSpan(from + unanimous.index, from + unanimous.index + unanimous[0].length) }
        : null,
    carried: failed || lost ? false : carried || tally !== null ? true : null,
    doubts,
  };
}

function readLists(prose: string, surnames: ReadonlySet<string>, add: (name: string, at: number, vote: VoteWord) => void): void {
  const taken: Span[] = [];
  const isFree = (at: number) => !taken.some(({ start, end }) => at >= start && at < end);
  const take = (names: readonly NameAt[], vote: VoteWord, start: number, end: number) => {
    for (const { name, at } of names) add(name, at, vote);
    if (names.length) taken.push({ start, end });
  };
  for (const { index, 0: whole, 1: label = '', 2: list = '' } of prose.matchAll(COUNTED_NAMES)) {
    const vote = voteOf(label);
    const end = index + whole.length;
    if (vote !== null) take(splitNames(list, end - 1 - list.length, surnames), vote, index, end);
  }
  for (const { index, 0: whole, 1: count, 2: list = '' } of prose.matchAll(OUTVOTED)) {
    const names = splitNames(list, index + whole.length - 1 - list.length, surnames);
    if (names.length === Number(count) && names.length === list.split(/,? (?:and|&) |, /).length)
      take(names, 'no', index, index + whole.length);
  }
  for (const { index, 0: whole, 1: label = '' } of prose.matchAll(LABELLED_LIST)) {
    const vote = voteOf(label.replace(/^voting /i, ''));
    // `File No. 12` is no vote.
    if (vote === null || !isFree(index) || /^no\./i.test(whole)) continue;
    const start = index + whole.length;
    const rest = prose.slice(start, start + 400);
    const end = LIST_END.exec(rest)?.index ?? rest.length;
    take(splitNames(rest.slice(0, end), start, surnames), vote, index, start + end);
  }
  for (const { index, 0: whole, 1: word = '' } of prose.matchAll(INLINE)) {
    const vote = voteOf(word);
    if (vote === null || !isFree(index) || /\bvot(?:ed|ing|es?)$/.test(prose.slice(Math.max(0, index - 7), index))) continue;
    const names = namesBefore(prose, index, surnames, true);
    take(names, vote, names[0]?.at ?? index, index + whole.length);
  }
  for (const { index, 0: whole, 1: did, 2: cast, 3: verb, 4: being } of prose.matchAll(VOTED)) {
    const vote = voteOf((did ?? cast ?? verb ?? being ?? '').replace(/^to approve$/, 'yes').replace(' the motion', ''));
    const behind = index + whole.length;
    const isWith =
      being === undefined ||
      /\bhaving |\ball /.test(whole) ||
      /\b(?:with|VOTED:|[Vv]oted:)[^.\n]{0,120}$/.test(prose.slice(Math.max(0, index - 130), index));
    if (vote === null || !isWith || !isFree(index) || !isFree(behind - 1)) continue;
    const listed = did === undefined ? null : LISTED_AFTER.exec(prose.slice(behind, behind + 12));
    const names = listed ? namesAfter(prose, behind + listed[0].length, surnames) : namesBefore(prose, index, surnames);
    const own = names.filter(({ at }) => isFree(at));
    take(own, vote, Math.min(index, own[0]?.at ?? index), behind);
  }
}

/** The names of the sentence that ends here. */
function namesBefore(prose: string, end: number, surnames: ReadonlySet<string>, short = false): NameAt[] {
  const from = Math.max(0, end - 320);
  const window = prose.slice(from, end);
  const stop =
    Math.max(
      window.lastIndexOf('\n'),
      window.lastIndexOf(';'),
      short ? window.lastIndexOf(':') : -1,
      // `Reed-nay, Holt-aye`
      short
        ? [...window.matchAll(/-(?:aye|nay|yea|yes|no|abstain|absent)\b| [YN](?= ?[/,;]| [A-Z][a-z])/gi)].reduce(
            (_, { index, 0: one }) => index + one.length - 1,
            -1,
          )
        : -1,
      // `voted 3-2 (Gwan and Leigh voting no)`
      window.lastIndexOf('(') > window.lastIndexOf(')') ? window.lastIndexOf('(') : -1,
      lastSentenceEnd(window),
    ) + 1;
  const clause = window.slice(stop);
  const lead = BEFORE_LIST.exec(clause)?.[0].length ?? 0;
  const all = splitNames(clause, from + stop, surnames);
  const behind = splitNames(clause.slice(lead), from + stop + lead, surnames);
  const nearest = all.length >= behind.length && all.length && isListed(clause, all, from + stop) ? all : behind;
  if (nearest.length && !short) return nearest;
  if (short && all.length && isListed(clause, all, from + stop)) return all;
  const one = findNameBefore(prose, end);
  return one ? [one] : [];
}

/** Whether a clause is names, and little else. */
const isListed = (clause: string, names: readonly NameAt[], offset: number) =>
  names.every(({ at }, i) => at - (i ? (names[i - 1] as NameAt).at + (names[i - 1] as NameAt).name.length : offset) < (i ? 32 : 48)) &&
  clause.length - ((names.at(-1) as NameAt).at - offset + (names.at(-1) as NameAt).name.length) < 60;

const lastSentenceEnd = (words: string): number => {
  const ends = [...words.matchAll(/[a-z0-9"')]{2}[.]["']? (?=[A-Z])/g)].filter(
    ({ index, 0: found }) => !/\b(?:Mr|Ms|Mrs|Dr|Jr|Sr)\. $/.test(words.slice(0, index + found.length)),
  );
  const last = ends.at(-1);
  return last ? last.index + last[0].length - 1 : -1;
};

function namesAfter(prose: string, start: number, surnames: ReadonlySet<string>): NameAt[] {
  const rest = prose.slice(start, start + 320);
  const end = LIST_END.exec(rest)?.index ?? rest.length;
  return splitNames(rest.slice(0, end), start, surnames);
}

const MARK = /(?<![\w.])(?:[xX✓✔☒☑●■*]|\[[xX✓]\])(?![\w.])/g;
const HEADER_WORDS =
  /(?:not participating|not voting|yes|no|ayes?|nays?|yeas?|noes|for|against|abstain(?:ed|ing)?|abstentions?|absent|excused|recused?|present)/gi;
const VOTE_CELL = /^(?:yes|no|aye|nay|yea|y|n|abstain(?:ed|s|ing)?|absent|excused|recused?|not present)\b|^(?:for|against)$/i;

/** Rows of a table of votes: columns with marks, or a word for the vote behind each name. */
function readTable(text: ReadableText, from: number, to: number): (Vote & Span)[] {
  const lines = text.lines.slice(findFrom(text.lines, from), findFrom(text.lines, to));
  const rows: (Vote & Span)[] = [];
  let columns: { at: number; vote: VoteWord | null }[] = [];
  let cells: (VoteWord | null)[] = [];
  let quiet = 0;
  for (const line of lines) {
    const raw = line.text;
    const header = readHeader(raw);
    if (header) {
      columns = header.map(({ at, vote }) => ({ at: at + line.indent, vote }));
      cells = raw.includes(' | ') ? raw.split('|').map((cell) => voteOf(cell)) : [];
      quiet = 0;
      continue;
    }
    const row = readRow(line, columns, cells);
    if (row) {
      if (row.vote !== null) rows.push({ name: row.name, vote: row.vote, start: row.start, end: row.end });
      quiet = 0;
    } else if (rows.length && ++quiet > 6) break;
  }
  return rows.length > 1 ? rows : [];
}

/** Columns of `Commissioner   YES   NO`, by their middles. */
function readHeader(raw: string): { at: number; vote: VoteWord | null }[] | null {
  if (raw.length > 160 || /[.;]$/.test(raw)) return null;
  const found = [...raw.matchAll(HEADER_WORDS)].filter(
    ({ index, 0: word }) => !/\w/.test(raw[index - 1] ?? ' ') && !/\w/.test(raw[index + word.length] ?? ' '),
  );
  const rest = raw
    .replace(HEADER_WORDS, ' ')
    .replace(/[|\s]|Commission(?:er|ers| Members?)?|Members?|Names?|Council|Board|Vot(?:e|ing)|Motion|Second|Trustees?|Supervisors?/gi, '');
  if (found.length < 2 || rest.length > 12) return null;
  return found.map(({ index, 0: word }) => ({ at: index + word.length / 2, vote: voteOf(word) }));
}

const VOTE_WORDS = /\b(?:yes|no|aye|nay|yea)\b/gi;

interface Row extends Span {
  name: string;
  vote: VoteWord | null;
}

function readRow(
  { text: raw, start, indent }: TextLine,
  columns: readonly { at: number; vote: VoteWord | null }[],
  cells: readonly (VoteWord | null)[],
): Row | null {
  if (raw.length > 160 || raw.includes(';', raw.length - 1) || (raw.match(VOTE_WORDS)?.length ?? 0) > 1) return null;
  const row = (name: string, vote: VoteWord | null): Row | null => {
    const [first = ''] = name.split(/, ?(?:Alternate|Chair|Vice.Chair|Member)\b/i, 1);
    const bare = withoutTitle(first.replace(/[,:;. –-]{1,9}$/, '').trim());
    const at = raw.indexOf(bare);
    return bare && isName(bare) && at >= 0 ? { name: bare, vote, start: start + at, end: start + at + bare.length } : null;
  };
  if (raw.includes(' | ') || /^\|/.test(raw)) {
    const parts = raw.split('|').map((cell) => cell.trim());
    const name = parts.find((part) => part !== '') ?? '';
    const marked = parts.findIndex((part, i) => i > 0 && part !== name && /^(?:[xX✓✔☒☑●■*]|\[[xX✓]\])$/.test(part));
    if (marked > 0 && cells.length) return row(name, cells[marked] ?? null);
    const word = parts.find((part) => part !== name && VOTE_CELL.test(part));
    return word ? row(name, voteOf(VOTE_CELL.exec(word)?.[0] ?? '')) : null;
  }
  const marks = [...raw.matchAll(MARK)];
  if (columns.length && marks.length === 1 && marks[0]) {
    const at = marks[0].index + indent;
    const nearest = [...columns].sort((a, b) => Math.abs(a.at - at) - Math.abs(b.at - at))[0];
    return row(raw.slice(0, marks[0].index), nearest?.vote ?? null);
  }
  // `A     Hacker`
  const lettered = /^([AYN]) {2,}(?=[A-Z][a-z])/.exec(raw);
  if (lettered) return row(raw.slice(lettered[0].length), lettered[1] === 'N' ? 'no' : 'yes');
  const [name = '', word = ''] = raw
    .replace(/^vote:\s+/i, '')
    .split(/ {2,}|\t|\s?:\s{1,}|\s[-–—]\s|(?<=[A-Za-z])[-–—](?=(?:aye|nay|yes|no)\b)/i);
  const vote = VOTE_CELL.exec(word)?.[0];
  return vote && word.length < 34 ? row(name, voteOf(vote)) : null;
}

/** `all five commissioners`, `a unanimous vote of 5` */
const ALL_OF = new RegExp(
  `\\b(?:all|unanimous(?:ly)?(?: vote| decision)?(?: of| by)?) [(]?${COUNT}(?= ?(?:members|commissioners|present|[.,;)]|in favor|votes?|ayes?|$))`,
  'i',
);
/** A sentence of its own: `Lee/Holt to grant. 4-0.` */
const TALLY_ALONE =
  /(?<=(?:^|\n|[.;!),] |\b[Aa]ll (?:aye|yea|yes) |\bSecond(?:ed by)? [A-Z][\w'-]{1,20} |[\w.] [(](?=[1-9]\d?-\d(?!\d))))(?<!\bNos?\. )(\d{1,2})-(?!0\d)(\d{1,2})(?:-(\d{1,2}))?(?=[.;,)]{0,2} ?(?:\n|$|[A-Z]|[(][A-Z]|carried|passe[ds]|fail))/g;
type Tally = { yes: number; no: number; abstain: number | null };

/** The count that is printed. */
function readTally(text: ReadableText, from: number, prose: string, isUnanimous: boolean): Stated<Tally> | null {
  const state = (value: Tally, at: number, length: number): Stated<Tally> => ({ value, ...text.toSpan(from + at, from + at + length) });
  for (const pattern of [BEFORE_WORD, AFTER_WORD])
    for (const { index, 0: whole, 1: a, 2: b, 3: c } of prose.matchAll(pattern)) {
      const [yes, no, third] = [countOf(a), countOf(b), c === undefined ? null : countOf(c)];
      const digits = whole.search(/\d|\b(?:zero|one|two|three|four|five|six|seven|eight|nine|ten)\b/i);
      if (!(yes <= TALLY_MOST && no <= TALLY_MOST && yes + no > 0) || CODE_BEFORE.test(whole.slice(0, digits))) continue;
      const isAbsent =
        /absent/i.test(prose.slice(index, index + whole.length + 80)) && !/abst/i.test(prose.slice(index, index + whole.length + 80));
      const abstained = isAbsent ? null : (third ?? readAbstained(prose.slice(index, index + whole.length + 60)));
      return state({ yes, no, abstain: abstained }, index + digits, whole.length - digits);
    }
  for (const { index, 0: whole, 1: a, 2: b, 3: c } of prose.matchAll(TALLY_ALONE)) {
    const [yes, no] = [Number(a), Number(b)];
    // `23-15` on a line of its own is the number of a case.
    if (yes <= TALLY_MOST && no <= TALLY_MOST && yes + no > 1 && Math.min(yes, no) < 10)
      return state({ yes, no, abstain: c === undefined ? null : Number(c) }, index, whole.length);
  }
  const counts: Partial<Record<VoteWord, number>> = {};
  let [start, end] = [Number.POSITIVE_INFINITY, 0];
  const note = (word: string, count: number, at: number, length: number) => {
    const vote = voteOf(word);
    if (vote === null || counts[vote] !== undefined || !(count <= TALLY_MOST)) return;
    counts[vote] = count;
    start = Math.min(start, at);
    end = Math.max(end, at + length);
  };
  for (const { index, 0: whole, 1: word = '', 2: named, 3: count = named } of prose.matchAll(LABELLED_COUNT))
    note(word, Math.max(0, countOf(count)), index, whole.length);
  if (counts.yes === undefined)
    for (const { index, 0: whole, 1: count, 2: word = '' } of prose.matchAll(COUNTED_WORDS))
      note(word, countOf(count), index, whole.length);
  const all = isUnanimous && counts.yes === undefined ? ALL_OF.exec(prose) : null;
  if (all) note('yes', countOf(all[1]), all.index, all[0].length);
  // `Vote. 5 Ayes.` where nothing is said of others.
  if (counts.yes !== undefined && (isUnanimous || (counts.yes > 1 && !/\b(?:nays?|noes|no|opposed|against|dissent\w*)\b/i.test(prose))))
    counts.no ??= 0;
  if (counts.yes === undefined || counts.no === undefined || end - start > 300) return null;
  return state({ yes: counts.yes, no: counts.no, abstain: counts.abstain ?? null }, start, end - start);
}

const ABSTAINED = new RegExp(`${COUNT} abst`, 'i');
const readAbstained = (words: string): number | null => {
  const count = countOf(ABSTAINED.exec(words)?.[1]);
  return Number.isNaN(count) || count < 0 ? null : count;
};

/** A count of names, where those in favour are named. */
function countVotes(votes: readonly (Vote & Span)[]): Stated<Tally> | null {
  const count = (vote: VoteWord) => votes.filter((one) => one.vote === vote).length;
  if (count('yes') < 2 && (count('yes') || count('no') < 3)) return null;
  return {
    value: { yes: count('yes'), no: count('no'), abstain: count('abstain') },
    start: Math.min(...votes.map(({ start }) => start)),
    end: Math.max(...votes.map(({ end }) => end)),
  };
}
