/** Values that a passage states of its case: place, zoning, figures, title, request, what staff recommend. Pure. */
import type { Doubt, ExtractedCase, Span, Stated } from '../types.ts';
import { findCaseNumbers, findParcelNumbers, readParcelCodes } from './caseNumbers.ts';
import { findDates } from './dates.ts';
import figurePatterns from './figures.json' with { type: 'json' };
import { REQUEST } from './items.ts';
import { beginsWithLabel, type Labels } from './labels.ts';
import { NUMBER_WORD, readNumber } from './numbers.ts';
import { fillParts } from './patterns.ts';
import type { ReadableText } from './text.ts';
import zonePatterns from './zoning.json' with { type: 'json' };

/** The words of a case: where its heading stands, what is said of it, and what was moved. */
export interface Passage {
  text: ReadableText;
  head: Span;
  body: Span;
  moved: Span;
  labels: Labels;
  doubts: Doubt[];
}

/** Makes a value of a place in `prose`. */
const state = <T>(text: ReadableText, value: T, at: number, length: number): Stated<T> => ({ value, ...text.toSpan(at, at + length) });

const DIRECTION = '(?:N|S|E|W|NE|NW|SE|SW|North|South|East|West|Northeast|Northwest|Southeast|Southwest|NORTH|SOUTH|EAST|WEST)\\b\\.?';
/** Kinds of street, as `Street` and as `STREET`. */
const STREETS =
  'Street St Avenue Ave Av Road Rd Boulevard Blvd Lane Ln Highway Hwy Parkway Pkwy Drive Dr Court Ct Way Place Pl Circle Cir Cove Trail Trl Terrace Ter Turnpike Tpke Pike Square Sq Plaza Loop Row Alley Path Run Crossing Xing Expressway Route Rte Broadway Bend Ridge Point Walk Grade Mews Landing Lodge Glen Hollow Chase Close Causeway'.split(
    ' ',
  );
const KINDS = `(?:${[...STREETS, ...STREETS.map((one) => one.toUpperCase())].join('|')})\\b`;
/** The last of such words: `North Spring Run Road` */
const STREET = `${KINDS}(?! ${KINDS})\\.?`;
/** `Calle Tecolote`, `Camino Sin Nombre`: the kind stands first. */
const NAMED_STREET = '(?:Calle|Camino|Via|Avenida|Paseo|Plaza|Rue|Vereda|Callejon)(?: (?:de|del|la|los|las|[A-Z][\\w]{1,20})){1,4}';
const HOUSE =
  "(?<![\\w.$#'/-])(?:[NSEW]\\d{3,5}|[NSEW]\\d{1,5}[ -]?[NSEW]\\d{1,5}|\\d{1,6}(?:-\\d{1,6}|[A-Z]|½)?)(?:(?:, \\d{1,6}){0,4}(?:,? and | ?& ?)\\d{1,6}(?:-\\d{1,6})?)?";
const SUITE = '(?:,? (?:Suite|Ste|Unit|Apt|Building|Bldg|#|STE|UNIT)\\.? ?#?[A-Z0-9-]{1,6}\\b)?';
const NUMBERED_ROAD =
  '(?:(?:(?:Old|County|State|US|U\\.S\\.|[A-Z]{2}|Farm|Town|Township|N\\.?|S\\.?|E\\.?|W\\.?|North|South|East|West) ){0,2}(?:Highway|Hwy|Route|Rte|Rt|Road|Trunk|Loop|CR|SR|FM|RM|CTH|STH)\\.? (?!\\d{5})[A-Z]?\\d{1,4}[A-Z]?\\b|(?:County (?:Road|Highway|Trunk)|CTH) [A-Z]{1,2}\\b)';
const ONE_ADDRESS = `${HOUSE} (?:${NUMBERED_ROAD}|${NAMED_STREET}|(?:${DIRECTION} )?(?:[A-Z0-9][\\w'.-]{0,20} ){1,4}?${STREET}(?: ${DIRECTION}(?![a-z]))?|${DIRECTION} \\d{2,5}(?: ${DIRECTION}(?![a-z]))?(?: (?:Street|St|Avenue|Ave)\\b)?|(?:[A-Z][\\w']{1,15} ){1,2}\\d{2,5} ${DIRECTION})${SUITE}`;
/** `13673 South 100 East`, `1820 & 1822 S. Lakeline Drive and 1937 & 1939 S. Scenic Drive`, `7414 S State Street, Suite #101` */
const ADDRESS = new RegExp(`${ONE_ADDRESS}(?:(?:,| and|, and| &) ${ONE_ADDRESS})?`, 'g');
const ROAD = `(?:${NUMBERED_ROAD}|${NAMED_STREET}|(?:${DIRECTION} )?(?:[A-Z0-9][\\w'.-]{0,20} ){1,3}?${STREET})`;
/** Places without a number: at a corner, on a side of a road, along one, a lot of a plat. */
const PLACES = [
  `\\b(?:the )?(?:(?:NE|NW|SE|SW|[Nn]orth(?:-?(?:east|west))?(?:er(?:n|ly))?|[Ss]outh(?:-?(?:east|west))?(?:er(?:n|ly))?|[Ee]ast(?:er(?:n|ly))?|[Ww]est(?:er(?:n|ly))?)(?: (?:corner|side|line|quadrant|end|terminus|intersection))?|(?:corner|intersection|terminus|end)) of (?:the (?:intersection|corner) of )?(?:the )?${ROAD}(?: [(][^()\\n]{3,20}[)])?(?:,? (?:and|&|at|with) (?:the )?${ROAD})?(?:,? (?:approximately |about )?(?:[\\d,.]+ (?:feet|miles?)|just|and|between)[^.;\\n]{0,40}? (?:of|from) (?:the )?(?:intersection (?:of|with) )?${ROAD})?`,
  `(?<=\\b(?:located|situated|lying|property|parcels?[^.\\n]{0,30}|land|site|premises|lots?|acres)(?: is| are)?(?: generally)? (?:on|along|off(?: of)?|at) (?:the )?)${ROAD}`,
  "\\bLots? [\\dA-Z]{1,4}(?:(?:,| and|,? &|-| through) \\d{1,3}){0,4},? (?:Block [\\dA-Z]{1,3},? )?(?:of (?:the )?)?(?!(?:Block|Section|Staff|Planning|Mr|Director|The|Motion|Borough)\\b)[A-Z][\\w'.]{2,20}(?: (?:[A-Z\\d][\\w'.]{1,20}|of|the|at)){0,4}(?= ?[,.;\\n(]| from\\b| to\\b)",
  '(?:[NSEW]{1,2} ?(?:1\\/4|1\\/2|¼|½),? (?:of )?(?:the )?){0,3}\\b(?:Section|Sec\\.?) \\d{1,2}(?:(?<!\\b(?:[Cc]ode|[Oo]rdinance|[Ss]tandards)\\b[^\\n]{0,120})-\\d{1,3}-\\d{1,3}|,? T(?:ownship|wp\\.?)?\\.? ?\\d{1,3} ?[NS]?(?:orth|outh)?\\.?,? ?R(?:ange)?\\.? ?\\d{1,3} ?[EW]?(?:est|ast)?)\\b',
].map((pattern) => new RegExp(pattern));
/** A road that is a part of the heading: `Annexation, 81.6 acres, Morning Star Road` */
const ROAD_ALONE = new RegExp(`(?<=^|[,;] |- |\\b(?:on|off|along|at|of) (?:the )?)${ROAD}(?=[,;.)\\n]|$| [(-])`, 'g');
/** Roads around the land are none of its own. */
const AROUND = /\b(?:bounded by|between)\b[^.;\n]{0,240}$/;
const OF_LAND =
  /\b(?:land|property|site|premises|parcel|tract|lot|acres)s?(?: is| are)?(?: located| situated)? (?:at|known as|addressed as) $/i;
const OF_REQUEST = /\b(?:located|situated|property|site|address|for|request\w*|premises|parcel|acres)\b[^.\n]{0,40}$/i;
/** Where who spoke lives is no place of the case. */
const OF_SPEAKER = /\b(?:Speaker|Citizen)\b[^\n]{0,60}$/;
export function readAddress({ text, head, body, labels: { address: label } }: Passage): Stated<string> | null {
  if (label && !OF_SPEAKER.test(text.prose.slice(Math.max(0, label.at - 90), label.at))) {
    const [own = ''] = label.value.split(/;| \| |(?<=[a-z]{3})\. |, (?=Map\b|[\d.]+ acres?\b)/, 1);
    const [inner] = own.matchAll(ADDRESS);
    const value = inner && own.length > 60 ? inner[0] : own.replace(/^[| ]+|[.,]$|^(?:Ordinance|Resolution|Case|File)\b.*/g, '');
    if (/\d|\b(?:[Rr]oad|[Ss]treet|[Aa]venue|[Hh]ighway|[Ll]ane|[Dd]rive|[Cc]orner|[Ss]ide of|ROAD|STREET|AVENUE)\b/.test(value))
      return state(text, value, label.at + label.value.indexOf(value), value.length);
  }
  const words = text.prose.slice(head.start, head.end);
  const best = [...words.matchAll(ADDRESS)].find(({ index }) => !OF_SPEAKER.test(words.slice(Math.max(0, index - 70), index)));
  if (best) return stateAddress(text, best[0], head.start + best.index);
  const rest = text.prose.slice(body.start, Math.min(body.end, body.start + 2_500));
  for (const { index, 0: address } of rest.matchAll(ADDRESS)) {
    const before = rest.slice(Math.max(0, index - 70), index);
    if (OF_SPEAKER.test(before)) continue;
    const sentence = rest.slice(Math.max(rest.lastIndexOf('. ', index), rest.lastIndexOf('\n', index), 0), index);
    if (OF_LAND.test(before) || OF_REQUEST.test(before) || (/\bat $/.test(before) && REQUEST.test(sentence)))
      return stateAddress(text, address, body.start + index);
  }
  for (const [range, at] of [
    [words, head.start],
    [rest, body.start],
  ] as const)
    for (const place of PLACES) {
      const placed = place.exec(range);
      if (placed) return stateAddress(text, placed[0], at + placed.index);
    }
  const alone = [...words.matchAll(ROAD_ALONE)].find(({ index }) => !AROUND.test(words.slice(Math.max(0, index - 260), index)));
  return alone ? stateAddress(text, alone[0], head.start + alone.index) : null;
}

const stateAddress = (text: ReadableText, address: string, at: number): Stated<string> => {
  const value = address.replace(/\.$/, '');
  return state(text, value, at, value.length);
};

/** Parts of the patterns of zones, each of which may have those before it: `CR (Regional Commercial)`, `R-1B`, `(R1-C) Single Family Residential`. */
const PARTS = Object.entries(zonePatterns.parts).reduce<[string, string][]>(
  (made, [name, part]) => [...made, [name, fillParts(part, made)]],
  [],
);
const compileZone = (pattern: string) => new RegExp(fillParts(pattern, PARTS), 'g');
/** From one zone to another: with `from`, behind `zoned`, in brackets, and alone: `Rural (R) to General Commercial (GC)` */
const CHANGES = zonePatterns.changes.map(compileZone);
/** What has letters and numbers like a zone: `Lots A-1 to A-4` */
const OF_LIST = /\b(?:and|lots|units|exhibits|sheets|tracts|conditions|sections) $/i;
const PROPOSED = zonePatterns.proposed.map(compileZone);
const EXISTING = zonePatterns.existing.map(compileZone);
/** A code that is all of a part of the heading: `Lot width, 18 Pine St, R-2` */
const BARE = zonePatterns.bare.map(compileZone);
const NO_ZONE =
  /^(?:Business|Downtown|Overlay|Residential|Commercial|Central|Historic|School|The|A|An|This|That|In|On|At|Council|City|County|Town|Planning|Zoning|Zone|District|Public|Commission|Board|Chapter|Section|Title|Property|Site|Lot|Phase|North|South|East|West|Municipal|Code|I|II|III|IV|V|To|From|Staff|Exhibit|Subdivision)$|\b(?:Historic|Landmark|Improvement)(?: District)?$|^Special [A-Z]|^\d+$|\b(?:Council|Magisterial|School|Fire|Water|Improvement|Service|Supervisor\w*|Electoral) (?:District)?|\b\d{1,4}(?:th|st|nd|rd)\b|^Sections? \d|\bDepartment\b/;
/** A zone has a code, or a name with a word for what may be there; other names in capitals are of places: `the Midlothian District` */
const OF_ZONE =
  /[(]|residen|dwelling|famil|town|apartment|mobile|manufactur|agr|\bag\b|farm|rural|country|water|industr|commerc|business|retail|office|shopping|mixed|institution|public|civic|conservation|open|planned|highway|neighborhood|village|center|core|corridor|overlay|estate|forest|density|main street|shore|lake|flood|gateway|urban|recreation|resource|special|park/i;
const ZONE_CODE = /(?<![A-Za-z])[A-Z]{1,6}(?=[-/ ]?\d|[-/ ]|$)/;
const isZone = (value: string) => !NO_ZONE.test(value) && (OF_ZONE.test(value) || ZONE_CODE.test(value));

interface Zoning {
  existing: Stated<string> | null;
  proposed: Stated<string> | null;
}

/** The zones that a form states: `FROM / TO: A-1 (Agriculture) / I-1`, or each behind its label. */
function readLabelledZones(text: ReadableText, { fromTo, existing: named, district, proposed }: Labels): Zoning {
  // A district of the council has a number.
  const existing = named ?? (district && !/^(?:\d|No)/.test(district.value) ? district : undefined);
  const [from = '', to = ''] = fromTo?.value.replace(/^from /i, '').split(/ \/ | to /) ?? [];
  const cut = ({ value }: { value: string }) => (value.split(/[;|]|(?<=[a-z)\d])\. |, (?=\d)(?![^()]*[)])/, 1)[0] ?? '').trim();
  const stateZone = (label: { value: string; at: number } | undefined, value: string) =>
    label && /^[A-Z\d]/.test(value) && value.length < 80 && !NO_ZONE.test(value)
      ? zone(text, value, label.at + label.value.indexOf(value))
      : null;
  return fromTo && to
    ? { existing: stateZone(fromTo, from), proposed: stateZone(fromTo, to) }
    : { existing: existing ? stateZone(existing, cut(existing)) : null, proposed: proposed ? stateZone(proposed, cut(proposed)) : null };
}

export function readZoning({ text, head, body, labels }: Passage): Zoning {
  const labelled = readLabelledZones(text, labels);
  if (labelled.existing && labelled.proposed) return labelled;
  const near = { start: head.start, end: head.end };
  const later = { start: body.start, end: Math.min(body.end, body.start + 2_500) };
  const change = [near, later].map((range) => findChange(text, range)).find(Boolean);
  // Of a request for another zone, a code alone may be either.
  const isChange = /\brezon|zone change|map (?:amend|change)|reclassif|\bzoning (?:request|case)/i.test(
    text.prose.slice(head.start, head.end),
  );
  const existing =
    labelled.existing ??
    change?.existing ??
    findZone(text, near, EXISTING) ??
    findZone(text, later, EXISTING) ??
    (isChange ? null : findZone(text, near, BARE));
  const proposed = labelled.proposed ?? change?.proposed ?? findZone(text, near, PROPOSED);
  return { existing, proposed };
}

function findChange(text: ReadableText, { start, end }: Span): Zoning | null {
  const words = text.prose.slice(start, end);
  for (const { index, 0: whole, 1: from = '', 2: to = '' } of CHANGES.flatMap((pattern) => [...words.matchAll(pattern)])) {
    const around = words.slice(Math.max(0, index - 160), index + whole.length + 60);
    if (
      !/\bzon(?:e|ed|ing)|rezon|reclassif|district|map amend/i.test(around) ||
      (!/^from/i.test(whole) && OF_LIST.test(words.slice(Math.max(0, index - 12), index))) ||
      !isZone(to) ||
      /\d{1,2}:\d\d|\b(?:a\.m|p\.m)/.test(whole)
    )
      continue;
    const isPlan =
      /\b(?:plan|land uses?|character areas?) (?:\w+ )?(?:designation |change |amendment )*(?:from)?\s*$/i.test(words.slice(0, index)) &&
      words.indexOf(' from ', index + 5) >= 0;
    if (isPlan) continue;
    const at = start + index + whole.indexOf(from, whole.startsWith(from) ? 0 : /^from/i.test(whole) ? 5 : 1);
    const behind = start + index + whole.lastIndexOf(to);
    return { existing: zone(text, from, at), proposed: zone(text, to, behind) };
  }
  return null;
}

function zone(text: ReadableText, value: string, at: number): Stated<string> {
  // Neither the next sentence nor a case number belongs to it: `Regional Commercial. The`, `PO - 2091`.
  const [own = value] = value.split(/(?<=[a-z)]{3})\. | - (?=\d{3})/, 1);
  const tidy = own.replace(/(?: (?:and|of|to|-|\/|&)){1,3}$| [(][^()]*$/, '').replace(/[.,;:]{1,9}$/, '');
  return state(text, tidy, at, tidy.length);
}

function findZone(text: ReadableText, { start, end }: Span, patterns: readonly RegExp[]): Stated<string> | null {
  const words = text.prose.slice(start, end);
  for (const pattern of patterns)
    for (const { index, 0: whole, 1: found = '' } of words.matchAll(pattern)) {
      const value = found.replace(/^(?:The|the) /, '');
      if (!value || !isZone(value) || /^(?:of|and|to)\b/.test(value)) continue;
      return zone(text, value, start + index + whole.lastIndexOf(found) + found.length - value.length);
    }
  return null;
}

const COUNT = `(?<![\\w.,$#/-])(\\d{1,3}(?:,\\d{3})+|\\d{1,6}|${NUMBER_WORD})(?: ?[(] ?(\\d{1,5}) ?[)])?`;
export type Figure = keyof typeof figurePatterns.figures;
const { figures: FIGURE_PATTERNS, ...figureParts } = figurePatterns;
const FIGURE_PARTS = Object.entries({ COUNT, ...figureParts });
const compileFigure = (pattern: string, flags: string) => new RegExp(fillParts(pattern, FIGURE_PARTS), flags);
/** Each figure with what may not stand before it, and what has to stand around it, `§`. */
const FIGURES = new Map(
  Object.entries(FIGURE_PATTERNS).map(([figure, rule]) => [
    figure,
    {
      pattern: compileFigure(rule.pattern, 'gi'),
      unfit: compileFigure(rule.unfit, 'i'),
      fit: compileFigure('fit' in rule ? rule.fit : '', 'i'),
    },
  ]),
);

/** A figure of the head, else the one that the passage agrees on; where it states several, none, and a doubt. */
export function readFigure({ text, head, body, moved, labels, doubts }: Passage, figure: Figure): Stated<number> | null {
  const labelled = readLabelledFigure(text, figure, labels);
  if (labelled) return labelled;
  const stated = findFigures(text, figure, head);
  const near = stated.length ? stated : findFigures(text, figure, moved);
  const first = near[0];
  if (first) {
    note(figure, near, doubts);
    return first;
  }
  const later = findFigures(text, figure, { start: body.start, end: Math.min(body.end, body.start + 6_000) });
  const counts = new Map<number, number>();
  for (const { value } of later) counts.set(value, (counts.get(value) ?? 0) + 1);
  const [most, next] = [...counts].sort((a, b) => b[1] - a[1]);
  if (!most) return null;
  note(figure, later, doubts);
  return !next || most[1] > next[1] ? (later.find(({ value }) => value === most[0]) ?? null) : null;
}

/** A figure behind its label, in its unit: an area in square feet is no acreage. */
function readLabelledFigure(text: ReadableText, figure: Figure, labels: Labels): Stated<number> | null {
  const label = figure === 'stories' ? undefined : labels[figure];
  const found =
    label && /^(?:approx\w*\.? |about |[±~] ?|\+\/- ?)?(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(?![\d'/-])/i.exec(label.value);
  if (!label || !found?.[1]) return null;
  const unit = label.value.slice(found[0].length, found[0].length + 12);
  // `Block: 3780, Lots: 15`, `Lots: 1,51`: which lots, not how many.
  const before = text.prose.slice(Math.max(0, label.at - 40), label.at);
  if (figure === 'lots' && (/^(?:,| and| &) ?\d/.test(unit) || /\bblocks?\b[^\n]{0,24}$/i.test(before))) return null;
  if (figure === 'acreage' && /^ ?(?:sq|SF|s\.f|x\b|feet|ft)/i.test(unit)) return null;
  if (figure === 'squareFootage' && !/^ ?(?:sq|SF|s\.f)/i.test(unit)) return null;
  return state(text, readNumber(found[1]), label.at, found[0].length);
}

function note(field: string, values: readonly Stated<number>[], doubts: Doubt[]): void {
  const distinct = [...new Set(values.map(({ value }) => value))];
  if (distinct.length > 1) doubts.push({ field, reasons: [`states ${distinct.slice(0, 4).join(', ')}`] });
}

function findFigures(text: ReadableText, figure: Figure, { start, end }: Span): Stated<number>[] {
  const words = text.prose.slice(start, end);
  const rule = FIGURES.get(figure);
  return [...(rule ? words.matchAll(rule.pattern) : [])].flatMap(({ index, 0: whole, 1: number = '', 2: digits }) => {
    const value = readNumber(digits ?? number);
    const before = words.slice(Math.max(0, index - 60), index);
    if (
      !(value > 0) ||
      // `R-4 (Four Unit Dwelling)` is a zone.
      (!/\d/.test(number) && before.endsWith('(')) ||
      rule?.unfit.test(before) ||
      !rule?.fit.test(`${before}§${words.slice(index + whole.length, index + whole.length + 80)}`) ||
      /(?:\d|\b(?:two|three|four|five|six|seven|eight|nine|ten)) ?(?:-|to|or|and) $/i.test(before)
    )
      return [];
    return [state(text, value, start + index, whole.length)];
  });
}

const TITLE_END =
  / - (?=[A-Z][^-\n]{2,160}? (?:is|are|(?<!\b(?:an?|the|this) )requests?|seeks?|has|have|representing|represented|proposes|initiated)\b)|(?<!\b(?:Mr|Ms|Mrs|Dr|St|No|[A-Z]|ac|ft|sq|seq|Inc|Corp|Co|Ltd|Ext|Jr|Sr|Ave|Blvd|Sec|Nos))[.;](?= [A-Z]|$)|(?<=\b(?:Inc|Corp|Co|Ltd|Jr|Sr|Ave|Blvd))\.(?= (?:The|This|An?|Staff|Applicant|[A-Z]\w+ (?:is|was|are|were|requests?|proposes)) |$)|\n| (?:\((?:public hearing|administrative action|legislative|action item|discussion|staff contact|continued|quasi)[^()]{0,80}\))|(?<=[a-z)"]) at approximately|, ?(?:located|situated)\b| - (?=(?:planner|staff|presented)\b)/i;
const TITLE_LEAD =
  /^(?:(?:the )?chair\w*(?: [A-Z][\w.]{1,20}){0,2},? (?:opened|introduced|announced|read|took up) (?:the|an?) |(?:(?:hold|conduct|open) an? (?:public )?hearing(?: and)? ?)?(?:(?:discuss(?: and)? |receive |take action on |review and )?(?:consider|act on|approv(?:e|al of))(?: and (?:possible )?action)?(?: an? (?:recommendation(?: to (?:the )?\w+(?: \w+)?)?|request(?= (?:for|on|regarding|of) ))(?: (?:on|for|regarding|of))?)?(?: (?:on|for|regarding|of))?(?: an?| the)? )|(?:public hearing|public meeting|action item|continued|item|hearing|consideration|discussion)(?:(?:,? |\/)(?:and )?(?:consideration|vote|decision|recommendation|(?:possible )?action|discussion)(?: to the (?:[A-Z]\w+ ){1,4}(?=on |of |for |regarding |concerning ))?){0,4}(?: (?:on|of|for|regarding|to consider)(?: an?| the)?)?\b ?[:-]? ?-? ?|\((?:public hearing|project [^()]{2,30})[^()]{0,40}\) ?)/i;
/** `Resolution 2024-61 approving a`: what is adopted stands behind. */
const ADOPTING =
  /^(?:Ordinance|Resolution|ORDINANCE|RESOLUTION)(?: (?:[Nn]o|NO)\.)? ?#?[\w.-]{1,14}[:,]? (?:(?:approving|granting|adopting|authorizing|amending|denying) )?(?:the |an? )?(?=\S)/;
/** Characters of a title, and those in which its end is looked for. */
const [TITLE_MOST, TITLE_READ] = [300, 900];
/** A title, up to the last word that it has room for. */
function stateTitle(text: ReadableText, title: string, at: number): Stated<string> {
  const cut = title.length > TITLE_MOST ? title.slice(0, TITLE_MOST).replace(/[\s,;:(-]{0,9}\s\S{0,80}$/, '') : title;
  return { ...state(text, cut, at, cut.length), value: cut === title ? title : `${cut} …` };
}
const ASKED_END =
  /,? (?:(?:on|for|at) (?:the |certain )?(?:premises|property|parcel|site|real estate|land|\d|Tax |Parcel|approximately)|located|situated|at (?:\d|the )|pursuant|in (?:the|an?) [A-Z])|[.;](?= |$)|\n/;

/** The name of the item, as its heading has it. */
/** @param statedEnd end of the line that a format states to be the title */
export function readTitle(
  passage: Passage,
  numbers: readonly { at: number; length: number }[],
  applicant?: string,
  statedEnd?: number,
): Stated<string> | null {
  const { text, body, labels } = passage;
  const head = statedEnd ? { ...passage.head, end: statedEnd } : passage.head;
  let start = head.start;
  const skip = (pattern: RegExp) => {
    const lead = pattern.exec(text.prose.slice(start, start + 120));
    if (lead && lead.index === 0) start += lead[0].length;
  };
  for (let i = 0; i < 2; i++) skip(TITLE_LEAD);
  skip(/^(?:and|on|of|for|regarding|concerning) (?:an? |the )?/);
  const first = numbers[0];
  if (first && !REQUEST.test(text.prose.slice(start, first.at)) && first.at - start < 30 && first.at >= start - 2 && first.at < head.end) {
    start = numbers.reduce(
      (end, { at, length }) => (at >= end && at - end < 20 && !REQUEST.test(text.prose.slice(end, at)) ? at + length : end),
      first.at + first.length,
    );
    skip(/^[\s):,.;/-]{1,6}/);
    for (let i = 0; i < 2; i++) skip(TITLE_LEAD);
  }
  skip(ADOPTING);
  skip(/^(?:- |\((?:quasi|legislative|public)[^()]{0,20}\) )/i);
  if (start >= head.end) return null;
  const all = text.prose.slice(start, Math.min(head.end, start + 900));
  start += findAskingLine(all);
  const words = text.prose.slice(start, Math.min(head.end, start + TITLE_READ));
  const end = TITLE_END.exec(words)?.index ?? words.length;
  if (end < 4 && words[end] === '\n') return readTitle({ ...passage, head: { ...head, start: start + end + 1 } }, [], applicant);
  const title = words.slice(0, end < 6 ? words.length : end).replace(/(?<!\b(?:Inc|Corp|Co|Ltd|Jr|Sr))[\s.:;,-]{1,9}$/, '');
  // `submitted by …` behind the number is half a title.
  if (statedEnd && /^[a-z]/.test(title)) return stateTitle(text, text.prose.slice(head.start, start + title.length), head.start);
  if (statedEnd) return title.length > 3 ? stateTitle(text, title, start) : null;
  // A heading that names no request: what stands below asks.
  const isName = !REQUEST.test(title);
  // `approve CU-24-31 and accept the conditions`
  if (isName && /^and [a-z]/.test(title)) return null;
  const isKind = isBare(title, applicant);
  if ((isName || isKind) && labels.title && labels.title.value.length > (isName ? 5 : 15)) {
    const value = (labels.title.value.split(TITLE_END, 1)[0] ?? '').replace(/[\s.:;,-]{1,9}$/, '');
    return state(text, value, labels.title.at, value.length);
  }
  const kind = isKind ? (REQUEST.exec(title)?.[0] ?? title) : '';
  const asked = isName || kind ? readAsked(text, { start: start + title.length, end: Math.min(head.end + 600, body.end) }) : null;
  // Of a heading that has the kind, the party and the place alone, the sentence that says the same and more.
  if (
    asked &&
    (isName || (asked.value.toLowerCase().includes(kind.toLowerCase().replace(/^(rezon).*/, '$1')) && asked.value.length > title.length))
  )
    return asked;
  const behind = isName || isKind ? readBehind(text, start, start + title.length, Math.min(head.end, body.end)) : null;
  if (behind) return behind;
  const below = isKind && !/[(][^()]*[a-z]{4}/.test(title) ? readLineBelow(text, start + title.length, Math.min(head.end, body.end)) : null;
  if (below) return below;
  // `… was withdrawn by the applicant` behind the number.
  return title.length > 3 && !/^(?:was|were|has|had) /.test(title) ? stateTitle(text, title, start) : null;
}

/** What happened, not what is asked. */
const TELLS =
  /\b(?:was|were|had|said|went|heard|sworn|voting|voted|opened|closed|presented|provided|explained|moved|motion|appeared|present|recused|discussion)\b/i;
/** A heading of a name or a kind alone, with the sentence behind it that says what is asked: `TEXT AMENDMENT, CASE 24-1. Article 9, storage containers.` */
function readBehind({ prose, ...text }: ReadableText, start: number, from: number, end: number): Stated<string> | null {
  const [whole = '', own = ''] =
    /^[.:;] ?([A-Z\d][^\n]*?)(?:(?<!\b(?:Mr|Ms|Mrs|Dr|St|No|[A-Z]|ac|ft|sq))[.;](?= [A-Z]|$)|$)/m.exec(
      prose.slice(from, Math.min(end, from + TITLE_MOST)),
    ) ?? [];
  if (
    own.length < 8 ||
    beginsWithLabel(own) ||
    TELLS.test(prose.slice(start, from + whole.length)) ||
    own.startsWith(PLACED.exec(own)?.[0] ?? ' ')
  )
    return null;
  const value = prose.slice(start, from + whole.length).replace(/[.;]$/, '');
  return { value, ...text.toSpan(start, start + value.length) };
}

/** The line below a heading that says no more than the kind: `From A-1 to C-2`, `A silo of 142 feet`. */
function readLineBelow(text: ReadableText, start: number, end: number): Stated<string> | null {
  let at = text.prose.indexOf('\n', start) + 1;
  for (let i = 0; i < 3 && at > 0 && at < end; i++) {
    const [line = ''] = text.prose.slice(at, at + TITLE_READ).split('\n', 1);
    const [own = ''] = line.split(TITLE_END, 1);
    const says = /^[A-Z\d].*[a-z]{3}/.test(own) && !beginsWithLabel(line) && !TELLS.test(own);
    if (says && !own.startsWith(PLACED.exec(own)?.[0] ?? ' ') && !findCaseNumbers(own).length && !findParcelNumbers(own).length)
      return stateTitle(text, own, at);
    at = text.prose.indexOf('\n', at) + 1;
  }
  return null;
}

/** Words of a heading that say nothing of what is asked. */
const GENERAL =
  /\([^()]*\)|\b(?:public|hearings?|cases?|nos?|number|requests?|applications?|petitions?|items?|for|of|the|an?|and|by|on|with|approval|consideration|planning|zoning|continued|permit|plan|plat)\b|[^A-Za-z ]+/gi;
/** Whether a heading has the kind of request, its party and its place, and nothing else: `Variance, 12 Cutwater Court`. */
function isBare(title: string, applicant: string | undefined): boolean {
  const without = findCaseNumbers(title).reduce((words, { value }) => words.replace(value, ' '), title.replace(PLACED, ' '));
  const rest = without.replace(ALL_REQUESTS, ' ').replace(GENERAL, ' ').replace(/\s+/g, ' ').trim();
  return (
    rest.length < 4 ||
    (applicant !== undefined &&
      rest.length > 3 &&
      foldedName(applicant).replace(GENERAL, ' ').replace(/\s+/g, ' ').includes(rest.toLowerCase()))
  );
}

const foldedName = (name: string) => name.toLowerCase().replace(/\.$/, '');
const PLACED = new RegExp(ONE_ADDRESS);

/** What the first sentence behind a heading asks for: `variance to legalize a rear deck`. */
function readAsked(text: ReadableText, { start, end }: Span): Stated<string> | null {
  const words = text.prose.slice(start, end);
  const asks = REQUESTS.exec(words)?.[0].length ?? 0;
  const found = REQUEST.exec(words);
  if (!found) return null;
  // The words of a short line before it are its own: `FIRST EXTENSION OF TIME for a use permit`.
  const before = words.slice(0, found.index);
  const line = before.slice(Math.max(before.lastIndexOf('\n'), before.lastIndexOf('. ') + 1) + 1);
  const own = line.length < 40 && !asks && !line.includes(': ') ? line.length : 0;
  const at = found.index - own;
  const asked = words.slice(at, at + TITLE_READ);
  const stop = asked.slice(found[0].length + own).search(ASKED_END);
  const title = (stop < 0 ? asked : asked.slice(0, found[0].length + own + stop)).trim();
  return stateTitle(text, title, start + at);
}

/** Of a head of short lines (number, name, address, request) the line that asks. */
function findAskingLine(words: string): number {
  const lines = words.split('\n').slice(0, 5);
  const first = lines[0] ?? '';
  if (first.length > 60 || REQUEST.test(first) || first.split(' ').length > 5) return 0;
  const asking = lines.findIndex((line) => line.length < 200 && REQUEST.test(line) && !/^[A-Za-z /]{3,25}:/.test(line));
  return asking > 0 ? lines.slice(0, asking).join('\n').length + 1 : 0;
}

const REQUESTS =
  /\b(?:(?:is|are|was|were) (?:requesting|seeking|proposing|asking|petitioning|applying)|requests?(?:ed|ing)?|request(?:s|ed)? (?:for|to|that|approval|an?)|seeks|proposes|has (?:submitted|applied|initiated|filed)|on the request of|application (?:of|by|from|for|to)|petition(?:s|ed)? (?:of|by|for|to))\b/i;
const ALL_REQUESTS = new RegExp(REQUEST, 'gi');
const REQUEST_MOST = 600;

const LABEL_LEAD = /^[A-Z][a-z]{3,14}(?: [a-z]{3,14})?: /;

/** The sentence that asks. */
export function readRequest(text: ReadableText, head: Span, body: Span): Stated<string> | null {
  for (const { start, end } of [head, { start: body.start, end: Math.min(body.end, body.start + 2_000) }]) {
    const words = text.prose.slice(start, end);
    const found = REQUESTS.exec(words);
    if (!found) continue;
    const before = words.slice(Math.max(0, found.index - 260), found.index);
    const from =
      found.index - before.length + Math.max(before.lastIndexOf('\n') + 1, before.lastIndexOf('. ') < 0 ? 0 : before.lastIndexOf('. ') + 2);
    const whole = words.slice(from, found.index + REQUEST_MOST).split('\n', 1)[0] ?? '';
    const stop = whole.slice(found.index - from).search(/(?<=[a-z)"\d]{2})\.(?= [A-Z(]|$)/);
    const sentence = stop < 0 ? whole : whole.slice(0, found.index - from + stop + 1);
    const lead = LABEL_LEAD.exec(sentence)?.[0].length ?? 0;
    if (sentence.length - lead > 15) return state(text, sentence.slice(lead), start + from + lead, sentence.length - lead);
  }
  const said = text.prose.slice(head.start, head.end).split('\n', 1)[0]?.slice(0, 600) ?? '';
  const line = said.endsWith(':') ? '' : said;
  const lead = LABEL_LEAD.exec(line)?.[0].length ?? 0;
  return line.length - lead > 15 ? state(text, line.slice(lead), head.start + lead, line.length - lead) : null;
}

export function readParcels({ text, head, body, moved, labels: { parcel: label } }: Passage): Stated<string>[] {
  const labelled = label ? readParcelCodes(label.value) : [];
  if (label && labelled.length) return labelled.map(({ value, at, length }) => state(text, value, label.at + at, length));
  for (const { start, end } of [head, { start: body.start, end: Math.min(body.end, body.start + 2_000) }, moved]) {
    const found = findParcelNumbers(text.prose.slice(start, end));
    if (found.length) return found.map(({ value, at, length }) => state(text, value, start + at, length));
  }
  return [];
}

type Recommendation = NonNullable<ExtractedCase['staffRecommendation']>['value'];
const PLANNER =
  '(?:(?:city|county|town|village|zoning|senior|associate|assistant|principal|chief|current) ){0,3}planner|(?:planning|community development|zoning|development services)(?! (?:(?:and|&) zoning )?(?:commission|board))(?: director| manager| administrator| department| division| services)?|(?:staff )?report,?(?: which| that)?|department|(?<!\\bby )staff(?: member)?s?';
const STAFF = new RegExp(
  `\\b(?:${PLANNER})\\b[^.\\n]{0,140}?\\b(?:recommend(?:s|ed|ing|ations?)?|(?:suggest|advis|favou?r|endors|urg)(?:e?s|e?d|ing)?(?= (?:the |an? )?(?:approv|den|continu|table|adopt|postpon|defer)))\\b|\\b(?:s?he|they|m[rs]+\\. [A-Z][a-z]+)(?: \\w+){0,2} recommend(?:s|ed|ing)?\\b|\\b(?:this|it)(?: is|'s|was) recommended(?= for| to be|:)|(?<=[.;] |\\n)(?!(?:The|Commission|Board|Council|Committee|Mayor|Trustee|Supervisor|Motion)\\b)[A-Z][a-z]{3,16} recommend(?:s|ed)\\b|\\b(?:staff|planner|department)(?: \\w+){0,3} (?:supports?|supported|supportive of|in (?:favor|support)(?: of)?|against|opposes?|opposed to)\\b|(?<=^|\\n)\\W{0,3}(?:[A-Z\\d]{1,2}[.)] ?)?(?:(?:staff|planner|department|planning)(?:'s)? )?recommendations?:? ?(?:\\n|[-|] ?)|\\b(?:staff(?:'s)? )?recommendations?(?: (?:of|from|by) staff)?(?: is| was| for|:)`,
  'gi',
);
/** Staff that a passage names: `Planner: Jo Wick`, `Jo Wick, Senior Planner`. Their words count, those of others do not. */
const NAMED_STAFF =
  /\b(?:[Pp]lanner|PLANNER|[Ss]taff|STAFF|[Pp]resented by|[Dd]irector|[Aa]dministrator):? ([A-Z][a-z]+ [A-Z][a-z]+)|\b([A-Z][a-z]+ [A-Z][a-z]+),? (?:(?:City|County|Senior|Associate|Principal|Assistant|Community|Town|Zoning) ){0,2}(?:Planner|Planning|Development|Zoning)\b/g;
const SAYS =
  /\b([A-Z][a-z]+ [A-Z][a-z]+) (?:said|stated|noted|explained|reported|indicated|added|presented)\b[^.\n]{0,160}?\brecommend(?:s|ed|ing|ation)?\b/g;
const OF_ITSELF =
  /\b(?:conditions?|date|time|terms|notice) of approval|prior to (?:\w+ )?approval|\bapproval (?:of|by) (?:the )?(?:staff|building|engineer)\w*/gi;

/** What staff recommend, from the first sentence that says so. */
export function readStaffRecommendation(
  text: ReadableText,
  { start, end }: Span,
  { staff: label }: Labels,
  doubts: Doubt[],
): ExtractedCase['staffRecommendation'] {
  const labelled = label && adviceOf('recommendation', label.value);
  if (label && labelled) return state(text, labelled, label.at, label.value.length);
  const words = text.prose.slice(start, end);
  const found: (Stated<Recommendation> & { at: number })[] = [];
  const staff = [...words.matchAll(NAMED_STAFF)].map(([, before, after]) => before ?? after);
  const said = staff.length ? [...words.matchAll(SAYS)].filter(([, name]) => staff.includes(name)) : [];
  for (const { index, 0: lead } of [...words.matchAll(STAFF), ...said].sort((a, b) => a.index - b.index)) {
    if (/\b(?:applicant|commissioner|member|resident)'?s? (?:\w+ )?$/i.test(words.slice(Math.max(0, index - 30), index))) continue;
    const rest = words.slice(index + lead.length, index + lead.length + 420);
    const stop = rest.search(/(?<=[a-z)"\d]{2})[.](?= [A-Z]|$|\n)|\n/);
    const sentence = (stop < 0 ? rest : rest.slice(0, stop)).replace(OF_ITSELF, (one) => '_'.repeat(one.length));
    const value = adviceOf(lead, sentence);
    if (value) found.push({ ...state(text, value, start + index, lead.length + sentence.length), at: index });
  }
  const first = found[0];
  if (!first) return null;
  if (found.some(({ value }) => value.slice(0, 8) !== first.value.slice(0, 8)))
    doubts.push({ field: 'staffRecommendation', reasons: ['states two recommendations'] });
  const { at: _at, ...stated } = first;
  return stated;
}

const ADVICE: readonly [RegExp, Recommendation][] = [
  [/\b(?:den(?:y|ial|ied|ying)|disapprov\w+|not (?:be )?(?:approv|grant)\w+|negative|unfavorable)\b/i, 'denial'],
  [/\b(?:approv(?:al|e|ed|ing)|positive|favorable|adopt(?:ion|ed|ing)?)\b/i, 'approval'],
  [/\b(?:continu(?:e|ed|ance|ing)|tabl(?:e|ed|ing)|postpon\w+|defer\w*|hold(?! an? ))\b/i, 'continuance'],
];

const BACKS = /(?:supports?|supported|supportive of|in (?:favor|support)(?: of)?|against|opposes?|opposed to)$/i;

/** What staff advise: by the verb, `supports` or `does not recommend`, and by what a sentence names behind it. */
function adviceOf(lead: string, sentence: string): Recommendation | null {
  const isAgainst =
    /\b(?:not|cannot|can't|doesn't|didn't|never)(?: \w+){0,2} (?:recommend|suggest|support)\w*$|\bnot (?:in favor|supportive)(?: of)?$|\b(?:oppose[sd]?(?: to)?|against)$/i.test(
      lead,
    ) || /^ ?(?:against|not\b)/i.test(sentence);
  const value = recommendationOf(sentence) ?? (BACKS.test(lead) || /^ ?against/i.test(sentence) ? 'approval' : null);
  if (!isAgainst) return value;
  return value === 'approval' || value === 'approval_with_conditions' ? 'denial' : null;
}

/** What a sentence about a recommendation names first. */
function recommendationOf(sentence: string): Recommendation | null {
  const found = ADVICE.flatMap(([pattern, value]) => {
    const at = sentence.search(pattern);
    return at < 0 ? [] : [{ at, value }];
  }).sort((a, b) => a.at - b.at)[0];
  if (found?.value !== 'approval') return found?.value ?? null;
  return /\b(?:conditions?|subject to|stipulations?|proffers?)\b|_{5}/i.test(sentence) ? 'approval_with_conditions' : 'approval';
}

/** Nine months: a day of an earlier month without its year is one of the past. */
const PUT_OFF_MS = 270 * 86_400_000;

/** The day of something that was, or to which the body itself adjourned. */
const OF_PAST =
  /\b(?:passed|adopted|enacted|(?<!\bbe )held|published)\b(?![^.;\n]{0,160}\b(?:continu|postpon|tabl|defer|until))[^.;\n]{0,160}\bon $|\bthrough $|\b(?:revised|dated|compiled) (?:on )?$|\badjourned at [^\n]{0,30}$|\badjourned (?:(?:the |this |at |its )?(?:meeting|session|\d{1,2}:\d\d|[ap]\.?m\.?)\W{0,3}){1,4}[^.;\n]{0,160}$/i;
/** The day to which a case is put off. */
export function readNextHearing(text: ReadableText, { start, end }: Span, meeting: string | null): Stated<string> | null {
  const words = text.prose.slice(start, end);
  for (const { value, at, length } of findDates(words, meeting))
    if (
      /(?:\b(?:to|until|till|on|for|for the|of|next|back)\b|\bdate:)[^.\n]{0,40}$/i.test(words.slice(Math.max(0, at - 60), at)) &&
      !OF_PAST.test(words.slice(Math.max(0, at - 90), at)) &&
      (!meeting || (value > meeting && Date.parse(value) - Date.parse(meeting) < PUT_OFF_MS))
    )
      return state(text, value, start + at, length);
  return null;
}
