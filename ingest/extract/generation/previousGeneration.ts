/** The generation before, of a full file and the increments behind it: a case that it states keeps its id, whatever the own id of this version would be. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { UserError } from '../../../src/terminal/program.ts';
import { openLines, UnreadableFile } from '../../read/openLines.ts';
import type { GenerationHeader, ProjectLine } from '../../read/parseLine.ts';
import { type CaseKey, type JoinedCase, listJoinKeys, readCaseKey } from './joinCases.ts';
import type { CaseHearing } from './types.ts';

type Header = Pick<GenerationHeader, 'generation' | 'mode' | 'extractedAt'>;
type Line = GenerationHeader | ProjectLine;

/** The header of a file, then its lines of records that are not deleted. */
async function* readLines(file: string): AsyncGenerator<Line> {
  const source = await openLines(file).catch((error: Error) => {
    throw error instanceof UnreadableFile ? new UserError(`--previous: ${error.message}`) : error;
  });
  let isHeaderRead = false;
  try {
    for await (const { number, text, problem } of source.lines) {
      if (text?.trim() === '') continue;
      const line = parseLine(text);
      if (!line) throw new UserError(`--previous: ${file}:${number}: ${problem ?? 'not a line of a generation'}`);
      if (!isHeaderRead && line.kind !== 'generation') break;
      isHeaderRead = true;
      if (line.kind === 'generation' || (line.kind === 'project' && !line.deleted)) yield line;
    }
  } finally {
    await source.close();
  }
  if (!isHeaderRead) throw new UserError(`--previous: ${file}: not a generation, which begins with a line {"kind": "generation", …}`);
}

function parseLine(text: string | undefined): Line | undefined {
  try {
    const line = JSON.parse(text ?? '') as Line;
    return typeof line.kind === 'string' ? line : undefined;
  } catch {
    return undefined;
  }
}

/** The header of a file that may be none. */
async function findHeader(file: string): Promise<Header | undefined> {
  try {
    for await (const line of readLines(file)) return line.kind === 'generation' ? line : undefined;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
  }
  return undefined;
}

/** An increment replaces records as a whole: it has to know what the generation states that it changes, with every increment since. */
export interface ChangedGeneration {
  generation: number;
  /** folder of the increment's own file: other increments are looked for there */
  folder: string;
}

export class PreviousGeneration {
  readonly #files: readonly string[];
  readonly #byKey = new Map<string, number>();
  readonly #headers: Header[] = [];
  #records = 0;
  #recordsOfPlaces = 0;

  private constructor(files: readonly string[]) {
    this.#files = files;
  }

  /**
   * @param files a full generation, and the increments of it in their order @param places of the bodies @param changed by an increment
   * @throws UserError if a file is none, or of other places, or if one is missing
   */
  static async read(files: readonly string[], places: ReadonlySet<string>, changed?: ChangedGeneration): Promise<PreviousGeneration> {
    const previous = new PreviousGeneration(files);
    for (const file of files) for await (const line of readLines(file)) previous.#add(line, file, places);
    if (previous.#records && !previous.#recordsOfPlaces)
      throw new UserError(
        `--previous: ${files.join(', ')}: no record is of a city or county of --bodies; is it the generation of other bodies?`,
      );
    if (changed) await previous.#refuseMissing(changed);
    return previous;
  }

  #add(line: Line, file: string, places: ReadonlySet<string>): void {
    if (line.kind === 'generation') {
      this.#refuseWrongOrder(line, file);
      this.#headers.push(line);
      return;
    }
    const key = readCaseKey(line, line, 0);
    this.#records += 1;
    if (places.has(key.place)) this.#recordsOfPlaces += 1;
    for (const [joins] of listJoinKeys(key)) if (!this.#byKey.has(joins)) this.#byKey.set(joins, line.id);
  }

  #refuseWrongOrder({ generation, mode, extractedAt }: Header, file: string): void {
    const [first] = this.#headers;
    const last = this.#headers.at(-1);
    const isInPlace = first ? mode === 'increment' && generation === first.generation : mode === 'full';
    if (!isInPlace)
      throw new UserError(
        `--previous: ${file}: it is ${mode === 'full' ? 'the full file' : 'an increment'} of generation ${generation}, and should be ${
          first ? `an increment of generation ${first.generation}` : 'the full file of a generation'
        }: name the full file first, then each increment of it, in their order`,
      );
    if (last && Date.parse(extractedAt) < Date.parse(last.extractedAt))
      throw new UserError(`--previous: ${file}: it is older than the file before it; name increments in their order`);
  }

  async #refuseMissing({ generation, folder }: ChangedGeneration): Promise<void> {
    const own = this.#headers[0]?.generation;
    if (own !== generation)
      throw new UserError(
        `--previous: ${this.#files[0]}: it is generation ${own}; an increment of ${generation} needs the full file of ${generation}`,
      );
    const named = new Set(this.#files.map((file) => path.resolve(file)));
    for (const place of new Set([folder, ...this.#files.map(path.dirname)].map((one) => path.resolve(one))))
      for (const name of (await readdir(place)).sort()) {
        const file = path.join(place, name);
        const header = /\.ndjson(?:\.gz)?$/.test(name) && !named.has(file) ? await findHeader(file) : undefined;
        if (header?.mode === 'increment' && header.generation === generation)
          throw new UserError(
            `${file} is an increment of generation ${generation}, too: name it behind the full file with a --previous of its own, or its hearings would be lost; if it was never loaded, move it away.`,
          );
      }
  }

  /** Ids that the members of a project had, the first by its strongest key. */
  find({ members }: Pick<JoinedCase, 'members'>): number[] {
    const keys = members.flatMap((member: CaseKey) => listJoinKeys(member));
    const strong = keys.filter(([, reason]) => reason === 'same_case_number');
    const findIds = (some: typeof keys) => [...new Set(some.flatMap(([key]) => this.#byKey.get(key) ?? []))];
    const numbered = findIds(strong);
    return numbered.length ? numbered : findIds(keys).slice(0, 1);
  }

  /** What was stated last of some records, as a hearing before all others. */
  async readHearings(ids: ReadonlySet<number>): Promise<Map<number, CaseHearing>> {
    const found = new Map<number, CaseHearing>();
    for (const file of this.#files)
      for await (const line of readLines(file)) {
        if (line.kind !== 'project' || !ids.has(line.id)) continue;
        const { kind: _, id, deleted: __, evidence, unmerge: ___, mergedFrom: ____, ...statement } = line;
        found.set(id, {
          file: '',
          kind: statement.status === 'pending' ? 'agenda' : 'minutes',
          date: statement.meetingDate ?? null,
          decisionBody: statement.decisionBody ?? '',
          statement,
          quotes: evidence ?? [],
        });
      }
    return found;
  }
}
