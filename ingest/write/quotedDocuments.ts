/**
 * Checks quotes of project lines against their documents: those stated earlier in the file, and those loaded before. A document that follows a
 * line which quotes it is refused, since its text was not known when the quote was checked.
 */
import type { Client } from '@elastic/elasticsearch';
import type { DocumentQuote } from '../../src/core/domain/record/quotes.ts';
import type { IndexNames, Kind } from '../../src/core/store/elastic/indices.ts';
import { checkEach, makeUnusableStatement } from '../read/lineProblems.ts';
import type { DocumentLine, ProjectLine } from '../read/parseLine.ts';
import { findByKey, type StoredVersion } from '../read/versions.ts';
import type { GenerationSet } from './generationSets.ts';

/** Characters of text kept in memory, of the newest documents of the file: more than can be in flight to Elasticsearch. */
const KEPT_CHARACTERS = 32 * 1024 * 1024;
const SHOWN_CHARACTERS = 60;

/** Texts by document id; null for a document without a text. A document that is not loaded is absent. */
export type DocumentTexts = ReadonlyMap<number, string | null>;

/** Where documents are read: those that this load has written, and those of its base. */
interface Written {
  client: Client;
  names: IndexNames;
  base: { set: GenerationSet | undefined };
  /** the load */
  target: { number: number; writing: (kind: Kind) => string };
}

interface StoredDocument extends StoredVersion {
  content?: { text?: string | null };
}

export class QuotedDocuments {
  readonly #kept = new Map<number, string | null>();
  #characters = 0;
  /** ids of documents that the file has stated so far, without those that are loaded unchanged */
  readonly #stated = new Set<number>();
  /** ids of documents that were quoted before the file stated them, if it does, with the number of the first quoting line */
  readonly #quotedFrom = new Map<number, number>();

  /** Notes a document that the file states and that is not loaded unchanged. */
  noteStated({ id, text = null }: DocumentLine): void {
    this.#stated.add(id);
    this.#kept.set(id, text);
    this.#characters += text?.length ?? 0;
    for (const [oldest, known] of this.#kept) {
      if (this.#characters <= KEPT_CHARACTERS) return;
      this.#kept.delete(oldest);
      this.#characters -= known?.length ?? 0;
    }
  }

  /** Whether the file has stated one of these documents with a change. */
  haveChanged(ids: readonly number[]): boolean {
    return ids.some((id) => this.#stated.has(id));
  }

  /** Notes documents that a line quotes and that the file has not stated so far. */
  noteQuoted(ids: readonly number[], line: number): void {
    for (const id of ids) if (!this.#quotedFrom.has(id)) this.#quotedFrom.set(id, line);
  }

  /** The known texts of the documents that these lines quote. */
  async readTexts(load: Written, lines: readonly { number: number; quotes: readonly DocumentQuote[] }[]): Promise<DocumentTexts> {
    const texts = new Map<number, string | null>();
    const wanted = new Map(lines.flatMap(({ number, quotes }) => quotes.map(({ documentId }) => [documentId, number] as const)));
    for (const id of wanted.keys()) if (this.#kept.has(id)) texts.set(id, this.#kept.get(id) ?? null);
    const others = [...wanted.keys()].filter((id) => !texts.has(id));
    for (const id of others) if (!this.#stated.has(id)) this.noteQuoted([id], wanted.get(id) ?? 0);
    const stated = others.filter((id) => this.#stated.has(id));
    for (const [id, text] of await readWrittenTexts(load, stated)) texts.set(id, text);
    // A stated document that equals the loaded one was not written.
    const unwritten = others.filter((id) => !texts.has(id));
    for (const [id, text] of await readLoadedTexts(load, unwritten)) texts.set(id, text);
    return texts;
  }

  /** @throws UnusableStatement for a document that an earlier line quotes */
  refuseLate({ id }: DocumentLine): void {
    const line = this.#quotedFrom.get(id);
    if (line !== undefined)
      throw makeUnusableStatement(
        'a project line before it quotes it; documents come before what quotes them',
        `line ${line} quotes document ${id} before it is stated; documents come before what quotes them`,
      );
  }
}

const textOf = ({ content }: StoredDocument) => content?.text ?? null;

/** Reads texts that this load has written so far, even if they are not searchable yet. @throws Error if one that may be there cannot be read */
async function readWrittenTexts(load: Written, ids: readonly number[]): Promise<[number, string | null][]> {
  if (!ids.length) return [];
  const { docs } = await load.client.mget<StoredDocument>({
    index: load.target.writing('documents'),
    ids: ids.map((id) => `${id}:${load.target.number}`),
    _source: ['key', 'content.text'],
  });
  const found = docs.flatMap((doc) => {
    if ('error' in doc) throw new Error(`Document ${doc._id} cannot be read: ${doc.error.reason}`);
    return doc._source ? [doc._source] : [];
  });
  return found.map((version) => [Number(version.key), textOf(version)]);
}

async function readLoadedTexts(load: Written, ids: readonly number[]): Promise<[number, string | null][]> {
  const { client, names, base } = load;
  if (!ids.length || !base.set) return [];
  const keys = ids.map(String);
  const found = await findByKey<StoredDocument>(client, names.completeAlias('documents', base.set), keys, [], ['key', 'content.text']);
  return [...found.values()].map(({ version }) => [Number(version.key), textOf(version)]);
}

/**
 * Checks that a line states the values that its quotes prove, and that the documents contain the quotes.
 * @param unreadable fields of the line with unreadable values
 * @throws UnusableStatement
 */
export function checkQuotes(line: ProjectLine, texts: DocumentTexts, unreadable: ReadonlySet<string> = new Set()): void {
  checkEach(line.evidence ?? [], ({ field, quote, documentId }) => {
    if (!unreadable.has(field) && (line[field] ?? null) === null)
      throw makeUnusableStatement(
        `evidence names ${field}, which the line does not state`,
        `evidence names ${field}, which the line does not state`,
      );
    const text = texts.get(documentId) ?? null;
    if (text !== null && !text.includes(quote))
      throw makeUnusableStatement(
        `evidence of ${field} is not in its document`,
        `evidence of ${field} is not in document ${documentId}: '${quote.slice(0, SHOWN_CHARACTERS)}'`,
      );
  });
}
