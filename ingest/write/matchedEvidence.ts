/**
 * Derives what filters match. For each attribute: the current statement's value if it states one; otherwise what absorbed records state in this
 * generation; otherwise everything that earlier generations stated. Pure.
 */
import { READING_NAMES, readingOf } from '../../src/core/domain/record/readings.ts';
import type { ProjectStatement } from '../../src/core/domain/record/statement.ts';
import {
  STATED_ATTRIBUTES,
  type StoredEvidence,
  TEXT_ATTRIBUTES,
  type TextAttribute,
  VALUE_ATTRIBUTES,
  type ValueAttribute,
} from '../../src/core/domain/record/storedProject.ts';
import { normalizeWords } from '../../src/core/domain/words.ts';

export const distinct = <T>(values: readonly T[]): T[] => [...new Set(values)];

/** True for a merged development: a record that names a member other than itself. */
export const isMerged = (statement: ProjectStatement) => (statement.mergedFrom ?? []).some((id) => id !== statement.id);

const UNKNOWN = 'unknown';

/** `<body>|<status>` pairs of the record itself and of each of its decisions: what the filter `statusCombos` matches. */
function listStatusCombos({ decisionBody, status, decisions }: ProjectStatement): string[] {
  const pairs = [{ decisionBody, status: status ?? UNKNOWN }, ...(decisions ?? [])];
  return distinct(pairs.flatMap((p) => (p.decisionBody && p.status ? [`${p.decisionBody}|${p.status}`] : [])));
}

const isKnown = (status: string | null | undefined) => status !== null && status !== undefined && status !== UNKNOWN;

/**
 * The evidence in one statement, which filters match. A status `unknown` counts as none.
 * @param hearings of a merged development: those of the family
 */
export function collectEvidence(statement: ProjectStatement, hearings?: readonly string[]): StoredEvidence {
  const values: StoredEvidence['values'] = {};
  for (const name of READING_NAMES) {
    const read = readingOf(name).read({ statement, hearings });
    if (read) values[name] = read;
  }
  for (const key of STATED_ATTRIBUTES) {
    const value = statement[key];
    if (value !== null && value !== undefined && !(key === 'status' && value === UNKNOWN)) values[key] = [value];
  }
  const combos = listStatusCombos(statement);
  if (combos.length) values.statusCombo = combos;
  const texts: StoredEvidence['texts'] = {};
  for (const key of TEXT_ATTRIBUTES) {
    const text = statement[key];
    if (text !== null && text !== undefined) texts[key] = splitPassages(text);
  }
  const decided = isKnown(statement.status) || (statement.decisions ?? []).some(({ status }) => isKnown(status));
  return { values, texts, decided };
}

function splitPassages(text: string | readonly (string | { name: string })[]): string[] {
  const parts = typeof text === 'string' ? [text] : text.map((part) => (typeof part === 'string' ? part : part.name));
  return distinct(parts.map(normalizeWords).filter(Boolean));
}

/** Unites the evidence of several statements, without duplicates. */
export function uniteEvidence(all: readonly (StoredEvidence | undefined)[]): StoredEvidence {
  const sum: StoredEvidence = { values: {}, texts: {}, decided: false };
  for (const one of all) {
    if (!one) continue;
    addTo(sum.values, one.values);
    addTo(sum.texts, one.texts);
    sum.decided ||= one.decided;
  }
  return sum;
}

function addTo<K extends string, T>(sum: { [key in K]?: T[] }, more: { [key in K]?: T[] }): void {
  for (const key in more) {
    const values = more[key] as T[];
    const known = sum[key];
    sum[key] = known ? distinct([...known, ...values]) : values;
  }
}

/** Every attribute, of none a value, which JSON leaves out: a copy is filled in less time than an object that grows key by key. */
const NO_VALUES: StoredEvidence['values'] = JSON.parse(`{${VALUE_ATTRIBUTES.map((name) => `"${name}":null`).join()}}`);
for (const name in NO_VALUES) Object.assign(NO_VALUES, { [name]: undefined });

/** What is searched of a record besides its places, uses and dates. */
export interface SearchedEvidence {
  values: StoredEvidence['values'];
  /** attributes for which the current statement has no value, so that their values are evidence only */
  evidenceOnly: ValueAttribute[];
  /** words of the given attributes in the current statement */
  text: (attributes: readonly TextAttribute[]) => string[];
  /** words of the given attributes from other statements, if the current statement has none */
  pastText: (attributes: readonly TextAttribute[]) => string[];
}

/**
 * Combines the layers of evidence.
 * @param current evidence of the current statement
 * @param now what absorbed records state in this generation
 * @param past what earlier generations stated
 */
export function toSearchedEvidence(current: StoredEvidence, now: StoredEvidence, past: StoredEvidence): SearchedEvidence {
  const layers = [current, now, past];
  let values = { ...NO_VALUES };
  const evidenceOnly: ValueAttribute[] = [];
  for (const key of VALUE_ATTRIBUTES) {
    const found = current.values[key] ?? now.values[key] ?? past.values[key];
    if (!found) continue;
    values[key] = found;
    if (found !== current.values[key]) evidenceOnly.push(key);
  }
  if (!values.status && !layers.some((layer) => layer.decided)) {
    const { status: _, ...others } = values;
    values = { ...others, status: [UNKNOWN] };
  }
  const { layer, combos } = mergeCombos(layers);
  if (combos?.length) values.statusCombo = combos;
  if (combos?.length && layer !== current) evidenceOnly.push('statusCombo');
  const silent = (key: TextAttribute) => current.texts[key] === undefined;
  return {
    values,
    evidenceOnly,
    text: (attributes) => distinct(attributes.flatMap((key) => current.texts[key] ?? [])),
    pastText: (attributes) => distinct(attributes.filter(silent).flatMap((key) => now.texts[key] ?? past.texts[key] ?? [])),
  };
}

const ofUnknown = `|${UNKNOWN}`;

/** Pairs with an unknown status, such as `city_council|unknown`, count only if no layer has a known status. */
function mergeCombos(layers: readonly StoredEvidence[]): {
  layer?: StoredEvidence | undefined;
  combos?: StoredEvidence['values']['statusCombo'];
} {
  const [current] = layers;
  const deciding = layers.find(({ decided }) => decided);
  const layer = deciding ?? layers.find(({ values }) => values.statusCombo);
  const combos = layer?.values.statusCombo;
  const ofOthers = deciding !== undefined && deciding !== current;
  return { layer, combos: ofOthers ? combos?.filter((combo) => !String(combo).endsWith(ofUnknown)) : combos };
}
