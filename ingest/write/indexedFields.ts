import type { StoredProject } from '../../src/core/domain/record/storedProject.ts';
import { stemText } from '../../src/core/domain/stems.ts';
import type { Kind } from '../../src/core/store/elastic/indices.ts';
import type { StoredVersion } from '../read/versions.ts';
import { makeSearchedFields } from './projectDocument.ts';

type Fields = Record<string, unknown> | undefined;

/** Fields that are derived from a version and indexed with it. They are made when the version is sent, on this thread or another. */
export interface IndexedFields {
  kind: Kind;
  /** `YYYY-MM-DD`, service clock */
  today: string;
  /** makes the fields on this thread, from what has been computed already */
  make: () => Fields;
}

/** The derived fields of a kind other than projects: the words of a source document, which are indexed but not stored again. */
export function makeFlatFields(kind: Kind, version: StoredVersion): Fields {
  if (kind !== 'documents') return undefined;
  const { content } = version as StoredVersion & { content?: { text?: string | null } };
  return content?.text ? { prose: stemText(content.text) } : undefined;
}

const makeFields = (kind: Kind, version: StoredVersion, today: string): Fields =>
  kind === 'projects' ? makeSearchedFields(version as StoredProject, today) : makeFlatFields(kind, version);

/**
 * The derived fields of a version of any kind; undefined if there are none.
 * @param today `YYYY-MM-DD`, service clock
 * @param make a faster way to make the same fields, if intermediate results are at hand
 */
export function toIndexedFields(
  kind: Kind,
  version: StoredVersion,
  today: string,
  make = () => makeFields(kind, version, today),
): IndexedFields | undefined {
  return kind === 'projects' || kind === 'documents' ? { kind, today, make } : undefined;
}

/** Joins a version and its derived fields into the document that is sent. @param text the version as JSON */
export function joinDocument(text: string, fields: Fields): string {
  const more = fields && JSON.stringify(fields);
  return more && more !== '{}' ? `${text.slice(0, -1)},${more.slice(1)}` : text;
}

/** Makes the document from a version given as JSON only. */
export const makeDocument = (text: string, kind: Kind, today: string): string =>
  joinDocument(text, makeFields(kind, JSON.parse(text) as StoredVersion, today));
