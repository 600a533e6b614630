/** The order in which the operations of the reference can be tried one after the other: what is made is read, changed and removed. */

export interface Documented {
  operationId: string;
  tags: readonly string[];
  /** template of its address */
  path: string;
  responses: object;
  'x-codeSamples': { source: string }[];
}

/** What is made is read, changed and removed, in this order and after everything else. */
const LIVES = [
  ...['createExport', 'getExport', 'downloadExport', 'createEnrichment', 'getEnrichment'],
  ...['createSnapshot', 'getSnapshot', 'getSnapshotManifest', 'downloadSnapshotFile', 'deleteSnapshot'],
  ...['createAiSearch', 'getAiSearch', 'cancelAiSearch'],
  ...['createList', 'getList', 'changeList', 'addListProjects', 'getListResults', 'removeListProject', 'deleteList', 'restoreList'],
  ...['mintKey', 'reassignKey', 'rotateKey', 'revokeKey'],
  ...['createAlert', 'getAlert', 'changeAlert', 'previewAlert', 'previewAlertWith', 'runAlert', 'listAlertDeliveries', 'getAlertDelivery'],
  ...['listAlertMatches', 'dismissMatch', 'undismissMatch'],
  ...[
    'createAlertFeed',
    'listAlertFeeds',
    'readRssFeed',
    'readJsonFeed',
    'readCalendarFeed',
    'deleteAlertFeed',
    'deleteAlert',
    'restoreAlert',
  ],
  ...['createWebhook', 'getWebhook', 'changeWebhook', 'rotateWebhook', 'testWebhook', 'recoverWebhook', 'listWebhookAttempts'],
  ...['replayWebhookMessage', 'deleteWebhook'],
];
/** What they answer has the id that the next ones name. */
export const MAKING = [
  'createAiSearch',
  'createAlert',
  'createEnrichment',
  'createExport',
  'createList',
  'createSnapshot',
  'createWebhook',
  'mintKey',
];
/** Answers no key. */
const REFUSED = ['aiSearch'];
/** Their token is in a mail, names of files are in the page of the map, and records to judge are those of an answer. */
const NAMED_ELSEWHERE = [
  'judgeAnswers',
  'getMapFile',
  'askUnsubscribe',
  'unsubscribe',
  'askResubscribe',
  'resubscribe',
  'askConfirmation',
  'confirmAddress',
];

/** Every operation but those that need something from elsewhere, in an order in which each works. */
export function inOrder(operations: readonly Documented[]): Documented[] {
  const rank = ({ operationId }: Documented) => LIVES.indexOf(operationId);
  return operations.filter(({ operationId }) => ![...NAMED_ELSEWHERE, ...REFUSED].includes(operationId)).sort((a, b) => rank(a) - rank(b));
}
