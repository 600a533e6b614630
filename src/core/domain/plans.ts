/** The plans of the service and every figure that depends on one (src/docs/credits.md). Pure. */

export const PLAN_IDS = ['county', 'state', 'multi_state', 'national', 'api_only', 'trial'] as const;
export type PlanId = (typeof PLAN_IDS)[number];

/** How many projects contacts may be looked up for: in a calendar month, or ever. Null is no limit. */
export interface EnrichmentAllowance {
  limit: number | null;
  period: 'month' | 'lifetime';
}

export interface Plan {
  id: PlanId;
  label: string;
  /** false for the free trial: no sharing, no company details beyond name and website */
  paid: boolean;
  /** credits for a delivered record that is new to the pool or changed since its last delivery */
  recordCredit: 0 | 1;
  /** credits for the first email or phone of a project */
  contactCredit: 0 | 1;
  /** credits of a calendar month (UTC), null if the grant is for life; a team may have a figure of its own */
  monthlyCredits: number | null;
  /** credits for the life of the account, null if they are monthly */
  lifetimeCredits: number | null;
  enrichment: EnrichmentAllowance;
  /** true if contacts are looked up only for records the pool has bought; other ids are skipped as `notPurchased` */
  enrichmentNeedsPurchase: boolean;
  /** 'licensed' answers only for the states or counties of the team's licence */
  geography: 'nationwide' | 'licensed';
  /** what a licence of this plan consists of, and how many: null is any number */
  licence: { kind: 'none' | 'states' | 'counties' | 'states_or_counties'; max: number | null };
  /** which of the configured per-minute allowances its keys have */
  rateLimit: 'paid' | 'trial';
  /** a page that the balance cannot pay for whole: refused with 402, or cut to what remains (`trial_truncate`) */
  shortfall: 'refuse' | 'truncate';
  /** states that one alert may name; null is any number */
  maxAlertStates: number | null;
  /** counties and cities that one alert may name; null is any number */
  maxAlertLocalities: number | null;
}

const UNLIMITED: EnrichmentAllowance = { limit: null, period: 'month' };

/** What County, State, Multi-State and National share: records are free, a contact is 1 credit. */
const RECORDS_FREE = {
  paid: true,
  recordCredit: 0,
  contactCredit: 1,
  lifetimeCredits: null,
  enrichment: UNLIMITED,
  enrichmentNeedsPurchase: false,
  rateLimit: 'paid',
  shortfall: 'refuse',
} as const;

export const PLANS: Readonly<Record<PlanId, Readonly<Plan>>> = {
  county: {
    ...RECORDS_FREE,
    id: 'county',
    label: 'County',
    monthlyCredits: 100,
    geography: 'licensed',
    licence: { kind: 'counties', max: null },
    maxAlertStates: 1,
    maxAlertLocalities: 10,
  },
  state: {
    ...RECORDS_FREE,
    id: 'state',
    label: 'State',
    monthlyCredits: 300,
    geography: 'licensed',
    licence: { kind: 'states', max: 1 },
    maxAlertStates: 1,
    maxAlertLocalities: 50,
  },
  multi_state: {
    ...RECORDS_FREE,
    id: 'multi_state',
    label: 'Multi-State',
    monthlyCredits: 600,
    geography: 'licensed',
    licence: { kind: 'states', max: null },
    maxAlertStates: 10,
    maxAlertLocalities: 100,
  },
  national: {
    ...RECORDS_FREE,
    id: 'national',
    label: 'National',
    monthlyCredits: 1_500,
    geography: 'nationwide',
    licence: { kind: 'none', max: 0 },
    maxAlertStates: null,
    maxAlertLocalities: null,
  },
  api_only: {
    id: 'api_only',
    label: 'API Only',
    paid: true,
    recordCredit: 1,
    contactCredit: 0,
    monthlyCredits: 5_000,
    lifetimeCredits: null,
    enrichment: { limit: 500, period: 'month' },
    enrichmentNeedsPurchase: true,
    geography: 'nationwide',
    licence: { kind: 'none', max: 0 },
    rateLimit: 'paid',
    shortfall: 'refuse',
    maxAlertStates: null,
    maxAlertLocalities: null,
  },
  trial: {
    id: 'trial',
    label: 'Free trial',
    paid: false,
    recordCredit: 1,
    contactCredit: 0,
    monthlyCredits: null,
    lifetimeCredits: 50,
    enrichment: { limit: 5, period: 'lifetime' },
    enrichmentNeedsPurchase: true,
    geography: 'licensed',
    licence: { kind: 'states_or_counties', max: null },
    rateLimit: 'trial',
    shortfall: 'truncate',
    maxAlertStates: null,
    maxAlertLocalities: null,
  },
};

export function isPlanId(text: string): text is PlanId {
  return (PLAN_IDS as readonly string[]).includes(text);
}

/** The states and counties of a licence, by FIPS number. */
export interface LicencePlaces {
  stateIds: readonly number[];
  countyIds: readonly number[];
}

const WANTED: Record<Plan['licence']['kind'], string> = {
  none: 'is nationwide and takes no licence',
  states: 'is licensed by state',
  counties: 'is licensed by county',
  states_or_counties: 'is licensed by state or county',
};

/** Why these places cannot be the licence of this plan, as a sentence; undefined if they can. */
export function findLicenceProblem(plan: Plan, { stateIds, countyIds }: LicencePlaces): string | undefined {
  const { kind, max } = plan.licence;
  const wanted = `The ${plan.label} plan ${WANTED[kind]}`;
  const count = stateIds.length + countyIds.length;
  if (kind === 'none') return count ? `${wanted}; leave states and counties out.` : undefined;
  if (count === 0) return `${wanted}; name at least one.`;
  if (kind === 'states' && countyIds.length) return `${wanted}; it takes no counties.`;
  if (kind === 'counties' && stateIds.length) return `${wanted}; it takes no whole states.`;
  if (max !== null && count > max) return `${wanted}; it takes ${max}, not ${count}.`;
  return undefined;
}
