/** Invented people and companies. Addresses are at reserved domains, telephone numbers in the reserved range 555-01xx. */
import type { CompanyEnrichment, FilingContact, Party } from '../../src/core/domain/record/statement.ts';
import names from './data/names.json' with { type: 'json' };
import type { Company, SampleCity, SampleCorpus } from './model.ts';
import { Random } from './random.ts';

export interface Person {
  name: string;
  slug: string;
}

const KINDS: Record<string, string[]> = names.companyKinds;

export const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

export function person(random: Random): Person {
  const name = `${random.pick(names.first)} ${random.pick(names.last)}`;
  return { name, slug: slugOf(name).replaceAll('-', '.') };
}

export const phone = (areas: readonly string[], random: Random): string =>
  `${random.pick(areas)}-555-01${String(random.int(0, 99)).padStart(2, '0')}`;

/** One company of a pool that grows with the corpus, so that companies come back with several projects. */
export function companyOf(archetype: string, city: SampleCity, random: Random, corpus: SampleCorpus): Company {
  const number = random.int(1, Math.max(12, Math.round(corpus.projects / 40)));
  const own = new Random(corpus.seed, 'company', archetype, number);
  const words = `${own.pick(names.companyFirst)} ${own.pick(names.companySecond)}`;
  const kind = own.pick(KINDS[archetype] ?? ['LLC']);
  return { name: `${words} ${kind}`, slug: slugOf(`${words} ${kind.split(' ')[0]}`), archetype, phone: phone(city.customs.areas, own) };
}

export const websiteOf = (company: Company): string => `https://${company.slug}.example.com`;
export const companyLinkedin = (company: Company): string => `https://linkedin.example.com/company/${company.slug}`;
export const linkedinOf = (who: Person): string => `https://linkedin.example.com/in/${who.slug.replaceAll('.', '-')}`;
export const emailOf = (who: Person, company: Company): string => `${who.slug}.${company.slug.replaceAll('-', '')}@example.com`;
export const staffEmailOf = (who: Person): string => `${who.slug}@example.org`;

const PARTNERS = { builder: 'general_contractor', contractor: 'general_contractor', architect: 'architecture_firm' } as const;

/** The parties of a project: the developer and applicant first, then owner, builder, architect where named. */
export function partiesOf(developer: Company, city: SampleCity, random: Random, corpus: SampleCorpus): Party[] {
  const parties: Party[] = [{ role: 'developer', name: developer.name }];
  if (random.chance(0.6))
    parties.push({
      role: 'applicant',
      name: random.chance(0.7) ? developer.name : companyOf('engineering_firm', city, random, corpus).name,
    });
  if (random.chance(0.45))
    parties.push({ role: 'owner', name: random.chance(0.5) ? `${person(random).name} Family Trust` : developer.name });
  for (const role of ['builder', 'contractor', 'architect'] as const) {
    if (random.chance(0.2)) parties.push({ role, name: companyOf(PARTNERS[role], city, random, corpus).name });
  }
  return parties;
}

/** People whom the filing names: the applicant's, sometimes an engineer or lawyer, sometimes the case planner. */
export function filingContacts(developer: Company | null, city: SampleCity, random: Random, corpus: SampleCorpus): FilingContact[] {
  const contacts: FilingContact[] = [];
  if (developer && random.chance(0.7))
    contacts.push(representative(developer, 'applicant', random.pick(['Project Manager', 'Vice President', 'Land Manager']), city, random));
  if (developer && random.chance(0.25)) {
    const [archetype, role, title] = random.pick([
      ['engineering_firm', 'engineer', 'Principal Engineer'],
      ['law_firm', 'attorney', 'Land Use Attorney'],
    ] as const);
    contacts.push(representative(companyOf(archetype, city, random, corpus), role, title, city, random));
  }
  if (random.chance(developer ? 0.25 : 0.6)) contacts.push(casePlanner(city, random));
  return contacts;
}

function representative(company: Company, role: string, title: string, city: SampleCity, random: Random): FilingContact {
  const who = person(random);
  return {
    name: who.name,
    role,
    company: company.name,
    title,
    email: random.chance(0.6) ? emailOf(who, company) : null,
    phone: random.chance(0.5) ? phone(city.customs.areas, random) : null,
    linkedin: random.chance(0.15) ? linkedinOf(who) : null,
    isGovernmentStaff: false,
  };
}

function casePlanner(city: SampleCity, random: Random): FilingContact {
  const who = person(random);
  const office = {
    role: 'case_planner',
    company: `${city.name} Planning Department`,
    title: random.pick(['Senior Planner', 'Planner II', 'Case Manager']),
  };
  return {
    name: who.name,
    ...office,
    email: staffEmailOf(who),
    phone: phone(city.customs.areas, random),
    linkedin: null,
    isGovernmentStaff: true,
  };
}

/** What is known about the developer's company, for about half of the projects. */
export function enrichmentOf(developer: Company | null, random: Random): CompanyEnrichment[] | null {
  if (!developer || !random.chance(0.55)) return null;
  return [
    {
      name: developer.name,
      website: websiteOf(developer),
      linkedin: companyLinkedin(developer),
      archetype: developer.archetype,
      mainPhone: developer.phone,
    },
  ];
}
