import type { Route } from '../http/route.ts';
import { readDocument } from '../search/documents.ts';
import type { MeetingDocumentStore } from '../store/meetingDocuments.ts';
import { idFromPath } from './projects.ts';

export function documentRoutes(store: MeetingDocumentStore): Route[] {
  return [
    {
      method: 'get',
      path: '/documents/:id',
      summary: 'A source document, by the meetingDocumentId of a record',
      query: [],
      handle: ({ principal, path, signal }) => readDocument(store, principal, idFromPath(path.id, 'document'), signal),
    },
  ];
}
