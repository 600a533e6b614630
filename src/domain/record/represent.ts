/**
 * From a stored project to the public record in one of its three representations. Pure and total: every declared field is there, null
 * where the current generation does not cover it, and no other field is (specification "Project record").
 */

import {
  publicClassification,
  publicDecision,
  publicDocumentReference,
  publicParty,
  publicStatusChange,
  publicUnits,
  publicVoteTotals,
} from '../recordLists.ts';
import * as vocabulary from '../vocabulary.ts';
import { dataRichness } from './richness.ts';
import {
  type CompanyEnrichment,
  FIELDS_OF,
  type FilingContact,
  type LandUse,
  type ProjectStatement,
  REPRESENTATIONS,
  type Representation,
} from './statement.ts';
import type { StoredProject } from './storedProject.ts';

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

type Statement = Partial<ProjectStatement>;

const shownUse = ({ type, subtype, assetClass }: LandUse) => ({ type, subtype: subtype ?? null, assetClass: assetClass ?? null });

/** Channels stay withheld until Find Contact Info unlocks the project. */
const shownContact = ({ name, role, company, title }: FilingContact) => ({
  name: name ?? null,
  role: role ?? null,
  company: company ?? null,
  title: title ?? null,
});

/** What paid plans see. */
const shownCompany = ({ name, website, linkedin, archetype, mainPhone }: CompanyEnrichment) => ({
  name: name ?? null,
  website: website ?? null,
  linkedin: linkedin ?? null,
  archetype: archetype ?? null,
  mainPhone: mainPhone ?? null,
});

/**
 * What answers show of the fields that are not simply served as they are stated. `contentRevision` is a hash of just this, so that nobody is
 * billed for a change that no answer could show.
 */
export const SHOWN = {
  status: ({ status }: Statement) => status ?? 'unknown',
  summary: ({ summary, statusSummary }: Statement) => summary ?? statusSummary ?? null,
  landUses: ({ landUses }: Statement) => (landUses ?? []).map(shownUse),
  classifications: ({ classifications }: Statement) => classifications ?? [],
  contacts: ({ contacts }: Statement) => contacts?.map(shownContact) ?? null,
  companyEnrichment: ({ companyEnrichment }: Statement) => companyEnrichment?.map(shownCompany) ?? null,
};

function publicUse({ type, subtype, assetClass }: ReturnType<typeof shownUse>, matchedOn: readonly TaxonomyLevel[]): PublicRecord {
  return {
    type,
    typeLabel: vocabulary.propertyTypes.label(type),
    subtype,
    subtypeLabel: vocabulary.propertySubtypes.label(subtype),
    assetClass,
    assetClassLabel: vocabulary.assetClasses.label(assetClass),
    matchedOn,
  };
}

const publicContact = (shown: ReturnType<typeof shownContact>) => ({
  ...shown,
  email: null,
  emailSource: null,
  phone: null,
  phoneSource: null,
  linkedin: null,
  linkedinSource: null,
});

const publicCompany = (shown: ReturnType<typeof shownCompany>, details: boolean) =>
  details ? shown : { ...shown, linkedin: null, archetype: null, mainPhone: null };

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
  const status = SHOWN.status(compact);
  return {
    serviceLink: `${options.publicUrl}/map?project=${stored.id}`,
    lastUpdated: stored.lastUpdated,
    meetingDate: servedMeetingDate(stored, options.meetingCap),
    propertyTypeLabel: vocabulary.propertyTypes.label(compact.propertyType),
    landUses: SHOWN.landUses(compact).map((use, i) => publicUse(use, options.matchedOn(compact.landUses?.[i] as LandUse))),
    status,
    statusLabel: vocabulary.statuses.label(status),
  };
}

function standardFields(stored: FetchedProject, standard: StoredProject['standard'], options: ViewOptions): PublicRecord {
  return {
    summary: SHOWN.summary(standard),
    contentRevision: stored.contentRevision,
    propertySubtypeLabel: vocabulary.propertySubtypes.label(standard.propertySubtype),
    assetClassLabel: vocabulary.assetClasses.label(standard.assetClass),
    classifications: SHOWN.classifications(standard).map(publicClassification),
    projectSizeLabel: vocabulary.projectSizes.label(standard.projectSize),
    requestTypeLabel: vocabulary.requestTypes.label(standard.requestType),
    constructionTypeLabel: vocabulary.constructionTypes.label(standard.constructionType),
    decisionBodyLabel: vocabulary.decisionBodies.label(standard.decisionBody),
    decisionTypeLabel: vocabulary.decisionTypes.label(standard.decisionType),
    unitMix: standard.unitMix?.map(publicUnits) ?? null,
    parties: standard.parties?.map(publicParty) ?? null,
    contacts: SHOWN.contacts(standard)?.map(publicContact) ?? null,
    companyEnrichment: SHOWN.companyEnrichment(standard)?.map((company) => publicCompany(company, options.companyDetails)) ?? null,
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
