import type { StoredProject } from '../../src/core/domain/record/storedProject.ts';
import { stems } from '../../src/core/domain/stems.ts';
import type { Kind } from '../../src/core/store/elastic/indices.ts';
import type { StoredVersion } from '../read/versions.ts';
import { searchedOf } from './projectDocument.ts';

/** What is indexed besides a version of a kind other than projects: of a source document its words, which are never kept a second time. */
export function indexedFlat(kind: Kind, version: StoredVersion): Record<string, unknown> | undefined {
  if (kind !== 'documents') return undefined;
  const { content } = version as StoredVersion & { content?: { text?: string | null } };
  return content?.text ? { prose: stems(content.text) } : undefined;
}

/** What is indexed besides a version of any kind. @param today `YYYY-MM-DD`, service clock */
export const indexedOf = (kind: Kind, version: StoredVersion, today: string): Record<string, unknown> | undefined =>
  kind === 'projects' ? searchedOf(version as StoredProject, today) : indexedFlat(kind, version);
