/** An order in which the operations of the reference can be called: things are created, read, changed and deleted. */

export interface Documented {
  operationId: string;
  tags: readonly string[];
  /** template of its path */
  path: string;
  parameters: readonly object[];
  responses: Readonly<Record<string, { content?: Readonly<Record<string, { schema?: object }>> }>>;
  'x-codeSamples': { source: string }[];
}

/** Operations that have to be called in this order, after all others. */
const LIFECYCLES = [
  ...['createExport', 'getExport', 'downloadExport', 'createEnrichment', 'getEnrichment'],
  ...['createSnapshot', 'getSnapshot', 'getSnapshotManifest', 'downloadSnapshotFile', 'deleteSnapshot'],
  ...['createAiSearch', 'getAiSearch', 'cancelAiSearch'],
  ...[
    'createList',
    'getList',
    'changeList',
    'addListProjects',
    'noteListProject',
    'getListResults',
    'removeListProject',
    'deleteList',
    'restoreList',
  ],
  ...['mintKey', 'reassignKey', 'rotateKey', 'revokeKey'],
  ...['createAlert', 'getAlert', 'changeAlert', 'previewAlert', 'previewAlertWith', 'runAlert', 'listAlertDeliveries', 'getAlertDelivery'],
  ...['listAlertMatches', 'dismissMatch', 'undismissMatch'],
  ...'createAlertFeed listAlertFeeds readRssFeed readJsonFeed readCalendarFeed deleteAlertFeed deleteAlert restoreAlert'.split(' '),
  ...['createHearingFeed', 'listHearingFeeds', 'getHearingFeed', 'readHearingFeed', 'deleteHearingFeed'],
  ...[
    'createRestrictionFeed',
    'listRestrictionFeeds',
    'getRestrictionFeed',
    'readRestrictionCalendar',
    'readRestrictionRss',
    'deleteRestrictionFeed',
  ],
  ...['listRestrictions', 'readRestriction', 'checkRestrictions'],
  ...['createBrief', 'priceBrief', 'listBriefs', 'getBrief', 'deleteBrief'],
  ...['createWebhook', 'getWebhook', 'changeWebhook', 'rotateWebhook', 'testWebhook', 'recoverWebhook', 'listWebhookAttempts'],
  ...['replayWebhookMessage', 'deleteWebhook'],
];
/** Operations that create something; later ones use the id in their answer. */
export const MAKING =
  'createAiSearch createAlert createBrief createEnrichment createExport createHearingFeed createRestrictionFeed createList createSnapshot createWebhook mintKey'.split(
    ' ',
  );
/** Operations that no key may call. */
const REFUSED = ['aiSearch'];
/** Operations whose input comes from elsewhere: a token in a mail, the page of the map, records of an answer, or a browser. */
const NAMED_ELSEWHERE = [
  'judgeAnswers',
  'getMapFile',
  'askUnsubscribe',
  'unsubscribe',
  'askResubscribe',
  'resubscribe',
  'askConfirmation',
  'confirmAddress',
  'openOauth',
  'useOauth',
  'endConnection',
];

/** Every operation without input from elsewhere, in an order in which each one works. */
export function orderOperations(operations: readonly Documented[]): Documented[] {
  const rank = ({ operationId }: Documented) => LIFECYCLES.indexOf(operationId);
  return operations.filter(({ operationId }) => ![...NAMED_ELSEWHERE, ...REFUSED].includes(operationId)).sort((a, b) => rank(a) - rank(b));
}

/** Whether it can charge credits: then a request may bound them. */
export const canCharge = ({ parameters }: Pick<Documented, 'parameters'>): boolean =>
  parameters.some((one) => '$ref' in one && one.$ref === '#/components/parameters/X-Service-Max-Credits');

/** The forms in which it answers where it succeeds. */
export const listTypes = ({ responses }: Pick<Documented, 'responses'>): string[] => [
  ...new Set(Object.entries(responses).flatMap(([status, { content = {} }]) => (status.startsWith('2') ? Object.keys(content) : []))),
];
