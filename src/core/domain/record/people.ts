/**
 * How answers show people and companies: who is shown, which channels are open, and who is hidden. Channels are withheld until the pool has
 * unlocked the project; those of government staff always. Pure.
 */
import type { Identified } from '../suppression.ts';
import { normalizeWords } from '../words.ts';
import type { CompanyEnrichment, FilingContact } from './nested.ts';
import { lockedChannels, namedContact, publicCompany } from './publicParts.ts';

/** A person whom a look-up found, with the channels that may be shown. */
export interface FoundPerson {
  name: string | null;
  role: string | null;
  company: string | null;
  title: string | null;
  email: string | null;
  phone: string | null;
  linkedin: string | null;
  /** source of the channels: `directory` or `provider` */
  source: string;
  /** hashes of everything that identifies the person, withheld channels included */
  hashes: readonly string[];
}

/** The result of a pool's look-ups of a project. */
export interface Unlock {
  /** which channels are open: only companies where no people were looked up, only profiles where no email or phone was found */
  opens: 'channels' | 'profiles' | 'companies';
  people: readonly FoundPerson[];
  companies: readonly CompanyEnrichment[];
  /** number of channels below the requested confidence */
  lowConfidenceWithheld: number;
}

/** The people that an answer for one pool may show. */
export interface PeopleView {
  /** true for a suppressed person */
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

interface ShownPeople {
  /** null if nobody is stated or found */
  contacts: ShownContact[] | null;
  summary: { contactCount: number; withEmail: number; withPhone: number; lowConfidenceWithheld: number; unlocked: boolean };
}

/** Equal for two entries of the same person. */
export const personKeyOf = ({ name, company }: Identified) => `${normalizeWords(name ?? '')} @ ${normalizeWords(company ?? '')}`;

/** Each channel with its source, from the first entry that has it. */
function openChannels(
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

/** The open channels of a person whom the filing names. */
function selectFiledChannels({ email, phone, linkedin }: FilingContact, opens: Unlock['opens'] | undefined): Channels & { source: string } {
  const reach = opens === 'channels' ? { email, phone } : {};
  return { ...reach, ...(opens === 'channels' || opens === 'profiles' ? { linkedin } : {}), source: 'filing' };
}

/** The people whom the filing names, then those whom a look-up found. */
export function listShownPeople(
  stated: readonly FilingContact[] | null | undefined,
  ids: readonly number[],
  view: PeopleView,
): ShownPeople {
  const unlock = view.unlockOf(ids);
  const filed = (stated ?? []).filter((person) => !view.hides(person));
  const found = (unlock?.people ?? []).filter((person) => !view.hides(person));
  const keys = new Set(found.length ? filed.map(personKeyOf) : []);
  const contacts = [
    ...filed.map((person): ShownContact => {
      if (!unlock || person.isGovernmentStaff) return { ...namedContact(person), ...lockedChannels };
      const same = found.filter((one) => personKeyOf(one) === personKeyOf(person));
      return { ...namedContact(person), ...openChannels([selectFiledChannels(person, unlock.opens), ...same]) };
    }),
    ...found
      .filter((one) => !keys.has(personKeyOf(one)))
      .map((person): ShownContact => ({ ...namedContact(person), ...openChannels([person]) })),
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

/** Stated companies, then those that a look-up found. The phone number of a suppressed person is not shown. */
export function listShownCompanies(
  stated: readonly CompanyEnrichment[] | null | undefined,
  ids: readonly number[],
  { people, companyDetails }: { people: PeopleView; companyDetails: boolean },
): ReturnType<typeof publicCompany>[] | null {
  const found = people.unlockOf(ids)?.companies ?? [];
  if (!stated && !found.length) return null;
  const names = new Set(found.length ? (stated ?? []).map(({ name }) => normalizeWords(name ?? '')) : []);
  const all = [...(stated ?? []), ...found.filter(({ name }) => !names.has(normalizeWords(name ?? '')))];
  return all.map((company) => {
    const { mainPhone, ...shown } = publicCompany(company, companyDetails);
    return { ...shown, mainPhone: people.hides({ phone: mainPhone }) ? null : mainPhone };
  });
}
