/** Finds figures that a text states explicitly; null if it states none, or two different ones of a kind. Pure. */
import { agreedValue, parseAmount } from './values.ts';

function only(text: string, pattern: RegExp): number | null {
  return agreedValue([...text.matchAll(pattern)].map((match) => parseAmount(match[1])));
}

/** '6.6 acres', '±0.24 acre', '31-acre' */
export function findAcres(text: string): number | null {
  return only(text, /(?<![\d.,$])(\d[\d,]*(?:\.\d+)?|\.\d+)[ -]?(?:acres?|ac)\b(?! ?\/)/gi);
}

const DWELLING_WORD =
  'multi-?family|single-?family|attached|detached|stacked|residential|dwelling|age-restricted|townhouse|townhome|apartment|affordable|rental|condominium|condo|senior|new|housing|market-rate|for-sale|mixed';

const UNITS = new RegExp(
  `(?<![\\d.,$#-])\\b(\\d[\\d,]*)[ -](?:(?:${DWELLING_WORD}),? ){0,5}?(?:units?|apartments|townho(?:mes|uses)|dwellings|homes|condominiums)\\b(?! ?(?:per|an acre|\\/))`,
  'gi',
);

/** '192 units', '64 multi-family attached residential units'; densities, increments and other buildings' units do not count. */
export function findUnits(text: string): number | null {
  if (/\b(additional|increase|from what was|instead of|decrease|reduc|existing)\b/i.test(text)) return null;
  return only(text, UNITS);
}

/** '115 lot subdivision', '47 residential lots' */
export function findLots(text: string): number | null {
  return only(text, /(?<![\d.,$#-])\b(\d[\d,]*)[ -](?:single[- ]family |residential |townhouse |buildable |building ){0,2}lots?\b/gi);
}

/** '3-story', '5 STORIES'; half stories stay */
export function findStories(text: string): number | null {
  return only(text, /(?<![\d.$#-])\b(\d{1,3}(?:\.5)?)[ -]?stor(?:y|ies|eys?)\b/gi);
}

const STREET_WORD =
  'road|rd|street|st|avenue|ave|av|drive|dr|boulevard|blvd|lane|ln|way|court|ct|pike|parkway|pkwy|highway|hwy|hy|turnpike|place|pl|circle|cir|terrace|ter|trail|freeway|square|plz|loop';

const STREET = new RegExp(`(?<![\\w'.-])(?!to |the |of |and )[\\w'.-]+ (?:${STREET_WORD})\\b(?![-/])`, 'gi');

/** 'within the Agritourism and Arts Overlay District', 'designated MU-4, Community Mixed Use' describe the surroundings and plans. */
const SURROUNDINGS =
  /\b(?:within|in) (?:both )?(?:the|an?) [^.;:]{0,120}?\boverlay[^.;,]{0,40}|\bdesignated [A-Z&]{1,5}-?\d*, [^.;,]{0,60}/gi;

/** Removes words that do not describe the case's own use: street names ('Church Street'), overlay districts, designations of plans. */
export function withoutSurroundings(text: string): string {
  return text.replace(STREET, ' ').replace(SURROUNDINGS, ' ');
}
