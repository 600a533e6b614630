/**
 * The order in which a newcomer needs operations, and by their first ones the parts of the reference. A test holds it complete; an operation
 * that is missing comes last in its part.
 */
export const READING_ORDER: readonly string[] = [
  ...['countProjects', 'searchProjects', 'getProject', 'syncProjects', 'getProjectChanges', 'getProjectEvidence', 'mapProjects', 'getTile'],
  ...['searchPlaces', 'listStates', 'getState', 'listCounties', 'getCounty', 'listCities', 'getCity'],
  ...['getTaxonomy', 'listProjectTypes', 'listSubtypes', 'listAssetClasses', 'listStatuses', 'listDecisionBodies', 'listDecisionTypes'],
  ...['listRequestTypes', 'listConstructionTypes', 'listProjectSizes', 'listOwnerTypes', 'listActionTypes', 'listActionCategories'],
  ...['getStart', 'getCredits', 'listReceipts', 'getPreferences', 'changePreferences'],
  ...['listKeys', 'mintKey', 'rotateKey', 'revokeKey', 'reassignKey'],
  ...['getDocument'],
  ...['aggregateProjects', 'rankGroups', 'listDatasets', 'getCoverage'],
  ...['createExport', 'getExport', 'downloadExport', 'listExports'],
  ...['createAiSearch', 'getAiSearch', 'cancelAiSearch', 'aiSearch'],
  ...['createEnrichment', 'getEnrichment'],
  ...['createList', 'addListProjects', 'getListResults', 'getList', 'listLists', 'changeList', 'removeListProject', 'deleteList'],
  ...['createAlert', 'previewAlertWith', 'previewAlert', 'runAlert', 'listAlertMatches', 'dismissMatch', 'undismissMatch'],
  ...['listAlertDeliveries', 'getAlertDelivery', 'listAlerts', 'getAlert', 'changeAlert', 'deleteAlert'],
  ...['createAlertFeed', 'listAlertFeeds', 'deleteAlertFeed'],
  ...['createWebhook', 'testWebhook', 'listWebhookAttempts', 'replayWebhookMessage', 'recoverWebhook', 'rotateWebhook'],
  ...['listEvents', 'listWebhooks', 'getWebhook', 'changeWebhook', 'deleteWebhook'],
  ...['getTileJson', 'getOgcLandingPage', 'getOgcConformance', 'listOgcCollections', 'getOgcCollection', 'listOgcItems', 'getOgcItem'],
  ...['getVocabularies', 'getHealth', 'getReadiness', 'greet', 'getOpenApi', 'getLlmsText', 'getChangelog'],
  ...['getReference', 'getReferenceIndex', 'getReferencePage', 'getErrorReference', 'getPlans', 'getChangelogPage', 'getSearchIndex'],
  ...[
    'getGuide',
    'getGuideMarkdown',
    'getMap',
    'getMapFile',
    'getClients',
    'getNpmPackage',
    'getPythonWheel',
    'readRssFeed',
    'readJsonFeed',
    'readCalendarFeed',
  ],
  ...['askUnsubscribe', 'unsubscribe', 'askResubscribe', 'resubscribe', 'askConfirmation', 'confirmAddress'],
];
