/** Turns the line of a project into writes. */
import type { ProjectStatement } from '../../src/core/domain/record/statement.ts';
import { hashLine } from '../read/lineHash.ts';
import { checkAll } from '../read/lineProblems.ts';
import { normaliseProject, requireStateAndUse, withIdentity } from '../read/normalise.ts';
import type { ProjectLine } from '../read/parseLine.ts';
import { listRemainingHearings, refuseUnmerge, withoutUnmerged } from './absorbed.ts';
import type { Write } from './bulkWrite.ts';
import type { StatedLine } from './lineBatches.ts';
import type { Load } from './loadContext.ts';
import { findKnownRecord, listUnmergedIds, type PreviousVersions } from './previousVersions.ts';
import { toStatement } from './projectContent.ts';
import { makeRecordVersion } from './projectDocument.ts';
import { checkQuotes } from './quotedDocuments.ts';
import { isRestated } from './restated.ts';
import { hideVersion, makeRemovalTrace, replaceRecord, toWriteContext } from './versionWrites.ts';

export type StatedProject = StatedLine & { line: ProjectLine };

/**
 * The canonical statement of a project line.
 * @throws UnusableStatement with every problem found by the catalogues, the current record and the quoted documents
 */
export function toProjectStatement(load: Load, { line, bad, key }: StatedProject, previous: PreviousVersions): ProjectStatement {
  const { projects, removals, texts } = previous;
  return checkAll({
    statement: () => normaliseProject(line, load.places),
    identity: () => !projects.has(key) && !removals.get(key)?.version.absorbed && requireStateAndUse(line, bad?.unreadable),
    unmerge: () => refuseUnmerge(line, findKnownRecord(key, previous)),
    quotes: () => checkQuotes(line, texts, bad?.unreadable),
  }).statement;
}

/** @throws UnusableStatement */
export function* makeProjectWrites(load: Load, stated: StatedProject, versions: PreviousVersions): Generator<Write> {
  const { number, key, line, hash, text } = stated;
  const { source, base, target, counts } = load;
  const previous = versions.projects.get(key);
  const removed = versions.removals.get(key);
  const held = base.isHeld ? previous : undefined;
  if (line.deleted) {
    if (removed?.version.absorbed) source.deletedMembers.add(Number(key));
    // A set that is filled from scratch just does not get the record.
    if (!previous) return;
    counts.deleted += 1;
    target.figures.noteLost(previous.version, undefined);
    yield makeRemovalTrace(target, previous.version);
    yield* replaceRecord(target, held, undefined);
    return;
  }
  const given = toProjectStatement(load, stated, versions);
  const before = findKnownRecord(key, versions);
  const named = listUnmergedIds(line);
  // Ids that were unmerged before are not unmerged again.
  const unmerge = named.filter((id) => previous?.version.compact.mergedFrom?.includes(id));
  for (const id of unmerge) source.unmerged.set(id, number);
  const replaced = {
    before,
    returns: !previous,
    withoutPast: !previous,
    quotes: line.evidence,
    // A line that unmerges records does so once.
    ...(named.length ? {} : { lineHash: hash, textHash: hashLine('', text) }),
    unmerge,
    servedBefore: removed?.version.servedRevisions,
    ...(before && unmerge.length ? { absorbedHearings: listRemainingHearings(before, unmerge, versions.removals) } : {}),
  };
  const served = before && toStatement(before);
  const statement = withIdentity(given, served && withoutUnmerged(served, unmerge));
  const after = makeRecordVersion(statement, replaced, toWriteContext(load));
  for (const collector of source.collectors) collector.addProject(statement, { line, text, served });
  if (previous && !after.unchanged) target.figures.noteLost(previous.version, after.version);
  counts.projects += 1;
  counts[previous === undefined ? 'added' : after.unchanged ? 'unchanged' : 'changed'] += 1;
  if (!previous || !base.keepsRestated || !isRestated(after.version, previous.version)) yield* replaceRecord(target, held, after);
  if (removed && base.isHeld) yield hideVersion(target, 'removals', removed);
}
