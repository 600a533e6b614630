/** Words of a question by their weight: without content, plain, or content. */

import { stemsOf } from './tokens.ts';

const wordSet = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Words without content: they ask, join, or name what every record is. */
const FILLERS = wordSet(`
  a an the of in on at to for from by with and or as is are was were be been being has have had having do does did it its they them their there this that these
  those which who whose whom where when what how why me us we i my our you your all any some every each other please show find list give get search look looking
  need want see tell return fetch display anything something things stuff that's what's i'm ones one's can could would should will may might must shall about
  regarding concerning related relating involving involve involves including include includes included containing contain contains mention mentions mentioned
  mentioning discuss discussed discusses discussing into onto within upon during between among through over under near nearby around next close adjacent along
  also both either just only very more most much many such so than then too own same new recent recently latest project projects development developments
  proposal proposals proposed proposes proposing propose plan plans planned application applications applied applying apply case cases item items matter matters
  record records request requests requested requesting site sites property properties building buildings area areas location locations located facility
  facilities place places town city state county neighborhood use uses used concern concerns concerned issue issues problem problems because due owing result
  reason reasons cause caused citing cited feature features featuring featured called named old turn turned turning build builds built construct constructed
  constructs etc got gets made make makes making allow allows allowing allowed permit permits permitted permitting seeking seek seeks sought filed file filing
  submit submitted large big small huge major ask asks asked asking talk talks talked say says said saying speaks deal deals dealing dealt required require
  requires requiring requirement requirements needed member members supervisor supervisors commissioner commissioners councilmember councilmembers official
  officials people person someone anyone after before went go going come came ruling rulings decision decisions determination determinations outcome outcomes result results
  action actions verdict although though however whereas while whilst unless until till since lest neither nor whether despite regardless notwithstanding therefore hence
  thus moreover furthermore nevertheless nonetheless meanwhile otherwise indeed perhaps maybe rather quite almost always often sometimes usually ever else instead of off
  onto toward towards upon via per versus amid among throughout he she him her his hers himself herself itself ourselves themselves yourself yours ours theirs whoever
  whatever whichever somebody anybody everybody everyone nobody nothing none cannot ought shan't am doing done being yes please kindly okay there here anywhere somewhere
  everywhere nowhere`);

/** Whether a word by itself is worth searching for. @param word in lower case */
export const isContent = (word: string): boolean => !FILLERS.has(word);

/** Words that a text need not contain if the criterion has others. */
const OPTIONAL = wordSet(`
  former patients shop shops store stores center centre complex community company expanded raised voiced expressed strong strongly significant potential
  possible least additional extra structure structures unit units land lot zone zones district districts`);

/** Words that describe, move or join, and name nothing of land use: a text need not contain them. */
const PLAIN = wordSet(`
  premises space spaces business businesses firm outlet outlets establishment establishments parcel parcels tract tracts board council commission commissions
  committee authority agency department smaller smallest tiny little larger largest bigger biggest giant massive tall taller tallest rather quite long longer
  short shorter wide wider narrow high low newer newest older oldest ancient aging ageing aged current currently existing present future past previous
  previously prior later earlier early late good bad better best worse nice popular famous well-known known local neighbouring neighboring modern contemporary
  traditional typical usual common ordinary normal regular special particular certain specific various several different similar another further whole entire
  full partial main minor key important busy quiet cheap expensive upscale luxury fancy premium simple basic real actual total overall general broad batch scale
  sized size independent original once now still already again soon finally lately eventually originally formerly initially apparently reportedly allegedly
  simply really mostly mainly partly largely entirely family-run family-owned mom-and-pop homegrown operation operations operator operators practice practices
  program programs programme service services activity activities purpose purposes type types kind kinds sort sorts form style scheme schemes work works thing
  effort efforts idea intention intent version lots few number numbers amount group groups body bodies party parties owner's somebody anybody nobody everyone
  customer customers visitor visitors guest guests public-facing grounds premise ground compound spot corner end side sides part parts portion section middle
  top bottom edge front back petition petitions ordinance ordinances submission submissions submittal submittals filings docket agenda document documents open
  opens opened opening run runs running ran operate operates operated operating start starts started starting begin begins began beginning launch launched
  launches keep keeps kept keeping put puts putting set sets setting bring brings brought bringing gives gave given giving become becomes became becoming remain
  remains remained stay stays stayed let lets letting leave leaves left leaving move moves moved moving goes gone grow grows grew grown growing rise rises
  rising rose raise raises raising cut cuts cutting shrink shrinks shrinking shrunk drop dropping increase increases increased increasing decrease decreases
  decreased decreasing reduce reduces reduced reducing lower lowered lowering extend extends extended extending exceed exceeds exceeding reach reaches reached
  reaching add adds added adding gain gains gained lose loses lost losing offer offers offered offering provide provides provided providing serve serves served
  serving supply supplies supplying sell sells sold selling buy buys bought buying host hosts hosting hosted accommodate accommodates accommodating fit fits
  cover covers covered covering shows showing shown seen saw looks found finding try tries tried trying hope hopes hoping wish wishes wanted wanting meant mean
  means meaning call calls calling name names naming protect protects protected protecting save saves saved saving preserve preserved preserving authorize
  authorized authorise authorised designate designated enable pursue pursuing pursued placed placing locate locating relocate relocated situate situated occupy
  occupies occupied occupying stand stands standing stood sit sits sitting lie lies lying consist consists consisting comprise comprises comprising totals
  totaling totalling measure measures measuring introduce introduced introducing install installs installed installing establish establishes established
  establishing create creates created creating develop develops developed developing produce produces produced producing deliver delivered delivering carry
  carries carried carrying change changes changed changing alter alters altered altering modify modifies modified modifying update updates updated updating
  can't must-have necessary proper appropriate suitable available able likely sure clear drinking eating living sleeping someday daytime everyday daily weekly
  monthly annual yearly per up down out off away across beyond inside outside behind below above ahead apart together even yet instead first second third fourth
  fifth last final initial single lone sole petitioned petitioning petitioner petitioners receive received receives receiving win won wins gotten tall-ish
  square foot-wide newly status hearing hearings reused`);

/** The same for phrases, by their stems. */
const PLAIN_PHRASES = new Set(
  ['land use', 'land uses', 'turned into', 'made into', 'changed into', 'redeveloped as', 'redeveloped into', 'reused as'].map((text) =>
    stemsOf(text).join(' '),
  ),
);
export const isPlainPhrase = (stems: readonly string[]): boolean => PLAIN_PHRASES.has(stems.join(' '));

/** What follows a verb: `remodeling a practice`, `drawing more than 200 megawatts`, not `bowling alley`. */
const BEHIND_VERBS = wordSet('a an the more less over under at up between about around nearly roughly exactly');

/** `needed` words have to occur, `optional` ones only if there are no needed ones, `plain` ones never. */
export type Weight = 'needed' | 'optional' | 'plain';

/** The weight of a word. @param next the word after it; empty at the end */
export function weightOf(word: string, next: string): Weight {
  if (PLAIN.has(word)) return 'plain';
  if (OPTIONAL.has(word)) return 'optional';
  if (word.length > 5 && word.endsWith('ing') && BEHIND_VERBS.has(next)) return 'plain';
  return 'needed';
}
