/** Finds what a text states explicitly: figures, case numbers, parcels, words of surroundings. A figure is null if the text states none, or two different ones of a kind. Pure. */
import { agreedValue, distinctValues, parseAmount } from './values.ts';

const NUMBER_WORDS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];

/** What must not stand before a number: another number with which it makes a range, a price, a part of a code. */
const BEFORE = String.raw`(?<![\w.,$#/–-]|\d ?[–-] ?|(?<![\w.-])(?:[\d.,]+|${NUMBER_WORDS.join('|')})-? (?:to|or|and|through) )`;
const WHOLE = String.raw`(?:\(?(?<digits>\d{1,3}(?:,\d{3})+|\d+)\)?|(?<word>\b(?:${NUMBER_WORDS.join('|')})\b))`;
const DECIMAL = String.raw`(?<digits>(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|\.\d+)`;

/** A pattern for a number and the words behind it. */
const counted = (number: string, words: string) => new RegExp(`${BEFORE}${number}${words}`, 'gi');

const numberOf = ({ digits, word }: Record<string, string | undefined> = {}) =>
  word === undefined ? parseAmount(digits) : NUMBER_WORDS.indexOf(word.toLowerCase()) + 1;

const onlyNumber = (text: string, pattern: RegExp) => agreedValue([...text.matchAll(pattern)].map(({ groups }) => numberOf(groups)));

const ACRES = counted(
  DECIMAL,
  String.raw` ?(?:\+\/-|±)?[ -]?(?:acres?|ac)\b(?! ?\/|(?: [\w'-]+){0,3} (?:neighborhood|district)| deeded| of open space)`,
);

/** '6.6 acres', '±0.24 acre', '31-acre' */
export const findAcres = (text: string): number | null => onlyNumber(text, ACRES);

const DWELLING =
  'multi-?family|single-?family|attached|detached|stacked|residential|dwelling|age-restricted|townhouse|townhome|apartment|affordable|rental|condominium|condo|senior|housing|market-rate|for-sale';
const NO_DENSITY = String.raw`\b(?! ?(?:per|an acre|\/))`;
/** '64 multi-family attached residential units', '12 D.U.', '30 apartments' */
const DWELLINGS = counted(
  WHOLE,
  `[ -]?(?:(?:new |mixed )?(?:(?:${DWELLING}),? (?:and |or )?){1,5}(?:units?|homes)|D\\.?U\\.?'?s?|apartments|townho(?:mes|uses)|dwellings|condominiums)${NO_DENSITY}`,
);
/** '192 units', which are dwellings unless the text is about something else that is counted in units */
const UNITS = counted(WHOLE, `[ -](?:new )?(?:units?|homes)${NO_DENSITY}`);
const OTHER_UNITS =
  /\b(?:hotel|motel|guest ?rooms?|lodging|storage|warehouse|office|retail|commercial|industrial|hvac|rtu|condens\w+|mechanical|rooftop|window|ac|a\/c) /i;
const ALL_UNITS = counted(`total of ${WHOLE}`, `[ -](?:(?:${DWELLING}),? ){0,5}units?${NO_DENSITY}`);
const CHANGE = /\b(?:additional|increase|from what was|instead of|decrease|reduc|existing)\b/i;

/** '192 units', '64 multi-family residential units', 'a total of 399'; densities, increments, hotel rooms and other buildings' units do not count. */
export function findUnits(text: string): number | null {
  if (CHANGE.test(text)) return null;
  const all = onlyNumber(text, ALL_UNITS);
  if (all !== null) return all;
  const stated = [DWELLINGS, ...(OTHER_UNITS.test(text) ? [] : [UNITS])].flatMap((pattern) => [...text.matchAll(pattern)]);
  // Affordable ones are a part of the others.
  const others = stated.filter(([words]) => !/affordable/i.test(words));
  if (!others.length && /\binclu\w+(?: of)? [\d,]+ affordable/i.test(text)) return null;
  return agreedValue((others.length ? others : stated).map(({ groups }) => numberOf(groups)));
}

const LOTS = counted(
  String.raw`(?<digits>\d{1,3}(?:,\d{3})+|\d+)`,
  String.raw`[ -](?:(?:single[- ]family|SFD|residential|townhouse|buildable|building) ){0,2}lots?\b(?! ?#?\d)`,
);

/** '115 lot subdivision', '47 residential lots' */
export const findLots = (text: string): number | null => onlyNumber(text, LOTS);

const STORIES = counted(
  String.raw`(?:\(?(?<digits>\d{1,3}(?:\.5)?)\)?|(?<word>\b(?:${NUMBER_WORDS.join('|')})\b))`,
  '[ -]{0,2}stor(?:y|ies|eys?)\\b',
);

/** '3-story', '5 STORIES', 'six (6)-story'; half stories stay */
export const findStories = (text: string): number | null => onlyNumber(text, STORIES);

/** Every parcel that a text names behind a word for one: `Folio Number: 000901.5238`, `GPINs 7696-32-8070 and 7696-42-2354`. */
export function findParcels(text: string): string[] {
  const lists = text.matchAll(
    /\b(?:folio|parcel|GPIN|PIN|PCN|PID)(?: (?:identification|ID|control))?(?: ?(?:numbers?|nos?\.?|IDs?))?(?:\(?s\)?)?(?: ?#)?[:\s]{1,3}((?:(?:,? and|,|;| &)?\s?(?=[\w.-]*\d)[\dA-Z][\dA-Z.-]*(?:-|\.\d|\d{4})[\dA-Z.-]*)+)/gi,
  );
  return distinctValues([...lists].flatMap(([, list = '']) => list.match(/[\dA-Z][\dA-Z.-]{5,}[\dA-Z]/gi) ?? []));
}

const STREET_WORD =
  'road|rd|street|st|avenue|ave|av|drive|dr|boulevard|blvd|lane|ln|way|court|ct|pike|parkway|pkwy|highway|hwy|hy|turnpike|place|pl|circle|cir|terrace|ter|trail|freeway|square|plz|loop';

const STREET = new RegExp(`(?<![\\w'.-])(?!to |the |of |and )[\\w'.-]+ (?:${STREET_WORD})\\b(?![-/])`, 'gi');

/** Parts that end with a full stop, semicolon or colon; `0.5` has no full stop. */
const clausesOf = (text: string): string[] => text.split(/(?<=[;:]|\.(?!\d))/);

const CHANGED = /\bfrom\b|\b(?:de-?)?convert(?:ing|ed)?\b|\b(?:de-?)?conversion of\b/i;

interface Change {
  /** what stands before it, back to another change */
  before: string;
  from: string;
  to: string;
}

/** What a text says is changed `from` something `to` something, each within one clause. */
export function findChanges(text: string): Change[] {
  return clausesOf(text).flatMap((clause) => {
    const parts = clause.split(CHANGED);
    return parts.slice(1).flatMap((part, i) => {
      const at = part.search(/\bto\b/i);
      return at < 0 ? [] : [{ before: parts[i] ?? '', from: part.slice(0, at).trim(), to: part.slice(at + 'to'.length).trim() }];
    });
  });
}

/** Without 'within the Agritourism and Arts Overlay District'. */
function withoutOverlay(clause: string): string {
  const lower = clause.toLowerCase();
  const [first, last] = [lower.indexOf('overlay'), lower.lastIndexOf('overlay')];
  const start = Math.max(lower.lastIndexOf(' within ', first), lower.lastIndexOf(' in ', first));
  return first < 0 || start < 0 ? clause : `${clause.slice(0, start)} ${clause.slice(last + 'overlay'.length)}`;
}

/** 'designated MU-4, Community Mixed Use' is of a plan, 'adjacent to the school' of a neighbour. */
const PLANS =
  /\b(?:planned for|designated|comprehensive plan suggests|is appropriate for|density is)\b.*|\bzoned [\w()/-]+, (?:[\w-]+ ){0,3}(?:community|business|industrial|residential|district)\b[^;.]*|\breplac\w* an? existing [^,.;]*|\b(?:excluding|redevelop\w* (?:of )?(?:the |an? )?existing|(?:including|inclusive of) \d+ (?:affordable|ADU)) [^,.;]*?(?= with | into | to |[,.;]|$)|\beliminating [^,;]*/gi;
const COMPANY = /(?:\b[A-Z][a-z][\w'&.-]{0,25},? (?:(?:and|of|&) )?){1,5}(?:LLC|L\.L\.C|Inc|Corp|LP|LLLP)\b/g;
/** Without names of companies: Mattress Warehouse of Sterling, LLC, has no warehouse. */
export const withoutCompanies = (text: string): string => text.replace(COMPANY, ' ');

/** 'within the SoHo Cast-Iron Historic District' is around the case. */
const HISTORIC = /\b(?:with)?in (?:the |an? )?(?:[\w'-]+ ){0,5}historic district/gi;
const NEIGHBOURS =
  /\b(?:zoned|near|adjacent to|adjoining|across from|next to|plat of|(?:side|sides|corner|line|intersection) of|(?:north|south|east|west)\w* of) [^,]*/gi;

/** Removes words that do not describe the case's own use: street names ('Church Street'), overlay districts, plans, neighbours, and what is changed. */
export function withoutSurroundings(text: string): string {
  const clauses = clausesOf(text).map((clause) =>
    withoutOverlay(clause).replace(PLANS, ' ').replace(HISTORIC, ' ').replace(NEIGHBOURS, ' '),
  );
  const own = clauses.join('');
  return findChanges(own)
    .reduce((words, { from }) => (from ? words.replace(from, ' ') : words), own)
    .replace(STREET, ' ');
}

const NAMELESS = new RegExp(`^\\d[\\w-]* (?:(?:[NSEW]{1,2}\\.? )?(?:${STREET_WORD})\\.?$|(?:and|&) (?!\\d))`, 'i');

/** Without street names: `corner of Southwest Rd` is no district RD. */
export const withoutStreets = (text: string): string => text.replace(STREET, ' ');

const ADDRESS = new RegExp(`^\\d[\\w-]{0,11} (?:[\\w.'-]{1,30} ){1,5}(?:${STREET_WORD}|bl|wy|al|row|alley|plaza|walk)\\b`, 'i');

/** An address whose street has a name or number of its own: not `11015 E Dr`, cut from `11015 E Dr Martin Luther King Blvd`. */
export const isAddressWithName = (text: string | null | undefined): text is string => Boolean(text) && !NAMELESS.test(text ?? '');

/** A street address at the beginning of a text: `770 NW 41 Ave`. */
export const startsWithAddress = (text: string | null | undefined): text is string => ADDRESS.test(text ?? '');
