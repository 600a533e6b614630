/**
 * The items of a meeting: which passage of the text belongs to which request. An item begins with its mark (`2.`, `B.`, `1.1`), with the number of
 * its case, or as a heading of its own; it ends where the next one, or a section that hears nothing, begins. Pure.
 */
import { AGENDA_ITEM, CLOSING, SECTION } from '../../../src/core/domain/cases/caseHeadings.ts';
import type { Span } from '../types.ts';
import { findCaseNumbers, findParcelNumbers, foldNumber, type NumberAt } from './caseNumbers.ts';
import { findHeadings, findListed, findMarkForms, findSeries, foldForm, type HeadingSigns } from './headings.ts';
import { beginsWithLabel } from './labels.ts';
import { type Motions, RESULT_ALONE } from './motions.ts';
import nextItem from './nextItem.json' with { type: 'json' };
import { readMarkKind, readMarkPlace } from './numbers.ts';
import { findFrom, type Paragraph, type ReadableText, splitParagraphs, WHOLE } from './text.ts';

export type SectionKind = 'consent' | 'hearing' | 'briefing' | 'other';

/** Places are of `prose`. */
export interface Item {
  start: number;
  end: number;
  /** behind the mark of the item */
  headStart: number;
  /** end of the words that state the request, before anybody speaks */
  headEnd: number;
  /** end of the line that a format states to be the title */
  titleEnd?: number | undefined;
  section: SectionKind;
  /** how much speaks for a request; the more, the surer */
  score: number;
  /** whether parts have requests of their own: `A. Planned Development: …` */
  hasParts: boolean;
  numbers: NumberAt[];
}

/** A case that nobody moves on. */
export const WITHDRAWN =
  /\b(?:(?:has|have|had|was|were|been|(?<!motion )(?:is|be)) (?:formally |been )?withdrawn|withdrew (?:the|his|her|their|its) (?:request|application|petition|case|item)|leave to withdraw|(?:withdrawing|to withdraw) (?:the|his|her|their|its) (?:request|application|petition)|request(?:ed)? (?:to withdraw|withdrawal)|[Pp]ulled by (?:the |its )?(?:applicant|petitioner|owner|developer)|item (?:was )?withdrawn|(?:[Aa]pplication|[Pp]etition|[Aa]ppeal|[Rr]equest) withdrawn|WITHDRAWN)\b|(?:- |[:;.] |\n)[Ww]ithdrawn\b/;

/** A case that is put off. */
export const PUT_OFF =
  /\b(?:(?:continued|postponed|tabled|deferred|carried|adjourned|CONTINUED|POSTPONED|TABLED|DEFERRED|ADJOURNED|Continued|Postponed|Tabled|Deferred|[Hh]eld(?: over| by staff)?) (?:to|until|over|at (?:the |[\w' ]{2,20}'s? )?request|by the applicant|indefinitely|TO|UNTIL)\b|(?:[Pp]ulled|[Dd]eleted|[Rr]emoved) (?:by|from the (?:agenda|docket))\b)/;

export const REQUEST =
  /\b(?:re-?zon\w+|zon(?:e|ing) (?:map |text |code |ordinance |district )*(?:change|amendment|request|case)s?|zone change|map amendment|text (?:change|amendment)|(?:code|ordinance) (?:text )?amendment|(?:conditional(?:ly)?|interim|temporary|specific) use|special (?:use|exception|permit|land use)|use permit|variances?|variations?|deviations?|(?:preliminary|final|minor|major|sketch|concept|amended|condominium|simple|short|record) (?:\w+ )?(?:plats?|plans?|subdivisions?|maps?)|subdivi(?:sion|de)|re-?plat|plat (?:amendment|approval|vacation)|plats?\b|site (?:development )?plans?|(?:general|comprehensive|master|land use) plan (?:\w+ ){0,2}(?:amendment|change|map)|general plan change|annex(?:ation|ing)?|planned (?:unit |residential |area |mixed.use )?(?:development|community|district)|land development|\bPUD\b|\bPD\b|\bCUP\b|\bSUP\b|\bCOA\b|(?:preliminary|final) \w+ (?:approval|dwelling)|\bADU\b|development (?:agreement|plan|permit|review)|design review|architectural review|certificates? of appropriateness|(?:street|alley|easement|right.of.way|road|plat) (?:vacation|abandonment|closure)|vacat(?:e|ion|ing) (?:of )?(?:a |the |an )?(?:[\w.]+ ){0,5}(?:street|alley|right|easement|plat|road|lot)|home occupation|sign (?:permit|plan|variance)|lot (?:line|split|consolidation|combination|merger)|boundary (?:line )?adjustment|property line|nonconforming|waivers?|appeals? (?:of|from|by)|overlay (?:zone|district)|wetlands? permit|coastal|time extension|extension (?:of|request)|modification (?:of|to)|reasonable accommodation|tentative (?:map|tract|parcel)|parcel map|historic (?:designation|landmark)|demolition|telecommunications?|short.term rental|amend(?:ing|ments?)? (?:[\w,.]+ ){0,8}(?:title|chapter|section|code|zoning|ordinance|map)|land use (?:application|ordinance|amendment)|proffer\w*|use on review|special district|moratorium|interpretations? (?:of|that)|subdivision|land division|setback|building permit|cell tower|encroachment|road naming|certified survey map|(?:earth|soil|gravel|sand) (?:removal|extraction)|mining permit|\bCSM\b|operation plan|large scale development|use by (?:special )?review|conditional (?:zoning|district)|(?:zoning|land use|temporary use|floodplain|shorel(?:and|ine)|comprehensive) permit|(?:land )?partition|site condominium|plan conformity|(?:design|height) exception|exceptions? (?:to|from)|administrative appeal|(?:street|road|right.of.way|alley) clos(?:ing|ure)|reclassif\w+|redistrict\w*|change of (?:zon\w+|use)|non-(?:conforming|complying)|cluster (?:subdivision|development)|redevelopment plan|use determination|consistency (?:finding|determination)|8-24 referral|primary (?:approval|plat)|specific plan|density bonus|(?:specific|general) (?:implementation|development) plan|(?:plan|permit|plat) (?:amendment|extension|revision)|(?:solar|wind) (?:farm|facility|energy|array|project))s?\b/i;
/** What speaks of land, each kind once; several of them are as good as the name of a request. */
const LAND_SIGNS = [
  /\b(?:parcels?|tax map|map [A-Z]?\d+|lots? \d|block \d|plat|section \d+, |pin|apn|tract)\b/i,
  /\b(?:acres?|ac\.|square feet|sq\.? ?ft|s\.f\.|MW|kW)\b|\b\d[\d,]{0,9}[ -](?:feet|foot|ft|lots?|units?|dwellings?|homes|houses|apartments|stor(?:y|ies)|spaces|beds?|rooms)\b/i,
  /\b(?:zon(?:e|ed|es|ing)|districts?|overlay|setbacks?|land use|[A-Z]{1,3}-\d[A-Z]?)\b/,
  /\b\d{1,5} (?:[NSEW]\.? )?(?:[A-Z][\w.']{0,16} ){1,4}?(?:Street|St|Avenue|Ave|Road|Rd|Drive|Dr|Lane|Ln|Court|Ct|Boulevard|Blvd|Way|Place|Highway|Hwy|Pike|Route|Rte|Circle|Trail)\b/i,
  /\b(?:residential|commercial|industrial|agricultural|dwelling|apartments?|duplex|townho\w+|garage|deck|shed|barn|storage|warehouse|restaurant|store|shop|church|school|solar|wind|tower|antenna|quarry|gravel|mine|mineral|landfill|kennel|campground|camp|cabin|dock|pier|pool|fence|sign|billboard|driveway|parking|easement|rentals?|accessory|housing|cannabis|marijuana|data centers?|feedlot|cemetery|subdivision|development|wetlands?|shoreline)\b/i,
  /\b(?:public hearing|application|applicants?|petition(?:er)?|requests?|proposal|permit|approval|for (?:the )?(?:company|applicant))\b/i,
];
/** As many signs of land are as good as the name of a request. */
const SIGNS_LEAST = 2;
const countSigns = (words: string): number => LAND_SIGNS.filter((pattern) => pattern.test(words)).length;

const ASKS =
  /\b(?:(?:is|are|was|were) (?:requesting|seeking|proposing|asking|petitioning|applying)|requests?(?:ed|ing)? (?:for|from|by|of|to|that|an?|the|approval|final|preliminary|\w+ (?:approval|permit|plat|variance))|on the request of|(?:application|petition|proposal|appeal|submittal)s? (?:of|by|from|for|to|submitted|number|no)|public hearing|to consider|consider(?:ation)?(?: of| and| an?)?|discussion and (?:possible|potential)|possible (?:action|recommendation|decision)|action on|recommendation to|has (?:applied|submitted|filed|requested)|initiated|the request is|requesting|requests|requested|seeks|proposes|location:|applicant|petitioner|approval of|hearing (?:on|for)|rezone \d|for (?:a|an) (?:\w+ ){0,3}(?:permit|variance|rezoning|subdivision|plat|plan|exception|waiver|amendment))\b/i;
/** How a paragraph begins that tells what somebody did or said. */
const NARRATIVE =
  /^(?:(?:The|A) )?(?:(?:planning |zoning |city |county )?(?:commission|board|council|committee)\b|hearing (?:examiner|officer)|commissioners?|board ?member|council ?(?:member|man|woman)|alder\w+|supervisor|trustee|chair(?:man|woman|person)?|vice.chair\w*|mayor|mr|ms|mrs|dr|staff|applicants?|petitioner|city (?:planner|attorney|engineer|staff)|county (?:planner|attorney)|planner|planning (?:director|manager|staff)|(?:senior|principal|associate|assistant|deputy|community|urban|town|village|zoning) (?:\w+ ){0,2}(?:planner|director|attorney|administrator|designer|officer)|director|attorney|commission (?:discussed|asked|reviewed)|board (?:discussed|asked|reviewed)|public (?:hearing (?:was|opened|closed|began|is|were|no )|comment|portion|notice)|hearing (?:was|opened|closed|began)|motion|moved|second(?:ed)?|votes?|ayes?|nays?|roll call|discussion(?! and (?:\w+ )?(?:recommendation|consideration|action|decision))|findings?|conditions?|reasons?|result|(?:[a-z]{2,10} )?action|there (?:was|were|being)|no (?:one|public|comment)|seeing|with no|in (?:response|favor|opposition)|after|upon|on (?:a )?motion|it was|he |she |they |the following|this |these |those |that |if |when |speaker|comments?|questions?|i |we |we |whereas|background|analysis|summary|issues|existing|surrounding|decision|aye|opponents?|proponents?|open(?:ed)? to|exhibit|recommendations?:|alternatives?|approved\b.{0,60}\d{4}$|respectfully|minutes|next|attest)\b/i;
/** `Andrew Pelletier, of Dogwood Renewables, spoke of …` */
const PERSON_SPEAKS =
  /^[A-Z][\w.'-]{1,20}(?: [A-Z][\w.'-]{0,20}){1,3},? (?:[^.\n]{0,90}[, ])?(?:spoke|said|stated|presented|reviewed|reported|testified|commented|expressed|inquired|complained|replied|responded|answered|objected)\b/;
const OBLIGES =
  /\b(?:(?:was|were) (?:added|removed|changed|updated)|shall|must|will be (?:required|recorded)|is required to|are required to|prior to (?:issuance|the issuance|recording|final)|complies with|comply with|is consistent with|in compliance|would not|will not)\b/i;
const NOT_LAND =
  /^(?:now,? therefore|[^.\n]{0,60}\bmeeting minutes\b|(?:and )?be it (?:further |also )?(?:resolved|ordained)|[(]?(?:it is )?noted\b|(?:a copy of the |the )?plat (?:thereof|is filed)|(?:review|approval|consideration|adoption|acceptance|approve|accept|amend|motion|discussion)(?: and (?:possible )?\w{1,20})?(?: (?:of|to|on))?(?: the)? ?(?:[\w,]{1,20} ){0,6}(?:minutes|agenda|meeting (?:schedule|dates|calendar))|update on\b|election|nomination|appointment|bylaws?|by-laws|training|oath|welcome|pledge|invocation|roll call|adjourn|call to order|staff (?:report|update)s?\b|director|commission(?:er)? (?:reports?|comments?|business)|other business|new business$|old business$|next meeting|future|upcoming|work ?session|closed session|executive session|warrant|budget|open and public meetings|annual|officers|present\b|absent\b|attendance|public comments?|general public|minutes\b|declaration|conflicts? of interest|swearing|set(?:ting)? (?:of )?(?:an? )?dates?\b|dates? for public|state roads? acceptances?|appropriations?|transfer of|requests? (?:to quitclaim|for permission)|state road|effective date|set (?:a )?date|authoriz(?:e|ation)\b|acceptance of|conveyance|designation of (?:an? )?(?:right|(?:\w{1,20} )?easements?)|proclamation|resolution (?:honoring|recogni\w{1,8})|contract|bid |purchase|grant application|invoice|(?:resolutions?:? )?(?:of )?memorializ)/i;
/** Business of a body that is no land use, whatever it names. */
const OTHER_BUSINESS =
  /\b(?:contracts? (?:by and |with|between|for)|agreements? (?:by and between|with) |purchase orders?|bids?|change orders?|invoices?|financial guarantee|escrow|bid award|award of|grant (?:application|funds|award)|memorandum of understanding|interlocal|payroll|budget|personnel|surplus property|(?:purchase|leases?|acquisition|sale|donation|acceptance) of|(?:license|service|lease|maintenance|use) agreement|year.end|comment period|cancellation of|gambling|victual\w*|pole (?:hearing|location)|recycling|state roads?|streetlights?|quitclaim|filed with the (?:papers|board)|(?:papers|records) of (?:this|the) board|liquor|(?:beer|alcohol|liquor|raffle|gambling|fireworks) (?:license|permit)|parade|block party|warrants)\b/i;
/** Whether words ask for something about land; of a sure heading its name for a request is enough. */
export const asks = (words: string, isSure: boolean): boolean =>
  REQUEST.test(words) && (isSure || ASKS.test(words)) && !OTHER_BUSINESS.test(words.slice(0, 200)) && !NOT_LAND.test(words);
const BRIEFING =
  /^(?:\W*(?:[IVX]{1,5}|\d{1,2}|[A-Z])[.):] ?)?(?:[A-Z ]{0,30})?\b(?:briefings?|work ?(?:session|shop)|study (?:session|items?)|discussion items?(?: only)?|informational items?|information items?|presentations?|training|pre-?meeting|concept (?:review|discussion)|briefing session|field trip|staff business)\b/i;
const CONSENT_SECTION =
  /^(?:\W*(?:[IVX]{1,5}|\d{1,2}(?:\.\d)?|[A-Z])[.):]? ?)?(?:approval of (?:the )?)?(?:consent|omnibus(?: vote)?|routine(?: action)?) (?:agenda|calendar|items?|docket|business)\b/i;
const HEARING_SECTION =
  /^(?:\W*(?:[IVX]{1,5}|\d{1,2}(?:\.\d)?|[A-Z])[.):]? ?)?(?:(?:new|old|unfinished|continued|regular|continuing|action|administrative|legislative|business|land use|zoning|planning|subdivision|general|site plan|hearing|public) )*(?:agenda|business|items?|hearings?|matters|applications?|petitions?|cases|meeting|action items?|requests?|decisions?|appeals|variances|site plans|subdivisions|rezonings?|ordinances?)(?: items?| hearings?| meeting)?(?: for commission consideration)?\b[^a-z]{0,4}(?:\([^()]{0,80}\))?[^a-z]{0,6}$/i;
/** Headings of what happens within an item. */
const WITHIN_ITEM =
  /^\W*(?:presentation(?=:)|public (?:hearings?|hrearing|comments?|input|forum|testimony|portion)|executive session|discussion|correspondence|reports?|communications?|motions?|action items?|action|decision|vote|staff (?:reports?|presentation|comments?|recommendations?)|applicant|background|issues|(?:planning )?(?:commission|board|council)(?:er|or|member)?(?:'?s)? (?:discussion|deliberation|comments?|questions?|action)(?: ?(?:and|&|[/]) ?\w+)?|deliberations?|citizen comments?|questions?|findings?|conditions?|recommendations?|roll call(?: vote)?|vote)\b[^a-z]{0,12}$/i;
const MARKED =
  /^(?:\d{1,2}:\d\d(?::\d\d)? ?(?:[AaPp]\.?[Mm]\.?)?(?: ?[-:])?(?= [A-Z\d])|[A-Z]{1,4}\.[A-Z\d]{1,2}(?:\.|(?=\s))|\d{1,2}[A-Za-z][.)](?= )|\d{1,2}-\d{1,2}\.(?= )|\d{1,2}(?:\.[A-Za-z][.)]?(?![a-z])|\([A-Za-z]\)\.?)|[([]?(?:\d{1,2}(?:\.\d{1,2}){0,2}\.?|[A-Z]{1,2}|[a-z]|[IVX]{1,5}|[ivx]{1,5})(?:[.)\]]{1,2}|(?<=\.\d{1,2}))|#\d{1,2}(?![-\d])[.:)]?|[A-Z]\.?\d{1,2}[.)]|[IVX]{1,4}\.[A-Z\d]{1,2}\.?) ?(?=\S)/;
/** In a scan: a case number, or `In Dale Magisterial District`, behind the end of a sentence. */
const IN_SCAN =
  /(?:\b\d{2}[A-Z\d]{2} ?[\dO]{4} (?=(?:[^ \n]{1,16} ){0,6}In )|\b[A-Z]{1,5}-?\d{2,4}-\d{2,5}\b[ :.-]{1,3}(?=[A-Z(]))|\bIn (?=(?:[A-Z][a-z]{1,14} ){0,3}Magisterial\b)|\b(?:CASE|PETITION|APPLICATION|DOCKET) ?N[Oo]S?[.:]? ?(?=[A-Z]{0,6}[ -]?\d)|(?<=(?:[.:;)\d]|[A-Z]{4}) )(?:(?:Case|Petition|Application|Docket) ?(?:N[Oo]s?[.:]? ?|# ?)(?=[A-Z]{0,6}[ -]?\d)|(?:\d{1,2}|[A-HJ-Zl]|[IVX]{1,4})[.)] (?=(?:Public [Hh]earing|Request|Application|Petition|Appeal)(?:(?: of| by| from| for)\b| ?[:-])))/g;
const SCAN_PARAGRAPH = 900;
/** In a paragraph that goes on with what was said: where somebody begins to speak. */
const SPEAKS =
  /(?<=[.\d):-] )(?:Mr|Ms|Mrs|Dr)\.? [A-Z]|\b(?:presented (?:a|the|an)|gave (?:a|an) (?:summary|overview)|staff (?:recommend\w+|stated))\b/;
/** In a short paragraph: that somebody said something, or moved. */
const SAYS_THEN =
  /(?<=[.)] )(?:(?:Mr|Ms|Mrs|Dr)\. [A-Z][\w' -]{1,40}? (?:said|stated|noted|explained|presented|reported|reviewed|asked|opened)|(?:Motion|MOTION) by|(?:Commissioner|Trustee|Supervisor|Councilmember|Mr\.|Ms\.|Mrs\.) [A-Z][\w'-]+ (?:moved|made a motion))\b/;
const HEAD_MOST = 2_600;

/** A line that says what came of an item: `RECOMMENDED APPROVAL.` */
const RESULT_LINE =
  /^(?:(?:RECOMMENDED|CONDITIONALLY|UNANIMOUSLY) )?(?:APPROV|DEN(?:Y|IED|IAL)|CONTINU|DEFER|WITHDRAW|TABLED|GRANTED|ADOPTED)/;

interface Opening {
  start: number;
  headStart: number;
  mark: string;
  score: number;
  /** whether it begins with the number of its case */
  leads: boolean;
  numbers: NumberAt[];
  section: SectionKind;
  closes: boolean;
}

/** A section that says all of itself in its line: `ADJOURNMENT: Motion by …`, `Administrator's report. Seven permits.` */
const CLOSING_LABEL =
  /^(?:\W*(?:[IVX]{1,5}|\d{1,2}|[A-Z])[.)] ?)?(?:adjournment|(?:next|future) meetings?|other business|(?:(?:zoning|town|village|city|county) )?(?:administrator|manager|attorney)(?:'s)? reports?|staff (?:items?|business)|executive session|announcements?|reports?|good and welfare)[.:] (?=[A-Z\d])/i;

/** What kind of section a line opens, if it is the heading of one. */
function readSection(line: string): { kind: SectionKind; closes: boolean } | null {
  if (CLOSING_LABEL.test(line)) return { kind: 'other', closes: true };
  if (line.length > 110) return null;
  if (CONSENT_SECTION.test(line)) return { kind: 'consent', closes: true };
  if (HEARING_SECTION.test(line) && line.length < 90) return { kind: 'hearing', closes: false };
  if (WITHIN_ITEM.test(line) || RESULT_LINE.test(line)) return null;
  if (BRIEFING.test(line) && line.length < 80 && !/[.]$/.test(line.replace(/\.$/, ''))) return { kind: 'briefing', closes: true };
  if (SECTION.test(line) || CLOSING.test(line) || /^resolutions?:? (?:of )?memorializ/i.test(line)) return { kind: 'other', closes: true };
  if (
    /^(?:\W*(?:[IVX]{1,5}|\d{1,2}(?:\.\d)?|[A-Z])[.):]? ?)?(?:adjourn(?:ment|ed)?|other business|staff (?:update|report)s?|planning commission business|approval of .{0,30}minutes|minutes|(?:commission|council|board)(?:er|or)? (?:business|reports?|updates?|comments?)|announcements?|reports?|open forum|city council meeting discussion|report of the .{3,40}|new business|old business|special items)\b.{0,40}$/i.test(
      line,
    )
  )
    return { kind: 'other', closes: true };
  return null;
}

const isTitleLike = (line: string): boolean => {
  const words = line.match(/[A-Za-z][\w'-]*/g) ?? [];
  const capital = words.filter((word) => /^[A-Z]/.test(word)).length;
  return words.length > 0 && words.length < 40 && capital >= words.length * 0.55 && !/[.;,]$/.test(line);
};

/** The paragraphs with which items begin, by their places in the document, which ascend. */
function findStarts({ paragraphs, prose, toOriginal }: ReadableText, stated: readonly number[]): number[] {
  let i = 0;
  return stated.map((start) => {
    while (i < paragraphs.length && toOriginal((paragraphs[i] as Paragraph).start) < start) i++;
    return paragraphs[i]?.start ?? prose.length;
  });
}

/** Where the labelled lines of an item end: before what was done. */
function endOfLabels(prose: string, from: number, end: number): number {
  const done = prose.slice(from, end).search(/\n(?:Action|Result|Vote): |\nMoved by /);
  return done < 0 ? end : from + done;
}

/** What says in an item's lines that it is a request. */
const REQUEST_TYPE = /^Type: .*(?:land use|zoning|planning|plat|subdivision|annexation|permit|variance)/im;

/** Openings where a format states where its items begin: one an item, which closes what is before it if nothing is asked in it. */
function alignWithItems(text: ReadableText, openings: readonly Opening[], stated: readonly number[]): Opening[] {
  const starts = findStarts(text, stated);
  return starts.map((start, i) => {
    const end = starts[i + 1] ?? text.prose.length;
    const first = openings.find((one) => !one.closes && one.start >= start && one.start < end);
    if (first) return { ...first, start, headStart: first.start === start ? first.headStart : start };
    const closes = !REQUEST_TYPE.test(text.prose.slice(start, end));
    return { start, headStart: start, mark: '', score: closes ? 0 : 3, leads: false, numbers: [], section: 'other', closes };
  });
}

/** A longer paragraph has lists of what was said, unless one line has all of the text. */
const LISTING_MOST = 1_200;

/** As many paragraphs that begin with numbers of one shape say that the document heads its items so. */
const HEADED_LEAST = 3;
/** Before a number within a paragraph: the end of a sentence or of a row, and maybe a word for it. */
const BEFORE_NUMBER =
  /(?:(?<!\b[Nn][Oo]s?)[.;:!?|]|(?<!\d)\)|\d) (?:\d{1,2}[-.]\d{1,2}[.)]? )?(?:[A-Z][A-Za-z]{2,12}\.? (?:[Nn][Oo]\. ?|#)?)?$/;

/** A number within so many characters of the beginning of a paragraph is the number of the whole paragraph. */
const HEAD_NEAR = 40;

/** The shapes of numbers that head several paragraphs of a document. */
function findHeadShapes(paragraphs: readonly Paragraph[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const { text } of paragraphs) {
    const first = findCaseNumbers(text.slice(0, 80))[0];
    const before = text.slice(0, first?.at);
    if (!first || (!isLead(before) && /[a-z]/.test(before))) continue;
    const shape = foldForm(first.value);
    counts.set(shape, (counts.get(shape) ?? 0) + 1);
  }
  return new Set([...counts].filter(([, count]) => count >= HEADED_LEAST).map(([shape]) => shape));
}

/** Where items begin within a paragraph by numbers of the shapes that head others. */
const findNumbered = (words: string, shapes: ReadonlySet<string>): number[] =>
  findCaseNumbers(words).flatMap(({ value, at, length }) => {
    const before = at > HEAD_NEAR && shapes.has(foldForm(value)) ? BEFORE_NUMBER.exec(words.slice(at - 24, at)) : null;
    return before && /^(?:[.:,;] | - | (?=[A-Z]))/.test(words.slice(at + length)) ? [at - before[0].length + 2] : [];
  });

/** The text with a paragraph for each item of a list that stands in one. */
export function partLists(text: ReadableText): ReadableText {
  const isWhole = text.lines.some((line) => line.text.length > text.original.length * WHOLE);
  const shapes = findHeadShapes(text.paragraphs);
  const ends = text.paragraphs.flatMap(({ start, text: words }) =>
    isWhole || words.length < LISTING_MOST
      ? [...new Set([...findListed(words, READING), ...findNumbered(words, shapes)])].sort((a, b) => a - b).map((at) => start + at - 1)
      : [],
  );
  const prose = [0, ...ends.map((end) => end + 1)].map((from, i) => text.prose.slice(from, ends[i])).join('\n');
  return { ...text, prose, paragraphs: splitParagraphs(prose) };
}

/**
 * Splits the text into the items that ask something of the body.
 * @param starts where the format states that items begin
 */
export function findItems(text: ReadableText, motions: Motions, starts?: readonly number[]): Item[] {
  const found = findOpenings(text);
  const openings = starts ? alignWithItems(text, found, starts) : splitByOutcomes(text, found, motions);
  const items: Item[] = [];
  for (let i = 0; i < openings.length; i++) {
    const opening = openings[i] as Opening;
    if (opening.closes) continue;
    let next = i + 1;
    // Parts of the request: marks of another kind, before anybody speaks.
    while (!starts && isPart(opening, openings[next], text)) next++;
    const hasParts = next - i > 2 || (next - i === 2 && (openings[i + 1] as Opening).numbers.length > 0);
    const end = openings[next]?.start ?? text.prose.length;
    const headEnd = starts
      ? paragraphEnd(text, opening.start)
      : findHeadEnd(text, ((hasParts && openings[next - 1]) || opening).start, end, opening.start);
    items.push({
      start: opening.start,
      end,
      headStart: opening.headStart,
      headEnd,
      titleEnd: starts && paragraphEnd(text, opening.start),
      section: opening.section,
      score: opening.score,
      hasParts,
      numbers: findOwnNumbers(text.prose, opening.headStart, starts ? endOfLabels(text.prose, headEnd, end) : headEnd),
    });
    i = next - 1;
  }
  return items.length ? mergeSplitItems(items) : findDecisionPaper(text);
}

const DECIDES_ONE = /\b(?:in the matter of|before the (?:\w+ ){0,3}hearing (?:examiner|officer)|notice of decision|application of|re:)/i;

/** The one case of a paper that decides it: `Before the Hearing Examiner … In the Matter of … Findings, Conclusions, and Decision`. */
function findDecisionPaper({ prose, paragraphs }: ReadableText): Item[] {
  const head = prose.slice(0, 1_500);
  if (!DECIDES_ONE.test(head) || !/\b(?:findings?|decision|order)\b/i.test(head)) return [];
  const numbers = findOwnNumbers(prose, 0, 1_500).slice(0, 1);
  const asks = paragraphs.find(({ start, text }) => start < 4_000 && ASKS.test(text) && REQUEST.test(text) && /\brequest/i.test(text));
  if (!asks || !numbers.length) return [];
  return [
    { start: 0, end: prose.length, headStart: asks.start, headEnd: asks.end, section: 'hearing', score: 0, hasParts: false, numbers },
  ];
}

/** That something came of a request without a motion. */
const CAME_OF =
  /\b(?:[Nn]o (?:(?:further |formal |final |official )?(?:action|motion|vote)s?\b)|(?:was|were|been|is) (?:pulled|taken off|removed)|nothing (?:was )?(?:done|decided)|discussion only|asked to drop)/;
const HAS_COURSE = new RegExp(`${WITHDRAWN.source}|${PUT_OFF.source}|${CAME_OF.source}`);
const COURSE = new RegExp(HAS_COURSE, 'g');

interface Outcome extends Span {
  isMoved: boolean;
  /** what was moved */
  action: string;
}

/** Where something came of a request: a motion that decides, or a sentence that says that it was withdrawn or put off. */
function findOutcomes(text: ReadableText, start: number, end: number, all: Motions): Outcome[] {
  const motions = all
    // A line's end before a motion belongs to it.
    .readWithin(start - 1, end)
    .filter(
      ({ kind, result, mover, tally, action }) => kind === 'decision' && result !== null && (mover || tally || RESULT_ALONE.test(action)),
    )
    .map(({ start: from, actionStart, action }) => ({ start: from, end: actionStart + action.length, isMoved: true, action }));
  const stated = [...text.prose.slice(start, end).matchAll(COURSE)]
    .map(({ index, 0: words }) => ({ start: start + index, end: start + index + words.length, isMoved: false, action: '' }))
    .filter((one) => {
      const next = findFrom(motions, one.start);
      return ![motions[next - 1], motions[next]].some((motion) => motion && one.end > motion.start - 300 && one.start < motion.end + 300);
    });
  return [...motions, ...stated].sort((a, b) => a.start - b.start);
}

/**
 * What comes of a request ends it: where a stretch has a second outcome, and a paragraph between the two asks for something, that paragraph
 * begins an item of its own. In a stretch that no item has, the first one does, too.
 */
function splitByOutcomes(text: ReadableText, openings: readonly Opening[], motions: Motions): Opening[] {
  const stretches = [{ start: 0, closes: true } as Opening, ...openings];
  return stretches.flatMap((opening, i) => {
    const kept = i ? [opening] : [];
    const end = stretches[i + 1]?.start ?? text.prose.length;
    const outcomes = findOutcomes(text, opening.start, end, motions);
    const [first] = opening.closes ? [] : outcomes.splice(0, 1);
    if (!outcomes.length) return kept;
    const from = findFrom(text.paragraphs, opening.start);
    const asks = text.paragraphs.slice(from, findFrom(text.paragraphs, end)).flatMap((paragraph, k) => {
      if (readSection(paragraph.text)) return [];
      const mark = MARKED.exec(paragraph.text)?.[0] ?? '';
      const body = paragraph.text.slice(mark.length);
      const hasOutcome = (outcomes[findFrom(outcomes, paragraph.start)]?.start ?? end) < paragraph.end;
      const isRequest =
        /^["'(*]?[A-Z\d]/.test(body) &&
        (REQUEST.test(body.slice(0, 300)) || (countSigns(body.slice(0, 300)) >= SIGNS_LEAST && hasOutcome)) &&
        !NARRATIVE.test(body) &&
        !OBLIGES.test(body.slice(0, 200)) &&
        !/^.{0,50}\b(?:moved|motion)\b(?! (?:by|was|from)\b)/i.test(body.slice(0, 60)) &&
        paragraph.text.length < SCAN_PARAGRAPH &&
        !OTHER_BUSINESS.test(body.slice(0, 200)) &&
        !NOT_LAND.test(body.replace(/^(?:[A-Z\d]{1,2}\. ?)+/, ''));
      return isRequest
        ? [scoreOpening(text.paragraphs, from + k, { mark, body, section: opening.closes ? 'other' : opening.section })]
        : [];
    });
    let since = first?.end ?? opening.start;
    for (const outcome of outcomes) {
      const open = findFrom(asks, since);
      since = outcome.end;
      const holds = (one: Opening) => paragraphEnd(text, one.start) > outcome.start;
      const [best] = asks
        .slice(open, findFrom(asks, outcome.start + 1))
        .filter(
          (one) =>
            (outcome.isMoved || outcome.start - one.start < STATED_NEAR) &&
            one.score >= (holds(one) ? SCORES.ofOwn : opening.closes ? SCORES.unheaded : SCORES.within),
        )
        .sort((one, other) => other.score - one.score);
      const isNew = opening.closes || (opening.numbers.length > 0 && namesAnother(text.prose, stretches[i - 1]?.start ?? 0, outcome));
      const named = best ?? (isNew && namesRequest(outcome) ? openAtMotion(text, outcome) : undefined);
      if (named) kept.push(named);
    }
    return kept;
  });
}
/** `approve the Conditional Use Permit request by J & J Earth Works, Inc.`: a motion that says whose request it is on, or which. */
const NAMED =
  /\b(?:by|of|for|from) (?:the )?(?:[A-Z][\w.&'-]*|[A-Z]\b)|\bthe (?:[A-Z][\w.'-]+ ){1,5}(?:[Ss]ubdivision|[Pp]lat|[Pp]lan|[Rr]ezoning|[Vv]ariance|PUD)\b|\bat \d{1,5} [A-Z]/;
const namesRequest = ({ isMoved, action }: Outcome): boolean => {
  const words = action.slice(0, 300);
  return (
    isMoved &&
    (findCaseNumbers(words).length > 0 || (REQUEST.test(words) && (NAMED.test(words) || words.search(PAPER_OR_NUMBER) >= 0))) &&
    !OTHER_BUSINESS.test(words) &&
    !/\b(?:minutes|agenda|bylaws|whereas|following (?:resolution|ordinance)|conveyance|initiat(?:e|ed|ing) (?:an )?application)\b/i.test(
      words,
    )
  );
};

/** A paper or a number that a motion is on. */
const PAPER_OR_NUMBER = /\b(?:ordinance|resolution|bill)s? (?:no\. ?|#)?[A-Z]{0,3}-?\d[\w.-]{2,12}(?<![.-])/gi;
/** The digits of the papers and cases that words name. */
const readNamed = (words: string): string[] =>
  [...words.matchAll(PAPER_OR_NUMBER), ...findCaseNumbers(words).map(({ value }) => [value])].map(([name = '']) =>
    foldNumber(name.replace(/^\D+/, '')),
  );
/** Whether a motion with a paragraph of its own is on a paper or a case that what stands above, with a number of its own, has not named. */
function namesAnother(prose: string, from: number, { start, action }: Outcome): boolean {
  const line = prose.lastIndexOf('\n', start);
  const names = start - line < OPENS_LINE && !OF_ITEM.test(action) ? readNamed(action.slice(0, 300)) : [];
  const above = names.length ? foldNumber(prose.slice(Math.max(from, line - ABOVE_MOST), line + 1)) : '';
  return names.length > 0 && !names.some((name) => above.includes(name));
}
/** What speaks of the item above. */
const OF_ITEM = /\b(?:the|said|this) (?:property|properties|site|same|land|request|application|petition)\b/i;
const ABOVE_MOST = 3_000;
/** Characters of a paragraph before the motion that it begins with: who moved. */
const OPENS_LINE = 40;

/** The item of which nothing stands but its motion. */
function openAtMotion({ prose }: ReadableText, { start, action }: Outcome): Opening {
  const at = Math.max(0, start - 1);
  const numbers = findCaseNumbers(prose.slice(at, start + action.length)).slice(0, 1);
  return { start: at, headStart: at, mark: '', score: SCORES.unheaded, leads: false, numbers, section: 'other', closes: false };
}
/** How near its request a sentence stands that says what came of it. */
const STATED_NEAR = 600;
/** Least scores of a paragraph that begins an item: it has its outcome within; no item was open; one was. */
const SCORES = { ofOwn: -2, unheaded: 0, within: 2 };
/** What is said of an earlier case. */
const OF_ANOTHER =
  /\b(?:become of|amend\w*|previous\w*|related|companion|renew\w*|prior|original\w*|earlier|approved (?:in|by|under|with|through)|relative to|condition \d+ of|zoning (?:approval|case)|development|modif\w+|formerly)\b[^.\n]{0,60}$/i;

/** A number without letters that a heading begins with: `25-03 Special exception`. */
function findLeadingNumber(words: string): NumberAt[] {
  const bare = /^\(?#?(\d{2,4}-\d{2,6}|\d{5,7})\)?(?=[ :.,\n]|-(?![A-Z\d]))/.exec(words);
  return bare?.[1] ? [{ value: bare[1], at: words.indexOf(bare[1]), length: bare[1].length }] : [];
}

/** Numbers of the item's own case: the first, and those that are not said of another one. */
export function findOwnNumbers(prose: string, start: number, end: number): NumberAt[] {
  const words = prose.slice(start, end);
  const leading = findLeadingNumber(words);
  return [...leading, ...findCaseNumbers(words).filter(({ at }) => !leading.length || at > 12)]
    .filter(
      ({ at }) =>
        at < 45 ||
        !(
          /\(?\bcases?(?: nos?\.)? $/i.test(words.slice(Math.max(0, at - 12), at)) && OF_ANOTHER.test(words.slice(Math.max(0, at - 90), at))
        ),
    )
    .filter(({ value }, _, all) => value.length > 2 || all.every((other) => other.value.length < 3))
    .map((one) => ({ ...one, at: one.at + start }));
}

const paragraphEnd = (text: ReadableText, at: number) => {
  const end = text.prose.indexOf('\n', at);
  return end < 0 ? text.prose.length : end;
};

/** Whether an opening is a part of the item before it. */
function isPart(item: Opening, part: Opening | undefined, text: ReadableText): boolean {
  if (!part || part.closes || !part.mark || !item.mark) return false;
  const [outer, inner] = [readMarkKind(item.mark), readMarkKind(part.mark)];
  if (outer === inner || inner === 'digit' || inner === 'decimal' || inner === 'roman') return false;
  const between = text.prose.slice(paragraphEnd(text, item.start), part.start);
  return between.length < 2_200 && !/\b(?:motion|moved|seconded|voted|public hearing (?:was )?(?:opened|closed))\b/i.test(between);
}

/** The cells of a row that state the request: those with a mark or a number alone, and the next one, or all where the row begins with a rule. */
const FIRST_CELLS = /^(?:\| ?[^\n]*|(?:[^|\n]{1,16} \| )?[^|\n]+(?= \| ))/;

/** Where the words of the request end: at the first paragraph in which somebody acts. */
function findHeadEnd(text: ReadableText, from: number, end: number, start: number): number {
  let at = Math.min(paragraphEnd(text, from), from + HEAD_MOST);
  const cell = FIRST_CELLS.exec(text.prose.slice(from, at));
  if (cell) return Math.min(from + cell[0].length, end);
  const speaks = (at - from > 500 ? SPEAKS : SAYS_THEN).exec(text.prose.slice(from + 60, at));
  if (speaks) return Math.min(from + 60 + speaks.index, end);
  while (at < end && at - start < HEAD_MOST) {
    const next = paragraphEnd(text, at + 1);
    const words = text.prose.slice(at + 1, next);
    if (!words || words.length > 1_200 || readSection(words)) break;
    if (beginsWithLabel(words)) {
      at = next;
      continue;
    }
    if (NARRATIVE.test(words.replace(MARKED, ''))) break;
    at = next;
  }
  return Math.min(at, end, start + HEAD_MOST);
}

/** Two openings of one case, such as its number and its title, are one item; a list of items before the meeting gives way to the items. */
function mergeSplitItems(items: readonly Item[]): Item[] {
  const merged: Item[] = [];
  for (const item of items) {
    const last = merged.at(-1);
    const same =
      last &&
      item.numbers[0]?.value === last.numbers[0]?.value &&
      item.numbers.length > 0 &&
      item.numbers.every((one) => last.numbers.some((other) => foldNumber(other.value) === foldNumber(one.value)));
    if (last && same && last.end === item.start) {
      last.end = item.end;
      if (last.headEnd - last.start < 400) last.headEnd = item.headEnd;
    } else merged.push({ ...item });
  }
  // What heads an item of its own is no further number of another one: a table, or a heading that names what is related.
  const heads = new Set(merged.map(({ numbers: [first] }) => first?.value));
  return merged.map((item) => ({ ...item, numbers: item.numbers.filter(({ value }, i) => i === 0 || !heads.has(value)) }));
}

/** That a motion came to its end. */
const CARRIED =
  /\b(?:carried|passe[sd]|unanimous(?:ly)?|all (?:in favor|voted|ayes?|approved)|motion (?:was )?(?:approved|failed)|so ordered)\b|\b\d{1,2}-\d{1,2}\b(?=[.,)]|$)/i;

/** `B. Hussey moved`: no mark, but who acts. */
const INITIAL_ACTS = /^[A-Z]\. [A-Z][\w'-]{1,20},? (?:[a-z]{2,12}ed|said|made|felt|read|put|told)\b/;

/** What headings of the document are read by. */
const READING: HeadingSigns = {
  asks: ({ text }) =>
    (REQUEST.test(text.slice(0, 200)) || (CARRIED.test(text) && countSigns(text.slice(0, 200)) > 0)) && !OBLIGES.test(text.slice(0, 200)),
  tells: ({ text }) => NARRATIVE.test(text.replace(MARKED, '')) || INITIAL_ACTS.test(text),
  mark: ({ text }) => MARKED.exec(text)?.[0].trim() ?? '',
  isOther: ({ text }) => readSection(text.trim()) !== null || NOT_LAND.test(text.replace(MARKED, '')),
  obliges: (words) => OBLIGES.test(words),
  opensList: (words) => opensList(words) && words.length < 1_500 && !readSection(words),
};

function findOpenings(text: ReadableText): Opening[] {
  const repeated = findHeadings(text.paragraphs, READING);
  const series = findSeries(text.paragraphs, READING);
  const shapes = findHeadShapes(text.paragraphs);
  const forms = findMarkForms(text.paragraphs, READING);
  const openings: Opening[] = [];
  let section: SectionKind = 'other';
  let inner: { kind: string; place: number } | null = null;
  const { paragraphs } = text;
  for (const [i, paragraph] of paragraphs.entries()) {
    const scanned = paragraph.text.length > SCAN_PARAGRAPH ? findScanOpenings(paragraph, section) : [];
    if (scanned.length) {
      openings.push(...scanned);
      continue;
    }
    const mark = MARKED.exec(paragraph.text)?.[0] ?? '';
    const agendaItem = ITEM_MARK.exec(paragraph.text)?.[0] ?? '';
    const lead = mark || agendaItem || (beginsWithLabel(paragraph.text) ? '' : (CALLS.exec(paragraph.text)?.[0] ?? ''));
    const body = paragraph.text.slice(lead.length).replace(/^[ :.-]{1,3}/, '');
    const found = readSection(paragraph.text.trim()) ?? (mark || agendaItem ? readSection(body) : null);
    const opening = scoreOpening(paragraphs, i, {
      mark: mark || agendaItem,
      body,
      section,
      isRepeated: repeated.has(paragraph),
      isNext: series.get(paragraph),
      isOfForm: !found && !READING.tells(paragraph) && forms.has(foldForm(mark.trim())),
      shapes,
    });
    const before = paragraphs[i - 1]?.text ?? '';
    const last = openings.at(-1);
    if (continues(openings, opening)) opening.score = Math.max(opening.score, 6);
    const isSection = found?.kind === 'hearing' && !opening.numbers.length;
    if (!isSection && opens(opening, inner, mark, before)) {
      // A line that only names the kind of the item which follows.
      const isKind =
        last &&
        !last.closes &&
        !last.numbers.length &&
        paragraphs[i - 1]?.start === last.start &&
        before.length < 60 &&
        (repeated.has(paragraph) ? !repeated.has(paragraphs[i - 1] as Paragraph) : mark && readMarkKind(last.mark) !== readMarkKind(mark));
      if (isKind) openings.pop();
      else if (last && !last.closes && (restates(last, opening, text.prose) || goesOn(last, opening, paragraphs, i))) continue;
      openings.push(withLabels(opening, paragraphs, i));
      inner = null;
      continue;
    }
    inner = followList(inner, mark, before);
    if (!found && !inner && last && endsItem(last, mark) && !(before.length < 60 && REQUEST.test(before)))
      openings.push({ ...opening, closes: true });
    // Minutes and claims on a consent agenda close nothing.
    if (found && !(inner && mark) && !(section === 'consent' && mark && found.kind === 'other' && !SECTION.test(paragraph.text))) {
      section = found.kind;
      if (found.closes) openings.push({ ...opening, closes: true });
    }
  }
  return openings;
}

/** Labels above the line that opens an item are its own: `PROJECT NAME: …` before `PROJECT #: …`. */
function withLabels(opening: Opening, paragraphs: readonly Paragraph[], i: number): Opening {
  if (opening.mark || !beginsWithLabel(paragraphs[i]?.text ?? '')) return opening;
  let first = i;
  while (i - first < 4 && beginsWithLabel(paragraphs[first - 1]?.text ?? '')) first--;
  const start = paragraphs[first]?.start ?? opening.start;
  return first < i ? { ...opening, start, headStart: start } : opening;
}

const countsOn = (last: Opening, mark: string) =>
  readMarkKind(last.mark) === readMarkKind(mark) && readMarkPlace(mark) === readMarkPlace(last.mark) + 1;

const foldMark = (mark: string) => mark.trim().replace(/[A-Za-z\d]+/g, '9');
/** Whether a mark is of other business, which ends the item before it: it counts on from that, or says the time, too. */
const endsItem = (last: Opening, mark: string): boolean =>
  mark !== '' && !last.closes && foldMark(last.mark) === foldMark(mark) && (/:\d/.test(mark) || countsOn(last, mark));

/** Whether an opening goes on with items before it: its mark counts on and a number follows. */
function continues(openings: readonly Opening[], { mark, leads }: Opening): boolean {
  if (!mark || !leads) return false;
  const last = openings.findLast(({ closes }) => !closes);
  return last?.leads === true && countsOn(last, mark);
}

const OPENS_LIST =
  /\b(?:conditions?|findings?|following|reasons?|recommendations?|requirements?|alternatives?|stipulations?|revisions?|modifications?)(?: of (?:approval|fact|denial))?\W{0,3}$/i;
/** Whether a list follows: a sentence ends with a colon, or a line names conditions or findings. */
const opensList = (before: string): boolean => {
  const words = before.trim().slice(-120);
  return OPENS_LIST.test(words) || (words.endsWith(':') && words.split(' ').length > 5);
};
const opens = (opening: Opening, inner: { kind: string; place: number } | null, mark: string, before: string): boolean => {
  const goesOn = inner !== null && mark !== '' && readMarkKind(mark) === inner.kind && readMarkPlace(mark) === inner.place + 1;
  const begins = mark !== '' && opensList(before) && before.length < 1_500 && !readSection(before);
  return opening.score >= (goesOn || begins ? 6 : 4);
};

/** Whether a line is one more number of the case whose first number the line above has. */
const goesOn = (last: Opening, { mark, numbers: [number] }: Opening, paragraphs: readonly Paragraph[], i: number): boolean =>
  !mark &&
  last.leads &&
  number !== undefined &&
  paragraphs[i - 1]?.start === last.start &&
  (paragraphs[i]?.text.length ?? 0) <= number.at + number.length + 2;

/** Whether an opening without a mark goes on with the request that the one before it began: `A. Chick-fil-A Site Plan` / `On the request of …`. */
function restates(last: Opening, next: Opening, prose: string): boolean {
  if (next.mark) return false;
  const other = next.numbers[0];
  // Of a joint heading or a table each further number begins its own.
  const own = next.leads ? last.numbers.slice(0, 1) : last.numbers;
  if (other && last.numbers.length && !own.some(({ value }) => foldNumber(value) === foldNumber(other.value))) return false;
  const between = prose.slice(last.start, next.start);
  return (
    between.length < 900 &&
    !CARRIED.test(between.replace(/\b[A-Z]{1,5}-\d[\d-]*/g, '')) &&
    !HAS_COURSE.test(between) &&
    !/\b(?:moved|seconded|motion|M\/S|hearing (?:was )?closed|closed (?:at )?\d)/i.test(between)
  );
}

/** A list of conditions or findings goes on while its marks count on. */
function followList(inner: { kind: string; place: number } | null, mark: string, before: string): { kind: string; place: number } | null {
  if (!mark) return inner;
  const here = { kind: readMarkKind(mark), place: readMarkPlace(mark) };
  if (inner && inner.kind === here.kind && here.place === inner.place + 1) return here;
  return opensList(before) ? here : inner;
}

/** A paragraph that has all of an item: its title, what was said, and the motion. */
const ACTS_WITHIN = /\b(?:(?:[Mm]otion|MOTION)(?: (?:to|that|by|was)\b|:| \()|(?:[Mm]oved|MOVED|made a motion)\b)/;
const TITLE_BEFORE =
  /^[A-Z](?:[^.:\n]|[:.](?! )|(?<=\b(?:Ch|Sec|Art|Nos?|St|Rd|Ave|Dr|Mr|Ms|Mrs))\. ){5,110}?(?= - |(?<!\b(?:Ch|Sec|Art|Nos?|St|Rd|Ave|Dr|Mr|Ms|Mrs))[:.] )/;
/** `Mr. Reed stated the first item was an application of …`, `The Chairman took up the request of …`, `Next came the plat of …` */
const NEXT_ITEM = nextItem.map((pattern) => new RegExp(pattern, 'i'));

/** `Item 4(b)`, `Item 5-A` */
const ITEM_MARK = new RegExp(`${AGENDA_ITEM.source}(?:[.-][A-Za-z\\d]{1,2}\\b|[(][A-Za-z\\d]{1,2}[)])?`, 'i');

/** A bullet, or `Eskelson: Second hearing. ZC-2025-01, …`: who calls a case in a transcript. */
const CALLS =
  /^[•●▪◦·] ?|^(?:>{1,3} ?)?[A-Z][\w.' -]{1,40}: (?:(?:first|second|third|fourth|fifth|next|last|item|now)\b[^.:,\n]{0,30}[.:,] )?(?=[A-Z]{1,6}[- ]?\d|\d{2,4}-\d)/i;

/** How bodies for land begin the numbers of their cases. */
const LAND_CODE = /^(?:B[OZ]A|CUP?|DR[BC]?|FP|LU|LUB|P[BCLPZ]|PLAT|PUD|REZ|RZ|S[EUP]P?|SITE|SPR|SUBD?|TP?M|U[CP]|V|VAR|Z[A-Z]{0,3})[- ]?\d/;

const NUMBER_AND_NAME = /^(?:\d{5,7}|\d{2,4}-\d{2,6})(?: -|[:.]) ?[A-Z][^\n]{3,90}$/;

interface Beginning {
  mark: string;
  /** behind the mark */
  body: string;
  section: SectionKind;
  /** it begins as headings of the document do */
  isRepeated?: boolean;
  /** its mark counts on from other items */
  isNext?: boolean | undefined;
  /** its mark has the form that stands before requests */
  isOfForm?: boolean;
  /** of the numbers that head several paragraphs of the document */
  shapes?: ReadonlySet<string>;
}

function scoreOpening(
  paragraphs: readonly Paragraph[],
  i: number,
  { mark, body, section, isRepeated = false, isNext: counts, isOfForm = false, shapes }: Beginning,
): Opening {
  const { start, text } = paragraphs[i] as Paragraph;
  const words = body.slice(0, 700);
  // `23655 - Ramiro Betancourt` on a line of its own, or the number alone.
  const leading = mark || isRepeated || text.length < 12 || NUMBER_AND_NAME.test(text) ? findLeadingNumber(`${words} `) : [];
  const numbers = leading.length ? leading : findCaseNumbers(words.slice(0, 500));
  const first = numbers[0];
  const sentence = words.slice(0, 260);
  const next = paragraphs[i + 1]?.text ?? '';
  const around = `${sentence} ${next.slice(0, 160)}`;
  const leads =
    first !== undefined &&
    (isLead(words.slice(0, first.at)) || (mark !== '' && words.length < 110 && first.at + first.length > words.length - 2)) &&
    !/^\s*(?:was|were|is|are|has|had|have|would|will|which|came|did|to the|until)\b/.test(words.slice(first.at + first.length));
  // What stands below an item's number, up to the next one.
  const below = paragraphs.slice(i + 1, i + 4);
  const other = below.findIndex((one) => /^\W*[A-Z]{1,4}-?\d{2,4}-\d/.test(one.text));
  const behind = [words, ...below.slice(0, other < 0 ? 3 : other).map((one) => one.text)].join(' ').slice(0, 1_200);
  const under = `${words} ${MARKED.test(next) ? '' : next}`.slice(0, 300);
  const leadsCase = leads && /^\W*(?:case|petition|application|appeal|docket|file|variance|zoning)\b/i.test(words);
  const labels = paragraphs.slice(i + 1, i + 7).filter((one) => beginsWithLabel(one.text)).length + (beginsWithLabel(words) ? 1 : 0);
  const isNext = NEXT_ITEM.some((pattern) => pattern.test(words));
  const isKin = first !== undefined && (shapes?.has(foldForm(first.value)) ?? false);
  const request =
    leadsCase ||
    (isKin && (leads || isNext || (mark !== '' && first.at < HEAD_NEAR))) ||
    (leads && labels >= (NUMBER_AND_NAME.test(text) ? 1 : 2)) ||
    REQUEST.test(words.slice(0, 500)) ||
    (leads && (LAND_CODE.test(first.value) || REQUEST.test(behind) || /\b(?:application|petition|appeal)\b/i.test(words.slice(0, 140)))) ||
    (isOfForm && (REQUEST.test(under) || countSigns(under) >= SIGNS_LEAST)) ||
    (text.length < SCAN_PARAGRAPH &&
      countSigns(counts ? behind.slice(0, 300) : words.slice(0, 300)) >= SIGNS_LEAST &&
      (counts || isRepeated || (mark !== '' && !NARRATIVE.test(words))));
  let score =
    Number(section === 'consent') + 5 * Number(isRepeated) + 3 * Number((counts !== undefined || isOfForm) && !NOT_LAND.test(words));
  if (mark && findParcelNumbers(words.slice(0, 200)).length) score += 1;
  if (request) score += 1;
  if (leads) score += 3;
  else if (numbers.length) score += 1;
  if (mark) score += 1;
  if (ASKS.test(around)) score += 2;
  if (labels >= 2) score += 2;
  if (isTitleLike(sentence.split(/ - |: |\. /)[0] ?? '')) score += 1;
  if (
    /^(?:public hearing|request|consider|application|petition|appeal|case|hearing|zon(?:e|ing)|special|ordinance|resolution|referral|local law|continued (?:public )?hearing)/i.test(
      words,
    )
  )
    score += 1;
  const title = TITLE_BEFORE.exec(words)?.[0] ?? '';
  if (ACTS_WITHIN.test(text) && REQUEST.test(title) && !ACTS_WITHIN.test(title)) score += mark ? 2 : 4;
  if (isNext) score += 6;
  // `SUBDIVISION - Estate of Helen Voss`, `Use Permit - Northern Aggregate`
  if (
    !mark &&
    REQUEST.test(
      /^[A-Z][A-Z /&]{3,40} - (?=[A-Z])|^(?:[A-Z][a-z/&-]{1,14} ){1,5}- (?=[A-Z](?:[^.]|\.(?! )){2,120}$)/.exec(words)?.[0] ?? '',
    )
  )
    score += 2;
  if (REQUEST.exec(words)?.index === 0) score += 1;
  if (!request) score -= 4;
  const said = words.replace(/^[*•●▪◦·] ?/, '');
  if ((NARRATIVE.test(said) || ((!mark || /:/.test(mark)) && !leads && PERSON_SPEAKS.test(words))) && !isNext)
    score -= mark || leads ? 2 : 5;
  if (OBLIGES.test(words.slice(0, 300)) && !leads) score -= 3;
  const rest = first ? words.slice(first.at + first.length) : '';
  if (leads ? /^[\s:.),-]{0,4}(?:approval of )?(?:the )?minutes\b/i.test(rest) : NOT_LAND.test(said)) score -= 5;
  if (OTHER_BUSINESS.test(words.slice(0, 200)) && !leads) score -= 4;
  if (!mark && !leads && labels < 2 && (text.length > 400 || !isTitleLike(text.slice(0, 140)))) score -= 2;
  // `2023-0145-ZON` on a line of its own heads what stands below.
  if (leads && first && !mark && /^\W*$/.test(words.slice(first.at + first.length)) && first.at < 12) score = Math.max(score, 5);
  // What a report says of a case before the hearings, or a line that says that it was withdrawn, is all of it.
  if (
    numbers.length === 1 &&
    text.length < (section === 'other' ? 400 : 120) &&
    (section === 'other' || first?.at === 0) &&
    WITHDRAWN.test(text)
  )
    score = Math.max(score, 5);
  return {
    start,
    headStart: start + text.indexOf(body, mark.length ? mark.length - 1 : 0),
    mark: mark.trim(),
    score,
    leads,
    numbers,
    section,
    closes: false,
  };
}

/** What may stand before the number that a heading begins with: nothing, or a few words for it. */
const isLead = (before: string): boolean =>
  before.length < 60 &&
  !/[.!?] /.test(before.replace(/\bnos?\./gi, '')) &&
  before
    .replace(/\([^()]{0,30}\)/g, '')
    .replace(
      /\b(?:public hearing|continued|possible|action|discussion|consideration|case|petition|application|docket|file|project|appeal|variance|permit|zoning|rezoning|planning|plat|resolution|ordinance|item|request|no|number|numbers|nos|id|and|of|for|the|conditional|special|use|site|plan|subdivision|ordinance|sign|area|amendment|review|zone|change)s?\b/gi,
      '',
    )
    .replace(/[^A-Za-z]/g, '').length < 6;

function findScanOpenings({ start, text }: Paragraph, section: SectionKind): Opening[] {
  const openings: Opening[] = [];
  for (const { index } of text.matchAll(IN_SCAN)) {
    const words = text.slice(index, index + 500);
    if (!REQUEST.test(words)) continue;
    const last = openings.at(-1);
    if (last && start + index - last.start < 200) continue;
    openings.push({
      start: start + index,
      headStart: start + index + (MARKED.exec(words)?.[0].length ?? 0),
      mark: '',
      score: 5,
      leads: false,
      numbers: findCaseNumbers(words.slice(0, 40)),
      section,
      closes: false,
    });
  }
  return openings;
}
