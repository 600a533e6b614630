/** Find Contact Info: what is looked up, and what may be delivered of a finder's answer. Pure. */

import { type FoundPerson, personKeyOf, type Unlock } from '../domain/record/people.ts';
import type { CompanyEnrichment, FilingContact } from '../domain/record/statement.ts';
import type { Identified } from '../domain/suppression.ts';

/** A project is not looked up again for this number of days. */
export const ENRICHED_DAYS = 90;
/** Channels with a lower confidence are never delivered. */
const CONFIDENCE_FLOOR = 0.6;
export const MS_PER_PROJECT = 120_000;
const PEOPLE_MAX = 50;
const COMPANIES_MAX = 20;

export interface LookUpOptions {
  /** 0 to 1; a value below the floor has no effect */
  minConfidence?: number | undefined;
  companyOnly?: boolean | undefined;
  /** most look-ups that the job makes */
  maxProjects?: number | undefined;
}

/** A project of a request: the id that was sent, and the id of the record it belongs to now. */
export interface WantedProject {
  askedId: number;
  projectId: number;
}

export interface EnrichmentPayload {
  projects: WantedProject[];
  options: LookUpOptions;
  /** credits for the first email or phone of a project, at the time of acceptance */
  rate: number;
}

/** What a finder gets about a project. */
export interface LookUp {
  projectId: number;
  /** ids of the record and of those merged into it */
  ids: readonly number[];
  projectName: string | null;
  address: string | null;
  city: string | null;
  county: string | null;
  state: string | null;
  /** companies and people named by the filing */
  parties: readonly { role: string; name: string }[];
  contacts: readonly Pick<FilingContact, 'name' | 'role' | 'company' | 'title'>[];
  companies: readonly string[];
}

/** A person, as a finder returns them. */
export interface Candidate {
  name?: string | null;
  role?: string | null;
  company?: string | null;
  title?: string | null;
  email?: string | null;
  emailConfidence?: number | null;
  phone?: string | null;
  phoneConfidence?: number | null;
  linkedin?: string | null;
  linkedinConfidence?: number | null;
  isGovernmentStaff?: boolean;
}

export interface FinderAnswer {
  people: readonly Candidate[];
  companies: readonly CompanyEnrichment[];
}

/** The state of one id that a pool has looked up. */
export interface LookUpState extends Pick<Unlock, 'opens'> {
  /** an email or phone was found, and charged if the plan has a price for it */
  received: boolean;
  /** looked up within the last 90 days */
  recent: boolean;
}

/** The state of a record for a pool. Look-ups under any of its ids count, so that a merge never makes a pool pay twice. */
export function lookUpStanding(states: ReadonlyMap<number, LookUpState>, memberIds: readonly number[], companyOnly = false) {
  const known = memberIds.flatMap((id) => states.get(id) ?? []);
  return {
    isEnriched: known.some(({ recent, opens }) => recent && (companyOnly || opens !== 'companies')),
    isPaid: known.some(({ received }) => received),
  };
}

/** The result of a look-up, possibly empty. */
export interface ContactFinding extends Omit<Unlock, 'opens'> {
  opens: Unlock['opens'] | null;
  /** hashes of everybody who was found or whose channels are opened, to recognise later suppressions */
  hashes: readonly string[];
  /** ids of the record and of those merged into it at the time of the look-up; absent where nothing was found */
  memberIds?: readonly number[];
  /** the finder's answer was malformed: it does not count as an attempt */
  unusable?: true;
}

export const NOTHING_FOUND: ContactFinding = { opens: null, people: [], companies: [], lowConfidenceWithheld: 0, hashes: [] };
export const UNUSABLE: ContactFinding = { ...NOTHING_FOUND, unusable: true };

const CHANNELS = ['email', 'phone', 'linkedin'] as const;

/** A channel without a confidence gets the lowest that is accepted. */
const confidenceOf = (one: Candidate, channel: (typeof CHANNELS)[number]) => one[`${channel}Confidence`] ?? CONFIDENCE_FLOOR;

const hasChannel = ({ email, phone }: { email?: string | null | undefined; phone?: string | null | undefined }) => Boolean(email || phone);

/** The context in which a finder's answer is judged. */
interface FindingContext {
  /** people named by the filing; the same look-up opens their channels */
  filed: readonly FilingContact[];
  /** where found channels come from */
  source: string;
  options: LookUpOptions;
  hides(one: Identified): boolean;
  hashesOf(one: Identified): string[];
}

/** Keeps what may be delivered of a finder's answer: no government staff, no suppressed people, no channel below the confidence. */
export function findingOf(answer: FinderAnswer, { filed, source, options, hides, hashesOf }: FindingContext): ContactFinding {
  const companies = answer.companies
    .filter(({ name }) => name)
    .slice(0, COMPANIES_MAX)
    .map((one) => (hides({ phone: one.mainPhone }) ? { ...one, mainPhone: null } : one));
  const companyHashes = companies.flatMap(({ mainPhone: phone }) => hashesOf({ phone }));
  if (options.companyOnly)
    return { opens: companies.length ? 'companies' : null, people: [], companies, lowConfidenceWithheld: 0, hashes: companyHashes };
  const least = Math.max(CONFIDENCE_FLOOR, options.minConfidence ?? 0);
  let lowConfidenceWithheld = 0;
  // Whom the filing names as staff stays so, also where the finder does not say it.
  const staff = new Set(filed.filter((one) => one.isGovernmentStaff).map(personKeyOf));
  const isStaff = (one: Candidate) => one.isGovernmentStaff || staff.has(personKeyOf(one));
  const people = answer.people.filter((one) => !isStaff(one) && !hides(one)).slice(0, PEOPLE_MAX);
  const found = people.map((one): FoundPerson => {
    const open = (channel: (typeof CHANNELS)[number]) => {
      if (!one[channel]) return null;
      if (confidenceOf(one, channel) >= least) return one[channel];
      lowConfidenceWithheld += 1;
      return null;
    };
    const { name = null, role = null, company = null, title = null } = one;
    const channels = { email: open('email'), phone: open('phone'), linkedin: open('linkedin') };
    return { name, role, company, title, ...channels, source, hashes: hashesOf(one) };
  });
  const reachable = filed.filter((one) => !one.isGovernmentStaff && !hides(one));
  const known = [...found, ...reachable];
  const opens = known.some(hasChannel) ? 'channels' : known.some(({ linkedin }) => linkedin) ? 'profiles' : null;
  const hashes = [...found.flatMap((one) => one.hashes), ...reachable.flatMap(hashesOf), ...companyHashes];
  return { opens, people: found, companies, lowConfidenceWithheld, hashes: [...new Set(hashes)] };
}

/** The used part of an allowance, and its period. */
interface AllowanceUse {
  used: number;
  limit: number | null;
  /** ISO 8601; null if it never resets */
  resetsAt: string | null;
}

export const allowanceView = ({ used, limit, resetsAt }: AllowanceUse) => ({
  used,
  limit,
  remaining: limit === null ? null : Math.max(limit - used, 0),
  resetsAt,
});

/** Most look-ups of an export that does not ask for fewer. */
export const EXPORT_LOOK_UPS_MAX = 1_000;
