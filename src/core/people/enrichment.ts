/** Find Contact Info: what is looked up, what of a finder's answer may be delivered, and how a job of look-ups stands. Pure. */

import type { FoundPerson, Unlock } from '../domain/record/people.ts';
import type { CompanyEnrichment, FilingContact } from '../domain/record/statement.ts';
import type { Identified } from '../domain/suppression.ts';
import type { JobError } from '../jobs/kind.ts';

/** A project is not looked up again for so many days. */
export const ENRICHED_DAYS = 90;
/** A channel of which its finder is less sure is withheld from everybody. */
const CONFIDENCE_FLOOR = 0.6;
export const MS_PER_PROJECT = 120_000;
const PEOPLE_MAX = 50;
const COMPANIES_MAX = 20;

export interface LookUpOptions {
  /** 0 to 1; below the floor it changes nothing */
  minConfidence?: number | undefined;
  companyOnly?: boolean | undefined;
  /** look-ups that the job makes at most */
  maxProjects?: number | undefined;
}

/** A project of a request: the id that was sent, and that of the record that has it now. */
export interface WantedProject {
  askedId: number;
  projectId: number;
}

export interface EnrichmentPayload {
  projects: WantedProject[];
  options: LookUpOptions;
  /** credits for the first email or phone of a project at acceptance */
  rate: number;
}

/** What a finder is told of a project. */
export interface LookUp {
  projectId: number;
  /** of the records merged into it, its own among them */
  ids: readonly number[];
  projectName: string | null;
  address: string | null;
  city: string | null;
  county: string | null;
  state: string | null;
  /** companies and people that the filing names */
  parties: readonly { role: string; name: string }[];
  contacts: readonly Pick<FilingContact, 'name' | 'role' | 'company' | 'title'>[];
  companies: readonly string[];
}

/** Somebody as a finder knows them. */
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

/** How a pool stands to one id that it has looked up. */
export interface LookUpState extends Pick<Unlock, 'opens'> {
  /** an email or phone came, and was charged where the plan has a price for it */
  received: boolean;
  /** looked up within the last 90 days */
  recent: boolean;
}

/** How a pool stands to a record: what was looked up under any of its ids counts, so that a merge makes nobody pay twice. */
export function lookUpStanding(states: ReadonlyMap<number, LookUpState>, memberIds: readonly number[], companyOnly = false) {
  const known = memberIds.flatMap((id) => states.get(id) ?? []);
  return {
    isEnriched: known.some(({ recent, opens }) => recent && (companyOnly || opens !== 'companies')),
    isPaid: known.some(({ received }) => received),
  };
}

/** What a look-up brought: an unlock, or nothing. */
export interface ContactFinding extends Omit<Unlock, 'opens'> {
  opens: Unlock['opens'] | null;
  /** hashes of everybody who was found or whose channels are opened, by which it is known who was suppressed since */
  hashes: readonly string[];
  /** ids of the record when it was looked up, its own among them; absent from findings of earlier versions */
  memberIds?: readonly number[];
  /** the finder's answer made no sense: it counts as no attempt */
  unusable?: true;
}

export const NOTHING_FOUND: ContactFinding = { opens: null, people: [], companies: [], lowConfidenceWithheld: 0, hashes: [] };
export const UNUSABLE: ContactFinding = { ...NOTHING_FOUND, unusable: true };

const CHANNELS = ['email', 'phone', 'linkedin'] as const;

/** A channel without a confidence is taken to be just good enough. */
const confidenceOf = (one: Candidate, channel: (typeof CHANNELS)[number]) => one[`${channel}Confidence`] ?? CONFIDENCE_FLOOR;

const reaches = ({ email, phone }: { email?: string | null | undefined; phone?: string | null | undefined }) => Boolean(email || phone);

/** With what a finder's answer is judged. */
interface FindingContext {
  /** whom the filing names; their channels are opened by the same look-up */
  filed: readonly FilingContact[];
  /** where found channels are from */
  source: string;
  options: LookUpOptions;
  hides(one: Identified): boolean;
  hashesOf(one: Identified): string[];
}

/** What may be delivered of a finder's answer: nobody of a government, nobody who is suppressed, no channel that is too uncertain. */
export function findingOf(answer: FinderAnswer, { filed, source, options, hides, hashesOf }: FindingContext): ContactFinding {
  const companies = answer.companies
    .filter(({ name }) => name)
    .slice(0, COMPANIES_MAX)
    .map((one) => (hides({ phone: one.mainPhone }) ? { ...one, mainPhone: null } : one));
  const ofCompanies = companies.flatMap(({ mainPhone: phone }) => hashesOf({ phone }));
  if (options.companyOnly)
    return { opens: companies.length ? 'companies' : null, people: [], companies, lowConfidenceWithheld: 0, hashes: ofCompanies };
  const least = Math.max(CONFIDENCE_FLOOR, options.minConfidence ?? 0);
  let lowConfidenceWithheld = 0;
  const people = answer.people.filter((one) => !one.isGovernmentStaff && !hides(one)).slice(0, PEOPLE_MAX);
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
  const opens = known.some(reaches) ? 'channels' : known.some(({ linkedin }) => linkedin) ? 'profiles' : null;
  const hashes = [...found.flatMap((one) => one.hashes), ...reachable.flatMap(hashesOf), ...ofCompanies];
  return { opens, people: found, companies, lowConfidenceWithheld, hashes: [...new Set(hashes)] };
}

export type EnrichmentStatus = 'queued' | 'running' | 'completed' | 'failed';

/** An enrichment as it is stored. */
export interface StoredEnrichment {
  id: string;
  jobStatus: string;
  accepted: number[];
  alreadyEnriched: number[];
  notPurchased: number[];
  notFound: number[];
  processed: number;
  found: number;
  notAttempted: number[];
  creditsReserved: number;
  creditsCharged: number | null;
  creditsRefunded: number | null;
  createdAt: Date;
  startedAt: Date | null;
  settledAt: Date | null;
  error: JobError | null;
}

/** What was used of an allowance, and of what period. */
interface AllowanceUse {
  used: number;
  limit: number | null;
  /** ISO 8601; null where it never resets */
  resetsAt: string | null;
}

export const allowanceView = ({ used, limit, resetsAt }: AllowanceUse) => ({
  used,
  limit,
  remaining: limit === null ? null : Math.max(limit - used, 0),
  resetsAt,
});

/** Look-ups of one export, where it does not ask for fewer. */
export const EXPORT_LOOK_UPS_MAX = 1_000;
