/** What operations answer, under the names that the page has for it. */
import type { CompactProject, ExportJob, Operations } from '../../../clients/client/generated.ts';

/** `data` of the answer of an operation. */
export type DataOf<Id extends keyof Operations> = Operations[Id]['answer'] extends { data: infer Data } ? Data : never;

export type SavedAlert = DataOf<'getAlert'>;
export type SavedList = DataOf<'getList'>;
export type QueuedExport = ExportJob;
export type ContactsJob = DataOf<'getEnrichment'>;
export type AccountKey = DataOf<'listKeys'>[number];
export type MintedKey = DataOf<'mintKey'>;
export type CountPrice = DataOf<'countProjects'>;
export type AddedProjects = DataOf<'addListProjects'>;
export type AlertDelivery = DataOf<'getAlertDelivery'>;
/** The answer of `GET /projects/{id}/changes`. */
export type RecordChanges = DataOf<'getProjectChanges'>;
/** What rows show of a record. */
export type ListedRecord = CompactProject & { note?: string | null };
