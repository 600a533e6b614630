/**
 * The one place where people and their companies are represented: who is shown, which channels are open, and whom nobody sees. Channels stay
 * withheld until the pool has unlocked the project; those of government staff always. Pure.
 */
import type { Identified } from '../suppression.ts';
import { words } from '../words.ts';
import { lockedChannels, namedContact, publicCompany } from './lists.ts';
import type { CompanyEnrichment, FilingContact } from './nested.ts';

/** Somebody whom a look-up found, with the channels that may be shown. */
export interface FoundPerson {
  name: string | null;
  role: string | null;
  company: string | null;
  title: string | null;
  email: string | null;
  phone: string | null;
  linkedin: string | null;
  /** where the channels are from: `directory` or `provider` */
  source: string;
  /** of everything that identifies them, withheld channels included */
  hashes: readonly string[];
}

/** What a pool's look-ups of a project brought. */
export interface Unlock {
  /** channels that are open: none where only companies were looked up, the profiles alone where no email or phone was found */
  opens: 'channels' | 'profiles' | 'companies';
  people: readonly FoundPerson[];
  companies: readonly CompanyEnrichment[];
  /** channels below the confidence that was asked for */
  lowConfidenceWithheld: number;
}

/** What an answer for one pool knows of people. */
export interface PeopleView {
  /** true for somebody who asked not to be found */
  hides(person: Identified & { hashes?: readonly string[] }): boolean;
  /** @param ids of a record and those merged into it */
  unlockOf(ids: readonly number[]): Unlock | null;
}

interface Channels {
  email?: string | null | undefined;
  phone?: string | null | undefined;
  linkedin?: string | null | undefined;
}

type ShownContact = ReturnType<typeof namedContact> & Record<keyof typeof lockedChannels, string | null>;

export interface ShownPeople {
  /** null where nobody is stated or found */
  contacts: ShownContact[] | null;
  summary: { contactCount: number; withEmail: number; withPhone: number; lowConfidenceWithheld: number; unlocked: boolean };
}

/** Two entries of one person have one. */
const keyOf = ({ name, company }: Identified) => `${words(name ?? '')} @ ${words(company ?? '')}`;

/** Channels with their source, each the first of those that has it. */
function opened(
  sources: readonly (Channels & { source: string })[],
): typeof lockedChannels | Record<keyof typeof lockedChannels, string | null> {
  const first = (channel: keyof Channels) => sources.find((one) => one[channel]);
  const [email, phone, linkedin] = [first('email'), first('phone'), first('linkedin')];
  return {
    email: email?.email ?? null,
    emailSource: email?.source ?? null,
    phone: phone?.phone ?? null,
    phoneSource: phone?.source ?? null,
    linkedin: linkedin?.linkedin ?? null,
    linkedinSource: linkedin?.source ?? null,
  };
}

/** Channels of somebody whom the filing names, as far as they are open. */
function filedChannels({ email, phone, linkedin }: FilingContact, opens: Unlock['opens'] | undefined): Channels & { source: string } {
  const reach = opens === 'channels' ? { email, phone } : {};
  return { ...reach, ...(opens === 'channels' || opens === 'profiles' ? { linkedin } : {}), source: 'filing' };
}

/** People whom the filing names first, then those whom a look-up found. */
export function shownPeople(stated: readonly FilingContact[] | null | undefined, ids: readonly number[], view: PeopleView): ShownPeople {
  const unlock = view.unlockOf(ids);
  const filed = (stated ?? []).filter((person) => !view.hides(person));
  const found = (unlock?.people ?? []).filter((person) => !view.hides(person));
  const keys = new Set(found.length ? filed.map(keyOf) : []);
  const contacts = [
    ...filed.map((person): ShownContact => {
      if (!unlock || person.isGovernmentStaff) return { ...namedContact(person), ...lockedChannels };
      const same = found.filter((one) => keyOf(one) === keyOf(person));
      return { ...namedContact(person), ...opened([filedChannels(person, unlock.opens), ...same]) };
    }),
    ...found.filter((one) => !keys.has(keyOf(one))).map((person): ShownContact => ({ ...namedContact(person), ...opened([person]) })),
  ];
  const reachable = filed.filter((person) => !person.isGovernmentStaff);
  const known: readonly Channels[] = unlock?.opens === 'channels' ? contacts : reachable;
  return {
    contacts: stated || found.length ? contacts : null,
    summary: {
      contactCount: contacts.length,
      withEmail: known.filter(({ email }) => email).length,
      withPhone: known.filter(({ phone }) => phone).length,
      lowConfidenceWithheld: unlock?.lowConfidenceWithheld ?? 0,
      unlocked: unlock !== null && unlock.opens !== 'companies',
    },
  };
}

/** Companies that are stated, then those that a look-up found. A telephone number of a suppressed person is nobody's. */
export function shownCompanies(
  stated: readonly CompanyEnrichment[] | null | undefined,
  ids: readonly number[],
  { people, companyDetails }: { people: PeopleView; companyDetails: boolean },
): ReturnType<typeof publicCompany>[] | null {
  const found = people.unlockOf(ids)?.companies ?? [];
  if (!stated && !found.length) return null;
  const names = new Set(found.length ? (stated ?? []).map(({ name }) => words(name ?? '')) : []);
  const all = [...(stated ?? []), ...found.filter(({ name }) => !names.has(words(name ?? '')))];
  return all.map((company) => {
    const { mainPhone, ...shown } = publicCompany(company, companyDetails);
    return { ...shown, mainPhone: people.hides({ phone: mainPhone }) ? null : mainPhone };
  });
}
