/** Figures that a text states in so many words. Two different figures of one kind make the text ambiguous: then null. Pure. */
import { agreed, amount } from './values.ts';

function only(text: string, pattern: RegExp): number | null {
  return agreed([...text.matchAll(pattern)].map((match) => amount(match[1])));
}

/** '6.6 acres', '±0.24 acre', '31-acre' */
export function acres(text: string): number | null {
  return only(text, /(?<![\d.$])(\d[\d,]*(?:\.\d+)?|\.\d+)[ -]?(?:acres?|ac)\b(?! ?\/)/gi);
}

/** '192 units', '64 multi-family attached residential units'; densities, increments and other buildings' units do not count. */
export function units(text: string): number | null {
  if (/\b(additional|increase|from what was|instead of|decrease|reduc|existing)\b/i.test(text)) return null;
  const noun = '(?:units?|apartments|townho(?:mes|uses)|dwellings|homes|condominiums)';
  const found = new RegExp(`(?<![\\d.$#-])\\b(\\d[\\d,]*)[ -](?:[a-z][a-z-]* ){0,5}?${noun}\\b(?! ?(?:per|an acre|\\/))`, 'gi');
  return only(text, found);
}

/** '115 lot subdivision', '47 residential lots' */
export function lots(text: string): number | null {
  return only(text, /(?<![\d.$#-])\b(\d[\d,]*)[ -](?:single[- ]family |residential |townhouse |buildable |building ){0,2}lots?\b/gi);
}

/** '3-story', '5 STORIES'; half stories stay */
export function stories(text: string): number | null {
  return only(text, /(?<![\d.$#-])\b(\d{1,3}(?:\.5)?)[ -]?stor(?:y|ies|eys?)\b/gi);
}

const STREET_WORD =
  'road|rd|street|st|avenue|ave|av|drive|dr|boulevard|blvd|lane|ln|way|court|ct|pike|parkway|pkwy|highway|hwy|hy|turnpike|place|pl|circle|cir|terrace|ter|trail|freeway|square|plz|loop';

const STREET = new RegExp(`\\b(?!to |the |of |and )[\\w'.-]+ (?:${STREET_WORD})\\b(?![-/])`, 'gi');

/** Without street names, so that 'Church Street' or 'Park Road' names no church and no park. */
export function withoutStreets(text: string): string {
  return text.replace(STREET, ' ');
}
