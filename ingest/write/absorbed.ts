/** The state of an absorbed record, stored so that a wrong merge can be undone (src/docs/loading-data.md). Pure. */

import { collectHearings } from '../../src/core/domain/process/hearings.ts';
import type { ProjectStatement } from '../../src/core/domain/record/statement.ts';
import type { StoredProject } from '../../src/core/domain/record/storedProject.ts';
import { type LineProblem, UnusableStatement } from '../read/lineProblems.ts';
import type { Found, StoredVersion } from '../read/versions.ts';
import type { LoadSource } from './loadContext.ts';
import { distinct } from './matchedEvidence.ts';
import { toStatement } from './projectContent.ts';

/** A record as it was when another absorbed it. */
export interface Absorbed {
  /** generation that was loaded when it was absorbed; it states the record, unless the record is uncovered */
  generation: number;
  /** every hearing that it has contributed to the family, ascending */
  hearings: string[];
  project: StoredProject;
}

/** @param before the earlier state of the same record in the same family; unchanged content keeps its time of change even if another line states it */
export const toAbsorbed = ({ header }: LoadSource, project: StoredProject, before: Absorbed | undefined): Absorbed => ({
  generation: header.generation,
  hearings: distinct([...(before?.hearings ?? []), ...(project.hearings ?? collectHearings(toStatement(project)))]).sort(),
  project: before?.project.contentRevision === project.contentRevision ? { ...project, ...pickStamps(before.project) } : project,
});

const pickStamps = ({ loadedIn, lastUpdated }: StoredProject) => ({ loadedIn, lastUpdated });

/** The absorbed record by itself, without records that it had absorbed: what a new statement of it is compared with. */
export const toStandaloneProject = ({ project }: Absorbed): StoredProject => ({
  ...project,
  compact: { ...project.compact, mergedFrom: [project.id] },
});

/**
 * Checks the ids in a line's `unmerge`.
 * @param known the current record; ids that it has unmerged before may be repeated
 * @throws UnusableStatement
 */
export function refuseUnmerge(
  { id, mergedFrom, unmerge }: { id: number; mergedFrom?: readonly number[] | null; unmerge?: readonly number[] | null },
  known: StoredProject | undefined,
): void {
  const members = known?.compact.mergedFrom ?? [];
  const problems = (unmerge ?? []).flatMap((one): LineProblem[] => {
    if (mergedFrom?.includes(one))
      return [{ fault: 'mergedFrom and unmerge name one id', reason: `mergedFrom and unmerge both name ${one}` }];
    if (one !== id && (members.includes(one) || known?.gaveBack?.includes(one))) return [];
    const fault = 'unmerge names an id that the record has not absorbed';
    return [
      {
        fault,
        reason: `unmerge names ${one}, which project ${id} has not absorbed${members.length > 1 ? `: it has ${describeMembers(id, members)}` : ''}`,
      },
    ];
  });
  if (problems.length) throw new UnusableStatement(...problems);
}

const MEMBERS_NAMED = 10;

const describeMembers = (id: number, members: readonly number[]) => {
  const others = members.filter((member) => member !== id);
  return others.slice(0, MEMBERS_NAMED).join(', ') + (others.length > MEMBERS_NAMED ? ', …' : '');
};

/** A statement without the members that a line unmerges. */
export function withoutUnmerged(before: ProjectStatement, unmerge: readonly number[]): ProjectStatement {
  return { ...before, mergedFrom: (before.mergedFrom ?? [before.id]).filter((member) => !unmerge.includes(member)) };
}

/** Hearings contributed by the remaining members; undefined if one of them was never a record of its own, so that the family keeps all. */
export function listRemainingHearings(
  { id, compact }: StoredProject,
  unmerge: readonly number[],
  traces: ReadonlyMap<string, Found<StoredVersion & { absorbed?: Absorbed }>>,
): string[] | undefined {
  const rest = (compact.mergedFrom ?? []).filter((member) => member !== id && !unmerge.includes(member));
  const brought = rest.map((member) => traces.get(String(member))?.version.absorbed?.hearings);
  return brought.every((dates) => dates !== undefined) ? distinct(brought.flat()).sort() : undefined;
}
