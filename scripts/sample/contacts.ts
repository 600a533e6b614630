/** The made-up contact directory: people whom the built-in finder discovers for about 60 % of the projects. */

import { companyLinkedin, companyOf, emailOf, linkedinOf, person, phone, staffEmailOf, websiteOf } from './inventedPeople.ts';
import type { Project, SampleContactLine, SampleCorpus } from './model.ts';
import { Random } from './random.ts';

const COVERED_SHARE = 0.6;
const TITLES = {
  developer: ['Development Manager', 'Director of Acquisitions', 'Managing Partner', 'Entitlements Manager'],
  engineer: ['Principal Engineer', 'Project Engineer'],
  architect: ['Principal', 'Project Architect'],
  attorney: ['Partner', 'Of Counsel'],
} as const;
const FIRMS = { engineer: 'engineering_firm', architect: 'architecture_firm', attorney: 'law_firm' } as const;

/** The directory's people of one project, the same in both generations; none for the projects it does not cover. */
export function contactsOf(project: Project, corpus: SampleCorpus): SampleContactLine[] {
  const random = new Random(corpus.seed, 'directory', project.id);
  if (!random.chance(COVERED_SHARE)) return [];
  const people = Array.from({ length: random.int(1, 4) }, () =>
    random.chance(project.developer ? 0.12 : 1) ? official(project, random) : professional(project, random, corpus),
  );
  return people.filter((one, at) => people.findIndex((other) => isSamePerson(one, other)) === at);
}

const isSamePerson = (a: SampleContactLine, b: SampleContactLine) => a.name === b.name && a.role === b.role && a.company === b.company;

const confidence = (random: Random): number =>
  Number((random.chance(0.25) ? random.decimal(0.2, 0.6) : random.decimal(0.6, 0.99)).toFixed(2));

/** The channels that the directory knows, each with its confidence; some people have none. */
function channels(email: string, number: string, linkedin: string | null, random: Random) {
  const none = random.chance(0.06);
  const [hasEmail, hasPhone, hasLinkedin] = [
    !none && random.chance(0.8),
    !none && random.chance(0.6),
    !none && linkedin !== null && random.chance(0.5),
  ];
  return {
    email: hasEmail ? email : null,
    emailConfidence: hasEmail ? confidence(random) : null,
    phone: hasPhone ? number : null,
    phoneConfidence: hasPhone ? confidence(random) : null,
    linkedin: hasLinkedin ? linkedin : null,
    linkedinConfidence: hasLinkedin ? confidence(random) : null,
  };
}

function professional(project: Project, random: Random, corpus: SampleCorpus): SampleContactLine {
  const { city } = project.site;
  const role = random.weighted({ developer: 6, engineer: 2, architect: 1, attorney: 1 });
  const company =
    role === 'developer' && project.developer
      ? project.developer
      : companyOf(role === 'developer' ? role : FIRMS[role], city, random, corpus);
  const who = person(random);
  return {
    kind: 'contact',
    projectId: project.id,
    name: who.name,
    role,
    company: company.name,
    title: random.pick(TITLES[role]),
    ...channels(emailOf(who, company), phone(city.customs.areas, random), linkedinOf(who), random),
    companyWebsite: websiteOf(company),
    companyName: company.name,
    companyLinkedin: companyLinkedin(company),
    companyArchetype: company.archetype,
    companyPhone: company.phone,
    isGovernmentStaff: false,
  };
}

function official(project: Project, random: Random): SampleContactLine {
  const { city } = project.site;
  const who = person(random);
  return {
    kind: 'contact',
    projectId: project.id,
    name: who.name,
    role: 'case_planner',
    company: `${city.name} Planning Department`,
    title: random.pick(['Senior Planner', 'Planning Director', 'Zoning Administrator']),
    ...channels(staffEmailOf(who), phone(city.customs.areas, random), null, random),
    companyWebsite: null,
    companyName: `${city.name} Planning Department`,
    companyLinkedin: null,
    companyArchetype: 'government',
    companyPhone: null,
    isGovernmentStaff: true,
  };
}
