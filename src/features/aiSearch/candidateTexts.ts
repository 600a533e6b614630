/** The texts of a record that may be quoted: its own texts and fields as they are served, and its documents. Pure. */

import { caseNamesOf } from '../../core/domain/cases/caseNames.ts';
import type { FetchedProject, PublicRecord } from '../../core/domain/record/represent.ts';
import type { Facts } from './explainMatch.ts';
import type { RecordTexts, SourceText } from './question/index.ts';

/** Latest documents of a record that are read. */
const DOCUMENTS_MAX = 20;

/** Documents that a record names, the newest first. */
export function documentIdsOf({ standard = {}, full = {} }: FetchedProject): number[] {
  const listed = [...(full.meetingDocuments ?? [])]
    .sort((a, b) => (b.meetingDate ?? '').localeCompare(a.meetingDate ?? ''))
    .map(({ meetingDocumentId }) => meetingDocumentId);
  return [...new Set([...(standard.meetingDocumentId ? [standard.meetingDocumentId] : []), ...listed])].slice(0, DOCUMENTS_MAX);
}

export const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const texts = (value: unknown): string[] => [value].flat().filter(isText);

/** Fields whose value is a text or a list of texts. */
const FIELDS = [
  ...['projectName', 'displayName', 'address', 'statusLabel', 'propertyTypeLabel', 'propertySubtypeLabel', 'assetClassLabel'],
  ...['requestTypeLabel', 'constructionTypeLabel', 'decisionBodyLabel', 'decisionTypeLabel', 'actionTypeLabel', 'existingZoning'],
  ...['proposedZoning', 'staffRecommendation', 'conditionsOfApproval', 'caseNumbers', 'parcelNumbers'],
] as const;

const named = (value: unknown): string[] => (Array.isArray(value) ? value.flatMap(({ name }) => texts(name)) : []);

/** @param record the full representation, as the service shows it @param documents texts of its documents by their ids */
export function candidateOf(record: PublicRecord, documents: ReadonlyMap<number, string>): RecordTexts {
  const own = (source: 'summary' | 'rawText', ...fields: string[]): SourceText[] =>
    [...new Set(fields.flatMap((field) => texts(record[field])))].map((text) => ({ source, documentId: null, text }));
  const field = (name: string, values: readonly string[]): SourceText[] =>
    values.map((text) => ({ source: 'field', documentId: null, text, field: name }));
  return {
    projectId: String(record.id),
    names: caseNamesOf(record),
    texts: [
      ...own('summary', 'summary', 'statusSummary'),
      ...own('rawText', 'rawText', 'originalRawText'),
      ...FIELDS.flatMap((name) => field(name, texts(record[name]))),
      ...field('parties', named(record.parties)),
      ...[...documents].map(([id, text]): SourceText => ({ source: 'document', documentId: String(id), text })),
    ],
  };
}

const textOrNull = (value: unknown) => (isText(value) ? value : null);

export const factsOf = (record: PublicRecord): Facts => ({
  projectName: textOrNull(record.displayName) ?? textOrNull(record.projectName),
  city: textOrNull(record.city),
  state: textOrNull(record.state),
  propertyTypeLabel: textOrNull(record.propertyTypeLabel),
  statusLabel: textOrNull(record.statusLabel),
  meetingDate: textOrNull(record.meetingDate),
});
