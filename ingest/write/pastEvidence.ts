/**
 * What a version keeps of the statements that it replaces, and of the records that it absorbs. Hearings of a family count with what it states now,
 * not with what is kept of earlier statements. Pure.
 */
import {
  type AbsorbedRecord,
  type PastEvidence,
  type StoredEvidence,
  type StoredProject,
  TEXT_EVIDENCE,
  type TextAttribute,
  type ValueAttribute,
} from '../../src/core/domain/record/storedProject.ts';
import { LoadRefused } from '../loadRefused.ts';
import { evidenceOf, uniteEvidence } from './evidence.ts';
import { toStatement } from './projectContent.ts';

export const NO_EVIDENCE: StoredEvidence = { values: {}, texts: {}, decided: false };

/** What earlier generations stated of a record itself. @param current evidence of its statement @throws LoadRefused where an early version kept it */
export function pastEvidenceOf(stored: StoredProject, current: StoredEvidence): StoredEvidence {
  const { past } = stored;
  if (!past) return NO_EVIDENCE;
  const { values = {}, texts = {}, decided, again = [] } = past;
  if (decided === undefined)
    throw new LoadRefused(
      `Project ${stored.id} keeps evidence in the form of early versions. Load the newest full generation once with the version before this one, then go on with this one. Nothing was changed`,
    );
  return uniteEvidence([{ values, texts, decided }, ...(again.length ? [pickAttributes(current, again)] : [])]);
}

/** What is left of a statement once it is an earlier one: a list without entries, such as no case numbers, says nothing then. */
export function dropEmptyLists({ values, texts, decided }: StoredEvidence): StoredEvidence {
  const filled = <T extends object>(lists: T) => Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)) as T;
  return { values: filled(values), texts: filled(texts), decided };
}

const textKeys: ReadonlySet<string> = new Set(TEXT_EVIDENCE);

function pickAttributes({ values, texts }: StoredEvidence, attributes: readonly string[]): StoredEvidence {
  const part: StoredEvidence = { values: {}, texts: {}, decided: false };
  for (const key of attributes) {
    if (textKeys.has(key)) part.texts[key as TextAttribute] = texts[key as TextAttribute] ?? [];
    else part.values[key as ValueAttribute] = values[key as ValueAttribute] ?? [];
  }
  return part;
}

/** The form in which evidence of earlier generations is kept with a statement: what both say is kept once. */
export function toPastEvidence(past: StoredEvidence, current: StoredEvidence): PastEvidence | undefined {
  const again: string[] = [];
  const rest = <T>(all: Record<string, T[]>, stated: Record<string, T[]>): Record<string, T[]> => {
    const beyond: Record<string, T[]> = {};
    for (const [key, values] of Object.entries(all)) {
      const now = stated[key] ?? [];
      const known = new Set(values);
      const both = now.length > 0 && now.every((value) => known.has(value));
      if (both) again.push(key);
      const others = both ? values.filter((value) => !now.includes(value)) : values;
      if (others.length) beyond[key] = others;
    }
    return beyond;
  };
  const values = rest(past.values, current.values);
  const texts = rest(past.texts, current.texts);
  if (!again.length && !past.decided && !Object.keys(values).length && !Object.keys(texts).length) return undefined;
  return { values, texts, decided: past.decided, ...(again.length ? { again: again.sort() } : {}) };
}

/** What a version leaves to the one that replaces it. */
interface Inheritance {
  past: StoredEvidence;
  absorbed: AbsorbedRecord[];
}

/**
 * @param opensGeneration the replacing version begins a new generation, so that what is stated now is of an earlier one; otherwise it
 *   replaces what its own generation stated
 * @param restated evidence of the replacing statement, where that is the same as what it replaces
 */
export function inheritEvidence(before: StoredProject | undefined, opensGeneration: boolean, restated?: StoredEvidence): Inheritance {
  if (!before) return { past: NO_EVIDENCE, absorbed: [] };
  const absorbed = before.absorbed ?? [];
  if (!opensGeneration && !before.past?.again) return { past: pastEvidenceOf(before, NO_EVIDENCE), absorbed };
  const current = restated ?? evidenceOf(toStatement(before), before.hearings);
  const past = pastEvidenceOf(before, current);
  if (!opensGeneration) return { past, absorbed };
  const stated = before.hearings ? evidenceOf(toStatement(before)) : current;
  return {
    past: dropEmptyLists(uniteEvidence([past, stated])),
    absorbed: absorbed.map(({ id, now, past: older }) => ({ id, past: dropEmptyLists(uniteEvidence([older, now])) })),
  };
}

/**
 * The absorbed records of a survivor that absorbs some more. What one of them states itself goes before what a family has of it.
 * @param isEarlier true of a member that states now what an earlier generation stated
 */
export function absorbMembers(
  absorbed: readonly AbsorbedRecord[],
  members: readonly StoredProject[],
  isEarlier: (member: StoredProject) => boolean,
): AbsorbedRecord[] {
  const byId = new Map(absorbed.map((record) => [record.id, record]));
  for (const member of members) {
    for (const { id, now, past } of member.absorbed ?? []) {
      const known = byId.get(id);
      byId.set(id, toAbsorbedRecord(id, known?.now ?? now, [known?.past, past]));
    }
    const current = evidenceOf(toStatement(member), member.hearings);
    const stated = member.hearings ? evidenceOf(toStatement(member)) : current;
    byId.set(
      member.id,
      toAbsorbedRecord(member.id, stated, [
        byId.get(member.id)?.past,
        pastEvidenceOf(member, current),
        isEarlier(member) ? stated : undefined,
      ]),
    );
  }
  return [...byId.values()].sort((a, b) => a.id - b.id);
}

function toAbsorbedRecord(id: number, now: StoredEvidence | undefined, past: readonly (StoredEvidence | undefined)[]): AbsorbedRecord {
  const older = dropEmptyLists(uniteEvidence(past));
  const isEmpty = !older.decided && !Object.keys(older.values).length && !Object.keys(older.texts).length;
  return { id, ...(now ? { now } : {}), ...(isEmpty ? {} : { past: older }) };
}

/** What absorbed records state in this generation, and what they and the record itself stated before. */
export function familyEvidence(own: StoredEvidence, absorbed: readonly AbsorbedRecord[]): { now: StoredEvidence; past: StoredEvidence } {
  if (!absorbed.length) return { now: NO_EVIDENCE, past: own };
  return { now: uniteEvidence(absorbed.map(({ now }) => now)), past: uniteEvidence([own, ...absorbed.map(({ past }) => past)]) };
}
