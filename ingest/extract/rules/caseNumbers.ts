/** Numbers of cases and parcels in a text, as bodies print them. Pure. */

export interface NumberAt {
  value: string;
  at: number;
  length: number;
}

/** Words of any case in an expression that minds it. */
const anyCase = (words: string) =>
  words
    .split('|')
    .flatMap((word) => [`[${word[0]?.toUpperCase()}${word[0]}]${word.slice(1)}`, word.toUpperCase()])
    .join('|');
const LABEL = `(?:[Aa]ppl?\\.|[Bb]ill(?= [Nn]o)|BILL(?= NO)|${anyCase('case|petition|application|docket|file|appeal|variance|permit|plat|project|zoning|rezone|rezoning|subdivision|request|matter|record|control|plan|reference|item|hearing|agenda|ordinance|resolution|amendment|review')}|(?:ZBA|PZ|P&Z|BZA|SUP|CUP|PUD|LU)(?=[ #:])|(?:PZC|P&ZC|BOA|PC|PB|ZC|ZHB|LUB|DRB|HPC)(?= ?#))`;
const NUMBERED = '(?: ?(?:[Nn][Oo][Ss]?\\.?(?= ?[:#]?[ A-Z0-9])|[Nn]umbers?|NUMBERS?|[Nn]br\\.?|#|ID|[Ii]d)(?:\\(s\\))?)';
/** Behind ` - ` a word without digits is a name: `Case #98-03 - THOMAS`. */
const CODE =
  '((?:[A-Z]{1,5} (?=\\d{2}))?[A-Z0-9]{1,17}(?:(?: - (?!\\d{1,6} (?:[NSEW]\\.? )?[A-Z][a-z]|An? [a-z]|[A-Z]\\. )(?=[A-Z]{0,3}\\d|[A-Z]{1,3}\\b)| ?(?:-|\\/(?![A-Z]{4}))(?! ) ?|[-/] )[A-Z0-9]{1,12}(?![a-z])){0,4}(?:\\.[A-Z]{2,4}\\b){0,4}(?:(?<=\\d{6}A?) (?!FOR|AND|THE)[A-Z]{3}(?![A-Za-z]))?)(?![a-z])';
/** Words, then the code: `Case No. 2024-05`, `File # 6Z23 / DCA-000379-2023`, `Application SUBD-083-2022`, `applications 2024-0073-SP`. */
const LABELLED = new RegExp(
  `\\b${LABEL}[sS]?(?: (?:[Ff]ile|FILE|ID|[Cc]ase|CASE|[Pp]ermit|PERMIT|[Aa]pplication|APPLICATION))?(${NUMBERED})?(?: ?[:#]{1,2}[ \\n]?| - | )?(?=[A-Z]{0,10}[-. ]?\\d)(?!\\d{1,2}(?:st|nd|rd|th)\\b)${CODE}`,
  'g',
);
/** Codes that say by themselves that they are numbers of cases. */
const SPEAKING =
  /(?<![A-Za-z0-9-]|(?<!\d)\/)(?<!(?<=[A-Za-z\d] ?)#(?![A-Z]\.))(?:[A-Z]{1,10} ?-? ?\d{2,4} ?- ?\d{1,8}(?:(?:- ?| -)(?!\d{1,6} (?:[NSEW]\.? )?[A-Z][a-z])(?:\d[A-Z0-9]{0,5}|[A-Z]{1,3}\d{0,4}))?[A-Z]?|[A-Z]{1,6}-\d{1,4}-(?:19|20)?\d{2}(?!\d)|\d{2}[A-Z]{2,4} ?[\dO]{3,5}|\d{3}N ?\d{4}|[A-Z]{2,10}-?(?:19|20)\d{2} ?- ?\d{2,8}(?:-[A-Z0-9]{1,4})?|[A-Z]{2,10}(?:19|20)\d{2}\d{3,8}|[A-Z]{1,6}-\d{4,}(?:-\d+)?|(?:V|VAR|CUP|SUP|SE|SUB|SP|ZBA|BZA|PB|Z[AC]?|RE?Z|UP)-\d{3}(?!-)|(?=[A-Z\d-]{0,12}[A-Z])(?:19|20)?\d{1,2}-(?:[A-Z]{1,5}|\d[A-Z])-\d{2,6}(?:-[A-Z]{1,4})?|(?:19|20)\d{2} ?- ?\d{2,6} ?- ?[A-Z]{1,8}|[A-Z]{1,6}[.#]? ?(?:19|20)\d{2}[-.]\d{1,5}|\d{2,4}-\d{1,5}-[A-Z]{1,6}|[A-Z] ?\d{6}A? ?[A-Z]{3}|LU \d{4}-\d{4}|(?:19|20)?\d{2}(?:[A-Z]{2,5}-\d{3,6}[A-Z]{0,3}|[A-Z]-\d{3}[A-Z]{0,3}(?=-))(?:-\d{3,6})?|(?!RP|TM|PID|PIN)[A-Z]{2,4}[12]\d{6}|(?:CUP?|CZ|SUP|RZ|REZ|VAR) ?\d{4}|(?<=#)(?:[A-Z]\.){1,3} ?\d{1,4}-\d{2,4})(?![A-Za-z0-9])/g;
/** `[#33012; parcel 20-34]`, `Grading Plan (GP) 24-011`, `BIBLE SCHOOL. (98163)` */
const BRACKETED =
  /\[(?:ID ?)?#? ?(\d{4,6})(?=[;,\]])|(?<=[A-Za-z] \([A-Z]{1,5}\) (?:[Nn]o\. ?|#)?)(?=\d)(\d{2,4}-\d{2,5}(?![\d-]))|\((?:[Pp]lan |[Ff]ile )?((?:19|20)\d\d-(?!(?:19|20)\d\d\))\d{2,5}|(?:19|20)\d{5}|(?<=[A-Z]{3}\.? \()\d{5})(?=\))/g;
/** Zones, roads, times, parts of the code, ordinances of the code: no cases. */
const OTHER_CODE =
  /^(?!(?:CUP?|SUP?|Z[ACM]|S[EP]|RZ|UP|VA|TA|PP|FP|DR|PC|LU)-?\d{1,2}-[12]\d$|(?:TM|AB)-[12]\d-\d{3,5}$)(?:[A-Z]{1,3}-?\d{1,2}(?:-[A-Z]{1,3})?|[A-Z]{1,3}-?\d-\d{1,3}(?:-[A-Z]{1,3})?|(?:R|RM|RR|RA|A|C|M|B|I|D|MU)-\d{1,2}-\d{1,3}|(?:I|US|SR|U|M|HWY|CR|RT|RTE|FM|PO|HB|SB|LB|AB|COVID|ASTM|ISO|FY|PM|AM|NO|APN|TMS?|TMP|UPI|SBL|PID|PIN|TIN|ID|UT|CA|VA|NY|TX|FL|AT|BY|TO|OF|THE|ON|IN|DATED|EXHIBIT|PAGE|SECTION|CHAPTER|TITLE) ?-? ?\d[\d-]*)$/i;

/** `Item 24-01-02` is no date: no month has the number of a year. */
const COUNTED = /^(?:1[3-9]|[23]\d)-\d{2}-\d{2,3}$/;

const tidy = (code: string) =>
  code
    .replace(/^NO\. ?(?=\d)/, '')
    .replace(/ ?([-/.]) ?/g, '$1')
    .replace(/[./-]{1,9}$/, '')
    .trim();
const digits = (code: string) => code.replace(/\D/g, '').length;

/** Whether a code may be the number of a case; one behind a word for it may be shorter. */
function isCaseNumber(code: string, label: 'numbered' | 'labelled' | 'none', label0 = ''): boolean {
  if (label !== 'none' && COUNTED.test(code)) return true;
  if (/^\d{1,2}[-/]\d{1,2}[-/]\d{2,4}$/.test(code) || /^(?:19|20)\d{2}$/.test(code)) return false;
  if (
    /^(?:ORDINANCE|RESOLUTION|ORD|RES|CHAPTER|SECTIONS?|TITLE|SENATE|HOUSE|BILL|PHASE|EXHIBIT|TABLED|CONTINUED|DEFERRED|POSTPONED|DATED|OPENED|REVISED)\b/i.test(
      code,
    )
  )
    return false;
  if (/^\d+\.\d+|^\d{1,2}-\d{1,2}-\d{1,3}$/.test(code)) return false;
  if (label === 'numbered') return !/^\d{1,2}$/.test(code) || /^(?:case|petition|application|docket|appeal|variance)/i.test(label0);
  if (label === 'labelled' && /^\d+$/.test(code))
    return code.length >= 4 && /^(?:case|petition|application|docket|file|appeal)/i.test(label0);
  return digits(code) >= 3 && !OTHER_CODE.test(code);
}

/** Letters that a scan has for digits: `CU-23-O14`, `ZC 2019 - l2`, `17SNO597`. */
const MISREAD =
  /(?<=\d[-/ ]{0,3})[OlI]{1,3}(?=\d)|(?<=\b[A-Z]{1,9}-)[OlI]{1,2}(?=\d)|(?<=\b\d{2}[A-Z]{2})O(?=\d{3}\b)|(?<=\d-\d{1,4})O(?![A-Za-z0-9-])/g;
const readDigits = (text: string) => text.replace(MISREAD, (letters) => letters.replace(/O/g, '0').replace(/[lI]/g, '1'));

/** Every case number of a text, in order, without those that are part of another one. */
export function findCaseNumbers(words: string): NumberAt[] {
  const text = readDigits(words);
  const found: NumberAt[] = [];
  const add = (raw: string, at: number, label: 'numbered' | 'labelled' | 'none', words = '') => {
    const value = tidy(raw);
    const overlaps = found.some((one) => at < one.at + one.length && at + raw.length > one.at);
    if (!overlaps && isCaseNumber(value, label, words)) found.push({ value, at, length: raw.trimEnd().length });
  };
  for (const { index, 0: whole, 1: numbered, 2: code = '' } of text.matchAll(LABELLED)) {
    const isVague =
      /^(?:bill|amendment|review|request|matter|record|control|plan|reference|item|hearing|agenda|ordinance|resolution)/i.test(whole);
    const isOfMeeting = /^(?:item|agenda|ordinance|resolution)/i.test(whole) && !/[A-Z]/.test(code);
    if (!COUNTED.test(code) && ((isVague && !numbered) || isOfMeeting)) continue;
    if (/^ ?[NSEW]\b|^ (?:North|South|East|West)/.test(text.slice(index + whole.length, index + whole.length + 7))) continue;
    add(code, index + whole.length - code.length, numbered ? 'numbered' : 'labelled', whole);
  }
  for (const { index, 0: whole, 1: first, 2: second, 3: code = second ?? first ?? '' } of text.matchAll(BRACKETED))
    add(code, index + whole.length - code.length, 'numbered');
  for (const { index, 0: code } of text.matchAll(SPEAKING)) add(code, index, 'none');
  return found.sort((a, b) => a.at - b.at);
}

const PARCEL =
  /\b(?:(?:tax )?parcels?|folio|(?:G?PIN|TIN|PCN|PPN|PID|UPI|UPC|STRAP|PPIN|PARID|MBL|[A-Z]?CAD|geo ?ID|A\.?P\.?N|P\.I\.N|T\.?M\.?S|T\.?M\.?P|S\.?B\.?L|S\/B\/L|M\/B\/L)s?\b\.?|map(?:[/-]block)?[/-]lot|(?:TM|RE) ?#|tax key|TMK|PVA (?=map)|(?:tax )?acct\.?|account|tag(?= n)|schedule|prop(?:erty|\.)? (?=ids?\b|identification)|serial|sidwell|section[-/, ]{1,2}block[-/, ]{1,2}lot|tax (?:map|i\.?d\.?|lot)|assessor'?s? (?:parcel|(?=n(?:o|umber))))(?: ?(?:identification|ID|control|map|key|parcel))?(?: ?(?:numbers?|nos?\.?|IDs?|#))?(?:\(s\)|s)?(?:[: ]{1,3}#?|#)((?:(?:,? and|,|;| &| -)? ?(?:\(\d\) ?)?(?=[\w.-]{0,12}\d)[\dA-Z][\dA-Z]{0,14}(?:[-./:]{1,2}(?:[\dA-Z]{1,10}|\([\dA-Z]{1,3}\))| [\dA-Z.-]{0,9}\d[\dA-Z]{0,9}(?! ?(?:acres?|ac\b|feet|square))){0,8})+)/gi;
const PARCEL_CODE =
  /[\dA-Z]{1,15}(?:[-./:]{1,2}(?:[\dA-Z]{1,10}|\([\dA-Z]{1,3}\))){1,8}|\d{2,6}(?: \d{1,6}[A-Z]?\b){2,5}|[A-Z]{1,2}\d{3,5} \d{3}[A-Z]?\b|(?=(?:[A-Z]{0,3}\d){6})[\dA-Z]{8,18}(?!\w)|[A-Z]?\d{5,16}/gi;
/** `Section 4, Block 17, Lot 212`, `Block 104, Lot 7`, `Tax Map 45, Parcel 12` */
const BLOCK_AND_LOT =
  /\b(?:(?:Section|Sec\.?|Sheet|Map) \d[\d.A-Z-]{0,7},? )?(?:B[l1]ocks?|Blk\.?) \d[\d.A-Z-]{0,7}(?:,|;| and| &)? ?(?:p\/o )?Lots?\.? (?:p\/o )?\d{1,5}(?:\.\d{1,3})?[A-Z]?(?:-\d{1,4}|(?:,(?: and)?| and| &) (?:p\/o (?:Lot )?)?\d{1,4}(?:\.\d{1,3})?(?![\d-]|\.\d|[ -]acre)(?! (?!and\b)[A-Z]))*|\b(?:(?:Tax |Assessor'?s? )?(?:Map|Plat)|AP)(?: [Nn]o\.?)? [A-Z]{0,2}-?\d[\d.A-Z-]{0,11}(?:,? | ?\/ ?)(?:Gr(?:oup|id) [A-Z\d]{1,3},? )?(?:Parcel|(?:Tax )?Lot)s? \d{1,5}(?:\.\d{1,3})?(?:-?[A-Z](?![A-Za-z]))?(?:-\d{1,4}|(?:,? and| &|,) \d{1,5}(?:\.\d{1,3})?[A-Z]?(?![\w-]|\.\d|[ -]acre)(?! [A-Z]))*|\bB: ?\d[\d.]{0,6},? L: ?\d[\d.]{0,6}(?:(?:,| &|, &) \d{1,4}(?:\.\d{1,3})?(?![\d.-]|[ -]acre))*|\bLots? \d{1,4}[A-Z]? (?:on|of) (?:the )?(?:Tax |Assessor'?s? )(?:Map|Plat) \d{1,4}\b|(?<=#)\d{1,3}\.(?:\d{1,3})?-\d{1,3}-\d[\d.]{0,8}(?!\w)|(?<![\w-])\d{1,4}(?:-\d{1,5}){4,6}(?![\w-])|\bRP[A-Z]?\d{2}[NS]\d{2}[EW]\d{6}[A-Z]?\b|\b(?:(?!the )[A-Z][\w.]{1,20} ){1,3}Survey,? (?:Abstract|A-)(?: No\.)? ?\d{1,4}\b/gi;

const isParcelCode = (code: string) => digits(code) >= (/-.*[-A-Z]/.test(code) ? 4 : 5);
/** Every parcel that is named behind a word for one. */
export function findParcelNumbers(text: string): NumberAt[] {
  const found: NumberAt[] = [];
  for (const { index, 0: whole, 1: list = '' } of text.matchAll(PARCEL))
    for (const { index: at, 0: code } of list.matchAll(PARCEL_CODE))
      if (isParcelCode(code) && !found.some(({ value }) => value === code))
        found.push({ value: code, at: index + whole.length - list.length + at, length: code.length });
  const places = findAll(text, BLOCK_AND_LOT).filter(
    ({ value }) => !found.some((one) => one.value.includes(value) || value.includes(one.value)),
  );
  return [...found, ...places];
}

const findAll = (text: string, pattern: RegExp): NumberAt[] =>
  [...text.matchAll(pattern)].map(({ index: at, 0: value }) => ({ value, at, length: value.length }));

/** The parcels that stand behind a label: each code, or else the words as they are. */
export function readParcelCodes(value: string): NumberAt[] {
  const places = findAll(value, BLOCK_AND_LOT);
  if (places.length) return places;
  const codes = findAll(value, PARCEL_CODE).filter((code) => isParcelCode(code.value));
  if (codes.length) return codes;
  return /^[\w .,/&-]{4,60}$/.test(value) && digits(value) >= 2 ? [{ value, at: 0, length: value.length }] : [];
}

/** Numbers as they are compared: in capitals, without what stands between. */
export const foldNumber = (code: string): string => code.toUpperCase().replace(/[^A-Z0-9]/g, '');
