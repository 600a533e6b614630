/** What staff recommend, read from their words. Pure. */

import type { StaffRecommendation } from './tokens.ts';

const NO_RECOMMENDATION =
  /\bno (?:staff )?(?:recommendation|position)\b|\b(?:makes?|made|offers?|provides?|takes?|have|has|had) (?:no|not any|neither)\b|\bneutral\b|\bnot (?:yet )?(?:made|issued|provided|given)\b|\b(?:without|pending) (?:a )?recommendation\b/;

const DENIAL =
  /\b(?:deny|denying|denied|denial|disapprov\w*|reject\w*|refus(?:e|al)|oppos(?:e[sd]?|ition)|unfavou?rabl\w*|adverse (?:recommendation|report|action|opinion))\b|^adverse\b(?! \w)|\b(?:not|cannot|can not|doesn't|does not|do not|unable to) (?:\w+ ){0,2}?(?:recommend|support|approv|favou?r|endors)\w*/;
/** A denial that is itself denied, or that is not recommended: no denial. */
const NO_DENIAL = /\b(?:no|not|without|withdr[ae]w\w*) (?:\w+ ){0,2}?(?:objections?|opposition|oppose[sd]?|den(?:y|ial))\b/g;
const SUPPORT = /\b(?:approv\w*|support\w*|favou?r\w*|grant\w*|adopt\w*|endors\w*|accept\w*)\b|\bno objections?\b/;
const CONTINUANCE = /\b(?:continuances?|continu(?:e|ed|ing)|defer\w*|postpon\w*|tabl(?:e|ed|ing)|remand\w*|carried over|held over)\b/;
const CONDITIONS =
  /\b(?:conditions?|conditional(?:ly)?|condition(?:ed)?|subject to|proffers?|stipulations?|modifications?|provided that|contingent)\b/;
const NO_CONDITIONS = /\b(?:no|without|unconditional(?:ly)?) (?:any |further |additional )?(?:conditions?|modifications?|stipulations?)\b/g;
/** Continues to hold an opinion, which puts nothing off. */
const GOES_ON = /\bcontinues? to\b/g;

/** Things that are called by a word against a case, or by one that puts it off: `refuse bins`, `Table 2`, `continued use`. */
const THINGS =
  /\brefuse (?:(?:and|or|&) \w+ )?(?:bins?|cans?|carts?|collection|containers?|disposal|dumpsters?|enclosures?|storage|areas?|service|facilit\w*|pick-?up|rooms?|trucks?|recycling)\b|\btables? (?:of|(?:no\.? )?(?:\d[\d.-]*|[ivx]+))\b|\bcontinu(?:ed|ing) (?:uses?|operations?|care|education|compliance|maintenance|existence)\b/g;

/** What follows gives reasons, which may name what is not recommended: `approval because there is no opposition`. */
const REASONS = /\b(?:because|since|noting|due to|based (?:up)?on|in light of|given)\b.*/;
/** Conditions that stand behind reasons and are none of them: `approval based on the findings, and subject to the following`. */
const CONDITIONS_BEHIND =
  /(?:[,;] (?:is )?|\band )subject to\b|(?<!\b(?:is|are|was|were|be|remains?) )subject to (?:\w+ ){0,3}?conditions\b|[,;.] (?:and )?with (?:\w+ ){0,4}?conditions\b|[,;.] and (?:the )?(?:following|attached|recommended|listed) conditions\b/;

/**
 * The recommendation that staff's words name; `none` where they name none of those known. What is said before any reasons counts first.
 */
export function readStaffRecommendation(words: string): StaffRecommendation {
  const text = words.normalize('NFKC').toLowerCase().replace(/[’‘]/g, "'").replace(/\s+/g, ' ');
  const said = readRecommendation(text.replace(REASONS, ''));
  if (said === 'approval') return CONDITIONS_BEHIND.test(text.replace(NO_CONDITIONS, ' ')) ? 'approval_with_conditions' : said;
  return said === 'none' ? readRecommendation(text) : said;
}

/**
 * A denial goes before support, since words against a case name what they are against; a continuance before both if nothing else is
 * recommended.
 */
function readRecommendation(text: string): StaffRecommendation {
  const plain = text.replace(THINGS, ' ').replace(NO_DENIAL, ' no objection ').replace(NO_CONDITIONS, ' ').replace(GOES_ON, ' ');
  if (DENIAL.test(plain)) return 'denial';
  if (NO_RECOMMENDATION.test(plain)) return CONTINUANCE.test(plain) ? 'continuance' : 'none';
  if (CONTINUANCE.test(plain)) return 'continuance';
  if (!SUPPORT.test(plain)) return 'none';
  return CONDITIONS.test(plain) ? 'approval_with_conditions' : 'approval';
}
