/** People and firms of a case, by role. Pure. */
import type { Span, StatedContact } from '../types.ts';
import patterns from './contacts.json' with { type: 'json' };
import { REQUEST } from './items.ts';
import type { Labels } from './labels.ts';
import { surnameOf } from './names.ts';
import type { ReadableText } from './text.ts';

const WORD =
  "(?:(?:[A-Z]\\.){1,4}|(?:Bros|BROS|(?:Co|Rest)(?=\\. (?:Inc|L\\.?L\\.?C|Ltd)\\b))\\.(?= [A-Z])|(?!(?:Represent(?:ing|ed)|Pursuant)\\b)[A-Z][\\wÀ-ÿ'&/-]{0,24}(?:\\.[A-Z]\\w{0,6})?|(?:Dr|St|Mr|Mrs|Ms)\\.)";
const JOIN =
  '(?: and | & | of |(?<=\\b(?:Church|Friends|Home|School|Society|Trustees)) of the | the | de | la |, (?=(?:L\\.?L?\\.?C|Inc|INC|Incorporated|INCORPORATED|L\\.?P|Ltd|LTD|HDFC|Jr|Sr|III|II|IV|PC|P\\.C|PLLC|PLC|Corp|Co|AIA|PE|Trustee)\\b)| )';
const NAME_WORD = "(?:(?:(?:[A-Z]|St|Ave|Blvd|No|Co|Rest)\\.){1,3}|[A-Z][\\wÀ-ÿ'&/-]{0,24})";
/** A firm whose name has numbers: `68-19 Rego Park, LLC`, `Enclave on 241st LLC`, `Hemmer 2 LLC` */
const NUMBERED = `(?<![\\d-])(?!\\d{2}[A-Z]{2,3}\\d|\\d{2}-\\d{3}|[A-Z]{1,6}-\\d)(?=(?:(?:${NAME_WORD}|and|&|of|on) ){0,6}\\d)(?:${NAME_WORD}|\\d[\\w-]{0,10})(?: (?:${NAME_WORD}|\\d[\\w-]{0,10}|and|&|of|on(?= \\d))){0,7}?`;
const FIRM_END =
  '(?:,? (?:L\\.?L\\.?[CP]|L\\.?P|P\\.?C|PLLC|Inc|INC|Corp|CORP|Corporation|Ltd|LTD|HDFC)\\b| (?:Realty|Associates|Partners|Owner)\\b(?!,? [A-Z\\d]))';
/** A person or a firm: words in capitals, and what joins them. `Community Board 8` has its number. */
const PARTY = `(?:${NUMBERED}${FIRM_END}(?:\\.?${FIRM_END})?|${WORD}(?:${JOIN}${WORD}){0,10}(?:(?<=\\b(?:Board|District)) (?:No\\. ?)?\\d{1,3}\\b(?!-))?)`;
type Role = StatedContact['role'];
/** Labels of one line follow each other: `Owner: … Applicant: …`. */
const LABEL = '(?:^|\\n|[.;,|(-] |[(]|(?<=[A-Za-z\\d.)]) (?=[A-Z][A-Za-z/() ]{4,24}:))';
/** Words of a role, in the whole passage; `{NEAR}`: only near its head; `{MOVED}`: in the motion as well. */
const RULES = Object.entries(patterns).flatMap(([role, list]) =>
  list.map((words) => {
    const [, within, pattern = ''] = /^(?:[{](NEAR|MOVED)[}])?(.*)$/s.exec(words) ?? [];
    return { role: role as Role, within, pattern: new RegExp(pattern.replace('{LABEL}', LABEL).replace('PARTY', `(${PARTY})`), 'g') };
  }),
);
const OF_FIRM = new RegExp(
  `^,? (?:(?:[a-z]+ )?(?:of|with|from|[Rr]epresenting|representative of(?: the)?|on behalf of|for|agent for)(?: the)? (${PARTY})|(${WORD}(?: ${WORD}){0,4},? (?:L\\.?L\\.?C|Inc|L\\.?P|Ltd|PC|PLLC|Corp)\\b\\.?))`,
);
const NO_PARTY =
  /'s$|^(?:Hwy|Highway|Route|County Road)\b|\b(?:Administrator|Interpretation|Violation|Decision|Notice|[Cc]omments?|Occupations?|were|was)\b|^[A-Z]{1,4}$|^(?:In|Any) |^(?:The|This|That|It|He|She|They|There|Staff|City Staff|Planning Staff|Applicants?|The Applicant|Petitioner|Owner|Commissioner|Chair\w*|Council ?\w*|Mr|Ms|Mrs|Public|Planning Commission|Commission|Board|Motion|Approval|A|An|Property|Subject|In|On|Request|Conditional|Special|Variance|Rezon\w*|Section|Chapter|Item|Case|Zoning|Location|None|No|Title|Project|Final|Preliminary|Same|Site|And|Citizens?|Residents?|Also|As|If|When|What|Consideration|Discussion|Action|Permit|Planning|Application|Representative|All|Any|Plan|Use|Subdivision|Amendment|Director\S*|Denial|Appeal)(?:$|\.$| (?:Plan|Plat|Permit|Amendment|Request|Text|Zone|Commission|Hearing)\b)/;
/** Parts of a firm's name, codes, bodies and kinds of request, which stand where a party may. */
const OTHER_PARTY =
  /^Presentations?$|^(?:Trust|Company|District|Administrative Review)$|^(?:Approximately|This|DL|Designation|Community School District)\b|\bSeat\b|^(?:(?:Agricultural|Business|Commercial|Community|Corporate|General|Heavy|Industrial|Light|Multifamily|Neighborhood|Office|Regional|Residential|Townhouse)(?: |$)){1,4}$|\b(?:Chief|Marshal)$|^(?:Commissioners?|Chair\w*|Council\w*|Alder\w+|Supervisor|Trustees?|Neighbors?|Abutters?|Pastor|Planner|Mr|Ms|Mrs)\b.? [A-Z]|^(?:Trustees|Supervisors|Commissioners)'?$|^(?:LL[CP]|Inc|ID)\b|^(?:[A-Z]{1,9}[- ]?)?\d[\d-]{3,20}\b(?! (?![A-Z]{1,9}-?\d).*\b(?:L\.?L\.?C|Inc|Corp)\b)|^[A-Z]{1,9}-?\d{2}|^(?:Town|City|County|Village) (?:Council|Commission|Board)$|^(?:Council ?(?:Member|man|woman)|Board of Appeals|Petitioners|Magisterial|Amending|Extend\w*|Extension|Budget)\b|\b(?:Streets|DENIAL|MORATORIUM|COMMENTS|Ordinance|Act|Facility|Magisterial District)$/i;
/** Words that name a use or a paper and no party: `OUTDOOR STORAGE`, `Wind Energy Systems`, `Staff Report` */
const OF_USE =
  /\b(?:accessory|auto|barns?|building|cease|commercial|desist|dismissed|energy|events?|facilit(?:y|ies)|height|nobody|order|outdoor|rehearing|rentals?|report|sales|shops?|short|signs?|solar|staff|storage|systems?|term|tobacco|units?|vape|wind|and|&)\b/gi;
const isNoParty = (name: string): boolean =>
  NO_PARTY.test(name) ||
  OTHER_PARTY.test(name) ||
  !/[A-Za-z]{2}/.test(name.replace(OF_USE, '')) ||
  (REQUEST.test(name) && !isCompany(name));

const ROAD = / (?:Street|St|Road|Rd|Avenue|Ave|Drive|Dr|Lane|Ln|Court|Boulevard|Blvd|Highway|Parkway|Circle)(?: \d{1,4})?$/;
const COMPANY =
  /\b(?:L\.?L\.?C|Inc|L\.?P|Ltd|PC|PLLC|Corp|Corporation|Company|Co|Group|Partners|Partnership|Homes|Properties|Development|Developers?|Architects?|Engineering|Associates|Trust|Church|Bank|Holdings|Builders|Construction|Enterprises|Investments?|Ventures|Capital|Realty|Consulting|Design|City|County|Town|Village|District|Authority|Council|University|School|Foundation|Association|Department|Urban|Services|Energy|Solar|Wireless|Communities|INC|LLC|CORP|TRUST|HOMES|PARTNERS)\b/;
const isCompany = (name: string): boolean => COMPANY.test(name);

/** Contacts that the head names; what it leaves open, from the text behind it. The first one of a role counts. */
export function readContacts(
  text: ReadableText,
  head: Span,
  body: Span,
  moved: Span,
  labels: Labels,
  numberEnd: number,
  members: ReadonlySet<string>,
): StatedContact[] {
  const found = readLabelled(text, labels);
  const later = { start: body.start, end: Math.min(body.end, body.start + 9_000) };
  for (const [range, rules] of [
    [head, RULES],
    [later, RULES.filter(({ within }) => within !== 'NEAR')],
    [{ start: body.start, end: Math.min(body.end, body.start + 1_200) }, RULES.filter(({ within }) => within === 'NEAR')],
    [moved, RULES.filter(({ within }) => within === 'MOVED')],
  ] as const)
    for (const { role, pattern } of rules) {
      if (found.some((one) => one.role === role)) continue;
      const contact = findContact(text, range, role, pattern);
      if (contact && !members.has(surnameOf(contact.name)) && !found.some((one) => one.name === contact.name)) found.push(contact);
    }
  const firm = found.some(({ role }) => role === 'applicant')
    ? null
    : (findFirm(text, head, text.prose.slice(body.start, later.end)) ?? findBehindNumber(text, head, numberEnd));
  return firm && !members.has(surnameOf(firm.name)) && !found.some((one) => one.name === firm.name) ? [...found, firm] : found;
}

const FIRM =
  /\b(?:L\.?L\.?C|Inc|L\.?P|Ltd|LLP|PLLC|Corp|Corporation|Holdings|Associates|Partners|Homes|Properties|Ventures|Trust|Estate of|Company|School|Church|Foundation|Bank|HOA|Co-?op(?:erative)?|& Sons|Brewing|Realty|Towing|Storage|Farms?|Dairy|Energy|Builders|Club|Bros|Construction|Enterprises|Investments?|Solar|Motors)\b|(?<!\b(?:land|planned|unit|site|conservation) )\b(?:Group|Development|Wireless|Auto)(?=$|,)/i;
/** Parts of a heading: `… - 1.87 acres - Depot Lane Revival LLC.`, `Lester and Fern Wuolle, 38877 Sugarbush Trail`. */
const PART =
  /(?<=^|\n| --? |[;:|] |\d, |\d[)]?-|, |[(=] ?|[a-z\d]{2}[.] )[A-Z\d][^\n;:()|]{2,70}?(?=\.?\n|\.?:?$| --? |[;:|)]| [(/]|\. (?=[A-Z\d])|, (?!L\.?L|Inc|L\.?P|Ltd|Corp|PLLC|INC|LLC|LP))/g;
/** `variance for Rusty & Mandy Uecker for a grain bin`; not `a designation of`, `in the corner of`, `a plat made by` */
const OF_PARTY = new RegExp(
  `(?<!\\b(?:designations?|[Cc]ommission(?:'s)?|acres?|lines?|corner|quadrant|sides?|part|portion|vicinity|east|west|north|south|use|[Bb]oroughs?|prepared|made|drawn|\\d[)])(?: of)? )\\b(?:for|of|by) (?:the )?(${PARTY})`,
  'g',
);
const IS_PARTY = /^(?:(?:[A-Z\d&][^ ]{0,30}|and|of|the|de|la|d\/b\/a)(?: |$)){1,9}$/;
/** `Greta Nyquist Schumann`, `Doug & Trish Varney` */
const PERSON = /^(?:[A-Z][a-z'-]+|[A-Z]\.)(?: (?:[A-Z][\w'-]+|[A-Z]\.|and|&)){1,5}$/;

/** A firm, a couple, or a person whom the text after the heading repeats, in a part of the heading by itself or after `for`, `of` or `by`. */
function findFirm(text: ReadableText, { start, end }: Span, rest: string): StatedContact | null {
  const words = text.prose.slice(start, Math.min(end, start + 500));
  for (const { index, 0: whole, 1: named } of [...words.matchAll(PART), ...words.matchAll(OF_PARTY)]) {
    const part = named ?? whole;
    const name = tidyName(part);
    if (isOther(name) || name.split(' ').length > 8) continue;
    const isPerson =
      PERSON.test(name) &&
      !isCompany(name) &&
      (/ (?:and|&) /.test(name) || ['Mr', 'Ms', 'Mrs', 'Dr'].some((title) => rest.includes(`${title}. ${name.split(' ').at(-1)}`)));
    if (!(FIRM.test(part) && IS_PARTY.test(name)) && !isPerson) continue;
    const at = start + index + whole.lastIndexOf(name);
    return { role: 'applicant', name, company: null, ...text.toSpan(at, at + name.length) };
  }
  return null;
}

/** `24-5100 Gypsum Wash Winery: …`, `#CU-24-02 of Paul Wimmer to convert …`, from behind the number on */
const BEHIND_NUMBER = new RegExp(
  `^(?:-[A-Z]{1,4}\\b)?[)\\]]?(?:,? [A-Z]{1,6}-?\\d[\\d-]{2,12}\\b)?(?: ?[(][^()\\n]{1,24}[)])?(?: ?[-:.,]{1,2} |-(?=[A-Z][a-z]+ )| (?:of|by|for) (?:the )?| ?\\n| )(?:Mr\\. |Ms\\. |Mrs\\. )?(${PARTY})(?=[.,:;]? ?\\n|(?<=\\b(?:LLC|Inc|INC|Corp|LP|Trust)) \\d|[,;] | - |\\. (?=[A-Z])| [(/]|: | (?:is |has |to |for |seeks|requests|wants|asks|appeals|d/b/a))`,
);
/** What happens at a meeting, where a name may stand. */
const OF_MEETING =
  /\b(?:staff|motions?|moved|hearing|adjourned|cases?|applicants?|findings?|order|adopted|continued|withdrawn|denied|approved|tabled|housing|facts?|standards)\b/i;
/** Requests that headings name by the project. */
const OF_PROJECT = /\b(?:plats?|subdivision|site plan|planned|annex\w*|sketch|ordinance|resolution|bill|amend\w*|PUD|PD)\b/i;

/** Who is named behind the number of the case. */
function findBehindNumber(text: ReadableText, head: Span, from: number): StatedContact | null {
  const words = text.prose.slice(from, Math.min(head.end + 60, from + 160));
  const found = from > 0 && from - head.start < 70 ? BEHIND_NUMBER.exec(words) : null;
  const name = tidyName(found?.[1] ?? '');
  if (!found || name.length < 3 || /\d/.test(name) || isOther(name)) return null;
  if (!name.includes(' ') && !/^[,-]? ?[-,] ?\d/.test(words.slice(found[0].length))) return null;
  if (!FIRM.test(name) && OF_PROJECT.test(text.prose.slice(head.start, head.end).replace(name, ''))) return null;
  const at = from + found[0].indexOf(name);
  return { role: 'applicant', name, company: null, ...text.toSpan(at, at + name.length) };
}

const REQUEST_WORDS =
  /\b(?:Subdivision|Plat|Plan|Permit|Variance|Rezon\w+|Amendment|Phase|Annexation|Review|Appeal|Exception|Special Use|acres?|lots?|units?|located|from|to|for|of the)\b/i;
const isOther = (name: string): boolean => REQUEST_WORDS.test(name) || OF_MEETING.test(name) || ROAD.test(name) || isNoParty(name);

/** Where the name ends that stands behind a label. */
const NAME_END =
  /;| \| | [(]| - |,(?! (?:L\.?L\.?C|Inc|L\.?P|Ltd|GP|Jr|Sr|III|II|PC|P\.?C|PLLC|PLC|Corp|Co|AIA|PE|Trustee|and )\b)| (?:for|of behalf of|on behalf of|c\/o|represented by|phone|email) |(?<=[a-z]{3})\.(?= |$)/;

/** The parties of a form: `APPLICANT: Tracy Pulliam for Pulliam Bros. Hauling`. */
function readLabelled(text: ReadableText, labels: Labels): StatedContact[] {
  return (['applicant', 'owner', 'representative'] as const).flatMap((role) => {
    const label = labels[role];
    const name = label && tidyName(label.value.split(NAME_END, 1)[0] ?? '').replace(/^(?:Mr|Ms|Mrs|Dr)\. (?!and )/, '');
    if (
      !label ||
      !name ||
      name.length < 3 ||
      name.length > 90 ||
      !/^[A-Z\d]/.test(name) ||
      (name.split(' ').length > 6 && !isCompany(name)) ||
      NO_PARTY.test(name)
    )
      return [];
    const at = label.at + label.value.indexOf(name);
    return [
      { role, name, company: companyBehind(label.value, label.value.indexOf(name) + name.length), ...text.toSpan(at, at + name.length) },
    ];
  });
}

/** Without the number of a case before it, and what joins it to the words behind it. */
const tidyName = (party: string) =>
  party
    .replace(/^(?:[A-Z]{1,6}-?\d[\d-]{2,12}[-/ ]{1,3}){1,3}(?=[A-Z])/, '')
    .replace(/(?: (?:and|&|of|the|Mrs?|Ms)){1,3}$/, '')
    .replace(/[\].,;:-]{1,9}$/, '');

function findContact(text: ReadableText, { start, end }: Span, role: Role, pattern: RegExp): StatedContact | null {
  const words = text.prose.slice(start, end);
  for (const { index, 0: whole, 1: party = '' } of words.matchAll(pattern)) {
    const name = tidyName(
      words[index + whole.length] === ':' ? party.replace(/ [A-Z][A-Za-z/]{3,16}(?: (?:Address|ID|Number|Type|Name))?$/, '') : party,
    ).replace(
      /^(?:(?:Mr|Ms|Mrs|Dr)\.|Petitioner|Applicant|Appellant|Owner|Attorney|Atty|Developer|Property Owner|Citizen|Resident|The) /,
      '',
    );
    if (name.length < 3 || isNoParty(name) || ROAD.test(name) || name.length > 90) continue;
    const at = index + whole.indexOf(name, whole.indexOf(party));
    const company = companyBehind(words, at + name.length);
    return { role, name, company, ...text.toSpan(start + at, start + at + name.length) };
  }
  return null;
}

function companyBehind(words: string, at: number): string | null {
  const found = OF_FIRM.exec(words.slice(at, at + 140));
  const name = tidyName(found?.[1] ?? found?.[2] ?? '');
  return name.length > 2 && !NO_PARTY.test(name) ? name : null;
}
