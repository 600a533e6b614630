import { ApiError } from '../../core/domain/errors.ts';
import { scopeOf } from '../../core/domain/principal.ts';
import { decisionBodies } from '../../core/domain/vocabulary.ts';
import type { Actor } from '../../core/search/actor.ts';
import { deliverDocument, readBalance } from '../../core/search/charge.ts';
import { runOnce } from '../../core/search/idempotentRequests.ts';
import type { OperationAnswer, ProjectServices } from '../../core/search/services.ts';
import type { MeetingDocument, MeetingDocumentStore } from '../../core/store/elastic/documents.ts';

/** The document in an answer, with every declared field; null if the source does not state it. */
function viewDocument(document: MeetingDocument) {
  const { id, title, state, county, city, meetingDate, url, version, text } = document;
  const body = document.decisionBody ? decisionBodies.find(document.decisionBody) : undefined;
  return {
    id,
    meetingDocumentId: id,
    title: title ?? null,
    decisionBody: body?.token ?? null,
    decisionBodyLabel: body?.label ?? document.decisionBody ?? null,
    meetingDate: meetingDate ?? null,
    state,
    county,
    city,
    url: url ?? null,
    version: version ?? null,
    text: text ?? null,
  };
}

export interface DocumentServices extends Pick<ProjectServices, 'ledger' | 'idempotency'> {
  documents: MeetingDocumentStore;
}

/**
 * `GET /documents/{id}`, by the `meetingDocumentId` of a record. A document can be read if a record within the licence refers to it, whatever its place.
 * @throws ApiError `resource_not_found` also outside the licence
 */
export async function readDocument(
  services: DocumentServices,
  actor: Actor,
  id: number,
): Promise<OperationAnswer<ReturnType<typeof viewDocument>>> {
  const document = await services.documents.find(id, scopeOf(actor.principal), actor.signal);
  if (!document) throw new ApiError('resource_not_found', `There is no document ${id}, or this key may not see it`, { param: 'id' });
  const credits = await runOnce(services, actor, String(id), {
    run: (claiming) => deliverDocument(services, claiming, id),
    replay: () => readBalance(services, actor),
  });
  return { data: viewDocument(document), meta: { ...credits, warnings: [] } };
}
