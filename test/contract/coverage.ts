/**
 * Which test holds each row of the specification's tables of endpoints, parameters, errors, warnings, limits and credentials, and each
 * header.
 */

/** The test of that title in that file; a title with `${…}` is written as it stands there. */
export interface Held {
  file: string;
  test: string;
}

const tests = (file: string) => (test: string) => ({ file, test });

const ai = tests('test/integration/aiSearch/aiSearch.test.ts');
const alerts = tests('test/integration/alerts/alerts.test.ts');
const recognised = tests('test/fault/recognisedKeys.test.ts');
const requirement = tests('test/integration/alerts/requirement.test.ts');
const account = tests('test/integration/account/account.test.ts');
const analytics = tests('test/integration/analytics/answers.test.ts');
const answers = tests('test/integration/http/answers.test.ts');
const billing = tests('test/integration/credits/billing.test.ts');
const changes = tests('test/integration/credits/projectChanges.test.ts');
const odds = tests('test/integration/analytics/odds.test.ts');
const gdal = tests('test/integration/ogc/gdal.test.ts');
const hearings = tests('test/integration/projects/hearings.test.ts');
const freshness = tests('test/integration/analytics/freshness.test.ts');
const coverage = tests('test/integration/analytics/coverage.test.ts');
const credentials = tests('test/integration/http/credentials.test.ts');
const TEN = 'a trial key has 10 from its first request on, a missing credential 10 an address, an unusable one 10 a credential';
const enrichment = tests('test/integration/contacts/enrichment.test.ts');
const evidence = tests('test/integration/filters/evidence.test.ts');
const proofs = tests('test/integration/projects/evidence.test.ts');
const exported = tests('test/integration/exports/exports.test.ts');
const discovery = tests('test/integration/reference/discovery.test.ts');
const docs = tests('test/integration/reference/docs.test.ts');
const downloaded = exported('are downloaded as named CSV, in parts, unchanged, and with a byte order mark');
const faults = tests('test/fault/outages.test.ts');
const feeds = tests('test/integration/alerts/feeds.test.ts');
const filters = tests('test/integration/filters/everyFilter.test.ts');
const hostile = tests('test/integration/http/hostile.test.ts');
const keyRepeats = tests('test/integration/account/keyRepeats.test.ts');
const keys = tests('test/integration/account/keys.test.ts');
const late = tests('test/fault/lateRequests.test.ts');
const lists = tests('test/integration/lists/lists.test.ts');
const mail = tests('test/integration/mail/mail.test.ts');
const recipients = tests('test/integration/alerts/recipients.test.ts');
const matching = tests('test/integration/match/match.test.ts');
const ogc = tests('test/integration/ogc/abstractTests.test.ts');
const order = tests('test/integration/projects/searchOrder.test.ts');
const client = tests('test/integration/client/client.test.ts');
const mapPage = tests('test/integration/map/page.test.ts');
const mapView = tests('test/integration/map/view.test.ts');
const parameters = tests('test/integration/projects/parameters.test.ts');
const pages = tests('test/integration/reference/pages.test.ts');
const placeFilters = tests('test/integration/filters/places.test.ts');
const places = tests('test/integration/reference/placesAndWords.test.ts');
const protocol = tests('test/integration/http/protocol.test.ts');
const records = tests('test/integration/projects/records.test.ts');
const releases = tests('test/integration/reference/releases.test.ts');
const rules = tests('test/integration/filters/rules.test.ts');
const snapshots = tests('test/integration/snapshots/snapshots.test.ts');
const sync = tests('test/integration/sync/sync.test.ts');
const tiles = tests('test/integration/map/tiles.test.ts');
const versioning = tests('test/integration/http/versioning.test.ts');
const webhooks = tests('test/integration/webhooks/webhooks.test.ts');

// biome-ignore lint/suspicious/noTemplateCurlyInString: the title of a test that is made once for each filter
const everyFilter = filters('${name} selects what it means and refuses what it does not');
// biome-ignore lint/suspicious/noTemplateCurlyInString: the title of a test that is made once for each grace window
const graceWindows = keys('keeps the predecessor for ${graceHours} hours and tells it so');
// biome-ignore lint/suspicious/noTemplateCurlyInString: the title of a test that is made for a server gone and frozen
const postgresOutage = faults('${what}: says within about a second that accounts cannot be looked up, and comes back by itself');
// biome-ignore lint/suspicious/noTemplateCurlyInString: the title of a test that is made for a server gone and frozen
const redisOutage = faults('${what}: rate_limiter_unavailable within a second, and back by itself');

const rows = (names: string, row: Held): Record<string, Held> => Object.fromEntries(names.split(' ').map((name) => [name, row]));

export const ENDPOINTS: Record<string, Held> = {
  'GET /projects/search': order('is newest meeting first unless asked otherwise; equals by newest change, then highest id'),
  'GET /projects/count': parameters('counts the whole match set'),
  'POST /projects/match': matching('names records by number, address and point, typed as they are'),
  'GET /projects/map': mapView('counts every match by tile, and says how many have no location'),
  'GET /tiles/{z}/{x}/{y}.mvt': tiles('holds counts by place where projects are many, exactly as many as match'),
  'GET /ogc': ogc(
    'Abstract Test 4 /ats/core/root-success: links the definition, the conformance and the data, which answer with the types said',
  ),
  'GET /ogc/conformance': ogc('Abstract Test 8 /ats/core/conformance-success: names Core and GeoJSON'),
  'GET /ogc/collections': ogc(
    'Abstract Test 10 /ats/core/fc-md-success: have links, items links of each encoding, and an extent around all features',
  ),
  'GET /ogc/collections/projects': ogc('Abstract Test 12 /ats/core/sfc-md-success: is as the list of collections has it'),
  'GET /ogc/collections/projects/schema': gdal('reads numbers of later pages as they are: ids above 2^31, decimals behind whole numbers'),
  'GET /ogc/collections/projects/items': ogc('Abstract Test 22 /ats/core/fc-response: is a FeatureCollection that holds what was selected'),
  'GET /ogc/collections/projects/items/{id}': ogc('Abstract Test 28 /ats/core/f-success: is the Feature that the page has'),
  'GET /tiles.json': tests('test/integration/map/tileJson.test.ts')(
    'names the tiles with the filters that it was asked with, their layers, fields and zooms',
  ),
  'GET /projects/sync': sync('walks everything once, in order, and then only what changed'),
  'GET /projects/{id}': records('are found by id and by the id of an absorbed record'),
  'GET /projects/{id}/evidence': proofs('shows each value with the words that it was read from and their document'),
  'POST /projects/ai-search': ai('as an answer to the request itself are refused for API keys, with the route that takes them'),
  'POST /projects/ai-search/jobs': ai(
    'are answered with confirmed records alone, each proven by quotes that stand in it, and charge those that are new',
  ),
  'GET /projects/ai-search/jobs/{id}': ai('are one under their Idempotency-Key, and are not found by others, unknown, or after 72 hours'),
  'DELETE /projects/ai-search/jobs/{id}': ai(
    'are cancelled with everything given back while they wait, and keep what was confirmed once they run',
  ),
  'POST /projects/ai-search/jobs/{id}/feedback': tests('test/integration/aiSearch/feedback.test.ts')(
    'bring records like those that were called right, and leave out those that were called wrong, for their own team alone',
  ),
  'GET /documents/{id}': records('that are read by meetingDocumentId, within the licence'),
  'POST /enrichments': enrichment('is accepted with a disposition of each id, delivers and charges what was found, and reads back free'),
  'GET /enrichments/{id}': enrichment(
    'is accepted with a disposition of each id, delivers and charges what was found, and reads back free',
  ),
  'POST /exports': exported('are accepted at once and wait, reserved, for a worker'),
  'GET /exports': exported('are listed newest first for their team only, and are not found by another'),
  'GET /exports/{id}': exported('are listed newest first for their team only, and are not found by another'),
  'GET /exports/{id}/download': downloaded,
  'POST /snapshots': snapshots('are accepted at once and wait, reserved, for a worker'),
  'GET /snapshots': snapshots('of another team, and what is no snapshot, are not there'),
  'GET /snapshots/{id}': snapshots('are accepted at once and wait, reserved, for a worker'),
  'DELETE /snapshots/{id}': snapshots('end with their files when they are deleted; nothing comes back'),
  'GET /snapshots/{id}/manifest': snapshots('hold every record exactly as a search serves it, by id, in files of equal size'),
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the title of a test that is made for each type of file
  'GET /snapshots/{id}/files/{name}': snapshots('are downloaded in parts, and resumed by their ETag: ${contentType}'),
  'GET /start': tests('test/integration/account/start.test.ts')('tells all that a page needs at its start, free'),
  'GET /vocabularies/{version}.json': tests('test/integration/account/start.test.ts')(
    'names the words by their version, in a file that is kept for ever',
  ),
  'GET /account/credits': account('tells balance, plan, limits and the reset'),
  'GET /account/preferences': account('keeps search preferences of the key’s user, merged field by field'),
  'PATCH /account/preferences': account('keeps search preferences of the key’s user, merged field by field'),
  'GET /alerts': alerts('their members alone, who have full rights, and who are mailed when they are added'),
  'POST /alerts': alerts('are saved with their defaults, their list, and what they say'),
  'GET /alerts/{id}': alerts('their members alone, who have full rights, and who are mailed when they are added'),
  'PATCH /alerts/{id}': alerts('of a widened filter look back once, and deliver nothing again that is unchanged'),
  'DELETE /alerts/{id}': alerts('their members alone, who have full rights, and who are mailed when they are added'),
  'GET /alerts/{id}/deliveries': alerts('run once each, whatever the number of workers, and catch up with one run'),
  'GET /alerts/{id}/deliveries/{deliveryId}': alerts('deliver what is new or changed, once, and charge it once'),
  'POST /alerts/{id}/dismissals/{projectId}': alerts('are free, say what changed since, and can be dismissed until they change'),
  'DELETE /alerts/{id}/dismissals/{projectId}': alerts('are free, say what changed since, and can be dismissed until they change'),
  'GET /alerts/{id}/matches': alerts('are free, say what changed since, and can be dismissed until they change'),
  'POST /alerts/{id}/preview': alerts('deliver what is new or changed, once, and charge it once'),
  'GET /alerts/{id}/preview': alerts('deliver what is new or changed, once, and charge it once'),
  'POST /alerts/{id}/run': alerts('deliver what is new or changed, once, and charge it once'),
  'POST /analytics/aggregate': analytics('counts a project once in each type of its uses, in the roles that count'),
  'POST /analytics/rankings': analytics(
    'hides a group under 5 with the next smallest, so that the rest of its sum gives it no more away, also in the sum of its state',
  ),
  'POST /analytics/odds': odds('says of everything what became of it, in one group without keys'),
  'GET /analytics/datasets': analytics('says what it can answer'),
  'GET /coverage': coverage('says of every state how much there is, how fresh it is and how full, over all meetings'),
  'GET /lists': lists('a page at a time, newest first'),
  'POST /lists': lists('are created with what they hold, and read back'),
  'GET /lists/{id}': lists('charge what the list said they would, once'),
  'POST /lists/{id}/projects': lists('are added to once each, and removed from'),
  'DELETE /lists/{id}/projects/{projectId}': lists('are added to once each, and removed from'),
  'GET /lists/{id}/results': lists('charge what the list said they would, once'),
  'GET /locations/states': places('lists the states and territories with the entitled flag'),
  'GET /locations/states/{id}': places('reads a state by FIPS number, USPS abbreviation or name in any case'),
  'GET /locations/states/{id}/counties': places('lists the counties of a state and reads one'),
  'GET /locations/states/{stateId}/counties/{countyId}/cities': places('lists the cities of a county and reads one'),
  'GET /locations/counties/{id}': places('lists the counties of a state and reads one'),
  'GET /locations/cities/{id}': places('lists the cities of a county and reads one'),
  'GET /releases': releases('say what an increment and a generation added, changed and removed'),
  'GET /hearings': hearings('lists what a reading of every record finds, for the next 30 days and for others'),
  'GET /hearings.ics': hearings('is a calendar, too: an all-day event for each body and day'),
  'GET /coverage.rss': freshness('record that a body is read again, and both stand in the feeds'),
  'GET /coverage.json': freshness('record that a body is read again, and both stand in the feeds'),
  'GET /releases.rss': releases('are feeds without a key'),
  'GET /releases.json': releases('are feeds without a key'),
  'GET /locations/search': places('finds places by what was typed, with the records that each has'),
  'GET /reference/statuses': places('names the ten statuses of the contract'),
  'GET /reference/decision-bodies': places('accepts each of its tokens and labels where a filter takes it'),
  'GET /reference/request-types': places('accepts each of its tokens and labels where a filter takes it'),
  'GET /reference/owner-types': places('serves every vocabulary as tokens with labels'),
  'GET /taxonomy': places('is a tree of seven types'),
  'GET /taxonomy/project-types': places('has at least 40 subtypes and 120 asset classes, each under its parent'),
  'GET /taxonomy/subtypes': places('has at least 40 subtypes and 120 asset classes, each under its parent'),
  'GET /taxonomy/asset-classes': places('has at least 40 subtypes and 120 asset classes, each under its parent'),
  'GET /taxonomy/action-types': places('serves the vocabularies of actions'),
  'GET /taxonomy/action-categories': places('serves the vocabularies of actions'),
  'GET /health': protocol('answer without a key: health, readiness, changelog'),
  'GET /ready': protocol('answer without a key: health, readiness, changelog'),
  'GET /changelog.json': protocol('answer without a key: health, readiness, changelog'),
  'GET /': answers('greet without a key: what this is, and addresses that answer'),
  'GET /openapi.json': tests('test/contract/openapi.test.ts')('is valid OpenAPI 3.1 and lints clean'),
  'POST /lists/{id}/restore': lists('are restored as they were within 30 days of their deletion, and are then erased'),
  'POST /alerts/{id}/restore': tests('test/integration/alerts/restored.test.ts')('come back with their list, as they were, within 30 days'),
  'PATCH /lists/{id}': lists('by a member who leaves one a last time, and with full rights until then'),
  'DELETE /lists/{id}': lists('by a member who leaves one a last time, and with full rights until then'),
  'GET /unsubscribe/{token}': mail('stops for one recipient and topic by one click, those that wait included; a GET changes nothing'),
  'GET /confirm/{token}': alerts('mail an address outside the team once it has confirmed, counts and links alone'),
  'POST /unsubscribe/{token}': mail('stops for one recipient and topic by one click, those that wait included; a GET changes nothing'),
  'GET /resubscribe/{token}': recipients(
    'stop the alerts that it names, each of which the page offers alone, and take all of it back; a GET changes nothing',
  ),
  'POST /resubscribe/{token}': recipients(
    'stop the alerts that it names, each of which the page offers alone, and take all of it back; a GET changes nothing',
  ),
  'POST /confirm/{token}': alerts('mail an address outside the team once it has confirmed, counts and links alone'),
  'POST /alerts/{id}/feeds': feeds('have addresses that are shown once and kept as a keyed hash, and are read without a key'),
  'GET /alerts/{id}/feeds': feeds('have addresses that are shown once and kept as a keyed hash, and are read without a key'),
  'DELETE /alerts/{id}/feeds/{feedId}': feeds('when they are revoked, by any member of the alert'),
  'GET /feeds/rss/{secret}': feeds('carry title, place, date, status and link of each match, and nothing else'),
  'GET /feeds/json/{secret}': feeds('carry title, place, date, status and link of each match, and nothing else'),
  'GET /feeds/ics/{secret}': feeds('give a hearing as an all-day event that keeps its UID when it is put off, with a higher SEQUENCE'),
  'GET /webhooks': webhooks('by whoever made them and by owners of the team; to others they are not there'),
  'POST /webhooks': webhooks('with a secret that is shown once, listed newest first, changed and deleted'),
  'GET /webhooks/{id}': webhooks('with a secret that is shown once, listed newest first, changed and deleted'),
  'PATCH /webhooks/{id}': webhooks('with a secret that is shown once, listed newest first, changed and deleted'),
  'DELETE /webhooks/{id}': webhooks('with a secret that is shown once, listed newest first, changed and deleted'),
  'POST /webhooks/{id}/rotate': webhooks('with both secrets for 24 hours after a rotation, and then with the new one'),
  'POST /webhooks/{id}/test': webhooks('a ping when it is asked for, also where they are disabled, and once'),
  'POST /webhooks/{id}/recover': webhooks(
    'are tried on the schedule, mailed about on the first day, disabled after three, and recover what they missed',
  ),
  'GET /webhooks/{id}/attempts': webhooks('what a run delivered, as a pointer, signed by Standard Webhooks, and it is logged'),
  'POST /webhooks/{id}/attempts/{messageId}/replay': webhooks(
    'are sent a message again when it is asked for, under its id, on a schedule of its own',
  ),
  'GET /events': tests('test/integration/webhooks/events.test.ts')(
    'are the messages of webhooks, letter for letter, also where there is none',
  ),
  'GET /docs': pages('lead only to places that exist'),
  'GET /docs/errors': pages('lead only to places that exist'),
  'GET /docs/plans': docs('show the plans and their prices, from the table of plans'),
  'GET /docs/changelog': pages('lead only to places that exist'),
  'GET /docs/reference': docs('have one for each operation, in the order of reading'),
  'GET /docs/reference/{page}': docs('have one for each operation, in the order of reading'),
  'GET /docs/search.json': docs('find operations, parameters, filters, errors and guides by the beginnings of words'),
  'GET /docs/guides/{name}': pages('lead only to places that exist'),
  'GET /docs/guides/{name}.md': pages('are the guides as Markdown too, all of them named by llms.txt'),
  'GET /clients': client('is the same package, byte for byte, whenever it is asked for'),
  'GET /clients/landuse-api.tgz': client(
    'is installed from the service, type-checks strictly, and runs on the Node of the machine and in a browser',
  ),
  'GET /clients/landuse_api-{version}-py3-none-any.whl': client('is the same package, byte for byte, whenever it is asked for'),
  'GET /map': mapPage('filters in the words of the taxonomy; the address is the state, and the back button takes a filter back'),
  'GET /assets/{file}': mapPage('is the exports at the address that exports name, and its files are kept for ever'),
  'GET /llms.txt': pages('are the guides as Markdown too, all of them named by llms.txt'),
  'GET /llms-full.txt': discovery('all guides for customers in one text, whose links lead to addresses of the service'),
  'GET /.well-known/api-catalog': discovery('the catalogue of its APIs, each of whose addresses answers'),
  'GET /server.json': discovery('its MCP server as registries take one, which answers at that address under that header'),
  'GET /projects/{id}/changes': changes('names the changed fields and their times, agrees with the charge, and charges nothing itself'),
  'GET /account/ledger': account('shows every change of the balance with its cause, page by page'),
  'GET /reference/decision-types': places('serves every vocabulary as tokens with labels'),
  'GET /reference/construction-types': places('serves every vocabulary as tokens with labels'),
  'GET /reference/project-sizes': places('serves every vocabulary as tokens with labels'),
  'GET /api/user/api-keys': account('mints, lists, rotates and revokes keys, and shows a secret once'),
  'POST /api/user/api-keys': account('mints, lists, rotates and revokes keys, and shows a secret once'),
  'DELETE /api/user/api-keys/{id}': account('mints, lists, rotates and revokes keys, and shows a secret once'),
  'POST /api/user/api-keys/{id}/rotate': account('mints, lists, rotates and revokes keys, and shows a secret once'),
  'POST /api/user/api-keys/{id}/reassign': keys('reassigns the key of a closed account: same secret, same id, another actor'),
};

export const PARAMETERS: Record<string, Held> = {
  states: placeFilters('take states by number, abbreviation or name, in any case, in any form of list'),
  counties: placeFilters('take counties with and without the word County'),
  cities: placeFilters('refuse an ambiguous name with its candidates, whose ids then work'),
  bbox: placeFilters('hold points on every edge and corner of a box to be inside'),
  circle: placeFilters('hold a point on the rim of a circle to be inside'),
  polygon: placeFilters('find by a polygon what it encloses on the map, and answer 400 rather than 500 to one that is none'),
  ...rows('propertyTypes propertySubtypes assetClasses', rules('name the levels of each use that matched')),
  ...rows('excludePropertySubtypes excludeAssetClasses', rules('exclude after the match, in the roles that count')),
  taxonomyMatchMode: rules('count primary and secondary uses unless a match mode says otherwise, at every level'),
  status: rules('select records without a decision as unknown'),
  statusCombos: rules('pair a body with the status that it itself decided'),
  ...rows('decisionBodies requestTypes decisionTypes constructionTypes projectSizes', everyFilter),
  ...rows('constructionLeadsOnly hasConstructionDetails requiresZoningChange', everyFilter),
  includeGovernmentDecisions: rules('hide records whose primary type they are, unless they are asked for'),
  ...rows(
    'governmentDecisionSubtypes governmentDecisionAssetClasses',
    rules('take their filters only with includeGovernmentDecisions=true'),
  ),
  ...rows('inOpportunityZone inFemaFloodZone', rules('keep records without the value out of both sides')),
  ...rows('meetingDateFrom meetingDateTo', rules("take years, months, days and times; a 'To' bound reaches the end of its period")),
  ...rows('lastUpdatedFrom lastUpdatedTo', everyFilter),
  ...rows('caseNumbers parcelNumbers existingZonings proposedZonings staffRecommendations voteResults outcomes', everyFilter),
  ...rows('voteAgainstMin/Max hearingCountMin/Max daysInProcessMin/Max firstMeetingDateFrom firstMeetingDateTo', everyFilter),
  ...rows('nextMeetingDateFrom nextMeetingDateTo', rules('mean the last year unless bounds, a range or ids are sent')),
  dateRange: rules('mean the last year unless bounds, a range or ids are sent'),
  ...rows(
    'totalUnitCountMin/Max acreageMin/Max lotSizeSqftMin/Max squareFootageMin/Max parkingSpacesMin/Max',
    rules('bounds are inclusive, take 0, and fail closed on records without the value'),
  ),
  ...rows('buildingStoriesMin/Max buildingHeightFeetMin/Max bedroomCountMin/Max floorCountMin/Max lotCountMin/Max', everyFilter),
  q: rules('take alternatives in q alone'),
  projectName: rules('look for a name in the name and the display name only'),
  developerName: rules('look for a developer among all six roles'),
  projectIds: parameters('take at most 100 distinct project ids'),
  sort: parameters('take every value of the contract'),
  order: parameters('are refused where they contradict each other or are unknown'),
  limit: parameters('limit is 1 to 100, above it is clamped with a warning'),
  offset: parameters('offset is 0 or more and wins over page'),
  page: parameters('page counts from 1'),
  representation: records('have exactly the 21, 67 and 85 fields of the contract, in order, whether bare or full'),
  cursor: sync('binds a cursor to filters and licence, and signs it'),
  format: tests('test/integration/exports/csvSearch.test.ts')('is queued with its filters and order, and ignores what chooses a page'),
  maxCredits: exported('refuse what is wrong with a body, all of it at once, and reserve nothing'),
  maxContactCredits: tests('test/integration/contacts/price.test.ts')('never exceeds maxContactCredits, nor that of records maxCredits'),
  ...rows('include contactOptions', enrichment('is read back on search, sync, reads, lists and in a CSV, by the pool alone')),
  deliveryMode: billing('prices a whole match set as walking it then bills, and withholds what the pool holds on request'),
  view: mapView('takes a search as it is and names an unusable view'),
  datetime: ogc(
    'Abstract Test 19 /ats/core/fc-time-response: only features whose hearing is at that time, or in that interval, bounded or half-bounded',
  ),
  from: hearings('lists what a reading of every record finds, for the next 30 days and for others'),
  to: hearings('refuses dates that are none or the wrong way round, with every other mistake'),
  by: freshness('refuse what says something of records, all at once'),
  groupBy: coverage('names an unusable groupBy, and too many groups'),
};

export const ERRORS: Record<string, Held> = {
  ...rows('account_disabled subscription_required', credentials('are account_disabled or subscription_required by the state of the team')),
  alert_geography_required: alerts('a plan that is not nationwide without places, or with too many, or outside its licence'),
  alert_limit_reached: alerts('a team that has at most 25 active ones'),
  ...rows(
    'credits_exhausted insufficient_credits',
    billing('refuses a page that costs more than the balance, with a quote that then works'),
  ),
  enrichment_incompatible_representation: parameters('need a representation that carries them'),
  enrichment_requires_async: parameters('are never looked up by a synchronous read'),
  export_not_ready: exported('are accepted at once and wait, reserved, for a worker'),
  forbidden: keys('holds the ceiling of two under 20 mints at once, over two processes'),
  geographic_access_denied: tests('test/integration/projects/search.test.ts')(
    'answers a state key with its states only, and refuses others',
  ),
  idempotency_key_reuse: billing('charges a repeated request once under its Idempotency-Key, and refuses another request under it'),
  invalid_cursor: sync('binds a cursor to filters and licence, and signs it'),
  ...rows(
    'invalid_filter invalid_request',
    parameters('of values, of contradictions and of the licence are reported together, as they were sent'),
  ),
  manual_runs_exhausted: alerts('are three a day'),
  method_not_allowed: protocol('that a route does not take are 405 with Allow, for every route'),
  missing_api_key: credentials('are missing_api_key if there is none, or if what is sent is no service key'),
  rate_limit_exceeded: credentials('a paid key has 60 requests in 60 seconds, then 429 with Retry-After'),
  request_timeout: late('whole is refused when its time is over: a body announced and never sent'),
  resource_not_found: records('are the same 404 if they do not exist and if the licence does not cover them'),
  sharing_requires_paid_plan: lists('places outside the licence, and sharing without a paid plan'),
  unauthorized: credentials('are unauthorized where the key was revoked or its user closed the account'),
  alert_geography_too_broad: alerts('a plan that is not nationwide without places, or with too many, or outside its licence'),
  delivery_ledger_unavailable: exported('answer delivery_ledger_unavailable where the delivery history cannot be read, and queue nothing'),
  enrichment_allowance_exceeded: enrichment('refuses a job beyond the allowance whole'),
  enrichment_ledger_unavailable: enrichment(
    'waits for what the pool holds: without it nothing is accepted, and contacts that are asked for are refused',
  ),
  enrichment_requires_paid_plan: tests('test/unit/problems.test.ts')(
    'are enrichment_requires_paid_plan on a plan that is neither paid nor has look-ups, unless they are read back',
  ),
  enrichment_unavailable: enrichment('answers 501 to every request for look-ups, and still reads back'),
  export_expired: exported('expire after 7 days: the file goes, the export stays listed'),
  snapshot_in_progress: snapshots('let one of many that are asked for at once be queued'),
  export_unavailable: exported('refund rows whose file was lost, and hold them no longer'),
  feed_gone: feeds('for good, 410, when the alert is deleted'),
  idempotency_in_flight: billing('charges once when the same request runs twenty times at once under one key'),
  internal_error: account('answers a defect of its own as internal_error, with the request id and nothing of the cause'),
  key_expired: credentials('warn while a key rotates, and are key_expired after its grace window'),
  not_acceptable: tests('test/integration/http/geoJson.test.ts')(
    'is chosen by what a client prefers; parameters of a type choose nothing; routes of one form never refuse',
  ),
  range_not_satisfiable: exported('are downloaded as named CSV, in parts, unchanged, and with a byte order mark'),
  rate_limiter_unavailable: redisOutage,
  search_unavailable: faults('gone: search_unavailable at once, and back by itself'),
  service_unavailable: postgresOutage,
  sync_tie_unresolved: sync('is refused when more records than the limit share one timestamp'),
};

export const ERROR_FIELDS: Record<string, Held> = {
  ...rows('code message param details requestId', protocol('is the error envelope for a refusal, and points into the error reference')),
  docsUrl: protocol('is the error envelope for a refusal, and points into the error reference'),
};

export const WARNINGS: Record<string, Held> = {
  trial_truncated: snapshots('of a trial hold as many records as its credits pay for, and say so'),
  cells_too_long: exported('hold long cells whole, say so, and cut them where a download is for Excel'),
  bounds_reversed: rules('reversed bounds are named by a warning, which says to exchange them'),
  default_date_window_applied: rules('mean the last year unless bounds, a range or ids are sent'),
  taxonomy_filter_rolled_up: rules('let a parent supersede its child, with a warning'),
  geography_narrowed_to_smallest_scope: placeFilters('let the narrower scope win even outside the states sent with it'),
  government_decisions_excluded: rules('hide records whose primary type they are, unless they are asked for'),
  documents_unread: proofs('leaves out a document whose reading does not end in time, and nobody waits for it'),
  people_withheld: recognised('read on without people once it cannot be known who asked not to be found, but keep no copy of that'),
  secret_not_repeated: keyRepeats('are minted once: a repetition answers with the same key, without its secret, and says so'),
  limit_clamped_to_page_size: parameters('limit is 1 to 100, above it is clamped with a warning'),
  sync_records_unpositionable: tests('test/integration/sync/position.test.ts')('skips it for that page, says so, and walks on'),
  filter_evidence_unconfirmed: evidence('names just those filters of a request that the served values do not confirm'),
  budget_exceeds_monthly_allowance: alerts('warn of a budget beyond the month, and run last_1_month as last_3_months'),
  results_outside_licence: ai('hide results that a licence which became narrower does not cover, and say how many'),
  alert_nl_enrichment_failed: requirement('run by their filters alone while the screener does not answer, and say so'),
};

export const LIMITS: Record<string, Held> = {
  'Rate, paid key': credentials('a paid key has 60 requests in 60 seconds, then 429 with Retry-After'),
  'Rate, free-trial key': credentials(TEN),
  'Missing credential on authenticated route': credentials(TEN),
  'Unknown or unusable service-shaped key': credentials(TEN),
  'Unauthenticated health check': credentials('health has 120 an address, whatever key is sent'),
  'Page size': parameters('limit is 1 to 100, above it is clamped with a warning'),
  projectIds: parameters('take at most 100 distinct project ids'),
  'CSV candidate scan ceiling': tests('test/integration/exports/sets.test.ts')(
    'holds as many rows as the ceiling allows, the first ones, and charges those',
  ),
  'Keys per user': keys('holds the ceiling of two under 20 mints at once, over two processes'),
  'Rotation grace': graceWindows,
  'Active alerts': alerts('a team that has at most 25 active ones'),
  'Manual alert runs': alerts('are three a day'),
  'Natural-language alert criteria': alerts('a requirement of more than 500 characters'),
  Polygon: hostile('in a parameter is refused within 50 ms'),
  'Circle radius': placeFilters('refuse an invalid circle or box'),
  'Trial credits': billing('cuts a trial page to what its credits pay for'),
  'API Only enrichment allowance': enrichment('needs the record held on API Only, and counts attempts against the month'),
  'Idempotency-Key / X-Request-Id length': protocol('is refused if it cannot be echoed'),
  'AI-search window': ai('are refused with everything that is wrong at once, and reserve nothing'),
  'Paid credit reset': account('tells balance, plan, limits and the reset'),
};

export const CREDENTIALS: Record<string, Held> = {
  svc_live_: credentials('are accepted as Bearer in any capitalisation and spacing, and as X-API-Key'),
  svc_test_: credentials('are unauthorized where the key is unknown, mistyped, or of the sandbox'),
  legacy_: credentials('of the old name go on working'),
  '401 missing_api_key': credentials('are missing_api_key if there is none, or if what is sent is no service key'),
  '401 unauthorized': credentials('are unauthorized where the key was revoked or its user closed the account'),
  '401 key_expired': credentials('warn while a key rotates, and are key_expired after its grace window'),
  '401 account_disabled': credentials('are account_disabled or subscription_required by the state of the team'),
  '402 subscription_required': credentials('are account_disabled or subscription_required by the state of the team'),
  '403 forbidden': keys('holds the ceiling of two under 20 mints at once, over two processes'),
};

/** Headers stand in the specification's prose, not in a table. */
export const HEADERS: Record<string, Held> = {
  ...rows('Content-Disposition Accept-Ranges Content-Range Range', downloaded),
  'Content-Crs': ogc('Abstract Test 2 /ats/core/crs84: geometries are in WGS 84, longitude first'),
  'If-Range': tests('test/integration/files/download.test.ts')('is whole where If-Range names anything but this very file'),
  Authorization: credentials('are accepted as Bearer in any capitalisation and spacing, and as X-API-Key'),
  'X-API-Key': credentials('are accepted as Bearer in any capitalisation and spacing, and as X-API-Key'),
  Cookie: credentials('are no cookie, no login token and no query parameter'),
  'X-Request-Id': protocol('is echoed'),
  'X-Service-Schema-Version': protocol('refuse a version that is not served and name the one that is'),
  'X-Service-Environment': protocol('are on every answer, the version also where it is asked for'),
  'X-Service-Key-Rotating': credentials('warn while a key rotates, and are key_expired after its grace window'),
  Warning: credentials('warn while a key rotates, and are key_expired after its grace window'),
  'X-RateLimit-Limit': protocol('are on every answer, whatever its status'),
  'X-RateLimit-Remaining': protocol('count down a bucket that a refused request spends too'),
  'X-RateLimit-Reset': protocol('count down a bucket that a refused request spends too'),
  ...rows('RateLimit RateLimit-Policy', protocol('are on every answer, whatever its status')),
  'Retry-After': credentials('a paid key has 60 requests in 60 seconds, then 429 with Retry-After'),
  Allow: protocol('that a route does not take are 405 with Allow, for every route'),
  'Idempotency-Key': billing('charges a repeated request once under its Idempotency-Key, and refuses another request under it'),
  'X-Service-Max-Credits': tests('test/integration/credits/maxCredits.test.ts')(
    'is refused with its price on every route that spends, and charged nothing; for that price it is served',
  ),
  'WWW-Authenticate': credentials('are missing_api_key if there is none, or if what is sent is no service key'),
  'Cache-Control': answers('from every catalogue have a lifetime and an ETag, and are 304 where the client has them'),
  ETag: answers('from every catalogue have a lifetime and an ETag, and are 304 where the client has them'),
  'If-None-Match': answers('from every catalogue have a lifetime and an ETag, and are 304 where the client has them'),
  Deprecation: versioning('answers deprecated names of filters in any body with the same headers'),
  Sunset: versioning('answers a deprecated name with its headers, and others without'),
  Link: tests('test/integration/http/nextPage.test.ts')('leads through a search, with the parameters of the first request'),
};

export const TABLES = {
  endpoint: ENDPOINTS,
  parameter: PARAMETERS,
  error: ERRORS,
  'error field': ERROR_FIELDS,
  warning: WARNINGS,
  limit: LIMITS,
  credential: CREDENTIALS,
  header: HEADERS,
};
