import type { StoredProject } from '../../src/domain/record/storedProject.ts';
import { stems } from '../../src/domain/stems.ts';
import type { Kind } from '../../src/store/elastic/indices.ts';
import type { StoredVersion } from '../sets/versions.ts';
import { toDocument } from './projectDocument.ts';

/** What is indexed of a version of a kind other than projects: of a source document its text, too, which is never kept a second time. */
export function indexed(kind: Kind, version: StoredVersion): Record<string, unknown> {
  if (kind !== 'documents') return { ...version };
  const { content } = version as StoredVersion & { content?: { text?: string | null } };
  return { ...version, prose: content?.text ? stems(content.text) : undefined };
}

/** The document to index of a version of any kind. @param today `YYYY-MM-DD`, service clock */
export const documentOf = (kind: Kind, version: StoredVersion, today: string): Record<string, unknown> =>
  kind === 'projects' ? toDocument(version as StoredProject, today) : indexed(kind, version);
