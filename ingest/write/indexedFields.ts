import type { StoredProject } from '../../src/core/domain/record/storedProject.ts';
import { stemText } from '../../src/core/domain/stems.ts';
import type { Kind } from '../../src/core/store/elastic/indices.ts';
import type { StoredVersion } from '../read/versions.ts';
import { searchedFieldsOf } from './projectDocument.ts';

type Fields = Record<string, unknown> | undefined;

/** What is indexed besides a version, and follows from it: made when the version is sent, here or on another thread. */
export interface IndexedFields {
  kind: Kind;
  /** `YYYY-MM-DD`, service clock */
  today: string;
  /** makes it here, of what is known of the version already */
  make: () => Fields;
}

/** What is indexed besides a version of a kind other than projects: of a source document its words, which are never kept a second time. */
export function flatFieldsOf(kind: Kind, version: StoredVersion): Fields {
  if (kind !== 'documents') return undefined;
  const { content } = version as StoredVersion & { content?: { text?: string | null } };
  return content?.text ? { prose: stemText(content.text) } : undefined;
}

const fieldsOf = (kind: Kind, version: StoredVersion, today: string): Fields =>
  kind === 'projects' ? searchedFieldsOf(version as StoredProject, today) : flatFieldsOf(kind, version);

/**
 * What is indexed besides a version of any kind; undefined where nothing is.
 * @param today `YYYY-MM-DD`, service clock
 * @param make a quicker way to the same, where more is known than the version
 */
export function toIndexedFields(
  kind: Kind,
  version: StoredVersion,
  today: string,
  make = () => fieldsOf(kind, version, today),
): IndexedFields | undefined {
  return kind === 'projects' || kind === 'documents' ? { kind, today, make } : undefined;
}

/** A document as it is sent. @param text the version as JSON */
export function joinDocument(text: string, fields: Fields): string {
  const more = fields && JSON.stringify(fields);
  return more && more !== '{}' ? `${text.slice(0, -1)},${more.slice(1)}` : text;
}

/** The same of a version that is known as JSON alone. */
export const makeDocument = (text: string, kind: Kind, today: string): string =>
  joinDocument(text, fieldsOf(kind, JSON.parse(text) as StoredVersion, today));
