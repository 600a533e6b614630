/** Ids of the generation before: a case that it states keeps its id, whatever the own id of this version would be. */

import { UserError } from '../../../src/terminal/program.ts';
import { openLines, UnreadableFile } from '../../read/openLines.ts';
import type { ProjectLine } from '../../read/parseLine.ts';
import { type CaseKey, type JoinedCase, listJoinKeys, readCaseKey } from './joinCases.ts';
import type { CaseHearing } from './types.ts';

export class PreviousIds {
  readonly #byKey = new Map<string, number>();

  /** @throws UserError if the file is none, or a line is not JSON */
  static async read(file: string): Promise<PreviousIds> {
    const previous = new PreviousIds();
    for await (const line of readProjects(file)) {
      const key = readCaseKey(line, line, 0);
      for (const [joins] of listJoinKeys(key)) if (!previous.#byKey.has(joins)) previous.#byKey.set(joins, line.id);
    }
    return previous;
  }

  /** Ids that the members of a project had, the first by its strongest key. */
  find({ members }: Pick<JoinedCase, 'members'>): number[] {
    const keys = members.flatMap((member: CaseKey) => listJoinKeys(member));
    const strong = keys.filter(([, reason]) => reason === 'same_case_number');
    const findIds = (some: typeof keys) => [...new Set(some.flatMap(([key]) => this.#byKey.get(key) ?? []))];
    const numbered = findIds(strong);
    return numbered.length ? numbered : findIds(keys).slice(0, 1);
  }
}

/** Lines of records; a line that deletes one is left out. */
async function* readProjects(file: string): AsyncGenerator<ProjectLine> {
  const source = await openLines(file).catch((error: Error) => {
    throw error instanceof UnreadableFile ? new UserError(`--previous: ${error.message}`) : error;
  });
  try {
    for await (const { number, text, problem } of source.lines) {
      if (text?.trim() === '') continue;
      const line = parseLine(text);
      if (!line) throw new UserError(`--previous: ${file}:${number}: ${problem ?? 'not a line of a generation'}`);
      if (line.kind === 'project' && !line.deleted) yield line;
    }
  } finally {
    await source.close();
  }
}

function parseLine(text: string | undefined): ProjectLine | undefined {
  try {
    const line = JSON.parse(text ?? '') as ProjectLine;
    return typeof line.kind === 'string' ? line : undefined;
  } catch {
    return undefined;
  }
}

/** What the generation before states of some records, as a hearing before all others: an increment replaces a record as a whole. */
export async function readPreviousHearings(file: string, ids: ReadonlySet<number>): Promise<Map<number, CaseHearing>> {
  const found = new Map<number, CaseHearing>();
  if (!ids.size) return found;
  for await (const line of readProjects(file)) {
    if (!ids.has(line.id)) continue;
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
