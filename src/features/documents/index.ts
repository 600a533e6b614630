/** The minutes from which records were extracted. */
import { MeetingDocumentStore } from '../../core/store/elastic/documents.ts';
import type { Feature } from '../feature.ts';
import { documentRoutes } from './routes.ts';

export const documents: Feature = {
  routes: ({ elastic, names, timeoutMs, ledger, idempotency }) =>
    documentRoutes({ documents: new MeetingDocumentStore(elastic, names, timeoutMs), ledger, idempotency }),
};
