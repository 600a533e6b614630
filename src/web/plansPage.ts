/** Plans and prices: a column for each plan, from the table of plans. */
import { PLANS, type Plan } from '../core/domain/plans.ts';
import { table } from './layout.ts';

const NUMBER = new Intl.NumberFormat('en-US');
const number = (value: number) => NUMBER.format(value);
const credits = (value: number) => (value === 0 ? 'free' : `${value} credit${value === 1 ? '' : 's'}`);
const most = (value: number | null) => (value === null ? 'any number' : number(value));

/** Requests of a key in any 60 seconds, by rate limit class of its plan. */
export type RequestAllowances = Readonly<Record<Plan['rateLimit'], number>>;

function creditsOf({ monthlyCredits, lifetimeCredits }: Plan): string {
  if (monthlyCredits !== null) return `${number(monthlyCredits)} a month`;
  return lifetimeCredits === null ? 'none' : `${number(lifetimeCredits)} in all`;
}

function placesOf({ geography, licence: { kind, max } }: Plan): string {
  if (geography === 'nationwide') return 'the whole country';
  const places = { none: 'none', states: 'states', counties: 'counties', states_or_counties: 'states or counties' }[kind];
  return max === 1 ? `1 ${places.replace(/s$/, '')}` : `${places} of your licence`;
}

function lookUpsOf({ enrichment: { limit, period } }: Plan): string {
  if (limit === null) return 'any number';
  return `${number(limit)} ${period === 'month' ? 'projects a month' : 'projects in all'}`;
}

const rowsOf = (allowances: RequestAllowances): Record<string, (plan: Plan) => string> => ({
  Credits: creditsOf,
  'A record that is new to your team, or changed': ({ recordCredit }) => credits(recordCredit),
  'A record that your team has, unchanged': () => 'free',
  'Contacts of a project': ({ contactCredit }) => credits(contactCredit),
  'Contact look-ups': lookUpsOf,
  Places: placesOf,
  'Requests in any 60 seconds': ({ rateLimit }) => number(allowances[rateLimit]),
  'A page beyond the balance': ({ shortfall }) => (shortfall === 'refuse' ? 'refused whole' : 'cut to what remains'),
  'States of an alert': ({ maxAlertStates }) => most(maxAlertStates),
  'Counties and cities of an alert': ({ maxAlertLocalities }) => most(maxAlertLocalities),
});

export function plansPage(allowances: RequestAllowances): string {
  const plans = Object.values(PLANS);
  const rows = Object.entries(rowsOf(allowances)).map(([title, textOf]) => [title, ...plans.map(textOf)]);
  return `<h1>Plans and prices</h1>
<p class="lead">Prices are in credits. Counts, prices beforehand, catalogues, analytics and the map's counts are free on every plan.</p>
${table(['Plan', ...plans.map(({ label }) => label)], rows, 'Plans', 'plain').replace('<table>', '<table class="plans">')}
<ul><li>Credits belong to the team: all of its keys spend the same ones. A contact is charged when an email address or a phone number was found.</li>
<li><code>GET /v1/projects/count</code> says what a whole match set would cost, and the header <code>X-Service-Max-Credits</code> bounds what a request may spend.</li>
<li>A team may have other figures than its plan: <code>GET /v1/account/credits</code> says yours.</li></ul>
<p>More: <a href="/docs/guides/credits">what bills and what does not</a>, <a href="/docs/guides/licences">places of a key</a>, <a href="/docs/guides/enrichment">contact look-ups</a>.</p>`;
}
