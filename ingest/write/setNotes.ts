/**
 * Notes about a set of indices, stored in the mapping of its projects: the commit with which it was compared, the version that made it, and
 * its figures.
 */
import type { Client } from '@elastic/elasticsearch';
import { SEARCHED_FIELDS } from '../../src/core/store/elastic/mappedFields.ts';
import type { Figures } from './figures.ts';

interface Notes {
  /** commit of the set with which its records were compared when it was loaded; null for the first set */
  base?: number | null;
  /** `SEARCHED_FIELDS` of the program that made it */
  fields?: string;
  /** figures of the generation by commit: of the newest commit, and of one that is about to be made */
  figures?: Record<string, Figures>;
}

/** The newest figures up to a commit, with the commit to which they belong; empty if there are none. */
function findFigures(commit: number, { figures = {} }: Notes): [commit?: string, figures?: Figures] {
  const known = Object.entries(figures).filter(([key]) => Number(key) <= commit);
  return known.sort(([a], [b]) => Number(a) - Number(b)).at(-1) ?? [];
}

export class SetNotes {
  readonly #client: Client;
  readonly #index: string;

  /** @param index of the set's projects */
  constructor(client: Client, index: string) {
    this.#client = client;
    this.#index = index;
  }

  /** The notes of a new set. */
  static makeInitial(base: number | null): Notes {
    return { base, fields: SEARCHED_FIELDS };
  }

  /** Replaces the notes of a copy, which are those of its original. */
  async begin(base: number): Promise<void> {
    await this.#write(SetNotes.makeInitial(base));
  }

  async readBase(): Promise<number | undefined> {
    return (await this.#read()).base ?? undefined;
  }

  async isOfThisVersion(): Promise<boolean> {
    return (await this.#read()).fields === SEARCHED_FIELDS;
  }

  async readFigures(commit: number): Promise<Figures> {
    const [, figures] = findFigures(commit, await this.#read());
    if (!figures) throw new Error(`The index ${this.#index} has lost the figures of its generation: load the generation again`);
    return figures;
  }

  /**
   * Keeps the figures of a commit that is about to be made.
   * @param followed the commit before it, whose figures are kept too, since the new commit may still fail
   */
  async keepFigures(followed: number | undefined, commit: number, figures: Figures): Promise<void> {
    const notes = await this.#read();
    const [before, kept] = followed === undefined ? [] : findFigures(followed, notes);
    await this.#write({ ...notes, figures: { ...(before && kept ? { [before]: kept } : {}), [commit]: figures } });
  }

  /** Drops figures of loads that were given up; call it before a commit without figures of its own, which would otherwise take theirs. */
  async dropFiguresAfter(committed: number): Promise<void> {
    const notes = await this.#read();
    const [commit, kept] = findFigures(committed, notes);
    if (commit && kept && Object.keys(notes.figures ?? {}).some((key) => Number(key) > committed))
      await this.#write({ ...notes, figures: { [commit]: kept } });
  }

  async #write(notes: Notes): Promise<void> {
    await this.#client.indices.putMapping({ index: this.#index, _meta: { ...notes } });
  }

  async #read(): Promise<Notes> {
    const found = await this.#client.indices.getMapping({ index: this.#index, filter_path: '*.mappings._meta' });
    return (found[this.#index]?.mappings?._meta as Notes | undefined) ?? {};
  }
}
