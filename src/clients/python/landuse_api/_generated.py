"""Made from the OpenAPI document by "npm run openapi"; changes by hand are lost.

What the service answers, what its filters take, its refusals, and its operations as methods by resource.
"""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict, cast

from ._errors import Refusal
from ._resource import Options, Route

if sys.version_info >= (3, 11):
    from typing import NotRequired, Unpack
elif TYPE_CHECKING:
    from typing_extensions import NotRequired, Unpack

if TYPE_CHECKING:
    from ._async_transport import AsyncTransport
    from ._generated_transport import Transport


__all__ = [
    "Account",
    "AccountDisabled",
    "Accuracy",
    "ActiveAlertsDetails",
    "AddListProjectsAnswer",
    "AddListProjectsData",
    "AddListProjectsInput",
    "Affordability",
    "AggregateProjectsAnswer",
    "AggregateProjectsData",
    "AggregateProjectsInput",
    "AggregateProjectsMeta",
    "AggregateProjectsOrder",
    "AggregateProjectsResult",
    "AiSearchAnswer",
    "AiSearchData",
    "AiSearchProgress",
    "AiSearchReading",
    "AiSearchStatus",
    "AiSearchStatusValue",
    "Alert",
    "AlertDelivery",
    "AlertGeographyRequired",
    "AlertGeographyTooBroad",
    "AlertLimitReached",
    "AlertPlacesDetails",
    "AlertStatus",
    "Allowance",
    "AllowanceDetails",
    "AmongProblemsDetails",
    "AnswerFeedback",
    "Area",
    "AssetClass",
    "AssetClassValue",
    "Bbox",
    "Because",
    "Billable",
    "Body",
    "BriefBasis",
    "BriefCallMethod",
    "BriefSection",
    "BriefSectionValue",
    "Budget",
    "Cadence",
    "Call",
    "CancelAiSearchAnswer",
    "Candidate",
    "Cause",
    "CeilingDetails",
    "Cell",
    "Change",
    "ChangeAlertAnswer",
    "ChangeAlertInput",
    "ChangeAlertNotify",
    "ChangeListAnswer",
    "ChangeListInput",
    "ChangePreferencesAnswer",
    "ChangePreferencesInput",
    "ChangeWebhookAnswer",
    "ChangeWebhookInput",
    "CheckRestrictionsAnswer",
    "CheckRestrictionsData",
    "CheckRestrictionsInput",
    "CheckRestrictionsPoint",
    "CheckRestrictionsUse",
    "Circle",
    "Classification",
    "Client",
    "CompactProject",
    "CompanyEnrichment",
    "Compression",
    "ConstructionType",
    "ConstructionTypeValue",
    "Contact",
    "ContactFieldsDetails",
    "ContactOptions",
    "ContactSummary",
    "Contacts",
    "CountProjectsAnswer",
    "CountProjectsDelivery",
    "CountProjectsInput",
    "CountProjectsMeta",
    "CreateAiSearchAnswer",
    "CreateAiSearchInput",
    "CreateAlertAnswer",
    "CreateAlertCadence",
    "CreateAlertFeedAnswer",
    "CreateAlertFeedData",
    "CreateAlertInput",
    "CreateAlertMeta",
    "CreateAlertNotify",
    "CreateBriefAnswer",
    "CreateBriefCircle",
    "CreateBriefData",
    "CreateBriefInput",
    "CreateBriefMeta",
    "CreateBriefPlace",
    "CreateBriefPlace2",
    "CreateEnrichmentAnswer",
    "CreateEnrichmentInput",
    "CreateEnrichmentNotify",
    "CreateExportAnswer",
    "CreateExportAnswer2",
    "CreateExportContactOptions",
    "CreateExportInput",
    "CreateHearingFeedAnswer",
    "CreateHearingFeedData",
    "CreateHearingFeedInput",
    "CreateListAnswer",
    "CreateListInput",
    "CreateListShare",
    "CreateRestrictionFeedAnswer",
    "CreateRestrictionFeedData",
    "CreateRestrictionFeedInput",
    "CreateSnapshotAnswer",
    "CreateSnapshotAnswer2",
    "CreateSnapshotData",
    "CreateSnapshotInput",
    "CreateSnapshotSource",
    "CreateWebhookAnswer",
    "CreateWebhookData",
    "CreateWebhookInput",
    "Credits",
    "CreditsExhausted",
    "Current",
    "CursorDetails",
    "Curve",
    "DatePrecision",
    "DateRange",
    "DateRangeValue",
    "DaysToDecision",
    "Decision",
    "DecisionBody",
    "DecisionBodyValue",
    "DecisionType",
    "DecisionTypeValue",
    "DeleteAlertAnswer",
    "DeleteAlertData",
    "DeleteAlertFeedAnswer",
    "DeleteBriefAnswer",
    "DeleteHearingFeedAnswer",
    "DeleteListAnswer",
    "DeleteListData",
    "DeleteRestrictionFeedAnswer",
    "DeleteSnapshotAnswer",
    "DeleteWebhookAnswer",
    "Delivery",
    "DeliveryLedgerUnavailable",
    "DeliveryMode",
    "DeniedCounty",
    "DeniedState",
    "Derived",
    "Dimension",
    "DimensionValue",
    "DismissMatchAnswer",
    "DismissMatchData",
    "DocumentVersion",
    "DownloadExportInput",
    "EndBasis",
    "EndConnectionAnswer",
    "EnrichmentAllowanceExceeded",
    "EnrichmentIncompatibleRepresentation",
    "EnrichmentJob",
    "EnrichmentLedgerUnavailable",
    "EnrichmentRequiresAsync",
    "EnrichmentRequiresPaidPlan",
    "EnrichmentStatus",
    "EnrichmentUnavailable",
    "ErrorAnswer",
    "ErrorCode",
    "EventType",
    "EventTypeValue",
    "Evidence",
    "EvidenceFrom",
    "ExportExpired",
    "ExportFilters",
    "ExportJob",
    "ExportNotReady",
    "ExportStatus",
    "ExportUnavailable",
    "Extension",
    "F",
    "FILTER_NAMES",
    "FeedGone",
    "Field",
    "File",
    "Filled",
    "Filters",
    "Forbidden",
    "Format",
    "FormerId",
    "Frequency",
    "FullProject",
    "FullProjectVote",
    "FurtherCounty",
    "GeoParquet",
    "GeographicAccessDenied",
    "GeographyDetails",
    "GetAiSearchAnswer",
    "GetAlertAnswer",
    "GetAlertDeliveryAnswer",
    "GetAnswerableAnswer",
    "GetAnswerableData",
    "GetAnswerableField",
    "GetAnswerableMeta",
    "GetBriefAnswer",
    "GetCityAnswer",
    "GetCountyAnswer",
    "GetCoverageAnswer",
    "GetCoverageData",
    "GetCoverageGroup",
    "GetCoverageInput",
    "GetCoverageMeta",
    "GetCoverageTotals",
    "GetCreditsAnswer",
    "GetCreditsCredits",
    "GetCreditsMeta",
    "GetDocumentAnswer",
    "GetDocumentData",
    "GetDocumentMeta",
    "GetEnrichmentAnswer",
    "GetExportAnswer",
    "GetHearingFeedAnswer",
    "GetListAnswer",
    "GetListResultsAnswer",
    "GetListResultsData",
    "GetListResultsData2",
    "GetListResultsData3",
    "GetListResultsData4",
    "GetListResultsInput",
    "GetListResultsMeta",
    "GetListResultsQuery",
    "GetOddsAnswer",
    "GetOddsData",
    "GetOddsGroup",
    "GetOddsInput",
    "GetOddsQuery",
    "GetOddsResult",
    "GetOddsTotals",
    "GetPreferencesAnswer",
    "GetPreferencesData",
    "GetProjectAnswer",
    "GetProjectChangesAnswer",
    "GetProjectChangesData",
    "GetProjectChangesMeta",
    "GetProjectContactOptions",
    "GetProjectEvidenceAnswer",
    "GetProjectEvidenceData",
    "GetProjectEvidenceMeta",
    "GetProjectInput",
    "GetProjectMeta",
    "GetProjectQuery",
    "GetRestrictionFeedAnswer",
    "GetSnapshotAnswer",
    "GetSnapshotManifestSync",
    "GetStartAnswer",
    "GetStartCredits",
    "GetStartData",
    "GetStateAnswer",
    "GetStateMeta",
    "GetTaxonomyAnswer",
    "GetTaxonomyAssetClass",
    "GetTaxonomyData",
    "GetTaxonomyInput",
    "GetWebhookAnswer",
    "GovernmentAssetClass",
    "GovernmentAssetClassValue",
    "GovernmentPropertySubtype",
    "GovernmentPropertySubtypeValue",
    "Group",
    "GroupBy",
    "GuideName",
    "GuideNameValue",
    "HearingsToDecision",
    "IdempotencyInFlight",
    "IdempotencyKeyReuse",
    "Include",
    "InsufficientCredits",
    "InternalError",
    "InterpretSentenceAnswer",
    "InterpretSentenceData",
    "InterpretSentenceInput",
    "Interpretation",
    "Interval",
    "Intervals",
    "InvalidCursor",
    "InvalidFilter",
    "InvalidRequest",
    "InvalidRequestDetails",
    "JudgeAnswersAnswer",
    "JudgeAnswersData",
    "JudgeAnswersInput",
    "JudgeAnswersMeta",
    "JurisdictionType",
    "JurisdictionTypeValue",
    "Key",
    "KeyExpired",
    "Keys",
    "Kind",
    "Labels",
    "LandUseLevel",
    "LandUseRole",
    "Licence",
    "Limits",
    "List",
    "ListActionCategoriesAnswer",
    "ListActionTypesAnswer",
    "ListAlertDeliveriesAnswer",
    "ListAlertDeliveriesInput",
    "ListAlertFeedsAnswer",
    "ListAlertFeedsData",
    "ListAlertFeedsMeta",
    "ListAlertMatchesAnswer",
    "ListAlertMatchesData",
    "ListAlertMatchesData2",
    "ListAlertMatchesData3",
    "ListAlertMatchesInput",
    "ListAlertMatchesMeta",
    "ListAlertMatchesQuery",
    "ListAlertsAnswer",
    "ListAlertsInput",
    "ListAlertsMember",
    "ListAlertsMeta",
    "ListAlertsNotify",
    "ListAlertsProblem",
    "ListAlertsShare",
    "ListAssetClassesAnswer",
    "ListAssetClassesInput",
    "ListBriefsAnswer",
    "ListBriefsData",
    "ListBriefsInput",
    "ListCitiesAnswer",
    "ListCitiesData",
    "ListConnectionsAnswer",
    "ListConnectionsData",
    "ListConstructionTypesAnswer",
    "ListCountiesAnswer",
    "ListCountiesData",
    "ListDatasetsAnswer",
    "ListDatasetsData",
    "ListDatasetsDimension",
    "ListDatasetsMetric",
    "ListDecisionBodiesAnswer",
    "ListDecisionTypesAnswer",
    "ListEventsAnswer",
    "ListEventsData",
    "ListEventsInput",
    "ListEventsMeta",
    "ListExportsAnswer",
    "ListExportsInput",
    "ListExportsMeta",
    "ListHearingFeedsAnswer",
    "ListHearingsAnswer",
    "ListHearingsData",
    "ListHearingsInput",
    "ListHearingsMeta",
    "ListHearingsProject",
    "ListKeysAnswer",
    "ListKind",
    "ListListsAnswer",
    "ListListsInput",
    "ListOwnerTypesAnswer",
    "ListProjectSizesAnswer",
    "ListProjectTypesAnswer",
    "ListProjectTypesInput",
    "ListReceiptsAnswer",
    "ListReceiptsInput",
    "ListReceiptsMeta",
    "ListReleasesAnswer",
    "ListReleasesData",
    "ListReleasesInput",
    "ListReleasesState",
    "ListRequestTypesAnswer",
    "ListRestrictionFeedsAnswer",
    "ListRestrictionsAnswer",
    "ListRestrictionsData",
    "ListRestrictionsEvidence",
    "ListRestrictionsInput",
    "ListRestrictionsMeta",
    "ListRestrictionsPlace",
    "ListSnapshotsAnswer",
    "ListSnapshotsInput",
    "ListStatesAnswer",
    "ListStatesData",
    "ListStatesMeta",
    "ListStatusesAnswer",
    "ListStatusesData",
    "ListSubtypesAnswer",
    "ListSubtypesInput",
    "ListWebhookAttemptsAnswer",
    "ListWebhookAttemptsData",
    "ListWebhooksAnswer",
    "ListWebhooksData",
    "ListWebhooksInput",
    "Location",
    "ManualRuns",
    "ManualRunsExhausted",
    "MapProjectsAnswer",
    "MapProjectsData",
    "MapProjectsInput",
    "MapProjectsMeta",
    "MatchEvidence",
    "MatchProjectsAnswer",
    "MatchProjectsData",
    "MatchProjectsInput",
    "MatchProjectsMeta",
    "MatchReason",
    "Measurement",
    "MeasurementValue",
    "Median",
    "MeetingDocument",
    "Member",
    "MessageStatus",
    "MessageType",
    "MessageTypeValue",
    "Meta",
    "MethodNotAllowed",
    "Metric",
    "MintKeyAnswer",
    "MintKeyData",
    "MintKeyInput",
    "MintKeyMeta",
    "MissingApiKey",
    "NeedsJobDetails",
    "NewBecause",
    "NewBecauseValue",
    "NextRead",
    "NotAcceptable",
    "NoteListProjectAnswer",
    "NoteListProjectData",
    "NoteListProjectInput",
    "Notify",
    "OddsDimension",
    "OddsDimensionValue",
    "Order",
    "OrderedFilters",
    "OutageDetails",
    "Outcome",
    "OutcomeRule",
    "OutcomeRuleValue",
    "OutcomeValue",
    "Outcomes",
    "Owned",
    "PageMeta",
    "PartialReason",
    "PartialReasonValue",
    "Party",
    "PartyRole",
    "PartyRoleValue",
    "Place",
    "PlacePrecision",
    "Plan",
    "Point",
    "PreviewAlertAnswer",
    "PreviewAlertData",
    "PreviewAlertWithAnswer",
    "PreviewAlertWithInput",
    "Price",
    "PriceBriefAnswer",
    "PriceBriefData",
    "PriceBriefInput",
    "PriceDetails",
    "Problem",
    "ProblemsDetails",
    "Progress",
    "Project",
    "ProjectLandUse",
    "ProjectSize",
    "PropertySubtype",
    "PropertySubtypeValue",
    "PropertyType",
    "PropertyTypeValue",
    "Query",
    "Quote",
    "QuoteSource",
    "QuotedField",
    "QuotedFieldValue",
    "RangeNotSatisfiable",
    "RankGroupsAnswer",
    "RankGroupsData",
    "RankGroupsInput",
    "RateDetails",
    "RateLimit",
    "RateLimitExceeded",
    "RateLimiterUnavailable",
    "ReadHearingsCalendarInput",
    "ReadRestrictionAnswer",
    "ReadRestrictionMeta",
    "Reading",
    "ReassignKeyAnswer",
    "ReassignKeyInput",
    "Receipt",
    "Recipient",
    "RecipientState",
    "RecordField",
    "RecordFieldValue",
    "RecoverWebhookAnswer",
    "RecoverWebhookData",
    "RecoverWebhookInput",
    "RefundDetails",
    "Related",
    "RelatedRecord",
    "Release",
    "RemoveListProjectAnswer",
    "RemoveListProjectData",
    "Removed",
    "ReplayWebhookMessageAnswer",
    "RepresentationName",
    "RequestTimeout",
    "RequestType",
    "RequestTypeValue",
    "ResourceNotFound",
    "RestoreAlertAnswer",
    "RestoreListAnswer",
    "RestrictionKind",
    "RestrictionSort",
    "RestrictionStatus",
    "RestrictionStatusValue",
    "Restrictions",
    "Result",
    "Results",
    "RevokeKeyAnswer",
    "RotateKeyAnswer",
    "RotateKeyData",
    "RotateKeyInput",
    "RotateWebhookAnswer",
    "Row",
    "RunAlertAnswer",
    "RunAlertMeta",
    "RunStatus",
    "RunStatusValue",
    "RunTrigger",
    "RunsDetails",
    "SearchPlacesAnswer",
    "SearchPlacesData",
    "SearchPlacesInput",
    "SearchProjectsAnswer",
    "SearchProjectsAnswer2",
    "SearchProjectsAnswer3",
    "SearchProjectsData2",
    "SearchProjectsDelivery",
    "SearchProjectsInput",
    "SearchProjectsQuery",
    "SearchUnavailable",
    "Section",
    "ServiceUnavailable",
    "ServiceWarning",
    "SettableAlertStatus",
    "Share",
    "ShareMode",
    "SharingRequiresPaidPlan",
    "SizeDetails",
    "Skipped",
    "Snapshot",
    "SnapshotDetails",
    "SnapshotFormat",
    "SnapshotInProgress",
    "SnapshotManifest",
    "SnapshotStatus",
    "SnapshotStatusValue",
    "Sort",
    "SortValue",
    "Source",
    "StaffRecommendation",
    "StaffRecommendationValue",
    "StandardProject",
    "State",
    "Statement",
    "Statistic",
    "Status",
    "StatusHistory",
    "StatusValue",
    "SubscriptionRequired",
    "Subtype",
    "Suggestion",
    "SupportedDetails",
    "Suppression",
    "Sync",
    "SyncProjectsAnswer",
    "SyncProjectsInput",
    "SyncProjectsMeta",
    "SyncProjectsQuery",
    "SyncTieUnresolved",
    "TaxonomyMatchMode",
    "TestWebhookAnswer",
    "TestWebhookData",
    "TextOrNumber",
    "TieDetails",
    "Totals",
    "TrialTruncation",
    "Unauthorized",
    "Unconfirmed",
    "UndismissMatchAnswer",
    "UnfinishedDetails",
    "UnitMix",
    "Use",
    "Vocabularies",
    "Vote",
    "VoteResult",
    "VoteTotals",
    "WarningCode",
    "WebhookStatus",
    "Wording",
    "Year",
    "ZoneSide",
]

ErrorCode: TypeAlias = Literal["account_disabled", "alert_geography_required", "alert_geography_too_broad", "alert_limit_reached", "credits_exhausted", "delivery_ledger_unavailable", "enrichment_allowance_exceeded", "enrichment_incompatible_representation", "enrichment_ledger_unavailable", "enrichment_requires_async", "enrichment_requires_paid_plan", "enrichment_unavailable", "export_expired", "export_not_ready", "export_unavailable", "feed_gone", "forbidden", "geographic_access_denied", "idempotency_in_flight", "idempotency_key_reuse", "insufficient_credits", "internal_error", "invalid_cursor", "invalid_filter", "invalid_request", "key_expired", "manual_runs_exhausted", "method_not_allowed", "missing_api_key", "not_acceptable", "range_not_satisfiable", "rate_limit_exceeded", "rate_limiter_unavailable", "request_timeout", "resource_not_found", "search_unavailable", "service_unavailable", "sharing_requires_paid_plan", "subscription_required", "snapshot_in_progress", "sync_tie_unresolved", "unauthorized"]

WarningCode: TypeAlias = Literal["alert_nl_enrichment_failed", "ambiguous_place", "bounds_reversed", "budget_exceeds_monthly_allowance", "cells_too_long", "default_date_window_applied", "documents_unread", "filter_evidence_unconfirmed", "geography_narrowed_to_smallest_scope", "government_decisions_excluded", "limit_clamped_to_page_size", "people_withheld", "place_renamed", "results_outside_licence", "secret_not_repeated", "sync_records_unpositionable", "taxonomy_filter_rolled_up", "trial_truncated"]

class ServiceWarning(TypedDict):
    code: WarningCode
    message: str
    params: dict[str, Any]


TextOrNumber: TypeAlias = "str | int"

class Problem(TypedDict):
    param: str | None
    """As it was sent; in a body the path to it"""
    code: str
    """Stable; the guide on errors lists them"""
    message: str
    value: NotRequired[Any]
    """What was sent, shortened"""
    didYouMean: NotRequired[str]
    nearest: NotRequired[list[str]]
    """The values nearest to an unknown one"""
    reference: NotRequired[str]
    """Path of the route that lists every value"""
    candidates: NotRequired[list[Any]]
    """The values among which the sent one does not decide"""


class ProblemsDetails(TypedDict):
    problems: list[Problem]
    """Everything that is wrong with the request"""
    moreProblems: NotRequired[int]
    """How many there are beyond those listed"""


class AmongProblemsDetails(TypedDict):
    problems: NotRequired[list[Problem]]
    """Everything that is wrong with the request"""
    moreProblems: NotRequired[int]
    """How many there are beyond those listed"""


class InvalidRequestDetails(ProblemsDetails):
    supported: NotRequired[list[str]]
    """Values that can be sent"""
    alternative: NotRequired[str]
    """The route that does what was asked"""
    asyncEndpoint: NotRequired[str]
    candidateScanCeiling: NotRequired[int]
    window: NotRequired[int]
    """How far `offset` + `limit` reach"""
    creditsRequired: NotRequired[int]
    maxCredits: NotRequired[int]
    maxContactCredits: NotRequired[int]
    maxProjects: NotRequired[int]
    projectCount: NotRequired[int]
    groups: NotRequired[int]
    maxGroups: NotRequired[int]
    alertId: NotRequired[str | None]
    kind: NotRequired[str]
    state: NotRequired[str]
    replacedBy: NotRequired[str | None]
    userId: NotRequired[int]
    closedAt: NotRequired[str]
    maxActiveLiveKeys: NotRequired[int]
    maxFeeds: NotRequired[int]
    maxLists: NotRequired[int]
    maxWebhooks: NotRequired[int]
    maxUnconfirmedAddresses: NotRequired[int]
    unconfirmedAddresses: NotRequired[int]
    maxQuestions: NotRequired[int]
    usedBytes: NotRequired[int]
    limitBytes: NotRequired[int]


class SupportedDetails(TypedDict):
    supported: list[str]
    """Content types that are served"""


class ContactFieldsDetails(ProblemsDetails):
    supported: list[str]


class NeedsJobDetails(ProblemsDetails):
    endpoints: list[str]
    """Routes that look contacts up"""


class CursorDetails(ProblemsDetails):
    recovery: str
    """What to do"""


class AlertPlacesDetails(AmongProblemsDetails):
    maxStates: int | None
    maxLocalities: int | None


class ActiveAlertsDetails(TypedDict):
    maxActiveAlerts: int


class DeniedState(TypedDict):
    id: int
    name: str
    abbreviation: str


class DeniedCounty(TypedDict):
    id: int
    name: str
    stateId: int


class GeographyDetails(AmongProblemsDetails):
    deniedStates: list[DeniedState]
    deniedStateIds: list[int]
    allowedStates: list[DeniedState]
    allowedStateIds: list[int]
    deniedCounties: NotRequired[list[DeniedCounty]]
    allowedCountyIds: NotRequired[list[int]]


class CeilingDetails(AmongProblemsDetails):
    maxActiveLiveKeys: NotRequired[int]
    maxFeeds: NotRequired[int]
    maxLists: NotRequired[int]
    maxWebhooks: NotRequired[int]
    maxUnconfirmedAddresses: NotRequired[int]
    unconfirmedAddresses: NotRequired[int]
    maxQuestions: NotRequired[int]
    usedBytes: NotRequired[int]
    limitBytes: NotRequired[int]


class Allowance(TypedDict):
    used: int
    limit: int | None
    remaining: int | None
    resetsAt: str | None


class AllowanceDetails(TypedDict):
    requested: int
    allowance: Allowance


class UnfinishedDetails(TypedDict):
    status: str
    pollUrl: str


class RefundDetails(TypedDict):
    creditsRefunded: int


class SnapshotDetails(TypedDict):
    snapshotId: str
    """The one that is queued or being built"""


class Quote(TypedDict):
    matchCount: int
    matchCountIsExact: bool
    creditRate: float
    creditsRequired: int
    creditsRemaining: int
    affordableRecordCount: int
    countUrl: str | None
    """A count that prices exactly what was refused; null where none does"""


class PriceDetails(TypedDict):
    quote: Quote
    limit: NotRequired[int]
    """The page that can be paid: send it"""
    offset: NotRequired[int]
    maxPrecedents: NotRequired[int]
    """Of a brief: as many can be paid"""


class RunsDetails(TypedDict):
    limit: int
    used: int
    resetsAt: str


class SizeDetails(TypedDict):
    sizeBytes: int


class RateDetails(TypedDict):
    limit: int
    windowSeconds: NotRequired[int]
    retryAfterSeconds: NotRequired[int]
    resetsAt: NotRequired[str]
    waiting: NotRequired[int]
    """How many wait of those that a team may have waiting"""


class OutageDetails(TypedDict):
    subsystem: NotRequired[str]
    fault: NotRequired[str]
    servers: NotRequired[dict[str, Any]]
    reasons: NotRequired[list[str]]


class TieDetails(TypedDict):
    suggestion: str
    timestamp: str
    records: int
    limit: int


class Delivery(TypedDict):
    alreadyExported: bool
    updatedSinceExport: bool | None
    lastExportedAt: str | None
    billed: bool


class ProjectLandUse(TypedDict):
    type: str
    typeLabel: str | None
    subtype: str | None
    subtypeLabel: str | None
    assetClass: str | None
    assetClassLabel: str | None
    matchedOn: list[LandUseLevel]


class CompactProject(TypedDict):
    id: int
    """Project id; the same from load to load"""
    recordType: str | None
    """Kind of record, such as `project`"""
    projectName: str | None
    """Name of the project"""
    serviceLink: str
    """The record on the map of this service"""
    mergedFrom: list[int] | None
    """Ids of the records merged into this one, its own among them"""
    lastUpdated: str
    """When the content last changed"""
    meetingDate: str | None
    """Date of the latest meeting; of a merged development the newest hearing that is not in the future"""
    delivery: Delivery
    """What the credit pool held of the record before this answer"""
    address: str | None
    """Street address"""
    city: str | None
    """City"""
    county: str | None
    """County"""
    state: str | None
    """USPS abbreviation of the state"""
    latitude: float | None
    """Degrees north"""
    longitude: float | None
    """Degrees east"""
    inOpportunityZone: bool | None
    """Inside an Opportunity Zone; null where that was not computed"""
    inFemaFloodZone: bool | None
    """Inside a Special Flood Hazard Area; null where that was not computed"""
    propertyType: str | None
    """Building Type"""
    propertyTypeLabel: str | None
    """Label of propertyType"""
    landUses: list[ProjectLandUse] | None
    """Every land use of the project, each once"""
    status: str
    """Entitlement status; `unknown` where no decision is recorded"""
    statusLabel: str | None
    """Label of status"""


class Classification(TypedDict):
    type: str
    typeLabel: str | None
    role: LandUseRole | None
    roleLabel: str | None


class UnitMix(TypedDict):
    unitType: str
    count: int


class Party(TypedDict):
    role: PartyRole
    roleLabel: str | None
    name: str


class Contact(TypedDict):
    name: str | None
    role: str | None
    company: str | None
    title: str | None
    email: str | None
    emailSource: str | None
    phone: str | None
    phoneSource: str | None
    linkedin: str | None
    linkedinSource: str | None


class CompanyEnrichment(TypedDict):
    name: str | None
    website: str | None
    linkedin: str | None
    archetype: str | None
    mainPhone: str | None


class ContactSummary(TypedDict):
    contactCount: int
    withEmail: int
    withPhone: int
    lowConfidenceWithheld: int
    unlocked: bool


class StandardProject(CompactProject):
    displayName: str | None
    """Name for people, where it differs from projectName"""
    summary: str | None
    """Description of the project; the status sentence where there is none"""
    statusSummary: str | None
    """The status in one sentence"""
    sourceDocumentUrl: str | None
    """Public meeting document of the latest appearance"""
    meetingDocumentId: int | None
    """Id of that document, for `GET /documents/{id}`"""
    contentRevision: str
    """Names the content; equal content has an equal revision"""
    stateId: int | None
    """FIPS number of the state"""
    countyId: int | None
    """FIPS number of the county"""
    cityId: int | None
    """GeoNames number of the city"""
    zipCode: str | None
    """ZIP code"""
    parcelNumbers: list[str] | None
    """Numbers of the parcels"""
    propertySubtype: str | None
    """Second level of the Building Type"""
    propertySubtypeLabel: str | None
    """Label of propertySubtype"""
    assetClass: str | None
    """First known asset class, the third level"""
    assetClassLabel: str | None
    """Label of assetClass"""
    classifications: list[Classification]
    """The Building Types of the project, each with its role"""
    projectSize: str | None
    """large, medium or small"""
    projectSizeLabel: str | None
    """Label of projectSize"""
    isRezone: bool | None
    """A change of zoning is asked for"""
    requestType: str | None
    """What is applied for"""
    requestTypeLabel: str | None
    """Label of requestType"""
    constructionType: str | None
    """Kind of construction"""
    constructionTypeLabel: str | None
    """Label of constructionType"""
    isConstructionLead: bool | None
    """Construction is likely to follow"""
    hasConstructionDetails: bool | None
    """Details of the construction are known"""
    decisionBody: str | None
    """Body that decided"""
    decisionBodyLabel: str | None
    """Label of decisionBody"""
    decisionType: str | None
    """Kind of decision"""
    decisionTypeLabel: str | None
    """Label of decisionType"""
    existingZoning: str | None
    """Zoning today"""
    proposedZoning: str | None
    """Zoning asked for"""
    totalUnitCount: int | None
    """Dwelling units"""
    unitMix: list[UnitMix] | None
    """Units by type"""
    acreage: float | None
    """Acres"""
    lotSizeSqft: float | None
    """Lot size in square feet"""
    squareFootage: float | None
    """Floor area in square feet"""
    floorCount: float | None
    """Floors"""
    buildingStories: float | None
    """Stories"""
    buildingHeightFeet: float | None
    """Height in feet"""
    bedroomCount: int | None
    """Bedrooms"""
    parkingSpaces: int | None
    """Parking spaces"""
    lotCount: int | None
    """Buildable lots"""
    parties: list[Party] | None
    """Companies and people that the filing names"""
    contacts: list[Contact] | None
    """People; channels are null until Find Contact Info unlocked them"""
    companyEnrichment: list[CompanyEnrichment] | None
    """Companies; name and website on every plan, the rest on paid ones"""
    contactSummary: ContactSummary
    """How many contacts and channels there are"""


class FullProjectVote(TypedDict):
    name: str
    vote: Vote
    voteLabel: str | None


class Decision(TypedDict):
    decisionBody: str | None
    decisionBodyLabel: str | None
    decisionType: str | None
    decisionTypeLabel: str | None
    status: str | None
    statusLabel: str | None
    meetingDate: str
    motion: str | None
    votes: list[FullProjectVote] | None


class MeetingDocument(TypedDict):
    meetingDocumentId: int
    title: str | None
    decisionBody: str | None
    decisionBodyLabel: str | None
    meetingDate: str | None
    url: str | None


class StatusHistory(TypedDict):
    status: str
    statusLabel: str | None
    date: str
    decisionBody: str | None
    decisionBodyLabel: str | None


class VoteTotals(TypedDict):
    yes: int | None
    no: int | None
    abstain: int | None
    absent: int | None


class Derived(TypedDict):
    staffRecommendation: StaffRecommendation | None
    voteResult: VoteResult | None
    outcome: Outcome | None
    outcomeSince: str | None
    daysInProcess: int | None
    rule: OutcomeRule
    locationDoubtful: bool


class FullProject(StandardProject):
    decisions: list[Decision] | None
    """Decisions with their named votes"""
    meetingDocuments: list[MeetingDocument] | None
    """Documents of its meetings"""
    rawText: str | None
    """Text of the minutes that speaks of the project"""
    originalRawText: str | None
    """That text as it was extracted"""
    originalRawTextTruncated: bool | None
    """The original text was longer"""
    actionType: str | None
    """Type of action"""
    actionTypeLabel: str | None
    """Label of actionType"""
    actionCategory: str | None
    """Category of action"""
    actionCategoryLabel: str | None
    """Label of actionCategory"""
    firstMeetingDate: str | None
    """Date of the first meeting"""
    nextMeetingDate: str | None
    """Date of the next meeting"""
    appearanceCount: int | None
    """Meetings at which the project appeared"""
    statusHistory: list[StatusHistory] | None
    """Statuses over time"""
    caseNumbers: list[str] | None
    """Case numbers"""
    conditionsOfApproval: list[str] | None
    """Conditions of the approval"""
    voteTotals: VoteTotals | None
    """Votes of the latest decision"""
    staffRecommendation: str | None
    """What staff recommended"""
    dataRichness: int
    """Share of the attributes that the record states, in percent"""
    derived: NotRequired[Derived]
    """Only with `include=derived`: what this service reads from the record, such as outcome, staff recommendation, vote and days in process"""


class Bbox(TypedDict):
    north: float
    south: float
    east: float
    west: float


class Circle(TypedDict):
    lat: float
    lng: float
    radiusMeters: float


class Area(TypedDict):
    name: NotRequired[str]
    bbox: NotRequired[Bbox]
    circle: NotRequired[Circle]
    polygon: NotRequired[Sequence[Sequence[float]]]


class Filters(TypedDict):
    states: NotRequired[Sequence[TextOrNumber]]
    """States: FIPS numbers, USPS abbreviations or names, any of them. Also accepted as `state`, `stateId`, `stateIds`."""
    counties: NotRequired[Sequence[TextOrNumber]]
    """Counties: FIPS numbers or names, the trailing 'County' optional; resolved within `states` when that names one state; 'Orange, CA' is one place, whatever `states` says. Also accepted as `county`, `countyId`, `countyIds`."""
    cities: NotRequired[Sequence[TextOrNumber]]
    """Cities: GeoNames numbers or names, in whichever county; 'Boulder, CO' is one place, whatever `states` says; a name that is ambiguous, also with `states` and `counties`, is refused with its candidates. Also accepted as `city`, `cityId`, `cityIds`."""
    bbox: NotRequired[Bbox]
    """Inside this rectangle, edges included; west greater than east crosses the antimeridian. Also accepted as `bounds`."""
    circle: NotRequired[Circle]
    """Within a radius of 100 to 500000 metres."""
    polygon: NotRequired[Sequence[Sequence[float]]]
    """Inside a GeoJSON linear ring [[lng,lat],…] of 4 to 1000 vertices, each edge the short way around the Earth."""
    areas: NotRequired[Sequence[Area]]
    """Inside any of 1 to 10 areas {name?, bbox | circle | polygon}, each as the filter of that name takes it."""
    propertyTypes: NotRequired[Sequence[PropertyType]]
    """Building Types (top level), any of them; token or label in any case. Also accepted as `type`, `types`, `propertyType`."""
    propertySubtypes: NotRequired[Sequence[PropertySubtype]]
    """Subtypes (second level), any of them; also as 'Type - Subtype'. Also accepted as `subtype`, `subtypes`, `propertySubtype`."""
    assetClasses: NotRequired[Sequence[AssetClass]]
    """Asset classes (third level), any of them. Also accepted as `assetClass`, `assetClasses[]`."""
    excludePropertySubtypes: NotRequired[Sequence[PropertySubtype]]
    """Leave out records with one of these subtypes, in the roles that count under `taxonomyMatchMode`. Also accepted as `excludeSubtype`, `excludeSubtypes`."""
    excludeAssetClasses: NotRequired[Sequence[AssetClass]]
    """Leave out records with one of these asset classes, in the roles that count under `taxonomyMatchMode`. Also accepted as `excludeAssetClass`."""
    taxonomyMatchMode: NotRequired[TaxonomyMatchMode]
    """Roles in which a land use counts at all three levels: primary_only, primary_or_secondary (default) or any."""
    underRestriction: NotRequired[bool]
    """true: a moratorium, ban or interim ordinance in force today binds the place and the uses; false: none does; projects of which it is unclear match neither."""
    includeGovernmentDecisions: NotRequired[bool]
    """Also show government items that are no real-estate project (default false). Also accepted as `showAllRecords`. On their way out: `includeCivic`."""
    governmentDecisionSubtypes: NotRequired[Sequence[GovernmentPropertySubtype]]
    """Only government items of these subtypes. On their way out: `civicSubtypes`."""
    governmentDecisionAssetClasses: NotRequired[Sequence[GovernmentAssetClass]]
    """Only government items of these asset classes. On their way out: `civicAssetClasses`."""
    status: NotRequired[Sequence[Status]]
    """Entitlement statuses, token or label, any of them; `unknown` selects records of which no decision is known, then or now. Also accepted as `statuses`, `statusSelection`."""
    decisionBodies: NotRequired[Sequence[DecisionBody]]
    """Bodies that decided, by their short names. Also accepted as `decisionBody`."""
    statusCombos: NotRequired[Sequence[str]]
    """<body>|<status> pairs, any of them, over every decision of the record. Also accepted as `statusCombo`."""
    requestTypes: NotRequired[Sequence[RequestType]]
    """What was applied for. Also accepted as `requestType`, `applicationTypes`, `askType`, `askTypes`."""
    decisionTypes: NotRequired[Sequence[DecisionType]]
    """Kinds of decision. Also accepted as `decisionType`."""
    constructionTypes: NotRequired[Sequence[ConstructionType]]
    """Kinds of construction. Also accepted as `constructionType`."""
    projectSizes: NotRequired[Sequence[ProjectSize]]
    """large, medium or small, any of them. Also accepted as `projectSize`, `constructionMagnitudes`, `constructionMagnitude`."""
    constructionLeadsOnly: NotRequired[bool]
    """true keeps construction leads; false keeps all. Also accepted as `constructionLeadOnly`."""
    hasConstructionDetails: NotRequired[bool]
    """Whether construction details are known. Also accepted as `hasConstructionIntel`."""
    requiresZoningChange: NotRequired[bool]
    """true keeps rezonings; false keeps all (omit it instead). Also accepted as `isRezone`, `rezoneOnly`."""
    inOpportunityZone: NotRequired[ZoneSide]
    """Opportunity Zone membership; records for which it was not computed match neither."""
    inFemaFloodZone: NotRequired[ZoneSide]
    """Special Flood Hazard Area membership; records for which it was not computed match neither. On their way out: `inSfha`."""
    caseNumbers: NotRequired[Sequence[str]]
    """Case numbers, any of them, at most 100; case, blanks, dots and dashes do not count, leading zeros do."""
    parcelNumbers: NotRequired[Sequence[str]]
    """Parcel numbers, any of them, at most 100; case, blanks, dots and dashes do not count, leading zeros do."""
    existingZonings: NotRequired[Sequence[str]]
    """Zoning today, any of them, at most 100: the whole value or its first code, in any case and with any blanks."""
    proposedZonings: NotRequired[Sequence[str]]
    """Zoning asked for, any of them, at most 100: the whole value or its first code, in any case and with any blanks."""
    staffRecommendations: NotRequired[Sequence[StaffRecommendation]]
    """What staff's words recommend; `none` where they recommend nothing of these. A record without staff's words never matches."""
    voteResults: NotRequired[Sequence[VoteResult]]
    """How the latest vote went: unanimous, split or tie."""
    voteAgainstMin: NotRequired[float]
    """At least so many votes against at the latest decision."""
    voteAgainstMax: NotRequired[float]
    """At most so many votes against at the latest decision."""
    hearingCountMin: NotRequired[float]
    """At least so many meetings at which it appeared."""
    hearingCountMax: NotRequired[float]
    """At most so many meetings at which it appeared."""
    daysInProcessMin: NotRequired[float]
    """At least so many days from the first hearing to the latest."""
    daysInProcessMax: NotRequired[float]
    """At most so many days from the first hearing to the latest."""
    firstMeetingDateFrom: NotRequired[str]
    """First meeting on or after the first day of this period."""
    firstMeetingDateTo: NotRequired[str]
    """First meeting on or before the last day of this period."""
    nextMeetingDateFrom: NotRequired[str]
    """Next meeting on or after the first day of this period; turns the default dates off."""
    nextMeetingDateTo: NotRequired[str]
    """Next meeting on or before the last day of this period; turns the default dates off."""
    outcomes: NotRequired[Sequence[Outcome]]
    """What has become of it, as of today: approved, denied, withdrawn, pending, stalled or soft_denial, any of them."""
    meetingDateFrom: NotRequired[str]
    """Meeting on or after the first day of this period. Also accepted as `dateFrom`."""
    meetingDateTo: NotRequired[str]
    """Meeting on or before the last day of this period. Also accepted as `dateTo`."""
    lastUpdatedFrom: NotRequired[str]
    """Changed at or after the start of this period. Also accepted as `updatedFrom`, `updatedAtFrom`, `updatedSince`."""
    lastUpdatedTo: NotRequired[str]
    """Changed no later than the end of this period. Also accepted as `updatedTo`, `updatedAtTo`."""
    dateRange: NotRequired[DateRange]
    """Meetings of a named period up to today; last_1_year unless bounds of meetings or next meetings or projectIds are sent, all lifts it."""
    totalUnitCountMin: NotRequired[float]
    """At least so many dwelling units. Also accepted as `unitCountMin`."""
    totalUnitCountMax: NotRequired[float]
    """At most so many dwelling units. Also accepted as `unitCountMax`."""
    acreageMin: NotRequired[float]
    """At least so many acres."""
    acreageMax: NotRequired[float]
    """At most so many acres."""
    lotSizeSqftMin: NotRequired[float]
    """At least so many square feet. Also accepted as `lotSizeMin`."""
    lotSizeSqftMax: NotRequired[float]
    """At most so many square feet. Also accepted as `lotSizeMax`."""
    squareFootageMin: NotRequired[float]
    """At least so many square feet."""
    squareFootageMax: NotRequired[float]
    """At most so many square feet."""
    parkingSpacesMin: NotRequired[float]
    """At least so many parking spaces."""
    parkingSpacesMax: NotRequired[float]
    """At most so many parking spaces."""
    buildingStoriesMin: NotRequired[float]
    """At least so many stories. Also accepted as `storiesMin`."""
    buildingStoriesMax: NotRequired[float]
    """At most so many stories. Also accepted as `storiesMax`."""
    buildingHeightFeetMin: NotRequired[float]
    """At least so many feet. Also accepted as `buildingHeightFtMin`."""
    buildingHeightFeetMax: NotRequired[float]
    """At most so many feet. Also accepted as `buildingHeightFtMax`."""
    bedroomCountMin: NotRequired[float]
    """At least so many bedrooms."""
    bedroomCountMax: NotRequired[float]
    """At most so many bedrooms."""
    floorCountMin: NotRequired[float]
    """At least so many floors."""
    floorCountMax: NotRequired[float]
    """At most so many floors."""
    lotCountMin: NotRequired[float]
    """At least so many lots."""
    lotCountMax: NotRequired[float]
    """At most so many lots."""
    q: NotRequired[str]
    """Keyword search; several words are one exact phrase, | separates alternatives. Also accepted as `search`, `query`."""
    projectName: NotRequired[str]
    """Exact phrase in the name or display name. Also accepted as `name`."""
    developerName: NotRequired[str]
    """Exact phrase in the name of a developer, applicant, builder, owner, contractor or architect. Also accepted as `developer`, `company`."""
    projectIds: NotRequired[Sequence[int]]
    """Only these projects, at most 100; the id of a merged record finds the development it was merged into. Also accepted as `ids`."""


class OrderedFilters(Filters):
    sort: NotRequired[Sort]
    """Order of the records; names with a suffix encode the direction."""
    order: NotRequired[Order]
    """asc or desc; desc where `sort` names only a field."""


class ExportFilters(OrderedFilters):
    deliveryMode: NotRequired[DeliveryMode]
    """all (default), or new: withhold records that the pool owns."""


AiSearchStatusValue: TypeAlias = Literal["queued", "running", "completed", "partial", "failed", "cancelled"]

AiSearchStatus: TypeAlias = "AiSearchStatusValue"

AlertStatus: TypeAlias = Literal["active", "paused", "archived"]

AnswerFeedback: TypeAlias = Literal["confirmed", "dismissed"]

AssetClassValue: TypeAlias = Literal["single_family_detached", "single_family_attached", "single_family_subdivision", "custom_home", "townhouse_community", "rowhouse", "duplex", "triplex", "fourplex", "cottage_court", "garden_apartments", "mid_rise_apartments", "high_rise_apartments", "condominium", "build_to_rent", "lihtc_housing", "workforce_housing", "supportive_housing", "age_restricted_community", "independent_living", "assisted_living", "memory_care", "skilled_nursing", "purpose_built_student_housing", "dormitory", "manufactured_home_community", "manufactured_home", "accessory_dwelling_unit", "residential_accessory_structure", "group_home", "co_living", "emergency_shelter", "shopping_center", "strip_center", "grocery_store", "big_box_retail", "storefront_retail", "cannabis_dispensary", "quick_service_restaurant", "full_service_restaurant", "drive_through", "bar_brewery", "office_building", "medical_office", "office_campus", "coworking", "full_service_hotel", "limited_service_hotel", "extended_stay_hotel", "short_term_rental", "campground_rv_park", "gas_station", "car_wash", "auto_dealership", "auto_repair", "commercial_parking", "theater_cinema", "fitness_center", "golf_course", "event_venue", "private_sports_facility", "bank_branch", "salon_spa", "child_care_center", "veterinary_clinic", "funeral_home", "climate_controlled_storage", "drive_up_storage", "boat_rv_storage", "on_premises_sign", "billboard", "distribution_center", "bulk_warehouse", "last_mile_facility", "cold_storage", "truck_terminal", "light_manufacturing", "heavy_manufacturing", "food_processing", "semiconductor_fab", "hyperscale_data_center", "colocation_data_center", "edge_data_center", "flex_space", "contractor_yard", "business_park", "laboratory", "life_science_campus", "industrial_outdoor_storage", "equipment_yard", "salvage_yard", "quarry", "mine", "oil_gas_well", "k12_school", "college_university", "charter_school", "preschool", "hospital", "outpatient_clinic", "behavioral_health", "house_of_worship", "cemetery", "police_station", "fire_station", "correctional_facility", "library", "museum", "community_center", "government_building", "landmark_site", "public_park", "trail_greenway", "athletic_fields", "conservation_land", "residential_over_retail", "office_over_retail", "hotel_mixed_use", "town_center", "lifestyle_center", "station_area_development", "joint_development", "planned_unit_development", "master_planned_community", "live_work_units", "artist_lofts", "utility_scale_solar", "community_solar", "rooftop_solar", "onshore_wind_farm", "single_wind_turbine", "battery_energy_storage", "pumped_hydro_storage", "power_plant", "electrical_substation", "transmission_line", "pipeline", "cell_tower", "small_cell", "fiber_network", "roadway", "airport", "rail_facility", "transit_station", "ev_charging_station", "port_maritime_facility", "water_treatment_plant", "wastewater_treatment_plant", "stormwater_facility", "landfill", "transfer_station", "recycling_facility", "row_crops", "orchard_vineyard", "greenhouse_nursery", "cattle_ranch", "poultry_farm", "dairy", "equestrian_facility", "winery", "grain_storage", "farm_market", "cannabis_cultivation", "timberland", "sawmill", "zoning_text_amendment", "municipal_code_amendment", "moratorium", "comprehensive_plan_update", "small_area_plan", "corridor_study", "annual_budget", "bond_issue", "tax_increment_financing", "grant_award", "construction_contract", "professional_services_contract", "board_appointment", "minutes_approval", "proclamation", "business_license", "franchise_agreement"]

AssetClass: TypeAlias = "AssetClassValue | str"

BriefBasis: TypeAlias = Literal["quote", "count", "computed", "none"]

BriefCallMethod: TypeAlias = Literal["GET", "POST"]

BriefSectionValue: TypeAlias = Literal["summary", "precedents", "odds", "timeline", "restrictions", "hearings", "zoning", "coverage"]

BriefSection: TypeAlias = "BriefSectionValue"

Compression: TypeAlias = Literal["gzip", "zstd"] | str

ConstructionTypeValue: TypeAlias = Literal["new_construction", "addition", "renovation", "tenant_improvement", "adaptive_reuse", "demolition", "site_work", "change_of_use", "relocation", "repair"]

ConstructionType: TypeAlias = "ConstructionTypeValue | str"

DatePrecision: TypeAlias = Literal["day", "month", "year"]

DateRangeValue: TypeAlias = Literal["last_3_months", "last_6_months", "last_1_year", "since_jan_2025", "all"]

DateRange: TypeAlias = "DateRangeValue | str"

DecisionBodyValue: TypeAlias = Literal["city_council", "town_council", "village_board", "county_commission", "board_of_supervisors", "planning_commission", "planning_board", "zoning_board_of_appeals", "board_of_adjustment", "zoning_commission", "hearing_examiner", "design_review_board", "historic_preservation_commission", "development_review_committee", "redevelopment_authority", "land_use_committee", "planning_department", "building_department", "other_body"]

DecisionBody: TypeAlias = "DecisionBodyValue | str"

DecisionTypeValue: TypeAlias = Literal["final_action", "recommendation", "first_reading", "second_reading", "public_hearing", "work_session", "administrative_approval", "consent_item", "reconsideration", "filed"]

DecisionType: TypeAlias = "DecisionTypeValue | str"

DeliveryMode: TypeAlias = Literal["all", "new"] | str

DimensionValue: TypeAlias = Literal["lastUpdated", "meetingDate", "city", "county", "state", "propertyType", "status", "propertySubtype", "assetClass", "projectSize", "requestType", "constructionType", "decisionBody", "decisionType", "staffRecommendation", "voteResult", "existingZoning", "proposedZoning", "outcome"]

Dimension: TypeAlias = "DimensionValue | str"

DocumentVersion: TypeAlias = Literal["draft", "adopted"]

EndBasis: TypeAlias = Literal["stated", "computed", "event", "none", "unknown"]

EnrichmentStatus: TypeAlias = Literal["queued", "running", "completed", "failed"]

EventTypeValue: TypeAlias = Literal["alert.delivery.completed", "alert.delivery.refused", "alert.delivery.failed", "alert.paused", "ai_search.settled", "enrichment.settled", "export.ready", "export.failed", "release.published", "coverage.stale", "coverage.recovered", "restriction.adopted", "restriction.extended", "restriction.ending", "restriction.ended"]

EventType: TypeAlias = "EventTypeValue | str"

EvidenceFrom: TypeAlias = Literal["instrument", "inventory"]

ExportStatus: TypeAlias = Literal["queued", "building", "ready", "failed", "expired"]

F: TypeAlias = Literal["json", "geojson"] | str

Format: TypeAlias = Literal["json", "csv"] | str

Frequency: TypeAlias = Literal["daily", "weekly", "monthly"] | str

GeoParquet: TypeAlias = Literal["1.1", "2.0"] | str

GovernmentAssetClassValue: TypeAlias = Literal["zoning_text_amendment", "municipal_code_amendment", "moratorium", "comprehensive_plan_update", "small_area_plan", "corridor_study", "annual_budget", "bond_issue", "tax_increment_financing", "grant_award", "construction_contract", "professional_services_contract", "board_appointment", "minutes_approval", "proclamation", "business_license", "franchise_agreement"]

GovernmentAssetClass: TypeAlias = "GovernmentAssetClassValue | str"

GovernmentPropertySubtypeValue: TypeAlias = Literal["ordinance_text", "comprehensive_planning", "budget_finance", "contracts_procurement", "appointments_administration", "licenses_franchises"]

GovernmentPropertySubtype: TypeAlias = "GovernmentPropertySubtypeValue | str"

GroupBy: TypeAlias = Literal["state", "county", "month"] | str

GuideNameValue: TypeAlias = Literal["overview", "first-call", "clients", "python", "command-line", "mcp", "keys", "filters", "evidence", "completeness", "outcomes", "credits", "paging-and-sync", "releases", "analytics", "odds", "coverage", "hearings", "briefs", "restrictions", "ai-search", "map", "gis", "exports", "snapshots", "matching", "connectors", "warehouses", "lists", "alerts", "webhooks", "enrichment", "documents", "licences", "errors", "versions", "glossary", "install", "settings", "minutes-to-records", "loading-data", "operate", "recover", "observe", "proofs", "architecture", "contributing"]

GuideName: TypeAlias = "GuideNameValue"

Include: TypeAlias = Literal["contacts", "derived", "contacts,derived"] | str

Interval: TypeAlias = Literal["week", "month", "quarter", "year"] | str

JurisdictionTypeValue: TypeAlias = Literal["state", "county", "city", "town", "township", "village", "tribal", "utility"]

JurisdictionType: TypeAlias = "JurisdictionTypeValue"

Kind: TypeAlias = Literal["state", "county", "city"]

LandUseLevel: TypeAlias = Literal["type", "subtype", "assetClass"]

LandUseRole: TypeAlias = Literal["primary", "secondary", "other"]

ListKind: TypeAlias = Literal["membership", "filter", "polygon", "alert"]

MatchReason: TypeAlias = Literal["parcel_number", "case_number", "address", "point"]

MeasurementValue: TypeAlias = Literal["totalUnitCount", "acreage", "lotSizeSqft", "squareFootage", "floorCount", "buildingStories", "buildingHeightFeet", "bedroomCount", "parkingSpaces", "lotCount", "voteAgainst", "hearingCount", "daysInProcess"]

Measurement: TypeAlias = "MeasurementValue | str"

MessageStatus: TypeAlias = Literal["waiting", "sending"]

MessageTypeValue: TypeAlias = Literal["alert.delivery.completed", "alert.delivery.refused", "alert.delivery.failed", "alert.paused", "ai_search.settled", "enrichment.settled", "export.ready", "export.failed", "release.published", "coverage.stale", "coverage.recovered", "restriction.adopted", "restriction.extended", "restriction.ending", "restriction.ended", "ping"]

MessageType: TypeAlias = "MessageTypeValue"

NewBecauseValue: TypeAlias = Literal["new_case", "changed", "newly_read", "entered_window"]

NewBecause: TypeAlias = "NewBecauseValue"

OddsDimensionValue: TypeAlias = Literal["lastUpdated", "meetingDate", "city", "county", "state", "propertyType", "status", "propertySubtype", "assetClass", "projectSize", "requestType", "constructionType", "decisionBody", "decisionType", "staffRecommendation", "voteResult", "existingZoning", "proposedZoning"]

OddsDimension: TypeAlias = "OddsDimensionValue | str"

Order: TypeAlias = Literal["asc", "desc"] | str

OutcomeValue: TypeAlias = Literal["approved", "denied", "withdrawn", "pending", "stalled", "soft_denial"]

Outcome: TypeAlias = "OutcomeValue | str"

OutcomeRuleValue: TypeAlias = Literal["stated_status", "latest_decision", "awaits_decision", "hearing_announced", "silent_180_days", "continued_then_silent", "tabled_then_silent", "cannot_be_told"]

OutcomeRule: TypeAlias = "OutcomeRuleValue"

PartialReasonValue: TypeAlias = Literal["cancelled_by_user", "daily_ai_budget_exhausted", "review_ceiling_reached", "deadline_reached"]

PartialReason: TypeAlias = "PartialReasonValue"

PartyRoleValue: TypeAlias = Literal["developer", "applicant", "builder", "owner", "contractor", "architect"]

PartyRole: TypeAlias = "PartyRoleValue"

PlacePrecision: TypeAlias = Literal["outline", "centre"]

ProjectSize: TypeAlias = Literal["large", "medium", "small"] | str

PropertySubtypeValue: TypeAlias = Literal["single_family", "townhome", "small_multifamily", "multifamily", "affordable_housing", "senior_housing", "student_housing", "manufactured_housing", "accessory_dwelling", "group_residential", "retail", "restaurant", "office", "hospitality", "automotive", "entertainment_recreation", "personal_services", "self_storage", "signage", "warehouse_distribution", "manufacturing", "data_center", "flex_industrial", "research_development", "outdoor_storage", "extraction", "education", "healthcare", "religious", "public_safety", "civic_cultural", "parks_open_space", "vertical_mixed_use", "horizontal_mixed_use", "transit_oriented_development", "planned_development", "live_work", "solar_energy", "wind_energy", "energy_storage", "power_utilities", "telecommunications", "transportation", "water_wastewater", "waste_management", "crop_production", "livestock", "agribusiness", "forestry", "ordinance_text", "comprehensive_planning", "budget_finance", "contracts_procurement", "appointments_administration", "licenses_franchises"]

PropertySubtype: TypeAlias = "PropertySubtypeValue | str"

PropertyTypeValue: TypeAlias = Literal["residential", "commercial", "industrial", "institutional_public", "mixed_use", "infrastructure", "agricultural", "govt_decisions"]

PropertyType: TypeAlias = "PropertyTypeValue | str"

QuoteSource: TypeAlias = Literal["summary", "rawText", "document", "field"]

QuotedFieldValue: TypeAlias = Literal["projectName", "meetingDate", "address", "city", "county", "state", "latitude", "longitude", "inOpportunityZone", "inFemaFloodZone", "propertyType", "landUses", "status", "displayName", "summary", "statusSummary", "sourceDocumentUrl", "meetingDocumentId", "stateId", "countyId", "cityId", "zipCode", "parcelNumbers", "propertySubtype", "assetClass", "classifications", "projectSize", "isRezone", "requestType", "constructionType", "isConstructionLead", "hasConstructionDetails", "decisionBody", "decisionType", "existingZoning", "proposedZoning", "totalUnitCount", "unitMix", "acreage", "lotSizeSqft", "squareFootage", "floorCount", "buildingStories", "buildingHeightFeet", "bedroomCount", "parkingSpaces", "lotCount", "parties", "decisions", "meetingDocuments", "rawText", "originalRawText", "originalRawTextTruncated", "actionType", "actionCategory", "firstMeetingDate", "nextMeetingDate", "appearanceCount", "statusHistory", "caseNumbers", "conditionsOfApproval", "voteTotals", "staffRecommendation"]

QuotedField: TypeAlias = "QuotedFieldValue"

RecipientState: TypeAlias = Literal["active", "unconfirmed", "stopped"]

RecordFieldValue: TypeAlias = Literal["id", "recordType", "projectName", "serviceLink", "mergedFrom", "lastUpdated", "meetingDate", "delivery", "address", "city", "county", "state", "latitude", "longitude", "inOpportunityZone", "inFemaFloodZone", "propertyType", "propertyTypeLabel", "landUses", "status", "statusLabel", "displayName", "summary", "statusSummary", "sourceDocumentUrl", "meetingDocumentId", "contentRevision", "stateId", "countyId", "cityId", "zipCode", "parcelNumbers", "propertySubtype", "propertySubtypeLabel", "assetClass", "assetClassLabel", "classifications", "projectSize", "projectSizeLabel", "isRezone", "requestType", "requestTypeLabel", "constructionType", "constructionTypeLabel", "isConstructionLead", "hasConstructionDetails", "decisionBody", "decisionBodyLabel", "decisionType", "decisionTypeLabel", "existingZoning", "proposedZoning", "totalUnitCount", "unitMix", "acreage", "lotSizeSqft", "squareFootage", "floorCount", "buildingStories", "buildingHeightFeet", "bedroomCount", "parkingSpaces", "lotCount", "parties", "contacts", "companyEnrichment", "contactSummary", "decisions", "meetingDocuments", "rawText", "originalRawText", "originalRawTextTruncated", "actionType", "actionTypeLabel", "actionCategory", "actionCategoryLabel", "firstMeetingDate", "nextMeetingDate", "appearanceCount", "statusHistory", "caseNumbers", "conditionsOfApproval", "voteTotals", "staffRecommendation", "dataRichness", "derived", "parties.developer", "parties.applicant", "parties.builder", "parties.owner", "parties.contractor", "parties.architect"]

RecordField: TypeAlias = "RecordFieldValue | str"

RepresentationName: TypeAlias = Literal["compact", "standard", "full"] | str

RequestTypeValue: TypeAlias = Literal["rezoning", "site_plan", "special_use_permit", "conditional_use_permit", "variance", "subdivision_plat", "planned_development", "comprehensive_plan_amendment", "annexation", "building_permit", "demolition_permit", "sign_permit", "design_review", "zoning_text_amendment", "development_agreement", "proffer_amendment", "landmark_designation", "property_disposition", "right_of_way_vacation", "franchise", "appeal", "other_request"]

RequestType: TypeAlias = "RequestTypeValue | str"

RestrictionKind: TypeAlias = Literal["moratorium", "ban", "interim_ordinance"]

RestrictionSort: TypeAlias = Literal["lastUpdated", "adoptedOn", "ends"]

RestrictionStatusValue: TypeAlias = Literal["proposed", "in_force", "extended", "expired", "replaced", "rescinded", "rejected"]

RestrictionStatus: TypeAlias = "RestrictionStatusValue"

RunStatusValue: TypeAlias = Literal["running", "completed", "refused", "failed", "already_running"]

RunStatus: TypeAlias = "RunStatusValue"

RunTrigger: TypeAlias = Literal["manual", "scheduled"]

SettableAlertStatus: TypeAlias = Literal["active", "paused"] | str

ShareMode: TypeAlias = Literal["private", "team", "custom"] | str

SnapshotFormat: TypeAlias = Literal["ndjson", "parquet"] | str

SnapshotStatusValue: TypeAlias = Literal["queued", "building", "ready", "failed", "cancelled", "expired"]

SnapshotStatus: TypeAlias = "SnapshotStatusValue"

SortValue: TypeAlias = Literal["meetingDate", "lastUpdated", "dataRichness", "totalUnitCount", "acreage", "meeting_date", "meeting_date_newest", "meeting_date_oldest", "updated_at", "data_richness", "units_highest", "units_lowest", "acres_highest", "acres_lowest"]

Sort: TypeAlias = "SortValue | str"

StaffRecommendationValue: TypeAlias = Literal["approval", "approval_with_conditions", "denial", "continuance", "none"]

StaffRecommendation: TypeAlias = "StaffRecommendationValue | str"

Statistic: TypeAlias = Literal["count", "sum", "avg", "median", "min", "max"] | str

StatusValue: TypeAlias = Literal["approved", "approved_with_conditions", "recommended_approval", "recommended_denial", "denied", "continued", "tabled", "withdrawn", "pending", "unknown"]

Status: TypeAlias = "StatusValue | str"

TaxonomyMatchMode: TypeAlias = Literal["primary_only", "primary_or_secondary", "any"] | str

Vote: TypeAlias = Literal["yes", "no", "abstain", "absent", "recused"]

VoteResult: TypeAlias = Literal["unanimous", "split", "tie"] | str

WebhookStatus: TypeAlias = Literal["active", "disabled"] | str

ZoneSide: TypeAlias = Literal["inside", "outside"] | str

class MapProjectsInput(Filters):
    view: NotRequired[str]
    """Map only: the rectangle that is looked at, west,south,east,north; around every match unless given."""


class State(TypedDict):
    stateId: int
    label: str
    count: int


class Cell(TypedDict):
    tile: str
    """zoom/x/y of a web map (EPSG:3857)"""
    latitude: float
    """The middle of its projects; of a tile that holds none that was paid for, where records cost, the middle of the tile"""
    longitude: float
    count: int
    states: list[State]
    """Its projects by state, most first; those that state none are in `count` alone"""
    county: str | None
    """In which most of them lie"""


class Project(TypedDict):
    id: int
    projectName: str | None
    address: str | None
    city: str | None
    county: str | None
    state: str | None
    latitude: float | None
    longitude: float | None
    propertyType: str | None
    propertyTypeLabel: str | None
    status: str | None
    statusLabel: str | None
    meetingDate: str | None


class MapProjectsData(TypedDict):
    view: Bbox | None
    """What is looked at; around most matches where no view was asked for"""
    extent: Bbox | None
    """Around all matches; the same as `view` where one was asked for"""
    matchCount: int
    areaCounts: list[int]
    """Matches in each of `areas`, in their order"""
    inView: int
    unlocated: int
    """Matches without a location: they are on no map"""
    tileZoom: int
    cells: list[Cell]
    projects: list[Project]


class MapProjectsMeta(TypedDict):
    schemaVersion: str
    requestId: str
    creditsUsed: int
    warnings: list[ServiceWarning]
    appliedDefaults: dict[str, Any]
    appliedFilters: dict[str, Any]


class MapProjectsAnswer(TypedDict):
    data: MapProjectsData
    meta: MapProjectsMeta


class ContactOptions(TypedDict):
    cachedOnly: NotRequired[bool]
    minConfidence: NotRequired[float]
    maxProjects: NotRequired[int]
    companyOnly: NotRequired[bool]


class SearchProjectsQuery(Filters):
    sort: NotRequired[Sort]
    """Order of the records; names with a suffix encode the direction."""
    order: NotRequired[Order]
    """asc or desc; desc where `sort` names only a field."""
    limit: NotRequired[int]
    """Records a page, 1 to 100 (default 100); more is clamped."""
    offset: NotRequired[int]
    """Records to skip; wins over `page`."""
    include: NotRequired[Include]
    """`contacts` turns on Find Contact Info; `derived`, with representation=full, adds what this service reads from the record."""
    contactOptions: NotRequired[ContactOptions]
    """JSON object; synchronous JSON takes cachedOnly true only."""
    deliveryMode: NotRequired[DeliveryMode]
    """all (default), or new: withhold records that the pool owns."""


class SearchProjectsInput(SearchProjectsQuery):
    page: NotRequired[int]
    """Page from 1; offset = (page - 1) * limit."""
    representation: NotRequired[RepresentationName]
    """compact (21 fields), standard (67, default) or full (85)."""
    format: NotRequired[Format]
    """json (default) or csv."""
    maxCredits: NotRequired[int]
    """CSV only: refuse when more credits would be reserved."""
    maxContactCredits: NotRequired[int]
    """CSV only: refuse when more credits would be reserved for contacts."""


class SearchProjectsDelivery(TypedDict):
    mode: NotRequired[str]
    notPreviouslyExported: int
    previouslyExported: int
    updatedSinceExport: int
    billed: int
    notRebilled: int
    ledgerApplied: bool
    excludedPreviouslyDelivered: NotRequired[int]
    changedSince: NotRequired[list[int]]
    """Of a repeated request: records that changed since and are left out, since your pool has not paid for their new version"""


class TrialTruncation(TypedDict):
    policy: Literal["trial_truncate"]
    requested: int
    delivered: int
    creditsRemaining: int


class Suggestion(TypedDict):
    without: str
    matchCount: int


class PageMeta(TypedDict):
    schemaVersion: str
    requestId: str
    representation: RepresentationName
    limit: int
    offset: int
    creditsUsed: int
    creditsRemaining: int | None
    pageCount: int
    hasMore: bool
    total: int
    matchCount: int
    matchCountIsExact: bool
    matchCountBasis: str
    delivery: SearchProjectsDelivery
    trialTruncation: NotRequired[TrialTruncation]
    suggestions: NotRequired[list[Suggestion]]
    """Where nothing matches: how many records the same search without one of its filters has"""
    warnings: list[ServiceWarning]
    appliedDefaults: dict[str, Any]
    appliedFilters: dict[str, Any]


class SearchProjectsAnswer(TypedDict):
    data: list[CompactProject | StandardProject | FullProject]
    meta: PageMeta


class SearchProjectsData2(TypedDict):
    status: Literal["no_matching_rows"]
    exportJobId: None
    matchCount: Literal[0]


class SearchProjectsAnswer2(TypedDict):
    data: SearchProjectsData2
    meta: MapProjectsMeta


class Source(TypedDict):
    alertId: str | None
    listId: str | None
    projectIds: list[int] | None
    filters: dict[str, Any]


class Progress(TypedDict):
    processed: int
    total: int


class ErrorAnswer(TypedDict):
    code: str
    message: str


class ExportJob(TypedDict):
    id: str
    exportJobId: str
    status: ExportStatus
    source: Source
    createdAt: str
    startedAt: str | None
    readyAt: str | None
    expiresAt: str | None
    progress: Progress
    matchCount: int
    truncated: bool
    rowCount: int | None
    sizeBytes: int | None
    sha256: str | None
    creditsReserved: int
    creditsCharged: int | None
    creditsRefunded: int | None
    contactCreditsReserved: int
    contactCreditsCharged: int | None
    pollUrl: str
    downloadUrl: str
    webExportsUrl: str
    error: ErrorAnswer | None


class SearchProjectsAnswer3(TypedDict):
    data: ExportJob
    meta: MapProjectsMeta


class CountProjectsInput(Filters):
    deliveryMode: NotRequired[DeliveryMode]
    """all (default), or new: withhold records that the pool owns."""
    include: NotRequired[Include]
    """`contacts` prices them too; `derived` costs nothing."""
    contactOptions: NotRequired[ContactOptions]
    """JSON object that bounds which contacts are priced, as on a CSV; cachedOnly true prices none."""


class Affordability(TypedDict):
    affordable: bool
    maxAffordableRecords: int


class Contacts(TypedDict):
    lookUps: int
    creditsRequired: int
    creditsRemaining: int | None


class Price(TypedDict):
    matchCount: int
    matchCountIsExact: bool
    matchCountBasis: str
    billableRecordCount: int
    creditRate: int
    creditsRequired: int
    creditsRemaining: int | None
    affordability: Affordability
    contacts: NotRequired[Contacts]


class CountProjectsDelivery(TypedDict):
    mode: str
    excludedPreviouslyDelivered: int


class CountProjectsMeta(TypedDict):
    schemaVersion: str
    requestId: str
    creditsUsed: int
    delivery: NotRequired[CountProjectsDelivery]
    warnings: list[ServiceWarning]
    appliedDefaults: dict[str, Any]
    appliedFilters: dict[str, Any]


class CountProjectsAnswer(TypedDict):
    data: Price
    meta: CountProjectsMeta


class GetProjectContactOptions(TypedDict):
    cachedOnly: NotRequired[bool]


class GetProjectQuery(TypedDict):
    include: NotRequired[Include]
    """`contacts` turns on Find Contact Info; `derived`, with representation=full, adds what this service reads from the record."""
    contactOptions: NotRequired[GetProjectContactOptions]
    """JSON object; cachedOnly true only."""


class GetProjectInput(GetProjectQuery):
    representation: NotRequired[RepresentationName]
    """compact (21 fields), standard (67, default) or full (85)."""


class GetProjectMeta(TypedDict):
    schemaVersion: str
    requestId: str
    representation: RepresentationName
    creditsUsed: int
    creditsRemaining: int | None
    delivery: SearchProjectsDelivery
    warnings: list[ServiceWarning]


class GetProjectAnswer(TypedDict):
    data: CompactProject | StandardProject | FullProject | None
    meta: GetProjectMeta


class Evidence(TypedDict):
    field: QuotedField
    value: Any
    """As `GET /projects/{id}` shows it"""
    quote: str
    """Words of the document, letter for letter"""
    page: int | None
    document: MeetingDocument
    documentVersion: DocumentVersion | None
    """Whether that document is a draft or adopted; null where the source does not say"""


class GetProjectEvidenceData(TypedDict):
    id: int
    contentRevision: str
    evidence: list[Evidence]


class GetProjectEvidenceMeta(TypedDict):
    schemaVersion: str
    requestId: str
    creditsUsed: int
    creditsRemaining: int | None
    delivery: SearchProjectsDelivery
    warnings: list[ServiceWarning]


class GetProjectEvidenceAnswer(TypedDict):
    data: GetProjectEvidenceData | None
    meta: GetProjectEvidenceMeta


class Current(TypedDict):
    contentRevision: str
    lastUpdated: str


class Owned(TypedDict):
    contentRevision: str
    firstDeliveredAt: str
    lastDeliveredAt: str


class Field(TypedDict):
    name: str
    before: NotRequired[Any]
    """As `GET /projects/{id}` shows it"""
    after: NotRequired[Any]
    """As `GET /projects/{id}` shows it"""


class Change(TypedDict):
    at: str
    fromRevision: str
    """`contentRevision` that was replaced"""
    toRevision: str
    fields: list[Field]
    """With `before` and `after` where your pool holds both revisions, or records are free; else the name alone"""


class NextRead(TypedDict):
    billed: bool
    credits: int


class GetProjectChangesData(TypedDict):
    id: int
    current: Current
    owned: Owned | None
    changed: bool | None
    fields: list[str] | None
    changes: list[Change]
    """Since the oldest remembered revision that your pool holds; where records are free, all that are remembered"""
    nextRead: NextRead


class GetProjectChangesMeta(TypedDict):
    schemaVersion: str
    requestId: str
    creditsUsed: int
    warnings: list[ServiceWarning]


class GetProjectChangesAnswer(TypedDict):
    data: GetProjectChangesData
    meta: GetProjectChangesMeta


class Row(TypedDict):
    ref: NotRequired[str | None]
    """Your own name of the row; comes back with it"""
    parcelNumber: NotRequired[str | None]
    """Number of the parcel, as anybody writes it"""
    caseNumber: NotRequired[str | None]
    """Case or permit number, as anybody writes it"""
    address: NotRequired[str | None]
    """Street address; city, state and ZIP code may follow"""
    city: NotRequired[str | None]
    """City; one that the catalogue does not know narrows nothing"""
    county: NotRequired[str | None]
    """County, by name or FIPS number"""
    state: NotRequired[str | None]
    """State, by USPS abbreviation, name or FIPS number"""
    latitude: NotRequired[float | None]
    """Degrees north (WGS 84)"""
    longitude: NotRequired[float | None]
    """Degrees east"""


class MatchProjectsInput(TypedDict):
    rows: Sequence[Row]
    """Rows of your list; each names a parcel, case, address or point"""
    limit: NotRequired[int]
    """Candidates a row (default 1)"""
    minScore: NotRequired[float]
    """Candidates below this score do not count (default 0.8)"""


class Candidate(TypedDict):
    id: int
    score: float
    """How surely the record is what the row names"""
    reasons: list[MatchReason]
    """What agrees, with or without a slip of the keyboard"""
    held: bool
    """Whether your pool was delivered the record"""


class MatchProjectsData(TypedDict):
    index: int
    """Of the row in the request"""
    ref: str | None
    candidates: list[Candidate]
    """Best first; on metered plans only records that your pool holds"""
    candidateCount: int
    """Records of your licence that reach `minScore`, named or not"""


class MatchProjectsMeta(TypedDict):
    schemaVersion: str
    requestId: str
    creditsUsed: int
    rowCount: int
    matchedRowCount: int


class MatchProjectsAnswer(TypedDict):
    data: list[MatchProjectsData]
    meta: MatchProjectsMeta


class SyncProjectsQuery(Filters):
    limit: NotRequired[int]
    """Records a page, 1 to 100 (default 100); more is clamped."""
    include: NotRequired[Include]
    """`contacts` turns on Find Contact Info; `derived`, with representation=full, adds what this service reads from the record."""
    contactOptions: NotRequired[GetProjectContactOptions]
    """JSON object; cachedOnly true only."""
    deliveryMode: NotRequired[Literal["all"] | str]
    """all: a copy needs every change."""


class SyncProjectsInput(SyncProjectsQuery):
    representation: NotRequired[RepresentationName]
    """compact (21 fields), standard (67, default) or full (85)."""
    cursor: NotRequired[str]
    """Sync only: where the last page ended, from `meta.sync.cursor`."""


class Removed(TypedDict):
    id: int
    mergedInto: int | None
    at: str


class Sync(TypedDict):
    cursor: str
    hasMore: bool
    watermark: str | None
    highWater: str | None
    emitted: int
    pageSize: int
    candidatesScanned: int
    removed: list[Removed]


class SyncProjectsMeta(TypedDict):
    schemaVersion: str
    requestId: str
    representation: RepresentationName
    limit: int
    creditsUsed: int
    creditsRemaining: int | None
    pageCount: int
    sync: Sync
    delivery: SearchProjectsDelivery
    trialTruncation: NotRequired[TrialTruncation]
    warnings: list[ServiceWarning]
    appliedDefaults: dict[str, Any]
    appliedFilters: dict[str, Any]


class SyncProjectsAnswer(TypedDict):
    data: list[CompactProject | StandardProject | FullProject]
    meta: SyncProjectsMeta


class InterpretSentenceInput(TypedDict):
    q: str
    """The sentence, 1 to 500 characters."""


class Reading(TypedDict):
    words: str
    """Words of the sentence; those of several values follow one another, with commas"""
    filter: str
    """The filter that they became"""
    value: str | list[str]
    """As `filters` has it"""


class InterpretSentenceData(TypedDict):
    filters: dict[str, Any]
    readings: list[Reading]
    rest: str | None
    """What filters do not know; an AI search may prove it"""
    appliedFilters: dict[str, Any]
    """What a search with these filters applies, defaults included"""


class InterpretSentenceAnswer(TypedDict):
    data: InterpretSentenceData
    meta: GetProjectChangesMeta


class AiSearchReading(TypedDict):
    words: str
    """Words of the question, as they stand in it"""
    filters: list[str]
    """Names of the filters that they became"""


class Wording(TypedDict):
    criterion: str
    """One of `criteria`"""
    wordings: list[str]
    """Other words for it, by which a language model looked for records; they prove nothing"""


class Interpretation(TypedDict):
    filters: dict[str, Any]
    readings: list[AiSearchReading]
    criteria: list[str]
    wordings: list[Wording]
    exclusions: list[str]
    warnings: list[str]


class AiSearchProgress(TypedDict):
    candidates: int
    screened: int
    reviewed: int
    confirmed: int


class MatchEvidence(TypedDict):
    criterion: str
    """The words of the question that it proves"""
    quote: str
    """Stands in its source, letter by letter"""
    source: QuoteSource
    documentId: int | None
    """Of a document"""
    field: str | None
    """Of a field: its name in the record"""


class Result(TypedDict):
    id: int
    """Project id; the same from load to load"""
    recordType: str | None
    """Kind of record, such as `project`"""
    projectName: str | None
    """Name of the project"""
    serviceLink: str
    """The record on the map of this service"""
    mergedFrom: list[int] | None
    """Ids of the records merged into this one, its own among them"""
    lastUpdated: str
    """When the content last changed"""
    meetingDate: str | None
    """Date of the latest meeting; of a merged development the newest hearing that is not in the future"""
    delivery: Delivery
    """What the credit pool held of the record before this answer"""
    address: str | None
    """Street address"""
    city: str | None
    """City"""
    county: str | None
    """County"""
    state: str | None
    """USPS abbreviation of the state"""
    latitude: float | None
    """Degrees north"""
    longitude: float | None
    """Degrees east"""
    inOpportunityZone: bool | None
    """Inside an Opportunity Zone; null where that was not computed"""
    inFemaFloodZone: bool | None
    """Inside a Special Flood Hazard Area; null where that was not computed"""
    propertyType: str | None
    """Building Type"""
    propertyTypeLabel: str | None
    """Label of propertyType"""
    landUses: list[ProjectLandUse] | None
    """Every land use of the project, each once"""
    status: str
    """Entitlement status; `unknown` where no decision is recorded"""
    statusLabel: str | None
    """Label of status"""
    displayName: str | None
    """Name for people, where it differs from projectName"""
    summary: str | None
    """Description of the project; the status sentence where there is none"""
    statusSummary: str | None
    """The status in one sentence"""
    sourceDocumentUrl: str | None
    """Public meeting document of the latest appearance"""
    meetingDocumentId: int | None
    """Id of that document, for `GET /documents/{id}`"""
    contentRevision: str
    """Names the content; equal content has an equal revision"""
    stateId: int | None
    """FIPS number of the state"""
    countyId: int | None
    """FIPS number of the county"""
    cityId: int | None
    """GeoNames number of the city"""
    zipCode: str | None
    """ZIP code"""
    parcelNumbers: list[str] | None
    """Numbers of the parcels"""
    propertySubtype: str | None
    """Second level of the Building Type"""
    propertySubtypeLabel: str | None
    """Label of propertySubtype"""
    assetClass: str | None
    """First known asset class, the third level"""
    assetClassLabel: str | None
    """Label of assetClass"""
    classifications: list[Classification]
    """The Building Types of the project, each with its role"""
    projectSize: str | None
    """large, medium or small"""
    projectSizeLabel: str | None
    """Label of projectSize"""
    isRezone: bool | None
    """A change of zoning is asked for"""
    requestType: str | None
    """What is applied for"""
    requestTypeLabel: str | None
    """Label of requestType"""
    constructionType: str | None
    """Kind of construction"""
    constructionTypeLabel: str | None
    """Label of constructionType"""
    isConstructionLead: bool | None
    """Construction is likely to follow"""
    hasConstructionDetails: bool | None
    """Details of the construction are known"""
    decisionBody: str | None
    """Body that decided"""
    decisionBodyLabel: str | None
    """Label of decisionBody"""
    decisionType: str | None
    """Kind of decision"""
    decisionTypeLabel: str | None
    """Label of decisionType"""
    existingZoning: str | None
    """Zoning today"""
    proposedZoning: str | None
    """Zoning asked for"""
    totalUnitCount: int | None
    """Dwelling units"""
    unitMix: list[UnitMix] | None
    """Units by type"""
    acreage: float | None
    """Acres"""
    lotSizeSqft: float | None
    """Lot size in square feet"""
    squareFootage: float | None
    """Floor area in square feet"""
    floorCount: float | None
    """Floors"""
    buildingStories: float | None
    """Stories"""
    buildingHeightFeet: float | None
    """Height in feet"""
    bedroomCount: int | None
    """Bedrooms"""
    parkingSpaces: int | None
    """Parking spaces"""
    lotCount: int | None
    """Buildable lots"""
    parties: list[Party] | None
    """Companies and people that the filing names"""
    contacts: list[Contact] | None
    """People; channels are null until Find Contact Info unlocked them"""
    companyEnrichment: list[CompanyEnrichment] | None
    """Companies; name and website on every plan, the rest on paid ones"""
    contactSummary: ContactSummary
    """How many contacts and channels there are"""
    whyThisMatched: str
    matchEvidence: list[MatchEvidence]
    feedback: AnswerFeedback | None


class RelatedRecord(TypedDict):
    id: int
    projectName: str | None
    city: str | None
    state: str | None
    meets: list[str]
    """Parts of the question that it meets, in its words; none if it only has some of their words, or speaks of them otherwise"""
    misses: list[str]
    """Those that nothing of it is known to meet"""
    quote: str | None
    """Stands in its text, and says one of the parts; null if only its fields do"""


class Related(TypedDict):
    count: int
    """Records that may be related, at most 20"""
    records: list[RelatedRecord]
    """Best first; where records cost credits, those that your pool holds as they are"""


class AiSearchData(TypedDict):
    id: str
    status: AiSearchStatus
    partialReason: PartialReason | None
    query: str
    filters: dict[str, Any]
    interpretation: Interpretation
    limit: int
    offset: int
    progress: AiSearchProgress
    matchCount: int | None
    matchCountIsExact: bool
    results: list[Result]
    related: Related | None
    creditsReserved: int
    creditsCharged: int
    creditsRefunded: int
    contactCreditsReserved: int
    contactCreditsCharged: int
    createdAt: str
    startedAt: str | None
    settledAt: str | None
    expiresAt: str | None
    pollUrl: str
    error: ErrorAnswer | None


class AiSearchAnswer(TypedDict):
    data: AiSearchData
    meta: GetProjectChangesMeta


class Notify(TypedDict):
    email: NotRequired[bool]
    """false: no mail when it is settled"""


class CreateAiSearchInput(TypedDict):
    query: str
    """The question, in plain words"""
    filters: NotRequired[Filters]
    """What every record has to satisfy"""
    limit: NotRequired[int]
    """Records at most; default 25"""
    offset: NotRequired[int]
    """Confirmed records to pass over"""
    maxContactCredits: NotRequired[int]
    """Refuse when more credits would be reserved for contacts: one for each record of `limit`"""
    include: NotRequired[str | Sequence[str]]
    """`contacts` looks the contacts of the confirmed records up"""
    notify: NotRequired[Notify]


class CreateAiSearchAnswer(TypedDict):
    data: AiSearchData
    meta: GetProjectChangesMeta


class GetAiSearchAnswer(TypedDict):
    data: AiSearchData
    meta: GetProjectChangesMeta


class CancelAiSearchAnswer(TypedDict):
    data: AiSearchData
    meta: GetProjectChangesMeta


class JudgeAnswersInput(TypedDict):
    confirm: NotRequired[Sequence[int]]
    """Records that answer the question"""
    dismiss: NotRequired[Sequence[int]]
    """Records that do not: the next search for the question leaves them out"""


class JudgeAnswersData(TypedDict):
    id: str
    confirmed: int
    """Records that your team has confirmed for this question so far"""
    dismissed: int
    """Those that it has dismissed"""


class JudgeAnswersMeta(TypedDict):
    schemaVersion: str
    requestId: str
    creditsUsed: int


class JudgeAnswersAnswer(TypedDict):
    data: JudgeAnswersData
    meta: JudgeAnswersMeta


class CreateExportContactOptions(TypedDict):
    minConfidence: NotRequired[float]
    """Withholds channels that are less certain"""
    companyOnly: NotRequired[bool]
    """Looks companies up, and no people"""
    maxProjects: NotRequired[int]
    """Look-ups at most; the others are `notAttempted`"""


class CreateExportInput(TypedDict):
    alertId: NotRequired[str]
    """An alert of yours: what it has matched and nobody dismissed; filters stay inside it"""
    listId: NotRequired[str]
    """A list that you may see; filters stay inside it"""
    projectIds: NotRequired[Sequence[int]]
    """Ids of projects"""
    filters: NotRequired[ExportFilters]
    """Filters, with `sort` and `order`; `{}` takes all of your licence"""
    maxCredits: NotRequired[int]
    """Refuse when more credits would be reserved for records"""
    maxContactCredits: NotRequired[int]
    """Refuse when more credits would be reserved for contacts"""
    include: NotRequired[str | Sequence[str]]
    """`contacts` looks contacts up before the file is built; `derived` adds a column with what this service reads from the record"""
    contactOptions: NotRequired[CreateExportContactOptions]


class CreateExportAnswer(TypedDict):
    data: SearchProjectsData2
    meta: MapProjectsMeta


class CreateExportAnswer2(TypedDict):
    data: ExportJob
    meta: MapProjectsMeta


class ListExportsInput(TypedDict):
    limit: NotRequired[int]
    """Exports a page, 1 to 100 (default 100); more is clamped."""
    offset: NotRequired[int]
    """Exports to skip."""


class ListExportsMeta(TypedDict):
    schemaVersion: str
    requestId: str
    creditsUsed: int
    limit: int
    offset: int
    pageCount: int
    hasMore: bool
    total: int
    warnings: list[ServiceWarning]


class ListExportsAnswer(TypedDict):
    data: list[ExportJob]
    meta: ListExportsMeta


class GetExportAnswer(TypedDict):
    data: ExportJob
    meta: GetProjectChangesMeta


class DownloadExportInput(TypedDict):
    bom: NotRequired[bool]
    """1 is for Excel: a byte order mark in front, and cells of more than 32,767 characters cut with a mark."""


class CreateSnapshotInput(TypedDict):
    filters: NotRequired[Filters]
    """Filters; without any, all of your licence"""
    representation: NotRequired[RepresentationName]
    include: NotRequired[str | Sequence[str]]
    """`derived`, with representation `full`: what this service reads from the record"""
    format: NotRequired[SnapshotFormat]
    """`ndjson`: a line a record, as a search serves it; `parquet`: GeoParquet, a column a field"""
    compression: NotRequired[Compression]
    """Of NDJSON: gzip unless asked otherwise"""
    geoparquet: NotRequired[GeoParquet]
    """Of Parquet: 1.1 unless asked otherwise; 2.0 has the native type of geometries"""
    maxCredits: NotRequired[int]
    """Refuse when more credits would be reserved"""


class CreateSnapshotData(TypedDict):
    status: Literal["no_matching_records"]
    snapshotId: None
    matchCount: Literal[0]


class CreateSnapshotAnswer(TypedDict):
    data: CreateSnapshotData
    meta: MapProjectsMeta


class CreateSnapshotSource(TypedDict):
    filters: dict[str, Any]


class Snapshot(TypedDict):
    id: str
    status: SnapshotStatus
    source: CreateSnapshotSource
    representation: RepresentationName
    include: list[Literal["derived"]]
    """What the records have besides the fields of the representation"""
    format: SnapshotFormat
    compression: Compression | None
    geoparquet: GeoParquet | None
    createdAt: str
    startedAt: str | None
    readyAt: str | None
    expiresAt: str | None
    progress: Progress
    matchCount: int
    recordCount: int | None
    fileCount: int | None
    sizeBytes: int | None
    creditsReserved: int
    creditsCharged: int | None
    creditsRefunded: int | None
    pollUrl: str
    manifestUrl: str
    error: ErrorAnswer | None


class CreateSnapshotAnswer2(TypedDict):
    data: Snapshot
    meta: MapProjectsMeta


class ListSnapshotsInput(TypedDict):
    limit: NotRequired[int]
    """Snapshots a page, 1 to 100 (default 100); more is clamped."""
    offset: NotRequired[int]
    """Snapshots to skip."""


class ListSnapshotsAnswer(TypedDict):
    data: list[Snapshot]
    meta: ListExportsMeta


class GetSnapshotAnswer(TypedDict):
    data: Snapshot
    meta: GetProjectChangesMeta


class DeleteSnapshotAnswer(TypedDict):
    data: Snapshot
    meta: GetProjectChangesMeta


class File(TypedDict):
    name: str
    url: str
    sizeBytes: int
    sha256: str
    recordCount: int


class Restrictions(TypedDict):
    name: str
    url: str
    sizeBytes: int
    sha256: str
    recordCount: int
    """Of restrictions"""
    on: str


class GetSnapshotManifestSync(TypedDict):
    cursor: str
    """A walk with the same filters goes on from here"""
    url: str
    """That walk"""


class SnapshotManifest(TypedDict):
    snapshotId: str
    schemaVersion: str
    schemaUrl: str
    """JSON Schema of a record"""
    generation: int
    asOf: str
    """The newest change or removal that the files reflect"""
    filters: dict[str, Any]
    representation: RepresentationName
    include: list[Literal["derived"]]
    """What the records have besides the fields of the representation"""
    format: SnapshotFormat
    recordCount: int
    files: list[File]
    restrictions: Restrictions | None
    """The restrictions of your licence, whatever the filters; `status` is that of the day `on`. Null where there are none"""
    sync: GetSnapshotManifestSync


class ListListsInput(TypedDict):
    limit: NotRequired[int]
    """Lists a page, 1 to 100 (default 100); more is clamped."""
    offset: NotRequired[int]
    """Lists to skip."""
    deleted: NotRequired[bool]
    """true: what was deleted and can still be restored, newest deletion first, in place of what is kept."""


class Member(TypedDict):
    userId: int
    name: str


class Share(TypedDict):
    mode: ShareMode
    userIds: list[int]
    optOutUserIds: list[int]
    members: list[Member]


class Billable(TypedDict):
    records: int
    credits: int


class Results(TypedDict):
    billable: Billable


class List(TypedDict):
    id: str
    name: str
    description: str | None
    kind: ListKind
    alertId: str | None
    filters: dict[str, Any] | None
    polygon: list[list[float]] | None
    columns: list[RecordField] | None
    searchUrl: str | None
    projectCount: int | None
    share: Share
    createdBy: int
    createdAt: str
    updatedAt: str
    restorableUntil: NotRequired[str]
    """Of a deleted one: until when it can be restored"""
    results: Results | None


class ListListsAnswer(TypedDict):
    data: list[List]
    meta: ListExportsMeta


class CreateListShare(TypedDict):
    mode: NotRequired[ShareMode]
    userIds: NotRequired[Sequence[int]]
    optOutUserIds: NotRequired[Sequence[int]]


class CreateListInput(TypedDict):
    name: str
    """What you call the list"""
    description: NotRequired[str | None]
    kind: NotRequired[str]
    """membership, filter or polygon; follows from what is sent where it is left out"""
    filters: NotRequired[OrderedFilters]
    """Filters, with `sort` and `order`"""
    polygon: NotRequired[Any]
    """A linear ring [[lng,lat],…] of 4 to 1000 vertices"""
    columns: NotRequired[Sequence[RecordField] | None]
    """Names of fields of the record, or parties of one role (parties.developer), in the order of a table that shows the list"""
    projectIds: NotRequired[Sequence[int]]
    """Ids of projects"""
    share: NotRequired[CreateListShare]


class CreateListAnswer(TypedDict):
    data: List
    meta: JudgeAnswersMeta


class GetListAnswer(TypedDict):
    data: List
    meta: JudgeAnswersMeta


class ChangeListInput(TypedDict):
    name: NotRequired[str]
    """What you call the list"""
    description: NotRequired[str | None]
    filters: NotRequired[OrderedFilters]
    """Filters, with `sort` and `order`"""
    polygon: NotRequired[Any]
    """A linear ring [[lng,lat],…] of 4 to 1000 vertices"""
    columns: NotRequired[Sequence[RecordField] | None]
    """Names of fields of the record, or parties of one role (parties.developer), in the order of a table that shows the list"""
    share: NotRequired[CreateListShare]


class ChangeListAnswer(TypedDict):
    data: List
    meta: JudgeAnswersMeta


class DeleteListData(TypedDict):
    id: str
    deleted: bool


class DeleteListAnswer(TypedDict):
    data: DeleteListData
    meta: JudgeAnswersMeta


class RestoreListAnswer(TypedDict):
    data: List
    meta: JudgeAnswersMeta


class AddListProjectsInput(TypedDict):
    projectIds: Sequence[int]
    """Ids of projects"""


class AddListProjectsData(TypedDict):
    added: list[int]
    alreadyPresent: list[int]
    notFound: list[int]


class AddListProjectsAnswer(TypedDict):
    data: AddListProjectsData
    meta: JudgeAnswersMeta


class RemoveListProjectData(TypedDict):
    projectId: int
    removed: bool


class RemoveListProjectAnswer(TypedDict):
    data: RemoveListProjectData
    meta: JudgeAnswersMeta


class NoteListProjectInput(TypedDict):
    note: str | None
    """Null or blank removes it"""


class NoteListProjectData(TypedDict):
    projectId: int
    note: str | None
    """Why the project is in the list; there is none in the records of a list without notes"""


class NoteListProjectAnswer(TypedDict):
    data: NoteListProjectData
    meta: JudgeAnswersMeta


class GetListResultsQuery(TypedDict):
    sort: NotRequired[Sort]
    """Order of the records; names with a suffix encode the direction."""
    order: NotRequired[Order]
    """asc or desc; desc where `sort` names only a field."""
    limit: NotRequired[int]
    """Records a page, 1 to 100 (default 100); more is clamped."""
    offset: NotRequired[int]
    """Records to skip; wins over `page`."""
    include: NotRequired[Include]
    """`contacts` turns on Find Contact Info; `derived`, with representation=full, adds what this service reads from the record."""
    contactOptions: NotRequired[GetProjectContactOptions]
    """JSON object; cachedOnly true only."""


class GetListResultsInput(GetListResultsQuery):
    representation: NotRequired[RepresentationName]
    """compact (21 fields), standard (67, default) or full (85)."""
    page: NotRequired[int]
    """Page from 1; offset = (page - 1) * limit."""


class GetListResultsData(TypedDict):
    id: int
    """Project id; the same from load to load"""
    recordType: str | None
    """Kind of record, such as `project`"""
    projectName: str | None
    """Name of the project"""
    serviceLink: str
    """The record on the map of this service"""
    mergedFrom: list[int] | None
    """Ids of the records merged into this one, its own among them"""
    lastUpdated: str
    """When the content last changed"""
    meetingDate: str | None
    """Date of the latest meeting; of a merged development the newest hearing that is not in the future"""
    delivery: Delivery
    """What the credit pool held of the record before this answer"""
    address: str | None
    """Street address"""
    city: str | None
    """City"""
    county: str | None
    """County"""
    state: str | None
    """USPS abbreviation of the state"""
    latitude: float | None
    """Degrees north"""
    longitude: float | None
    """Degrees east"""
    inOpportunityZone: bool | None
    """Inside an Opportunity Zone; null where that was not computed"""
    inFemaFloodZone: bool | None
    """Inside a Special Flood Hazard Area; null where that was not computed"""
    propertyType: str | None
    """Building Type"""
    propertyTypeLabel: str | None
    """Label of propertyType"""
    landUses: list[ProjectLandUse] | None
    """Every land use of the project, each once"""
    status: str
    """Entitlement status; `unknown` where no decision is recorded"""
    statusLabel: str | None
    """Label of status"""
    note: NotRequired[str | None]
    """Why the project is in the list; there is none in the records of a list without notes"""


class GetListResultsData2(TypedDict):
    id: int
    """Project id; the same from load to load"""
    recordType: str | None
    """Kind of record, such as `project`"""
    projectName: str | None
    """Name of the project"""
    serviceLink: str
    """The record on the map of this service"""
    mergedFrom: list[int] | None
    """Ids of the records merged into this one, its own among them"""
    lastUpdated: str
    """When the content last changed"""
    meetingDate: str | None
    """Date of the latest meeting; of a merged development the newest hearing that is not in the future"""
    delivery: Delivery
    """What the credit pool held of the record before this answer"""
    address: str | None
    """Street address"""
    city: str | None
    """City"""
    county: str | None
    """County"""
    state: str | None
    """USPS abbreviation of the state"""
    latitude: float | None
    """Degrees north"""
    longitude: float | None
    """Degrees east"""
    inOpportunityZone: bool | None
    """Inside an Opportunity Zone; null where that was not computed"""
    inFemaFloodZone: bool | None
    """Inside a Special Flood Hazard Area; null where that was not computed"""
    propertyType: str | None
    """Building Type"""
    propertyTypeLabel: str | None
    """Label of propertyType"""
    landUses: list[ProjectLandUse] | None
    """Every land use of the project, each once"""
    status: str
    """Entitlement status; `unknown` where no decision is recorded"""
    statusLabel: str | None
    """Label of status"""
    displayName: str | None
    """Name for people, where it differs from projectName"""
    summary: str | None
    """Description of the project; the status sentence where there is none"""
    statusSummary: str | None
    """The status in one sentence"""
    sourceDocumentUrl: str | None
    """Public meeting document of the latest appearance"""
    meetingDocumentId: int | None
    """Id of that document, for `GET /documents/{id}`"""
    contentRevision: str
    """Names the content; equal content has an equal revision"""
    stateId: int | None
    """FIPS number of the state"""
    countyId: int | None
    """FIPS number of the county"""
    cityId: int | None
    """GeoNames number of the city"""
    zipCode: str | None
    """ZIP code"""
    parcelNumbers: list[str] | None
    """Numbers of the parcels"""
    propertySubtype: str | None
    """Second level of the Building Type"""
    propertySubtypeLabel: str | None
    """Label of propertySubtype"""
    assetClass: str | None
    """First known asset class, the third level"""
    assetClassLabel: str | None
    """Label of assetClass"""
    classifications: list[Classification]
    """The Building Types of the project, each with its role"""
    projectSize: str | None
    """large, medium or small"""
    projectSizeLabel: str | None
    """Label of projectSize"""
    isRezone: bool | None
    """A change of zoning is asked for"""
    requestType: str | None
    """What is applied for"""
    requestTypeLabel: str | None
    """Label of requestType"""
    constructionType: str | None
    """Kind of construction"""
    constructionTypeLabel: str | None
    """Label of constructionType"""
    isConstructionLead: bool | None
    """Construction is likely to follow"""
    hasConstructionDetails: bool | None
    """Details of the construction are known"""
    decisionBody: str | None
    """Body that decided"""
    decisionBodyLabel: str | None
    """Label of decisionBody"""
    decisionType: str | None
    """Kind of decision"""
    decisionTypeLabel: str | None
    """Label of decisionType"""
    existingZoning: str | None
    """Zoning today"""
    proposedZoning: str | None
    """Zoning asked for"""
    totalUnitCount: int | None
    """Dwelling units"""
    unitMix: list[UnitMix] | None
    """Units by type"""
    acreage: float | None
    """Acres"""
    lotSizeSqft: float | None
    """Lot size in square feet"""
    squareFootage: float | None
    """Floor area in square feet"""
    floorCount: float | None
    """Floors"""
    buildingStories: float | None
    """Stories"""
    buildingHeightFeet: float | None
    """Height in feet"""
    bedroomCount: int | None
    """Bedrooms"""
    parkingSpaces: int | None
    """Parking spaces"""
    lotCount: int | None
    """Buildable lots"""
    parties: list[Party] | None
    """Companies and people that the filing names"""
    contacts: list[Contact] | None
    """People; channels are null until Find Contact Info unlocked them"""
    companyEnrichment: list[CompanyEnrichment] | None
    """Companies; name and website on every plan, the rest on paid ones"""
    contactSummary: ContactSummary
    """How many contacts and channels there are"""
    note: NotRequired[str | None]
    """Why the project is in the list; there is none in the records of a list without notes"""


class GetListResultsData3(TypedDict):
    id: int
    """Project id; the same from load to load"""
    recordType: str | None
    """Kind of record, such as `project`"""
    projectName: str | None
    """Name of the project"""
    serviceLink: str
    """The record on the map of this service"""
    mergedFrom: list[int] | None
    """Ids of the records merged into this one, its own among them"""
    lastUpdated: str
    """When the content last changed"""
    meetingDate: str | None
    """Date of the latest meeting; of a merged development the newest hearing that is not in the future"""
    delivery: Delivery
    """What the credit pool held of the record before this answer"""
    address: str | None
    """Street address"""
    city: str | None
    """City"""
    county: str | None
    """County"""
    state: str | None
    """USPS abbreviation of the state"""
    latitude: float | None
    """Degrees north"""
    longitude: float | None
    """Degrees east"""
    inOpportunityZone: bool | None
    """Inside an Opportunity Zone; null where that was not computed"""
    inFemaFloodZone: bool | None
    """Inside a Special Flood Hazard Area; null where that was not computed"""
    propertyType: str | None
    """Building Type"""
    propertyTypeLabel: str | None
    """Label of propertyType"""
    landUses: list[ProjectLandUse] | None
    """Every land use of the project, each once"""
    status: str
    """Entitlement status; `unknown` where no decision is recorded"""
    statusLabel: str | None
    """Label of status"""
    displayName: str | None
    """Name for people, where it differs from projectName"""
    summary: str | None
    """Description of the project; the status sentence where there is none"""
    statusSummary: str | None
    """The status in one sentence"""
    sourceDocumentUrl: str | None
    """Public meeting document of the latest appearance"""
    meetingDocumentId: int | None
    """Id of that document, for `GET /documents/{id}`"""
    contentRevision: str
    """Names the content; equal content has an equal revision"""
    stateId: int | None
    """FIPS number of the state"""
    countyId: int | None
    """FIPS number of the county"""
    cityId: int | None
    """GeoNames number of the city"""
    zipCode: str | None
    """ZIP code"""
    parcelNumbers: list[str] | None
    """Numbers of the parcels"""
    propertySubtype: str | None
    """Second level of the Building Type"""
    propertySubtypeLabel: str | None
    """Label of propertySubtype"""
    assetClass: str | None
    """First known asset class, the third level"""
    assetClassLabel: str | None
    """Label of assetClass"""
    classifications: list[Classification]
    """The Building Types of the project, each with its role"""
    projectSize: str | None
    """large, medium or small"""
    projectSizeLabel: str | None
    """Label of projectSize"""
    isRezone: bool | None
    """A change of zoning is asked for"""
    requestType: str | None
    """What is applied for"""
    requestTypeLabel: str | None
    """Label of requestType"""
    constructionType: str | None
    """Kind of construction"""
    constructionTypeLabel: str | None
    """Label of constructionType"""
    isConstructionLead: bool | None
    """Construction is likely to follow"""
    hasConstructionDetails: bool | None
    """Details of the construction are known"""
    decisionBody: str | None
    """Body that decided"""
    decisionBodyLabel: str | None
    """Label of decisionBody"""
    decisionType: str | None
    """Kind of decision"""
    decisionTypeLabel: str | None
    """Label of decisionType"""
    existingZoning: str | None
    """Zoning today"""
    proposedZoning: str | None
    """Zoning asked for"""
    totalUnitCount: int | None
    """Dwelling units"""
    unitMix: list[UnitMix] | None
    """Units by type"""
    acreage: float | None
    """Acres"""
    lotSizeSqft: float | None
    """Lot size in square feet"""
    squareFootage: float | None
    """Floor area in square feet"""
    floorCount: float | None
    """Floors"""
    buildingStories: float | None
    """Stories"""
    buildingHeightFeet: float | None
    """Height in feet"""
    bedroomCount: int | None
    """Bedrooms"""
    parkingSpaces: int | None
    """Parking spaces"""
    lotCount: int | None
    """Buildable lots"""
    parties: list[Party] | None
    """Companies and people that the filing names"""
    contacts: list[Contact] | None
    """People; channels are null until Find Contact Info unlocked them"""
    companyEnrichment: list[CompanyEnrichment] | None
    """Companies; name and website on every plan, the rest on paid ones"""
    contactSummary: ContactSummary
    """How many contacts and channels there are"""
    decisions: list[Decision] | None
    """Decisions with their named votes"""
    meetingDocuments: list[MeetingDocument] | None
    """Documents of its meetings"""
    rawText: str | None
    """Text of the minutes that speaks of the project"""
    originalRawText: str | None
    """That text as it was extracted"""
    originalRawTextTruncated: bool | None
    """The original text was longer"""
    actionType: str | None
    """Type of action"""
    actionTypeLabel: str | None
    """Label of actionType"""
    actionCategory: str | None
    """Category of action"""
    actionCategoryLabel: str | None
    """Label of actionCategory"""
    firstMeetingDate: str | None
    """Date of the first meeting"""
    nextMeetingDate: str | None
    """Date of the next meeting"""
    appearanceCount: int | None
    """Meetings at which the project appeared"""
    statusHistory: list[StatusHistory] | None
    """Statuses over time"""
    caseNumbers: list[str] | None
    """Case numbers"""
    conditionsOfApproval: list[str] | None
    """Conditions of the approval"""
    voteTotals: VoteTotals | None
    """Votes of the latest decision"""
    staffRecommendation: str | None
    """What staff recommended"""
    dataRichness: int
    """Share of the attributes that the record states, in percent"""
    derived: NotRequired[Derived]
    """Only with `include=derived`: what this service reads from the record, such as outcome, staff recommendation, vote and days in process"""
    note: NotRequired[str | None]
    """Why the project is in the list; there is none in the records of a list without notes"""


class GetListResultsData4(TypedDict):
    kind: Literal["filter", "polygon"]
    filters: dict[str, Any] | None
    polygon: list[list[float]] | None
    searchUrl: str


class GetListResultsMeta(TypedDict):
    schemaVersion: str
    requestId: str
    representation: NotRequired[RepresentationName]
    limit: NotRequired[int]
    offset: NotRequired[int]
    creditsUsed: NotRequired[int]
    creditsRemaining: NotRequired[int | None]
    pageCount: NotRequired[int]
    hasMore: NotRequired[bool]
    total: NotRequired[int]
    matchCount: NotRequired[int]
    matchCountIsExact: NotRequired[bool]
    matchCountBasis: NotRequired[str]
    delivery: NotRequired[SearchProjectsDelivery]
    trialTruncation: NotRequired[TrialTruncation]
    suggestions: NotRequired[list[Suggestion]]
    """Where nothing matches: how many records the same search without one of its filters has"""
    warnings: NotRequired[list[ServiceWarning]]
    appliedDefaults: NotRequired[dict[str, Any]]
    appliedFilters: NotRequired[dict[str, Any]]


class GetListResultsAnswer(TypedDict):
    data: list[GetListResultsData | GetListResultsData2 | GetListResultsData3] | GetListResultsData4
    meta: GetListResultsMeta


class ListAlertsInput(TypedDict):
    limit: NotRequired[int]
    """Alerts a page, 1 to 100 (default 100); more is clamped."""
    offset: NotRequired[int]
    """Alerts to skip."""
    deleted: NotRequired[bool]
    """true: what was deleted and can still be restored, newest deletion first, in place of what is kept."""


class Cadence(TypedDict):
    frequency: Frequency
    weekday: int | None
    """Of a weekly alert: 1 Monday (default) to 7 Sunday"""
    day: int | None
    """Of a monthly alert, default 1"""
    beforeHearings: bool
    """Also at 06:00 on each day before a hearing (`nextMeetingDate`) of a record that it matches; default false"""


class ListAlertsMember(TypedDict):
    userId: int
    name: str
    email: str | None


class ListAlertsShare(TypedDict):
    mode: ShareMode
    userIds: list[int]
    optOutUserIds: list[int]
    members: list[ListAlertsMember]


class Recipient(TypedDict):
    address: str
    state: RecipientState
    since: str


class ListAlertsNotify(TypedDict):
    email: bool
    emailTo: list[str]
    recipients: NotRequired[list[Recipient]]
    """Whom it mails to; of a single alert"""


class ListAlertsProblem(TypedDict):
    param: str | None
    code: str
    message: str


class Alert(TypedDict):
    id: str
    name: str
    status: AlertStatus
    filters: dict[str, Any]
    specificRequirement: str | None
    cadence: Cadence
    nextRunAt: str | None
    lastRunAt: str | None
    share: ListAlertsShare
    notify: ListAlertsNotify
    maxRecordsPerRun: int
    maxCredits: int | None
    includeNewlyRead: bool
    listId: str
    problems: list[ListAlertsProblem] | None
    createdBy: int
    createdAt: str
    updatedAt: str
    restorableUntil: NotRequired[str]
    """Of a deleted one: until when it can be restored"""


class ListAlertsMeta(TypedDict):
    schemaVersion: str
    requestId: str
    creditsUsed: int
    limit: int
    offset: int
    pageCount: int
    hasMore: bool
    total: int
    warnings: list[ServiceWarning]
    activeAlerts: int
    maxActiveAlerts: int


class ListAlertsAnswer(TypedDict):
    data: list[Alert]
    meta: ListAlertsMeta


class CreateAlertCadence(TypedDict):
    frequency: NotRequired[Frequency]
    weekday: NotRequired[int | None]
    """Of a weekly alert: 1 Monday (default) to 7 Sunday"""
    day: NotRequired[int | None]
    """Of a monthly alert, default 1"""
    beforeHearings: NotRequired[bool]
    """Also at 06:00 on each day before a hearing (`nextMeetingDate`) of a record that it matches; default false"""


class CreateAlertNotify(TypedDict):
    email: NotRequired[bool]
    """false silences the digests of members"""
    emailTo: NotRequired[Sequence[str]]
    """Further addresses; outside the team each confirms once"""


class Budget(TypedDict):
    maxRecordsPerRun: NotRequired[int]
    """Default 100"""


class CreateAlertInput(TypedDict):
    name: str
    """What you call it; digests have it as their subject"""
    filters: NotRequired[OrderedFilters]
    """What it looks for"""
    cadence: NotRequired[CreateAlertCadence]
    share: NotRequired[CreateListShare]
    notify: NotRequired[CreateAlertNotify]
    maxRecordsPerRun: NotRequired[int]
    """Default 100"""
    budget: NotRequired[Budget]
    maxCredits: NotRequired[int | None]
    """A run that would cost more is refused"""
    includeNewlyRead: NotRequired[bool]
    """Whether it delivers old cases that are newly read (`newly_read`); default true"""
    specificRequirement: NotRequired[str | None]
    status: NotRequired[SettableAlertStatus]


class CreateAlertMeta(TypedDict):
    schemaVersion: str
    requestId: str
    creditsUsed: int
    warnings: list[ServiceWarning]
    appliedDefaults: dict[str, Any]
    appliedFilters: dict[str, Any]
    addedMembers: NotRequired[list[int]]


class CreateAlertAnswer(TypedDict):
    data: Alert
    meta: CreateAlertMeta


class GetAlertAnswer(TypedDict):
    data: Alert
    meta: JudgeAnswersMeta


class ChangeAlertNotify(TypedDict):
    email: NotRequired[bool]
    """false silences the digests of members"""
    emailTo: NotRequired[Sequence[str]]
    """Further addresses; outside the team each confirms once"""
    resume: NotRequired[bool]
    """Mails to you, which you stopped by a link, go on"""


class ChangeAlertInput(TypedDict):
    name: NotRequired[str]
    """What you call it; digests have it as their subject"""
    filters: NotRequired[OrderedFilters]
    """What it looks for"""
    cadence: NotRequired[CreateAlertCadence]
    share: NotRequired[CreateListShare]
    notify: NotRequired[ChangeAlertNotify]
    maxRecordsPerRun: NotRequired[int]
    """Default 100"""
    budget: NotRequired[Budget]
    maxCredits: NotRequired[int | None]
    """A run that would cost more is refused"""
    includeNewlyRead: NotRequired[bool]
    """Whether it delivers old cases that are newly read (`newly_read`); default true"""
    specificRequirement: NotRequired[str | None]
    status: NotRequired[SettableAlertStatus]


class ChangeAlertAnswer(TypedDict):
    data: Alert
    meta: CreateAlertMeta


class DeleteAlertData(TypedDict):
    id: str
    status: Literal["archived"]


class DeleteAlertAnswer(TypedDict):
    data: DeleteAlertData
    meta: JudgeAnswersMeta


class RestoreAlertAnswer(TypedDict):
    data: Alert
    meta: JudgeAnswersMeta


class PreviewAlertData(TypedDict):
    matchCount: int
    matchCountIsExact: bool
    """false where the numbers are the most there can be: too much would have to be judged"""
    wouldDeliver: int
    billableRecordCount: int
    creditRate: int
    creditsRequired: int
    creditsRemaining: int | None
    affordability: Affordability


class PreviewAlertAnswer(TypedDict):
    data: PreviewAlertData
    meta: MapProjectsMeta


class PreviewAlertWithInput(TypedDict):
    name: NotRequired[str]
    """What you call it; digests have it as their subject"""
    filters: NotRequired[OrderedFilters]
    """What it looks for"""
    cadence: NotRequired[CreateAlertCadence]
    share: NotRequired[CreateListShare]
    notify: NotRequired[CreateAlertNotify]
    maxRecordsPerRun: NotRequired[int]
    """Default 100"""
    budget: NotRequired[Budget]
    maxCredits: NotRequired[int | None]
    """A run that would cost more is refused"""
    includeNewlyRead: NotRequired[bool]
    """Whether it delivers old cases that are newly read (`newly_read`); default true"""
    specificRequirement: NotRequired[str | None]
    status: NotRequired[SettableAlertStatus]


class PreviewAlertWithAnswer(TypedDict):
    data: PreviewAlertData
    meta: MapProjectsMeta


class Unconfirmed(TypedDict):
    filters: list[str]
    records: int | None


class AlertDelivery(TypedDict):
    deliveryId: str
    alertId: str
    trigger: RunTrigger
    status: RunStatus
    records: int
    newRecords: int
    changedRecords: int
    newlyReadRecords: int
    """Old cases that are newly read; not among newRecords"""
    changedFields: list[str]
    """Which fields changed in those, by name"""
    moreMatched: int
    """Left for the next run; with a specificRequirement also what was not judged yet"""
    creditsCharged: int
    startedAt: str
    finishedAt: str | None
    reason: str | None
    """Why it was refused or failed; alert_nl_enrichment_failed: it went by the filters alone"""
    unconfirmed: Unconfirmed | None
    matchesUrl: str


class ManualRuns(TypedDict):
    limit: int
    used: int
    resetsAt: str


class RunAlertMeta(TypedDict):
    schemaVersion: str
    requestId: str
    creditsUsed: int
    manualRuns: ManualRuns
    warnings: list[ServiceWarning]


class RunAlertAnswer(TypedDict):
    data: AlertDelivery
    meta: RunAlertMeta


class ListAlertDeliveriesInput(TypedDict):
    limit: NotRequired[int]
    """Deliveries a page, 1 to 100 (default 100); more is clamped."""
    offset: NotRequired[int]
    """Deliveries to skip."""


class ListAlertDeliveriesAnswer(TypedDict):
    data: list[AlertDelivery]
    meta: ListExportsMeta


class GetAlertDeliveryAnswer(TypedDict):
    data: AlertDelivery
    meta: GetProjectChangesMeta


class ListAlertMatchesQuery(TypedDict):
    limit: NotRequired[int]
    """Matches a page, 1 to 100 (default 100); more is clamped."""
    offset: NotRequired[int]
    """Matches to skip."""
    deliveryId: NotRequired[str]
    """Only what this run delivered, dismissed or not."""


class ListAlertMatchesInput(ListAlertMatchesQuery):
    representation: NotRequired[RepresentationName]
    """compact, standard (default) or full."""


class ListAlertMatchesData(TypedDict):
    id: int
    """Project id; the same from load to load"""
    recordType: str | None
    """Kind of record, such as `project`"""
    projectName: str | None
    """Name of the project"""
    serviceLink: str
    """The record on the map of this service"""
    mergedFrom: list[int] | None
    """Ids of the records merged into this one, its own among them"""
    lastUpdated: str
    """When the content last changed"""
    meetingDate: str | None
    """Date of the latest meeting; of a merged development the newest hearing that is not in the future"""
    delivery: Delivery
    """What the credit pool held of the record before this answer"""
    address: str | None
    """Street address"""
    city: str | None
    """City"""
    county: str | None
    """County"""
    state: str | None
    """USPS abbreviation of the state"""
    latitude: float | None
    """Degrees north"""
    longitude: float | None
    """Degrees east"""
    inOpportunityZone: bool | None
    """Inside an Opportunity Zone; null where that was not computed"""
    inFemaFloodZone: bool | None
    """Inside a Special Flood Hazard Area; null where that was not computed"""
    propertyType: str | None
    """Building Type"""
    propertyTypeLabel: str | None
    """Label of propertyType"""
    landUses: list[ProjectLandUse] | None
    """Every land use of the project, each once"""
    status: str
    """Entitlement status; `unknown` where no decision is recorded"""
    statusLabel: str | None
    """Label of status"""
    deliveryId: str
    dismissed: bool
    whyThisMatched: str | None
    matchEvidence: list[MatchEvidence] | None
    changedFields: list[str] | None
    """Fields that changed since the alert delivered the record before; null of a new record, and where that is too long ago"""
    newBecause: NewBecause | None
    """Why it was delivered; null of what was delivered before the service told"""


class ListAlertMatchesData2(TypedDict):
    id: int
    """Project id; the same from load to load"""
    recordType: str | None
    """Kind of record, such as `project`"""
    projectName: str | None
    """Name of the project"""
    serviceLink: str
    """The record on the map of this service"""
    mergedFrom: list[int] | None
    """Ids of the records merged into this one, its own among them"""
    lastUpdated: str
    """When the content last changed"""
    meetingDate: str | None
    """Date of the latest meeting; of a merged development the newest hearing that is not in the future"""
    delivery: Delivery
    """What the credit pool held of the record before this answer"""
    address: str | None
    """Street address"""
    city: str | None
    """City"""
    county: str | None
    """County"""
    state: str | None
    """USPS abbreviation of the state"""
    latitude: float | None
    """Degrees north"""
    longitude: float | None
    """Degrees east"""
    inOpportunityZone: bool | None
    """Inside an Opportunity Zone; null where that was not computed"""
    inFemaFloodZone: bool | None
    """Inside a Special Flood Hazard Area; null where that was not computed"""
    propertyType: str | None
    """Building Type"""
    propertyTypeLabel: str | None
    """Label of propertyType"""
    landUses: list[ProjectLandUse] | None
    """Every land use of the project, each once"""
    status: str
    """Entitlement status; `unknown` where no decision is recorded"""
    statusLabel: str | None
    """Label of status"""
    displayName: str | None
    """Name for people, where it differs from projectName"""
    summary: str | None
    """Description of the project; the status sentence where there is none"""
    statusSummary: str | None
    """The status in one sentence"""
    sourceDocumentUrl: str | None
    """Public meeting document of the latest appearance"""
    meetingDocumentId: int | None
    """Id of that document, for `GET /documents/{id}`"""
    contentRevision: str
    """Names the content; equal content has an equal revision"""
    stateId: int | None
    """FIPS number of the state"""
    countyId: int | None
    """FIPS number of the county"""
    cityId: int | None
    """GeoNames number of the city"""
    zipCode: str | None
    """ZIP code"""
    parcelNumbers: list[str] | None
    """Numbers of the parcels"""
    propertySubtype: str | None
    """Second level of the Building Type"""
    propertySubtypeLabel: str | None
    """Label of propertySubtype"""
    assetClass: str | None
    """First known asset class, the third level"""
    assetClassLabel: str | None
    """Label of assetClass"""
    classifications: list[Classification]
    """The Building Types of the project, each with its role"""
    projectSize: str | None
    """large, medium or small"""
    projectSizeLabel: str | None
    """Label of projectSize"""
    isRezone: bool | None
    """A change of zoning is asked for"""
    requestType: str | None
    """What is applied for"""
    requestTypeLabel: str | None
    """Label of requestType"""
    constructionType: str | None
    """Kind of construction"""
    constructionTypeLabel: str | None
    """Label of constructionType"""
    isConstructionLead: bool | None
    """Construction is likely to follow"""
    hasConstructionDetails: bool | None
    """Details of the construction are known"""
    decisionBody: str | None
    """Body that decided"""
    decisionBodyLabel: str | None
    """Label of decisionBody"""
    decisionType: str | None
    """Kind of decision"""
    decisionTypeLabel: str | None
    """Label of decisionType"""
    existingZoning: str | None
    """Zoning today"""
    proposedZoning: str | None
    """Zoning asked for"""
    totalUnitCount: int | None
    """Dwelling units"""
    unitMix: list[UnitMix] | None
    """Units by type"""
    acreage: float | None
    """Acres"""
    lotSizeSqft: float | None
    """Lot size in square feet"""
    squareFootage: float | None
    """Floor area in square feet"""
    floorCount: float | None
    """Floors"""
    buildingStories: float | None
    """Stories"""
    buildingHeightFeet: float | None
    """Height in feet"""
    bedroomCount: int | None
    """Bedrooms"""
    parkingSpaces: int | None
    """Parking spaces"""
    lotCount: int | None
    """Buildable lots"""
    parties: list[Party] | None
    """Companies and people that the filing names"""
    contacts: list[Contact] | None
    """People; channels are null until Find Contact Info unlocked them"""
    companyEnrichment: list[CompanyEnrichment] | None
    """Companies; name and website on every plan, the rest on paid ones"""
    contactSummary: ContactSummary
    """How many contacts and channels there are"""
    deliveryId: str
    dismissed: bool
    whyThisMatched: str | None
    matchEvidence: list[MatchEvidence] | None
    changedFields: list[str] | None
    """Fields that changed since the alert delivered the record before; null of a new record, and where that is too long ago"""
    newBecause: NewBecause | None
    """Why it was delivered; null of what was delivered before the service told"""


class ListAlertMatchesData3(TypedDict):
    id: int
    """Project id; the same from load to load"""
    recordType: str | None
    """Kind of record, such as `project`"""
    projectName: str | None
    """Name of the project"""
    serviceLink: str
    """The record on the map of this service"""
    mergedFrom: list[int] | None
    """Ids of the records merged into this one, its own among them"""
    lastUpdated: str
    """When the content last changed"""
    meetingDate: str | None
    """Date of the latest meeting; of a merged development the newest hearing that is not in the future"""
    delivery: Delivery
    """What the credit pool held of the record before this answer"""
    address: str | None
    """Street address"""
    city: str | None
    """City"""
    county: str | None
    """County"""
    state: str | None
    """USPS abbreviation of the state"""
    latitude: float | None
    """Degrees north"""
    longitude: float | None
    """Degrees east"""
    inOpportunityZone: bool | None
    """Inside an Opportunity Zone; null where that was not computed"""
    inFemaFloodZone: bool | None
    """Inside a Special Flood Hazard Area; null where that was not computed"""
    propertyType: str | None
    """Building Type"""
    propertyTypeLabel: str | None
    """Label of propertyType"""
    landUses: list[ProjectLandUse] | None
    """Every land use of the project, each once"""
    status: str
    """Entitlement status; `unknown` where no decision is recorded"""
    statusLabel: str | None
    """Label of status"""
    displayName: str | None
    """Name for people, where it differs from projectName"""
    summary: str | None
    """Description of the project; the status sentence where there is none"""
    statusSummary: str | None
    """The status in one sentence"""
    sourceDocumentUrl: str | None
    """Public meeting document of the latest appearance"""
    meetingDocumentId: int | None
    """Id of that document, for `GET /documents/{id}`"""
    contentRevision: str
    """Names the content; equal content has an equal revision"""
    stateId: int | None
    """FIPS number of the state"""
    countyId: int | None
    """FIPS number of the county"""
    cityId: int | None
    """GeoNames number of the city"""
    zipCode: str | None
    """ZIP code"""
    parcelNumbers: list[str] | None
    """Numbers of the parcels"""
    propertySubtype: str | None
    """Second level of the Building Type"""
    propertySubtypeLabel: str | None
    """Label of propertySubtype"""
    assetClass: str | None
    """First known asset class, the third level"""
    assetClassLabel: str | None
    """Label of assetClass"""
    classifications: list[Classification]
    """The Building Types of the project, each with its role"""
    projectSize: str | None
    """large, medium or small"""
    projectSizeLabel: str | None
    """Label of projectSize"""
    isRezone: bool | None
    """A change of zoning is asked for"""
    requestType: str | None
    """What is applied for"""
    requestTypeLabel: str | None
    """Label of requestType"""
    constructionType: str | None
    """Kind of construction"""
    constructionTypeLabel: str | None
    """Label of constructionType"""
    isConstructionLead: bool | None
    """Construction is likely to follow"""
    hasConstructionDetails: bool | None
    """Details of the construction are known"""
    decisionBody: str | None
    """Body that decided"""
    decisionBodyLabel: str | None
    """Label of decisionBody"""
    decisionType: str | None
    """Kind of decision"""
    decisionTypeLabel: str | None
    """Label of decisionType"""
    existingZoning: str | None
    """Zoning today"""
    proposedZoning: str | None
    """Zoning asked for"""
    totalUnitCount: int | None
    """Dwelling units"""
    unitMix: list[UnitMix] | None
    """Units by type"""
    acreage: float | None
    """Acres"""
    lotSizeSqft: float | None
    """Lot size in square feet"""
    squareFootage: float | None
    """Floor area in square feet"""
    floorCount: float | None
    """Floors"""
    buildingStories: float | None
    """Stories"""
    buildingHeightFeet: float | None
    """Height in feet"""
    bedroomCount: int | None
    """Bedrooms"""
    parkingSpaces: int | None
    """Parking spaces"""
    lotCount: int | None
    """Buildable lots"""
    parties: list[Party] | None
    """Companies and people that the filing names"""
    contacts: list[Contact] | None
    """People; channels are null until Find Contact Info unlocked them"""
    companyEnrichment: list[CompanyEnrichment] | None
    """Companies; name and website on every plan, the rest on paid ones"""
    contactSummary: ContactSummary
    """How many contacts and channels there are"""
    decisions: list[Decision] | None
    """Decisions with their named votes"""
    meetingDocuments: list[MeetingDocument] | None
    """Documents of its meetings"""
    rawText: str | None
    """Text of the minutes that speaks of the project"""
    originalRawText: str | None
    """That text as it was extracted"""
    originalRawTextTruncated: bool | None
    """The original text was longer"""
    actionType: str | None
    """Type of action"""
    actionTypeLabel: str | None
    """Label of actionType"""
    actionCategory: str | None
    """Category of action"""
    actionCategoryLabel: str | None
    """Label of actionCategory"""
    firstMeetingDate: str | None
    """Date of the first meeting"""
    nextMeetingDate: str | None
    """Date of the next meeting"""
    appearanceCount: int | None
    """Meetings at which the project appeared"""
    statusHistory: list[StatusHistory] | None
    """Statuses over time"""
    caseNumbers: list[str] | None
    """Case numbers"""
    conditionsOfApproval: list[str] | None
    """Conditions of the approval"""
    voteTotals: VoteTotals | None
    """Votes of the latest decision"""
    staffRecommendation: str | None
    """What staff recommended"""
    dataRichness: int
    """Share of the attributes that the record states, in percent"""
    deliveryId: str
    dismissed: bool
    whyThisMatched: str | None
    matchEvidence: list[MatchEvidence] | None
    changedFields: list[str] | None
    """Fields that changed since the alert delivered the record before; null of a new record, and where that is too long ago"""
    newBecause: NewBecause | None
    """Why it was delivered; null of what was delivered before the service told"""


class ListAlertMatchesMeta(TypedDict):
    schemaVersion: str
    requestId: str
    creditsUsed: int
    limit: int
    offset: int
    pageCount: int
    hasMore: bool
    total: int
    warnings: list[ServiceWarning]
    representation: RepresentationName


class ListAlertMatchesAnswer(TypedDict):
    data: list[ListAlertMatchesData | ListAlertMatchesData2 | ListAlertMatchesData3]
    meta: ListAlertMatchesMeta


class DismissMatchData(TypedDict):
    projectId: int
    dismissed: bool


class DismissMatchAnswer(TypedDict):
    data: DismissMatchData
    meta: JudgeAnswersMeta


class UndismissMatchAnswer(TypedDict):
    data: DismissMatchData
    meta: JudgeAnswersMeta


class CreateAlertFeedData(TypedDict):
    id: str
    rssUrl: str | None
    """In this answer only; null where an Idempotency-Key repeats it"""
    jsonUrl: str | None
    """In this answer only; null where an Idempotency-Key repeats it"""
    icsUrl: str | None
    """In this answer only; null where an Idempotency-Key repeats it"""


class CreateAlertFeedAnswer(TypedDict):
    data: CreateAlertFeedData
    meta: GetProjectChangesMeta


class ListAlertFeedsData(TypedDict):
    id: str
    createdBy: int
    createdAt: str


class ListAlertFeedsMeta(TypedDict):
    schemaVersion: str
    requestId: str
    creditsUsed: int
    pageCount: int


class ListAlertFeedsAnswer(TypedDict):
    data: list[ListAlertFeedsData]
    meta: ListAlertFeedsMeta


class DeleteAlertFeedAnswer(TypedDict):
    data: DeleteListData
    meta: JudgeAnswersMeta


class ListWebhooksInput(TypedDict):
    limit: NotRequired[int]
    """Webhooks a page, 1 to 100 (default 100); more is clamped."""
    offset: NotRequired[int]
    """Webhooks to skip."""


class ListWebhooksData(TypedDict):
    id: str
    url: str
    types: list[EventType]
    description: str | None
    status: WebhookStatus
    createdBy: int
    createdAt: str
    lastDeliveredAt: str | None
    failingSince: str | None


class ListWebhooksAnswer(TypedDict):
    data: list[ListWebhooksData]
    meta: ListExportsMeta


class CreateWebhookInput(TypedDict):
    url: str
    """Where the events are sent"""
    types: Sequence[EventType]
    """Events that are sent"""
    description: NotRequired[str | None]


class CreateWebhookData(TypedDict):
    id: str
    url: str
    types: list[EventType]
    description: str | None
    status: WebhookStatus
    createdBy: int
    createdAt: str
    lastDeliveredAt: str | None
    failingSince: str | None
    secret: str | None
    """`whsec_…`, in this answer only; null where an Idempotency-Key repeats it"""


class CreateWebhookAnswer(TypedDict):
    data: CreateWebhookData
    meta: GetProjectChangesMeta


class GetWebhookAnswer(TypedDict):
    data: ListWebhooksData
    meta: JudgeAnswersMeta


class ChangeWebhookInput(TypedDict):
    types: NotRequired[Sequence[EventType]]
    """Events that are sent"""
    description: NotRequired[str | None]
    status: NotRequired[WebhookStatus]


class ChangeWebhookAnswer(TypedDict):
    data: ListWebhooksData
    meta: JudgeAnswersMeta


class DeleteWebhookAnswer(TypedDict):
    data: DeleteListData
    meta: JudgeAnswersMeta


class RotateWebhookAnswer(TypedDict):
    data: CreateWebhookData
    meta: GetProjectChangesMeta


class TestWebhookData(TypedDict):
    messageId: str
    type: MessageType
    status: MessageStatus
    nextAttemptAt: str


class TestWebhookAnswer(TypedDict):
    data: TestWebhookData
    meta: JudgeAnswersMeta


class RecoverWebhookInput(TypedDict):
    since: str
    """From when messages are sent again"""
    until: NotRequired[str]
    """Not included; now unless given"""


class RecoverWebhookData(TypedDict):
    since: str
    until: str
    messages: int


class RecoverWebhookAnswer(TypedDict):
    data: RecoverWebhookData
    meta: JudgeAnswersMeta


class ListWebhookAttemptsData(TypedDict):
    messageId: str
    type: MessageType
    status: Literal["delivered", "failed"]
    httpStatus: int | None
    error: str | None
    at: str
    nextAttemptAt: str | None


class ListWebhookAttemptsAnswer(TypedDict):
    data: list[ListWebhookAttemptsData]
    meta: ListAlertFeedsMeta


class ReplayWebhookMessageAnswer(TypedDict):
    data: TestWebhookData
    meta: JudgeAnswersMeta


class ListEventsInput(TypedDict):
    after: NotRequired[str]
    """Reads on behind this cursor: `meta.cursor` of the last page."""
    types: NotRequired[Sequence[MessageType]]
    """Types of events; every type unless given."""
    limit: NotRequired[int]
    """Events a page, 1 to 100 (default 100); more is clamped."""


class ListEventsData(TypedDict):
    id: str
    """The `webhook-id` of the same message at every endpoint"""
    type: MessageType
    timestamp: str
    data: dict[str, Any]
    """Ids, and the address that has the rest; nothing of a record"""


class ListEventsMeta(TypedDict):
    schemaVersion: str
    requestId: str
    creditsUsed: int
    cursor: str
    hasMore: bool
    warnings: list[ServiceWarning]


class ListEventsAnswer(TypedDict):
    data: list[ListEventsData]
    meta: ListEventsMeta


class CreateEnrichmentNotify(TypedDict):
    email: NotRequired[bool]
    """Taken; enrichments send no mail"""


class CreateEnrichmentInput(TypedDict):
    projectIds: Sequence[int]
    """Ids of projects"""
    contactOptions: NotRequired[CreateExportContactOptions]
    notify: NotRequired[CreateEnrichmentNotify]


class Skipped(TypedDict):
    alreadyEnriched: list[int]
    notPurchased: list[int]
    notFound: list[int]


class EnrichmentJob(TypedDict):
    id: str
    enrichmentJobId: str
    status: EnrichmentStatus
    accepted: list[int]
    skipped: Skipped
    processed: int
    found: int
    pending: int
    notAttempted: list[int]
    note: str | None
    error: ErrorAnswer | None
    creditsReserved: int
    creditsCharged: int
    creditsRefunded: int
    estimatedCompletion: str
    createdAt: str
    settledAt: str | None
    pollUrl: str


class CreateEnrichmentAnswer(TypedDict):
    data: EnrichmentJob
    meta: JudgeAnswersMeta


class GetEnrichmentAnswer(TypedDict):
    data: EnrichmentJob
    meta: JudgeAnswersMeta


class Metric(TypedDict):
    op: Statistic
    """What is reckoned of each group"""
    field: NotRequired[Measurement]
    """Needed by all but count, which then counts the records that state it"""


class AggregateProjectsOrder(TypedDict):
    by: str
    """`count`, `key`, or the name of a metric such as `sum_acreage`"""
    direction: NotRequired[Order]


class Query(TypedDict):
    dataset: NotRequired[Literal["projects"] | str]
    filters: NotRequired[Filters]
    """The filters of GET /projects/search"""
    groupBy: NotRequired[Sequence[Dimension]]
    interval: NotRequired[Interval]
    """Of the dates among the dimensions; month unless given"""
    metrics: NotRequired[Sequence[Metric]]
    order: NotRequired[AggregateProjectsOrder]
    limit: NotRequired[int]
    """Groups at most; 100 unless given"""


class AggregateProjectsInput(TypedDict):
    dataset: NotRequired[Literal["projects"] | str]
    filters: NotRequired[Filters]
    """The filters of GET /projects/search"""
    groupBy: NotRequired[Sequence[Dimension]]
    interval: NotRequired[Interval]
    """Of the dates among the dimensions; month unless given"""
    metrics: NotRequired[Sequence[Metric]]
    order: NotRequired[AggregateProjectsOrder]
    limit: NotRequired[int]
    """Groups at most; 100 unless given"""
    queries: NotRequired[Sequence[Query]]
    """Several questions in one request, in place of the other fields; their answers are `results`"""


class Group(TypedDict):
    keys: dict[str, Any]
    labels: dict[str, Any]
    count: int
    metrics: dict[str, Any]


class Totals(TypedDict):
    count: int
    metrics: dict[str, Any]


class Meta(TypedDict):
    suppressedGroups: bool
    """Whether groups were hidden; never how many"""
    truncated: bool
    """Whether `limit` cut the groups"""
    warnings: list[ServiceWarning]
    appliedDefaults: dict[str, Any]
    appliedFilters: dict[str, Any]


class AggregateProjectsResult(TypedDict):
    groups: list[Group]
    totals: Totals | None
    meta: Meta


class AggregateProjectsData(TypedDict):
    groups: list[Group]
    totals: Totals | None
    results: NotRequired[list[AggregateProjectsResult]]
    """Of `queries`, in their order; `groups` and `totals` are then empty, and `meta` says what holds for any of them"""


class AggregateProjectsMeta(TypedDict):
    schemaVersion: str
    requestId: str
    creditsUsed: int
    suppressedGroups: bool
    """Whether groups were hidden; never how many"""
    truncated: bool
    """Whether `limit` cut the groups"""
    warnings: list[ServiceWarning]
    appliedDefaults: dict[str, Any]
    appliedFilters: dict[str, Any]


class AggregateProjectsAnswer(TypedDict):
    data: AggregateProjectsData
    meta: AggregateProjectsMeta


class RankGroupsInput(TypedDict):
    filters: NotRequired[Filters]
    """The filters of GET /projects/search"""
    dimension: Dimension
    """What the groups are made by"""
    interval: NotRequired[Interval]
    """Of the dates among the dimensions; month unless given"""
    metric: Metric
    """What the groups are ranked by"""
    order: NotRequired[Order]
    """desc unless given"""
    limit: NotRequired[int]
    """Ranks at most; 100 unless given"""


class RankGroupsData(TypedDict):
    rank: int
    key: TextOrNumber | None
    """Token, id of a place, or first day of an interval; null for what is not stated"""
    label: str
    count: int
    value: float


class RankGroupsAnswer(TypedDict):
    data: list[RankGroupsData]
    meta: AggregateProjectsMeta


class GetOddsQuery(TypedDict):
    filters: NotRequired[Filters]
    """The filters of GET /projects/search"""
    by: NotRequired[Sequence[OddsDimension]]
    """What the groups are made by"""
    interval: NotRequired[Interval]
    """Of the dates among the dimensions; month unless given"""
    since: NotRequired[str]
    """Only projects whose first hearing was on this day or later; the others are in no figure"""
    limit: NotRequired[int]
    """Groups at most; 100 unless given"""


class GetOddsInput(TypedDict):
    filters: NotRequired[Filters]
    """The filters of GET /projects/search"""
    by: NotRequired[Sequence[OddsDimension]]
    """What the groups are made by"""
    interval: NotRequired[Interval]
    """Of the dates among the dimensions; month unless given"""
    since: NotRequired[str]
    """Only projects whose first hearing was on this day or later; the others are in no figure"""
    limit: NotRequired[int]
    """Groups at most; 100 unless given"""
    queries: NotRequired[Sequence[GetOddsQuery]]
    """Several questions in one request, in place of the other fields; their answers are `results`"""


class Outcomes(TypedDict):
    approved: float | None
    """Four decimals; null where it is joined with others in `other`"""
    denied: float | None
    """Four decimals; null where it is joined with others in `other`"""
    withdrawn: float | None
    """Four decimals; null where it is joined with others in `other`"""
    stalled: float | None
    """Four decimals; null where it is joined with others in `other`"""
    soft_denial: float | None
    """Four decimals; null where it is joined with others in `other`"""


class Intervals(TypedDict):
    approved: list[float] | None
    denied: list[float] | None
    withdrawn: list[float] | None
    stalled: list[float] | None
    soft_denial: list[float] | None
    other: list[float] | None


class DaysToDecision(TypedDict):
    p25: int | None
    p50: int | None
    p75: int | None
    basis: Literal["kaplan_meier"]


class HearingsToDecision(TypedDict):
    p25: int | None
    p50: int | None
    p75: int | None


class Curve(TypedDict):
    days: int
    undecidedShare: float


class GetOddsGroup(TypedDict):
    keys: dict[str, Any]
    labels: dict[str, Any]
    n: int
    """Records that are decided or given up, of which the shares are"""
    decided: int | None
    """Records that are approved, denied or withdrawn; null only on plans that pay for records"""
    undecided: int | None
    """Records that are pending; null only on plans that pay for records"""
    givenUp: int | None
    """Records that are stalled or softly denied; null only on plans that pay for records"""
    outcomes: Outcomes
    """Shares of `n`; with `other` they add up to 1"""
    other: float | None
    """Share of the outcomes that are null: on plans that pay for records, one of one to four records is joined with the next smallest"""
    intervals: Intervals
    """Bounds of each share: Wilson, 95 %"""
    since: str | None
    """The earliest first hearing of the `n` records; null also where none states one"""
    daysToDecision: DaysToDecision | None
    """First days of the curve on which three quarters, half and a quarter are undecided at most; null where it never comes to that"""
    hearingsToDecision: HearingsToDecision | None
    """Hearings of what was approved or denied"""
    curve: list[Curve] | None
    """Exact share undecided after so many days, 100 points at most; before the first decision it is 1. On plans that pay for records there are five decisions or more from point to point"""


class GetOddsTotals(TypedDict):
    n: int
    """Records that are decided or given up, of which the shares are"""
    decided: int | None
    """Records that are approved, denied or withdrawn; null only on plans that pay for records"""
    undecided: int | None
    """Records that are pending; null only on plans that pay for records"""
    givenUp: int | None
    """Records that are stalled or softly denied; null only on plans that pay for records"""
    outcomes: Outcomes
    """Shares of `n`; with `other` they add up to 1"""
    other: float | None
    """Share of the outcomes that are null: on plans that pay for records, one of one to four records is joined with the next smallest"""
    intervals: Intervals
    """Bounds of each share: Wilson, 95 %"""
    since: str | None
    """The earliest first hearing of the `n` records; null also where none states one"""
    daysToDecision: DaysToDecision | None
    """First days of the curve on which three quarters, half and a quarter are undecided at most; null where it never comes to that"""
    hearingsToDecision: HearingsToDecision | None
    """Hearings of what was approved or denied"""
    curve: list[Curve] | None
    """Exact share undecided after so many days, 100 points at most; before the first decision it is 1. On plans that pay for records there are five decisions or more from point to point"""


class GetOddsResult(TypedDict):
    groups: list[GetOddsGroup]
    totals: GetOddsTotals | None
    meta: Meta


class GetOddsData(TypedDict):
    groups: list[GetOddsGroup]
    totals: GetOddsTotals | None
    results: NotRequired[list[GetOddsResult]]
    """Of `queries`, in their order; `groups` and `totals` are then empty, and `meta` says what holds for any of them"""


class GetOddsAnswer(TypedDict):
    data: GetOddsData
    meta: AggregateProjectsMeta


class ListDatasetsDimension(TypedDict):
    id: str
    label: str


class ListDatasetsMetric(TypedDict):
    op: str
    fields: list[str]


class Suppression(TypedDict):
    minimumGroupSize: int


class Median(TypedDict):
    exactUpTo: int
    beyond: str


class ListDatasetsData(TypedDict):
    id: str
    label: str
    description: str
    dimensions: list[ListDatasetsDimension]
    metrics: list[ListDatasetsMetric]
    fields: list[ListDatasetsDimension]
    filters: list[str]
    intervals: list[str]
    suppression: Suppression
    median: Median
    maxGroups: int


class ListDatasetsAnswer(TypedDict):
    data: list[ListDatasetsData]
    meta: GetProjectChangesMeta


class GetCoverageInput(Filters):
    groupBy: NotRequired[Sequence[GroupBy]]
    """Coverage only: up to two of state (default), county and month of the meeting."""
    by: NotRequired[Literal["body"] | str]
    """Coverage only: body lists the decision bodies of places, with their rhythm and since when they are silent."""


class Keys(TypedDict):
    state: NotRequired[TextOrNumber | None]
    """Token, id of a place, or first day of an interval; null for what is not stated"""
    county: NotRequired[TextOrNumber | None]
    """Token, id of a place, or first day of an interval; null for what is not stated"""
    month: NotRequired[TextOrNumber | None]
    """Token, id of a place, or first day of an interval; null for what is not stated"""
    city: NotRequired[TextOrNumber | None]
    """Token, id of a place, or first day of an interval; null for what is not stated"""
    decisionBody: NotRequired[TextOrNumber | None]
    """Token, id of a place, or first day of an interval; null for what is not stated"""


class Labels(TypedDict):
    state: NotRequired[str]
    county: NotRequired[str]
    month: NotRequired[str]
    city: NotRequired[str]
    decisionBody: NotRequired[str]


class Filled(TypedDict):
    totalUnitCount: int | None
    """Records that state totalUnitCount; null where it would rest on too few records"""
    acreage: int | None
    """Records that state acreage; null where it would rest on too few records"""
    lotSizeSqft: int | None
    """Records that state lotSizeSqft; null where it would rest on too few records"""
    squareFootage: int | None
    """Records that state squareFootage; null where it would rest on too few records"""
    floorCount: int | None
    """Records that state floorCount; null where it would rest on too few records"""
    buildingStories: int | None
    """Records that state buildingStories; null where it would rest on too few records"""
    buildingHeightFeet: int | None
    """Records that state buildingHeightFeet; null where it would rest on too few records"""
    bedroomCount: int | None
    """Records that state bedroomCount; null where it would rest on too few records"""
    parkingSpaces: int | None
    """Records that state parkingSpaces; null where it would rest on too few records"""
    lotCount: int | None
    """Records that state lotCount; null where it would rest on too few records"""
    voteAgainst: int | None
    """Records that state voteAgainst; null where it would rest on too few records"""
    hearingCount: int | None
    """Records that state hearingCount; null where it would rest on too few records"""
    daysInProcess: int | None
    """Records that state daysInProcess; null where it would rest on too few records"""


class Accuracy(TypedDict):
    checked: int
    fields: dict[str, Any]
    checkedAt: str


class GetCoverageGroup(TypedDict):
    keys: Keys
    labels: Labels
    records: int
    newestMeeting: str | None
    """Of the meetings that have been held; null where it would rest on too few records"""
    daysSinceNewestMeeting: int | None
    """From the newest meeting to today; null where it would rest on too few records"""
    meanDaysToLoad: float | None
    """Mean days from the meeting of a record to the load that brought its last change; null where it would rest on too few records"""
    filledShare: float | None
    """Mean share of the extracted attributes that a record states; null where it would rest on too few records"""
    filled: Filled | None
    """How many records state each measurement; null by two dimensions"""
    bodyKey: NotRequired[str]
    """By body: the body of this place, always under this key"""
    cadenceDays: NotRequired[float | None]
    """By body: median days between meetings; null of fewer than six meetings"""
    weekdays: NotRequired[list[int]]
    """By body: on which it usually meets, 1 is Monday; empty without a pattern"""
    usualPauseDays: NotRequired[int | None]
    """By body: the pause that it makes about once a year"""
    lastMeetingDate: NotRequired[str | None]
    """By body: its last meeting that has been read"""
    expectedBy: NotRequired[str | None]
    """By body: the day by which its next meeting was due"""
    missed: NotRequired[int]
    """By body: meetings that fell due from that day to today"""
    staleSince: NotRequired[str | None]
    """By body: the day since which it counts as silent; null where it does not"""
    lastExtractedAt: NotRequired[str | None]
    """By body: when the newest statement of a record that names it was extracted"""
    accuracy: NotRequired[Accuracy | None]
    """By body: how many of its values that people compared with the minutes are right; null where none was"""


class GetCoverageTotals(TypedDict):
    records: int
    newestMeeting: str | None
    """Of the meetings that have been held; null where it would rest on too few records"""
    daysSinceNewestMeeting: int | None
    """From the newest meeting to today; null where it would rest on too few records"""
    meanDaysToLoad: float | None
    """Mean days from the meeting of a record to the load that brought its last change; null where it would rest on too few records"""
    filledShare: float | None
    """Mean share of the extracted attributes that a record states; null where it would rest on too few records"""
    filled: Filled | None
    """How many records state each measurement; null by two dimensions"""


class GetCoverageData(TypedDict):
    groups: list[GetCoverageGroup]
    totals: GetCoverageTotals | None


class GetCoverageMeta(TypedDict):
    schemaVersion: str
    requestId: str
    creditsUsed: int
    suppressedGroups: bool
    """Whether groups were hidden; never how many"""
    asOf: str
    """Today by the service clock, from which days are counted"""
    warnings: list[ServiceWarning]
    appliedDefaults: dict[str, Any]
    appliedFilters: dict[str, Any]


class GetCoverageAnswer(TypedDict):
    data: GetCoverageData
    meta: GetCoverageMeta


class GetAnswerableField(TypedDict):
    name: str
    stated: int | None
    """Records that state it; null where it would rest on too few records"""
    share: float | None
    """Of `matchCount`, four decimals; null where it would rest on too few records"""


_BodyWords = TypedDict("_BodyWords", {"from": "str"})


class Body(_BodyWords):
    bodyKey: str
    to: str
    lastExtractedAt: str | None


class Year(TypedDict):
    year: int
    records: int


class GetAnswerableData(TypedDict):
    matchCount: int
    """As `GET /projects/count` has it; by ids on plans that pay for records, those that your pool holds"""
    fields: list[GetAnswerableField]
    bodies: list[Body]
    """Decision bodies that 5 records or more name, 100 at most, with the first and latest hearing of these records"""
    years: list[Year]
    """Years with a meeting of 5 records or more"""
    missing: list[str]
    """What the selection cannot answer, a sentence each"""


class GetAnswerableMeta(TypedDict):
    schemaVersion: str
    requestId: str
    creditsUsed: int
    suppressedGroups: bool
    warnings: list[ServiceWarning]
    appliedDefaults: dict[str, Any]
    appliedFilters: dict[str, Any]


class GetAnswerableAnswer(TypedDict):
    data: GetAnswerableData
    meta: GetAnswerableMeta


class GetDocumentData(TypedDict):
    id: int
    meetingDocumentId: int
    title: str | None
    decisionBody: str | None
    decisionBodyLabel: str | None
    meetingDate: str | None
    state: str | None
    county: str | None
    city: str | None
    url: str | None
    version: DocumentVersion | None
    """Minutes: a draft, or adopted by their body; null where the source does not say"""
    text: str | None


class GetDocumentMeta(TypedDict):
    schemaVersion: str
    requestId: str
    creditsUsed: int
    creditsRemaining: int | None
    warnings: list[ServiceWarning]


class GetDocumentAnswer(TypedDict):
    data: GetDocumentData
    meta: GetDocumentMeta


class ListReleasesInput(TypedDict):
    limit: NotRequired[int]
    """Releases a page, 1 to 100 (default 100); more is clamped."""
    offset: NotRequired[int]
    """Releases to skip."""


class ListReleasesState(TypedDict):
    stateId: int
    recordCount: int


class ListReleasesData(TypedDict):
    generation: int
    activatedAt: str
    rolledBack: bool
    """A generation that was served before is served again"""
    extractedAt: str | None
    recordCount: int
    """Records of every licence"""
    added: int | None
    """Records that the release before does not have; null where it is not known what was shown before"""
    changed: int | None
    """Records of both that are other ones: their `lastUpdated` is newer; null where it is not known what was shown before"""
    removed: int | None
    """Records of the release before that are gone, or merged into others; null where it is not known what was shown before"""
    digest: str | None
    """SHA-256 of what is shown: the same for the same records, revisions, times of change, removals, documents and contacts"""
    findings: dict[str, Any] | None
    """What its load found: how many records or documents by code of the finding; null where that is not known"""
    accepted: list[str] | None
    """Codes of findings that keep a release from being served, and that the operator accepted"""
    accuracy: dict[str, Any] | None
    """How many values of its generation that people compared with the minutes are right, by field; null where none was"""
    states: list[ListReleasesState]
    schemaVersion: str


class ListReleasesAnswer(TypedDict):
    data: list[ListReleasesData]
    meta: ListExportsMeta


class ListHearingsInput(Filters):
    from_: NotRequired[str]
    """Hearings only: from the first day of this period on (default today)."""
    to: NotRequired[str]
    """Hearings only: up to the last day of this period (default 30 days later)."""


class Place(TypedDict):
    stateId: int
    countyId: int | None
    cityId: int | None
    label: str
    """As `Boulder, CO`"""


class ListHearingsProject(TypedDict):
    id: int
    projectName: str | None


class ListHearingsData(TypedDict):
    date: str
    body: str | None
    """Token of the decision body; null where no record says whose meeting it is"""
    bodyLabel: str | None
    place: Place
    projectCount: int
    """Matching records that are on"""
    projectIds: list[int]
    """Up to 100 of them: on metered plans only records that your pool holds"""
    projects: list[ListHearingsProject]
    """The first 5 of them by name: on metered plans only records that your pool was delivered as they are now"""


_ListHearingsMetaWords = TypedDict("_ListHearingsMetaWords", {"from": "str"})


class ListHearingsMeta(_ListHearingsMetaWords):
    schemaVersion: str
    requestId: str
    creditsUsed: int
    to: str
    truncated: bool
    """There are more than 500 hearings"""
    suppressed: bool
    """On metered plans: fewer than 5 projects match that your pool does not hold, or `projectIds` were sent, and only those that it holds are shown"""
    warnings: list[ServiceWarning]
    appliedDefaults: dict[str, Any]
    appliedFilters: dict[str, Any]


class ListHearingsAnswer(TypedDict):
    data: list[ListHearingsData]
    meta: ListHearingsMeta


class ReadHearingsCalendarInput(Filters):
    from_: NotRequired[str]
    """Hearings only: from the first day of this period on (default today)."""
    to: NotRequired[str]
    """Hearings only: up to the last day of this period (default 30 days later)."""


class CreateHearingFeedInput(TypedDict):
    filters: Filters
    """Which projects count; all of your licence where it is empty"""


class CreateHearingFeedData(TypedDict):
    id: str
    icsUrl: str | None
    """In the answer that makes the feed only; its secret is not stored"""
    filters: dict[str, Any]
    createdAt: str


class CreateHearingFeedAnswer(TypedDict):
    data: CreateHearingFeedData
    meta: GetProjectChangesMeta


class ListHearingFeedsAnswer(TypedDict):
    data: list[CreateHearingFeedData]
    meta: ListAlertFeedsMeta


class GetHearingFeedAnswer(TypedDict):
    data: CreateHearingFeedData
    meta: JudgeAnswersMeta


class DeleteHearingFeedAnswer(TypedDict):
    data: DeleteListData
    meta: JudgeAnswersMeta


class CreateRestrictionFeedInput(TypedDict):
    filters: Filters
    """Which restrictions count: filters of places and uses, as `GET /restrictions` takes them"""


class CreateRestrictionFeedData(TypedDict):
    id: str
    icsUrl: str | None
    """In the answer that makes the feed only; its secret is not stored"""
    rssUrl: str | None
    """In the answer that makes the feed only; its secret is not stored"""
    filters: dict[str, Any]
    createdAt: str


class CreateRestrictionFeedAnswer(TypedDict):
    data: CreateRestrictionFeedData
    meta: GetProjectChangesMeta


class ListRestrictionFeedsAnswer(TypedDict):
    data: list[CreateRestrictionFeedData]
    meta: ListAlertFeedsMeta


class GetRestrictionFeedAnswer(TypedDict):
    data: CreateRestrictionFeedData
    meta: JudgeAnswersMeta


class DeleteRestrictionFeedAnswer(TypedDict):
    data: DeleteListData
    meta: JudgeAnswersMeta


class ListRestrictionsInput(TypedDict):
    states: NotRequired[Sequence[int | str]]
    """States: FIPS numbers, USPS abbreviations or names, any of them."""
    counties: NotRequired[Sequence[int | str]]
    """Counties: FIPS numbers or names, the trailing 'County' optional; resolved within `states` when that names one state; 'Orange, CA' is one place, whatever `states` says."""
    cities: NotRequired[Sequence[int | str]]
    """Cities: GeoNames numbers or names, in whichever county; 'Boulder, CO' is one place, whatever `states` says; a name that is ambiguous, also with `states` and `counties`, is refused with its candidates."""
    bbox: NotRequired[Bbox]
    """Inside this rectangle, edges included; west greater than east crosses the antimeridian."""
    circle: NotRequired[Circle]
    """Within a radius of 100 to 500000 metres."""
    polygon: NotRequired[Sequence[Sequence[float]]]
    """Inside a GeoJSON linear ring [[lng,lat],…] of 4 to 1000 vertices, each edge the short way around the Earth."""
    propertyTypes: NotRequired[Sequence[PropertyType]]
    """Building Types (top level), any of them; token or label in any case."""
    propertySubtypes: NotRequired[Sequence[PropertySubtype]]
    """Subtypes (second level), any of them; also as 'Type - Subtype'."""
    assetClasses: NotRequired[Sequence[AssetClass]]
    """Asset classes (third level), any of them."""
    statuses: NotRequired[Sequence[RestrictionStatus]]
    """Status on the day asked, any of them."""
    kinds: NotRequired[Sequence[RestrictionKind]]
    """Kinds, any of them."""
    inForceOn: NotRequired[str]
    """In force on this day; `status` is that of the day."""
    endsFrom: NotRequired[str]
    """Ends on this day or later."""
    endsTo: NotRequired[str]
    """Ends on this day or earlier."""
    sort: NotRequired[RestrictionSort]
    """`lastUpdated` (default) and `adoptedOn`: newest first; `ends`: what ends next first."""
    limit: NotRequired[int]
    """Restrictions a page, 1 to 100 (default 100); more is clamped."""
    offset: NotRequired[int]
    """Restrictions to skip."""


class ListRestrictionsPlace(TypedDict):
    stateId: int
    state: str
    countyId: int | None
    county: str | None
    cityId: int | None
    city: str | None
    jurisdiction: str
    """Who restricts, by its own name"""
    jurisdictionType: JurisdictionType


class Point(TypedDict):
    lat: float
    lng: float


class Use(TypedDict):
    type: str
    subtype: str | None
    assetClass: str | None


class Extension(TypedDict):
    on: str
    """Day on which it was extended"""
    to: str | None
    """The new end; null where it is not stated"""


class ListRestrictionsEvidence(TypedDict):
    field: str
    quote: str
    documentId: int | None


class ListRestrictionsData(TypedDict):
    id: int
    kind: RestrictionKind
    title: str
    place: ListRestrictionsPlace
    point: Point | None
    """Of the jurisdiction; null where it is not known"""
    uses: list[Use]
    usesText: str
    """The uses in the words of the source"""
    status: RestrictionStatus
    """On the day asked, computed from dates and extensions"""
    adoptedOn: str | None
    adoptedOnPrecision: DatePrecision
    """How exactly `adoptedOn` is known: of a month or year it is the first day"""
    effectiveFrom: str | None
    effectiveTo: str | None
    """Last day, without extensions"""
    endBasis: EndBasis
    endEvent: str | None
    """The event that ends it, in words"""
    extensions: list[Extension]
    exempts: str | None
    """What it exempts, in words"""
    threshold: str | None
    """The size from which it applies, in words"""
    authority: str | None
    """The instrument and its legal basis, in words"""
    sourceDocumentUrl: str | None
    documentId: int | None
    evidence: list[ListRestrictionsEvidence]
    evidenceFrom: EvidenceFrom | None
    """Whose words `evidence` quotes: the instrument or its minutes, or an inventory of instruments; null where its source does not say"""
    lastUpdated: str


class ListRestrictionsMeta(TypedDict):
    schemaVersion: str
    requestId: str
    creditsUsed: int
    limit: int
    offset: int
    pageCount: int
    hasMore: bool
    total: int
    warnings: list[ServiceWarning]
    on: str
    """The day for which `status` is computed"""


class ListRestrictionsAnswer(TypedDict):
    data: list[ListRestrictionsData]
    meta: ListRestrictionsMeta


class ReadRestrictionMeta(TypedDict):
    schemaVersion: str
    requestId: str
    creditsUsed: int
    on: str
    """The day for which `status` is computed"""


class ReadRestrictionAnswer(TypedDict):
    data: ListRestrictionsData
    meta: ReadRestrictionMeta


class CheckRestrictionsPoint(TypedDict):
    lat: float
    """Degrees north (WGS 84)"""
    lng: float
    """Degrees east"""


class CheckRestrictionsUse(TypedDict):
    type: str
    """Building Type, by token or label"""
    subtype: NotRequired[str | None]
    """Subtype of it"""
    assetClass: NotRequired[str | None]
    """Asset class of the subtype"""


class CheckRestrictionsInput(TypedDict):
    projectId: NotRequired[int]
    """A project; its uses count unless `uses` are sent"""
    point: NotRequired[CheckRestrictionsPoint]
    county: NotRequired[TextOrNumber]
    """A county as `counties` takes it: name with state, such as `Boulder County, CO`, or FIPS number"""
    city: NotRequired[TextOrNumber]
    """A city as `cities` takes it: name with state, or number"""
    uses: NotRequired[Sequence[CheckRestrictionsUse]]
    """Uses asked about; any use without it"""
    on: NotRequired[str]
    """The day; today without it"""


class Because(TypedDict):
    restrictionId: int
    binds: Literal["yes", "unclear"]
    """Of this one"""
    text: str
    """What binds, or why it is unclear"""
    quote: str | None
    """Words of the document that its `evidence` names"""
    quotedFrom: EvidenceFrom | None
    """Whose words `evidence` quotes: the instrument or its minutes, or an inventory of instruments; null where its source does not say"""


class CheckRestrictionsData(TypedDict):
    binds: Literal["yes", "no", "unclear"]
    """unclear: `because` says why"""
    on: str
    because: list[Because]
    restrictions: list[ListRestrictionsData]
    """Those that bind, and those of which it is unclear"""
    ended: list[ListRestrictionsData]
    """Those that were in force there for the uses within the year before, and have ended"""


class CheckRestrictionsAnswer(TypedDict):
    data: CheckRestrictionsData
    meta: JudgeAnswersMeta


class CreateBriefCircle(TypedDict):
    lat: float
    """Degrees north (WGS 84)"""
    lng: float
    """Degrees east"""
    radiusMeters: float
    """Metres around it"""


class CreateBriefPlace(TypedDict):
    polygon: NotRequired[Sequence[Sequence[float]]]
    """As the filter `polygon`"""
    circle: NotRequired[CreateBriefCircle]
    """As the filter `circle`"""
    point: NotRequired[CheckRestrictionsPoint]
    county: NotRequired[TextOrNumber]
    """As `counties` takes it: name with state, or FIPS number"""
    city: NotRequired[TextOrNumber]
    """As `cities` takes it"""
    address: NotRequired[str]
    """Street, city and state; of a record of yours, else by the geocoder of the service"""
    parcel: NotRequired[str]
    """Number of the parcel, of a record of yours"""
    projectId: NotRequired[int]
    """A project; on metered plans one that your pool holds as it is"""
    name: NotRequired[str]
    """Title of the brief; without it that of its place"""


class CreateBriefInput(TypedDict):
    place: CreateBriefPlace
    """One of these keys, perhaps with a `name`; a point counts for five miles around it"""
    use: NotRequired[CheckRestrictionsUse]
    maxPrecedents: NotRequired[int]
    """5 unless given; without any a brief is free"""
    maxCredits: NotRequired[int]
    """The brief is refused if it would cost more"""


class Location(TypedDict):
    latitude: float
    longitude: float


class CreateBriefPlace2(TypedDict):
    polygon: NotRequired[list[list[float]]]
    """As the filter `polygon`"""
    circle: NotRequired[CreateBriefCircle]
    """As the filter `circle`"""
    point: NotRequired[CheckRestrictionsPoint]
    county: NotRequired[TextOrNumber]
    """As `counties` takes it: name with state, or FIPS number"""
    city: NotRequired[TextOrNumber]
    """As `cities` takes it"""
    address: NotRequired[str]
    """Street, city and state; of a record of yours, else by the geocoder of the service"""
    parcel: NotRequired[str]
    """Number of the parcel, of a record of yours"""
    projectId: NotRequired[int]
    """A project; on metered plans one that your pool holds as it is"""
    name: NotRequired[str]
    """Title of the brief; without it that of its place"""
    label: str
    stateId: int | None
    countyId: int | None
    cityId: int | None
    location: Location | None


class Call(TypedDict):
    method: BriefCallMethod
    path: str
    """With its query"""
    body: dict[str, Any] | None


class Statement(TypedDict):
    text: str
    basis: BriefBasis
    """`count`: the number is in the answer of the call; `computed`: it follows from it; `none`: what is not known"""
    call: Call | None
    """A request that repeats the number or the quote; free"""
    quote: str | None
    """Verbatim words of a document"""
    documentId: int | None
    projectId: int | None


class Section(TypedDict):
    id: BriefSection
    statements: list[Statement]


class CreateBriefData(TypedDict):
    id: str
    place: CreateBriefPlace2
    """As it was sent, and what was found"""
    use: Use | None
    asOf: str
    """When the release was activated of which every statement is"""
    generation: int | None
    createdAt: str
    expiresAt: str
    creditsUsed: int
    """What its precedents charged when it was made"""
    url: str
    """The page of the brief, which prints"""
    sections: list[Section]
    precedents: list[CompactProject]


class CreateBriefMeta(TypedDict):
    schemaVersion: str
    requestId: str
    creditsUsed: int
    creditsRemaining: NotRequired[int | None]
    delivery: NotRequired[SearchProjectsDelivery]


class CreateBriefAnswer(TypedDict):
    data: CreateBriefData
    meta: CreateBriefMeta


class ListBriefsInput(TypedDict):
    limit: NotRequired[int]
    """Briefs a page, 1 to 100 (default 100); more is clamped."""
    offset: NotRequired[int]
    """Briefs to skip."""


class ListBriefsData(TypedDict):
    id: str
    place: CreateBriefPlace2
    """As it was sent, and what was found"""
    use: Use | None
    asOf: str
    """When the release was activated of which every statement is"""
    generation: int | None
    createdAt: str
    expiresAt: str
    creditsUsed: int
    """What its precedents charged when it was made"""
    url: str
    """The page of the brief, which prints"""


class ListBriefsAnswer(TypedDict):
    data: list[ListBriefsData]
    meta: ListExportsMeta


class PriceBriefInput(TypedDict):
    place: CreateBriefPlace
    """One of these keys, perhaps with a `name`; a point counts for five miles around it"""
    use: NotRequired[CheckRestrictionsUse]
    maxPrecedents: NotRequired[int]
    """5 unless given; without any a brief is free"""
    maxCredits: NotRequired[int]
    """The brief is refused if it would cost more"""


class PriceBriefData(TypedDict):
    creditsRequired: int
    """What the precedents would charge now"""
    precedents: int
    """How many there are"""


class PriceBriefAnswer(TypedDict):
    data: PriceBriefData
    meta: JudgeAnswersMeta


class GetBriefAnswer(TypedDict):
    data: CreateBriefData
    meta: JudgeAnswersMeta


class DeleteBriefAnswer(TypedDict):
    data: DeleteListData
    meta: JudgeAnswersMeta


class FormerId(TypedDict):
    id: int
    until: str | None


class ListStatesData(TypedDict):
    id: int
    name: str
    latitude: float
    longitude: float
    aliases: list[str]
    """other and former names, which are found too"""
    formerIds: list[FormerId]
    """numbers that it, or a place of which it was a part, had before; until is null for a second number of the same place"""
    precision: PlacePrecision | None
    """what is known of where it lies; null: no more than its county, latitude and longitude are null too"""
    abbreviation: str
    entitled: bool


class ListStatesMeta(TypedDict):
    schemaVersion: str
    requestId: str
    pageCount: int


class ListStatesAnswer(TypedDict):
    data: list[ListStatesData]
    meta: ListStatesMeta


class GetStateMeta(TypedDict):
    schemaVersion: str
    requestId: str


class GetStateAnswer(TypedDict):
    data: ListStatesData
    meta: GetStateMeta


class ListCountiesData(TypedDict):
    id: int
    name: str
    latitude: float
    longitude: float
    aliases: list[str]
    """other and former names, which are found too"""
    formerIds: list[FormerId]
    """numbers that it, or a place of which it was a part, had before; until is null for a second number of the same place"""
    precision: PlacePrecision | None
    """what is known of where it lies; null: no more than its county, latitude and longitude are null too"""
    stateId: int
    state: str | None
    entitled: bool


class ListCountiesAnswer(TypedDict):
    data: list[ListCountiesData]
    meta: ListStatesMeta


class FurtherCounty(TypedDict):
    id: int
    name: str


class ListCitiesData(TypedDict):
    id: int
    name: str
    latitude: float | None
    longitude: float | None
    aliases: list[str]
    """other and former names, which are found too"""
    formerIds: list[FormerId]
    """numbers that it, or a place of which it was a part, had before; until is null for a second number of the same place"""
    precision: PlacePrecision | None
    """what is known of where it lies; null: no more than its county, latitude and longitude are null too"""
    countyId: int
    county: str | None
    furtherCounties: list[FurtherCounty]
    stateId: int
    state: str | None
    population: int


class ListCitiesAnswer(TypedDict):
    data: list[ListCitiesData]
    meta: ListStatesMeta


class GetCountyAnswer(TypedDict):
    data: ListCountiesData
    meta: GetStateMeta


class GetCityAnswer(TypedDict):
    data: ListCitiesData
    meta: GetStateMeta


class SearchPlacesInput(TypedDict):
    q: str
    """What was typed, 1 to 100 characters."""
    kinds: NotRequired[Sequence[Kind]]
    """Kinds of place; every kind unless given."""
    limit: NotRequired[int]
    """Places, 1 to 20 (default 10)."""


class SearchPlacesData(TypedDict):
    kind: Kind
    id: int
    label: str
    """`Boulder, CO`, `Boulder County, CO`, `Colorado`"""
    stateId: int
    countyId: int | None
    recordCount: int | None
    """Records of every date, as of the last minute; null where they could not be counted"""


class SearchPlacesAnswer(TypedDict):
    data: list[SearchPlacesData]
    meta: ListAlertFeedsMeta


class ListStatusesData(TypedDict):
    token: str
    label: str
    aliases: NotRequired[list[str]]
    type: NotRequired[str]
    subtype: NotRequired[str]
    category: NotRequired[str]


class ListStatusesAnswer(TypedDict):
    data: list[ListStatusesData]
    meta: ListStatesMeta


class ListDecisionBodiesAnswer(TypedDict):
    data: list[ListStatusesData]
    meta: ListStatesMeta


class ListRequestTypesAnswer(TypedDict):
    data: list[ListStatusesData]
    meta: ListStatesMeta


class ListOwnerTypesAnswer(TypedDict):
    data: list[ListStatusesData]
    meta: ListStatesMeta


class ListDecisionTypesAnswer(TypedDict):
    data: list[ListStatusesData]
    meta: ListStatesMeta


class ListConstructionTypesAnswer(TypedDict):
    data: list[ListStatusesData]
    meta: ListStatesMeta


class ListProjectSizesAnswer(TypedDict):
    data: list[ListStatusesData]
    meta: ListStatesMeta


class ListActionTypesAnswer(TypedDict):
    data: list[ListStatusesData]
    meta: ListStatesMeta


class ListActionCategoriesAnswer(TypedDict):
    data: list[ListStatusesData]
    meta: ListStatesMeta


class GetTaxonomyInput(TypedDict):
    includeGovernmentDecisions: NotRequired[bool]
    """true adds Govt. Decisions, which is no Building Type."""


class GetTaxonomyAssetClass(TypedDict):
    token: str
    label: str
    aliases: NotRequired[list[str]]


class Subtype(TypedDict):
    token: str
    label: str
    aliases: NotRequired[list[str]]
    assetClasses: list[GetTaxonomyAssetClass]


class GetTaxonomyData(TypedDict):
    token: str
    label: str
    aliases: NotRequired[list[str]]
    subtypes: list[Subtype]


class GetTaxonomyAnswer(TypedDict):
    data: list[GetTaxonomyData]
    meta: ListStatesMeta


class ListProjectTypesInput(TypedDict):
    includeGovernmentDecisions: NotRequired[bool]
    """true adds Govt. Decisions, which is no Building Type."""


class ListProjectTypesAnswer(TypedDict):
    data: list[ListStatusesData]
    meta: ListStatesMeta


class ListSubtypesInput(TypedDict):
    includeGovernmentDecisions: NotRequired[bool]
    """true adds Govt. Decisions, which is no Building Type."""


class ListSubtypesAnswer(TypedDict):
    data: list[ListStatusesData]
    meta: ListStatesMeta


class ListAssetClassesInput(TypedDict):
    includeGovernmentDecisions: NotRequired[bool]
    """true adds Govt. Decisions, which is no Building Type."""


class ListAssetClassesAnswer(TypedDict):
    data: list[ListStatusesData]
    meta: ListStatesMeta


class Plan(TypedDict):
    id: str
    label: str
    paid: bool
    geography: str


class RateLimit(TypedDict):
    limit: int
    windowSeconds: int


class Credits(TypedDict):
    balance: int
    plan: Plan
    creditRate: int
    contactCreditRate: int
    grantedCredits: int
    rateLimit: RateLimit
    enrichment: Allowance


class GetCreditsCredits(TypedDict):
    periodEnd: str | None
    resetsAt: str | None


class GetCreditsMeta(TypedDict):
    schemaVersion: str
    requestId: str
    creditsUsed: int
    creditsRemaining: int
    credits: GetCreditsCredits


class GetCreditsAnswer(TypedDict):
    data: Credits
    meta: GetCreditsMeta


class ListReceiptsInput(TypedDict):
    limit: NotRequired[int]
    """Receipts a page, 1 to 100 (default 100); more is clamped."""
    before: NotRequired[int]
    """Reads on below this id: `meta.nextBefore` of the last page."""


class Cause(TypedDict):
    requestId: str | None
    route: str | None
    keyId: str | None
    jobId: str | None
    alertId: str | None
    deliveryId: str | None
    idempotencyKey: str | None
    note: str | None


class Receipt(TypedDict):
    id: int
    at: str
    kind: str
    subject: str
    amount: int
    """Whole credits"""
    balance: int
    items: int
    cause: Cause


class ListReceiptsMeta(TypedDict):
    schemaVersion: str
    requestId: str
    limit: int
    pageCount: int
    hasMore: bool
    nextBefore: int | None
    creditsUsed: int


class ListReceiptsAnswer(TypedDict):
    data: list[Receipt]
    meta: ListReceiptsMeta


class GetPreferencesData(TypedDict):
    propertyTypes: list[str] | None
    states: list[int] | None
    counties: list[int] | None
    cities: list[int] | None
    website: str | None
    updatedAt: str | None


class GetPreferencesAnswer(TypedDict):
    data: GetPreferencesData
    meta: GetStateMeta


class ChangePreferencesInput(TypedDict):
    propertyTypes: NotRequired[Sequence[TextOrNumber] | str | None]
    states: NotRequired[Sequence[TextOrNumber] | str | None]
    counties: NotRequired[Sequence[TextOrNumber] | str | None]
    cities: NotRequired[Sequence[TextOrNumber] | str | None]
    website: NotRequired[str | None]


class ChangePreferencesAnswer(TypedDict):
    data: GetPreferencesData
    meta: GetStateMeta


class Licence(TypedDict):
    nationwide: bool
    stateIds: list[int] | None
    countyIds: list[int] | None


class Account(TypedDict):
    teamId: int
    teamName: str
    userName: str
    role: Literal["owner", "member"]
    plan: Plan
    licence: Licence


class GetStartCredits(TypedDict):
    remaining: int
    resetsAt: str | None
    creditRate: int
    contactCreditRate: int


class Limits(TypedDict):
    requestsPerMinute: int
    startsPerMinute: int


class Vocabularies(TypedDict):
    version: str
    url: str


class Release(TypedDict):
    generation: int
    activatedAt: str


class GetStartData(TypedDict):
    account: Account
    credits: GetStartCredits
    limits: Limits
    vocabularies: Vocabularies
    release: Release | None
    features: list[str]


class GetStartAnswer(TypedDict):
    data: GetStartData
    meta: JudgeAnswersMeta


class Client(TypedDict):
    id: str
    """What it registered, signed, or the address of its metadata"""
    name: str | None
    """What it calls itself"""
    returnsTo: str
    """Where it was when it connected: an origin, or a scheme"""


class ListConnectionsData(TypedDict):
    id: str
    client: Client
    keyId: str
    userId: int
    monthlyCredits: int
    """Most credits that it may spend in a calendar month (UTC)"""
    creditsSpent: int
    """Of this month"""
    createdAt: str
    expiresAt: str
    """When it ends unless it is used before"""


class ListConnectionsAnswer(TypedDict):
    data: list[ListConnectionsData]
    meta: GetStateMeta


class EndConnectionAnswer(TypedDict):
    data: DeleteListData
    meta: GetStateMeta


class Key(TypedDict):
    id: str
    prefix: str
    lastFour: str
    name: str | None
    environment: str
    state: str
    userId: int
    createdAt: str
    revokedAt: str | None
    expiresAt: str | None
    replacedBy: str | None


class ListKeysAnswer(TypedDict):
    data: list[Key]
    meta: GetStateMeta


class MintKeyInput(TypedDict):
    name: NotRequired[str]
    """What you call the key"""


class MintKeyData(TypedDict):
    id: str
    prefix: str
    lastFour: str
    name: str | None
    environment: str
    state: str
    userId: int
    createdAt: str
    revokedAt: str | None
    expiresAt: str | None
    replacedBy: str | None
    secret: str | None
    """In the first answer only; null where an Idempotency-Key repeats it"""


class MintKeyMeta(TypedDict):
    schemaVersion: str
    requestId: str
    warnings: list[ServiceWarning]


class MintKeyAnswer(TypedDict):
    data: MintKeyData
    meta: MintKeyMeta


class RevokeKeyAnswer(TypedDict):
    data: Key
    meta: GetStateMeta


class RotateKeyInput(TypedDict):
    graceHours: NotRequired[Literal[1, 24, 168]]


class RotateKeyData(TypedDict):
    id: str
    prefix: str
    lastFour: str
    name: str | None
    environment: str
    state: str
    userId: int
    createdAt: str
    revokedAt: str | None
    expiresAt: str | None
    replacedBy: str | None
    secret: str | None
    """In the first answer only; null where an Idempotency-Key repeats it"""
    predecessor: Key


class RotateKeyAnswer(TypedDict):
    data: RotateKeyData
    meta: MintKeyMeta


class ReassignKeyInput(TypedDict):
    userId: int
    """The member who gets the key"""


class ReassignKeyAnswer(TypedDict):
    data: Key
    meta: GetStateMeta


class AccountDisabled(Refusal):
    """A refusal with the code `account_disabled`; the page of errors has its cause and remedy."""


class AlertGeographyRequired(Refusal):
    """A refusal with the code `alert_geography_required`; the page of errors has its cause and remedy."""


class AlertGeographyTooBroad(Refusal):
    """A refusal with the code `alert_geography_too_broad`; the page of errors has its cause and remedy."""

    details: AlertPlacesDetails


class AlertLimitReached(Refusal):
    """A refusal with the code `alert_limit_reached`; the page of errors has its cause and remedy."""

    details: ActiveAlertsDetails


class CreditsExhausted(Refusal):
    """A refusal with the code `credits_exhausted`; the page of errors has its cause and remedy."""


class DeliveryLedgerUnavailable(Refusal):
    """A refusal with the code `delivery_ledger_unavailable`; the page of errors has its cause and remedy."""


class EnrichmentAllowanceExceeded(Refusal):
    """A refusal with the code `enrichment_allowance_exceeded`; the page of errors has its cause and remedy."""

    details: AllowanceDetails


class EnrichmentIncompatibleRepresentation(Refusal):
    """A refusal with the code `enrichment_incompatible_representation`; the page of errors has its cause and remedy."""

    details: ContactFieldsDetails


class EnrichmentLedgerUnavailable(Refusal):
    """A refusal with the code `enrichment_ledger_unavailable`; the page of errors has its cause and remedy."""


class EnrichmentRequiresAsync(Refusal):
    """A refusal with the code `enrichment_requires_async`; the page of errors has its cause and remedy."""

    details: NeedsJobDetails


class EnrichmentRequiresPaidPlan(Refusal):
    """A refusal with the code `enrichment_requires_paid_plan`; the page of errors has its cause and remedy."""


class EnrichmentUnavailable(Refusal):
    """A refusal with the code `enrichment_unavailable`; the page of errors has its cause and remedy."""


class ExportExpired(Refusal):
    """A refusal with the code `export_expired`; the page of errors has its cause and remedy."""


class ExportNotReady(Refusal):
    """A refusal with the code `export_not_ready`; the page of errors has its cause and remedy."""

    details: UnfinishedDetails


class ExportUnavailable(Refusal):
    """A refusal with the code `export_unavailable`; the page of errors has its cause and remedy."""

    details: RefundDetails


class FeedGone(Refusal):
    """A refusal with the code `feed_gone`; the page of errors has its cause and remedy."""


class Forbidden(Refusal):
    """A refusal with the code `forbidden`; the page of errors has its cause and remedy."""


class GeographicAccessDenied(Refusal):
    """A refusal with the code `geographic_access_denied`; the page of errors has its cause and remedy."""

    details: GeographyDetails


class IdempotencyInFlight(Refusal):
    """A refusal with the code `idempotency_in_flight`; the page of errors has its cause and remedy."""


class IdempotencyKeyReuse(Refusal):
    """A refusal with the code `idempotency_key_reuse`; the page of errors has its cause and remedy."""


class InsufficientCredits(Refusal):
    """A refusal with the code `insufficient_credits`; the page of errors has its cause and remedy."""

    details: PriceDetails


class InternalError(Refusal):
    """A refusal with the code `internal_error`; the page of errors has its cause and remedy."""


class InvalidCursor(Refusal):
    """A refusal with the code `invalid_cursor`; the page of errors has its cause and remedy."""

    details: CursorDetails


class InvalidFilter(Refusal):
    """A refusal with the code `invalid_filter`; the page of errors has its cause and remedy."""

    details: ProblemsDetails


class InvalidRequest(Refusal):
    """A refusal with the code `invalid_request`; the page of errors has its cause and remedy."""

    details: InvalidRequestDetails


class KeyExpired(Refusal):
    """A refusal with the code `key_expired`; the page of errors has its cause and remedy."""


class ManualRunsExhausted(Refusal):
    """A refusal with the code `manual_runs_exhausted`; the page of errors has its cause and remedy."""

    details: RunsDetails


class MethodNotAllowed(Refusal):
    """A refusal with the code `method_not_allowed`; the page of errors has its cause and remedy."""


class MissingApiKey(Refusal):
    """A refusal with the code `missing_api_key`; the page of errors has its cause and remedy."""


class NotAcceptable(Refusal):
    """A refusal with the code `not_acceptable`; the page of errors has its cause and remedy."""

    details: SupportedDetails


class RangeNotSatisfiable(Refusal):
    """A refusal with the code `range_not_satisfiable`; the page of errors has its cause and remedy."""

    details: SizeDetails


class RateLimitExceeded(Refusal):
    """A refusal with the code `rate_limit_exceeded`; the page of errors has its cause and remedy."""

    details: RateDetails


class RateLimiterUnavailable(Refusal):
    """A refusal with the code `rate_limiter_unavailable`; the page of errors has its cause and remedy."""


class RequestTimeout(Refusal):
    """A refusal with the code `request_timeout`; the page of errors has its cause and remedy."""


class ResourceNotFound(Refusal):
    """A refusal with the code `resource_not_found`; the page of errors has its cause and remedy."""


class SearchUnavailable(Refusal):
    """A refusal with the code `search_unavailable`; the page of errors has its cause and remedy."""


class ServiceUnavailable(Refusal):
    """A refusal with the code `service_unavailable`; the page of errors has its cause and remedy."""


class SharingRequiresPaidPlan(Refusal):
    """A refusal with the code `sharing_requires_paid_plan`; the page of errors has its cause and remedy."""


class SubscriptionRequired(Refusal):
    """A refusal with the code `subscription_required`; the page of errors has its cause and remedy."""


class SnapshotInProgress(Refusal):
    """A refusal with the code `snapshot_in_progress`; the page of errors has its cause and remedy."""

    details: SnapshotDetails


class SyncTieUnresolved(Refusal):
    """A refusal with the code `sync_tie_unresolved`; the page of errors has its cause and remedy."""

    details: TieDetails


class Unauthorized(Refusal):
    """A refusal with the code `unauthorized`; the page of errors has its cause and remedy."""


REFUSALS: dict[str, type[Refusal]] = {
    "account_disabled": AccountDisabled,
    "alert_geography_required": AlertGeographyRequired,
    "alert_geography_too_broad": AlertGeographyTooBroad,
    "alert_limit_reached": AlertLimitReached,
    "credits_exhausted": CreditsExhausted,
    "delivery_ledger_unavailable": DeliveryLedgerUnavailable,
    "enrichment_allowance_exceeded": EnrichmentAllowanceExceeded,
    "enrichment_incompatible_representation": EnrichmentIncompatibleRepresentation,
    "enrichment_ledger_unavailable": EnrichmentLedgerUnavailable,
    "enrichment_requires_async": EnrichmentRequiresAsync,
    "enrichment_requires_paid_plan": EnrichmentRequiresPaidPlan,
    "enrichment_unavailable": EnrichmentUnavailable,
    "export_expired": ExportExpired,
    "export_not_ready": ExportNotReady,
    "export_unavailable": ExportUnavailable,
    "feed_gone": FeedGone,
    "forbidden": Forbidden,
    "geographic_access_denied": GeographicAccessDenied,
    "idempotency_in_flight": IdempotencyInFlight,
    "idempotency_key_reuse": IdempotencyKeyReuse,
    "insufficient_credits": InsufficientCredits,
    "internal_error": InternalError,
    "invalid_cursor": InvalidCursor,
    "invalid_filter": InvalidFilter,
    "invalid_request": InvalidRequest,
    "key_expired": KeyExpired,
    "manual_runs_exhausted": ManualRunsExhausted,
    "method_not_allowed": MethodNotAllowed,
    "missing_api_key": MissingApiKey,
    "not_acceptable": NotAcceptable,
    "range_not_satisfiable": RangeNotSatisfiable,
    "rate_limit_exceeded": RateLimitExceeded,
    "rate_limiter_unavailable": RateLimiterUnavailable,
    "request_timeout": RequestTimeout,
    "resource_not_found": ResourceNotFound,
    "search_unavailable": SearchUnavailable,
    "service_unavailable": ServiceUnavailable,
    "sharing_requires_paid_plan": SharingRequiresPaidPlan,
    "subscription_required": SubscriptionRequired,
    "snapshot_in_progress": SnapshotInProgress,
    "sync_tie_unresolved": SyncTieUnresolved,
    "unauthorized": Unauthorized,
}

FILTER_NAMES: tuple[str, ...] = ("states", "counties", "cities", "bbox", "circle", "polygon", "areas", "propertyTypes", "propertySubtypes", "assetClasses", "excludePropertySubtypes", "excludeAssetClasses", "taxonomyMatchMode", "underRestriction", "includeGovernmentDecisions", "governmentDecisionSubtypes", "governmentDecisionAssetClasses", "status", "decisionBodies", "statusCombos", "requestTypes", "decisionTypes", "constructionTypes", "projectSizes", "constructionLeadsOnly", "hasConstructionDetails", "requiresZoningChange", "inOpportunityZone", "inFemaFloodZone", "caseNumbers", "parcelNumbers", "existingZonings", "proposedZonings", "staffRecommendations", "voteResults", "voteAgainstMin", "voteAgainstMax", "hearingCountMin", "hearingCountMax", "daysInProcessMin", "daysInProcessMax", "firstMeetingDateFrom", "firstMeetingDateTo", "nextMeetingDateFrom", "nextMeetingDateTo", "outcomes", "meetingDateFrom", "meetingDateTo", "lastUpdatedFrom", "lastUpdatedTo", "dateRange", "totalUnitCountMin", "totalUnitCountMax", "acreageMin", "acreageMax", "lotSizeSqftMin", "lotSizeSqftMax", "squareFootageMin", "squareFootageMax", "parkingSpacesMin", "parkingSpacesMax", "buildingStoriesMin", "buildingStoriesMax", "buildingHeightFeetMin", "buildingHeightFeetMax", "bedroomCountMin", "bedroomCountMax", "floorCountMin", "floorCountMax", "lotCountMin", "lotCountMax", "q", "projectName", "developerName", "projectIds")

ROUTES: dict[str, Route] = {
    "mapProjects": Route("GET", "/v1/projects/map", False, False),
    "getTile": Route("GET", "/v1/tiles/{z}/{x}/{y}.mvt", False, False),
    "searchProjects": Route("GET", "/v1/projects/search", True, False),
    "countProjects": Route("GET", "/v1/projects/count", False, False),
    "getProject": Route("GET", "/v1/projects/{id}", True, False),
    "getProjectEvidence": Route("GET", "/v1/projects/{id}/evidence", True, False),
    "getProjectChanges": Route("GET", "/v1/projects/{id}/changes", False, False),
    "matchProjects": Route("POST", "/v1/projects/match", False, True),
    "syncProjects": Route("GET", "/v1/projects/sync", True, False),
    "interpretSentence": Route("GET", "/v1/interpret", False, False),
    "aiSearch": Route("POST", "/v1/projects/ai-search", False, False),
    "createAiSearch": Route("POST", "/v1/projects/ai-search/jobs", True, True),
    "getAiSearch": Route("GET", "/v1/projects/ai-search/jobs/{id}", False, False),
    "cancelAiSearch": Route("DELETE", "/v1/projects/ai-search/jobs/{id}", False, False),
    "judgeAnswers": Route("POST", "/v1/projects/ai-search/jobs/{id}/feedback", False, True),
    "createExport": Route("POST", "/v1/exports", True, True),
    "listExports": Route("GET", "/v1/exports", False, False),
    "getExport": Route("GET", "/v1/exports/{id}", False, False),
    "downloadExport": Route("GET", "/v1/exports/{id}/download", False, False),
    "createSnapshot": Route("POST", "/v1/snapshots", True, True),
    "listSnapshots": Route("GET", "/v1/snapshots", False, False),
    "getSnapshot": Route("GET", "/v1/snapshots/{id}", False, False),
    "deleteSnapshot": Route("DELETE", "/v1/snapshots/{id}", False, False),
    "getSnapshotManifest": Route("GET", "/v1/snapshots/{id}/manifest", False, False),
    "downloadSnapshotFile": Route("GET", "/v1/snapshots/{id}/files/{name}", False, False),
    "listLists": Route("GET", "/v1/lists", False, False),
    "createList": Route("POST", "/v1/lists", True, True),
    "getList": Route("GET", "/v1/lists/{id}", False, False),
    "changeList": Route("PATCH", "/v1/lists/{id}", False, True),
    "deleteList": Route("DELETE", "/v1/lists/{id}", False, False),
    "restoreList": Route("POST", "/v1/lists/{id}/restore", True, False),
    "addListProjects": Route("POST", "/v1/lists/{id}/projects", True, True),
    "removeListProject": Route("DELETE", "/v1/lists/{id}/projects/{projectId}", False, False),
    "noteListProject": Route("PATCH", "/v1/lists/{id}/projects/{projectId}", False, True),
    "getListResults": Route("GET", "/v1/lists/{id}/results", True, False),
    "listAlerts": Route("GET", "/v1/alerts", False, False),
    "createAlert": Route("POST", "/v1/alerts", True, True),
    "getAlert": Route("GET", "/v1/alerts/{id}", False, False),
    "changeAlert": Route("PATCH", "/v1/alerts/{id}", False, True),
    "deleteAlert": Route("DELETE", "/v1/alerts/{id}", False, False),
    "restoreAlert": Route("POST", "/v1/alerts/{id}/restore", True, False),
    "previewAlert": Route("GET", "/v1/alerts/{id}/preview", False, False),
    "previewAlertWith": Route("POST", "/v1/alerts/{id}/preview", False, True),
    "runAlert": Route("POST", "/v1/alerts/{id}/run", True, True),
    "listAlertDeliveries": Route("GET", "/v1/alerts/{id}/deliveries", False, False),
    "getAlertDelivery": Route("GET", "/v1/alerts/{id}/deliveries/{deliveryId}", False, False),
    "listAlertMatches": Route("GET", "/v1/alerts/{id}/matches", False, False),
    "dismissMatch": Route("POST", "/v1/alerts/{id}/dismissals/{projectId}", False, False),
    "undismissMatch": Route("DELETE", "/v1/alerts/{id}/dismissals/{projectId}", False, False),
    "createAlertFeed": Route("POST", "/v1/alerts/{id}/feeds", True, True),
    "listAlertFeeds": Route("GET", "/v1/alerts/{id}/feeds", False, False),
    "deleteAlertFeed": Route("DELETE", "/v1/alerts/{id}/feeds/{feedId}", False, False),
    "listWebhooks": Route("GET", "/v1/webhooks", False, False),
    "createWebhook": Route("POST", "/v1/webhooks", True, True),
    "getWebhook": Route("GET", "/v1/webhooks/{id}", False, False),
    "changeWebhook": Route("PATCH", "/v1/webhooks/{id}", False, True),
    "deleteWebhook": Route("DELETE", "/v1/webhooks/{id}", False, False),
    "rotateWebhook": Route("POST", "/v1/webhooks/{id}/rotate", True, True),
    "testWebhook": Route("POST", "/v1/webhooks/{id}/test", True, True),
    "recoverWebhook": Route("POST", "/v1/webhooks/{id}/recover", True, True),
    "listWebhookAttempts": Route("GET", "/v1/webhooks/{id}/attempts", False, False),
    "replayWebhookMessage": Route("POST", "/v1/webhooks/{id}/attempts/{messageId}/replay", True, True),
    "listEvents": Route("GET", "/v1/events", False, False),
    "createEnrichment": Route("POST", "/v1/enrichments", True, True),
    "getEnrichment": Route("GET", "/v1/enrichments/{id}", False, False),
    "aggregateProjects": Route("POST", "/v1/analytics/aggregate", False, True),
    "rankGroups": Route("POST", "/v1/analytics/rankings", False, True),
    "getOdds": Route("POST", "/v1/analytics/odds", False, True),
    "listDatasets": Route("GET", "/v1/analytics/datasets", False, False),
    "getCoverage": Route("GET", "/v1/coverage", False, False),
    "getAnswerable": Route("GET", "/v1/coverage/answerable", False, False),
    "getDocument": Route("GET", "/v1/documents/{id}", True, False),
    "listReleases": Route("GET", "/v1/releases", False, False),
    "listHearings": Route("GET", "/v1/hearings", False, False),
    "readHearingsCalendar": Route("GET", "/v1/hearings.ics", False, False),
    "createHearingFeed": Route("POST", "/v1/hearings/feeds", True, True),
    "listHearingFeeds": Route("GET", "/v1/hearings/feeds", False, False),
    "getHearingFeed": Route("GET", "/v1/hearings/feeds/{id}", False, False),
    "deleteHearingFeed": Route("DELETE", "/v1/hearings/feeds/{id}", False, False),
    "createRestrictionFeed": Route("POST", "/v1/restrictions/feeds", True, True),
    "listRestrictionFeeds": Route("GET", "/v1/restrictions/feeds", False, False),
    "getRestrictionFeed": Route("GET", "/v1/restrictions/feeds/{id}", False, False),
    "deleteRestrictionFeed": Route("DELETE", "/v1/restrictions/feeds/{id}", False, False),
    "listRestrictions": Route("GET", "/v1/restrictions", False, False),
    "readRestriction": Route("GET", "/v1/restrictions/{id}", False, False),
    "checkRestrictions": Route("POST", "/v1/restrictions/check", False, True),
    "createBrief": Route("POST", "/v1/briefs", True, True),
    "listBriefs": Route("GET", "/v1/briefs", False, False),
    "priceBrief": Route("POST", "/v1/briefs/price", False, True),
    "getBrief": Route("GET", "/v1/briefs/{id}", False, False),
    "deleteBrief": Route("DELETE", "/v1/briefs/{id}", False, False),
    "listStates": Route("GET", "/v1/locations/states", False, False),
    "getState": Route("GET", "/v1/locations/states/{id}", False, False),
    "listCounties": Route("GET", "/v1/locations/states/{id}/counties", False, False),
    "listCities": Route("GET", "/v1/locations/states/{stateId}/counties/{countyId}/cities", False, False),
    "getCounty": Route("GET", "/v1/locations/counties/{id}", False, False),
    "getCity": Route("GET", "/v1/locations/cities/{id}", False, False),
    "searchPlaces": Route("GET", "/v1/locations/search", False, False),
    "listStatuses": Route("GET", "/v1/reference/statuses", False, False),
    "listDecisionBodies": Route("GET", "/v1/reference/decision-bodies", False, False),
    "listRequestTypes": Route("GET", "/v1/reference/request-types", False, False),
    "listOwnerTypes": Route("GET", "/v1/reference/owner-types", False, False),
    "listDecisionTypes": Route("GET", "/v1/reference/decision-types", False, False),
    "listConstructionTypes": Route("GET", "/v1/reference/construction-types", False, False),
    "listProjectSizes": Route("GET", "/v1/reference/project-sizes", False, False),
    "listActionTypes": Route("GET", "/v1/taxonomy/action-types", False, False),
    "listActionCategories": Route("GET", "/v1/taxonomy/action-categories", False, False),
    "getTaxonomy": Route("GET", "/v1/taxonomy", False, False),
    "listProjectTypes": Route("GET", "/v1/taxonomy/project-types", False, False),
    "listSubtypes": Route("GET", "/v1/taxonomy/subtypes", False, False),
    "listAssetClasses": Route("GET", "/v1/taxonomy/asset-classes", False, False),
    "getCredits": Route("GET", "/v1/account/credits", False, False),
    "listReceipts": Route("GET", "/v1/account/ledger", False, False),
    "getPreferences": Route("GET", "/v1/account/preferences", False, False),
    "changePreferences": Route("PATCH", "/v1/account/preferences", False, True),
    "getStart": Route("GET", "/v1/start", False, False),
    "listConnections": Route("GET", "/v1/account/connections", False, False),
    "endConnection": Route("DELETE", "/v1/account/connections/{id}", False, False),
    "listKeys": Route("GET", "/api/user/api-keys", False, False),
    "mintKey": Route("POST", "/api/user/api-keys", True, True),
    "revokeKey": Route("DELETE", "/api/user/api-keys/{id}", False, False),
    "rotateKey": Route("POST", "/api/user/api-keys/{id}/rotate", True, True),
    "reassignKey": Route("POST", "/api/user/api-keys/{id}/reassign", True, True),
}

class Resource:
    """Operations of one kind."""

    def __init__(self, transport: Transport) -> None:
        self._ask = transport.ask
        self._read = transport.read
        self._iterate = transport.iterate


class ProjectsResource(Resource):
    def map(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[MapProjectsInput]) -> MapProjectsAnswer:
        """Where the matches lie: counts by tile, and few projects one by one"""
        return cast("MapProjectsAnswer", self._ask("mapProjects", {}, dict(values), Options(max_credits, None, request_id)))

    def get_tile(self, z: int, x: int, y: int, /, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[Filters]) -> bytes:
        """A vector tile of the matches, for maps of your own"""
        return self._read("getTile", {"z": z, "x": x, "y": y}, dict(values), Options(max_credits, None, request_id))

    def search(self, *, max_credits: int | None = None, idempotency_key: str | None = None, request_id: str | None = None, **values: Unpack[SearchProjectsInput]) -> SearchProjectsAnswer | SearchProjectsAnswer2 | SearchProjectsAnswer3:
        """Search projects; one page, or every match as a CSV"""
        return cast("SearchProjectsAnswer | SearchProjectsAnswer2 | SearchProjectsAnswer3", self._ask("searchProjects", {}, dict(values), Options(max_credits, idempotency_key, request_id)))

    def count(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[CountProjectsInput]) -> CountProjectsAnswer:
        """Size and price of a whole match set"""
        return cast("CountProjectsAnswer", self._ask("countProjects", {}, dict(values), Options(max_credits, None, request_id)))

    def get(self, id: int, /, *, max_credits: int | None = None, idempotency_key: str | None = None, request_id: str | None = None, **values: Unpack[GetProjectInput]) -> GetProjectAnswer:
        """One project, by its id or the id of a record merged into it"""
        return cast("GetProjectAnswer", self._ask("getProject", {"id": id}, dict(values), Options(max_credits, idempotency_key, request_id)))

    def get_evidence(self, id: int, /, *, max_credits: int | None = None, idempotency_key: str | None = None, request_id: str | None = None) -> GetProjectEvidenceAnswer:
        """The words of documents from which the values of a project were read"""
        return cast("GetProjectEvidenceAnswer", self._ask("getProjectEvidence", {"id": id}, {}, Options(max_credits, idempotency_key, request_id)))

    def get_changes(self, id: int, /, *, max_credits: int | None = None, request_id: str | None = None) -> GetProjectChangesAnswer:
        """Which fields changed since your pool was last delivered the record, and what they were and are"""
        return cast("GetProjectChangesAnswer", self._ask("getProjectChanges", {"id": id}, {}, Options(max_credits, None, request_id)))

    def match(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[MatchProjectsInput]) -> MatchProjectsAnswer:
        """Which projects the rows of your own list are"""
        return cast("MatchProjectsAnswer", self._ask("matchProjects", {}, dict(values), Options(max_credits, None, request_id)))

    def sync(self, *, max_credits: int | None = None, idempotency_key: str | None = None, request_id: str | None = None, **values: Unpack[SyncProjectsInput]) -> SyncProjectsAnswer:
        """Lossless walk in the order of change"""
        return cast("SyncProjectsAnswer", self._ask("syncProjects", {}, dict(values), Options(max_credits, idempotency_key, request_id)))

    def list_releases(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[ListReleasesInput]) -> ListReleasesAnswer:
        """What each generation of the records brought, newest first"""
        return cast("ListReleasesAnswer", self._ask("listReleases", {}, dict(values), Options(max_credits, None, request_id)))

    def iterate_releases(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[ListReleasesInput]) -> Iterator[ListReleasesData]:
        """What each generation of the records brought, newest first: one by one, page after page; `limit` is the size of a page."""
        return cast("Iterator[ListReleasesData]", self._iterate("listReleases", {}, dict(values), Options(max_credits, None, request_id)))

    def list_hearings(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[ListHearingsInput]) -> ListHearingsAnswer:
        """Hearings ahead: which body meets when, and how many of the matching projects are on"""
        return cast("ListHearingsAnswer", self._ask("listHearings", {}, dict(values), Options(max_credits, None, request_id)))

    def read_hearings_calendar(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[ReadHearingsCalendarInput]) -> bytes:
        """The same as iCalendar: an all-day event for each body and day, cancelled where every matching project left it"""
        return self._read("readHearingsCalendar", {}, dict(values), Options(max_credits, None, request_id))

    def create_hearing_feed(self, *, max_credits: int | None = None, idempotency_key: str | None = None, request_id: str | None = None, **values: Unpack[CreateHearingFeedInput]) -> CreateHearingFeedAnswer:
        """An address at which calendars and readers fetch the hearings of a selection without a key; it is shown once"""
        return cast("CreateHearingFeedAnswer", self._ask("createHearingFeed", {}, dict(values), Options(max_credits, idempotency_key, request_id)))

    def list_hearing_feeds(self, *, max_credits: int | None = None, request_id: str | None = None) -> ListHearingFeedsAnswer:
        """Your feeds of hearings, without their addresses, newest first"""
        return cast("ListHearingFeedsAnswer", self._ask("listHearingFeeds", {}, {}, Options(max_credits, None, request_id)))

    def get_hearing_feed(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None) -> GetHearingFeedAnswer:
        """One of your feeds of hearings, without its address"""
        return cast("GetHearingFeedAnswer", self._ask("getHearingFeed", {"id": id}, {}, Options(max_credits, None, request_id)))

    def delete_hearing_feed(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None) -> DeleteHearingFeedAnswer:
        """Delete a feed of hearings; its address is unknown from then on"""
        return cast("DeleteHearingFeedAnswer", self._ask("deleteHearingFeed", {"id": id}, {}, Options(max_credits, None, request_id)))

    def create_restriction_feed(self, *, max_credits: int | None = None, idempotency_key: str | None = None, request_id: str | None = None, **values: Unpack[CreateRestrictionFeedInput]) -> CreateRestrictionFeedAnswer:
        """An address at which calendars and readers fetch the restrictions of a selection without a key; it is shown once"""
        return cast("CreateRestrictionFeedAnswer", self._ask("createRestrictionFeed", {}, dict(values), Options(max_credits, idempotency_key, request_id)))

    def list_restriction_feeds(self, *, max_credits: int | None = None, request_id: str | None = None) -> ListRestrictionFeedsAnswer:
        """Your feeds of restrictions, without their addresses, newest first"""
        return cast("ListRestrictionFeedsAnswer", self._ask("listRestrictionFeeds", {}, {}, Options(max_credits, None, request_id)))

    def get_restriction_feed(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None) -> GetRestrictionFeedAnswer:
        """One of your feeds of restrictions, without its address"""
        return cast("GetRestrictionFeedAnswer", self._ask("getRestrictionFeed", {"id": id}, {}, Options(max_credits, None, request_id)))

    def delete_restriction_feed(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None) -> DeleteRestrictionFeedAnswer:
        """Delete a feed of restrictions; its address is unknown from then on"""
        return cast("DeleteRestrictionFeedAnswer", self._ask("deleteRestrictionFeed", {"id": id}, {}, Options(max_credits, None, request_id)))

    def list_restrictions(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[ListRestrictionsInput]) -> ListRestrictionsAnswer:
        """Moratoria, bans and interim ordinances: what may not be built where, and until when"""
        return cast("ListRestrictionsAnswer", self._ask("listRestrictions", {}, dict(values), Options(max_credits, None, request_id)))

    def iterate_restrictions(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[ListRestrictionsInput]) -> Iterator[ListRestrictionsData]:
        """Moratoria, bans and interim ordinances: what may not be built where, and until when: one by one, page after page; `limit` is the size of a page."""
        return cast("Iterator[ListRestrictionsData]", self._iterate("listRestrictions", {}, dict(values), Options(max_credits, None, request_id)))

    def read_restriction(self, id: int, /, *, max_credits: int | None = None, request_id: str | None = None) -> ReadRestrictionAnswer:
        """One restriction, with the words that prove it"""
        return cast("ReadRestrictionAnswer", self._ask("readRestriction", {"id": id}, {}, Options(max_credits, None, request_id)))

    def check_restrictions(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[CheckRestrictionsInput]) -> CheckRestrictionsAnswer:
        """Whether a restriction binds a project, point, county or city on a day: yes, no, or unclear with the reason"""
        return cast("CheckRestrictionsAnswer", self._ask("checkRestrictions", {}, dict(values), Options(max_credits, None, request_id)))


class AiSearchResource(Resource):
    def interpret_sentence(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[InterpretSentenceInput]) -> InterpretSentenceAnswer:
        """What a sentence means as filters: places, dates, sizes, uses, requests, bodies, statuses and names"""
        return cast("InterpretSentenceAnswer", self._ask("interpretSentence", {}, dict(values), Options(max_credits, None, request_id)))

    def ai_search(self, *, max_credits: int | None = None, request_id: str | None = None) -> AiSearchAnswer:
        """Refused for API keys: send the question as a job"""
        return cast("AiSearchAnswer", self._ask("aiSearch", {}, {}, Options(max_credits, None, request_id)))

    def create(self, *, max_credits: int | None = None, idempotency_key: str | None = None, request_id: str | None = None, **values: Unpack[CreateAiSearchInput]) -> CreateAiSearchAnswer:
        """Ask a question in plain words; every record of the answer is proven by quotes"""
        return cast("CreateAiSearchAnswer", self._ask("createAiSearch", {}, dict(values), Options(max_credits, idempotency_key, request_id)))

    def get(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None) -> GetAiSearchAnswer:
        """Where an AI search stands, and its records once it is settled; free, for 72 hours"""
        return cast("GetAiSearchAnswer", self._ask("getAiSearch", {"id": id}, {}, Options(max_credits, None, request_id)))

    def cancel(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None) -> CancelAiSearchAnswer:
        """Cancel an AI search: free, and only ever gives credits back"""
        return cast("CancelAiSearchAnswer", self._ask("cancelAiSearch", {"id": id}, {}, Options(max_credits, None, request_id)))

    def judge_answers(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[JudgeAnswersInput]) -> JudgeAnswersAnswer:
        """Say which records answer the question and which do not: free, and your next search for it ranks by it"""
        return cast("JudgeAnswersAnswer", self._ask("judgeAnswers", {"id": id}, dict(values), Options(max_credits, None, request_id)))


class ExportsResource(Resource):
    def create(self, *, max_credits: int | None = None, idempotency_key: str | None = None, request_id: str | None = None, **values: Unpack[CreateExportInput]) -> CreateExportAnswer | CreateExportAnswer2:
        """Queue a CSV of everything that matches, of named projects or of a list"""
        return cast("CreateExportAnswer | CreateExportAnswer2", self._ask("createExport", {}, dict(values), Options(max_credits, idempotency_key, request_id)))

    def list(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[ListExportsInput]) -> ListExportsAnswer:
        """Exports of the team, newest first"""
        return cast("ListExportsAnswer", self._ask("listExports", {}, dict(values), Options(max_credits, None, request_id)))

    def iterate(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[ListExportsInput]) -> Iterator[ExportJob]:
        """Exports of the team, newest first: one by one, page after page; `limit` is the size of a page."""
        return cast("Iterator[ExportJob]", self._iterate("listExports", {}, dict(values), Options(max_credits, None, request_id)))

    def get(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None) -> GetExportAnswer:
        """Where an export stands"""
        return cast("GetExportAnswer", self._ask("getExport", {"id": id}, {}, Options(max_credits, None, request_id)))

    def download(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[DownloadExportInput]) -> bytes:
        """The file of a ready export; again as often as you like, free"""
        return self._read("downloadExport", {"id": id}, dict(values), Options(max_credits, None, request_id))


class SnapshotsResource(Resource):
    def create(self, *, max_credits: int | None = None, idempotency_key: str | None = None, request_id: str | None = None, **values: Unpack[CreateSnapshotInput]) -> CreateSnapshotAnswer | CreateSnapshotAnswer2:
        """Queue everything that matches as files, with the cursor from which sync goes on"""
        return cast("CreateSnapshotAnswer | CreateSnapshotAnswer2", self._ask("createSnapshot", {}, dict(values), Options(max_credits, idempotency_key, request_id)))

    def list(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[ListSnapshotsInput]) -> ListSnapshotsAnswer:
        """Snapshots of the team, newest first"""
        return cast("ListSnapshotsAnswer", self._ask("listSnapshots", {}, dict(values), Options(max_credits, None, request_id)))

    def iterate(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[ListSnapshotsInput]) -> Iterator[Snapshot]:
        """Snapshots of the team, newest first: one by one, page after page; `limit` is the size of a page."""
        return cast("Iterator[Snapshot]", self._iterate("listSnapshots", {}, dict(values), Options(max_credits, None, request_id)))

    def get(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None) -> GetSnapshotAnswer:
        """Where a snapshot stands"""
        return cast("GetSnapshotAnswer", self._ask("getSnapshot", {"id": id}, {}, Options(max_credits, None, request_id)))

    def delete(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None) -> DeleteSnapshotAnswer:
        """Cancel a snapshot, all credits back; of a ready one delete the files, nothing back"""
        return cast("DeleteSnapshotAnswer", self._ask("deleteSnapshot", {"id": id}, {}, Options(max_credits, None, request_id)))

    def get_manifest(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None) -> SnapshotManifest:
        """The files of a ready snapshot, and the cursor from which sync goes on"""
        return cast("SnapshotManifest", self._ask("getSnapshotManifest", {"id": id}, {}, Options(max_credits, None, request_id)))

    def download_file(self, id: str, name: str, /, *, max_credits: int | None = None, request_id: str | None = None) -> bytes:
        """A file of a ready snapshot; again as often as you like, free"""
        return self._read("downloadSnapshotFile", {"id": id, "name": name}, {}, Options(max_credits, None, request_id))


class ListsResource(Resource):
    def list(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[ListListsInput]) -> ListListsAnswer:
        """Your lists and those shared with you, newest first"""
        return cast("ListListsAnswer", self._ask("listLists", {}, dict(values), Options(max_credits, None, request_id)))

    def iterate(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[ListListsInput]) -> Iterator[List]:
        """Your lists and those shared with you, newest first: one by one, page after page; `limit` is the size of a page."""
        return cast("Iterator[List]", self._iterate("listLists", {}, dict(values), Options(max_credits, None, request_id)))

    def create(self, *, max_credits: int | None = None, idempotency_key: str | None = None, request_id: str | None = None, **values: Unpack[CreateListInput]) -> CreateListAnswer:
        """Save a list of projects, of filters, or of a polygon"""
        return cast("CreateListAnswer", self._ask("createList", {}, dict(values), Options(max_credits, idempotency_key, request_id)))

    def get(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None) -> GetListAnswer:
        """One list, with what its results would charge now"""
        return cast("GetListAnswer", self._ask("getList", {"id": id}, {}, Options(max_credits, None, request_id)))

    def change(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[ChangeListInput]) -> ChangeListAnswer:
        """Rename a list, describe it, share it, change its columns or criteria"""
        return cast("ChangeListAnswer", self._ask("changeList", {"id": id}, dict(values), Options(max_credits, None, request_id)))

    def delete(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None) -> DeleteListAnswer:
        """Delete a list for everyone who sees it; it can be restored for 30 days"""
        return cast("DeleteListAnswer", self._ask("deleteList", {"id": id}, {}, Options(max_credits, None, request_id)))

    def restore(self, id: str, /, *, max_credits: int | None = None, idempotency_key: str | None = None, request_id: str | None = None) -> RestoreListAnswer:
        """Restore a list within 30 days of its deletion, as it was"""
        return cast("RestoreListAnswer", self._ask("restoreList", {"id": id}, {}, Options(max_credits, idempotency_key, request_id)))

    def add_projects(self, id: str, /, *, max_credits: int | None = None, idempotency_key: str | None = None, request_id: str | None = None, **values: Unpack[AddListProjectsInput]) -> AddListProjectsAnswer:
        """Add projects to a membership list; what is there already stays"""
        return cast("AddListProjectsAnswer", self._ask("addListProjects", {"id": id}, dict(values), Options(max_credits, idempotency_key, request_id)))

    def remove_project(self, id: str, project_id: int, /, *, max_credits: int | None = None, request_id: str | None = None) -> RemoveListProjectAnswer:
        """Remove a project from a membership list"""
        return cast("RemoveListProjectAnswer", self._ask("removeListProject", {"id": id, "projectId": project_id}, {}, Options(max_credits, None, request_id)))

    def note_project(self, id: str, project_id: int, /, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[NoteListProjectInput]) -> NoteListProjectAnswer:
        """Note why a project is in a membership list; everyone who sees the list reads the note"""
        return cast("NoteListProjectAnswer", self._ask("noteListProject", {"id": id, "projectId": project_id}, dict(values), Options(max_credits, None, request_id)))

    def get_results(self, id: str, /, *, max_credits: int | None = None, idempotency_key: str | None = None, request_id: str | None = None, **values: Unpack[GetListResultsInput]) -> GetListResultsAnswer:
        """Records of a membership list; of a filter or polygon list its criteria and where to search them"""
        return cast("GetListResultsAnswer", self._ask("getListResults", {"id": id}, dict(values), Options(max_credits, idempotency_key, request_id)))


class AlertsResource(Resource):
    def list(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[ListAlertsInput]) -> ListAlertsAnswer:
        """Alerts that you are a member of, newest first"""
        return cast("ListAlertsAnswer", self._ask("listAlerts", {}, dict(values), Options(max_credits, None, request_id)))

    def iterate(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[ListAlertsInput]) -> Iterator[Alert]:
        """Alerts that you are a member of, newest first: one by one, page after page; `limit` is the size of a page."""
        return cast("Iterator[Alert]", self._iterate("listAlerts", {}, dict(values), Options(max_credits, None, request_id)))

    def create(self, *, max_credits: int | None = None, idempotency_key: str | None = None, request_id: str | None = None, **values: Unpack[CreateAlertInput]) -> CreateAlertAnswer:
        """Leave a search running: daily, weekly or monthly at 06:00 US Mountain Time"""
        return cast("CreateAlertAnswer", self._ask("createAlert", {}, dict(values), Options(max_credits, idempotency_key, request_id)))

    def get(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None) -> GetAlertAnswer:
        """One alert, deleted ones too"""
        return cast("GetAlertAnswer", self._ask("getAlert", {"id": id}, {}, Options(max_credits, None, request_id)))

    def change(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[ChangeAlertInput]) -> ChangeAlertAnswer:
        """Change an alert; filters and lists are replaced, the rest is merged"""
        return cast("ChangeAlertAnswer", self._ask("changeAlert", {"id": id}, dict(values), Options(max_credits, None, request_id)))

    def delete(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None) -> DeleteAlertAnswer:
        """Delete an alert for all of its members; it can be restored for 30 days, and what it delivered stays readable"""
        return cast("DeleteAlertAnswer", self._ask("deleteAlert", {"id": id}, {}, Options(max_credits, None, request_id)))

    def restore(self, id: str, /, *, max_credits: int | None = None, idempotency_key: str | None = None, request_id: str | None = None) -> RestoreAlertAnswer:
        """Restore an alert and its list within 30 days of its deletion, active or paused as it was"""
        return cast("RestoreAlertAnswer", self._ask("restoreAlert", {"id": id}, {}, Options(max_credits, idempotency_key, request_id)))

    def preview(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None) -> PreviewAlertAnswer:
        """What the next run would deliver and cost"""
        return cast("PreviewAlertAnswer", self._ask("previewAlert", {"id": id}, {}, Options(max_credits, None, request_id)))

    def preview_with(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[PreviewAlertWithInput]) -> PreviewAlertWithAnswer:
        """The same with other keys in place of stored ones; nothing is saved"""
        return cast("PreviewAlertWithAnswer", self._ask("previewAlertWith", {"id": id}, dict(values), Options(max_credits, None, request_id)))

    def run(self, id: str, /, *, max_credits: int | None = None, idempotency_key: str | None = None, request_id: str | None = None) -> RunAlertAnswer:
        """Run an alert now, three times a day"""
        return cast("RunAlertAnswer", self._ask("runAlert", {"id": id}, {}, Options(max_credits, idempotency_key, request_id)))

    def list_deliveries(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[ListAlertDeliveriesInput]) -> ListAlertDeliveriesAnswer:
        """Runs of an alert with what each charged, newest first"""
        return cast("ListAlertDeliveriesAnswer", self._ask("listAlertDeliveries", {"id": id}, dict(values), Options(max_credits, None, request_id)))

    def iterate_deliveries(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[ListAlertDeliveriesInput]) -> Iterator[AlertDelivery]:
        """Runs of an alert with what each charged, newest first: one by one, page after page; `limit` is the size of a page."""
        return cast("Iterator[AlertDelivery]", self._iterate("listAlertDeliveries", {"id": id}, dict(values), Options(max_credits, None, request_id)))

    def get_delivery(self, id: str, delivery_id: str, /, *, max_credits: int | None = None, request_id: str | None = None) -> GetAlertDeliveryAnswer:
        """One run"""
        return cast("GetAlertDeliveryAnswer", self._ask("getAlertDelivery", {"id": id, "deliveryId": delivery_id}, {}, Options(max_credits, None, request_id)))

    def list_matches(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[ListAlertMatchesInput]) -> ListAlertMatchesAnswer:
        """Records that an alert has delivered, free; on metered plans as the pool holds them"""
        return cast("ListAlertMatchesAnswer", self._ask("listAlertMatches", {"id": id}, dict(values), Options(max_credits, None, request_id)))

    def iterate_matches(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[ListAlertMatchesInput]) -> Iterator[ListAlertMatchesData | ListAlertMatchesData2 | ListAlertMatchesData3]:
        """Records that an alert has delivered, free; on metered plans as the pool holds them: one by one, page after page; `limit` is the size of a page."""
        return cast("Iterator[ListAlertMatchesData | ListAlertMatchesData2 | ListAlertMatchesData3]", self._iterate("listAlertMatches", {"id": id}, dict(values), Options(max_credits, None, request_id)))

    def dismiss_match(self, id: str, project_id: int, /, *, max_credits: int | None = None, request_id: str | None = None) -> DismissMatchAnswer:
        """Dismiss a match for everyone; it comes back when it changes"""
        return cast("DismissMatchAnswer", self._ask("dismissMatch", {"id": id, "projectId": project_id}, {}, Options(max_credits, None, request_id)))

    def undismiss_match(self, id: str, project_id: int, /, *, max_credits: int | None = None, request_id: str | None = None) -> UndismissMatchAnswer:
        """Take a dismissal back"""
        return cast("UndismissMatchAnswer", self._ask("undismissMatch", {"id": id, "projectId": project_id}, {}, Options(max_credits, None, request_id)))

    def create_feed(self, id: str, /, *, max_credits: int | None = None, idempotency_key: str | None = None, request_id: str | None = None) -> CreateAlertFeedAnswer:
        """Addresses at which readers and calendars fetch the matches without a key; they are shown once"""
        return cast("CreateAlertFeedAnswer", self._ask("createAlertFeed", {"id": id}, {}, Options(max_credits, idempotency_key, request_id)))

    def list_feeds(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None) -> ListAlertFeedsAnswer:
        """Feeds of an alert, without their addresses, newest first"""
        return cast("ListAlertFeedsAnswer", self._ask("listAlertFeeds", {"id": id}, {}, Options(max_credits, None, request_id)))

    def delete_feed(self, id: str, feed_id: str, /, *, max_credits: int | None = None, request_id: str | None = None) -> DeleteAlertFeedAnswer:
        """Revoke a feed; its addresses are unknown from then on"""
        return cast("DeleteAlertFeedAnswer", self._ask("deleteAlertFeed", {"id": id, "feedId": feed_id}, {}, Options(max_credits, None, request_id)))


class WebhooksResource(Resource):
    def list(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[ListWebhooksInput]) -> ListWebhooksAnswer:
        """Your webhooks, or the whole team’s for its owners, newest first"""
        return cast("ListWebhooksAnswer", self._ask("listWebhooks", {}, dict(values), Options(max_credits, None, request_id)))

    def iterate(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[ListWebhooksInput]) -> Iterator[ListWebhooksData]:
        """Your webhooks, or the whole team’s for its owners, newest first: one by one, page after page; `limit` is the size of a page."""
        return cast("Iterator[ListWebhooksData]", self._iterate("listWebhooks", {}, dict(values), Options(max_credits, None, request_id)))

    def create(self, *, max_credits: int | None = None, idempotency_key: str | None = None, request_id: str | None = None, **values: Unpack[CreateWebhookInput]) -> CreateWebhookAnswer:
        """Have events sent to an address; the secret that signs them is shown once"""
        return cast("CreateWebhookAnswer", self._ask("createWebhook", {}, dict(values), Options(max_credits, idempotency_key, request_id)))

    def get(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None) -> GetWebhookAnswer:
        """One webhook"""
        return cast("GetWebhookAnswer", self._ask("getWebhook", {"id": id}, {}, Options(max_credits, None, request_id)))

    def change(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[ChangeWebhookInput]) -> ChangeWebhookAnswer:
        """Change what a webhook gets, or switch it off and on"""
        return cast("ChangeWebhookAnswer", self._ask("changeWebhook", {"id": id}, dict(values), Options(max_credits, None, request_id)))

    def delete(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None) -> DeleteWebhookAnswer:
        """Delete a webhook with its log"""
        return cast("DeleteWebhookAnswer", self._ask("deleteWebhook", {"id": id}, {}, Options(max_credits, None, request_id)))

    def rotate(self, id: str, /, *, max_credits: int | None = None, idempotency_key: str | None = None, request_id: str | None = None) -> RotateWebhookAnswer:
        """Replace the secret; the old one signs too for 24 hours"""
        return cast("RotateWebhookAnswer", self._ask("rotateWebhook", {"id": id}, {}, Options(max_credits, idempotency_key, request_id)))

    def test(self, id: str, /, *, max_credits: int | None = None, idempotency_key: str | None = None, request_id: str | None = None) -> TestWebhookAnswer:
        """Send a `ping`, once"""
        return cast("TestWebhookAnswer", self._ask("testWebhook", {"id": id}, {}, Options(max_credits, idempotency_key, request_id)))

    def recover(self, id: str, /, *, max_credits: int | None = None, idempotency_key: str | None = None, request_id: str | None = None, **values: Unpack[RecoverWebhookInput]) -> RecoverWebhookAnswer:
        """Send again what failed or was missed in a range of the last 30 days"""
        return cast("RecoverWebhookAnswer", self._ask("recoverWebhook", {"id": id}, dict(values), Options(max_credits, idempotency_key, request_id)))

    def list_attempts(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None) -> ListWebhookAttemptsAnswer:
        """The last 100 attempts, newest first, an attempt a row"""
        return cast("ListWebhookAttemptsAnswer", self._ask("listWebhookAttempts", {"id": id}, {}, Options(max_credits, None, request_id)))

    def replay_message(self, id: str, message_id: str, /, *, max_credits: int | None = None, idempotency_key: str | None = None, request_id: str | None = None) -> ReplayWebhookMessageAnswer:
        """Send one message again, under its `webhook-id`"""
        return cast("ReplayWebhookMessageAnswer", self._ask("replayWebhookMessage", {"id": id, "messageId": message_id}, {}, Options(max_credits, idempotency_key, request_id)))

    def list_events(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[ListEventsInput]) -> ListEventsAnswer:
        """What webhooks are sent, by cursor: for receivers without a public address"""
        return cast("ListEventsAnswer", self._ask("listEvents", {}, dict(values), Options(max_credits, None, request_id)))


class ContactsResource(Resource):
    def create_enrichment(self, *, max_credits: int | None = None, idempotency_key: str | None = None, request_id: str | None = None, **values: Unpack[CreateEnrichmentInput]) -> CreateEnrichmentAnswer:
        """Find contact info for projects"""
        return cast("CreateEnrichmentAnswer", self._ask("createEnrichment", {}, dict(values), Options(max_credits, idempotency_key, request_id)))

    def get_enrichment(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None) -> GetEnrichmentAnswer:
        """Where an enrichment stands"""
        return cast("GetEnrichmentAnswer", self._ask("getEnrichment", {"id": id}, {}, Options(max_credits, None, request_id)))


class AnalyticsResource(Resource):
    def aggregate_projects(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[AggregateProjectsInput]) -> AggregateProjectsAnswer:
        """Counts and statistics of a selection by up to two dimensions"""
        return cast("AggregateProjectsAnswer", self._ask("aggregateProjects", {}, dict(values), Options(max_credits, None, request_id)))

    def rank_groups(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[RankGroupsInput]) -> RankGroupsAnswer:
        """The groups of one dimension, ranked by one metric"""
        return cast("RankGroupsAnswer", self._ask("rankGroups", {}, dict(values), Options(max_credits, None, request_id)))

    def get_odds(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[GetOddsInput]) -> GetOddsAnswer:
        """What becomes of projects, and how many days it takes, by up to two dimensions"""
        return cast("GetOddsAnswer", self._ask("getOdds", {}, dict(values), Options(max_credits, None, request_id)))

    def list_datasets(self, *, max_credits: int | None = None, request_id: str | None = None) -> ListDatasetsAnswer:
        """What analytics can answer"""
        return cast("ListDatasetsAnswer", self._ask("listDatasets", {}, {}, Options(max_credits, None, request_id)))

    def get_coverage(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[GetCoverageInput]) -> GetCoverageAnswer:
        """How much the data holds by state, county and month, how fresh and how full it is"""
        return cast("GetCoverageAnswer", self._ask("getCoverage", {}, dict(values), Options(max_credits, None, request_id)))

    def get_answerable(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[Filters]) -> GetAnswerableAnswer:
        """Which fields, bodies and years of a selection carry an answer, and what is missing"""
        return cast("GetAnswerableAnswer", self._ask("getAnswerable", {}, dict(values), Options(max_credits, None, request_id)))

    def create_brief(self, *, max_credits: int | None = None, idempotency_key: str | None = None, request_id: str | None = None, **values: Unpack[CreateBriefInput]) -> CreateBriefAnswer:
        """What is known of a place and a use: precedents, odds, restrictions, hearings, zoning, and what is not known"""
        return cast("CreateBriefAnswer", self._ask("createBrief", {}, dict(values), Options(max_credits, idempotency_key, request_id)))

    def list_briefs(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[ListBriefsInput]) -> ListBriefsAnswer:
        """The briefs of your team without their statements, newest first"""
        return cast("ListBriefsAnswer", self._ask("listBriefs", {}, dict(values), Options(max_credits, None, request_id)))

    def iterate_briefs(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[ListBriefsInput]) -> Iterator[ListBriefsData]:
        """The briefs of your team without their statements, newest first: one by one, page after page; `limit` is the size of a page."""
        return cast("Iterator[ListBriefsData]", self._iterate("listBriefs", {}, dict(values), Options(max_credits, None, request_id)))

    def price_brief(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[PriceBriefInput]) -> PriceBriefAnswer:
        """What a brief would cost now; free"""
        return cast("PriceBriefAnswer", self._ask("priceBrief", {}, dict(values), Options(max_credits, None, request_id)))

    def get_brief(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None) -> GetBriefAnswer:
        """A brief as it was made; free"""
        return cast("GetBriefAnswer", self._ask("getBrief", {"id": id}, {}, Options(max_credits, None, request_id)))

    def delete_brief(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None) -> DeleteBriefAnswer:
        """Delete a brief; its precedents stay held"""
        return cast("DeleteBriefAnswer", self._ask("deleteBrief", {"id": id}, {}, Options(max_credits, None, request_id)))


class DocumentsResource(Resource):
    def get(self, id: int, /, *, max_credits: int | None = None, idempotency_key: str | None = None, request_id: str | None = None) -> GetDocumentAnswer:
        """A source document, by the meetingDocumentId of a record"""
        return cast("GetDocumentAnswer", self._ask("getDocument", {"id": id}, {}, Options(max_credits, idempotency_key, request_id)))


class PlacesResource(Resource):
    def list_states(self, *, max_credits: int | None = None, request_id: str | None = None) -> ListStatesAnswer:
        """All states and territories"""
        return cast("ListStatesAnswer", self._ask("listStates", {}, {}, Options(max_credits, None, request_id)))

    def get_state(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None) -> GetStateAnswer:
        """One state"""
        return cast("GetStateAnswer", self._ask("getState", {"id": id}, {}, Options(max_credits, None, request_id)))

    def list_counties(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None) -> ListCountiesAnswer:
        """Counties of a state"""
        return cast("ListCountiesAnswer", self._ask("listCounties", {"id": id}, {}, Options(max_credits, None, request_id)))

    def list_cities(self, state_id: str, county_id: str, /, *, max_credits: int | None = None, request_id: str | None = None) -> ListCitiesAnswer:
        """Cities of a county"""
        return cast("ListCitiesAnswer", self._ask("listCities", {"stateId": state_id, "countyId": county_id}, {}, Options(max_credits, None, request_id)))

    def get_county(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None) -> GetCountyAnswer:
        """One county"""
        return cast("GetCountyAnswer", self._ask("getCounty", {"id": id}, {}, Options(max_credits, None, request_id)))

    def get_city(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None) -> GetCityAnswer:
        """One city"""
        return cast("GetCityAnswer", self._ask("getCity", {"id": id}, {}, Options(max_credits, None, request_id)))

    def search(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[SearchPlacesInput]) -> SearchPlacesAnswer:
        """Places by what a person types, misspelt too"""
        return cast("SearchPlacesAnswer", self._ask("searchPlaces", {}, dict(values), Options(max_credits, None, request_id)))


class WordsResource(Resource):
    def list_statuses(self, *, max_credits: int | None = None, request_id: str | None = None) -> ListStatusesAnswer:
        """Entitlement statuses"""
        return cast("ListStatusesAnswer", self._ask("listStatuses", {}, {}, Options(max_credits, None, request_id)))

    def list_decision_bodies(self, *, max_credits: int | None = None, request_id: str | None = None) -> ListDecisionBodiesAnswer:
        """Bodies that decide"""
        return cast("ListDecisionBodiesAnswer", self._ask("listDecisionBodies", {}, {}, Options(max_credits, None, request_id)))

    def list_request_types(self, *, max_credits: int | None = None, request_id: str | None = None) -> ListRequestTypesAnswer:
        """What is applied for"""
        return cast("ListRequestTypesAnswer", self._ask("listRequestTypes", {}, {}, Options(max_credits, None, request_id)))

    def list_owner_types(self, *, max_credits: int | None = None, request_id: str | None = None) -> ListOwnerTypesAnswer:
        """Kinds of owner; labelling only"""
        return cast("ListOwnerTypesAnswer", self._ask("listOwnerTypes", {}, {}, Options(max_credits, None, request_id)))

    def list_decision_types(self, *, max_credits: int | None = None, request_id: str | None = None) -> ListDecisionTypesAnswer:
        """Kinds of decision"""
        return cast("ListDecisionTypesAnswer", self._ask("listDecisionTypes", {}, {}, Options(max_credits, None, request_id)))

    def list_construction_types(self, *, max_credits: int | None = None, request_id: str | None = None) -> ListConstructionTypesAnswer:
        """Kinds of construction"""
        return cast("ListConstructionTypesAnswer", self._ask("listConstructionTypes", {}, {}, Options(max_credits, None, request_id)))

    def list_project_sizes(self, *, max_credits: int | None = None, request_id: str | None = None) -> ListProjectSizesAnswer:
        """Project sizes"""
        return cast("ListProjectSizesAnswer", self._ask("listProjectSizes", {}, {}, Options(max_credits, None, request_id)))

    def list_action_types(self, *, max_credits: int | None = None, request_id: str | None = None) -> ListActionTypesAnswer:
        """Types of action"""
        return cast("ListActionTypesAnswer", self._ask("listActionTypes", {}, {}, Options(max_credits, None, request_id)))

    def list_action_categories(self, *, max_credits: int | None = None, request_id: str | None = None) -> ListActionCategoriesAnswer:
        """Categories of action"""
        return cast("ListActionCategoriesAnswer", self._ask("listActionCategories", {}, {}, Options(max_credits, None, request_id)))

    def get_taxonomy(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[GetTaxonomyInput]) -> GetTaxonomyAnswer:
        """The Building Type tree"""
        return cast("GetTaxonomyAnswer", self._ask("getTaxonomy", {}, dict(values), Options(max_credits, None, request_id)))

    def list_project_types(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[ListProjectTypesInput]) -> ListProjectTypesAnswer:
        """Building Types"""
        return cast("ListProjectTypesAnswer", self._ask("listProjectTypes", {}, dict(values), Options(max_credits, None, request_id)))

    def list_subtypes(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[ListSubtypesInput]) -> ListSubtypesAnswer:
        """Subtypes"""
        return cast("ListSubtypesAnswer", self._ask("listSubtypes", {}, dict(values), Options(max_credits, None, request_id)))

    def list_asset_classes(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[ListAssetClassesInput]) -> ListAssetClassesAnswer:
        """Asset classes"""
        return cast("ListAssetClassesAnswer", self._ask("listAssetClasses", {}, dict(values), Options(max_credits, None, request_id)))


class AccountResource(Resource):
    def get_credits(self, *, max_credits: int | None = None, request_id: str | None = None) -> GetCreditsAnswer:
        """Balance, plan, rate limit and allowances"""
        return cast("GetCreditsAnswer", self._ask("getCredits", {}, {}, Options(max_credits, None, request_id)))

    def list_receipts(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[ListReceiptsInput]) -> ListReceiptsAnswer:
        """Receipts: every charge, grant and refund with its cause, newest first"""
        return cast("ListReceiptsAnswer", self._ask("listReceipts", {}, dict(values), Options(max_credits, None, request_id)))

    def iterate_receipts(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[ListReceiptsInput]) -> Iterator[Receipt]:
        """Receipts: every charge, grant and refund with its cause, newest first: one by one, page after page; `limit` is the size of a page."""
        return cast("Iterator[Receipt]", self._iterate("listReceipts", {}, dict(values), Options(max_credits, None, request_id)))

    def get_preferences(self, *, max_credits: int | None = None, request_id: str | None = None) -> GetPreferencesAnswer:
        """Saved search preferences of the key’s user"""
        return cast("GetPreferencesAnswer", self._ask("getPreferences", {}, {}, Options(max_credits, None, request_id)))

    def change_preferences(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[ChangePreferencesInput]) -> ChangePreferencesAnswer:
        """Change saved search preferences; null clears a field"""
        return cast("ChangePreferencesAnswer", self._ask("changePreferences", {}, dict(values), Options(max_credits, None, request_id)))

    def get_start(self, *, max_credits: int | None = None, request_id: str | None = None) -> GetStartAnswer:
        """What a page or a program needs at its start: account, plan, licence, limits, words, release"""
        return cast("GetStartAnswer", self._ask("getStart", {}, {}, Options(max_credits, None, request_id)))

    def list_connections(self, *, max_credits: int | None = None, request_id: str | None = None) -> ListConnectionsAnswer:
        """Programs connected to the tools by OAuth: of your keys, or of the whole team’s for its owner; newest first"""
        return cast("ListConnectionsAnswer", self._ask("listConnections", {}, {}, Options(max_credits, None, request_id)))

    def end_connection(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None) -> EndConnectionAnswer:
        """End a connection; its tokens stop at once"""
        return cast("EndConnectionAnswer", self._ask("endConnection", {"id": id}, {}, Options(max_credits, None, request_id)))


class KeysResource(Resource):
    def list(self, *, max_credits: int | None = None, request_id: str | None = None) -> ListKeysAnswer:
        """Keys: your own, or the whole team’s for its owner"""
        return cast("ListKeysAnswer", self._ask("listKeys", {}, {}, Options(max_credits, None, request_id)))

    def mint(self, *, max_credits: int | None = None, idempotency_key: str | None = None, request_id: str | None = None, **values: Unpack[MintKeyInput]) -> MintKeyAnswer:
        """Mint a key; its secret is shown once"""
        return cast("MintKeyAnswer", self._ask("mintKey", {}, dict(values), Options(max_credits, idempotency_key, request_id)))

    def revoke(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None) -> RevokeKeyAnswer:
        """Revoke a key"""
        return cast("RevokeKeyAnswer", self._ask("revokeKey", {"id": id}, {}, Options(max_credits, None, request_id)))

    def rotate(self, id: str, /, *, max_credits: int | None = None, idempotency_key: str | None = None, request_id: str | None = None, **values: Unpack[RotateKeyInput]) -> RotateKeyAnswer:
        """Replace a key; the old one works for graceHours more"""
        return cast("RotateKeyAnswer", self._ask("rotateKey", {"id": id}, dict(values), Options(max_credits, idempotency_key, request_id)))

    def reassign(self, id: str, /, *, max_credits: int | None = None, idempotency_key: str | None = None, request_id: str | None = None, **values: Unpack[ReassignKeyInput]) -> ReassignKeyAnswer:
        """Attribute a key to another member of the team (owner only)"""
        return cast("ReassignKeyAnswer", self._ask("reassignKey", {"id": id}, dict(values), Options(max_credits, idempotency_key, request_id)))


class Resources:
    """Every operation of the service, by resource."""

    def __init__(self, transport: Transport) -> None:
        self.projects = ProjectsResource(transport)
        self.ai_search = AiSearchResource(transport)
        self.exports = ExportsResource(transport)
        self.snapshots = SnapshotsResource(transport)
        self.lists = ListsResource(transport)
        self.alerts = AlertsResource(transport)
        self.webhooks = WebhooksResource(transport)
        self.contacts = ContactsResource(transport)
        self.analytics = AnalyticsResource(transport)
        self.documents = DocumentsResource(transport)
        self.places = PlacesResource(transport)
        self.words = WordsResource(transport)
        self.account = AccountResource(transport)
        self.keys = KeysResource(transport)

class AsyncResource:
    """Operations of one kind."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._ask = transport.ask
        self._read = transport.read
        self._iterate = transport.iterate


class AsyncProjectsResource(AsyncResource):
    async def map(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[MapProjectsInput]) -> MapProjectsAnswer:
        """Where the matches lie: counts by tile, and few projects one by one"""
        return cast("MapProjectsAnswer", await self._ask("mapProjects", {}, dict(values), Options(max_credits, None, request_id)))

    async def get_tile(self, z: int, x: int, y: int, /, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[Filters]) -> bytes:
        """A vector tile of the matches, for maps of your own"""
        return await self._read("getTile", {"z": z, "x": x, "y": y}, dict(values), Options(max_credits, None, request_id))

    async def search(self, *, max_credits: int | None = None, idempotency_key: str | None = None, request_id: str | None = None, **values: Unpack[SearchProjectsInput]) -> SearchProjectsAnswer | SearchProjectsAnswer2 | SearchProjectsAnswer3:
        """Search projects; one page, or every match as a CSV"""
        return cast("SearchProjectsAnswer | SearchProjectsAnswer2 | SearchProjectsAnswer3", await self._ask("searchProjects", {}, dict(values), Options(max_credits, idempotency_key, request_id)))

    async def count(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[CountProjectsInput]) -> CountProjectsAnswer:
        """Size and price of a whole match set"""
        return cast("CountProjectsAnswer", await self._ask("countProjects", {}, dict(values), Options(max_credits, None, request_id)))

    async def get(self, id: int, /, *, max_credits: int | None = None, idempotency_key: str | None = None, request_id: str | None = None, **values: Unpack[GetProjectInput]) -> GetProjectAnswer:
        """One project, by its id or the id of a record merged into it"""
        return cast("GetProjectAnswer", await self._ask("getProject", {"id": id}, dict(values), Options(max_credits, idempotency_key, request_id)))

    async def get_evidence(self, id: int, /, *, max_credits: int | None = None, idempotency_key: str | None = None, request_id: str | None = None) -> GetProjectEvidenceAnswer:
        """The words of documents from which the values of a project were read"""
        return cast("GetProjectEvidenceAnswer", await self._ask("getProjectEvidence", {"id": id}, {}, Options(max_credits, idempotency_key, request_id)))

    async def get_changes(self, id: int, /, *, max_credits: int | None = None, request_id: str | None = None) -> GetProjectChangesAnswer:
        """Which fields changed since your pool was last delivered the record, and what they were and are"""
        return cast("GetProjectChangesAnswer", await self._ask("getProjectChanges", {"id": id}, {}, Options(max_credits, None, request_id)))

    async def match(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[MatchProjectsInput]) -> MatchProjectsAnswer:
        """Which projects the rows of your own list are"""
        return cast("MatchProjectsAnswer", await self._ask("matchProjects", {}, dict(values), Options(max_credits, None, request_id)))

    async def sync(self, *, max_credits: int | None = None, idempotency_key: str | None = None, request_id: str | None = None, **values: Unpack[SyncProjectsInput]) -> SyncProjectsAnswer:
        """Lossless walk in the order of change"""
        return cast("SyncProjectsAnswer", await self._ask("syncProjects", {}, dict(values), Options(max_credits, idempotency_key, request_id)))

    async def list_releases(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[ListReleasesInput]) -> ListReleasesAnswer:
        """What each generation of the records brought, newest first"""
        return cast("ListReleasesAnswer", await self._ask("listReleases", {}, dict(values), Options(max_credits, None, request_id)))

    def iterate_releases(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[ListReleasesInput]) -> AsyncIterator[ListReleasesData]:
        """What each generation of the records brought, newest first: one by one, page after page; `limit` is the size of a page."""
        return cast("AsyncIterator[ListReleasesData]", self._iterate("listReleases", {}, dict(values), Options(max_credits, None, request_id)))

    async def list_hearings(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[ListHearingsInput]) -> ListHearingsAnswer:
        """Hearings ahead: which body meets when, and how many of the matching projects are on"""
        return cast("ListHearingsAnswer", await self._ask("listHearings", {}, dict(values), Options(max_credits, None, request_id)))

    async def read_hearings_calendar(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[ReadHearingsCalendarInput]) -> bytes:
        """The same as iCalendar: an all-day event for each body and day, cancelled where every matching project left it"""
        return await self._read("readHearingsCalendar", {}, dict(values), Options(max_credits, None, request_id))

    async def create_hearing_feed(self, *, max_credits: int | None = None, idempotency_key: str | None = None, request_id: str | None = None, **values: Unpack[CreateHearingFeedInput]) -> CreateHearingFeedAnswer:
        """An address at which calendars and readers fetch the hearings of a selection without a key; it is shown once"""
        return cast("CreateHearingFeedAnswer", await self._ask("createHearingFeed", {}, dict(values), Options(max_credits, idempotency_key, request_id)))

    async def list_hearing_feeds(self, *, max_credits: int | None = None, request_id: str | None = None) -> ListHearingFeedsAnswer:
        """Your feeds of hearings, without their addresses, newest first"""
        return cast("ListHearingFeedsAnswer", await self._ask("listHearingFeeds", {}, {}, Options(max_credits, None, request_id)))

    async def get_hearing_feed(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None) -> GetHearingFeedAnswer:
        """One of your feeds of hearings, without its address"""
        return cast("GetHearingFeedAnswer", await self._ask("getHearingFeed", {"id": id}, {}, Options(max_credits, None, request_id)))

    async def delete_hearing_feed(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None) -> DeleteHearingFeedAnswer:
        """Delete a feed of hearings; its address is unknown from then on"""
        return cast("DeleteHearingFeedAnswer", await self._ask("deleteHearingFeed", {"id": id}, {}, Options(max_credits, None, request_id)))

    async def create_restriction_feed(self, *, max_credits: int | None = None, idempotency_key: str | None = None, request_id: str | None = None, **values: Unpack[CreateRestrictionFeedInput]) -> CreateRestrictionFeedAnswer:
        """An address at which calendars and readers fetch the restrictions of a selection without a key; it is shown once"""
        return cast("CreateRestrictionFeedAnswer", await self._ask("createRestrictionFeed", {}, dict(values), Options(max_credits, idempotency_key, request_id)))

    async def list_restriction_feeds(self, *, max_credits: int | None = None, request_id: str | None = None) -> ListRestrictionFeedsAnswer:
        """Your feeds of restrictions, without their addresses, newest first"""
        return cast("ListRestrictionFeedsAnswer", await self._ask("listRestrictionFeeds", {}, {}, Options(max_credits, None, request_id)))

    async def get_restriction_feed(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None) -> GetRestrictionFeedAnswer:
        """One of your feeds of restrictions, without its address"""
        return cast("GetRestrictionFeedAnswer", await self._ask("getRestrictionFeed", {"id": id}, {}, Options(max_credits, None, request_id)))

    async def delete_restriction_feed(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None) -> DeleteRestrictionFeedAnswer:
        """Delete a feed of restrictions; its address is unknown from then on"""
        return cast("DeleteRestrictionFeedAnswer", await self._ask("deleteRestrictionFeed", {"id": id}, {}, Options(max_credits, None, request_id)))

    async def list_restrictions(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[ListRestrictionsInput]) -> ListRestrictionsAnswer:
        """Moratoria, bans and interim ordinances: what may not be built where, and until when"""
        return cast("ListRestrictionsAnswer", await self._ask("listRestrictions", {}, dict(values), Options(max_credits, None, request_id)))

    def iterate_restrictions(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[ListRestrictionsInput]) -> AsyncIterator[ListRestrictionsData]:
        """Moratoria, bans and interim ordinances: what may not be built where, and until when: one by one, page after page; `limit` is the size of a page."""
        return cast("AsyncIterator[ListRestrictionsData]", self._iterate("listRestrictions", {}, dict(values), Options(max_credits, None, request_id)))

    async def read_restriction(self, id: int, /, *, max_credits: int | None = None, request_id: str | None = None) -> ReadRestrictionAnswer:
        """One restriction, with the words that prove it"""
        return cast("ReadRestrictionAnswer", await self._ask("readRestriction", {"id": id}, {}, Options(max_credits, None, request_id)))

    async def check_restrictions(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[CheckRestrictionsInput]) -> CheckRestrictionsAnswer:
        """Whether a restriction binds a project, point, county or city on a day: yes, no, or unclear with the reason"""
        return cast("CheckRestrictionsAnswer", await self._ask("checkRestrictions", {}, dict(values), Options(max_credits, None, request_id)))


class AsyncAiSearchResource(AsyncResource):
    async def interpret_sentence(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[InterpretSentenceInput]) -> InterpretSentenceAnswer:
        """What a sentence means as filters: places, dates, sizes, uses, requests, bodies, statuses and names"""
        return cast("InterpretSentenceAnswer", await self._ask("interpretSentence", {}, dict(values), Options(max_credits, None, request_id)))

    async def ai_search(self, *, max_credits: int | None = None, request_id: str | None = None) -> AiSearchAnswer:
        """Refused for API keys: send the question as a job"""
        return cast("AiSearchAnswer", await self._ask("aiSearch", {}, {}, Options(max_credits, None, request_id)))

    async def create(self, *, max_credits: int | None = None, idempotency_key: str | None = None, request_id: str | None = None, **values: Unpack[CreateAiSearchInput]) -> CreateAiSearchAnswer:
        """Ask a question in plain words; every record of the answer is proven by quotes"""
        return cast("CreateAiSearchAnswer", await self._ask("createAiSearch", {}, dict(values), Options(max_credits, idempotency_key, request_id)))

    async def get(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None) -> GetAiSearchAnswer:
        """Where an AI search stands, and its records once it is settled; free, for 72 hours"""
        return cast("GetAiSearchAnswer", await self._ask("getAiSearch", {"id": id}, {}, Options(max_credits, None, request_id)))

    async def cancel(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None) -> CancelAiSearchAnswer:
        """Cancel an AI search: free, and only ever gives credits back"""
        return cast("CancelAiSearchAnswer", await self._ask("cancelAiSearch", {"id": id}, {}, Options(max_credits, None, request_id)))

    async def judge_answers(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[JudgeAnswersInput]) -> JudgeAnswersAnswer:
        """Say which records answer the question and which do not: free, and your next search for it ranks by it"""
        return cast("JudgeAnswersAnswer", await self._ask("judgeAnswers", {"id": id}, dict(values), Options(max_credits, None, request_id)))


class AsyncExportsResource(AsyncResource):
    async def create(self, *, max_credits: int | None = None, idempotency_key: str | None = None, request_id: str | None = None, **values: Unpack[CreateExportInput]) -> CreateExportAnswer | CreateExportAnswer2:
        """Queue a CSV of everything that matches, of named projects or of a list"""
        return cast("CreateExportAnswer | CreateExportAnswer2", await self._ask("createExport", {}, dict(values), Options(max_credits, idempotency_key, request_id)))

    async def list(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[ListExportsInput]) -> ListExportsAnswer:
        """Exports of the team, newest first"""
        return cast("ListExportsAnswer", await self._ask("listExports", {}, dict(values), Options(max_credits, None, request_id)))

    def iterate(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[ListExportsInput]) -> AsyncIterator[ExportJob]:
        """Exports of the team, newest first: one by one, page after page; `limit` is the size of a page."""
        return cast("AsyncIterator[ExportJob]", self._iterate("listExports", {}, dict(values), Options(max_credits, None, request_id)))

    async def get(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None) -> GetExportAnswer:
        """Where an export stands"""
        return cast("GetExportAnswer", await self._ask("getExport", {"id": id}, {}, Options(max_credits, None, request_id)))

    async def download(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[DownloadExportInput]) -> bytes:
        """The file of a ready export; again as often as you like, free"""
        return await self._read("downloadExport", {"id": id}, dict(values), Options(max_credits, None, request_id))


class AsyncSnapshotsResource(AsyncResource):
    async def create(self, *, max_credits: int | None = None, idempotency_key: str | None = None, request_id: str | None = None, **values: Unpack[CreateSnapshotInput]) -> CreateSnapshotAnswer | CreateSnapshotAnswer2:
        """Queue everything that matches as files, with the cursor from which sync goes on"""
        return cast("CreateSnapshotAnswer | CreateSnapshotAnswer2", await self._ask("createSnapshot", {}, dict(values), Options(max_credits, idempotency_key, request_id)))

    async def list(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[ListSnapshotsInput]) -> ListSnapshotsAnswer:
        """Snapshots of the team, newest first"""
        return cast("ListSnapshotsAnswer", await self._ask("listSnapshots", {}, dict(values), Options(max_credits, None, request_id)))

    def iterate(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[ListSnapshotsInput]) -> AsyncIterator[Snapshot]:
        """Snapshots of the team, newest first: one by one, page after page; `limit` is the size of a page."""
        return cast("AsyncIterator[Snapshot]", self._iterate("listSnapshots", {}, dict(values), Options(max_credits, None, request_id)))

    async def get(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None) -> GetSnapshotAnswer:
        """Where a snapshot stands"""
        return cast("GetSnapshotAnswer", await self._ask("getSnapshot", {"id": id}, {}, Options(max_credits, None, request_id)))

    async def delete(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None) -> DeleteSnapshotAnswer:
        """Cancel a snapshot, all credits back; of a ready one delete the files, nothing back"""
        return cast("DeleteSnapshotAnswer", await self._ask("deleteSnapshot", {"id": id}, {}, Options(max_credits, None, request_id)))

    async def get_manifest(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None) -> SnapshotManifest:
        """The files of a ready snapshot, and the cursor from which sync goes on"""
        return cast("SnapshotManifest", await self._ask("getSnapshotManifest", {"id": id}, {}, Options(max_credits, None, request_id)))

    async def download_file(self, id: str, name: str, /, *, max_credits: int | None = None, request_id: str | None = None) -> bytes:
        """A file of a ready snapshot; again as often as you like, free"""
        return await self._read("downloadSnapshotFile", {"id": id, "name": name}, {}, Options(max_credits, None, request_id))


class AsyncListsResource(AsyncResource):
    async def list(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[ListListsInput]) -> ListListsAnswer:
        """Your lists and those shared with you, newest first"""
        return cast("ListListsAnswer", await self._ask("listLists", {}, dict(values), Options(max_credits, None, request_id)))

    def iterate(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[ListListsInput]) -> AsyncIterator[List]:
        """Your lists and those shared with you, newest first: one by one, page after page; `limit` is the size of a page."""
        return cast("AsyncIterator[List]", self._iterate("listLists", {}, dict(values), Options(max_credits, None, request_id)))

    async def create(self, *, max_credits: int | None = None, idempotency_key: str | None = None, request_id: str | None = None, **values: Unpack[CreateListInput]) -> CreateListAnswer:
        """Save a list of projects, of filters, or of a polygon"""
        return cast("CreateListAnswer", await self._ask("createList", {}, dict(values), Options(max_credits, idempotency_key, request_id)))

    async def get(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None) -> GetListAnswer:
        """One list, with what its results would charge now"""
        return cast("GetListAnswer", await self._ask("getList", {"id": id}, {}, Options(max_credits, None, request_id)))

    async def change(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[ChangeListInput]) -> ChangeListAnswer:
        """Rename a list, describe it, share it, change its columns or criteria"""
        return cast("ChangeListAnswer", await self._ask("changeList", {"id": id}, dict(values), Options(max_credits, None, request_id)))

    async def delete(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None) -> DeleteListAnswer:
        """Delete a list for everyone who sees it; it can be restored for 30 days"""
        return cast("DeleteListAnswer", await self._ask("deleteList", {"id": id}, {}, Options(max_credits, None, request_id)))

    async def restore(self, id: str, /, *, max_credits: int | None = None, idempotency_key: str | None = None, request_id: str | None = None) -> RestoreListAnswer:
        """Restore a list within 30 days of its deletion, as it was"""
        return cast("RestoreListAnswer", await self._ask("restoreList", {"id": id}, {}, Options(max_credits, idempotency_key, request_id)))

    async def add_projects(self, id: str, /, *, max_credits: int | None = None, idempotency_key: str | None = None, request_id: str | None = None, **values: Unpack[AddListProjectsInput]) -> AddListProjectsAnswer:
        """Add projects to a membership list; what is there already stays"""
        return cast("AddListProjectsAnswer", await self._ask("addListProjects", {"id": id}, dict(values), Options(max_credits, idempotency_key, request_id)))

    async def remove_project(self, id: str, project_id: int, /, *, max_credits: int | None = None, request_id: str | None = None) -> RemoveListProjectAnswer:
        """Remove a project from a membership list"""
        return cast("RemoveListProjectAnswer", await self._ask("removeListProject", {"id": id, "projectId": project_id}, {}, Options(max_credits, None, request_id)))

    async def note_project(self, id: str, project_id: int, /, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[NoteListProjectInput]) -> NoteListProjectAnswer:
        """Note why a project is in a membership list; everyone who sees the list reads the note"""
        return cast("NoteListProjectAnswer", await self._ask("noteListProject", {"id": id, "projectId": project_id}, dict(values), Options(max_credits, None, request_id)))

    async def get_results(self, id: str, /, *, max_credits: int | None = None, idempotency_key: str | None = None, request_id: str | None = None, **values: Unpack[GetListResultsInput]) -> GetListResultsAnswer:
        """Records of a membership list; of a filter or polygon list its criteria and where to search them"""
        return cast("GetListResultsAnswer", await self._ask("getListResults", {"id": id}, dict(values), Options(max_credits, idempotency_key, request_id)))


class AsyncAlertsResource(AsyncResource):
    async def list(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[ListAlertsInput]) -> ListAlertsAnswer:
        """Alerts that you are a member of, newest first"""
        return cast("ListAlertsAnswer", await self._ask("listAlerts", {}, dict(values), Options(max_credits, None, request_id)))

    def iterate(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[ListAlertsInput]) -> AsyncIterator[Alert]:
        """Alerts that you are a member of, newest first: one by one, page after page; `limit` is the size of a page."""
        return cast("AsyncIterator[Alert]", self._iterate("listAlerts", {}, dict(values), Options(max_credits, None, request_id)))

    async def create(self, *, max_credits: int | None = None, idempotency_key: str | None = None, request_id: str | None = None, **values: Unpack[CreateAlertInput]) -> CreateAlertAnswer:
        """Leave a search running: daily, weekly or monthly at 06:00 US Mountain Time"""
        return cast("CreateAlertAnswer", await self._ask("createAlert", {}, dict(values), Options(max_credits, idempotency_key, request_id)))

    async def get(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None) -> GetAlertAnswer:
        """One alert, deleted ones too"""
        return cast("GetAlertAnswer", await self._ask("getAlert", {"id": id}, {}, Options(max_credits, None, request_id)))

    async def change(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[ChangeAlertInput]) -> ChangeAlertAnswer:
        """Change an alert; filters and lists are replaced, the rest is merged"""
        return cast("ChangeAlertAnswer", await self._ask("changeAlert", {"id": id}, dict(values), Options(max_credits, None, request_id)))

    async def delete(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None) -> DeleteAlertAnswer:
        """Delete an alert for all of its members; it can be restored for 30 days, and what it delivered stays readable"""
        return cast("DeleteAlertAnswer", await self._ask("deleteAlert", {"id": id}, {}, Options(max_credits, None, request_id)))

    async def restore(self, id: str, /, *, max_credits: int | None = None, idempotency_key: str | None = None, request_id: str | None = None) -> RestoreAlertAnswer:
        """Restore an alert and its list within 30 days of its deletion, active or paused as it was"""
        return cast("RestoreAlertAnswer", await self._ask("restoreAlert", {"id": id}, {}, Options(max_credits, idempotency_key, request_id)))

    async def preview(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None) -> PreviewAlertAnswer:
        """What the next run would deliver and cost"""
        return cast("PreviewAlertAnswer", await self._ask("previewAlert", {"id": id}, {}, Options(max_credits, None, request_id)))

    async def preview_with(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[PreviewAlertWithInput]) -> PreviewAlertWithAnswer:
        """The same with other keys in place of stored ones; nothing is saved"""
        return cast("PreviewAlertWithAnswer", await self._ask("previewAlertWith", {"id": id}, dict(values), Options(max_credits, None, request_id)))

    async def run(self, id: str, /, *, max_credits: int | None = None, idempotency_key: str | None = None, request_id: str | None = None) -> RunAlertAnswer:
        """Run an alert now, three times a day"""
        return cast("RunAlertAnswer", await self._ask("runAlert", {"id": id}, {}, Options(max_credits, idempotency_key, request_id)))

    async def list_deliveries(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[ListAlertDeliveriesInput]) -> ListAlertDeliveriesAnswer:
        """Runs of an alert with what each charged, newest first"""
        return cast("ListAlertDeliveriesAnswer", await self._ask("listAlertDeliveries", {"id": id}, dict(values), Options(max_credits, None, request_id)))

    def iterate_deliveries(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[ListAlertDeliveriesInput]) -> AsyncIterator[AlertDelivery]:
        """Runs of an alert with what each charged, newest first: one by one, page after page; `limit` is the size of a page."""
        return cast("AsyncIterator[AlertDelivery]", self._iterate("listAlertDeliveries", {"id": id}, dict(values), Options(max_credits, None, request_id)))

    async def get_delivery(self, id: str, delivery_id: str, /, *, max_credits: int | None = None, request_id: str | None = None) -> GetAlertDeliveryAnswer:
        """One run"""
        return cast("GetAlertDeliveryAnswer", await self._ask("getAlertDelivery", {"id": id, "deliveryId": delivery_id}, {}, Options(max_credits, None, request_id)))

    async def list_matches(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[ListAlertMatchesInput]) -> ListAlertMatchesAnswer:
        """Records that an alert has delivered, free; on metered plans as the pool holds them"""
        return cast("ListAlertMatchesAnswer", await self._ask("listAlertMatches", {"id": id}, dict(values), Options(max_credits, None, request_id)))

    def iterate_matches(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[ListAlertMatchesInput]) -> AsyncIterator[ListAlertMatchesData | ListAlertMatchesData2 | ListAlertMatchesData3]:
        """Records that an alert has delivered, free; on metered plans as the pool holds them: one by one, page after page; `limit` is the size of a page."""
        return cast("AsyncIterator[ListAlertMatchesData | ListAlertMatchesData2 | ListAlertMatchesData3]", self._iterate("listAlertMatches", {"id": id}, dict(values), Options(max_credits, None, request_id)))

    async def dismiss_match(self, id: str, project_id: int, /, *, max_credits: int | None = None, request_id: str | None = None) -> DismissMatchAnswer:
        """Dismiss a match for everyone; it comes back when it changes"""
        return cast("DismissMatchAnswer", await self._ask("dismissMatch", {"id": id, "projectId": project_id}, {}, Options(max_credits, None, request_id)))

    async def undismiss_match(self, id: str, project_id: int, /, *, max_credits: int | None = None, request_id: str | None = None) -> UndismissMatchAnswer:
        """Take a dismissal back"""
        return cast("UndismissMatchAnswer", await self._ask("undismissMatch", {"id": id, "projectId": project_id}, {}, Options(max_credits, None, request_id)))

    async def create_feed(self, id: str, /, *, max_credits: int | None = None, idempotency_key: str | None = None, request_id: str | None = None) -> CreateAlertFeedAnswer:
        """Addresses at which readers and calendars fetch the matches without a key; they are shown once"""
        return cast("CreateAlertFeedAnswer", await self._ask("createAlertFeed", {"id": id}, {}, Options(max_credits, idempotency_key, request_id)))

    async def list_feeds(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None) -> ListAlertFeedsAnswer:
        """Feeds of an alert, without their addresses, newest first"""
        return cast("ListAlertFeedsAnswer", await self._ask("listAlertFeeds", {"id": id}, {}, Options(max_credits, None, request_id)))

    async def delete_feed(self, id: str, feed_id: str, /, *, max_credits: int | None = None, request_id: str | None = None) -> DeleteAlertFeedAnswer:
        """Revoke a feed; its addresses are unknown from then on"""
        return cast("DeleteAlertFeedAnswer", await self._ask("deleteAlertFeed", {"id": id, "feedId": feed_id}, {}, Options(max_credits, None, request_id)))


class AsyncWebhooksResource(AsyncResource):
    async def list(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[ListWebhooksInput]) -> ListWebhooksAnswer:
        """Your webhooks, or the whole team’s for its owners, newest first"""
        return cast("ListWebhooksAnswer", await self._ask("listWebhooks", {}, dict(values), Options(max_credits, None, request_id)))

    def iterate(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[ListWebhooksInput]) -> AsyncIterator[ListWebhooksData]:
        """Your webhooks, or the whole team’s for its owners, newest first: one by one, page after page; `limit` is the size of a page."""
        return cast("AsyncIterator[ListWebhooksData]", self._iterate("listWebhooks", {}, dict(values), Options(max_credits, None, request_id)))

    async def create(self, *, max_credits: int | None = None, idempotency_key: str | None = None, request_id: str | None = None, **values: Unpack[CreateWebhookInput]) -> CreateWebhookAnswer:
        """Have events sent to an address; the secret that signs them is shown once"""
        return cast("CreateWebhookAnswer", await self._ask("createWebhook", {}, dict(values), Options(max_credits, idempotency_key, request_id)))

    async def get(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None) -> GetWebhookAnswer:
        """One webhook"""
        return cast("GetWebhookAnswer", await self._ask("getWebhook", {"id": id}, {}, Options(max_credits, None, request_id)))

    async def change(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[ChangeWebhookInput]) -> ChangeWebhookAnswer:
        """Change what a webhook gets, or switch it off and on"""
        return cast("ChangeWebhookAnswer", await self._ask("changeWebhook", {"id": id}, dict(values), Options(max_credits, None, request_id)))

    async def delete(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None) -> DeleteWebhookAnswer:
        """Delete a webhook with its log"""
        return cast("DeleteWebhookAnswer", await self._ask("deleteWebhook", {"id": id}, {}, Options(max_credits, None, request_id)))

    async def rotate(self, id: str, /, *, max_credits: int | None = None, idempotency_key: str | None = None, request_id: str | None = None) -> RotateWebhookAnswer:
        """Replace the secret; the old one signs too for 24 hours"""
        return cast("RotateWebhookAnswer", await self._ask("rotateWebhook", {"id": id}, {}, Options(max_credits, idempotency_key, request_id)))

    async def test(self, id: str, /, *, max_credits: int | None = None, idempotency_key: str | None = None, request_id: str | None = None) -> TestWebhookAnswer:
        """Send a `ping`, once"""
        return cast("TestWebhookAnswer", await self._ask("testWebhook", {"id": id}, {}, Options(max_credits, idempotency_key, request_id)))

    async def recover(self, id: str, /, *, max_credits: int | None = None, idempotency_key: str | None = None, request_id: str | None = None, **values: Unpack[RecoverWebhookInput]) -> RecoverWebhookAnswer:
        """Send again what failed or was missed in a range of the last 30 days"""
        return cast("RecoverWebhookAnswer", await self._ask("recoverWebhook", {"id": id}, dict(values), Options(max_credits, idempotency_key, request_id)))

    async def list_attempts(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None) -> ListWebhookAttemptsAnswer:
        """The last 100 attempts, newest first, an attempt a row"""
        return cast("ListWebhookAttemptsAnswer", await self._ask("listWebhookAttempts", {"id": id}, {}, Options(max_credits, None, request_id)))

    async def replay_message(self, id: str, message_id: str, /, *, max_credits: int | None = None, idempotency_key: str | None = None, request_id: str | None = None) -> ReplayWebhookMessageAnswer:
        """Send one message again, under its `webhook-id`"""
        return cast("ReplayWebhookMessageAnswer", await self._ask("replayWebhookMessage", {"id": id, "messageId": message_id}, {}, Options(max_credits, idempotency_key, request_id)))

    async def list_events(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[ListEventsInput]) -> ListEventsAnswer:
        """What webhooks are sent, by cursor: for receivers without a public address"""
        return cast("ListEventsAnswer", await self._ask("listEvents", {}, dict(values), Options(max_credits, None, request_id)))


class AsyncContactsResource(AsyncResource):
    async def create_enrichment(self, *, max_credits: int | None = None, idempotency_key: str | None = None, request_id: str | None = None, **values: Unpack[CreateEnrichmentInput]) -> CreateEnrichmentAnswer:
        """Find contact info for projects"""
        return cast("CreateEnrichmentAnswer", await self._ask("createEnrichment", {}, dict(values), Options(max_credits, idempotency_key, request_id)))

    async def get_enrichment(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None) -> GetEnrichmentAnswer:
        """Where an enrichment stands"""
        return cast("GetEnrichmentAnswer", await self._ask("getEnrichment", {"id": id}, {}, Options(max_credits, None, request_id)))


class AsyncAnalyticsResource(AsyncResource):
    async def aggregate_projects(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[AggregateProjectsInput]) -> AggregateProjectsAnswer:
        """Counts and statistics of a selection by up to two dimensions"""
        return cast("AggregateProjectsAnswer", await self._ask("aggregateProjects", {}, dict(values), Options(max_credits, None, request_id)))

    async def rank_groups(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[RankGroupsInput]) -> RankGroupsAnswer:
        """The groups of one dimension, ranked by one metric"""
        return cast("RankGroupsAnswer", await self._ask("rankGroups", {}, dict(values), Options(max_credits, None, request_id)))

    async def get_odds(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[GetOddsInput]) -> GetOddsAnswer:
        """What becomes of projects, and how many days it takes, by up to two dimensions"""
        return cast("GetOddsAnswer", await self._ask("getOdds", {}, dict(values), Options(max_credits, None, request_id)))

    async def list_datasets(self, *, max_credits: int | None = None, request_id: str | None = None) -> ListDatasetsAnswer:
        """What analytics can answer"""
        return cast("ListDatasetsAnswer", await self._ask("listDatasets", {}, {}, Options(max_credits, None, request_id)))

    async def get_coverage(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[GetCoverageInput]) -> GetCoverageAnswer:
        """How much the data holds by state, county and month, how fresh and how full it is"""
        return cast("GetCoverageAnswer", await self._ask("getCoverage", {}, dict(values), Options(max_credits, None, request_id)))

    async def get_answerable(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[Filters]) -> GetAnswerableAnswer:
        """Which fields, bodies and years of a selection carry an answer, and what is missing"""
        return cast("GetAnswerableAnswer", await self._ask("getAnswerable", {}, dict(values), Options(max_credits, None, request_id)))

    async def create_brief(self, *, max_credits: int | None = None, idempotency_key: str | None = None, request_id: str | None = None, **values: Unpack[CreateBriefInput]) -> CreateBriefAnswer:
        """What is known of a place and a use: precedents, odds, restrictions, hearings, zoning, and what is not known"""
        return cast("CreateBriefAnswer", await self._ask("createBrief", {}, dict(values), Options(max_credits, idempotency_key, request_id)))

    async def list_briefs(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[ListBriefsInput]) -> ListBriefsAnswer:
        """The briefs of your team without their statements, newest first"""
        return cast("ListBriefsAnswer", await self._ask("listBriefs", {}, dict(values), Options(max_credits, None, request_id)))

    def iterate_briefs(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[ListBriefsInput]) -> AsyncIterator[ListBriefsData]:
        """The briefs of your team without their statements, newest first: one by one, page after page; `limit` is the size of a page."""
        return cast("AsyncIterator[ListBriefsData]", self._iterate("listBriefs", {}, dict(values), Options(max_credits, None, request_id)))

    async def price_brief(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[PriceBriefInput]) -> PriceBriefAnswer:
        """What a brief would cost now; free"""
        return cast("PriceBriefAnswer", await self._ask("priceBrief", {}, dict(values), Options(max_credits, None, request_id)))

    async def get_brief(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None) -> GetBriefAnswer:
        """A brief as it was made; free"""
        return cast("GetBriefAnswer", await self._ask("getBrief", {"id": id}, {}, Options(max_credits, None, request_id)))

    async def delete_brief(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None) -> DeleteBriefAnswer:
        """Delete a brief; its precedents stay held"""
        return cast("DeleteBriefAnswer", await self._ask("deleteBrief", {"id": id}, {}, Options(max_credits, None, request_id)))


class AsyncDocumentsResource(AsyncResource):
    async def get(self, id: int, /, *, max_credits: int | None = None, idempotency_key: str | None = None, request_id: str | None = None) -> GetDocumentAnswer:
        """A source document, by the meetingDocumentId of a record"""
        return cast("GetDocumentAnswer", await self._ask("getDocument", {"id": id}, {}, Options(max_credits, idempotency_key, request_id)))


class AsyncPlacesResource(AsyncResource):
    async def list_states(self, *, max_credits: int | None = None, request_id: str | None = None) -> ListStatesAnswer:
        """All states and territories"""
        return cast("ListStatesAnswer", await self._ask("listStates", {}, {}, Options(max_credits, None, request_id)))

    async def get_state(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None) -> GetStateAnswer:
        """One state"""
        return cast("GetStateAnswer", await self._ask("getState", {"id": id}, {}, Options(max_credits, None, request_id)))

    async def list_counties(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None) -> ListCountiesAnswer:
        """Counties of a state"""
        return cast("ListCountiesAnswer", await self._ask("listCounties", {"id": id}, {}, Options(max_credits, None, request_id)))

    async def list_cities(self, state_id: str, county_id: str, /, *, max_credits: int | None = None, request_id: str | None = None) -> ListCitiesAnswer:
        """Cities of a county"""
        return cast("ListCitiesAnswer", await self._ask("listCities", {"stateId": state_id, "countyId": county_id}, {}, Options(max_credits, None, request_id)))

    async def get_county(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None) -> GetCountyAnswer:
        """One county"""
        return cast("GetCountyAnswer", await self._ask("getCounty", {"id": id}, {}, Options(max_credits, None, request_id)))

    async def get_city(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None) -> GetCityAnswer:
        """One city"""
        return cast("GetCityAnswer", await self._ask("getCity", {"id": id}, {}, Options(max_credits, None, request_id)))

    async def search(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[SearchPlacesInput]) -> SearchPlacesAnswer:
        """Places by what a person types, misspelt too"""
        return cast("SearchPlacesAnswer", await self._ask("searchPlaces", {}, dict(values), Options(max_credits, None, request_id)))


class AsyncWordsResource(AsyncResource):
    async def list_statuses(self, *, max_credits: int | None = None, request_id: str | None = None) -> ListStatusesAnswer:
        """Entitlement statuses"""
        return cast("ListStatusesAnswer", await self._ask("listStatuses", {}, {}, Options(max_credits, None, request_id)))

    async def list_decision_bodies(self, *, max_credits: int | None = None, request_id: str | None = None) -> ListDecisionBodiesAnswer:
        """Bodies that decide"""
        return cast("ListDecisionBodiesAnswer", await self._ask("listDecisionBodies", {}, {}, Options(max_credits, None, request_id)))

    async def list_request_types(self, *, max_credits: int | None = None, request_id: str | None = None) -> ListRequestTypesAnswer:
        """What is applied for"""
        return cast("ListRequestTypesAnswer", await self._ask("listRequestTypes", {}, {}, Options(max_credits, None, request_id)))

    async def list_owner_types(self, *, max_credits: int | None = None, request_id: str | None = None) -> ListOwnerTypesAnswer:
        """Kinds of owner; labelling only"""
        return cast("ListOwnerTypesAnswer", await self._ask("listOwnerTypes", {}, {}, Options(max_credits, None, request_id)))

    async def list_decision_types(self, *, max_credits: int | None = None, request_id: str | None = None) -> ListDecisionTypesAnswer:
        """Kinds of decision"""
        return cast("ListDecisionTypesAnswer", await self._ask("listDecisionTypes", {}, {}, Options(max_credits, None, request_id)))

    async def list_construction_types(self, *, max_credits: int | None = None, request_id: str | None = None) -> ListConstructionTypesAnswer:
        """Kinds of construction"""
        return cast("ListConstructionTypesAnswer", await self._ask("listConstructionTypes", {}, {}, Options(max_credits, None, request_id)))

    async def list_project_sizes(self, *, max_credits: int | None = None, request_id: str | None = None) -> ListProjectSizesAnswer:
        """Project sizes"""
        return cast("ListProjectSizesAnswer", await self._ask("listProjectSizes", {}, {}, Options(max_credits, None, request_id)))

    async def list_action_types(self, *, max_credits: int | None = None, request_id: str | None = None) -> ListActionTypesAnswer:
        """Types of action"""
        return cast("ListActionTypesAnswer", await self._ask("listActionTypes", {}, {}, Options(max_credits, None, request_id)))

    async def list_action_categories(self, *, max_credits: int | None = None, request_id: str | None = None) -> ListActionCategoriesAnswer:
        """Categories of action"""
        return cast("ListActionCategoriesAnswer", await self._ask("listActionCategories", {}, {}, Options(max_credits, None, request_id)))

    async def get_taxonomy(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[GetTaxonomyInput]) -> GetTaxonomyAnswer:
        """The Building Type tree"""
        return cast("GetTaxonomyAnswer", await self._ask("getTaxonomy", {}, dict(values), Options(max_credits, None, request_id)))

    async def list_project_types(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[ListProjectTypesInput]) -> ListProjectTypesAnswer:
        """Building Types"""
        return cast("ListProjectTypesAnswer", await self._ask("listProjectTypes", {}, dict(values), Options(max_credits, None, request_id)))

    async def list_subtypes(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[ListSubtypesInput]) -> ListSubtypesAnswer:
        """Subtypes"""
        return cast("ListSubtypesAnswer", await self._ask("listSubtypes", {}, dict(values), Options(max_credits, None, request_id)))

    async def list_asset_classes(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[ListAssetClassesInput]) -> ListAssetClassesAnswer:
        """Asset classes"""
        return cast("ListAssetClassesAnswer", await self._ask("listAssetClasses", {}, dict(values), Options(max_credits, None, request_id)))


class AsyncAccountResource(AsyncResource):
    async def get_credits(self, *, max_credits: int | None = None, request_id: str | None = None) -> GetCreditsAnswer:
        """Balance, plan, rate limit and allowances"""
        return cast("GetCreditsAnswer", await self._ask("getCredits", {}, {}, Options(max_credits, None, request_id)))

    async def list_receipts(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[ListReceiptsInput]) -> ListReceiptsAnswer:
        """Receipts: every charge, grant and refund with its cause, newest first"""
        return cast("ListReceiptsAnswer", await self._ask("listReceipts", {}, dict(values), Options(max_credits, None, request_id)))

    def iterate_receipts(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[ListReceiptsInput]) -> AsyncIterator[Receipt]:
        """Receipts: every charge, grant and refund with its cause, newest first: one by one, page after page; `limit` is the size of a page."""
        return cast("AsyncIterator[Receipt]", self._iterate("listReceipts", {}, dict(values), Options(max_credits, None, request_id)))

    async def get_preferences(self, *, max_credits: int | None = None, request_id: str | None = None) -> GetPreferencesAnswer:
        """Saved search preferences of the key’s user"""
        return cast("GetPreferencesAnswer", await self._ask("getPreferences", {}, {}, Options(max_credits, None, request_id)))

    async def change_preferences(self, *, max_credits: int | None = None, request_id: str | None = None, **values: Unpack[ChangePreferencesInput]) -> ChangePreferencesAnswer:
        """Change saved search preferences; null clears a field"""
        return cast("ChangePreferencesAnswer", await self._ask("changePreferences", {}, dict(values), Options(max_credits, None, request_id)))

    async def get_start(self, *, max_credits: int | None = None, request_id: str | None = None) -> GetStartAnswer:
        """What a page or a program needs at its start: account, plan, licence, limits, words, release"""
        return cast("GetStartAnswer", await self._ask("getStart", {}, {}, Options(max_credits, None, request_id)))

    async def list_connections(self, *, max_credits: int | None = None, request_id: str | None = None) -> ListConnectionsAnswer:
        """Programs connected to the tools by OAuth: of your keys, or of the whole team’s for its owner; newest first"""
        return cast("ListConnectionsAnswer", await self._ask("listConnections", {}, {}, Options(max_credits, None, request_id)))

    async def end_connection(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None) -> EndConnectionAnswer:
        """End a connection; its tokens stop at once"""
        return cast("EndConnectionAnswer", await self._ask("endConnection", {"id": id}, {}, Options(max_credits, None, request_id)))


class AsyncKeysResource(AsyncResource):
    async def list(self, *, max_credits: int | None = None, request_id: str | None = None) -> ListKeysAnswer:
        """Keys: your own, or the whole team’s for its owner"""
        return cast("ListKeysAnswer", await self._ask("listKeys", {}, {}, Options(max_credits, None, request_id)))

    async def mint(self, *, max_credits: int | None = None, idempotency_key: str | None = None, request_id: str | None = None, **values: Unpack[MintKeyInput]) -> MintKeyAnswer:
        """Mint a key; its secret is shown once"""
        return cast("MintKeyAnswer", await self._ask("mintKey", {}, dict(values), Options(max_credits, idempotency_key, request_id)))

    async def revoke(self, id: str, /, *, max_credits: int | None = None, request_id: str | None = None) -> RevokeKeyAnswer:
        """Revoke a key"""
        return cast("RevokeKeyAnswer", await self._ask("revokeKey", {"id": id}, {}, Options(max_credits, None, request_id)))

    async def rotate(self, id: str, /, *, max_credits: int | None = None, idempotency_key: str | None = None, request_id: str | None = None, **values: Unpack[RotateKeyInput]) -> RotateKeyAnswer:
        """Replace a key; the old one works for graceHours more"""
        return cast("RotateKeyAnswer", await self._ask("rotateKey", {"id": id}, dict(values), Options(max_credits, idempotency_key, request_id)))

    async def reassign(self, id: str, /, *, max_credits: int | None = None, idempotency_key: str | None = None, request_id: str | None = None, **values: Unpack[ReassignKeyInput]) -> ReassignKeyAnswer:
        """Attribute a key to another member of the team (owner only)"""
        return cast("ReassignKeyAnswer", await self._ask("reassignKey", {"id": id}, dict(values), Options(max_credits, idempotency_key, request_id)))


class AsyncResources:
    """Every operation of the service, by resource."""

    def __init__(self, transport: AsyncTransport) -> None:
        self.projects = AsyncProjectsResource(transport)
        self.ai_search = AsyncAiSearchResource(transport)
        self.exports = AsyncExportsResource(transport)
        self.snapshots = AsyncSnapshotsResource(transport)
        self.lists = AsyncListsResource(transport)
        self.alerts = AsyncAlertsResource(transport)
        self.webhooks = AsyncWebhooksResource(transport)
        self.contacts = AsyncContactsResource(transport)
        self.analytics = AsyncAnalyticsResource(transport)
        self.documents = AsyncDocumentsResource(transport)
        self.places = AsyncPlacesResource(transport)
        self.words = AsyncWordsResource(transport)
        self.account = AsyncAccountResource(transport)
        self.keys = AsyncKeysResource(transport)
