import type { ProjectStatement } from './project.ts';
import { BOOLEAN_EVIDENCE, NUMBER_EVIDENCE } from './storedProject.ts';

/** Share of the extracted attributes that a record states, 0 to 100 (served as `dataRichness`). */
export function dataRichness(statement: ProjectStatement): number {
  const attributes: readonly (keyof ProjectStatement)[] = [
    ...NUMBER_EVIDENCE,
    ...BOOLEAN_EVIDENCE,
    'lotCount',
    'summary',
    'statusSummary',
    'status',
    'requestType',
    'constructionType',
    'decisionBody',
    'decisionType',
    'existingZoning',
    'proposedZoning',
    'parcelNumbers',
    'parties',
    'contacts',
    'decisions',
    'meetingDocuments',
    'rawText',
  ];
  const stated = attributes.filter((key) => {
    const value = statement[key];
    return Array.isArray(value) ? value.length > 0 : value !== null && value !== undefined;
  });
  return Math.round((100 * stated.length) / attributes.length);
}
