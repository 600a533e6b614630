import { caseNamesOf } from '../../core/domain/cases/caseNames.ts';
import { publicDocumentReference } from '../../core/domain/record/publicParts.ts';
import { type ProvenValue, selectProvenValues } from '../../core/domain/record/quotes.ts';
import type { FetchedProject, PublicRecord } from '../../core/domain/record/represent.ts';
import { decisionBodies } from '../../core/domain/vocabulary.ts';
import type { Warning } from '../../core/domain/warnings.ts';
import type { Actor } from '../../core/search/actor.ts';
import { readBalance } from '../../core/search/charge.ts';
import { NO_DELIVERY } from '../../core/search/delivery.ts';
import { selectUnfiltered } from '../../core/search/select.ts';
import { toPublicRecords } from '../../core/search/servePage.ts';
import { environmentOf, type OperationAnswer, type ProjectServices } from '../../core/search/services.ts';
import { NOBODY } from '../../core/search/shownPeople.ts';
import type { MeetingDocument, MeetingDocumentStore } from '../../core/store/elastic/documents.ts';
import type { QuoteReader } from './quoteReader.ts';
import { deliverOne, findProject } from './read.ts';

/** What reads the documents in which quotes stand. */
export interface QuoteServices {
  documents: MeetingDocumentStore;
  quoteReader: QuoteReader;
}
export type EvidenceServices = ProjectServices & QuoteServices;

interface ProvenQuotes {
  proven: ProvenValue[];
  documents: ReadonlyMap<number, MeetingDocument>;
  /** documents that could not be read in time */
  unread: number;
}

interface ProjectEvidence {
  id: number;
  contentRevision: string;
  evidence: ReturnType<typeof showValue>[];
}

/** A reference to a document; only its id if it is not loaded. */
function makeReference(id: number, { decisionBody, title = null, meetingDate = null, url = null }: Partial<MeetingDocument> = {}) {
  const body = decisionBody ? (decisionBodies.find(decisionBody)?.token ?? null) : null;
  return publicDocumentReference({ meetingDocumentId: id, title, meetingDate, url, decisionBody: body });
}

const showValue = ({ field, value, quote, page, documentId }: ProvenValue, documents: ReadonlyMap<number, MeetingDocument>) => ({
  field,
  value,
  quote,
  page: page ?? null,
  document: makeReference(documentId, documents.get(documentId)),
  documentVersion: documents.get(documentId)?.version ?? null,
});

/** The quotes of a record that its documents say of its own case. @param record its full representation; fetched with `quotes` @throws ApiError */
export async function findProvenQuotes(
  { documents: store, quoteReader }: QuoteServices,
  project: FetchedProject,
  record: PublicRecord,
  signal?: AbortSignal,
): Promise<ProvenQuotes> {
  const stated = selectProvenValues(project.quotes ?? [], record, project.standard?.contacts ?? []);
  const documents = await store.readReferences([...new Set(stated.map(({ documentId }) => documentId))], signal, true);
  const quoted = Map.groupBy(stated, ({ documentId }) => documentId);
  const texts = [...quoted].flatMap(([documentId, quotes]) => {
    const text = documents.get(documentId)?.text;
    return text ? [{ documentId, text, quotes: quotes.map(({ quote }) => quote) }] : [];
  });
  const { said, unread } = await quoteReader.read(texts, caseNamesOf(record), signal);
  // Of a document that is not loaded the extraction is believed; one that could not be read proves nothing.
  const proven = stated.filter(({ quote, documentId }) => said.get(documentId)?.has(quote) ?? !documents.get(documentId)?.text);
  return { proven, documents, unread };
}

/**
 * `GET /projects/{id}/evidence`: quotes from the record's own hearing. Billed like a read of the record; free if the generation has no quote, since the answer then shows nothing
 * of the record.
 * @throws ApiError `resource_not_found`, also when the licence does not cover it; refusals of a read
 */
export async function readEvidence(services: EvidenceServices, actor: Actor, id: number): Promise<OperationAnswer<ProjectEvidence | null>> {
  const hit = await findProject(services, actor, id, 'full', { alsoFetch: ['quotes'] });
  const { project } = hit;
  const selection = selectUnfiltered(environmentOf(services).today);
  const found = { hits: [hit], selection, representation: 'full' as const };
  const [record] = toPublicRecords(found, actor.principal, services.publicUrl, NOBODY) as [PublicRecord];
  const { proven, documents, unread } = await findProvenQuotes(services, project, record, actor.signal);
  const warnings = makeUnreadWarnings(unread);
  const data = {
    id: project.id,
    contentRevision: project.contentRevision,
    evidence: proven.map((one) => showValue(one, documents)),
  };
  if (!proven.length) return { data, meta: { ...(await readBalance(services, actor)), delivery: NO_DELIVERY, warnings } };
  const { records, creditsUsed, creditsRemaining, delivery } = await deliverOne(services, actor, { id, request: `${id} evidence`, found });
  return { data: records.length ? data : null, meta: { creditsUsed, creditsRemaining, delivery, warnings } };
}

function makeUnreadWarnings(documents: number): Warning[] {
  if (!documents) return [];
  const some = documents === 1 ? '1 document' : `${documents} documents`;
  const message = `${some} could not be read in time: quotes from there are left out. Ask again later`;
  return [{ code: 'documents_unread', message, params: { documents } }];
}
