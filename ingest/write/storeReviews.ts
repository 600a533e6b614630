/** Stores what people found who compared values with the minutes, each with the body whose minutes state the value. */
import type { Client } from '@elastic/elasticsearch';
import { makeBodyKey } from '../../src/core/domain/record/bodyMeetings.ts';
import { STATED_NAMES } from '../../src/core/domain/record/fields.ts';
import type { StoredProject } from '../../src/core/domain/record/storedProject.ts';
import type { LineageStore } from '../../src/core/store/postgres/lineageStore.ts';
import type { ReviewLine } from '../read/parseLine.ts';
import { findByKey } from '../read/versions.ts';
import { toStatement } from './projectContent.ts';

interface ReviewTarget {
  client: Client;
  lineage: () => Promise<LineageStore>;
}

const FIELDS: ReadonlySet<string> = new Set(STATED_NAMES);

/** The body of the document that the value is quoted from, else the record's own; null if neither is known. */
function findBodyKey({ quotes = [], ...stored }: StoredProject, field: string): string | null {
  const { stateId, countyId = null, cityId = null, decisionBody, meetingDocuments } = toStatement(stored);
  const quoted = quotes.findLast((one) => one.field === field)?.documentId;
  const body = meetingDocuments?.find(({ meetingDocumentId }) => meetingDocumentId === quoted)?.decisionBody ?? decisionBody;
  return stateId && body ? makeBodyKey({ stateId, countyId, cityId, body }) : null;
}

/**
 * @param index of the records whose values were reviewed
 * @returns how many were stored; those of records that are not there, and of fields that no record has, are left out
 */
export async function storeReviews(
  { client, lineage }: ReviewTarget,
  index: string,
  { header, reviews }: { header: { generation: number }; reviews: readonly ReviewLine[] },
): Promise<number> {
  if (!reviews.length) return 0;
  const records = await findByKey<StoredProject>(client, index, [...new Set(reviews.map(({ projectId }) => String(projectId)))]);
  const known = reviews.flatMap(({ projectId, field, right, reviewedAt }) => {
    const record = records.get(String(projectId))?.version;
    return record && FIELDS.has(field) ? [{ projectId, field, right, reviewedAt, bodyKey: findBodyKey(record, field) }] : [];
  });
  await (await lineage()).reviews.add(header.generation, known);
  return known.length;
}
