/**
 * Made from the OpenAPI document by "npm run openapi"; changes by hand are lost.
 * What the service answers, what its filters take, and its operations by their ids.
 */

export type ErrorCode =
  | 'account_disabled'
  | 'alert_geography_required'
  | 'alert_geography_too_broad'
  | 'alert_limit_reached'
  | 'credits_exhausted'
  | 'delivery_ledger_unavailable'
  | 'enrichment_allowance_exceeded'
  | 'enrichment_incompatible_representation'
  | 'enrichment_ledger_unavailable'
  | 'enrichment_requires_async'
  | 'enrichment_requires_paid_plan'
  | 'enrichment_unavailable'
  | 'export_expired'
  | 'export_not_ready'
  | 'export_unavailable'
  | 'feed_gone'
  | 'forbidden'
  | 'geographic_access_denied'
  | 'idempotency_in_flight'
  | 'idempotency_key_reuse'
  | 'insufficient_credits'
  | 'internal_error'
  | 'invalid_cursor'
  | 'invalid_filter'
  | 'invalid_request'
  | 'key_expired'
  | 'manual_runs_exhausted'
  | 'method_not_allowed'
  | 'missing_api_key'
  | 'not_acceptable'
  | 'range_not_satisfiable'
  | 'rate_limit_exceeded'
  | 'rate_limiter_unavailable'
  | 'request_timeout'
  | 'resource_not_found'
  | 'search_unavailable'
  | 'service_unavailable'
  | 'sharing_requires_paid_plan'
  | 'subscription_required'
  | 'snapshot_in_progress'
  | 'sync_tie_unresolved'
  | 'unauthorized';

/** What `details` of each error holds. */
export interface ErrorDetails {
  account_disabled: null;
  alert_geography_required: AmongProblemsDetails | null;
  alert_geography_too_broad: AlertPlacesDetails;
  alert_limit_reached: ActiveAlertsDetails;
  credits_exhausted: null;
  delivery_ledger_unavailable: null;
  enrichment_allowance_exceeded: AllowanceDetails;
  enrichment_incompatible_representation: ContactFieldsDetails;
  enrichment_ledger_unavailable: null;
  enrichment_requires_async: NeedsJobDetails;
  enrichment_requires_paid_plan: AmongProblemsDetails | null;
  enrichment_unavailable: null;
  export_expired: null;
  export_not_ready: UnfinishedDetails;
  export_unavailable: RefundDetails;
  feed_gone: null;
  forbidden: CeilingDetails | null;
  geographic_access_denied: GeographyDetails;
  idempotency_in_flight: null;
  idempotency_key_reuse: null;
  insufficient_credits: PriceDetails;
  internal_error: null;
  invalid_cursor: CursorDetails;
  invalid_filter: ProblemsDetails;
  invalid_request: InvalidRequestDetails;
  key_expired: null;
  manual_runs_exhausted: RunsDetails;
  method_not_allowed: null;
  missing_api_key: null;
  not_acceptable: SupportedDetails;
  range_not_satisfiable: SizeDetails;
  rate_limit_exceeded: RateDetails;
  rate_limiter_unavailable: null;
  request_timeout: null;
  resource_not_found: null;
  search_unavailable: null;
  service_unavailable: OutageDetails | null;
  sharing_requires_paid_plan: AmongProblemsDetails | null;
  subscription_required: null;
  snapshot_in_progress: SnapshotDetails;
  sync_tie_unresolved: TieDetails;
  unauthorized: null;
}

export type WarningCode =
  | 'alert_nl_enrichment_failed'
  | 'ambiguous_place'
  | 'bounds_reversed'
  | 'budget_exceeds_monthly_allowance'
  | 'cells_too_long'
  | 'default_date_window_applied'
  | 'documents_unread'
  | 'filter_evidence_unconfirmed'
  | 'geography_narrowed_to_smallest_scope'
  | 'government_decisions_excluded'
  | 'limit_clamped_to_page_size'
  | 'people_withheld'
  | 'place_renamed'
  | 'results_outside_licence'
  | 'secret_not_repeated'
  | 'sync_records_unpositionable'
  | 'taxonomy_filter_rolled_up'
  | 'trial_truncated';

export interface Warning {
  code: WarningCode;
  message: string;
  params: Record<string, unknown>;
}

/** What selects projects: every filter of a search. */
export interface Filters {
  /** States: FIPS numbers, USPS abbreviations or names, any of them. Also accepted as `state`, `stateId`, `stateIds`. */
  states?: (number | string)[];
  /** Counties: FIPS numbers or names, the trailing 'County' optional; resolved within `states` when that names one state; 'Orange, CA' is one place, whatever `states` says. Also accepted as `county`, `countyId`, `countyIds`. */
  counties?: (number | string)[];
  /** Cities: GeoNames numbers or names, in whichever county; 'Boulder, CO' is one place, whatever `states` says; a name that is ambiguous, also with `states` and `counties`, is refused with its candidates. Also accepted as `city`, `cityId`, `cityIds`. */
  cities?: (number | string)[];
  /** Inside this rectangle, edges included; west greater than east crosses the antimeridian. Also accepted as `bounds`. */
  bbox?: {
    north: number;
    south: number;
    east: number;
    west: number;
  };
  /** Within a radius of 100 to 500000 metres. */
  circle?: {
    lat: number;
    lng: number;
    radiusMeters: number;
  };
  /** Inside a GeoJSON linear ring [[lng,lat],…] of 4 to 1000 vertices, each edge the short way around the Earth. */
  polygon?: number[][];
  /** Inside any of 1 to 10 areas {name?, bbox | circle | polygon}, each as the filter of that name takes it. */
  areas?: Area[];
  /** Building Types (top level), any of them; token or label in any case. Also accepted as `type`, `types`, `propertyType`. */
  propertyTypes?: (PropertyType | (string & {}))[];
  /** Subtypes (second level), any of them; also as 'Type - Subtype'. Also accepted as `subtype`, `subtypes`, `propertySubtype`. */
  propertySubtypes?: (PropertySubtype | (string & {}))[];
  /** Asset classes (third level), any of them. Also accepted as `assetClass`, `assetClasses[]`. */
  assetClasses?: (AssetClass | (string & {}))[];
  /** Leave out records with one of these subtypes, in the roles that count under `taxonomyMatchMode`. Also accepted as `excludeSubtype`, `excludeSubtypes`. */
  excludePropertySubtypes?: (PropertySubtype | (string & {}))[];
  /** Leave out records with one of these asset classes, in the roles that count under `taxonomyMatchMode`. Also accepted as `excludeAssetClass`. */
  excludeAssetClasses?: (AssetClass | (string & {}))[];
  /** Roles in which a land use counts at all three levels: primary_only, primary_or_secondary (default) or any. */
  taxonomyMatchMode?: TaxonomyMatchMode | (string & {});
  /** true: a moratorium, ban or interim ordinance in force today binds the place and the uses; false: none does; projects of which it is unclear match neither. */
  underRestriction?: boolean;
  /** Also show government items that are no real-estate project (default false). Also accepted as `showAllRecords`. On their way out: `includeCivic`. */
  includeGovernmentDecisions?: boolean;
  /** Only government items of these subtypes. On their way out: `civicSubtypes`. */
  governmentDecisionSubtypes?: (GovernmentPropertySubtype | (string & {}))[];
  /** Only government items of these asset classes. On their way out: `civicAssetClasses`. */
  governmentDecisionAssetClasses?: (GovernmentAssetClass | (string & {}))[];
  /** Entitlement statuses, token or label, any of them; `unknown` selects records of which no decision is known, then or now. Also accepted as `statuses`, `statusSelection`. */
  status?: (Status | (string & {}))[];
  /** Bodies that decided, by their short names. Also accepted as `decisionBody`. */
  decisionBodies?: (DecisionBody | (string & {}))[];
  /** <body>|<status> pairs, any of them, over every decision of the record. Also accepted as `statusCombo`. */
  statusCombos?: string[];
  /** What was applied for. Also accepted as `requestType`, `applicationTypes`, `askType`, `askTypes`. */
  requestTypes?: (RequestType | (string & {}))[];
  /** Kinds of decision. Also accepted as `decisionType`. */
  decisionTypes?: (DecisionType | (string & {}))[];
  /** Kinds of construction. Also accepted as `constructionType`. */
  constructionTypes?: (ConstructionType | (string & {}))[];
  /** large, medium or small, any of them. Also accepted as `projectSize`, `constructionMagnitudes`, `constructionMagnitude`. */
  projectSizes?: (ProjectSize | (string & {}))[];
  /** true keeps construction leads; false keeps all. Also accepted as `constructionLeadOnly`. */
  constructionLeadsOnly?: boolean;
  /** Whether construction details are known. Also accepted as `hasConstructionIntel`. */
  hasConstructionDetails?: boolean;
  /** true keeps rezonings; false keeps all (omit it instead). Also accepted as `isRezone`, `rezoneOnly`. */
  requiresZoningChange?: boolean;
  /** Opportunity Zone membership; records for which it was not computed match neither. */
  inOpportunityZone?: ZoneSide | (string & {});
  /** Special Flood Hazard Area membership; records for which it was not computed match neither. On their way out: `inSfha`. */
  inFemaFloodZone?: ZoneSide | (string & {});
  /** Case numbers, any of them, at most 100; case, blanks, dots and dashes do not count, leading zeros do. */
  caseNumbers?: string[];
  /** Parcel numbers, any of them, at most 100; case, blanks, dots and dashes do not count, leading zeros do. */
  parcelNumbers?: string[];
  /** Zoning today, any of them, at most 100: the whole value or its first code, in any case and with any blanks. */
  existingZonings?: string[];
  /** Zoning asked for, any of them, at most 100: the whole value or its first code, in any case and with any blanks. */
  proposedZonings?: string[];
  /** What staff's words recommend; `none` where they recommend nothing of these. A record without staff's words never matches. */
  staffRecommendations?: (StaffRecommendation | (string & {}))[];
  /** How the latest vote went: unanimous, split or tie. */
  voteResults?: (VoteResult | (string & {}))[];
  /** At least so many votes against at the latest decision. */
  voteAgainstMin?: number;
  /** At most so many votes against at the latest decision. */
  voteAgainstMax?: number;
  /** At least so many meetings at which it appeared. */
  hearingCountMin?: number;
  /** At most so many meetings at which it appeared. */
  hearingCountMax?: number;
  /** At least so many days from the first hearing to the latest. */
  daysInProcessMin?: number;
  /** At most so many days from the first hearing to the latest. */
  daysInProcessMax?: number;
  /** First meeting on or after the first day of this period. */
  firstMeetingDateFrom?: string;
  /** First meeting on or before the last day of this period. */
  firstMeetingDateTo?: string;
  /** Next meeting on or after the first day of this period; turns the default dates off. */
  nextMeetingDateFrom?: string;
  /** Next meeting on or before the last day of this period; turns the default dates off. */
  nextMeetingDateTo?: string;
  /** What has become of it, as of today: approved, denied, withdrawn, pending, stalled or soft_denial, any of them. */
  outcomes?: (Outcome | (string & {}))[];
  /** Meeting on or after the first day of this period. Also accepted as `dateFrom`. */
  meetingDateFrom?: string;
  /** Meeting on or before the last day of this period. Also accepted as `dateTo`. */
  meetingDateTo?: string;
  /** Changed at or after the start of this period. Also accepted as `updatedFrom`, `updatedAtFrom`, `updatedSince`. */
  lastUpdatedFrom?: string;
  /** Changed no later than the end of this period. Also accepted as `updatedTo`, `updatedAtTo`. */
  lastUpdatedTo?: string;
  /** Meetings of a named period up to today; last_1_year unless bounds of meetings or next meetings or projectIds are sent, all lifts it. */
  dateRange?: DateRange | (string & {});
  /** At least so many dwelling units. Also accepted as `unitCountMin`. */
  totalUnitCountMin?: number;
  /** At most so many dwelling units. Also accepted as `unitCountMax`. */
  totalUnitCountMax?: number;
  /** At least so many acres. */
  acreageMin?: number;
  /** At most so many acres. */
  acreageMax?: number;
  /** At least so many square feet. Also accepted as `lotSizeMin`. */
  lotSizeSqftMin?: number;
  /** At most so many square feet. Also accepted as `lotSizeMax`. */
  lotSizeSqftMax?: number;
  /** At least so many square feet. */
  squareFootageMin?: number;
  /** At most so many square feet. */
  squareFootageMax?: number;
  /** At least so many parking spaces. */
  parkingSpacesMin?: number;
  /** At most so many parking spaces. */
  parkingSpacesMax?: number;
  /** At least so many stories. Also accepted as `storiesMin`. */
  buildingStoriesMin?: number;
  /** At most so many stories. Also accepted as `storiesMax`. */
  buildingStoriesMax?: number;
  /** At least so many feet. Also accepted as `buildingHeightFtMin`. */
  buildingHeightFeetMin?: number;
  /** At most so many feet. Also accepted as `buildingHeightFtMax`. */
  buildingHeightFeetMax?: number;
  /** At least so many bedrooms. */
  bedroomCountMin?: number;
  /** At most so many bedrooms. */
  bedroomCountMax?: number;
  /** At least so many floors. */
  floorCountMin?: number;
  /** At most so many floors. */
  floorCountMax?: number;
  /** At least so many lots. */
  lotCountMin?: number;
  /** At most so many lots. */
  lotCountMax?: number;
  /** Keyword search; several words are one exact phrase, | separates alternatives. Also accepted as `search`, `query`. */
  q?: string;
  /** Exact phrase in the name or display name. Also accepted as `name`. */
  projectName?: string;
  /** Exact phrase in the name of a developer, applicant, builder, owner, contractor or architect. Also accepted as `developer`, `company`. */
  developerName?: string;
  /** Only these projects, at most 100; the id of a merged record finds the development it was merged into. Also accepted as `ids`. */
  projectIds?: number[];
}

/** How what was selected is answered. */
export interface Controls {
  /** Order of the records; names with a suffix encode the direction. */
  sort?: Sort | (string & {});
  /** asc or desc; desc where `sort` names only a field. */
  order?: Order | (string & {});
  /** Records a page, 1 to 100 (default 100); more is clamped. */
  limit?: number;
  /** Records to skip; wins over `page`. */
  offset?: number;
  /** Page from 1; offset = (page - 1) * limit. */
  page?: number;
  /** compact (21 fields), standard (67, default) or full (85). */
  representation?: Representation | (string & {});
  /** json (default) or csv. */
  format?: Format | (string & {});
  /** CSV only: refuse when more credits would be reserved. */
  maxCredits?: number;
  /** CSV only: refuse when more credits would be reserved for contacts. */
  maxContactCredits?: number;
  /** `contacts` turns on Find Contact Info; `derived`, with representation=full, adds what this service reads from the record. */
  include?: Include | (string & {});
  /** JSON object; synchronous JSON takes cachedOnly true only. */
  contactOptions?: {
    cachedOnly?: boolean;
    minConfidence?: number;
    maxProjects?: number;
    companyOnly?: boolean;
  };
  /** Sync only: where the last page ended, from `meta.sync.cursor`. */
  cursor?: string;
  /** all (default), or new: withhold records that the pool owns. */
  deliveryMode?: DeliveryMode | (string & {});
  /** Map only: the rectangle that is looked at, west,south,east,north; around every match unless given. */
  view?: string;
  /** OGC API only: meetings at a time, or in an interval `from/to` of which one end may be open (`..` or nothing). */
  datetime?: string;
  /** OGC API only: CQL2 text (Basic CQL2) over the properties of `/ogc/collections/projects/queryables`. */
  filter?: string;
  /** OGC API only: the language of `filter`. */
  'filter-lang'?: 'cql2-text' | (string & {});
  /** OGC API only: the coordinates of `filter`. */
  'filter-crs'?: 'http://www.opengis.net/def/crs/OGC/1.3/CRS84' | (string & {});
  /** json or geojson: GIS programs send it, and features have no other form. */
  f?: F | (string & {});
  /** Coverage only: up to two of state (default), county and month of the meeting. */
  groupBy?: (GroupBy | (string & {}))[];
  /** Hearings only: from the first day of this period on (default today). */
  from?: string;
  /** Hearings only: up to the last day of this period (default 30 days later). */
  to?: string;
  /** Coverage only: body lists the decision bodies of places, with their rhythm and since when they are silent. */
  by?: 'body' | (string & {});
}

export type TextOrNumber = string | number;

export interface ProblemsDetails {
  /** Everything that is wrong with the request */
  problems: Problem[];
  /** How many there are beyond those listed */
  moreProblems?: number;
}

export interface AmongProblemsDetails {
  /** Everything that is wrong with the request */
  problems?: Problem[];
  /** How many there are beyond those listed */
  moreProblems?: number;
}

export interface InvalidRequestDetails {
  /** Everything that is wrong with the request */
  problems: Problem[];
  /** How many there are beyond those listed */
  moreProblems?: number;
  /** Values that can be sent */
  supported?: string[];
  /** The route that does what was asked */
  alternative?: string;
  asyncEndpoint?: string;
  candidateScanCeiling?: number;
  /** How far `offset` + `limit` reach */
  window?: number;
  creditsRequired?: number;
  maxCredits?: number;
  maxContactCredits?: number;
  maxProjects?: number;
  projectCount?: number;
  groups?: number;
  maxGroups?: number;
  alertId?: string | null;
  kind?: string;
  state?: string;
  replacedBy?: string | null;
  userId?: number;
  closedAt?: string;
  maxActiveLiveKeys?: number;
  maxFeeds?: number;
  maxLists?: number;
  maxWebhooks?: number;
  maxUnconfirmedAddresses?: number;
  unconfirmedAddresses?: number;
  maxQuestions?: number;
  usedBytes?: number;
  limitBytes?: number;
}

export interface SupportedDetails {
  /** Content types that are served */
  supported: string[];
}

export interface ContactFieldsDetails {
  /** Everything that is wrong with the request */
  problems: Problem[];
  /** How many there are beyond those listed */
  moreProblems?: number;
  supported: string[];
}

export interface NeedsJobDetails {
  /** Everything that is wrong with the request */
  problems: Problem[];
  /** How many there are beyond those listed */
  moreProblems?: number;
  /** Routes that look contacts up */
  endpoints: string[];
}

export interface CursorDetails {
  /** Everything that is wrong with the request */
  problems: Problem[];
  /** How many there are beyond those listed */
  moreProblems?: number;
  /** What to do */
  recovery: string;
}

export interface AlertPlacesDetails {
  /** Everything that is wrong with the request */
  problems?: Problem[];
  /** How many there are beyond those listed */
  moreProblems?: number;
  maxStates: number | null;
  maxLocalities: number | null;
}

export interface ActiveAlertsDetails {
  maxActiveAlerts: number;
}

export interface GeographyDetails {
  /** Everything that is wrong with the request */
  problems?: Problem[];
  /** How many there are beyond those listed */
  moreProblems?: number;
  deniedStates: {
    id: number;
    name: string;
    abbreviation: string;
  }[];
  deniedStateIds: number[];
  allowedStates: {
    id: number;
    name: string;
    abbreviation: string;
  }[];
  allowedStateIds: number[];
  deniedCounties?: {
    id: number;
    name: string;
    stateId: number;
  }[];
  allowedCountyIds?: number[];
}

export interface CeilingDetails {
  /** Everything that is wrong with the request */
  problems?: Problem[];
  /** How many there are beyond those listed */
  moreProblems?: number;
  maxActiveLiveKeys?: number;
  maxFeeds?: number;
  maxLists?: number;
  maxWebhooks?: number;
  maxUnconfirmedAddresses?: number;
  unconfirmedAddresses?: number;
  maxQuestions?: number;
  usedBytes?: number;
  limitBytes?: number;
}

export interface AllowanceDetails {
  requested: number;
  allowance: {
    used: number;
    limit: number | null;
    remaining: number | null;
    resetsAt: string | null;
  };
}

export interface UnfinishedDetails {
  status: string;
  pollUrl: string;
}

export interface RefundDetails {
  creditsRefunded: number;
}

export interface SnapshotDetails {
  /** The one that is queued or being built */
  snapshotId: string;
}

export interface PriceDetails {
  quote: Quote;
  /** The page that can be paid: send it */
  limit?: number;
  offset?: number;
  /** Of a brief: as many can be paid */
  maxPrecedents?: number;
}

export interface RunsDetails {
  limit: number;
  used: number;
  resetsAt: string;
}

export interface SizeDetails {
  sizeBytes: number;
}

export interface RateDetails {
  limit: number;
  windowSeconds?: number;
  retryAfterSeconds?: number;
  resetsAt?: string;
  /** How many wait of those that a team may have waiting */
  waiting?: number;
}

export interface OutageDetails {
  subsystem?: string;
  fault?: string;
  servers?: Record<string, unknown>;
  reasons?: string[];
}

export interface TieDetails {
  suggestion: string;
  timestamp: string;
  records: number;
  limit: number;
}

export interface CompactProject {
  /** Project id; the same from load to load */
  id: number;
  /** Kind of record, such as `project` */
  recordType: string | null;
  /** Name of the project */
  projectName: string | null;
  /** The record on the map of this service */
  serviceLink: string;
  /** Ids of the records merged into this one, its own among them */
  mergedFrom: number[] | null;
  /** When the content last changed */
  lastUpdated: string;
  /** Date of the latest meeting; of a merged development the newest hearing that is not in the future */
  meetingDate: string | null;
  /** What the credit pool held of the record before this answer */
  delivery: {
    alreadyExported: boolean;
    updatedSinceExport: boolean | null;
    lastExportedAt: string | null;
    billed: boolean;
  };
  /** Street address */
  address: string | null;
  /** City */
  city: string | null;
  /** County */
  county: string | null;
  /** USPS abbreviation of the state */
  state: string | null;
  /** Degrees north */
  latitude: number | null;
  /** Degrees east */
  longitude: number | null;
  /** Inside an Opportunity Zone; null where that was not computed */
  inOpportunityZone: boolean | null;
  /** Inside a Special Flood Hazard Area; null where that was not computed */
  inFemaFloodZone: boolean | null;
  /** Building Type */
  propertyType: string | null;
  /** Label of propertyType */
  propertyTypeLabel: string | null;
  /** Every land use of the project, each once */
  landUses: LandUse[] | null;
  /** Entitlement status; `unknown` where no decision is recorded */
  status: string;
  /** Label of status */
  statusLabel: string | null;
}

export interface StandardProject {
  /** Project id; the same from load to load */
  id: number;
  /** Kind of record, such as `project` */
  recordType: string | null;
  /** Name of the project */
  projectName: string | null;
  /** The record on the map of this service */
  serviceLink: string;
  /** Ids of the records merged into this one, its own among them */
  mergedFrom: number[] | null;
  /** When the content last changed */
  lastUpdated: string;
  /** Date of the latest meeting; of a merged development the newest hearing that is not in the future */
  meetingDate: string | null;
  /** What the credit pool held of the record before this answer */
  delivery: {
    alreadyExported: boolean;
    updatedSinceExport: boolean | null;
    lastExportedAt: string | null;
    billed: boolean;
  };
  /** Street address */
  address: string | null;
  /** City */
  city: string | null;
  /** County */
  county: string | null;
  /** USPS abbreviation of the state */
  state: string | null;
  /** Degrees north */
  latitude: number | null;
  /** Degrees east */
  longitude: number | null;
  /** Inside an Opportunity Zone; null where that was not computed */
  inOpportunityZone: boolean | null;
  /** Inside a Special Flood Hazard Area; null where that was not computed */
  inFemaFloodZone: boolean | null;
  /** Building Type */
  propertyType: string | null;
  /** Label of propertyType */
  propertyTypeLabel: string | null;
  /** Every land use of the project, each once */
  landUses: LandUse[] | null;
  /** Entitlement status; `unknown` where no decision is recorded */
  status: string;
  /** Label of status */
  statusLabel: string | null;
  /** Name for people, where it differs from projectName */
  displayName: string | null;
  /** Description of the project; the status sentence where there is none */
  summary: string | null;
  /** The status in one sentence */
  statusSummary: string | null;
  /** Public meeting document of the latest appearance */
  sourceDocumentUrl: string | null;
  /** Id of that document, for `GET /documents/{id}` */
  meetingDocumentId: number | null;
  /** Names the content; equal content has an equal revision */
  contentRevision: string;
  /** FIPS number of the state */
  stateId: number | null;
  /** FIPS number of the county */
  countyId: number | null;
  /** GeoNames number of the city */
  cityId: number | null;
  /** ZIP code */
  zipCode: string | null;
  /** Numbers of the parcels */
  parcelNumbers: string[] | null;
  /** Second level of the Building Type */
  propertySubtype: string | null;
  /** Label of propertySubtype */
  propertySubtypeLabel: string | null;
  /** First known asset class, the third level */
  assetClass: string | null;
  /** Label of assetClass */
  assetClassLabel: string | null;
  /** The Building Types of the project, each with its role */
  classifications: {
    type: string;
    typeLabel: string | null;
    role: LandUseRole | null;
    roleLabel: string | null;
  }[];
  /** large, medium or small */
  projectSize: string | null;
  /** Label of projectSize */
  projectSizeLabel: string | null;
  /** A change of zoning is asked for */
  isRezone: boolean | null;
  /** What is applied for */
  requestType: string | null;
  /** Label of requestType */
  requestTypeLabel: string | null;
  /** Kind of construction */
  constructionType: string | null;
  /** Label of constructionType */
  constructionTypeLabel: string | null;
  /** Construction is likely to follow */
  isConstructionLead: boolean | null;
  /** Details of the construction are known */
  hasConstructionDetails: boolean | null;
  /** Body that decided */
  decisionBody: string | null;
  /** Label of decisionBody */
  decisionBodyLabel: string | null;
  /** Kind of decision */
  decisionType: string | null;
  /** Label of decisionType */
  decisionTypeLabel: string | null;
  /** Zoning today */
  existingZoning: string | null;
  /** Zoning asked for */
  proposedZoning: string | null;
  /** Dwelling units */
  totalUnitCount: number | null;
  /** Units by type */
  unitMix:
    | {
        unitType: string;
        count: number;
      }[]
    | null;
  /** Acres */
  acreage: number | null;
  /** Lot size in square feet */
  lotSizeSqft: number | null;
  /** Floor area in square feet */
  squareFootage: number | null;
  /** Floors */
  floorCount: number | null;
  /** Stories */
  buildingStories: number | null;
  /** Height in feet */
  buildingHeightFeet: number | null;
  /** Bedrooms */
  bedroomCount: number | null;
  /** Parking spaces */
  parkingSpaces: number | null;
  /** Buildable lots */
  lotCount: number | null;
  /** Companies and people that the filing names */
  parties:
    | {
        role: PartyRole;
        roleLabel: string | null;
        name: string;
      }[]
    | null;
  /** People; channels are null until Find Contact Info unlocked them */
  contacts: Contact[] | null;
  /** Companies; name and website on every plan, the rest on paid ones */
  companyEnrichment: CompanyEnrichment[] | null;
  /** How many contacts and channels there are */
  contactSummary: {
    contactCount: number;
    withEmail: number;
    withPhone: number;
    lowConfidenceWithheld: number;
    unlocked: boolean;
  };
}

export interface FullProject {
  /** Project id; the same from load to load */
  id: number;
  /** Kind of record, such as `project` */
  recordType: string | null;
  /** Name of the project */
  projectName: string | null;
  /** The record on the map of this service */
  serviceLink: string;
  /** Ids of the records merged into this one, its own among them */
  mergedFrom: number[] | null;
  /** When the content last changed */
  lastUpdated: string;
  /** Date of the latest meeting; of a merged development the newest hearing that is not in the future */
  meetingDate: string | null;
  /** What the credit pool held of the record before this answer */
  delivery: {
    alreadyExported: boolean;
    updatedSinceExport: boolean | null;
    lastExportedAt: string | null;
    billed: boolean;
  };
  /** Street address */
  address: string | null;
  /** City */
  city: string | null;
  /** County */
  county: string | null;
  /** USPS abbreviation of the state */
  state: string | null;
  /** Degrees north */
  latitude: number | null;
  /** Degrees east */
  longitude: number | null;
  /** Inside an Opportunity Zone; null where that was not computed */
  inOpportunityZone: boolean | null;
  /** Inside a Special Flood Hazard Area; null where that was not computed */
  inFemaFloodZone: boolean | null;
  /** Building Type */
  propertyType: string | null;
  /** Label of propertyType */
  propertyTypeLabel: string | null;
  /** Every land use of the project, each once */
  landUses: LandUse[] | null;
  /** Entitlement status; `unknown` where no decision is recorded */
  status: string;
  /** Label of status */
  statusLabel: string | null;
  /** Name for people, where it differs from projectName */
  displayName: string | null;
  /** Description of the project; the status sentence where there is none */
  summary: string | null;
  /** The status in one sentence */
  statusSummary: string | null;
  /** Public meeting document of the latest appearance */
  sourceDocumentUrl: string | null;
  /** Id of that document, for `GET /documents/{id}` */
  meetingDocumentId: number | null;
  /** Names the content; equal content has an equal revision */
  contentRevision: string;
  /** FIPS number of the state */
  stateId: number | null;
  /** FIPS number of the county */
  countyId: number | null;
  /** GeoNames number of the city */
  cityId: number | null;
  /** ZIP code */
  zipCode: string | null;
  /** Numbers of the parcels */
  parcelNumbers: string[] | null;
  /** Second level of the Building Type */
  propertySubtype: string | null;
  /** Label of propertySubtype */
  propertySubtypeLabel: string | null;
  /** First known asset class, the third level */
  assetClass: string | null;
  /** Label of assetClass */
  assetClassLabel: string | null;
  /** The Building Types of the project, each with its role */
  classifications: {
    type: string;
    typeLabel: string | null;
    role: LandUseRole | null;
    roleLabel: string | null;
  }[];
  /** large, medium or small */
  projectSize: string | null;
  /** Label of projectSize */
  projectSizeLabel: string | null;
  /** A change of zoning is asked for */
  isRezone: boolean | null;
  /** What is applied for */
  requestType: string | null;
  /** Label of requestType */
  requestTypeLabel: string | null;
  /** Kind of construction */
  constructionType: string | null;
  /** Label of constructionType */
  constructionTypeLabel: string | null;
  /** Construction is likely to follow */
  isConstructionLead: boolean | null;
  /** Details of the construction are known */
  hasConstructionDetails: boolean | null;
  /** Body that decided */
  decisionBody: string | null;
  /** Label of decisionBody */
  decisionBodyLabel: string | null;
  /** Kind of decision */
  decisionType: string | null;
  /** Label of decisionType */
  decisionTypeLabel: string | null;
  /** Zoning today */
  existingZoning: string | null;
  /** Zoning asked for */
  proposedZoning: string | null;
  /** Dwelling units */
  totalUnitCount: number | null;
  /** Units by type */
  unitMix:
    | {
        unitType: string;
        count: number;
      }[]
    | null;
  /** Acres */
  acreage: number | null;
  /** Lot size in square feet */
  lotSizeSqft: number | null;
  /** Floor area in square feet */
  squareFootage: number | null;
  /** Floors */
  floorCount: number | null;
  /** Stories */
  buildingStories: number | null;
  /** Height in feet */
  buildingHeightFeet: number | null;
  /** Bedrooms */
  bedroomCount: number | null;
  /** Parking spaces */
  parkingSpaces: number | null;
  /** Buildable lots */
  lotCount: number | null;
  /** Companies and people that the filing names */
  parties:
    | {
        role: PartyRole;
        roleLabel: string | null;
        name: string;
      }[]
    | null;
  /** People; channels are null until Find Contact Info unlocked them */
  contacts: Contact[] | null;
  /** Companies; name and website on every plan, the rest on paid ones */
  companyEnrichment: CompanyEnrichment[] | null;
  /** How many contacts and channels there are */
  contactSummary: {
    contactCount: number;
    withEmail: number;
    withPhone: number;
    lowConfidenceWithheld: number;
    unlocked: boolean;
  };
  /** Decisions with their named votes */
  decisions: Decision[] | null;
  /** Documents of its meetings */
  meetingDocuments: Document[] | null;
  /** Text of the minutes that speaks of the project */
  rawText: string | null;
  /** That text as it was extracted */
  originalRawText: string | null;
  /** The original text was longer */
  originalRawTextTruncated: boolean | null;
  /** Type of action */
  actionType: string | null;
  /** Label of actionType */
  actionTypeLabel: string | null;
  /** Category of action */
  actionCategory: string | null;
  /** Label of actionCategory */
  actionCategoryLabel: string | null;
  /** Date of the first meeting */
  firstMeetingDate: string | null;
  /** Date of the next meeting */
  nextMeetingDate: string | null;
  /** Meetings at which the project appeared */
  appearanceCount: number | null;
  /** Statuses over time */
  statusHistory: StatusHistory[] | null;
  /** Case numbers */
  caseNumbers: string[] | null;
  /** Conditions of the approval */
  conditionsOfApproval: string[] | null;
  /** Votes of the latest decision */
  voteTotals: {
    yes: number | null;
    no: number | null;
    abstain: number | null;
    absent: number | null;
  } | null;
  /** What staff recommended */
  staffRecommendation: string | null;
  /** Share of the attributes that the record states, in percent */
  dataRichness: number;
  /** Only with `include=derived`: what this service reads from the record, such as outcome, staff recommendation, vote and days in process */
  derived?: Derived;
}

export interface OrderedFilters extends Filters {
  /** Order of the records; names with a suffix encode the direction. */
  sort?: Sort | (string & {});
  /** asc or desc; desc where `sort` names only a field. */
  order?: Order | (string & {});
}

export interface ExportFilters extends Filters {
  /** Order of the records; names with a suffix encode the direction. */
  sort?: Sort | (string & {});
  /** asc or desc; desc where `sort` names only a field. */
  order?: Order | (string & {});
  /** all (default), or new: withhold records that the pool owns. */
  deliveryMode?: DeliveryMode | (string & {});
}

export type AiSearchStatus = 'queued' | 'running' | 'completed' | 'partial' | 'failed' | 'cancelled';

export type AlertStatus = 'active' | 'paused' | 'archived';

export type AnswerFeedback = 'confirmed' | 'dismissed';

export type AssetClass =
  | 'single_family_detached'
  | 'single_family_attached'
  | 'single_family_subdivision'
  | 'custom_home'
  | 'townhouse_community'
  | 'rowhouse'
  | 'duplex'
  | 'triplex'
  | 'fourplex'
  | 'cottage_court'
  | 'garden_apartments'
  | 'mid_rise_apartments'
  | 'high_rise_apartments'
  | 'condominium'
  | 'build_to_rent'
  | 'lihtc_housing'
  | 'workforce_housing'
  | 'supportive_housing'
  | 'age_restricted_community'
  | 'independent_living'
  | 'assisted_living'
  | 'memory_care'
  | 'skilled_nursing'
  | 'purpose_built_student_housing'
  | 'dormitory'
  | 'manufactured_home_community'
  | 'manufactured_home'
  | 'accessory_dwelling_unit'
  | 'residential_accessory_structure'
  | 'group_home'
  | 'co_living'
  | 'emergency_shelter'
  | 'shopping_center'
  | 'strip_center'
  | 'grocery_store'
  | 'big_box_retail'
  | 'storefront_retail'
  | 'cannabis_dispensary'
  | 'quick_service_restaurant'
  | 'full_service_restaurant'
  | 'drive_through'
  | 'bar_brewery'
  | 'office_building'
  | 'medical_office'
  | 'office_campus'
  | 'coworking'
  | 'full_service_hotel'
  | 'limited_service_hotel'
  | 'extended_stay_hotel'
  | 'short_term_rental'
  | 'campground_rv_park'
  | 'gas_station'
  | 'car_wash'
  | 'auto_dealership'
  | 'auto_repair'
  | 'commercial_parking'
  | 'theater_cinema'
  | 'fitness_center'
  | 'golf_course'
  | 'event_venue'
  | 'private_sports_facility'
  | 'bank_branch'
  | 'salon_spa'
  | 'child_care_center'
  | 'veterinary_clinic'
  | 'funeral_home'
  | 'climate_controlled_storage'
  | 'drive_up_storage'
  | 'boat_rv_storage'
  | 'on_premises_sign'
  | 'billboard'
  | 'distribution_center'
  | 'bulk_warehouse'
  | 'last_mile_facility'
  | 'cold_storage'
  | 'truck_terminal'
  | 'light_manufacturing'
  | 'heavy_manufacturing'
  | 'food_processing'
  | 'semiconductor_fab'
  | 'hyperscale_data_center'
  | 'colocation_data_center'
  | 'edge_data_center'
  | 'flex_space'
  | 'contractor_yard'
  | 'business_park'
  | 'laboratory'
  | 'life_science_campus'
  | 'industrial_outdoor_storage'
  | 'equipment_yard'
  | 'salvage_yard'
  | 'quarry'
  | 'mine'
  | 'oil_gas_well'
  | 'k12_school'
  | 'college_university'
  | 'charter_school'
  | 'preschool'
  | 'hospital'
  | 'outpatient_clinic'
  | 'behavioral_health'
  | 'house_of_worship'
  | 'cemetery'
  | 'police_station'
  | 'fire_station'
  | 'correctional_facility'
  | 'library'
  | 'museum'
  | 'community_center'
  | 'government_building'
  | 'landmark_site'
  | 'public_park'
  | 'trail_greenway'
  | 'athletic_fields'
  | 'conservation_land'
  | 'residential_over_retail'
  | 'office_over_retail'
  | 'hotel_mixed_use'
  | 'town_center'
  | 'lifestyle_center'
  | 'station_area_development'
  | 'joint_development'
  | 'planned_unit_development'
  | 'master_planned_community'
  | 'live_work_units'
  | 'artist_lofts'
  | 'utility_scale_solar'
  | 'community_solar'
  | 'rooftop_solar'
  | 'onshore_wind_farm'
  | 'single_wind_turbine'
  | 'battery_energy_storage'
  | 'pumped_hydro_storage'
  | 'power_plant'
  | 'electrical_substation'
  | 'transmission_line'
  | 'pipeline'
  | 'cell_tower'
  | 'small_cell'
  | 'fiber_network'
  | 'roadway'
  | 'airport'
  | 'rail_facility'
  | 'transit_station'
  | 'ev_charging_station'
  | 'port_maritime_facility'
  | 'water_treatment_plant'
  | 'wastewater_treatment_plant'
  | 'stormwater_facility'
  | 'landfill'
  | 'transfer_station'
  | 'recycling_facility'
  | 'row_crops'
  | 'orchard_vineyard'
  | 'greenhouse_nursery'
  | 'cattle_ranch'
  | 'poultry_farm'
  | 'dairy'
  | 'equestrian_facility'
  | 'winery'
  | 'grain_storage'
  | 'farm_market'
  | 'cannabis_cultivation'
  | 'timberland'
  | 'sawmill'
  | 'zoning_text_amendment'
  | 'municipal_code_amendment'
  | 'moratorium'
  | 'comprehensive_plan_update'
  | 'small_area_plan'
  | 'corridor_study'
  | 'annual_budget'
  | 'bond_issue'
  | 'tax_increment_financing'
  | 'grant_award'
  | 'construction_contract'
  | 'professional_services_contract'
  | 'board_appointment'
  | 'minutes_approval'
  | 'proclamation'
  | 'business_license'
  | 'franchise_agreement';

export type BriefBasis = 'quote' | 'count' | 'computed' | 'none';

export type BriefCallMethod = 'GET' | 'POST';

export type BriefSection = 'summary' | 'precedents' | 'odds' | 'timeline' | 'restrictions' | 'hearings' | 'zoning' | 'coverage';

export type Compression = 'gzip' | 'zstd';

export type ConstructionType =
  | 'new_construction'
  | 'addition'
  | 'renovation'
  | 'tenant_improvement'
  | 'adaptive_reuse'
  | 'demolition'
  | 'site_work'
  | 'change_of_use'
  | 'relocation'
  | 'repair';

export type DatePrecision = 'day' | 'month' | 'year';

export type DateRange = 'last_3_months' | 'last_6_months' | 'last_1_year' | 'since_jan_2025' | 'all';

export type DecisionBody =
  | 'city_council'
  | 'town_council'
  | 'village_board'
  | 'county_commission'
  | 'board_of_supervisors'
  | 'planning_commission'
  | 'planning_board'
  | 'zoning_board_of_appeals'
  | 'board_of_adjustment'
  | 'zoning_commission'
  | 'hearing_examiner'
  | 'design_review_board'
  | 'historic_preservation_commission'
  | 'development_review_committee'
  | 'redevelopment_authority'
  | 'land_use_committee'
  | 'planning_department'
  | 'building_department'
  | 'other_body';

export type DecisionType =
  | 'final_action'
  | 'recommendation'
  | 'first_reading'
  | 'second_reading'
  | 'public_hearing'
  | 'work_session'
  | 'administrative_approval'
  | 'consent_item'
  | 'reconsideration'
  | 'filed';

export type DeliveryMode = 'all' | 'new';

export type Dimension =
  | 'lastUpdated'
  | 'meetingDate'
  | 'city'
  | 'county'
  | 'state'
  | 'propertyType'
  | 'status'
  | 'propertySubtype'
  | 'assetClass'
  | 'projectSize'
  | 'requestType'
  | 'constructionType'
  | 'decisionBody'
  | 'decisionType'
  | 'staffRecommendation'
  | 'voteResult'
  | 'existingZoning'
  | 'proposedZoning'
  | 'outcome';

export type DocumentVersion = 'draft' | 'adopted';

export type EndBasis = 'stated' | 'computed' | 'event' | 'none' | 'unknown';

export type EnrichmentStatus = 'queued' | 'running' | 'completed' | 'failed';

export type EventType =
  | 'alert.delivery.completed'
  | 'alert.delivery.refused'
  | 'alert.delivery.failed'
  | 'alert.paused'
  | 'ai_search.settled'
  | 'enrichment.settled'
  | 'export.ready'
  | 'export.failed'
  | 'release.published'
  | 'coverage.stale'
  | 'coverage.recovered'
  | 'restriction.adopted'
  | 'restriction.extended'
  | 'restriction.ending'
  | 'restriction.ended';

export type EvidenceFrom = 'instrument' | 'inventory';

export type ExportStatus = 'queued' | 'building' | 'ready' | 'failed' | 'expired';

export type F = 'json' | 'geojson';

export type Format = 'json' | 'csv';

export type Frequency = 'daily' | 'weekly' | 'monthly';

export type GeoParquet = '1.1' | '2.0';

export type GovernmentAssetClass =
  | 'zoning_text_amendment'
  | 'municipal_code_amendment'
  | 'moratorium'
  | 'comprehensive_plan_update'
  | 'small_area_plan'
  | 'corridor_study'
  | 'annual_budget'
  | 'bond_issue'
  | 'tax_increment_financing'
  | 'grant_award'
  | 'construction_contract'
  | 'professional_services_contract'
  | 'board_appointment'
  | 'minutes_approval'
  | 'proclamation'
  | 'business_license'
  | 'franchise_agreement';

export type GovernmentPropertySubtype =
  | 'ordinance_text'
  | 'comprehensive_planning'
  | 'budget_finance'
  | 'contracts_procurement'
  | 'appointments_administration'
  | 'licenses_franchises';

export type GroupBy = 'state' | 'county' | 'month';

export type GuideName =
  | 'overview'
  | 'first-call'
  | 'clients'
  | 'python'
  | 'command-line'
  | 'mcp'
  | 'keys'
  | 'filters'
  | 'evidence'
  | 'completeness'
  | 'outcomes'
  | 'credits'
  | 'paging-and-sync'
  | 'releases'
  | 'analytics'
  | 'odds'
  | 'coverage'
  | 'hearings'
  | 'briefs'
  | 'restrictions'
  | 'ai-search'
  | 'map'
  | 'gis'
  | 'exports'
  | 'snapshots'
  | 'matching'
  | 'connectors'
  | 'warehouses'
  | 'lists'
  | 'alerts'
  | 'webhooks'
  | 'enrichment'
  | 'documents'
  | 'licences'
  | 'errors'
  | 'versions'
  | 'glossary'
  | 'install'
  | 'settings'
  | 'minutes-to-records'
  | 'loading-data'
  | 'operate'
  | 'recover'
  | 'observe'
  | 'proofs'
  | 'architecture'
  | 'contributing';

export type Include = 'contacts' | 'derived' | 'contacts,derived';

export type Interval = 'week' | 'month' | 'quarter' | 'year';

export type JurisdictionType = 'state' | 'county' | 'city' | 'town' | 'township' | 'village' | 'tribal' | 'utility';

export type Kind = 'state' | 'county' | 'city';

export type LandUseLevel = 'type' | 'subtype' | 'assetClass';

export type LandUseRole = 'primary' | 'secondary' | 'other';

export type ListKind = 'membership' | 'filter' | 'polygon' | 'alert';

export type MatchReason = 'parcel_number' | 'case_number' | 'address' | 'point';

export type Measurement =
  | 'totalUnitCount'
  | 'acreage'
  | 'lotSizeSqft'
  | 'squareFootage'
  | 'floorCount'
  | 'buildingStories'
  | 'buildingHeightFeet'
  | 'bedroomCount'
  | 'parkingSpaces'
  | 'lotCount'
  | 'voteAgainst'
  | 'hearingCount'
  | 'daysInProcess';

export type MessageStatus = 'waiting' | 'sending';

export type MessageType =
  | 'alert.delivery.completed'
  | 'alert.delivery.refused'
  | 'alert.delivery.failed'
  | 'alert.paused'
  | 'ai_search.settled'
  | 'enrichment.settled'
  | 'export.ready'
  | 'export.failed'
  | 'release.published'
  | 'coverage.stale'
  | 'coverage.recovered'
  | 'restriction.adopted'
  | 'restriction.extended'
  | 'restriction.ending'
  | 'restriction.ended'
  | 'ping';

export type NewBecause = 'new_case' | 'changed' | 'newly_read' | 'entered_window';

export type OddsDimension =
  | 'lastUpdated'
  | 'meetingDate'
  | 'city'
  | 'county'
  | 'state'
  | 'propertyType'
  | 'status'
  | 'propertySubtype'
  | 'assetClass'
  | 'projectSize'
  | 'requestType'
  | 'constructionType'
  | 'decisionBody'
  | 'decisionType'
  | 'staffRecommendation'
  | 'voteResult'
  | 'existingZoning'
  | 'proposedZoning';

export type Order = 'asc' | 'desc';

export type Outcome = 'approved' | 'denied' | 'withdrawn' | 'pending' | 'stalled' | 'soft_denial';

export type OutcomeRule =
  | 'stated_status'
  | 'latest_decision'
  | 'awaits_decision'
  | 'hearing_announced'
  | 'silent_180_days'
  | 'continued_then_silent'
  | 'tabled_then_silent'
  | 'cannot_be_told';

export type PartialReason = 'cancelled_by_user' | 'daily_ai_budget_exhausted' | 'review_ceiling_reached' | 'deadline_reached';

export type PartyRole = 'developer' | 'applicant' | 'builder' | 'owner' | 'contractor' | 'architect';

export type PlacePrecision = 'outline' | 'centre';

export type ProjectSize = 'large' | 'medium' | 'small';

export type PropertySubtype =
  | 'single_family'
  | 'townhome'
  | 'small_multifamily'
  | 'multifamily'
  | 'affordable_housing'
  | 'senior_housing'
  | 'student_housing'
  | 'manufactured_housing'
  | 'accessory_dwelling'
  | 'group_residential'
  | 'retail'
  | 'restaurant'
  | 'office'
  | 'hospitality'
  | 'automotive'
  | 'entertainment_recreation'
  | 'personal_services'
  | 'self_storage'
  | 'signage'
  | 'warehouse_distribution'
  | 'manufacturing'
  | 'data_center'
  | 'flex_industrial'
  | 'research_development'
  | 'outdoor_storage'
  | 'extraction'
  | 'education'
  | 'healthcare'
  | 'religious'
  | 'public_safety'
  | 'civic_cultural'
  | 'parks_open_space'
  | 'vertical_mixed_use'
  | 'horizontal_mixed_use'
  | 'transit_oriented_development'
  | 'planned_development'
  | 'live_work'
  | 'solar_energy'
  | 'wind_energy'
  | 'energy_storage'
  | 'power_utilities'
  | 'telecommunications'
  | 'transportation'
  | 'water_wastewater'
  | 'waste_management'
  | 'crop_production'
  | 'livestock'
  | 'agribusiness'
  | 'forestry'
  | 'ordinance_text'
  | 'comprehensive_planning'
  | 'budget_finance'
  | 'contracts_procurement'
  | 'appointments_administration'
  | 'licenses_franchises';

export type PropertyType =
  | 'residential'
  | 'commercial'
  | 'industrial'
  | 'institutional_public'
  | 'mixed_use'
  | 'infrastructure'
  | 'agricultural'
  | 'govt_decisions';

export type QuoteSource = 'summary' | 'rawText' | 'document' | 'field';

export type QuotedField =
  | 'projectName'
  | 'meetingDate'
  | 'address'
  | 'city'
  | 'county'
  | 'state'
  | 'latitude'
  | 'longitude'
  | 'inOpportunityZone'
  | 'inFemaFloodZone'
  | 'propertyType'
  | 'landUses'
  | 'status'
  | 'displayName'
  | 'summary'
  | 'statusSummary'
  | 'sourceDocumentUrl'
  | 'meetingDocumentId'
  | 'stateId'
  | 'countyId'
  | 'cityId'
  | 'zipCode'
  | 'parcelNumbers'
  | 'propertySubtype'
  | 'assetClass'
  | 'classifications'
  | 'projectSize'
  | 'isRezone'
  | 'requestType'
  | 'constructionType'
  | 'isConstructionLead'
  | 'hasConstructionDetails'
  | 'decisionBody'
  | 'decisionType'
  | 'existingZoning'
  | 'proposedZoning'
  | 'totalUnitCount'
  | 'unitMix'
  | 'acreage'
  | 'lotSizeSqft'
  | 'squareFootage'
  | 'floorCount'
  | 'buildingStories'
  | 'buildingHeightFeet'
  | 'bedroomCount'
  | 'parkingSpaces'
  | 'lotCount'
  | 'parties'
  | 'decisions'
  | 'meetingDocuments'
  | 'rawText'
  | 'originalRawText'
  | 'originalRawTextTruncated'
  | 'actionType'
  | 'actionCategory'
  | 'firstMeetingDate'
  | 'nextMeetingDate'
  | 'appearanceCount'
  | 'statusHistory'
  | 'caseNumbers'
  | 'conditionsOfApproval'
  | 'voteTotals'
  | 'staffRecommendation';

export type RecipientState = 'active' | 'unconfirmed' | 'stopped';

export type RecordField =
  | 'id'
  | 'recordType'
  | 'projectName'
  | 'serviceLink'
  | 'mergedFrom'
  | 'lastUpdated'
  | 'meetingDate'
  | 'delivery'
  | 'address'
  | 'city'
  | 'county'
  | 'state'
  | 'latitude'
  | 'longitude'
  | 'inOpportunityZone'
  | 'inFemaFloodZone'
  | 'propertyType'
  | 'propertyTypeLabel'
  | 'landUses'
  | 'status'
  | 'statusLabel'
  | 'displayName'
  | 'summary'
  | 'statusSummary'
  | 'sourceDocumentUrl'
  | 'meetingDocumentId'
  | 'contentRevision'
  | 'stateId'
  | 'countyId'
  | 'cityId'
  | 'zipCode'
  | 'parcelNumbers'
  | 'propertySubtype'
  | 'propertySubtypeLabel'
  | 'assetClass'
  | 'assetClassLabel'
  | 'classifications'
  | 'projectSize'
  | 'projectSizeLabel'
  | 'isRezone'
  | 'requestType'
  | 'requestTypeLabel'
  | 'constructionType'
  | 'constructionTypeLabel'
  | 'isConstructionLead'
  | 'hasConstructionDetails'
  | 'decisionBody'
  | 'decisionBodyLabel'
  | 'decisionType'
  | 'decisionTypeLabel'
  | 'existingZoning'
  | 'proposedZoning'
  | 'totalUnitCount'
  | 'unitMix'
  | 'acreage'
  | 'lotSizeSqft'
  | 'squareFootage'
  | 'floorCount'
  | 'buildingStories'
  | 'buildingHeightFeet'
  | 'bedroomCount'
  | 'parkingSpaces'
  | 'lotCount'
  | 'parties'
  | 'contacts'
  | 'companyEnrichment'
  | 'contactSummary'
  | 'decisions'
  | 'meetingDocuments'
  | 'rawText'
  | 'originalRawText'
  | 'originalRawTextTruncated'
  | 'actionType'
  | 'actionTypeLabel'
  | 'actionCategory'
  | 'actionCategoryLabel'
  | 'firstMeetingDate'
  | 'nextMeetingDate'
  | 'appearanceCount'
  | 'statusHistory'
  | 'caseNumbers'
  | 'conditionsOfApproval'
  | 'voteTotals'
  | 'staffRecommendation'
  | 'dataRichness'
  | 'derived'
  | 'parties.developer'
  | 'parties.applicant'
  | 'parties.builder'
  | 'parties.owner'
  | 'parties.contractor'
  | 'parties.architect';

export type Representation = 'compact' | 'standard' | 'full';

export type RequestType =
  | 'rezoning'
  | 'site_plan'
  | 'special_use_permit'
  | 'conditional_use_permit'
  | 'variance'
  | 'subdivision_plat'
  | 'planned_development'
  | 'comprehensive_plan_amendment'
  | 'annexation'
  | 'building_permit'
  | 'demolition_permit'
  | 'sign_permit'
  | 'design_review'
  | 'zoning_text_amendment'
  | 'development_agreement'
  | 'proffer_amendment'
  | 'landmark_designation'
  | 'property_disposition'
  | 'right_of_way_vacation'
  | 'franchise'
  | 'appeal'
  | 'other_request';

export type RestrictionKind = 'moratorium' | 'ban' | 'interim_ordinance';

export type RestrictionSort = 'lastUpdated' | 'adoptedOn' | 'ends';

export type RestrictionStatus = 'proposed' | 'in_force' | 'extended' | 'expired' | 'replaced' | 'rescinded' | 'rejected';

export type RunStatus = 'running' | 'completed' | 'refused' | 'failed' | 'already_running';

export type RunTrigger = 'manual' | 'scheduled';

export type SettableAlertStatus = 'active' | 'paused';

export type ShareMode = 'private' | 'team' | 'custom';

export type SnapshotFormat = 'ndjson' | 'parquet';

export type SnapshotStatus = 'queued' | 'building' | 'ready' | 'failed' | 'cancelled' | 'expired';

export type Sort =
  | 'meetingDate'
  | 'lastUpdated'
  | 'dataRichness'
  | 'totalUnitCount'
  | 'acreage'
  | 'meeting_date'
  | 'meeting_date_newest'
  | 'meeting_date_oldest'
  | 'updated_at'
  | 'data_richness'
  | 'units_highest'
  | 'units_lowest'
  | 'acres_highest'
  | 'acres_lowest';

export type StaffRecommendation = 'approval' | 'approval_with_conditions' | 'denial' | 'continuance' | 'none';

export type Statistic = 'count' | 'sum' | 'avg' | 'median' | 'min' | 'max';

export type Status =
  | 'approved'
  | 'approved_with_conditions'
  | 'recommended_approval'
  | 'recommended_denial'
  | 'denied'
  | 'continued'
  | 'tabled'
  | 'withdrawn'
  | 'pending'
  | 'unknown';

export type TaxonomyMatchMode = 'primary_only' | 'primary_or_secondary' | 'any';

export type Vote = 'yes' | 'no' | 'abstain' | 'absent' | 'recused';

export type VoteResult = 'unanimous' | 'split' | 'tie';

export type WebhookStatus = 'active' | 'disabled';

export type ZoneSide = 'inside' | 'outside';

export interface Cell {
  /** zoom/x/y of a web map (EPSG:3857) */
  tile: string;
  /** The middle of its projects; of a tile that holds none that was paid for, where records cost, the middle of the tile */
  latitude: number;
  longitude: number;
  count: number;
  /** Its projects by state, most first; those that state none are in `count` alone */
  states: {
    stateId: number;
    label: string;
    count: number;
  }[];
  /** In which most of them lie */
  county: string | null;
}

export interface Project {
  id: number;
  projectName: string | null;
  address: string | null;
  city: string | null;
  county: string | null;
  state: string | null;
  latitude: number | null;
  longitude: number | null;
  propertyType: string | null;
  propertyTypeLabel: string | null;
  status: string | null;
  statusLabel: string | null;
  meetingDate: string | null;
}

export interface MapProjectsData {
  /** What is looked at; around most matches where no view was asked for */
  view: {
    north: number;
    south: number;
    east: number;
    west: number;
  } | null;
  /** Around all matches; the same as `view` where one was asked for */
  extent: {
    north: number;
    south: number;
    east: number;
    west: number;
  } | null;
  matchCount: number;
  /** Matches in each of `areas`, in their order */
  areaCounts: number[];
  inView: number;
  /** Matches without a location: they are on no map */
  unlocated: number;
  tileZoom: number;
  cells: Cell[];
  projects: Project[];
}

export interface MapProjectsMeta {
  schemaVersion: string;
  requestId: string;
  creditsUsed: number;
  warnings: Warning[];
  appliedDefaults: Record<string, unknown>;
  appliedFilters: Record<string, unknown>;
}

export interface SearchProjectsDelivery {
  mode?: string;
  notPreviouslyExported: number;
  previouslyExported: number;
  updatedSinceExport: number;
  billed: number;
  notRebilled: number;
  ledgerApplied: boolean;
  excludedPreviouslyDelivered?: number;
  /** Of a repeated request: records that changed since and are left out, since your pool has not paid for their new version */
  changedSince?: number[];
}

export interface PageMeta {
  schemaVersion: string;
  requestId: string;
  representation: Representation;
  limit: number;
  offset: number;
  creditsUsed: number;
  creditsRemaining: number | null;
  pageCount: number;
  hasMore: boolean;
  total: number;
  matchCount: number;
  matchCountIsExact: boolean;
  matchCountBasis: string;
  delivery: SearchProjectsDelivery;
  trialTruncation?: {
    policy: 'trial_truncate';
    requested: number;
    delivered: number;
    creditsRemaining: number;
  };
  /** Where nothing matches: how many records the same search without one of its filters has */
  suggestions?: {
    without: string;
    matchCount: number;
  }[];
  warnings: Warning[];
  appliedDefaults: Record<string, unknown>;
  appliedFilters: Record<string, unknown>;
}

export interface ExportJob {
  id: string;
  exportJobId: string;
  status: ExportStatus;
  source: {
    alertId: string | null;
    listId: string | null;
    projectIds: number[] | null;
    filters: Record<string, unknown>;
  };
  createdAt: string;
  startedAt: string | null;
  readyAt: string | null;
  expiresAt: string | null;
  progress: {
    processed: number;
    total: number;
  };
  matchCount: number;
  truncated: boolean;
  rowCount: number | null;
  sizeBytes: number | null;
  sha256: string | null;
  creditsReserved: number;
  creditsCharged: number | null;
  creditsRefunded: number | null;
  contactCreditsReserved: number;
  contactCreditsCharged: number | null;
  pollUrl: string;
  downloadUrl: string;
  webExportsUrl: string;
  error: {
    code: string;
    message: string;
  } | null;
}

export interface Price {
  matchCount: number;
  matchCountIsExact: boolean;
  matchCountBasis: string;
  billableRecordCount: number;
  creditRate: number;
  creditsRequired: number;
  creditsRemaining: number | null;
  affordability: {
    affordable: boolean;
    maxAffordableRecords: number;
  };
  contacts?: {
    lookUps: number;
    creditsRequired: number;
    creditsRemaining: number | null;
  };
}

export interface CountProjectsMeta {
  schemaVersion: string;
  requestId: string;
  creditsUsed: number;
  delivery?: {
    mode: string;
    excludedPreviouslyDelivered: number;
  };
  warnings: Warning[];
  appliedDefaults: Record<string, unknown>;
  appliedFilters: Record<string, unknown>;
}

export interface GetProjectMeta {
  schemaVersion: string;
  requestId: string;
  representation: Representation;
  creditsUsed: number;
  creditsRemaining: number | null;
  delivery: SearchProjectsDelivery;
  warnings: Warning[];
}

export interface Document {
  meetingDocumentId: number;
  title: string | null;
  decisionBody: string | null;
  decisionBodyLabel: string | null;
  meetingDate: string | null;
  url: string | null;
}

export interface Evidence {
  field: QuotedField;
  /** As `GET /projects/{id}` shows it */
  value: unknown;
  /** Words of the document, letter for letter */
  quote: string;
  page: number | null;
  document: Document;
  /** Whether that document is a draft or adopted; null where the source does not say */
  documentVersion: DocumentVersion | null;
}

export interface GetProjectEvidenceMeta {
  schemaVersion: string;
  requestId: string;
  creditsUsed: number;
  creditsRemaining: number | null;
  delivery: SearchProjectsDelivery;
  warnings: Warning[];
}

export interface Field {
  name: string;
  /** As `GET /projects/{id}` shows it */
  before?: unknown;
  /** As `GET /projects/{id}` shows it */
  after?: unknown;
}

export interface Change {
  at: string;
  /** `contentRevision` that was replaced */
  fromRevision: string;
  toRevision: string;
  /** With `before` and `after` where your pool holds both revisions, or records are free; else the name alone */
  fields: Field[];
}

export interface GetProjectChangesData {
  id: number;
  current: {
    contentRevision: string;
    lastUpdated: string;
  };
  owned: {
    contentRevision: string;
    firstDeliveredAt: string;
    lastDeliveredAt: string;
  } | null;
  changed: boolean | null;
  fields: string[] | null;
  /** Since the oldest remembered revision that your pool holds; where records are free, all that are remembered */
  changes: Change[];
  nextRead: {
    billed: boolean;
    credits: number;
  };
}

export interface Row {
  /** Your own name of the row; comes back with it */
  ref?: string | null;
  /** Number of the parcel, as anybody writes it */
  parcelNumber?: string | null;
  /** Case or permit number, as anybody writes it */
  caseNumber?: string | null;
  /** Street address; city, state and ZIP code may follow */
  address?: string | null;
  /** City; one that the catalogue does not know narrows nothing */
  city?: string | null;
  /** County, by name or FIPS number */
  county?: string | null;
  /** State, by USPS abbreviation, name or FIPS number */
  state?: string | null;
  /** Degrees north (WGS 84) */
  latitude?: number | null;
  /** Degrees east */
  longitude?: number | null;
}

export interface MatchProjectsBody {
  /** Rows of your list; each names a parcel, case, address or point */
  rows: Row[];
  /** Candidates a row (default 1) */
  limit?: number;
  /** Candidates below this score do not count (default 0.8) */
  minScore?: number;
}

export interface Candidate {
  id: number;
  /** How surely the record is what the row names */
  score: number;
  /** What agrees, with or without a slip of the keyboard */
  reasons: MatchReason[];
  /** Whether your pool was delivered the record */
  held: boolean;
}

export interface MatchProjectsData {
  /** Of the row in the request */
  index: number;
  ref: string | null;
  /** Best first; on metered plans only records that your pool holds */
  candidates: Candidate[];
  /** Records of your licence that reach `minScore`, named or not */
  candidateCount: number;
}

export interface Sync {
  cursor: string;
  hasMore: boolean;
  watermark: string | null;
  highWater: string | null;
  emitted: number;
  pageSize: number;
  candidatesScanned: number;
  removed: {
    id: number;
    mergedInto: number | null;
    at: string;
  }[];
}

export interface SyncProjectsMeta {
  schemaVersion: string;
  requestId: string;
  representation: Representation;
  limit: number;
  creditsUsed: number;
  creditsRemaining: number | null;
  pageCount: number;
  sync: Sync;
  delivery: SearchProjectsDelivery;
  trialTruncation?: {
    policy: 'trial_truncate';
    requested: number;
    delivered: number;
    creditsRemaining: number;
  };
  warnings: Warning[];
  appliedDefaults: Record<string, unknown>;
  appliedFilters: Record<string, unknown>;
}

export interface Reading {
  /** Words of the sentence; those of several values follow one another, with commas */
  words: string;
  /** The filter that they became */
  filter: string;
  /** As `filters` has it */
  value: string | string[];
}

export interface InterpretSentenceData {
  filters: Record<string, unknown>;
  readings: Reading[];
  /** What filters do not know; an AI search may prove it */
  rest: string | null;
  /** What a search with these filters applies, defaults included */
  appliedFilters: Record<string, unknown>;
}

export interface AiSearchReading {
  /** Words of the question, as they stand in it */
  words: string;
  /** Names of the filters that they became */
  filters: string[];
}

export interface Wording {
  /** One of `criteria` */
  criterion: string;
  /** Other words for it, by which a language model looked for records; they prove nothing */
  wordings: string[];
}

export interface Interpretation {
  filters: Record<string, unknown>;
  readings: AiSearchReading[];
  criteria: string[];
  wordings: Wording[];
  exclusions: string[];
  warnings: string[];
}

export interface LandUse {
  type: string;
  typeLabel: string | null;
  subtype: string | null;
  subtypeLabel: string | null;
  assetClass: string | null;
  assetClassLabel: string | null;
  matchedOn: LandUseLevel[];
}

export interface Contact {
  name: string | null;
  role: string | null;
  company: string | null;
  title: string | null;
  email: string | null;
  emailSource: string | null;
  phone: string | null;
  phoneSource: string | null;
  linkedin: string | null;
  linkedinSource: string | null;
}

export interface CompanyEnrichment {
  name: string | null;
  website: string | null;
  linkedin: string | null;
  archetype: string | null;
  mainPhone: string | null;
}

export interface MatchEvidence {
  /** The words of the question that it proves */
  criterion: string;
  /** Stands in its source, letter by letter */
  quote: string;
  source: QuoteSource;
  /** Of a document */
  documentId: number | null;
  /** Of a field: its name in the record */
  field: string | null;
}

export interface Result {
  /** Project id; the same from load to load */
  id: number;
  /** Kind of record, such as `project` */
  recordType: string | null;
  /** Name of the project */
  projectName: string | null;
  /** The record on the map of this service */
  serviceLink: string;
  /** Ids of the records merged into this one, its own among them */
  mergedFrom: number[] | null;
  /** When the content last changed */
  lastUpdated: string;
  /** Date of the latest meeting; of a merged development the newest hearing that is not in the future */
  meetingDate: string | null;
  /** What the credit pool held of the record before this answer */
  delivery: {
    alreadyExported: boolean;
    updatedSinceExport: boolean | null;
    lastExportedAt: string | null;
    billed: boolean;
  };
  /** Street address */
  address: string | null;
  /** City */
  city: string | null;
  /** County */
  county: string | null;
  /** USPS abbreviation of the state */
  state: string | null;
  /** Degrees north */
  latitude: number | null;
  /** Degrees east */
  longitude: number | null;
  /** Inside an Opportunity Zone; null where that was not computed */
  inOpportunityZone: boolean | null;
  /** Inside a Special Flood Hazard Area; null where that was not computed */
  inFemaFloodZone: boolean | null;
  /** Building Type */
  propertyType: string | null;
  /** Label of propertyType */
  propertyTypeLabel: string | null;
  /** Every land use of the project, each once */
  landUses: LandUse[] | null;
  /** Entitlement status; `unknown` where no decision is recorded */
  status: string;
  /** Label of status */
  statusLabel: string | null;
  /** Name for people, where it differs from projectName */
  displayName: string | null;
  /** Description of the project; the status sentence where there is none */
  summary: string | null;
  /** The status in one sentence */
  statusSummary: string | null;
  /** Public meeting document of the latest appearance */
  sourceDocumentUrl: string | null;
  /** Id of that document, for `GET /documents/{id}` */
  meetingDocumentId: number | null;
  /** Names the content; equal content has an equal revision */
  contentRevision: string;
  /** FIPS number of the state */
  stateId: number | null;
  /** FIPS number of the county */
  countyId: number | null;
  /** GeoNames number of the city */
  cityId: number | null;
  /** ZIP code */
  zipCode: string | null;
  /** Numbers of the parcels */
  parcelNumbers: string[] | null;
  /** Second level of the Building Type */
  propertySubtype: string | null;
  /** Label of propertySubtype */
  propertySubtypeLabel: string | null;
  /** First known asset class, the third level */
  assetClass: string | null;
  /** Label of assetClass */
  assetClassLabel: string | null;
  /** The Building Types of the project, each with its role */
  classifications: {
    type: string;
    typeLabel: string | null;
    role: LandUseRole | null;
    roleLabel: string | null;
  }[];
  /** large, medium or small */
  projectSize: string | null;
  /** Label of projectSize */
  projectSizeLabel: string | null;
  /** A change of zoning is asked for */
  isRezone: boolean | null;
  /** What is applied for */
  requestType: string | null;
  /** Label of requestType */
  requestTypeLabel: string | null;
  /** Kind of construction */
  constructionType: string | null;
  /** Label of constructionType */
  constructionTypeLabel: string | null;
  /** Construction is likely to follow */
  isConstructionLead: boolean | null;
  /** Details of the construction are known */
  hasConstructionDetails: boolean | null;
  /** Body that decided */
  decisionBody: string | null;
  /** Label of decisionBody */
  decisionBodyLabel: string | null;
  /** Kind of decision */
  decisionType: string | null;
  /** Label of decisionType */
  decisionTypeLabel: string | null;
  /** Zoning today */
  existingZoning: string | null;
  /** Zoning asked for */
  proposedZoning: string | null;
  /** Dwelling units */
  totalUnitCount: number | null;
  /** Units by type */
  unitMix:
    | {
        unitType: string;
        count: number;
      }[]
    | null;
  /** Acres */
  acreage: number | null;
  /** Lot size in square feet */
  lotSizeSqft: number | null;
  /** Floor area in square feet */
  squareFootage: number | null;
  /** Floors */
  floorCount: number | null;
  /** Stories */
  buildingStories: number | null;
  /** Height in feet */
  buildingHeightFeet: number | null;
  /** Bedrooms */
  bedroomCount: number | null;
  /** Parking spaces */
  parkingSpaces: number | null;
  /** Buildable lots */
  lotCount: number | null;
  /** Companies and people that the filing names */
  parties:
    | {
        role: PartyRole;
        roleLabel: string | null;
        name: string;
      }[]
    | null;
  /** People; channels are null until Find Contact Info unlocked them */
  contacts: Contact[] | null;
  /** Companies; name and website on every plan, the rest on paid ones */
  companyEnrichment: CompanyEnrichment[] | null;
  /** How many contacts and channels there are */
  contactSummary: {
    contactCount: number;
    withEmail: number;
    withPhone: number;
    lowConfidenceWithheld: number;
    unlocked: boolean;
  };
  whyThisMatched: string;
  matchEvidence: MatchEvidence[];
  feedback: AnswerFeedback | null;
}

export interface RelatedRecord {
  id: number;
  projectName: string | null;
  city: string | null;
  state: string | null;
  /** Parts of the question that it meets, in its words; none if it only has some of their words, or speaks of them otherwise */
  meets: string[];
  /** Those that nothing of it is known to meet */
  misses: string[];
  /** Stands in its text, and says one of the parts; null if only its fields do */
  quote: string | null;
}

export interface Related {
  /** Records that may be related, at most 20 */
  count: number;
  /** Best first; where records cost credits, those that your pool holds as they are */
  records: RelatedRecord[];
}

export interface AiSearchData {
  id: string;
  status: AiSearchStatus;
  partialReason: PartialReason | null;
  query: string;
  filters: Record<string, unknown>;
  interpretation: Interpretation;
  limit: number;
  offset: number;
  progress: {
    candidates: number;
    screened: number;
    reviewed: number;
    confirmed: number;
  };
  matchCount: number | null;
  matchCountIsExact: boolean;
  results: Result[];
  related: Related | null;
  creditsReserved: number;
  creditsCharged: number;
  creditsRefunded: number;
  contactCreditsReserved: number;
  contactCreditsCharged: number;
  createdAt: string;
  startedAt: string | null;
  settledAt: string | null;
  expiresAt: string | null;
  pollUrl: string;
  error: {
    code: string;
    message: string;
  } | null;
}

export interface CreateAiSearchBody {
  /** The question, in plain words */
  query: string;
  /** What every record has to satisfy */
  filters?: Filters;
  /** Records at most; default 25 */
  limit?: number;
  /** Confirmed records to pass over */
  offset?: number;
  /** Refuse when more credits would be reserved for contacts: one for each record of `limit` */
  maxContactCredits?: number;
  /** `contacts` looks the contacts of the confirmed records up */
  include?: string | string[];
  notify?: {
    /** false: no mail when it is settled */
    email?: boolean;
  };
}

export interface JudgeAnswersBody {
  /** Records that answer the question */
  confirm?: number[];
  /** Records that do not: the next search for the question leaves them out */
  dismiss?: number[];
}

export interface JudgeAnswersData {
  id: string;
  /** Records that your team has confirmed for this question so far */
  confirmed: number;
  /** Those that it has dismissed */
  dismissed: number;
}

export interface ContactOptions {
  /** Withholds channels that are less certain */
  minConfidence?: number;
  /** Looks companies up, and no people */
  companyOnly?: boolean;
  /** Look-ups at most; the others are `notAttempted` */
  maxProjects?: number;
}

export interface CreateExportBody {
  /** An alert of yours: what it has matched and nobody dismissed; filters stay inside it */
  alertId?: string;
  /** A list that you may see; filters stay inside it */
  listId?: string;
  /** Ids of projects */
  projectIds?: number[];
  /** Filters, with `sort` and `order`; `{}` takes all of your licence */
  filters?: ExportFilters;
  /** Refuse when more credits would be reserved for records */
  maxCredits?: number;
  /** Refuse when more credits would be reserved for contacts */
  maxContactCredits?: number;
  /** `contacts` looks contacts up before the file is built; `derived` adds a column with what this service reads from the record */
  include?: string | string[];
  contactOptions?: ContactOptions;
}

export interface ListExportsMeta {
  schemaVersion: string;
  requestId: string;
  creditsUsed: number;
  limit: number;
  offset: number;
  pageCount: number;
  hasMore: boolean;
  total: number;
  warnings: Warning[];
}

export interface CreateSnapshotBody {
  /** Filters; without any, all of your licence */
  filters?: Filters;
  representation?: Representation;
  /** `derived`, with representation `full`: what this service reads from the record */
  include?: string | string[];
  /** `ndjson`: a line a record, as a search serves it; `parquet`: GeoParquet, a column a field */
  format?: SnapshotFormat;
  /** Of NDJSON: gzip unless asked otherwise */
  compression?: Compression;
  /** Of Parquet: 1.1 unless asked otherwise; 2.0 has the native type of geometries */
  geoparquet?: GeoParquet;
  /** Refuse when more credits would be reserved */
  maxCredits?: number;
}

export interface Snapshot {
  id: string;
  status: SnapshotStatus;
  source: {
    filters: Record<string, unknown>;
  };
  representation: Representation;
  /** What the records have besides the fields of the representation */
  include: 'derived'[];
  format: SnapshotFormat;
  compression: Compression | null;
  geoparquet: GeoParquet | null;
  createdAt: string;
  startedAt: string | null;
  readyAt: string | null;
  expiresAt: string | null;
  progress: {
    processed: number;
    total: number;
  };
  matchCount: number;
  recordCount: number | null;
  fileCount: number | null;
  sizeBytes: number | null;
  creditsReserved: number;
  creditsCharged: number | null;
  creditsRefunded: number | null;
  pollUrl: string;
  manifestUrl: string;
  error: {
    code: string;
    message: string;
  } | null;
}

export interface Restrictions {
  name: string;
  url: string;
  sizeBytes: number;
  sha256: string;
  /** Of restrictions */
  recordCount: number;
  on: string;
}

export interface SnapshotManifest {
  snapshotId: string;
  schemaVersion: string;
  /** JSON Schema of a record */
  schemaUrl: string;
  generation: number;
  /** The newest change or removal that the files reflect */
  asOf: string;
  filters: Record<string, unknown>;
  representation: Representation;
  /** What the records have besides the fields of the representation */
  include: 'derived'[];
  format: SnapshotFormat;
  recordCount: number;
  files: {
    name: string;
    url: string;
    sizeBytes: number;
    sha256: string;
    recordCount: number;
  }[];
  /** The restrictions of your licence, whatever the filters; `status` is that of the day `on`. Null where there are none */
  restrictions: Restrictions | null;
  sync: {
    /** A walk with the same filters goes on from here */
    cursor: string;
    /** That walk */
    url: string;
  };
}

export interface List {
  id: string;
  name: string;
  description: string | null;
  kind: ListKind;
  alertId: string | null;
  filters: Record<string, unknown> | null;
  polygon: number[][] | null;
  columns: RecordField[] | null;
  searchUrl: string | null;
  projectCount: number | null;
  share: {
    mode: ShareMode;
    userIds: number[];
    optOutUserIds: number[];
    members: {
      userId: number;
      name: string;
    }[];
  };
  createdBy: number;
  createdAt: string;
  updatedAt: string;
  /** Of a deleted one: until when it can be restored */
  restorableUntil?: string;
  results: {
    billable: {
      records: number;
      credits: number;
    };
  } | null;
}

export interface CreateListBody {
  /** What you call the list */
  name: string;
  description?: string | null;
  /** membership, filter or polygon; follows from what is sent where it is left out */
  kind?: string;
  /** Filters, with `sort` and `order` */
  filters?: OrderedFilters;
  /** A linear ring [[lng,lat],…] of 4 to 1000 vertices */
  polygon?: unknown;
  /** Names of fields of the record, or parties of one role (parties.developer), in the order of a table that shows the list */
  columns?: RecordField[] | null;
  /** Ids of projects */
  projectIds?: number[];
  share?: {
    mode?: ShareMode;
    userIds?: number[];
    optOutUserIds?: number[];
  };
}

export interface ChangeListBody {
  /** What you call the list */
  name?: string;
  description?: string | null;
  /** Filters, with `sort` and `order` */
  filters?: OrderedFilters;
  /** A linear ring [[lng,lat],…] of 4 to 1000 vertices */
  polygon?: unknown;
  /** Names of fields of the record, or parties of one role (parties.developer), in the order of a table that shows the list */
  columns?: RecordField[] | null;
  share?: {
    mode?: ShareMode;
    userIds?: number[];
    optOutUserIds?: number[];
  };
}

export interface NoteListProjectData {
  projectId: number;
  /** Why the project is in the list; there is none in the records of a list without notes */
  note: string | null;
}

export interface GetListResultsData {
  /** Project id; the same from load to load */
  id: number;
  /** Kind of record, such as `project` */
  recordType: string | null;
  /** Name of the project */
  projectName: string | null;
  /** The record on the map of this service */
  serviceLink: string;
  /** Ids of the records merged into this one, its own among them */
  mergedFrom: number[] | null;
  /** When the content last changed */
  lastUpdated: string;
  /** Date of the latest meeting; of a merged development the newest hearing that is not in the future */
  meetingDate: string | null;
  /** What the credit pool held of the record before this answer */
  delivery: {
    alreadyExported: boolean;
    updatedSinceExport: boolean | null;
    lastExportedAt: string | null;
    billed: boolean;
  };
  /** Street address */
  address: string | null;
  /** City */
  city: string | null;
  /** County */
  county: string | null;
  /** USPS abbreviation of the state */
  state: string | null;
  /** Degrees north */
  latitude: number | null;
  /** Degrees east */
  longitude: number | null;
  /** Inside an Opportunity Zone; null where that was not computed */
  inOpportunityZone: boolean | null;
  /** Inside a Special Flood Hazard Area; null where that was not computed */
  inFemaFloodZone: boolean | null;
  /** Building Type */
  propertyType: string | null;
  /** Label of propertyType */
  propertyTypeLabel: string | null;
  /** Every land use of the project, each once */
  landUses: LandUse[] | null;
  /** Entitlement status; `unknown` where no decision is recorded */
  status: string;
  /** Label of status */
  statusLabel: string | null;
  /** Why the project is in the list; there is none in the records of a list without notes */
  note?: string | null;
}

export interface GetListResultsGetListResultsData {
  /** Project id; the same from load to load */
  id: number;
  /** Kind of record, such as `project` */
  recordType: string | null;
  /** Name of the project */
  projectName: string | null;
  /** The record on the map of this service */
  serviceLink: string;
  /** Ids of the records merged into this one, its own among them */
  mergedFrom: number[] | null;
  /** When the content last changed */
  lastUpdated: string;
  /** Date of the latest meeting; of a merged development the newest hearing that is not in the future */
  meetingDate: string | null;
  /** What the credit pool held of the record before this answer */
  delivery: {
    alreadyExported: boolean;
    updatedSinceExport: boolean | null;
    lastExportedAt: string | null;
    billed: boolean;
  };
  /** Street address */
  address: string | null;
  /** City */
  city: string | null;
  /** County */
  county: string | null;
  /** USPS abbreviation of the state */
  state: string | null;
  /** Degrees north */
  latitude: number | null;
  /** Degrees east */
  longitude: number | null;
  /** Inside an Opportunity Zone; null where that was not computed */
  inOpportunityZone: boolean | null;
  /** Inside a Special Flood Hazard Area; null where that was not computed */
  inFemaFloodZone: boolean | null;
  /** Building Type */
  propertyType: string | null;
  /** Label of propertyType */
  propertyTypeLabel: string | null;
  /** Every land use of the project, each once */
  landUses: LandUse[] | null;
  /** Entitlement status; `unknown` where no decision is recorded */
  status: string;
  /** Label of status */
  statusLabel: string | null;
  /** Name for people, where it differs from projectName */
  displayName: string | null;
  /** Description of the project; the status sentence where there is none */
  summary: string | null;
  /** The status in one sentence */
  statusSummary: string | null;
  /** Public meeting document of the latest appearance */
  sourceDocumentUrl: string | null;
  /** Id of that document, for `GET /documents/{id}` */
  meetingDocumentId: number | null;
  /** Names the content; equal content has an equal revision */
  contentRevision: string;
  /** FIPS number of the state */
  stateId: number | null;
  /** FIPS number of the county */
  countyId: number | null;
  /** GeoNames number of the city */
  cityId: number | null;
  /** ZIP code */
  zipCode: string | null;
  /** Numbers of the parcels */
  parcelNumbers: string[] | null;
  /** Second level of the Building Type */
  propertySubtype: string | null;
  /** Label of propertySubtype */
  propertySubtypeLabel: string | null;
  /** First known asset class, the third level */
  assetClass: string | null;
  /** Label of assetClass */
  assetClassLabel: string | null;
  /** The Building Types of the project, each with its role */
  classifications: {
    type: string;
    typeLabel: string | null;
    role: LandUseRole | null;
    roleLabel: string | null;
  }[];
  /** large, medium or small */
  projectSize: string | null;
  /** Label of projectSize */
  projectSizeLabel: string | null;
  /** A change of zoning is asked for */
  isRezone: boolean | null;
  /** What is applied for */
  requestType: string | null;
  /** Label of requestType */
  requestTypeLabel: string | null;
  /** Kind of construction */
  constructionType: string | null;
  /** Label of constructionType */
  constructionTypeLabel: string | null;
  /** Construction is likely to follow */
  isConstructionLead: boolean | null;
  /** Details of the construction are known */
  hasConstructionDetails: boolean | null;
  /** Body that decided */
  decisionBody: string | null;
  /** Label of decisionBody */
  decisionBodyLabel: string | null;
  /** Kind of decision */
  decisionType: string | null;
  /** Label of decisionType */
  decisionTypeLabel: string | null;
  /** Zoning today */
  existingZoning: string | null;
  /** Zoning asked for */
  proposedZoning: string | null;
  /** Dwelling units */
  totalUnitCount: number | null;
  /** Units by type */
  unitMix:
    | {
        unitType: string;
        count: number;
      }[]
    | null;
  /** Acres */
  acreage: number | null;
  /** Lot size in square feet */
  lotSizeSqft: number | null;
  /** Floor area in square feet */
  squareFootage: number | null;
  /** Floors */
  floorCount: number | null;
  /** Stories */
  buildingStories: number | null;
  /** Height in feet */
  buildingHeightFeet: number | null;
  /** Bedrooms */
  bedroomCount: number | null;
  /** Parking spaces */
  parkingSpaces: number | null;
  /** Buildable lots */
  lotCount: number | null;
  /** Companies and people that the filing names */
  parties:
    | {
        role: PartyRole;
        roleLabel: string | null;
        name: string;
      }[]
    | null;
  /** People; channels are null until Find Contact Info unlocked them */
  contacts: Contact[] | null;
  /** Companies; name and website on every plan, the rest on paid ones */
  companyEnrichment: CompanyEnrichment[] | null;
  /** How many contacts and channels there are */
  contactSummary: {
    contactCount: number;
    withEmail: number;
    withPhone: number;
    lowConfidenceWithheld: number;
    unlocked: boolean;
  };
  /** Why the project is in the list; there is none in the records of a list without notes */
  note?: string | null;
}

export interface Decision {
  decisionBody: string | null;
  decisionBodyLabel: string | null;
  decisionType: string | null;
  decisionTypeLabel: string | null;
  status: string | null;
  statusLabel: string | null;
  meetingDate: string;
  motion: string | null;
  votes:
    | {
        name: string;
        vote: Vote;
        voteLabel: string | null;
      }[]
    | null;
}

export interface StatusHistory {
  status: string;
  statusLabel: string | null;
  date: string;
  decisionBody: string | null;
  decisionBodyLabel: string | null;
}

export interface Derived {
  staffRecommendation: StaffRecommendation | null;
  voteResult: VoteResult | null;
  outcome: Outcome | null;
  outcomeSince: string | null;
  daysInProcess: number | null;
  rule: OutcomeRule;
  locationDoubtful: boolean;
}

export interface GetListResultsGetListResultsDataPart {
  /** Project id; the same from load to load */
  id: number;
  /** Kind of record, such as `project` */
  recordType: string | null;
  /** Name of the project */
  projectName: string | null;
  /** The record on the map of this service */
  serviceLink: string;
  /** Ids of the records merged into this one, its own among them */
  mergedFrom: number[] | null;
  /** When the content last changed */
  lastUpdated: string;
  /** Date of the latest meeting; of a merged development the newest hearing that is not in the future */
  meetingDate: string | null;
  /** What the credit pool held of the record before this answer */
  delivery: {
    alreadyExported: boolean;
    updatedSinceExport: boolean | null;
    lastExportedAt: string | null;
    billed: boolean;
  };
  /** Street address */
  address: string | null;
  /** City */
  city: string | null;
  /** County */
  county: string | null;
  /** USPS abbreviation of the state */
  state: string | null;
  /** Degrees north */
  latitude: number | null;
  /** Degrees east */
  longitude: number | null;
  /** Inside an Opportunity Zone; null where that was not computed */
  inOpportunityZone: boolean | null;
  /** Inside a Special Flood Hazard Area; null where that was not computed */
  inFemaFloodZone: boolean | null;
  /** Building Type */
  propertyType: string | null;
  /** Label of propertyType */
  propertyTypeLabel: string | null;
  /** Every land use of the project, each once */
  landUses: LandUse[] | null;
  /** Entitlement status; `unknown` where no decision is recorded */
  status: string;
  /** Label of status */
  statusLabel: string | null;
  /** Name for people, where it differs from projectName */
  displayName: string | null;
  /** Description of the project; the status sentence where there is none */
  summary: string | null;
  /** The status in one sentence */
  statusSummary: string | null;
  /** Public meeting document of the latest appearance */
  sourceDocumentUrl: string | null;
  /** Id of that document, for `GET /documents/{id}` */
  meetingDocumentId: number | null;
  /** Names the content; equal content has an equal revision */
  contentRevision: string;
  /** FIPS number of the state */
  stateId: number | null;
  /** FIPS number of the county */
  countyId: number | null;
  /** GeoNames number of the city */
  cityId: number | null;
  /** ZIP code */
  zipCode: string | null;
  /** Numbers of the parcels */
  parcelNumbers: string[] | null;
  /** Second level of the Building Type */
  propertySubtype: string | null;
  /** Label of propertySubtype */
  propertySubtypeLabel: string | null;
  /** First known asset class, the third level */
  assetClass: string | null;
  /** Label of assetClass */
  assetClassLabel: string | null;
  /** The Building Types of the project, each with its role */
  classifications: {
    type: string;
    typeLabel: string | null;
    role: LandUseRole | null;
    roleLabel: string | null;
  }[];
  /** large, medium or small */
  projectSize: string | null;
  /** Label of projectSize */
  projectSizeLabel: string | null;
  /** A change of zoning is asked for */
  isRezone: boolean | null;
  /** What is applied for */
  requestType: string | null;
  /** Label of requestType */
  requestTypeLabel: string | null;
  /** Kind of construction */
  constructionType: string | null;
  /** Label of constructionType */
  constructionTypeLabel: string | null;
  /** Construction is likely to follow */
  isConstructionLead: boolean | null;
  /** Details of the construction are known */
  hasConstructionDetails: boolean | null;
  /** Body that decided */
  decisionBody: string | null;
  /** Label of decisionBody */
  decisionBodyLabel: string | null;
  /** Kind of decision */
  decisionType: string | null;
  /** Label of decisionType */
  decisionTypeLabel: string | null;
  /** Zoning today */
  existingZoning: string | null;
  /** Zoning asked for */
  proposedZoning: string | null;
  /** Dwelling units */
  totalUnitCount: number | null;
  /** Units by type */
  unitMix:
    | {
        unitType: string;
        count: number;
      }[]
    | null;
  /** Acres */
  acreage: number | null;
  /** Lot size in square feet */
  lotSizeSqft: number | null;
  /** Floor area in square feet */
  squareFootage: number | null;
  /** Floors */
  floorCount: number | null;
  /** Stories */
  buildingStories: number | null;
  /** Height in feet */
  buildingHeightFeet: number | null;
  /** Bedrooms */
  bedroomCount: number | null;
  /** Parking spaces */
  parkingSpaces: number | null;
  /** Buildable lots */
  lotCount: number | null;
  /** Companies and people that the filing names */
  parties:
    | {
        role: PartyRole;
        roleLabel: string | null;
        name: string;
      }[]
    | null;
  /** People; channels are null until Find Contact Info unlocked them */
  contacts: Contact[] | null;
  /** Companies; name and website on every plan, the rest on paid ones */
  companyEnrichment: CompanyEnrichment[] | null;
  /** How many contacts and channels there are */
  contactSummary: {
    contactCount: number;
    withEmail: number;
    withPhone: number;
    lowConfidenceWithheld: number;
    unlocked: boolean;
  };
  /** Decisions with their named votes */
  decisions: Decision[] | null;
  /** Documents of its meetings */
  meetingDocuments: Document[] | null;
  /** Text of the minutes that speaks of the project */
  rawText: string | null;
  /** That text as it was extracted */
  originalRawText: string | null;
  /** The original text was longer */
  originalRawTextTruncated: boolean | null;
  /** Type of action */
  actionType: string | null;
  /** Label of actionType */
  actionTypeLabel: string | null;
  /** Category of action */
  actionCategory: string | null;
  /** Label of actionCategory */
  actionCategoryLabel: string | null;
  /** Date of the first meeting */
  firstMeetingDate: string | null;
  /** Date of the next meeting */
  nextMeetingDate: string | null;
  /** Meetings at which the project appeared */
  appearanceCount: number | null;
  /** Statuses over time */
  statusHistory: StatusHistory[] | null;
  /** Case numbers */
  caseNumbers: string[] | null;
  /** Conditions of the approval */
  conditionsOfApproval: string[] | null;
  /** Votes of the latest decision */
  voteTotals: {
    yes: number | null;
    no: number | null;
    abstain: number | null;
    absent: number | null;
  } | null;
  /** What staff recommended */
  staffRecommendation: string | null;
  /** Share of the attributes that the record states, in percent */
  dataRichness: number;
  /** Only with `include=derived`: what this service reads from the record, such as outcome, staff recommendation, vote and days in process */
  derived?: Derived;
  /** Why the project is in the list; there is none in the records of a list without notes */
  note?: string | null;
}

export interface GetListResultsGetListResultsDataPartPart {
  kind: 'filter' | 'polygon';
  filters: Record<string, unknown> | null;
  polygon: number[][] | null;
  searchUrl: string;
}

export interface GetListResultsMeta {
  schemaVersion: string;
  requestId: string;
  representation?: Representation;
  limit?: number;
  offset?: number;
  creditsUsed?: number;
  creditsRemaining?: number | null;
  pageCount?: number;
  hasMore?: boolean;
  total?: number;
  matchCount?: number;
  matchCountIsExact?: boolean;
  matchCountBasis?: string;
  delivery?: SearchProjectsDelivery;
  trialTruncation?: {
    policy: 'trial_truncate';
    requested: number;
    delivered: number;
    creditsRemaining: number;
  };
  /** Where nothing matches: how many records the same search without one of its filters has */
  suggestions?: {
    without: string;
    matchCount: number;
  }[];
  warnings?: Warning[];
  appliedDefaults?: Record<string, unknown>;
  appliedFilters?: Record<string, unknown>;
}

export interface Cadence {
  frequency: Frequency;
  /** Of a weekly alert: 1 Monday (default) to 7 Sunday */
  weekday: number | null;
  /** Of a monthly alert, default 1 */
  day: number | null;
  /** Also at 06:00 on each day before a hearing (`nextMeetingDate`) of a record that it matches; default false */
  beforeHearings: boolean;
}

export interface Share {
  mode: ShareMode;
  userIds: number[];
  optOutUserIds: number[];
  members: {
    userId: number;
    name: string;
    email: string | null;
  }[];
}

export interface Notify {
  email: boolean;
  emailTo: string[];
  /** Whom it mails to; of a single alert */
  recipients?: {
    address: string;
    state: RecipientState;
    since: string;
  }[];
}

export interface Alert {
  id: string;
  name: string;
  status: AlertStatus;
  filters: Record<string, unknown>;
  specificRequirement: string | null;
  cadence: Cadence;
  nextRunAt: string | null;
  lastRunAt: string | null;
  share: Share;
  notify: Notify;
  maxRecordsPerRun: number;
  maxCredits: number | null;
  includeNewlyRead: boolean;
  listId: string;
  problems:
    | {
        param: string | null;
        code: string;
        message: string;
      }[]
    | null;
  createdBy: number;
  createdAt: string;
  updatedAt: string;
  /** Of a deleted one: until when it can be restored */
  restorableUntil?: string;
}

export interface ListAlertsMeta {
  schemaVersion: string;
  requestId: string;
  creditsUsed: number;
  limit: number;
  offset: number;
  pageCount: number;
  hasMore: boolean;
  total: number;
  warnings: Warning[];
  activeAlerts: number;
  maxActiveAlerts: number;
}

export interface CreateAlertCadence {
  frequency?: Frequency;
  /** Of a weekly alert: 1 Monday (default) to 7 Sunday */
  weekday?: number | null;
  /** Of a monthly alert, default 1 */
  day?: number | null;
  /** Also at 06:00 on each day before a hearing (`nextMeetingDate`) of a record that it matches; default false */
  beforeHearings?: boolean;
}

export interface CreateAlertNotify {
  /** false silences the digests of members */
  email?: boolean;
  /** Further addresses; outside the team each confirms once */
  emailTo?: string[];
}

export interface CreateAlertBody {
  /** What you call it; digests have it as their subject */
  name: string;
  /** What it looks for */
  filters?: OrderedFilters;
  cadence?: CreateAlertCadence;
  share?: {
    mode?: ShareMode;
    userIds?: number[];
    optOutUserIds?: number[];
  };
  notify?: CreateAlertNotify;
  /** Default 100 */
  maxRecordsPerRun?: number;
  budget?: {
    /** Default 100 */
    maxRecordsPerRun?: number;
  };
  /** A run that would cost more is refused */
  maxCredits?: number | null;
  /** Whether it delivers old cases that are newly read (`newly_read`); default true */
  includeNewlyRead?: boolean;
  specificRequirement?: string | null;
  status?: SettableAlertStatus;
}

export interface CreateAlertMeta {
  schemaVersion: string;
  requestId: string;
  creditsUsed: number;
  warnings: Warning[];
  appliedDefaults: Record<string, unknown>;
  appliedFilters: Record<string, unknown>;
  addedMembers?: number[];
}

export interface ChangeAlertNotify {
  /** false silences the digests of members */
  email?: boolean;
  /** Further addresses; outside the team each confirms once */
  emailTo?: string[];
  /** Mails to you, which you stopped by a link, go on */
  resume?: boolean;
}

export interface ChangeAlertBody {
  /** What you call it; digests have it as their subject */
  name?: string;
  /** What it looks for */
  filters?: OrderedFilters;
  cadence?: CreateAlertCadence;
  share?: {
    mode?: ShareMode;
    userIds?: number[];
    optOutUserIds?: number[];
  };
  notify?: ChangeAlertNotify;
  /** Default 100 */
  maxRecordsPerRun?: number;
  budget?: {
    /** Default 100 */
    maxRecordsPerRun?: number;
  };
  /** A run that would cost more is refused */
  maxCredits?: number | null;
  /** Whether it delivers old cases that are newly read (`newly_read`); default true */
  includeNewlyRead?: boolean;
  specificRequirement?: string | null;
  status?: SettableAlertStatus;
}

export interface PreviewAlertData {
  matchCount: number;
  /** false where the numbers are the most there can be: too much would have to be judged */
  matchCountIsExact: boolean;
  wouldDeliver: number;
  billableRecordCount: number;
  creditRate: number;
  creditsRequired: number;
  creditsRemaining: number | null;
  affordability: {
    affordable: boolean;
    maxAffordableRecords: number;
  };
}

export interface PreviewAlertWithBody {
  /** What you call it; digests have it as their subject */
  name?: string;
  /** What it looks for */
  filters?: OrderedFilters;
  cadence?: CreateAlertCadence;
  share?: {
    mode?: ShareMode;
    userIds?: number[];
    optOutUserIds?: number[];
  };
  notify?: CreateAlertNotify;
  /** Default 100 */
  maxRecordsPerRun?: number;
  budget?: {
    /** Default 100 */
    maxRecordsPerRun?: number;
  };
  /** A run that would cost more is refused */
  maxCredits?: number | null;
  /** Whether it delivers old cases that are newly read (`newly_read`); default true */
  includeNewlyRead?: boolean;
  specificRequirement?: string | null;
  status?: SettableAlertStatus;
}

export interface AlertDelivery {
  deliveryId: string;
  alertId: string;
  trigger: RunTrigger;
  status: RunStatus;
  records: number;
  newRecords: number;
  changedRecords: number;
  /** Old cases that are newly read; not among newRecords */
  newlyReadRecords: number;
  /** Which fields changed in those, by name */
  changedFields: string[];
  /** Left for the next run; with a specificRequirement also what was not judged yet */
  moreMatched: number;
  creditsCharged: number;
  startedAt: string;
  finishedAt: string | null;
  /** Why it was refused or failed; alert_nl_enrichment_failed: it went by the filters alone */
  reason: string | null;
  unconfirmed: {
    filters: string[];
    records: number | null;
  } | null;
  matchesUrl: string;
}

export interface RunAlertMeta {
  schemaVersion: string;
  requestId: string;
  creditsUsed: number;
  manualRuns: {
    limit: number;
    used: number;
    resetsAt: string;
  };
  warnings: Warning[];
}

export interface ListAlertMatchesData {
  /** Project id; the same from load to load */
  id: number;
  /** Kind of record, such as `project` */
  recordType: string | null;
  /** Name of the project */
  projectName: string | null;
  /** The record on the map of this service */
  serviceLink: string;
  /** Ids of the records merged into this one, its own among them */
  mergedFrom: number[] | null;
  /** When the content last changed */
  lastUpdated: string;
  /** Date of the latest meeting; of a merged development the newest hearing that is not in the future */
  meetingDate: string | null;
  /** What the credit pool held of the record before this answer */
  delivery: {
    alreadyExported: boolean;
    updatedSinceExport: boolean | null;
    lastExportedAt: string | null;
    billed: boolean;
  };
  /** Street address */
  address: string | null;
  /** City */
  city: string | null;
  /** County */
  county: string | null;
  /** USPS abbreviation of the state */
  state: string | null;
  /** Degrees north */
  latitude: number | null;
  /** Degrees east */
  longitude: number | null;
  /** Inside an Opportunity Zone; null where that was not computed */
  inOpportunityZone: boolean | null;
  /** Inside a Special Flood Hazard Area; null where that was not computed */
  inFemaFloodZone: boolean | null;
  /** Building Type */
  propertyType: string | null;
  /** Label of propertyType */
  propertyTypeLabel: string | null;
  /** Every land use of the project, each once */
  landUses: LandUse[] | null;
  /** Entitlement status; `unknown` where no decision is recorded */
  status: string;
  /** Label of status */
  statusLabel: string | null;
  deliveryId: string;
  dismissed: boolean;
  whyThisMatched: string | null;
  matchEvidence: MatchEvidence[] | null;
  /** Fields that changed since the alert delivered the record before; null of a new record, and where that is too long ago */
  changedFields: string[] | null;
  /** Why it was delivered; null of what was delivered before the service told */
  newBecause: NewBecause | null;
}

export interface ListAlertMatchesListAlertMatchesData {
  /** Project id; the same from load to load */
  id: number;
  /** Kind of record, such as `project` */
  recordType: string | null;
  /** Name of the project */
  projectName: string | null;
  /** The record on the map of this service */
  serviceLink: string;
  /** Ids of the records merged into this one, its own among them */
  mergedFrom: number[] | null;
  /** When the content last changed */
  lastUpdated: string;
  /** Date of the latest meeting; of a merged development the newest hearing that is not in the future */
  meetingDate: string | null;
  /** What the credit pool held of the record before this answer */
  delivery: {
    alreadyExported: boolean;
    updatedSinceExport: boolean | null;
    lastExportedAt: string | null;
    billed: boolean;
  };
  /** Street address */
  address: string | null;
  /** City */
  city: string | null;
  /** County */
  county: string | null;
  /** USPS abbreviation of the state */
  state: string | null;
  /** Degrees north */
  latitude: number | null;
  /** Degrees east */
  longitude: number | null;
  /** Inside an Opportunity Zone; null where that was not computed */
  inOpportunityZone: boolean | null;
  /** Inside a Special Flood Hazard Area; null where that was not computed */
  inFemaFloodZone: boolean | null;
  /** Building Type */
  propertyType: string | null;
  /** Label of propertyType */
  propertyTypeLabel: string | null;
  /** Every land use of the project, each once */
  landUses: LandUse[] | null;
  /** Entitlement status; `unknown` where no decision is recorded */
  status: string;
  /** Label of status */
  statusLabel: string | null;
  /** Name for people, where it differs from projectName */
  displayName: string | null;
  /** Description of the project; the status sentence where there is none */
  summary: string | null;
  /** The status in one sentence */
  statusSummary: string | null;
  /** Public meeting document of the latest appearance */
  sourceDocumentUrl: string | null;
  /** Id of that document, for `GET /documents/{id}` */
  meetingDocumentId: number | null;
  /** Names the content; equal content has an equal revision */
  contentRevision: string;
  /** FIPS number of the state */
  stateId: number | null;
  /** FIPS number of the county */
  countyId: number | null;
  /** GeoNames number of the city */
  cityId: number | null;
  /** ZIP code */
  zipCode: string | null;
  /** Numbers of the parcels */
  parcelNumbers: string[] | null;
  /** Second level of the Building Type */
  propertySubtype: string | null;
  /** Label of propertySubtype */
  propertySubtypeLabel: string | null;
  /** First known asset class, the third level */
  assetClass: string | null;
  /** Label of assetClass */
  assetClassLabel: string | null;
  /** The Building Types of the project, each with its role */
  classifications: {
    type: string;
    typeLabel: string | null;
    role: LandUseRole | null;
    roleLabel: string | null;
  }[];
  /** large, medium or small */
  projectSize: string | null;
  /** Label of projectSize */
  projectSizeLabel: string | null;
  /** A change of zoning is asked for */
  isRezone: boolean | null;
  /** What is applied for */
  requestType: string | null;
  /** Label of requestType */
  requestTypeLabel: string | null;
  /** Kind of construction */
  constructionType: string | null;
  /** Label of constructionType */
  constructionTypeLabel: string | null;
  /** Construction is likely to follow */
  isConstructionLead: boolean | null;
  /** Details of the construction are known */
  hasConstructionDetails: boolean | null;
  /** Body that decided */
  decisionBody: string | null;
  /** Label of decisionBody */
  decisionBodyLabel: string | null;
  /** Kind of decision */
  decisionType: string | null;
  /** Label of decisionType */
  decisionTypeLabel: string | null;
  /** Zoning today */
  existingZoning: string | null;
  /** Zoning asked for */
  proposedZoning: string | null;
  /** Dwelling units */
  totalUnitCount: number | null;
  /** Units by type */
  unitMix:
    | {
        unitType: string;
        count: number;
      }[]
    | null;
  /** Acres */
  acreage: number | null;
  /** Lot size in square feet */
  lotSizeSqft: number | null;
  /** Floor area in square feet */
  squareFootage: number | null;
  /** Floors */
  floorCount: number | null;
  /** Stories */
  buildingStories: number | null;
  /** Height in feet */
  buildingHeightFeet: number | null;
  /** Bedrooms */
  bedroomCount: number | null;
  /** Parking spaces */
  parkingSpaces: number | null;
  /** Buildable lots */
  lotCount: number | null;
  /** Companies and people that the filing names */
  parties:
    | {
        role: PartyRole;
        roleLabel: string | null;
        name: string;
      }[]
    | null;
  /** People; channels are null until Find Contact Info unlocked them */
  contacts: Contact[] | null;
  /** Companies; name and website on every plan, the rest on paid ones */
  companyEnrichment: CompanyEnrichment[] | null;
  /** How many contacts and channels there are */
  contactSummary: {
    contactCount: number;
    withEmail: number;
    withPhone: number;
    lowConfidenceWithheld: number;
    unlocked: boolean;
  };
  deliveryId: string;
  dismissed: boolean;
  whyThisMatched: string | null;
  matchEvidence: MatchEvidence[] | null;
  /** Fields that changed since the alert delivered the record before; null of a new record, and where that is too long ago */
  changedFields: string[] | null;
  /** Why it was delivered; null of what was delivered before the service told */
  newBecause: NewBecause | null;
}

export interface ListAlertMatchesListAlertMatchesDataPart {
  /** Project id; the same from load to load */
  id: number;
  /** Kind of record, such as `project` */
  recordType: string | null;
  /** Name of the project */
  projectName: string | null;
  /** The record on the map of this service */
  serviceLink: string;
  /** Ids of the records merged into this one, its own among them */
  mergedFrom: number[] | null;
  /** When the content last changed */
  lastUpdated: string;
  /** Date of the latest meeting; of a merged development the newest hearing that is not in the future */
  meetingDate: string | null;
  /** What the credit pool held of the record before this answer */
  delivery: {
    alreadyExported: boolean;
    updatedSinceExport: boolean | null;
    lastExportedAt: string | null;
    billed: boolean;
  };
  /** Street address */
  address: string | null;
  /** City */
  city: string | null;
  /** County */
  county: string | null;
  /** USPS abbreviation of the state */
  state: string | null;
  /** Degrees north */
  latitude: number | null;
  /** Degrees east */
  longitude: number | null;
  /** Inside an Opportunity Zone; null where that was not computed */
  inOpportunityZone: boolean | null;
  /** Inside a Special Flood Hazard Area; null where that was not computed */
  inFemaFloodZone: boolean | null;
  /** Building Type */
  propertyType: string | null;
  /** Label of propertyType */
  propertyTypeLabel: string | null;
  /** Every land use of the project, each once */
  landUses: LandUse[] | null;
  /** Entitlement status; `unknown` where no decision is recorded */
  status: string;
  /** Label of status */
  statusLabel: string | null;
  /** Name for people, where it differs from projectName */
  displayName: string | null;
  /** Description of the project; the status sentence where there is none */
  summary: string | null;
  /** The status in one sentence */
  statusSummary: string | null;
  /** Public meeting document of the latest appearance */
  sourceDocumentUrl: string | null;
  /** Id of that document, for `GET /documents/{id}` */
  meetingDocumentId: number | null;
  /** Names the content; equal content has an equal revision */
  contentRevision: string;
  /** FIPS number of the state */
  stateId: number | null;
  /** FIPS number of the county */
  countyId: number | null;
  /** GeoNames number of the city */
  cityId: number | null;
  /** ZIP code */
  zipCode: string | null;
  /** Numbers of the parcels */
  parcelNumbers: string[] | null;
  /** Second level of the Building Type */
  propertySubtype: string | null;
  /** Label of propertySubtype */
  propertySubtypeLabel: string | null;
  /** First known asset class, the third level */
  assetClass: string | null;
  /** Label of assetClass */
  assetClassLabel: string | null;
  /** The Building Types of the project, each with its role */
  classifications: {
    type: string;
    typeLabel: string | null;
    role: LandUseRole | null;
    roleLabel: string | null;
  }[];
  /** large, medium or small */
  projectSize: string | null;
  /** Label of projectSize */
  projectSizeLabel: string | null;
  /** A change of zoning is asked for */
  isRezone: boolean | null;
  /** What is applied for */
  requestType: string | null;
  /** Label of requestType */
  requestTypeLabel: string | null;
  /** Kind of construction */
  constructionType: string | null;
  /** Label of constructionType */
  constructionTypeLabel: string | null;
  /** Construction is likely to follow */
  isConstructionLead: boolean | null;
  /** Details of the construction are known */
  hasConstructionDetails: boolean | null;
  /** Body that decided */
  decisionBody: string | null;
  /** Label of decisionBody */
  decisionBodyLabel: string | null;
  /** Kind of decision */
  decisionType: string | null;
  /** Label of decisionType */
  decisionTypeLabel: string | null;
  /** Zoning today */
  existingZoning: string | null;
  /** Zoning asked for */
  proposedZoning: string | null;
  /** Dwelling units */
  totalUnitCount: number | null;
  /** Units by type */
  unitMix:
    | {
        unitType: string;
        count: number;
      }[]
    | null;
  /** Acres */
  acreage: number | null;
  /** Lot size in square feet */
  lotSizeSqft: number | null;
  /** Floor area in square feet */
  squareFootage: number | null;
  /** Floors */
  floorCount: number | null;
  /** Stories */
  buildingStories: number | null;
  /** Height in feet */
  buildingHeightFeet: number | null;
  /** Bedrooms */
  bedroomCount: number | null;
  /** Parking spaces */
  parkingSpaces: number | null;
  /** Buildable lots */
  lotCount: number | null;
  /** Companies and people that the filing names */
  parties:
    | {
        role: PartyRole;
        roleLabel: string | null;
        name: string;
      }[]
    | null;
  /** People; channels are null until Find Contact Info unlocked them */
  contacts: Contact[] | null;
  /** Companies; name and website on every plan, the rest on paid ones */
  companyEnrichment: CompanyEnrichment[] | null;
  /** How many contacts and channels there are */
  contactSummary: {
    contactCount: number;
    withEmail: number;
    withPhone: number;
    lowConfidenceWithheld: number;
    unlocked: boolean;
  };
  /** Decisions with their named votes */
  decisions: Decision[] | null;
  /** Documents of its meetings */
  meetingDocuments: Document[] | null;
  /** Text of the minutes that speaks of the project */
  rawText: string | null;
  /** That text as it was extracted */
  originalRawText: string | null;
  /** The original text was longer */
  originalRawTextTruncated: boolean | null;
  /** Type of action */
  actionType: string | null;
  /** Label of actionType */
  actionTypeLabel: string | null;
  /** Category of action */
  actionCategory: string | null;
  /** Label of actionCategory */
  actionCategoryLabel: string | null;
  /** Date of the first meeting */
  firstMeetingDate: string | null;
  /** Date of the next meeting */
  nextMeetingDate: string | null;
  /** Meetings at which the project appeared */
  appearanceCount: number | null;
  /** Statuses over time */
  statusHistory: StatusHistory[] | null;
  /** Case numbers */
  caseNumbers: string[] | null;
  /** Conditions of the approval */
  conditionsOfApproval: string[] | null;
  /** Votes of the latest decision */
  voteTotals: {
    yes: number | null;
    no: number | null;
    abstain: number | null;
    absent: number | null;
  } | null;
  /** What staff recommended */
  staffRecommendation: string | null;
  /** Share of the attributes that the record states, in percent */
  dataRichness: number;
  deliveryId: string;
  dismissed: boolean;
  whyThisMatched: string | null;
  matchEvidence: MatchEvidence[] | null;
  /** Fields that changed since the alert delivered the record before; null of a new record, and where that is too long ago */
  changedFields: string[] | null;
  /** Why it was delivered; null of what was delivered before the service told */
  newBecause: NewBecause | null;
}

export interface ListAlertMatchesMeta {
  schemaVersion: string;
  requestId: string;
  creditsUsed: number;
  limit: number;
  offset: number;
  pageCount: number;
  hasMore: boolean;
  total: number;
  warnings: Warning[];
  representation: Representation;
}

export interface CreateAlertFeedData {
  id: string;
  /** In this answer only; null where an Idempotency-Key repeats it */
  rssUrl: string | null;
  /** In this answer only; null where an Idempotency-Key repeats it */
  jsonUrl: string | null;
  /** In this answer only; null where an Idempotency-Key repeats it */
  icsUrl: string | null;
}

export interface ListWebhooksData {
  id: string;
  url: string;
  types: EventType[];
  description: string | null;
  status: WebhookStatus;
  createdBy: number;
  createdAt: string;
  lastDeliveredAt: string | null;
  failingSince: string | null;
}

export interface CreateWebhookBody {
  /** Where the events are sent */
  url: string;
  /** Events that are sent */
  types: EventType[];
  description?: string | null;
}

export interface CreateWebhookData {
  id: string;
  url: string;
  types: EventType[];
  description: string | null;
  status: WebhookStatus;
  createdBy: number;
  createdAt: string;
  lastDeliveredAt: string | null;
  failingSince: string | null;
  /** `whsec_…`, in this answer only; null where an Idempotency-Key repeats it */
  secret: string | null;
}

export interface ListWebhookAttemptsData {
  messageId: string;
  type: MessageType;
  status: 'delivered' | 'failed';
  httpStatus: number | null;
  error: string | null;
  at: string;
  nextAttemptAt: string | null;
}

export interface ListEventsData {
  /** The `webhook-id` of the same message at every endpoint */
  id: string;
  type: MessageType;
  timestamp: string;
  /** Ids, and the address that has the rest; nothing of a record */
  data: Record<string, unknown>;
}

export interface ListEventsMeta {
  schemaVersion: string;
  requestId: string;
  creditsUsed: number;
  cursor: string;
  hasMore: boolean;
  warnings: Warning[];
}

export interface CreateEnrichmentBody {
  /** Ids of projects */
  projectIds: number[];
  contactOptions?: ContactOptions;
  notify?: {
    /** Taken; enrichments send no mail */
    email?: boolean;
  };
}

export interface EnrichmentJob {
  id: string;
  enrichmentJobId: string;
  status: EnrichmentStatus;
  accepted: number[];
  skipped: {
    alreadyEnriched: number[];
    notPurchased: number[];
    notFound: number[];
  };
  processed: number;
  found: number;
  pending: number;
  notAttempted: number[];
  note: string | null;
  error: {
    code: string;
    message: string;
  } | null;
  creditsReserved: number;
  creditsCharged: number;
  creditsRefunded: number;
  estimatedCompletion: string;
  createdAt: string;
  settledAt: string | null;
  pollUrl: string;
}

export interface Metric {
  /** What is reckoned of each group */
  op: Statistic;
  /** Needed by all but count, which then counts the records that state it */
  field?: Measurement;
}

export interface Query {
  dataset?: 'projects';
  /** The filters of GET /projects/search */
  filters?: Filters;
  groupBy?: Dimension[];
  /** Of the dates among the dimensions; month unless given */
  interval?: Interval;
  metrics?: Metric[];
  order?: {
    /** `count`, `key`, or the name of a metric such as `sum_acreage` */
    by: string;
    direction?: Order;
  };
  /** Groups at most; 100 unless given */
  limit?: number;
}

export interface AggregateProjectsBody {
  dataset?: 'projects';
  /** The filters of GET /projects/search */
  filters?: Filters;
  groupBy?: Dimension[];
  /** Of the dates among the dimensions; month unless given */
  interval?: Interval;
  metrics?: Metric[];
  order?: {
    /** `count`, `key`, or the name of a metric such as `sum_acreage` */
    by: string;
    direction?: Order;
  };
  /** Groups at most; 100 unless given */
  limit?: number;
  /** Several questions in one request, in place of the other fields; their answers are `results` */
  queries?: Query[];
}

export interface Meta {
  /** Whether groups were hidden; never how many */
  suppressedGroups: boolean;
  /** Whether `limit` cut the groups */
  truncated: boolean;
  warnings: Warning[];
  appliedDefaults: Record<string, unknown>;
  appliedFilters: Record<string, unknown>;
}

export interface AggregateProjectsResult {
  groups: {
    keys: Record<string, unknown>;
    labels: Record<string, unknown>;
    count: number;
    metrics: Record<string, unknown>;
  }[];
  totals: {
    count: number;
    metrics: Record<string, unknown>;
  } | null;
  meta: Meta;
}

export interface AggregateProjectsData {
  groups: {
    keys: Record<string, unknown>;
    labels: Record<string, unknown>;
    count: number;
    metrics: Record<string, unknown>;
  }[];
  totals: {
    count: number;
    metrics: Record<string, unknown>;
  } | null;
  /** Of `queries`, in their order; `groups` and `totals` are then empty, and `meta` says what holds for any of them */
  results?: AggregateProjectsResult[];
}

export interface AggregateProjectsMeta {
  schemaVersion: string;
  requestId: string;
  creditsUsed: number;
  /** Whether groups were hidden; never how many */
  suppressedGroups: boolean;
  /** Whether `limit` cut the groups */
  truncated: boolean;
  warnings: Warning[];
  appliedDefaults: Record<string, unknown>;
  appliedFilters: Record<string, unknown>;
}

export interface RankGroupsBody {
  /** The filters of GET /projects/search */
  filters?: Filters;
  /** What the groups are made by */
  dimension: Dimension;
  /** Of the dates among the dimensions; month unless given */
  interval?: Interval;
  /** What the groups are ranked by */
  metric: Metric;
  /** desc unless given */
  order?: Order;
  /** Ranks at most; 100 unless given */
  limit?: number;
}

export interface RankGroupsData {
  rank: number;
  /** Token, id of a place, or first day of an interval; null for what is not stated */
  key: TextOrNumber | null;
  label: string;
  count: number;
  value: number;
}

export interface GetOddsQuery {
  /** The filters of GET /projects/search */
  filters?: Filters;
  /** What the groups are made by */
  by?: OddsDimension[];
  /** Of the dates among the dimensions; month unless given */
  interval?: Interval;
  /** Only projects whose first hearing was on this day or later; the others are in no figure */
  since?: string;
  /** Groups at most; 100 unless given */
  limit?: number;
}

export interface GetOddsBody {
  /** The filters of GET /projects/search */
  filters?: Filters;
  /** What the groups are made by */
  by?: OddsDimension[];
  /** Of the dates among the dimensions; month unless given */
  interval?: Interval;
  /** Only projects whose first hearing was on this day or later; the others are in no figure */
  since?: string;
  /** Groups at most; 100 unless given */
  limit?: number;
  /** Several questions in one request, in place of the other fields; their answers are `results` */
  queries?: GetOddsQuery[];
}

export interface Outcomes {
  /** Four decimals; null where it is joined with others in `other` */
  approved: number | null;
  /** Four decimals; null where it is joined with others in `other` */
  denied: number | null;
  /** Four decimals; null where it is joined with others in `other` */
  withdrawn: number | null;
  /** Four decimals; null where it is joined with others in `other` */
  stalled: number | null;
  /** Four decimals; null where it is joined with others in `other` */
  soft_denial: number | null;
}

export interface Intervals {
  approved: number[] | null;
  denied: number[] | null;
  withdrawn: number[] | null;
  stalled: number[] | null;
  soft_denial: number[] | null;
  other: number[] | null;
}

export interface Group {
  keys: Record<string, unknown>;
  labels: Record<string, unknown>;
  /** Records that are decided or given up, of which the shares are */
  n: number;
  /** Records that are approved, denied or withdrawn; null only on plans that pay for records */
  decided: number | null;
  /** Records that are pending; null only on plans that pay for records */
  undecided: number | null;
  /** Records that are stalled or softly denied; null only on plans that pay for records */
  givenUp: number | null;
  /** Shares of `n`; with `other` they add up to 1 */
  outcomes: Outcomes;
  /** Share of the outcomes that are null: on plans that pay for records, one of one to four records is joined with the next smallest */
  other: number | null;
  /** Bounds of each share: Wilson, 95 % */
  intervals: Intervals;
  /** The earliest first hearing of the `n` records; null also where none states one */
  since: string | null;
  /** First days of the curve on which three quarters, half and a quarter are undecided at most; null where it never comes to that */
  daysToDecision: {
    p25: number | null;
    p50: number | null;
    p75: number | null;
    basis: 'kaplan_meier';
  } | null;
  /** Hearings of what was approved or denied */
  hearingsToDecision: {
    p25: number | null;
    p50: number | null;
    p75: number | null;
  } | null;
  /** Exact share undecided after so many days, 100 points at most; before the first decision it is 1. On plans that pay for records there are five decisions or more from point to point */
  curve:
    | {
        days: number;
        undecidedShare: number;
      }[]
    | null;
}

export interface Totals {
  /** Records that are decided or given up, of which the shares are */
  n: number;
  /** Records that are approved, denied or withdrawn; null only on plans that pay for records */
  decided: number | null;
  /** Records that are pending; null only on plans that pay for records */
  undecided: number | null;
  /** Records that are stalled or softly denied; null only on plans that pay for records */
  givenUp: number | null;
  /** Shares of `n`; with `other` they add up to 1 */
  outcomes: Outcomes;
  /** Share of the outcomes that are null: on plans that pay for records, one of one to four records is joined with the next smallest */
  other: number | null;
  /** Bounds of each share: Wilson, 95 % */
  intervals: Intervals;
  /** The earliest first hearing of the `n` records; null also where none states one */
  since: string | null;
  /** First days of the curve on which three quarters, half and a quarter are undecided at most; null where it never comes to that */
  daysToDecision: {
    p25: number | null;
    p50: number | null;
    p75: number | null;
    basis: 'kaplan_meier';
  } | null;
  /** Hearings of what was approved or denied */
  hearingsToDecision: {
    p25: number | null;
    p50: number | null;
    p75: number | null;
  } | null;
  /** Exact share undecided after so many days, 100 points at most; before the first decision it is 1. On plans that pay for records there are five decisions or more from point to point */
  curve:
    | {
        days: number;
        undecidedShare: number;
      }[]
    | null;
}

export interface GetOddsData {
  groups: Group[];
  totals: Totals | null;
  /** Of `queries`, in their order; `groups` and `totals` are then empty, and `meta` says what holds for any of them */
  results?: {
    groups: Group[];
    totals: Totals | null;
    meta: Meta;
  }[];
}

export interface ListDatasetsData {
  id: string;
  label: string;
  description: string;
  dimensions: {
    id: string;
    label: string;
  }[];
  metrics: {
    op: string;
    fields: string[];
  }[];
  fields: {
    id: string;
    label: string;
  }[];
  filters: string[];
  intervals: string[];
  suppression: {
    minimumGroupSize: number;
  };
  median: {
    exactUpTo: number;
    beyond: string;
  };
  maxGroups: number;
}

export interface Keys {
  /** Token, id of a place, or first day of an interval; null for what is not stated */
  state?: TextOrNumber | null;
  /** Token, id of a place, or first day of an interval; null for what is not stated */
  county?: TextOrNumber | null;
  /** Token, id of a place, or first day of an interval; null for what is not stated */
  month?: TextOrNumber | null;
  /** Token, id of a place, or first day of an interval; null for what is not stated */
  city?: TextOrNumber | null;
  /** Token, id of a place, or first day of an interval; null for what is not stated */
  decisionBody?: TextOrNumber | null;
}

export interface Filled {
  /** Records that state totalUnitCount; null where it would rest on too few records */
  totalUnitCount: number | null;
  /** Records that state acreage; null where it would rest on too few records */
  acreage: number | null;
  /** Records that state lotSizeSqft; null where it would rest on too few records */
  lotSizeSqft: number | null;
  /** Records that state squareFootage; null where it would rest on too few records */
  squareFootage: number | null;
  /** Records that state floorCount; null where it would rest on too few records */
  floorCount: number | null;
  /** Records that state buildingStories; null where it would rest on too few records */
  buildingStories: number | null;
  /** Records that state buildingHeightFeet; null where it would rest on too few records */
  buildingHeightFeet: number | null;
  /** Records that state bedroomCount; null where it would rest on too few records */
  bedroomCount: number | null;
  /** Records that state parkingSpaces; null where it would rest on too few records */
  parkingSpaces: number | null;
  /** Records that state lotCount; null where it would rest on too few records */
  lotCount: number | null;
  /** Records that state voteAgainst; null where it would rest on too few records */
  voteAgainst: number | null;
  /** Records that state hearingCount; null where it would rest on too few records */
  hearingCount: number | null;
  /** Records that state daysInProcess; null where it would rest on too few records */
  daysInProcess: number | null;
}

export interface GetCoverageGroup {
  keys: Keys;
  labels: {
    state?: string;
    county?: string;
    month?: string;
    city?: string;
    decisionBody?: string;
  };
  records: number;
  /** Of the meetings that have been held; null where it would rest on too few records */
  newestMeeting: string | null;
  /** From the newest meeting to today; null where it would rest on too few records */
  daysSinceNewestMeeting: number | null;
  /** Mean days from the meeting of a record to the load that brought its last change; null where it would rest on too few records */
  meanDaysToLoad: number | null;
  /** Mean share of the extracted attributes that a record states; null where it would rest on too few records */
  filledShare: number | null;
  /** How many records state each measurement; null by two dimensions */
  filled: Filled | null;
  /** By body: the body of this place, always under this key */
  bodyKey?: string;
  /** By body: median days between meetings; null of fewer than six meetings */
  cadenceDays?: number | null;
  /** By body: on which it usually meets, 1 is Monday; empty without a pattern */
  weekdays?: number[];
  /** By body: the pause that it makes about once a year */
  usualPauseDays?: number | null;
  /** By body: its last meeting that has been read */
  lastMeetingDate?: string | null;
  /** By body: the day by which its next meeting was due */
  expectedBy?: string | null;
  /** By body: meetings that fell due from that day to today */
  missed?: number;
  /** By body: the day since which it counts as silent; null where it does not */
  staleSince?: string | null;
  /** By body: when the newest statement of a record that names it was extracted */
  lastExtractedAt?: string | null;
  /** By body: how many of its values that people compared with the minutes are right; null where none was */
  accuracy?: {
    checked: number;
    fields: Record<string, unknown>;
    checkedAt: string;
  } | null;
}

export interface GetCoverageTotals {
  records: number;
  /** Of the meetings that have been held; null where it would rest on too few records */
  newestMeeting: string | null;
  /** From the newest meeting to today; null where it would rest on too few records */
  daysSinceNewestMeeting: number | null;
  /** Mean days from the meeting of a record to the load that brought its last change; null where it would rest on too few records */
  meanDaysToLoad: number | null;
  /** Mean share of the extracted attributes that a record states; null where it would rest on too few records */
  filledShare: number | null;
  /** How many records state each measurement; null by two dimensions */
  filled: Filled | null;
}

export interface GetCoverageMeta {
  schemaVersion: string;
  requestId: string;
  creditsUsed: number;
  /** Whether groups were hidden; never how many */
  suppressedGroups: boolean;
  /** Today by the service clock, from which days are counted */
  asOf: string;
  warnings: Warning[];
  appliedDefaults: Record<string, unknown>;
  appliedFilters: Record<string, unknown>;
}

export interface GetAnswerableField {
  name: string;
  /** Records that state it; null where it would rest on too few records */
  stated: number | null;
  /** Of `matchCount`, four decimals; null where it would rest on too few records */
  share: number | null;
}

export interface GetAnswerableData {
  /** As `GET /projects/count` has it; by ids on plans that pay for records, those that your pool holds */
  matchCount: number;
  fields: GetAnswerableField[];
  /** Decision bodies that 5 records or more name, 100 at most, with the first and latest hearing of these records */
  bodies: {
    bodyKey: string;
    from: string;
    to: string;
    lastExtractedAt: string | null;
  }[];
  /** Years with a meeting of 5 records or more */
  years: {
    year: number;
    records: number;
  }[];
  /** What the selection cannot answer, a sentence each */
  missing: string[];
}

export interface GetAnswerableMeta {
  schemaVersion: string;
  requestId: string;
  creditsUsed: number;
  suppressedGroups: boolean;
  warnings: Warning[];
  appliedDefaults: Record<string, unknown>;
  appliedFilters: Record<string, unknown>;
}

export interface GetDocumentData {
  id: number;
  meetingDocumentId: number;
  title: string | null;
  decisionBody: string | null;
  decisionBodyLabel: string | null;
  meetingDate: string | null;
  state: string | null;
  county: string | null;
  city: string | null;
  url: string | null;
  /** Minutes: a draft, or adopted by their body; null where the source does not say */
  version: DocumentVersion | null;
  text: string | null;
}

export interface GetDocumentMeta {
  schemaVersion: string;
  requestId: string;
  creditsUsed: number;
  creditsRemaining: number | null;
  warnings: Warning[];
}

export interface ListReleasesData {
  generation: number;
  activatedAt: string;
  /** A generation that was served before is served again */
  rolledBack: boolean;
  extractedAt: string | null;
  /** Records of every licence */
  recordCount: number;
  /** Records that the release before does not have; null where it is not known what was shown before */
  added: number | null;
  /** Records of both that are other ones: their `lastUpdated` is newer; null where it is not known what was shown before */
  changed: number | null;
  /** Records of the release before that are gone, or merged into others; null where it is not known what was shown before */
  removed: number | null;
  /** SHA-256 of what is shown: the same for the same records, revisions, times of change, removals, documents and contacts */
  digest: string | null;
  /** What its load found: how many records or documents by code of the finding; null where that is not known */
  findings: Record<string, unknown> | null;
  /** Codes of findings that keep a release from being served, and that the operator accepted */
  accepted: string[] | null;
  /** How many values of its generation that people compared with the minutes are right, by field; null where none was */
  accuracy: Record<string, unknown> | null;
  states: {
    stateId: number;
    recordCount: number;
  }[];
  schemaVersion: string;
}

export interface ListHearingsData {
  date: string;
  /** Token of the decision body; null where no record says whose meeting it is */
  body: string | null;
  bodyLabel: string | null;
  place: {
    stateId: number;
    countyId: number | null;
    cityId: number | null;
    /** As `Boulder, CO` */
    label: string;
  };
  /** Matching records that are on */
  projectCount: number;
  /** Up to 100 of them: on metered plans only records that your pool holds */
  projectIds: number[];
  /** The first 5 of them by name: on metered plans only records that your pool was delivered as they are now */
  projects: {
    id: number;
    projectName: string | null;
  }[];
}

export interface ListHearingsMeta {
  schemaVersion: string;
  requestId: string;
  creditsUsed: number;
  from: string;
  to: string;
  /** There are more than 500 hearings */
  truncated: boolean;
  /** On metered plans: fewer than 5 projects match that your pool does not hold, or `projectIds` were sent, and only those that it holds are shown */
  suppressed: boolean;
  warnings: Warning[];
  appliedDefaults: Record<string, unknown>;
  appliedFilters: Record<string, unknown>;
}

export interface CreateHearingFeedData {
  id: string;
  /** In the answer that makes the feed only; its secret is not stored */
  icsUrl: string | null;
  filters: Record<string, unknown>;
  createdAt: string;
}

export interface CreateRestrictionFeedData {
  id: string;
  /** In the answer that makes the feed only; its secret is not stored */
  icsUrl: string | null;
  /** In the answer that makes the feed only; its secret is not stored */
  rssUrl: string | null;
  filters: Record<string, unknown>;
  createdAt: string;
}

export interface Place {
  stateId: number;
  state: string;
  countyId: number | null;
  county: string | null;
  cityId: number | null;
  city: string | null;
  /** Who restricts, by its own name */
  jurisdiction: string;
  jurisdictionType: JurisdictionType;
}

export interface ListRestrictionsData {
  id: number;
  kind: RestrictionKind;
  title: string;
  place: Place;
  /** Of the jurisdiction; null where it is not known */
  point: {
    lat: number;
    lng: number;
  } | null;
  uses: {
    type: string;
    subtype: string | null;
    assetClass: string | null;
  }[];
  /** The uses in the words of the source */
  usesText: string;
  /** On the day asked, computed from dates and extensions */
  status: RestrictionStatus;
  adoptedOn: string | null;
  /** How exactly `adoptedOn` is known: of a month or year it is the first day */
  adoptedOnPrecision: DatePrecision;
  effectiveFrom: string | null;
  /** Last day, without extensions */
  effectiveTo: string | null;
  endBasis: EndBasis;
  /** The event that ends it, in words */
  endEvent: string | null;
  extensions: {
    /** Day on which it was extended */
    on: string;
    /** The new end; null where it is not stated */
    to: string | null;
  }[];
  /** What it exempts, in words */
  exempts: string | null;
  /** The size from which it applies, in words */
  threshold: string | null;
  /** The instrument and its legal basis, in words */
  authority: string | null;
  sourceDocumentUrl: string | null;
  documentId: number | null;
  evidence: {
    field: string;
    quote: string;
    documentId: number | null;
  }[];
  /** Whose words `evidence` quotes: the instrument or its minutes, or an inventory of instruments; null where its source does not say */
  evidenceFrom: EvidenceFrom | null;
  lastUpdated: string;
}

export interface ListRestrictionsMeta {
  schemaVersion: string;
  requestId: string;
  creditsUsed: number;
  limit: number;
  offset: number;
  pageCount: number;
  hasMore: boolean;
  total: number;
  warnings: Warning[];
  /** The day for which `status` is computed */
  on: string;
}

export interface ReadRestrictionMeta {
  schemaVersion: string;
  requestId: string;
  creditsUsed: number;
  /** The day for which `status` is computed */
  on: string;
}

export interface Use {
  /** Building Type, by token or label */
  type: string;
  /** Subtype of it */
  subtype?: string | null;
  /** Asset class of the subtype */
  assetClass?: string | null;
}

export interface CheckRestrictionsBody {
  /** A project; its uses count unless `uses` are sent */
  projectId?: number;
  point?: {
    /** Degrees north (WGS 84) */
    lat: number;
    /** Degrees east */
    lng: number;
  };
  /** A county as `counties` takes it: name with state, such as `Boulder County, CO`, or FIPS number */
  county?: TextOrNumber;
  /** A city as `cities` takes it: name with state, or number */
  city?: TextOrNumber;
  /** Uses asked about; any use without it */
  uses?: Use[];
  /** The day; today without it */
  on?: string;
}

export interface Because {
  restrictionId: number;
  /** Of this one */
  binds: 'yes' | 'unclear';
  /** What binds, or why it is unclear */
  text: string;
  /** Words of the document that its `evidence` names */
  quote: string | null;
  /** Whose words `evidence` quotes: the instrument or its minutes, or an inventory of instruments; null where its source does not say */
  quotedFrom: EvidenceFrom | null;
}

export interface CheckRestrictionsData {
  /** unclear: `because` says why */
  binds: 'yes' | 'no' | 'unclear';
  on: string;
  because: Because[];
  /** Those that bind, and those of which it is unclear */
  restrictions: ListRestrictionsData[];
  /** Those that were in force there for the uses within the year before, and have ended */
  ended: ListRestrictionsData[];
}

export interface Circle {
  /** Degrees north (WGS 84) */
  lat: number;
  /** Degrees east */
  lng: number;
  /** Metres around it */
  radiusMeters: number;
}

export interface CreateBriefPlace {
  /** As the filter `polygon` */
  polygon?: number[][];
  /** As the filter `circle` */
  circle?: Circle;
  point?: {
    /** Degrees north (WGS 84) */
    lat: number;
    /** Degrees east */
    lng: number;
  };
  /** As `counties` takes it: name with state, or FIPS number */
  county?: TextOrNumber;
  /** As `cities` takes it */
  city?: TextOrNumber;
  /** Street, city and state; of a record of yours, else by the geocoder of the service */
  address?: string;
  /** Number of the parcel, of a record of yours */
  parcel?: string;
  /** A project; on metered plans one that your pool holds as it is */
  projectId?: number;
  /** Title of the brief; without it that of its place */
  name?: string;
}

export interface CreateBriefBody {
  /** One of these keys, perhaps with a `name`; a point counts for five miles around it */
  place: CreateBriefPlace;
  use?: Use;
  /** 5 unless given; without any a brief is free */
  maxPrecedents?: number;
  /** The brief is refused if it would cost more */
  maxCredits?: number;
}

export interface CreateBriefPlacePart {
  /** As the filter `polygon` */
  polygon?: number[][];
  /** As the filter `circle` */
  circle?: Circle;
  point?: {
    /** Degrees north (WGS 84) */
    lat: number;
    /** Degrees east */
    lng: number;
  };
  /** As `counties` takes it: name with state, or FIPS number */
  county?: TextOrNumber;
  /** As `cities` takes it */
  city?: TextOrNumber;
  /** Street, city and state; of a record of yours, else by the geocoder of the service */
  address?: string;
  /** Number of the parcel, of a record of yours */
  parcel?: string;
  /** A project; on metered plans one that your pool holds as it is */
  projectId?: number;
  /** Title of the brief; without it that of its place */
  name?: string;
  label: string;
  stateId: number | null;
  countyId: number | null;
  cityId: number | null;
  location: {
    latitude: number;
    longitude: number;
  } | null;
}

export interface Statement {
  text: string;
  /** `count`: the number is in the answer of the call; `computed`: it follows from it; `none`: what is not known */
  basis: BriefBasis;
  /** A request that repeats the number or the quote; free */
  call: {
    method: BriefCallMethod;
    /** With its query */
    path: string;
    body: Record<string, unknown> | null;
  } | null;
  /** Verbatim words of a document */
  quote: string | null;
  documentId: number | null;
  projectId: number | null;
}

export interface CreateBriefData {
  id: string;
  /** As it was sent, and what was found */
  place: CreateBriefPlacePart;
  use: {
    type: string;
    subtype: string | null;
    assetClass: string | null;
  } | null;
  /** When the release was activated of which every statement is */
  asOf: string;
  generation: number | null;
  createdAt: string;
  expiresAt: string;
  /** What its precedents charged when it was made */
  creditsUsed: number;
  /** The page of the brief, which prints */
  url: string;
  sections: {
    id: BriefSection;
    statements: Statement[];
  }[];
  precedents: CompactProject[];
}

export interface CreateBriefMeta {
  schemaVersion: string;
  requestId: string;
  creditsUsed: number;
  creditsRemaining?: number | null;
  delivery?: SearchProjectsDelivery;
}

export interface ListBriefsData {
  id: string;
  /** As it was sent, and what was found */
  place: CreateBriefPlacePart;
  use: {
    type: string;
    subtype: string | null;
    assetClass: string | null;
  } | null;
  /** When the release was activated of which every statement is */
  asOf: string;
  generation: number | null;
  createdAt: string;
  expiresAt: string;
  /** What its precedents charged when it was made */
  creditsUsed: number;
  /** The page of the brief, which prints */
  url: string;
}

export interface ListStatesData {
  id: number;
  name: string;
  latitude: number;
  longitude: number;
  /** other and former names, which are found too */
  aliases: string[];
  /** numbers that it, or a place of which it was a part, had before; until is null for a second number of the same place */
  formerIds: {
    id: number;
    until: string | null;
  }[];
  /** what is known of where it lies; null: no more than its county, latitude and longitude are null too */
  precision: PlacePrecision | null;
  abbreviation: string;
  entitled: boolean;
}

export interface ListCountiesData {
  id: number;
  name: string;
  latitude: number;
  longitude: number;
  /** other and former names, which are found too */
  aliases: string[];
  /** numbers that it, or a place of which it was a part, had before; until is null for a second number of the same place */
  formerIds: {
    id: number;
    until: string | null;
  }[];
  /** what is known of where it lies; null: no more than its county, latitude and longitude are null too */
  precision: PlacePrecision | null;
  stateId: number;
  state: string | null;
  entitled: boolean;
}

export interface ListCitiesData {
  id: number;
  name: string;
  latitude: number | null;
  longitude: number | null;
  /** other and former names, which are found too */
  aliases: string[];
  /** numbers that it, or a place of which it was a part, had before; until is null for a second number of the same place */
  formerIds: {
    id: number;
    until: string | null;
  }[];
  /** what is known of where it lies; null: no more than its county, latitude and longitude are null too */
  precision: PlacePrecision | null;
  countyId: number;
  county: string | null;
  furtherCounties: {
    id: number;
    name: string;
  }[];
  stateId: number;
  state: string | null;
  population: number;
}

export interface SearchPlacesData {
  kind: Kind;
  id: number;
  /** `Boulder, CO`, `Boulder County, CO`, `Colorado` */
  label: string;
  stateId: number;
  countyId: number | null;
  /** Records of every date, as of the last minute; null where they could not be counted */
  recordCount: number | null;
}

export interface Subtype {
  token: string;
  label: string;
  aliases?: string[];
  assetClasses: {
    token: string;
    label: string;
    aliases?: string[];
  }[];
}

export interface Credits {
  balance: number;
  plan: {
    id: string;
    label: string;
    paid: boolean;
    geography: string;
  };
  creditRate: number;
  contactCreditRate: number;
  grantedCredits: number;
  rateLimit: {
    limit: number;
    windowSeconds: number;
  };
  enrichment: {
    used: number;
    limit: number | null;
    remaining: number | null;
    resetsAt: string | null;
  };
}

export interface GetCreditsMeta {
  schemaVersion: string;
  requestId: string;
  creditsUsed: number;
  creditsRemaining: number;
  credits: {
    periodEnd: string | null;
    resetsAt: string | null;
  };
}

export interface Cause {
  requestId: string | null;
  route: string | null;
  keyId: string | null;
  jobId: string | null;
  alertId: string | null;
  deliveryId: string | null;
  idempotencyKey: string | null;
  note: string | null;
}

export interface Receipt {
  id: number;
  at: string;
  kind: string;
  subject: string;
  /** Whole credits */
  amount: number;
  balance: number;
  items: number;
  cause: Cause;
}

export interface ListReceiptsMeta {
  schemaVersion: string;
  requestId: string;
  limit: number;
  pageCount: number;
  hasMore: boolean;
  nextBefore: number | null;
  creditsUsed: number;
}

export interface GetPreferencesData {
  propertyTypes: string[] | null;
  states: number[] | null;
  counties: number[] | null;
  cities: number[] | null;
  website: string | null;
  updatedAt: string | null;
}

export interface ChangePreferencesBody {
  propertyTypes?: TextOrNumber[] | string | null;
  states?: TextOrNumber[] | string | null;
  counties?: TextOrNumber[] | string | null;
  cities?: TextOrNumber[] | string | null;
  website?: string | null;
}

export interface Account {
  teamId: number;
  teamName: string;
  userName: string;
  role: 'owner' | 'member';
  plan: {
    id: string;
    label: string;
    paid: boolean;
    geography: string;
  };
  licence: {
    nationwide: boolean;
    stateIds: number[] | null;
    countyIds: number[] | null;
  };
}

export interface GetStartData {
  account: Account;
  credits: {
    remaining: number;
    resetsAt: string | null;
    creditRate: number;
    contactCreditRate: number;
  };
  limits: {
    requestsPerMinute: number;
    startsPerMinute: number;
  };
  vocabularies: {
    version: string;
    url: string;
  };
  release: {
    generation: number;
    activatedAt: string;
  } | null;
  features: string[];
}

export interface Client {
  /** What it registered, signed, or the address of its metadata */
  id: string;
  /** What it calls itself */
  name: string | null;
  /** Where it was when it connected: an origin, or a scheme */
  returnsTo: string;
}

export interface ListConnectionsData {
  id: string;
  client: Client;
  keyId: string;
  userId: number;
  /** Most credits that it may spend in a calendar month (UTC) */
  monthlyCredits: number;
  /** Of this month */
  creditsSpent: number;
  createdAt: string;
  /** When it ends unless it is used before */
  expiresAt: string;
}

export interface Key {
  id: string;
  prefix: string;
  lastFour: string;
  name: string | null;
  environment: string;
  state: string;
  userId: number;
  createdAt: string;
  revokedAt: string | null;
  expiresAt: string | null;
  replacedBy: string | null;
}

export interface MintKeyData {
  id: string;
  prefix: string;
  lastFour: string;
  name: string | null;
  environment: string;
  state: string;
  userId: number;
  createdAt: string;
  revokedAt: string | null;
  expiresAt: string | null;
  replacedBy: string | null;
  /** In the first answer only; null where an Idempotency-Key repeats it */
  secret: string | null;
}

export interface RotateKeyData {
  id: string;
  prefix: string;
  lastFour: string;
  name: string | null;
  environment: string;
  state: string;
  userId: number;
  createdAt: string;
  revokedAt: string | null;
  expiresAt: string | null;
  replacedBy: string | null;
  /** In the first answer only; null where an Idempotency-Key repeats it */
  secret: string | null;
  predecessor: Key;
}

export interface Problem {
  /** As it was sent; in a body the path to it */
  param: string | null;
  /** Stable; the guide on errors lists them */
  code: string;
  message: string;
  /** What was sent, shortened */
  value?: unknown;
  didYouMean?: string;
  /** The values nearest to an unknown one */
  nearest?: string[];
  /** Path of the route that lists every value */
  reference?: string;
  /** The values among which the sent one does not decide */
  candidates?: unknown[];
}

export interface Quote {
  matchCount: number;
  matchCountIsExact: boolean;
  creditRate: number;
  creditsRequired: number;
  creditsRemaining: number;
  affordableRecordCount: number;
  /** A count that prices exactly what was refused; null where none does */
  countUrl: string | null;
}

export interface Area {
  name?: string;
  bbox?: {
    north: number;
    south: number;
    east: number;
    west: number;
  };
  circle?: {
    lat: number;
    lng: number;
    radiusMeters: number;
  };
  polygon?: number[][];
}

/** Each operation: what it takes in one object, and what it answers. */
export interface Operations {
  /** Where the matches lie: counts by tile, and few projects one by one */
  mapProjects: { input: Filters & Pick<Controls, 'view'>; answer: { data: MapProjectsData; meta: MapProjectsMeta } };
  /** A vector tile of the matches, for maps of your own */
  getTile: {
    input: Filters & {
      /** Zoom, 0 to 22 */
      z: number;
      /** Column from the west */
      x: number;
      /** Row from the north */
      y: number;
    };
    answer: Response;
  };
  /** Search projects; one page, or every match as a CSV */
  searchProjects: {
    input: Filters &
      Pick<
        Controls,
        | 'sort'
        | 'order'
        | 'limit'
        | 'offset'
        | 'page'
        | 'representation'
        | 'format'
        | 'maxCredits'
        | 'maxContactCredits'
        | 'include'
        | 'contactOptions'
        | 'deliveryMode'
      >;
    answer:
      | { data: (CompactProject | StandardProject | FullProject)[]; meta: PageMeta }
      | {
          data: {
            status: 'no_matching_rows';
            exportJobId: null;
            matchCount: 0;
          };
          meta: MapProjectsMeta;
        }
      | { data: ExportJob; meta: MapProjectsMeta };
  };
  /** Size and price of a whole match set */
  countProjects: {
    input: Filters &
      Pick<Controls, 'deliveryMode'> & {
        /** `contacts` prices them too; `derived` costs nothing. */
        include?: Include | (string & {});
        /** JSON object that bounds which contacts are priced, as on a CSV; cachedOnly true prices none. */
        contactOptions?: {
          cachedOnly?: boolean;
          minConfidence?: number;
          maxProjects?: number;
          companyOnly?: boolean;
        };
      };
    answer: { data: Price; meta: CountProjectsMeta };
  };
  /** One project, by its id or the id of a record merged into it */
  getProject: {
    input: Pick<Controls, 'representation' | 'include'> & {
      /** Project id, or the id of a record merged into it */
      id: number;
      /** JSON object; cachedOnly true only. */
      contactOptions?: {
        cachedOnly?: boolean;
      };
    };
    answer: { data: CompactProject | StandardProject | FullProject | null; meta: GetProjectMeta };
  };
  /** The words of documents from which the values of a project were read */
  getProjectEvidence: {
    input: {
      /** Project id, or the id of a record merged into it */
      id: number;
    };
    answer: {
      data: {
        id: number;
        contentRevision: string;
        evidence: Evidence[];
      } | null;
      meta: GetProjectEvidenceMeta;
    };
  };
  /** Which fields changed since your pool was last delivered the record, and what they were and are */
  getProjectChanges: {
    input: {
      /** Project id, or the id of a record merged into it */
      id: number;
    };
    answer: {
      data: GetProjectChangesData;
      meta: {
        schemaVersion: string;
        requestId: string;
        creditsUsed: number;
        warnings: Warning[];
      };
    };
  };
  /** Which projects the rows of your own list are */
  matchProjects: {
    input: {
      body: MatchProjectsBody;
    };
    answer: {
      data: MatchProjectsData[];
      meta: {
        schemaVersion: string;
        requestId: string;
        creditsUsed: number;
        rowCount: number;
        matchedRowCount: number;
      };
    };
  };
  /** Lossless walk in the order of change */
  syncProjects: {
    input: Filters &
      Pick<Controls, 'limit' | 'representation' | 'include' | 'cursor'> & {
        /** JSON object; cachedOnly true only. */
        contactOptions?: {
          cachedOnly?: boolean;
        };
        /** all: a copy needs every change. */
        deliveryMode?: 'all' | (string & {});
      };
    answer: { data: (CompactProject | StandardProject | FullProject)[]; meta: SyncProjectsMeta };
  };
  /** What a sentence means as filters: places, dates, sizes, uses, requests, bodies, statuses and names */
  interpretSentence: {
    input: {
      /** The sentence, 1 to 500 characters. */
      q: string;
    };
    answer: {
      data: InterpretSentenceData;
      meta: {
        schemaVersion: string;
        requestId: string;
        creditsUsed: number;
        warnings: Warning[];
      };
    };
  };
  /** Refused for API keys: send the question as a job */
  aiSearch: {
    input: Record<never, never>;
    answer: {
      data: AiSearchData;
      meta: {
        schemaVersion: string;
        requestId: string;
        creditsUsed: number;
        warnings: Warning[];
      };
    };
  };
  /** Ask a question in plain words; every record of the answer is proven by quotes */
  createAiSearch: {
    input: {
      body: CreateAiSearchBody;
    };
    answer: {
      data: AiSearchData;
      meta: {
        schemaVersion: string;
        requestId: string;
        creditsUsed: number;
        warnings: Warning[];
      };
    };
  };
  /** Where an AI search stands, and its records once it is settled; free, for 72 hours */
  getAiSearch: {
    input: {
      /** Id of the AI search */
      id: string;
    };
    answer: {
      data: AiSearchData;
      meta: {
        schemaVersion: string;
        requestId: string;
        creditsUsed: number;
        warnings: Warning[];
      };
    };
  };
  /** Cancel an AI search: free, and only ever gives credits back */
  cancelAiSearch: {
    input: {
      /** Id of the AI search */
      id: string;
    };
    answer: {
      data: AiSearchData;
      meta: {
        schemaVersion: string;
        requestId: string;
        creditsUsed: number;
        warnings: Warning[];
      };
    };
  };
  /** Say which records answer the question and which do not: free, and your next search for it ranks by it */
  judgeAnswers: {
    input: {
      /** Id of the AI search */
      id: string;
      body?: JudgeAnswersBody;
    };
    answer: {
      data: JudgeAnswersData;
      meta: {
        schemaVersion: string;
        requestId: string;
        creditsUsed: number;
      };
    };
  };
  /** Queue a CSV of everything that matches, of named projects or of a list */
  createExport: {
    input: {
      body?: CreateExportBody;
    };
    answer:
      | {
          data: {
            status: 'no_matching_rows';
            exportJobId: null;
            matchCount: 0;
          };
          meta: MapProjectsMeta;
        }
      | { data: ExportJob; meta: MapProjectsMeta };
  };
  /** Exports of the team, newest first */
  listExports: {
    input: {
      /** Exports a page, 1 to 100 (default 100); more is clamped. */
      limit?: number;
      /** Exports to skip. */
      offset?: number;
    };
    answer: { data: ExportJob[]; meta: ListExportsMeta };
  };
  /** Where an export stands */
  getExport: {
    input: {
      /** Id of the export */
      id: string;
    };
    answer: {
      data: ExportJob;
      meta: {
        schemaVersion: string;
        requestId: string;
        creditsUsed: number;
        warnings: Warning[];
      };
    };
  };
  /** The file of a ready export; again as often as you like, free */
  downloadExport: {
    input: {
      /** Id of the export */
      id: string;
      /** 1 is for Excel: a byte order mark in front, and cells of more than 32,767 characters cut with a mark. */
      bom?: boolean;
    };
    answer: Response;
  };
  /** Queue everything that matches as files, with the cursor from which sync goes on */
  createSnapshot: {
    input: {
      body?: CreateSnapshotBody;
    };
    answer:
      | {
          data: {
            status: 'no_matching_records';
            snapshotId: null;
            matchCount: 0;
          };
          meta: MapProjectsMeta;
        }
      | { data: Snapshot; meta: MapProjectsMeta };
  };
  /** Snapshots of the team, newest first */
  listSnapshots: {
    input: {
      /** Snapshots a page, 1 to 100 (default 100); more is clamped. */
      limit?: number;
      /** Snapshots to skip. */
      offset?: number;
    };
    answer: { data: Snapshot[]; meta: ListExportsMeta };
  };
  /** Where a snapshot stands */
  getSnapshot: {
    input: {
      /** Id of the snapshot */
      id: string;
    };
    answer: {
      data: Snapshot;
      meta: {
        schemaVersion: string;
        requestId: string;
        creditsUsed: number;
        warnings: Warning[];
      };
    };
  };
  /** Cancel a snapshot, all credits back; of a ready one delete the files, nothing back */
  deleteSnapshot: {
    input: {
      /** Id of the snapshot */
      id: string;
    };
    answer: {
      data: Snapshot;
      meta: {
        schemaVersion: string;
        requestId: string;
        creditsUsed: number;
        warnings: Warning[];
      };
    };
  };
  /** The files of a ready snapshot, and the cursor from which sync goes on */
  getSnapshotManifest: {
    input: {
      /** Id of the snapshot */
      id: string;
    };
    answer: SnapshotManifest;
  };
  /** A file of a ready snapshot; again as often as you like, free */
  downloadSnapshotFile: {
    input: {
      /** Id of the snapshot */
      id: string;
      /** Name of a file, from the manifest */
      name: string;
    };
    answer: Response;
  };
  /** Your lists and those shared with you, newest first */
  listLists: {
    input: {
      /** Lists a page, 1 to 100 (default 100); more is clamped. */
      limit?: number;
      /** Lists to skip. */
      offset?: number;
      /** true: what was deleted and can still be restored, newest deletion first, in place of what is kept. */
      deleted?: boolean;
    };
    answer: { data: List[]; meta: ListExportsMeta };
  };
  /** Save a list of projects, of filters, or of a polygon */
  createList: {
    input: {
      body: CreateListBody;
    };
    answer: {
      data: List;
      meta: {
        schemaVersion: string;
        requestId: string;
        creditsUsed: number;
      };
    };
  };
  /** One list, with what its results would charge now */
  getList: {
    input: {
      /** Id of the list */
      id: string;
    };
    answer: {
      data: List;
      meta: {
        schemaVersion: string;
        requestId: string;
        creditsUsed: number;
      };
    };
  };
  /** Rename a list, describe it, share it, change its columns or criteria */
  changeList: {
    input: {
      /** Id of the list */
      id: string;
      body?: ChangeListBody;
    };
    answer: {
      data: List;
      meta: {
        schemaVersion: string;
        requestId: string;
        creditsUsed: number;
      };
    };
  };
  /** Delete a list for everyone who sees it; it can be restored for 30 days */
  deleteList: {
    input: {
      /** Id of the list */
      id: string;
    };
    answer: {
      data: {
        id: string;
        deleted: boolean;
      };
      meta: {
        schemaVersion: string;
        requestId: string;
        creditsUsed: number;
      };
    };
  };
  /** Restore a list within 30 days of its deletion, as it was */
  restoreList: {
    input: {
      /** Id of the list */
      id: string;
    };
    answer: {
      data: List;
      meta: {
        schemaVersion: string;
        requestId: string;
        creditsUsed: number;
      };
    };
  };
  /** Add projects to a membership list; what is there already stays */
  addListProjects: {
    input: {
      /** Id of the list */
      id: string;
      body: {
        /** Ids of projects */
        projectIds: number[];
      };
    };
    answer: {
      data: {
        added: number[];
        alreadyPresent: number[];
        notFound: number[];
      };
      meta: {
        schemaVersion: string;
        requestId: string;
        creditsUsed: number;
      };
    };
  };
  /** Remove a project from a membership list */
  removeListProject: {
    input: {
      /** Id of the list */
      id: string;
      /** Project id, or the id of a record merged into it */
      projectId: number;
    };
    answer: {
      data: {
        projectId: number;
        removed: boolean;
      };
      meta: {
        schemaVersion: string;
        requestId: string;
        creditsUsed: number;
      };
    };
  };
  /** Note why a project is in a membership list; everyone who sees the list reads the note */
  noteListProject: {
    input: {
      /** Id of the list */
      id: string;
      /** Project id, or the id of a record merged into it */
      projectId: number;
      body: {
        /** Null or blank removes it */
        note: string | null;
      };
    };
    answer: {
      data: NoteListProjectData;
      meta: {
        schemaVersion: string;
        requestId: string;
        creditsUsed: number;
      };
    };
  };
  /** Records of a membership list; of a filter or polygon list its criteria and where to search them */
  getListResults: {
    input: Pick<Controls, 'representation' | 'sort' | 'order' | 'limit' | 'offset' | 'page' | 'include'> & {
      /** Id of the list */
      id: string;
      /** JSON object; cachedOnly true only. */
      contactOptions?: {
        cachedOnly?: boolean;
      };
    };
    answer: {
      data:
        | (GetListResultsData | GetListResultsGetListResultsData | GetListResultsGetListResultsDataPart)[]
        | GetListResultsGetListResultsDataPartPart;
      meta: GetListResultsMeta;
    };
  };
  /** Alerts that you are a member of, newest first */
  listAlerts: {
    input: {
      /** Alerts a page, 1 to 100 (default 100); more is clamped. */
      limit?: number;
      /** Alerts to skip. */
      offset?: number;
      /** true: what was deleted and can still be restored, newest deletion first, in place of what is kept. */
      deleted?: boolean;
    };
    answer: { data: Alert[]; meta: ListAlertsMeta };
  };
  /** Leave a search running: daily, weekly or monthly at 06:00 US Mountain Time */
  createAlert: {
    input: {
      body: CreateAlertBody;
    };
    answer: { data: Alert; meta: CreateAlertMeta };
  };
  /** One alert, deleted ones too */
  getAlert: {
    input: {
      /** Id of the alert */
      id: string;
    };
    answer: {
      data: Alert;
      meta: {
        schemaVersion: string;
        requestId: string;
        creditsUsed: number;
      };
    };
  };
  /** Change an alert; filters and lists are replaced, the rest is merged */
  changeAlert: {
    input: {
      /** Id of the alert */
      id: string;
      body?: ChangeAlertBody;
    };
    answer: { data: Alert; meta: CreateAlertMeta };
  };
  /** Delete an alert for all of its members; it can be restored for 30 days, and what it delivered stays readable */
  deleteAlert: {
    input: {
      /** Id of the alert */
      id: string;
    };
    answer: {
      data: {
        id: string;
        status: 'archived';
      };
      meta: {
        schemaVersion: string;
        requestId: string;
        creditsUsed: number;
      };
    };
  };
  /** Restore an alert and its list within 30 days of its deletion, active or paused as it was */
  restoreAlert: {
    input: {
      /** Id of the alert */
      id: string;
    };
    answer: {
      data: Alert;
      meta: {
        schemaVersion: string;
        requestId: string;
        creditsUsed: number;
      };
    };
  };
  /** What the next run would deliver and cost */
  previewAlert: {
    input: {
      /** Id of the alert */
      id: string;
    };
    answer: { data: PreviewAlertData; meta: MapProjectsMeta };
  };
  /** The same with other keys in place of stored ones; nothing is saved */
  previewAlertWith: {
    input: {
      /** Id of the alert */
      id: string;
      body?: PreviewAlertWithBody;
    };
    answer: { data: PreviewAlertData; meta: MapProjectsMeta };
  };
  /** Run an alert now, three times a day */
  runAlert: {
    input: {
      /** Id of the alert */
      id: string;
      body?: Record<string, unknown>;
    };
    answer: { data: AlertDelivery; meta: RunAlertMeta };
  };
  /** Runs of an alert with what each charged, newest first */
  listAlertDeliveries: {
    input: {
      /** Id of the alert */
      id: string;
      /** Deliveries a page, 1 to 100 (default 100); more is clamped. */
      limit?: number;
      /** Deliveries to skip. */
      offset?: number;
    };
    answer: { data: AlertDelivery[]; meta: ListExportsMeta };
  };
  /** One run */
  getAlertDelivery: {
    input: {
      /** Id of the alert */
      id: string;
      /** Id of the delivery */
      deliveryId: string;
    };
    answer: {
      data: AlertDelivery;
      meta: {
        schemaVersion: string;
        requestId: string;
        creditsUsed: number;
        warnings: Warning[];
      };
    };
  };
  /** Records that an alert has delivered, free; on metered plans as the pool holds them */
  listAlertMatches: {
    input: {
      /** Id of the alert */
      id: string;
      /** Matches a page, 1 to 100 (default 100); more is clamped. */
      limit?: number;
      /** Matches to skip. */
      offset?: number;
      /** Only what this run delivered, dismissed or not. */
      deliveryId?: string;
      /** compact, standard (default) or full. */
      representation?: Representation | (string & {});
    };
    answer: {
      data: (ListAlertMatchesData | ListAlertMatchesListAlertMatchesData | ListAlertMatchesListAlertMatchesDataPart)[];
      meta: ListAlertMatchesMeta;
    };
  };
  /** Dismiss a match for everyone; it comes back when it changes */
  dismissMatch: {
    input: {
      /** Id of the alert */
      id: string;
      /** Project id of a match */
      projectId: number;
    };
    answer: {
      data: {
        projectId: number;
        dismissed: boolean;
      };
      meta: {
        schemaVersion: string;
        requestId: string;
        creditsUsed: number;
      };
    };
  };
  /** Take a dismissal back */
  undismissMatch: {
    input: {
      /** Id of the alert */
      id: string;
      /** Project id of a match */
      projectId: number;
    };
    answer: {
      data: {
        projectId: number;
        dismissed: boolean;
      };
      meta: {
        schemaVersion: string;
        requestId: string;
        creditsUsed: number;
      };
    };
  };
  /** Addresses at which readers and calendars fetch the matches without a key; they are shown once */
  createAlertFeed: {
    input: {
      /** Id of the alert */
      id: string;
      body?: Record<string, unknown>;
    };
    answer: {
      data: CreateAlertFeedData;
      meta: {
        schemaVersion: string;
        requestId: string;
        creditsUsed: number;
        warnings: Warning[];
      };
    };
  };
  /** Feeds of an alert, without their addresses, newest first */
  listAlertFeeds: {
    input: {
      /** Id of the alert */
      id: string;
    };
    answer: {
      data: {
        id: string;
        createdBy: number;
        createdAt: string;
      }[];
      meta: {
        schemaVersion: string;
        requestId: string;
        creditsUsed: number;
        pageCount: number;
      };
    };
  };
  /** Revoke a feed; its addresses are unknown from then on */
  deleteAlertFeed: {
    input: {
      /** Id of the alert */
      id: string;
      /** Id of the feed */
      feedId: string;
    };
    answer: {
      data: {
        id: string;
        deleted: boolean;
      };
      meta: {
        schemaVersion: string;
        requestId: string;
        creditsUsed: number;
      };
    };
  };
  /** Your webhooks, or the whole team’s for its owners, newest first */
  listWebhooks: {
    input: {
      /** Webhooks a page, 1 to 100 (default 100); more is clamped. */
      limit?: number;
      /** Webhooks to skip. */
      offset?: number;
    };
    answer: { data: ListWebhooksData[]; meta: ListExportsMeta };
  };
  /** Have events sent to an address; the secret that signs them is shown once */
  createWebhook: {
    input: {
      body: CreateWebhookBody;
    };
    answer: {
      data: CreateWebhookData;
      meta: {
        schemaVersion: string;
        requestId: string;
        creditsUsed: number;
        warnings: Warning[];
      };
    };
  };
  /** One webhook */
  getWebhook: {
    input: {
      /** Id of the webhook */
      id: string;
    };
    answer: {
      data: ListWebhooksData;
      meta: {
        schemaVersion: string;
        requestId: string;
        creditsUsed: number;
      };
    };
  };
  /** Change what a webhook gets, or switch it off and on */
  changeWebhook: {
    input: {
      /** Id of the webhook */
      id: string;
      body?: {
        /** Events that are sent */
        types?: EventType[];
        description?: string | null;
        status?: WebhookStatus;
      };
    };
    answer: {
      data: ListWebhooksData;
      meta: {
        schemaVersion: string;
        requestId: string;
        creditsUsed: number;
      };
    };
  };
  /** Delete a webhook with its log */
  deleteWebhook: {
    input: {
      /** Id of the webhook */
      id: string;
    };
    answer: {
      data: {
        id: string;
        deleted: boolean;
      };
      meta: {
        schemaVersion: string;
        requestId: string;
        creditsUsed: number;
      };
    };
  };
  /** Replace the secret; the old one signs too for 24 hours */
  rotateWebhook: {
    input: {
      /** Id of the webhook */
      id: string;
      body?: Record<string, unknown>;
    };
    answer: {
      data: CreateWebhookData;
      meta: {
        schemaVersion: string;
        requestId: string;
        creditsUsed: number;
        warnings: Warning[];
      };
    };
  };
  /** Send a `ping`, once */
  testWebhook: {
    input: {
      /** Id of the webhook */
      id: string;
      body?: Record<string, unknown>;
    };
    answer: {
      data: {
        messageId: string;
        type: MessageType;
        status: MessageStatus;
        nextAttemptAt: string;
      };
      meta: {
        schemaVersion: string;
        requestId: string;
        creditsUsed: number;
      };
    };
  };
  /** Send again what failed or was missed in a range of the last 30 days */
  recoverWebhook: {
    input: {
      /** Id of the webhook */
      id: string;
      body: {
        /** From when messages are sent again */
        since: string;
        /** Not included; now unless given */
        until?: string;
      };
    };
    answer: {
      data: {
        since: string;
        until: string;
        messages: number;
      };
      meta: {
        schemaVersion: string;
        requestId: string;
        creditsUsed: number;
      };
    };
  };
  /** The last 100 attempts, newest first, an attempt a row */
  listWebhookAttempts: {
    input: {
      /** Id of the webhook */
      id: string;
    };
    answer: {
      data: ListWebhookAttemptsData[];
      meta: {
        schemaVersion: string;
        requestId: string;
        creditsUsed: number;
        pageCount: number;
      };
    };
  };
  /** Send one message again, under its `webhook-id` */
  replayWebhookMessage: {
    input: {
      /** Id of the webhook */
      id: string;
      /** Id of a message, its `webhook-id` */
      messageId: string;
      body?: Record<string, unknown>;
    };
    answer: {
      data: {
        messageId: string;
        type: MessageType;
        status: MessageStatus;
        nextAttemptAt: string;
      };
      meta: {
        schemaVersion: string;
        requestId: string;
        creditsUsed: number;
      };
    };
  };
  /** What webhooks are sent, by cursor: for receivers without a public address */
  listEvents: {
    input: {
      /** Reads on behind this cursor: `meta.cursor` of the last page. */
      after?: string;
      /** Types of events; every type unless given. */
      types?: (MessageType | (string & {}))[];
      /** Events a page, 1 to 100 (default 100); more is clamped. */
      limit?: number;
    };
    answer: { data: ListEventsData[]; meta: ListEventsMeta };
  };
  /** Find contact info for projects */
  createEnrichment: {
    input: {
      body: CreateEnrichmentBody;
    };
    answer: {
      data: EnrichmentJob;
      meta: {
        schemaVersion: string;
        requestId: string;
        creditsUsed: number;
      };
    };
  };
  /** Where an enrichment stands */
  getEnrichment: {
    input: {
      /** Id of the enrichment */
      id: string;
    };
    answer: {
      data: EnrichmentJob;
      meta: {
        schemaVersion: string;
        requestId: string;
        creditsUsed: number;
      };
    };
  };
  /** Counts and statistics of a selection by up to two dimensions */
  aggregateProjects: {
    input: {
      body?: AggregateProjectsBody;
    };
    answer: { data: AggregateProjectsData; meta: AggregateProjectsMeta };
  };
  /** The groups of one dimension, ranked by one metric */
  rankGroups: {
    input: {
      body: RankGroupsBody;
    };
    answer: { data: RankGroupsData[]; meta: AggregateProjectsMeta };
  };
  /** What becomes of projects, and how many days it takes, by up to two dimensions */
  getOdds: {
    input: {
      body?: GetOddsBody;
    };
    answer: { data: GetOddsData; meta: AggregateProjectsMeta };
  };
  /** What analytics can answer */
  listDatasets: {
    input: Record<never, never>;
    answer: {
      data: ListDatasetsData[];
      meta: {
        schemaVersion: string;
        requestId: string;
        creditsUsed: number;
        warnings: Warning[];
      };
    };
  };
  /** How much the data holds by state, county and month, how fresh and how full it is */
  getCoverage: {
    input: Filters & Pick<Controls, 'groupBy' | 'by'>;
    answer: {
      data: {
        groups: GetCoverageGroup[];
        totals: GetCoverageTotals | null;
      };
      meta: GetCoverageMeta;
    };
  };
  /** Which fields, bodies and years of a selection carry an answer, and what is missing */
  getAnswerable: { input: Filters; answer: { data: GetAnswerableData; meta: GetAnswerableMeta } };
  /** A source document, by the meetingDocumentId of a record */
  getDocument: {
    input: {
      /** meetingDocumentId of a record */
      id: number;
    };
    answer: { data: GetDocumentData; meta: GetDocumentMeta };
  };
  /** What each generation of the records brought, newest first */
  listReleases: {
    input: {
      /** Releases a page, 1 to 100 (default 100); more is clamped. */
      limit?: number;
      /** Releases to skip. */
      offset?: number;
    };
    answer: { data: ListReleasesData[]; meta: ListExportsMeta };
  };
  /** Hearings ahead: which body meets when, and how many of the matching projects are on */
  listHearings: { input: Filters & Pick<Controls, 'from' | 'to'>; answer: { data: ListHearingsData[]; meta: ListHearingsMeta } };
  /** The same as iCalendar: an all-day event for each body and day, cancelled where every matching project left it */
  readHearingsCalendar: { input: Filters & Pick<Controls, 'from' | 'to'>; answer: Response };
  /** An address at which calendars and readers fetch the hearings of a selection without a key; it is shown once */
  createHearingFeed: {
    input: {
      body: {
        /** Which projects count; all of your licence where it is empty */
        filters: Filters;
      };
    };
    answer: {
      data: CreateHearingFeedData;
      meta: {
        schemaVersion: string;
        requestId: string;
        creditsUsed: number;
        warnings: Warning[];
      };
    };
  };
  /** Your feeds of hearings, without their addresses, newest first */
  listHearingFeeds: {
    input: Record<never, never>;
    answer: {
      data: CreateHearingFeedData[];
      meta: {
        schemaVersion: string;
        requestId: string;
        creditsUsed: number;
        pageCount: number;
      };
    };
  };
  /** One of your feeds of hearings, without its address */
  getHearingFeed: {
    input: {
      /** Id of the feed */
      id: string;
    };
    answer: {
      data: CreateHearingFeedData;
      meta: {
        schemaVersion: string;
        requestId: string;
        creditsUsed: number;
      };
    };
  };
  /** Delete a feed of hearings; its address is unknown from then on */
  deleteHearingFeed: {
    input: {
      /** Id of the feed */
      id: string;
    };
    answer: {
      data: {
        id: string;
        deleted: boolean;
      };
      meta: {
        schemaVersion: string;
        requestId: string;
        creditsUsed: number;
      };
    };
  };
  /** An address at which calendars and readers fetch the restrictions of a selection without a key; it is shown once */
  createRestrictionFeed: {
    input: {
      body: {
        /** Which restrictions count: filters of places and uses, as `GET /restrictions` takes them */
        filters: Filters;
      };
    };
    answer: {
      data: CreateRestrictionFeedData;
      meta: {
        schemaVersion: string;
        requestId: string;
        creditsUsed: number;
        warnings: Warning[];
      };
    };
  };
  /** Your feeds of restrictions, without their addresses, newest first */
  listRestrictionFeeds: {
    input: Record<never, never>;
    answer: {
      data: CreateRestrictionFeedData[];
      meta: {
        schemaVersion: string;
        requestId: string;
        creditsUsed: number;
        pageCount: number;
      };
    };
  };
  /** One of your feeds of restrictions, without its address */
  getRestrictionFeed: {
    input: {
      /** Id of the feed */
      id: string;
    };
    answer: {
      data: CreateRestrictionFeedData;
      meta: {
        schemaVersion: string;
        requestId: string;
        creditsUsed: number;
      };
    };
  };
  /** Delete a feed of restrictions; its address is unknown from then on */
  deleteRestrictionFeed: {
    input: {
      /** Id of the feed */
      id: string;
    };
    answer: {
      data: {
        id: string;
        deleted: boolean;
      };
      meta: {
        schemaVersion: string;
        requestId: string;
        creditsUsed: number;
      };
    };
  };
  /** Moratoria, bans and interim ordinances: what may not be built where, and until when */
  listRestrictions: {
    input: {
      /** States: FIPS numbers, USPS abbreviations or names, any of them. */
      states?: (number | string)[];
      /** Counties: FIPS numbers or names, the trailing 'County' optional; resolved within `states` when that names one state; 'Orange, CA' is one place, whatever `states` says. */
      counties?: (number | string)[];
      /** Cities: GeoNames numbers or names, in whichever county; 'Boulder, CO' is one place, whatever `states` says; a name that is ambiguous, also with `states` and `counties`, is refused with its candidates. */
      cities?: (number | string)[];
      /** Inside this rectangle, edges included; west greater than east crosses the antimeridian. */
      bbox?: {
        north: number;
        south: number;
        east: number;
        west: number;
      };
      /** Within a radius of 100 to 500000 metres. */
      circle?: {
        lat: number;
        lng: number;
        radiusMeters: number;
      };
      /** Inside a GeoJSON linear ring [[lng,lat],…] of 4 to 1000 vertices, each edge the short way around the Earth. */
      polygon?: number[][];
      /** Building Types (top level), any of them; token or label in any case. */
      propertyTypes?: (PropertyType | (string & {}))[];
      /** Subtypes (second level), any of them; also as 'Type - Subtype'. */
      propertySubtypes?: (PropertySubtype | (string & {}))[];
      /** Asset classes (third level), any of them. */
      assetClasses?: (AssetClass | (string & {}))[];
      /** Status on the day asked, any of them. */
      statuses?: (RestrictionStatus | (string & {}))[];
      /** Kinds, any of them. */
      kinds?: (RestrictionKind | (string & {}))[];
      /** In force on this day; `status` is that of the day. */
      inForceOn?: string;
      /** Ends on this day or later. */
      endsFrom?: string;
      /** Ends on this day or earlier. */
      endsTo?: string;
      /** `lastUpdated` (default) and `adoptedOn`: newest first; `ends`: what ends next first. */
      sort?: RestrictionSort | (string & {});
      /** Restrictions a page, 1 to 100 (default 100); more is clamped. */
      limit?: number;
      /** Restrictions to skip. */
      offset?: number;
    };
    answer: { data: ListRestrictionsData[]; meta: ListRestrictionsMeta };
  };
  /** One restriction, with the words that prove it */
  readRestriction: {
    input: {
      /** Restriction id */
      id: number;
    };
    answer: { data: ListRestrictionsData; meta: ReadRestrictionMeta };
  };
  /** Whether a restriction binds a project, point, county or city on a day: yes, no, or unclear with the reason */
  checkRestrictions: {
    input: {
      body?: CheckRestrictionsBody;
    };
    answer: {
      data: CheckRestrictionsData;
      meta: {
        schemaVersion: string;
        requestId: string;
        creditsUsed: number;
      };
    };
  };
  /** What is known of a place and a use: precedents, odds, restrictions, hearings, zoning, and what is not known */
  createBrief: {
    input: {
      body: CreateBriefBody;
    };
    answer: { data: CreateBriefData; meta: CreateBriefMeta };
  };
  /** The briefs of your team without their statements, newest first */
  listBriefs: {
    input: {
      /** Briefs a page, 1 to 100 (default 100); more is clamped. */
      limit?: number;
      /** Briefs to skip. */
      offset?: number;
    };
    answer: { data: ListBriefsData[]; meta: ListExportsMeta };
  };
  /** What a brief would cost now; free */
  priceBrief: {
    input: {
      body: CreateBriefBody;
    };
    answer: {
      data: {
        /** What the precedents would charge now */
        creditsRequired: number;
        /** How many there are */
        precedents: number;
      };
      meta: {
        schemaVersion: string;
        requestId: string;
        creditsUsed: number;
      };
    };
  };
  /** A brief as it was made; free */
  getBrief: {
    input: {
      /** Id of the brief */
      id: string;
    };
    answer: {
      data: CreateBriefData;
      meta: {
        schemaVersion: string;
        requestId: string;
        creditsUsed: number;
      };
    };
  };
  /** Delete a brief; its precedents stay held */
  deleteBrief: {
    input: {
      /** Id of the brief */
      id: string;
    };
    answer: {
      data: {
        id: string;
        deleted: boolean;
      };
      meta: {
        schemaVersion: string;
        requestId: string;
        creditsUsed: number;
      };
    };
  };
  /** All states and territories */
  listStates: {
    input: Record<never, never>;
    answer: {
      data: ListStatesData[];
      meta: {
        schemaVersion: string;
        requestId: string;
        pageCount: number;
      };
    };
  };
  /** One state */
  getState: {
    input: {
      /** FIPS number, USPS abbreviation or name */
      id: string;
    };
    answer: {
      data: ListStatesData;
      meta: {
        schemaVersion: string;
        requestId: string;
      };
    };
  };
  /** Counties of a state */
  listCounties: {
    input: {
      /** FIPS number, USPS abbreviation or name */
      id: string;
    };
    answer: {
      data: ListCountiesData[];
      meta: {
        schemaVersion: string;
        requestId: string;
        pageCount: number;
      };
    };
  };
  /** Cities of a county */
  listCities: {
    input: {
      /** FIPS number, USPS abbreviation or name */
      stateId: string;
      /** FIPS number or name */
      countyId: string;
    };
    answer: {
      data: ListCitiesData[];
      meta: {
        schemaVersion: string;
        requestId: string;
        pageCount: number;
      };
    };
  };
  /** One county */
  getCounty: {
    input: {
      /** FIPS number or name */
      id: string;
    };
    answer: {
      data: ListCountiesData;
      meta: {
        schemaVersion: string;
        requestId: string;
      };
    };
  };
  /** One city */
  getCity: {
    input: {
      /** GeoNames number or name */
      id: string;
    };
    answer: {
      data: ListCitiesData;
      meta: {
        schemaVersion: string;
        requestId: string;
      };
    };
  };
  /** Places by what a person types, misspelt too */
  searchPlaces: {
    input: {
      /** What was typed, 1 to 100 characters. */
      q: string;
      /** Kinds of place; every kind unless given. */
      kinds?: (Kind | (string & {}))[];
      /** Places, 1 to 20 (default 10). */
      limit?: number;
    };
    answer: {
      data: SearchPlacesData[];
      meta: {
        schemaVersion: string;
        requestId: string;
        creditsUsed: number;
        pageCount: number;
      };
    };
  };
  /** Entitlement statuses */
  listStatuses: {
    input: Record<never, never>;
    answer: {
      data: {
        token: string;
        label: string;
        aliases?: string[];
        type?: string;
        subtype?: string;
        category?: string;
      }[];
      meta: {
        schemaVersion: string;
        requestId: string;
        pageCount: number;
      };
    };
  };
  /** Bodies that decide */
  listDecisionBodies: {
    input: Record<never, never>;
    answer: {
      data: {
        token: string;
        label: string;
        aliases?: string[];
        type?: string;
        subtype?: string;
        category?: string;
      }[];
      meta: {
        schemaVersion: string;
        requestId: string;
        pageCount: number;
      };
    };
  };
  /** What is applied for */
  listRequestTypes: {
    input: Record<never, never>;
    answer: {
      data: {
        token: string;
        label: string;
        aliases?: string[];
        type?: string;
        subtype?: string;
        category?: string;
      }[];
      meta: {
        schemaVersion: string;
        requestId: string;
        pageCount: number;
      };
    };
  };
  /** Kinds of owner; labelling only */
  listOwnerTypes: {
    input: Record<never, never>;
    answer: {
      data: {
        token: string;
        label: string;
        aliases?: string[];
        type?: string;
        subtype?: string;
        category?: string;
      }[];
      meta: {
        schemaVersion: string;
        requestId: string;
        pageCount: number;
      };
    };
  };
  /** Kinds of decision */
  listDecisionTypes: {
    input: Record<never, never>;
    answer: {
      data: {
        token: string;
        label: string;
        aliases?: string[];
        type?: string;
        subtype?: string;
        category?: string;
      }[];
      meta: {
        schemaVersion: string;
        requestId: string;
        pageCount: number;
      };
    };
  };
  /** Kinds of construction */
  listConstructionTypes: {
    input: Record<never, never>;
    answer: {
      data: {
        token: string;
        label: string;
        aliases?: string[];
        type?: string;
        subtype?: string;
        category?: string;
      }[];
      meta: {
        schemaVersion: string;
        requestId: string;
        pageCount: number;
      };
    };
  };
  /** Project sizes */
  listProjectSizes: {
    input: Record<never, never>;
    answer: {
      data: {
        token: string;
        label: string;
        aliases?: string[];
        type?: string;
        subtype?: string;
        category?: string;
      }[];
      meta: {
        schemaVersion: string;
        requestId: string;
        pageCount: number;
      };
    };
  };
  /** Types of action */
  listActionTypes: {
    input: Record<never, never>;
    answer: {
      data: {
        token: string;
        label: string;
        aliases?: string[];
        type?: string;
        subtype?: string;
        category?: string;
      }[];
      meta: {
        schemaVersion: string;
        requestId: string;
        pageCount: number;
      };
    };
  };
  /** Categories of action */
  listActionCategories: {
    input: Record<never, never>;
    answer: {
      data: {
        token: string;
        label: string;
        aliases?: string[];
        type?: string;
        subtype?: string;
        category?: string;
      }[];
      meta: {
        schemaVersion: string;
        requestId: string;
        pageCount: number;
      };
    };
  };
  /** The Building Type tree */
  getTaxonomy: {
    input: {
      /** true adds Govt. Decisions, which is no Building Type. */
      includeGovernmentDecisions?: boolean;
    };
    answer: {
      data: {
        token: string;
        label: string;
        aliases?: string[];
        subtypes: Subtype[];
      }[];
      meta: {
        schemaVersion: string;
        requestId: string;
        pageCount: number;
      };
    };
  };
  /** Building Types */
  listProjectTypes: {
    input: {
      /** true adds Govt. Decisions, which is no Building Type. */
      includeGovernmentDecisions?: boolean;
    };
    answer: {
      data: {
        token: string;
        label: string;
        aliases?: string[];
        type?: string;
        subtype?: string;
        category?: string;
      }[];
      meta: {
        schemaVersion: string;
        requestId: string;
        pageCount: number;
      };
    };
  };
  /** Subtypes */
  listSubtypes: {
    input: {
      /** true adds Govt. Decisions, which is no Building Type. */
      includeGovernmentDecisions?: boolean;
    };
    answer: {
      data: {
        token: string;
        label: string;
        aliases?: string[];
        type?: string;
        subtype?: string;
        category?: string;
      }[];
      meta: {
        schemaVersion: string;
        requestId: string;
        pageCount: number;
      };
    };
  };
  /** Asset classes */
  listAssetClasses: {
    input: {
      /** true adds Govt. Decisions, which is no Building Type. */
      includeGovernmentDecisions?: boolean;
    };
    answer: {
      data: {
        token: string;
        label: string;
        aliases?: string[];
        type?: string;
        subtype?: string;
        category?: string;
      }[];
      meta: {
        schemaVersion: string;
        requestId: string;
        pageCount: number;
      };
    };
  };
  /** Balance, plan, rate limit and allowances */
  getCredits: { input: Record<never, never>; answer: { data: Credits; meta: GetCreditsMeta } };
  /** Receipts: every charge, grant and refund with its cause, newest first */
  listReceipts: {
    input: {
      /** Receipts a page, 1 to 100 (default 100); more is clamped. */
      limit?: number;
      /** Reads on below this id: `meta.nextBefore` of the last page. */
      before?: number;
    };
    answer: { data: Receipt[]; meta: ListReceiptsMeta };
  };
  /** Saved search preferences of the key’s user */
  getPreferences: {
    input: Record<never, never>;
    answer: {
      data: GetPreferencesData;
      meta: {
        schemaVersion: string;
        requestId: string;
      };
    };
  };
  /** Change saved search preferences; null clears a field */
  changePreferences: {
    input: {
      body?: ChangePreferencesBody;
    };
    answer: {
      data: GetPreferencesData;
      meta: {
        schemaVersion: string;
        requestId: string;
      };
    };
  };
  /** What a page or a program needs at its start: account, plan, licence, limits, words, release */
  getStart: {
    input: Record<never, never>;
    answer: {
      data: GetStartData;
      meta: {
        schemaVersion: string;
        requestId: string;
        creditsUsed: number;
      };
    };
  };
  /** Programs connected to the tools by OAuth: of your keys, or of the whole team’s for its owner; newest first */
  listConnections: {
    input: Record<never, never>;
    answer: {
      data: ListConnectionsData[];
      meta: {
        schemaVersion: string;
        requestId: string;
      };
    };
  };
  /** End a connection; its tokens stop at once */
  endConnection: {
    input: {
      /** Id of the connection */
      id: string;
    };
    answer: {
      data: {
        id: string;
        deleted: boolean;
      };
      meta: {
        schemaVersion: string;
        requestId: string;
      };
    };
  };
  /** Keys: your own, or the whole team’s for its owner */
  listKeys: {
    input: Record<never, never>;
    answer: {
      data: Key[];
      meta: {
        schemaVersion: string;
        requestId: string;
      };
    };
  };
  /** Mint a key; its secret is shown once */
  mintKey: {
    input: {
      body?: {
        /** What you call the key */
        name?: string;
      };
    };
    answer: {
      data: MintKeyData;
      meta: {
        schemaVersion: string;
        requestId: string;
        warnings: Warning[];
      };
    };
  };
  /** Revoke a key */
  revokeKey: {
    input: {
      /** Id of the key */
      id: string;
    };
    answer: {
      data: Key;
      meta: {
        schemaVersion: string;
        requestId: string;
      };
    };
  };
  /** Replace a key; the old one works for graceHours more */
  rotateKey: {
    input: {
      /** Id of the key */
      id: string;
      body?: {
        graceHours?: 1 | 24 | 168;
      };
    };
    answer: {
      data: RotateKeyData;
      meta: {
        schemaVersion: string;
        requestId: string;
        warnings: Warning[];
      };
    };
  };
  /** Attribute a key to another member of the team (owner only) */
  reassignKey: {
    input: {
      /** Id of the key */
      id: string;
      body: {
        /** The member who gets the key */
        userId: number;
      };
    };
    answer: {
      data: Key;
      meta: {
        schemaVersion: string;
        requestId: string;
      };
    };
  };
}

/** Names of the filters. */
export const FILTER_NAMES: readonly (keyof Filters)[] = [
  'states',
  'counties',
  'cities',
  'bbox',
  'circle',
  'polygon',
  'areas',
  'propertyTypes',
  'propertySubtypes',
  'assetClasses',
  'excludePropertySubtypes',
  'excludeAssetClasses',
  'taxonomyMatchMode',
  'underRestriction',
  'includeGovernmentDecisions',
  'governmentDecisionSubtypes',
  'governmentDecisionAssetClasses',
  'status',
  'decisionBodies',
  'statusCombos',
  'requestTypes',
  'decisionTypes',
  'constructionTypes',
  'projectSizes',
  'constructionLeadsOnly',
  'hasConstructionDetails',
  'requiresZoningChange',
  'inOpportunityZone',
  'inFemaFloodZone',
  'caseNumbers',
  'parcelNumbers',
  'existingZonings',
  'proposedZonings',
  'staffRecommendations',
  'voteResults',
  'voteAgainstMin',
  'voteAgainstMax',
  'hearingCountMin',
  'hearingCountMax',
  'daysInProcessMin',
  'daysInProcessMax',
  'firstMeetingDateFrom',
  'firstMeetingDateTo',
  'nextMeetingDateFrom',
  'nextMeetingDateTo',
  'outcomes',
  'meetingDateFrom',
  'meetingDateTo',
  'lastUpdatedFrom',
  'lastUpdatedTo',
  'dateRange',
  'totalUnitCountMin',
  'totalUnitCountMax',
  'acreageMin',
  'acreageMax',
  'lotSizeSqftMin',
  'lotSizeSqftMax',
  'squareFootageMin',
  'squareFootageMax',
  'parkingSpacesMin',
  'parkingSpacesMax',
  'buildingStoriesMin',
  'buildingStoriesMax',
  'buildingHeightFeetMin',
  'buildingHeightFeetMax',
  'bedroomCountMin',
  'bedroomCountMax',
  'floorCountMin',
  'floorCountMax',
  'lotCountMin',
  'lotCountMax',
  'q',
  'projectName',
  'developerName',
  'projectIds',
];

/** Where each operation is: its method, its path, and whether an Idempotency-Key may or must be sent. */
export const ROUTES: Readonly<Record<keyof Operations, readonly [method: string, path: string, idempotency?: 'honoured' | 'required']>> = {
  mapProjects: ['get', '/v1/projects/map'],
  getTile: ['get', '/v1/tiles/{z}/{x}/{y}.mvt'],
  searchProjects: ['get', '/v1/projects/search', 'honoured'],
  countProjects: ['get', '/v1/projects/count'],
  getProject: ['get', '/v1/projects/{id}', 'honoured'],
  getProjectEvidence: ['get', '/v1/projects/{id}/evidence', 'honoured'],
  getProjectChanges: ['get', '/v1/projects/{id}/changes'],
  matchProjects: ['post', '/v1/projects/match'],
  syncProjects: ['get', '/v1/projects/sync', 'honoured'],
  interpretSentence: ['get', '/v1/interpret'],
  aiSearch: ['post', '/v1/projects/ai-search'],
  createAiSearch: ['post', '/v1/projects/ai-search/jobs', 'honoured'],
  getAiSearch: ['get', '/v1/projects/ai-search/jobs/{id}'],
  cancelAiSearch: ['delete', '/v1/projects/ai-search/jobs/{id}'],
  judgeAnswers: ['post', '/v1/projects/ai-search/jobs/{id}/feedback'],
  createExport: ['post', '/v1/exports', 'honoured'],
  listExports: ['get', '/v1/exports'],
  getExport: ['get', '/v1/exports/{id}'],
  downloadExport: ['get', '/v1/exports/{id}/download'],
  createSnapshot: ['post', '/v1/snapshots', 'honoured'],
  listSnapshots: ['get', '/v1/snapshots'],
  getSnapshot: ['get', '/v1/snapshots/{id}'],
  deleteSnapshot: ['delete', '/v1/snapshots/{id}'],
  getSnapshotManifest: ['get', '/v1/snapshots/{id}/manifest'],
  downloadSnapshotFile: ['get', '/v1/snapshots/{id}/files/{name}'],
  listLists: ['get', '/v1/lists'],
  createList: ['post', '/v1/lists', 'honoured'],
  getList: ['get', '/v1/lists/{id}'],
  changeList: ['patch', '/v1/lists/{id}'],
  deleteList: ['delete', '/v1/lists/{id}'],
  restoreList: ['post', '/v1/lists/{id}/restore', 'honoured'],
  addListProjects: ['post', '/v1/lists/{id}/projects', 'honoured'],
  removeListProject: ['delete', '/v1/lists/{id}/projects/{projectId}'],
  noteListProject: ['patch', '/v1/lists/{id}/projects/{projectId}'],
  getListResults: ['get', '/v1/lists/{id}/results', 'honoured'],
  listAlerts: ['get', '/v1/alerts'],
  createAlert: ['post', '/v1/alerts', 'honoured'],
  getAlert: ['get', '/v1/alerts/{id}'],
  changeAlert: ['patch', '/v1/alerts/{id}'],
  deleteAlert: ['delete', '/v1/alerts/{id}'],
  restoreAlert: ['post', '/v1/alerts/{id}/restore', 'honoured'],
  previewAlert: ['get', '/v1/alerts/{id}/preview'],
  previewAlertWith: ['post', '/v1/alerts/{id}/preview'],
  runAlert: ['post', '/v1/alerts/{id}/run', 'required'],
  listAlertDeliveries: ['get', '/v1/alerts/{id}/deliveries'],
  getAlertDelivery: ['get', '/v1/alerts/{id}/deliveries/{deliveryId}'],
  listAlertMatches: ['get', '/v1/alerts/{id}/matches'],
  dismissMatch: ['post', '/v1/alerts/{id}/dismissals/{projectId}'],
  undismissMatch: ['delete', '/v1/alerts/{id}/dismissals/{projectId}'],
  createAlertFeed: ['post', '/v1/alerts/{id}/feeds', 'honoured'],
  listAlertFeeds: ['get', '/v1/alerts/{id}/feeds'],
  deleteAlertFeed: ['delete', '/v1/alerts/{id}/feeds/{feedId}'],
  listWebhooks: ['get', '/v1/webhooks'],
  createWebhook: ['post', '/v1/webhooks', 'honoured'],
  getWebhook: ['get', '/v1/webhooks/{id}'],
  changeWebhook: ['patch', '/v1/webhooks/{id}'],
  deleteWebhook: ['delete', '/v1/webhooks/{id}'],
  rotateWebhook: ['post', '/v1/webhooks/{id}/rotate', 'honoured'],
  testWebhook: ['post', '/v1/webhooks/{id}/test', 'honoured'],
  recoverWebhook: ['post', '/v1/webhooks/{id}/recover', 'honoured'],
  listWebhookAttempts: ['get', '/v1/webhooks/{id}/attempts'],
  replayWebhookMessage: ['post', '/v1/webhooks/{id}/attempts/{messageId}/replay', 'honoured'],
  listEvents: ['get', '/v1/events'],
  createEnrichment: ['post', '/v1/enrichments', 'required'],
  getEnrichment: ['get', '/v1/enrichments/{id}'],
  aggregateProjects: ['post', '/v1/analytics/aggregate'],
  rankGroups: ['post', '/v1/analytics/rankings'],
  getOdds: ['post', '/v1/analytics/odds'],
  listDatasets: ['get', '/v1/analytics/datasets'],
  getCoverage: ['get', '/v1/coverage'],
  getAnswerable: ['get', '/v1/coverage/answerable'],
  getDocument: ['get', '/v1/documents/{id}', 'honoured'],
  listReleases: ['get', '/v1/releases'],
  listHearings: ['get', '/v1/hearings'],
  readHearingsCalendar: ['get', '/v1/hearings.ics'],
  createHearingFeed: ['post', '/v1/hearings/feeds', 'honoured'],
  listHearingFeeds: ['get', '/v1/hearings/feeds'],
  getHearingFeed: ['get', '/v1/hearings/feeds/{id}'],
  deleteHearingFeed: ['delete', '/v1/hearings/feeds/{id}'],
  createRestrictionFeed: ['post', '/v1/restrictions/feeds', 'honoured'],
  listRestrictionFeeds: ['get', '/v1/restrictions/feeds'],
  getRestrictionFeed: ['get', '/v1/restrictions/feeds/{id}'],
  deleteRestrictionFeed: ['delete', '/v1/restrictions/feeds/{id}'],
  listRestrictions: ['get', '/v1/restrictions'],
  readRestriction: ['get', '/v1/restrictions/{id}'],
  checkRestrictions: ['post', '/v1/restrictions/check'],
  createBrief: ['post', '/v1/briefs', 'honoured'],
  listBriefs: ['get', '/v1/briefs'],
  priceBrief: ['post', '/v1/briefs/price'],
  getBrief: ['get', '/v1/briefs/{id}'],
  deleteBrief: ['delete', '/v1/briefs/{id}'],
  listStates: ['get', '/v1/locations/states'],
  getState: ['get', '/v1/locations/states/{id}'],
  listCounties: ['get', '/v1/locations/states/{id}/counties'],
  listCities: ['get', '/v1/locations/states/{stateId}/counties/{countyId}/cities'],
  getCounty: ['get', '/v1/locations/counties/{id}'],
  getCity: ['get', '/v1/locations/cities/{id}'],
  searchPlaces: ['get', '/v1/locations/search'],
  listStatuses: ['get', '/v1/reference/statuses'],
  listDecisionBodies: ['get', '/v1/reference/decision-bodies'],
  listRequestTypes: ['get', '/v1/reference/request-types'],
  listOwnerTypes: ['get', '/v1/reference/owner-types'],
  listDecisionTypes: ['get', '/v1/reference/decision-types'],
  listConstructionTypes: ['get', '/v1/reference/construction-types'],
  listProjectSizes: ['get', '/v1/reference/project-sizes'],
  listActionTypes: ['get', '/v1/taxonomy/action-types'],
  listActionCategories: ['get', '/v1/taxonomy/action-categories'],
  getTaxonomy: ['get', '/v1/taxonomy'],
  listProjectTypes: ['get', '/v1/taxonomy/project-types'],
  listSubtypes: ['get', '/v1/taxonomy/subtypes'],
  listAssetClasses: ['get', '/v1/taxonomy/asset-classes'],
  getCredits: ['get', '/v1/account/credits'],
  listReceipts: ['get', '/v1/account/ledger'],
  getPreferences: ['get', '/v1/account/preferences'],
  changePreferences: ['patch', '/v1/account/preferences'],
  getStart: ['get', '/v1/start'],
  listConnections: ['get', '/v1/account/connections'],
  endConnection: ['delete', '/v1/account/connections/{id}'],
  listKeys: ['get', '/api/user/api-keys'],
  mintKey: ['post', '/api/user/api-keys', 'honoured'],
  revokeKey: ['delete', '/api/user/api-keys/{id}'],
  rotateKey: ['post', '/api/user/api-keys/{id}/rotate', 'honoured'],
  reassignKey: ['post', '/api/user/api-keys/{id}/reassign', 'honoured'],
};
