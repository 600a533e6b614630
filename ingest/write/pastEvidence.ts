/**
 * Evidence that a version inherits from the statements that it replaces and the records that it absorbs. Hearings of a family belong to its
 * current evidence, not to that of earlier statements. Pure.
 */
import {
  type AbsorbedRecord,
  type PastEvidence,
  type StoredEvidence,
  type StoredProject,
  TEXT_ATTRIBUTES,
  type TextAttribute,
  type ValueAttribute,
} from '../../src/core/domain/record/storedProject.ts';
import { collectEvidence, uniteEvidence } from './matchedEvidence.ts';
import { toStatement } from './projectContent.ts';

export const NO_EVIDENCE: StoredEvidence = { values: {}, texts: {}, decided: false };

/**
 * What earlier generations stated of a record itself.
 * @param current evidence of its current statement
 */
export function collectPastEvidence(stored: StoredProject, current: StoredEvidence): StoredEvidence {
  const { past } = stored;
  if (!past) return NO_EVIDENCE;
  const { values, texts, decided, again = [] } = past;
  return uniteEvidence([{ values, texts, decided }, ...(again.length ? [pickAttributes(current, again)] : [])]);
}

/** Drops empty lists, such as no case numbers, which count as stated only in the current statement. */
export function dropEmptyLists({ values, texts, decided }: StoredEvidence): StoredEvidence {
  const filled = <T extends object>(lists: T) => Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)) as T;
  return { values: filled(values), texts: filled(texts), decided };
}

const textKeys: ReadonlySet<string> = new Set(TEXT_ATTRIBUTES);

function pickAttributes({ values, texts }: StoredEvidence, attributes: readonly string[]): StoredEvidence {
  const part: StoredEvidence = { values: {}, texts: {}, decided: false };
  for (const key of attributes) {
    if (textKeys.has(key)) part.texts[key as TextAttribute] = texts[key as TextAttribute] ?? [];
    else part.values[key as ValueAttribute] = values[key as ValueAttribute] ?? [];
  }
  return part;
}

/** Converts evidence of earlier generations to its stored form, without what the current statement contains too. */
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

/** The evidence that a version passes to the one that replaces it. */
interface Inheritance {
  past: StoredEvidence;
  absorbed: AbsorbedRecord[];
}

/**
 * @param opensGeneration true if the replacing version belongs to a new generation, so that the replaced statement becomes evidence of an earlier
 *   one; otherwise it replaces a statement of its own generation
 * @param restated evidence of the replacing statement, if it equals that of the replaced one
 */
export function inheritEvidence(before: StoredProject | undefined, opensGeneration: boolean, restated?: StoredEvidence): Inheritance {
  if (!before) return { past: NO_EVIDENCE, absorbed: [] };
  const absorbed = before.absorbed ?? [];
  if (!opensGeneration && !before.past?.again) return { past: collectPastEvidence(before, NO_EVIDENCE), absorbed };
  const current = restated ?? collectEvidence(toStatement(before), before.hearings);
  const past = collectPastEvidence(before, current);
  if (!opensGeneration) return { past, absorbed };
  const stated = before.hearings ? collectEvidence(toStatement(before)) : current;
  return {
    past: dropEmptyLists(uniteEvidence([past, stated])),
    absorbed: absorbed.map(({ id, now, past: older }) => ({ id, past: dropEmptyLists(uniteEvidence([older, now])) })),
  };
}

/**
 * Adds members to the absorbed records of a survivor. A member's own statement takes precedence over what a family has stored of it.
 * @param isEarlier whether a member's statement is of an earlier generation
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
    const current = collectEvidence(toStatement(member), member.hearings);
    const stated = member.hearings ? collectEvidence(toStatement(member)) : current;
    byId.set(
      member.id,
      toAbsorbedRecord(member.id, stated, [
        byId.get(member.id)?.past,
        collectPastEvidence(member, current),
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

/** Unites what absorbed records state in this generation, and what they and the record itself stated before. */
export function uniteFamilyEvidence(
  own: StoredEvidence,
  absorbed: readonly AbsorbedRecord[],
): { now: StoredEvidence; past: StoredEvidence } {
  if (!absorbed.length) return { now: NO_EVIDENCE, past: own };
  return { now: uniteEvidence(absorbed.map(({ now }) => now)), past: uniteEvidence([own, ...absorbed.map(({ past }) => past)]) };
}
