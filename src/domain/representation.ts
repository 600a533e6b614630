/**
 * From a stored project to the public record in one of its three representations. Pure and total: every declared field is there, null
 * where the current generation does not cover it, and no other field is (specification "Project record").
 */
import { dataRichness } from './dataRichness.ts';
import { type CompanyEnrichment, FIELDS_OF, type FilingContact, type LandUse, REPRESENTATIONS, type Representation } from './project.ts';
import {
  publicClassification,
  publicDecision,
  publicDocumentReference,
  publicParty,
  publicStatusChange,
  publicUnits,
  publicVoteTotals,
} from './recordLists.ts';
import type { StoredProject } from './storedProject.ts';
import * as vocabulary from './vocabulary.ts';

export type PublicRecord = Record<string, unknown>;

/** How the pool stands to a record (specification `delivery`). */
export interface Delivery {
  alreadyExported: boolean;
  updatedSinceExport: boolean | null;
  lastExportedAt: string | null;
  billed: boolean;
}

export type TaxonomyLevel = 'type' | 'subtype' | 'assetClass';

export interface ViewOptions {
  representation: Representation;
  /** root of the service, without a trailing slash */
  publicUrl: string;
  /** latest meeting day that may be served, `YYYY-MM-DD`: today, or an earlier explicit bound */
  meetingCap: string;
  /** which levels of a use satisfied the request's taxonomy filter */
  matchedOn: (use: LandUse) => TaxonomyLevel[];
  /** true on a paid plan: company details beyond name and website are shown */
  companyDetails: boolean;
}

/** The parts of a stored project that the representation was fetched with. */
export type FetchedProject = Pick<StoredProject, 'id' | 'lastUpdated' | 'contentRevision' | 'compact'> &
  Partial<Pick<StoredProject, 'hearings' | 'standard' | 'full' | 'earlierRevisions'>>;

/** The day that is served: a merged development shows the newest hearing of its family that is not later than the cap. */
export function servedMeetingDate(stored: FetchedProject, cap: string): string | null {
  if (!stored.hearings) return stored.compact.meetingDate ?? null;
  return stored.hearings.findLast((day) => day <= cap) ?? null;
}

function publicUse(use: LandUse, matchedOn: ViewOptions['matchedOn']): Record<string, unknown> {
  return {
    type: use.type,
    typeLabel: vocabulary.propertyTypes.label(use.type),
    subtype: use.subtype ?? null,
    subtypeLabel: vocabulary.propertySubtypes.label(use.subtype),
    assetClass: use.assetClass ?? null,
    assetClassLabel: vocabulary.assetClasses.label(use.assetClass),
    matchedOn: matchedOn(use),
  };
}

/** A filing's person, all channels locked: they stay withheld until Find Contact Info unlocks the project. */
const publicContact = ({ name, role, company, title }: FilingContact) => ({
  name: name ?? null,
  role: role ?? null,
  company: company ?? null,
  title: title ?? null,
  email: null,
  emailSource: null,
  phone: null,
  phoneSource: null,
  linkedin: null,
  linkedinSource: null,
});

const publicCompany = (company: CompanyEnrichment, details: boolean) => ({
  name: company.name ?? null,
  website: company.website ?? null,
  linkedin: details ? (company.linkedin ?? null) : null,
  archetype: details ? (company.archetype ?? null) : null,
  mainPhone: details ? (company.mainPhone ?? null) : null,
});

function contactSummary(contacts: readonly FilingContact[]) {
  const reachable = contacts.filter((contact) => !contact.isGovernmentStaff);
  return {
    contactCount: contacts.length,
    withEmail: reachable.filter((contact) => contact.email).length,
    withPhone: reachable.filter((contact) => contact.phone).length,
    lowConfidenceWithheld: 0,
    unlocked: false,
  };
}

function compactFields(stored: FetchedProject, options: ViewOptions): PublicRecord {
  const { compact } = stored;
  const status = compact.status ?? 'unknown';
  return {
    serviceLink: `${options.publicUrl}/map?project=${stored.id}`,
    lastUpdated: stored.lastUpdated,
    meetingDate: servedMeetingDate(stored, options.meetingCap),
    propertyTypeLabel: vocabulary.propertyTypes.label(compact.propertyType),
    landUses: (compact.landUses ?? []).map((use) => publicUse(use, options.matchedOn)),
    status,
    statusLabel: vocabulary.statuses.label(status),
  };
}

function standardFields(stored: FetchedProject, standard: StoredProject['standard'], options: ViewOptions): PublicRecord {
  return {
    summary: standard.summary ?? standard.statusSummary ?? null,
    contentRevision: stored.contentRevision,
    propertySubtypeLabel: vocabulary.propertySubtypes.label(standard.propertySubtype),
    assetClassLabel: vocabulary.assetClasses.label(standard.assetClass),
    classifications: (standard.classifications ?? []).map(publicClassification),
    projectSizeLabel: vocabulary.projectSizes.label(standard.projectSize),
    requestTypeLabel: vocabulary.requestTypes.label(standard.requestType),
    constructionTypeLabel: vocabulary.constructionTypes.label(standard.constructionType),
    decisionBodyLabel: vocabulary.decisionBodies.label(standard.decisionBody),
    decisionTypeLabel: vocabulary.decisionTypes.label(standard.decisionType),
    unitMix: standard.unitMix?.map(publicUnits) ?? null,
    parties: standard.parties?.map(publicParty) ?? null,
    contacts: standard.contacts?.map(publicContact) ?? null,
    companyEnrichment: standard.companyEnrichment?.map((company) => publicCompany(company, options.companyDetails)) ?? null,
    contactSummary: contactSummary(standard.contacts ?? []),
  };
}

function fullFields(stored: FetchedProject, full: StoredProject['full']): PublicRecord {
  return {
    decisions: full.decisions?.map(publicDecision) ?? null,
    meetingDocuments: full.meetingDocuments?.map(publicDocumentReference) ?? null,
    statusHistory: full.statusHistory?.map(publicStatusChange) ?? null,
    voteTotals: full.voteTotals ? publicVoteTotals(full.voteTotals) : null,
    actionTypeLabel: vocabulary.actionTypes.label(full.actionType),
    actionCategoryLabel: vocabulary.actionCategories.label(full.actionCategory),
    dataRichness: dataRichness(stored.compact, stored.standard ?? {}, full),
  };
}

/** Every field of a representation, in order, as null. A copy of such a record is made and serialised far faster than one made field by field. */
const BLANK = Object.fromEntries(
  REPRESENTATIONS.map((representation) => [
    representation,
    JSON.parse(`{${FIELDS_OF[representation].map((field) => `"${field}":null`).join()}}`),
  ]),
) as Record<Representation, PublicRecord>;

function fill(record: PublicRecord, fields: object): void {
  for (const field in fields) if (Object.hasOwn(record, field)) record[field] = (fields as PublicRecord)[field] ?? null;
}

/** @returns exactly the 21, 67 or 85 fields of the representation, in their order; `delivery` is null until it is known */
export function represent(stored: FetchedProject, options: ViewOptions): PublicRecord {
  const { representation } = options;
  const record = { ...BLANK[representation] };
  fill(record, stored.compact);
  fill(record, compactFields(stored, options));
  if (representation === 'compact') return record;
  fill(record, stored.standard ?? {});
  fill(record, standardFields(stored, stored.standard ?? {}, options));
  if (representation === 'standard') return record;
  fill(record, stored.full ?? {});
  fill(record, fullFields(stored, stored.full ?? {}));
  return record;
}
