import type { LandUse, ProjectStatement } from '../src/domain/project.ts';
import { BOOLEAN_EVIDENCE, type Evidence, KEYWORD_EVIDENCE, NUMBER_EVIDENCE } from '../src/domain/storedProject.ts';
import { words } from '../src/domain/words.ts';

/** Key of a land use: two uses with the same key are one. */
export const landUseKey = (use: LandUse) => [use.type, use.subtype ?? '', use.assetClass ?? '', use.role].join('|');

const present = <T>(value: T | null | undefined): T[] => (value === null || value === undefined ? [] : [value]);
const distinct = <T>(values: readonly T[]): T[] => [...new Set(values)];
const passages = (values: readonly (string | null | undefined)[]) => distinct(values.map((v) => words(v ?? '')).filter(Boolean));

/** Every hearing that a statement names: its own date, its decisions and its meeting documents. ISO dates. */
export function hearingsOf(statement: ProjectStatement): string[] {
  return distinct([
    ...present(statement.meetingDate),
    ...(statement.decisions ?? []).map((d) => d.meetingDate),
    ...(statement.meetingDocuments ?? []).flatMap((d) => present(d.meetingDate)),
  ]).sort();
}

/** True for a record that is a family of merged developments: it names a member besides itself. */
export const isMerged = (statement: ProjectStatement) => (statement.mergedFrom ?? []).some((id) => id !== statement.id);

/** `<body>|<status>` pairs of the record itself and of each of its decisions (specification `statusCombos`). */
export function statusCombosOf(statement: ProjectStatement): string[] {
  const pairs = [{ ...statement, status: statement.status ?? 'unknown' }, ...(statement.decisions ?? [])];
  return distinct(pairs.flatMap((p) => (p.decisionBody && p.status ? [`${p.decisionBody}|${p.status}`] : [])));
}

/**
 * What one statement gives filters to match. A record without a status counts as `unknown`, "no decision recorded"; one that is
 * a merged development answers to every hearing of its family, another to its own meeting date alone.
 */
export function evidenceOf(statement: ProjectStatement): Evidence {
  const values: Evidence['values'] = {};
  for (const key of KEYWORD_EVIDENCE) values[key] = present(statement[key]);
  for (const key of BOOLEAN_EVIDENCE) values[key] = present(statement[key]);
  for (const key of NUMBER_EVIDENCE) values[key] = present(statement[key]);
  values.status = [statement.status ?? 'unknown'];
  values.statusCombo = statusCombosOf(statement);
  values.meetingDate = isMerged(statement) ? hearingsOf(statement) : present(statement.meetingDate);
  return {
    values,
    landUses: statement.landUses ?? [],
    names: passages([statement.projectName, statement.displayName]),
    partyNames: passages((statement.parties ?? []).map((p) => p.name)),
    text: passages([
      statement.projectName,
      statement.displayName,
      statement.address,
      statement.summary,
      statement.statusSummary,
      statement.existingZoning,
      statement.proposedZoning,
      ...(statement.caseNumbers ?? []),
      ...(statement.parcelNumbers ?? []),
      ...(statement.conditionsOfApproval ?? []),
      ...(statement.parties ?? []).map((p) => p.name),
      statement.rawText,
    ]),
  };
}

type Value = string | number | boolean;

function withoutKnown<T>(past: readonly T[], current: readonly T[], key: (item: T) => unknown): T[] {
  const known = new Set(current.map(key));
  return past.filter((item) => {
    const k = key(item);
    return known.has(k) ? false : known.add(k);
  });
}

/** All of `older` that `current` does not state, each once; undefined when nothing is left. Later entries of `older` repeat nothing. */
export function pastBeyond(older: readonly Partial<Evidence>[], current: Evidence): Partial<Evidence> | undefined {
  const identity = (v: unknown) => v;
  const values: Record<string, Value[]> = {};
  for (const key of Object.keys(current.values) as (keyof Evidence['values'])[]) {
    const beyond = withoutKnown<Value>(
      older.flatMap((e) => (e.values?.[key] ?? []) as Value[]),
      (current.values[key] ?? []) as Value[],
      identity,
    );
    if (beyond.length) values[key] = beyond;
  }
  const past: Partial<Evidence> = {};
  if (Object.keys(values).length) past.values = values as Evidence['values'];
  const uses = withoutKnown(
    older.flatMap((e) => e.landUses ?? []),
    current.landUses,
    landUseKey,
  );
  if (uses.length) past.landUses = uses;
  for (const key of ['text', 'names', 'partyNames'] as const) {
    const beyond = withoutKnown(
      older.flatMap((e) => e[key] ?? []),
      current[key],
      identity,
    );
    if (beyond.length) past[key] = beyond;
  }
  return Object.keys(past).length ? past : undefined;
}

/** Everything filters match: the current statement and what is kept of the past, values united. Texts stay apart (see `derive`). */
export function allValues(current: Evidence, past: Partial<Evidence> | undefined): Evidence['values'] {
  const all: Record<string, Value[]> = {};
  for (const key of Object.keys(current.values) as (keyof Evidence['values'])[]) {
    const union = [...((current.values[key] ?? []) as Value[]), ...((past?.values?.[key] ?? []) as Value[])];
    if (union.length) all[key] = union;
  }
  return all as Evidence['values'];
}
