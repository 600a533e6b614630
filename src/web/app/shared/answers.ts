/** What the account's tabs show, as the API describes it. */
import type { CompactProject } from '../../../clients/client/generated.ts';
import type { DataOf } from './api.ts';

export type SavedAlert = DataOf<'getAlert'>;
export type SavedList = DataOf<'getList'>;
export type QueuedExport = DataOf<'getExport'>;
export type AccountKey = DataOf<'listKeys'>[number];
export type MintedKey = DataOf<'mintKey'>;
export type WebhookAddress = DataOf<'getWebhook'>;
export type LedgerEntry = DataOf<'listReceipts'>[number];
export type CountPrice = DataOf<'countProjects'>;
export type AddedProjects = DataOf<'addListProjects'>;
export type AlertPreview = DataOf<'previewAlert'>;
export type AlertDelivery = DataOf<'getAlertDelivery'>;
export type AlertFeed = DataOf<'listAlertFeeds'>[number];
export type MadeFeed = DataOf<'createAlertFeed'>;
export type AlertMatch = DataOf<'listAlertMatches'>[number];
/** What rows show of a record. */
export type ListedRecord = CompactProject;
