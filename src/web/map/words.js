// Numbers, dates and names in words.

const numbers = new Intl.NumberFormat('en-US');
const short = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });
const days = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });
const moments = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' });

/** @param {number} n */
export const number = (n) => numbers.format(n);
/** @param {number} n */
export const shortNumber = (n) => short.format(n);
/** @param {string | null | undefined} day `YYYY-MM-DD` */
export const date = (day) => (day ? days.format(new Date(`${day.slice(0, 10)}T00:00:00Z`)) : '');
/** @param {string | null | undefined} at ISO 8601 */
export const moment = (at) => (at ? moments.format(new Date(at)) : '');

/**
 * @param {number} n
 * @param {string} one
 * @param {string} [many]
 */
export const counted = (n, one, many = `${one}s`) => `${number(n)} ${n === 1 ? one : many}`;

/** `propertySubtypes` → `Property subtypes`. @param {string} name */
export const spaced = (name) => {
  const text = name.replaceAll(/([A-Z])/g, ' $1').toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
};

/** @param {...(string | number | null | undefined | false)} parts */
export const joined = (...parts) => parts.filter(Boolean).join(' · ');

const STATES_NAMED = 3;

/**
 * Where the projects of a cluster lie: a county, or, across a state's border, how many lie in each state.
 * @param {{county: string | null, states: {label: string, count: number}[]}} cell
 * @returns {string}
 */
export function placeOfCell({ county, states }) {
  if (states.length < 2) return county ? `around ${county}` : states[0] ? `in ${states[0].label}` : 'here';
  const named = states.slice(0, STATES_NAMED).map(({ label, count }) => `${number(count)} in ${label}`);
  const others = states.length - STATES_NAMED;
  return [...named, ...(others > 0 ? [`the rest in ${counted(others, 'other state')}`] : [])].join(', ');
}
