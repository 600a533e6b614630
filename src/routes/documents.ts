import type { Route } from '../http/route.ts';
import { type DocumentServices, readDocument } from '../operations/documents/readDocument.ts';
import { callerOf, idFromPath } from './projects.ts';

export function documentRoutes(services: DocumentServices): Route[] {
  return [
    {
      method: 'get',
      path: '/documents/:id',
      summary: 'A source document, by the meetingDocumentId of a record',
      query: [],
      handle: (request) => readDocument(services, callerOf(request, 'GET /documents/{id}'), idFromPath(request.path.id, 'document')),
    },
  ];
}
