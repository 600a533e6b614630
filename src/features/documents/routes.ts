import { Type } from 'typebox';
import { id, nullable, object, place } from '../../core/domain/record/field.ts';
import { documentVersion } from '../../core/domain/record/quotes.ts';
import { geoJson, json, type Route, route } from '../../http/declaration.ts';
import { wholeNumber } from '../../http/pathParameters.ts';
import { label, warnings, whole } from '../../http/schemas.ts';
import { type DocumentServices, readDocument } from './read.ts';

const text = nullable(Type.String());

const meetingDocument = object({
  id,
  meetingDocumentId: id,
  title: text,
  decisionBody: text,
  decisionBodyLabel: label,
  meetingDate: nullable(Type.String({ format: 'date' })),
  state: text,
  county: text,
  city: text,
  url: text,
  version: { ...documentVersion, description: 'Minutes: a draft, or adopted by their body; null where the source does not say' },
  text,
});

export function documentRoutes(services: DocumentServices): Route[] {
  return [
    route('Documents', 'getDocument', 'GET /documents/{id}', {
      summary: 'A source document, by the meetingDocumentId of a record',
      metered: 'API Only and trial: 1 the first time the pool receives the document; free on other plans',
      idempotent: 'honoured',
      params: { id: wholeNumber('document', 'meetingDocumentId of a record', 501_333) },
      answers: [
        json(meetingDocument, { meta: object({ creditsUsed: whole, creditsRemaining: nullable(place), warnings: warnings() }) }),
        geoJson(meetingDocument),
      ],
      errors: ['not_acceptable', 'credits_exhausted', 'search_unavailable'],
      handle: ({ actor, params }) => readDocument(services, actor, params.id),
    }),
  ];
}
