/** One project line that states everything a generation file may state, and the field lists of the contract. */

export const COMPACT = `id recordType projectName serviceLink mergedFrom lastUpdated meetingDate delivery address city county state latitude
longitude inOpportunityZone inFemaFloodZone propertyType propertyTypeLabel landUses status statusLabel`.split(/\s+/);

export const STANDARD = [
  ...COMPACT,
  ...`displayName summary statusSummary sourceDocumentUrl meetingDocumentId contentRevision stateId countyId cityId zipCode parcelNumbers
propertySubtype propertySubtypeLabel assetClass assetClassLabel classifications projectSize projectSizeLabel isRezone requestType
requestTypeLabel constructionType constructionTypeLabel isConstructionLead hasConstructionDetails decisionBody decisionBodyLabel decisionType
decisionTypeLabel existingZoning proposedZoning totalUnitCount unitMix acreage lotSizeSqft squareFootage floorCount buildingStories
buildingHeightFeet bedroomCount parkingSpaces lotCount parties contacts companyEnrichment contactSummary`.split(/\s+/),
];

export const FULL = [
  ...STANDARD,
  ...`decisions meetingDocuments rawText originalRawText originalRawTextTruncated actionType actionTypeLabel actionCategory
actionCategoryLabel firstMeetingDate nextMeetingDate appearanceCount statusHistory caseNumbers conditionsOfApproval voteTotals
staffRecommendation dataRichness`.split(/\s+/),
];

/** Removed and never emitted. */
export const REMOVED = `createdAt documents constructionDescription extendedSummary ownerType ownerTypeLabel densityPerAcre estimateEligible
matchRole matchedClassification statusDetail unitCount inSfha emailConfidence phoneConfidence linkedinConfidence imageUrl images
sourceDocumentPath pipelineVersion`.split(/\s+/);

export const FULL_PROJECT = {
  kind: 'project',
  id: 77,
  recordType: 'project',
  projectName: 'Cedar Fork Flats',
  displayName: 'Cedar Fork Flats at 12th',
  mergedFrom: [78, 79],
  meetingDate: '2026-09-14',
  address: '12 Cedar Fork Rd',
  city: 'Boulder',
  county: 'Boulder County',
  state: 'Colorado',
  zipCode: '80301',
  latitude: 40.01,
  longitude: -105.27,
  inOpportunityZone: false,
  inFemaFloodZone: true,
  landUses: [
    { type: 'Residential', subtype: 'single_family', assetClass: 'custom_home', role: 'primary' },
    { type: 'commercial', subtype: 'retail', assetClass: null, role: 'secondary' },
    { type: 'industrial', subtype: null, assetClass: null, role: 'other' },
  ],
  status: 'Approved with Conditions',
  summary: 'Eighty homes.',
  statusSummary: 'Approved with conditions by the council.',
  sourceDocumentUrl: 'https://example.gov/minutes.pdf',
  meetingDocumentId: 501,
  parcelNumbers: ['146330400001'],
  projectSize: 'large',
  isRezone: true,
  requestType: 'rezoning',
  constructionType: 'new_construction',
  isConstructionLead: true,
  hasConstructionDetails: false,
  decisionBody: 'City Council',
  decisionType: 'final_action',
  existingZoning: 'A-1',
  proposedZoning: 'R-3',
  totalUnitCount: 80,
  unitMix: [{ unitType: '2 bedroom', count: 80 }],
  acreage: 0,
  lotSizeSqft: 1000,
  squareFootage: 64000.5,
  floorCount: 3,
  buildingStories: 3,
  buildingHeightFeet: 38,
  bedroomCount: 160,
  parkingSpaces: 120,
  lotCount: 2,
  parties: [{ role: 'developer', name: 'Fork Homes LLC' }],
  contacts: [
    { name: 'Ann Lee', role: 'applicant', company: 'Fork Homes LLC', title: 'VP', email: 'ann@forkhomes.example', phone: '303-555-0100' },
    { name: 'Bob Ray', role: 'planner', company: 'City', title: 'Planner', email: 'bob@city.example', isGovernmentStaff: true },
  ],
  companyEnrichment: [
    {
      name: 'Fork Homes LLC',
      website: 'https://forkhomes.example',
      archetype: 'developer',
      mainPhone: '303-555-0199',
      linkedin: 'forkhomes',
    },
  ],
  decisions: [
    {
      decisionBody: 'City Council',
      decisionType: 'final_action',
      status: 'approved_with_conditions',
      meetingDate: '2026-09-14',
      motion: 'Approve with conditions',
      votes: [{ name: 'Kim Fox', vote: 'yes' }],
    },
  ],
  meetingDocuments: [
    { meetingDocumentId: 501, title: 'Minutes', decisionBody: 'City Council', meetingDate: '2026-09-14', url: 'https://example.gov/m.pdf' },
  ],
  rawText: 'The council approved Cedar Fork Flats.',
  originalRawText: 'THE COUNCIL APPROVED CEDAR FORK FLATS.',
  originalRawTextTruncated: false,
  actionType: 'rezoning_decision',
  actionCategory: 'entitlement',
  firstMeetingDate: '2026-07-01',
  nextMeetingDate: '2026-12-01',
  appearanceCount: 2,
  statusHistory: [{ status: 'continued', date: '2026-07-01', decisionBody: 'planning_commission' }],
  caseNumbers: ['Z-26-11'],
  conditionsOfApproval: ['A traffic study.'],
  voteTotals: { yes: 7, no: 1, abstain: 0, absent: 1 },
  staffRecommendation: 'Approve',
};

/** The least that a project line may state. */
export const BARE_PROJECT = { kind: 'project', id: 76, state: 'CO', propertyType: 'agricultural' };
