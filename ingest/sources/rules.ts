/**
 * The engine behind `adapters/rules/*.json`: which words of a row decide its classification. The rules are data; this file knows no word of them.
 * A rule fires when every pattern of `when` matches its field and none of `unless` does (regular expressions, case folded). Pure.
 */
import type { LandUse, LandUseRole } from '../../src/core/domain/record/statement.ts';
import {
  actionTypes,
  assetClasses,
  constructionTypes,
  decisionBodies,
  decisionTypes,
  propertySubtypes,
  propertyTypes,
  requestTypes,
  statuses,
  type Term,
  type Vocabulary,
} from '../../src/core/domain/vocabulary.ts';
import { distinctUses } from '../read/normalise.ts';
import common from './adapters/rules/uses.json' with { type: 'json' };

/** Fields of a row as the rules see them; absent is ''. */
export type Fields = Record<string, string>;

type Patterns = Record<string, string>;

interface UseRule {
  /** path in the Building Type tree: `residential`, `residential/townhome` or `residential/townhome/rowhouse` */
  use: string;
  when: Patterns;
  unless?: Patterns;
}

/** The first stage in which any rule fires decides; within it every rule that fires adds its use, up to `most`, in the order of the text, a mix of uses first. */
export interface UseStage {
  stage: string;
  most: number;
  rules: UseRule[];
}

export interface TokenRule {
  token: string;
  when: Patterns;
  unless?: Patterns;
}

/** Where a rule fires: the first character that any of its patterns matches, -1 where it does not fire. */
type Finder = (fields: Fields) => number;

function compileAll(patterns: Patterns | undefined): [string, RegExp][] {
  return Object.entries(patterns ?? {}).map(([field, pattern]) => [field, new RegExp(pattern, 'i')]);
}

function compile(rule: { when: Patterns; unless?: Patterns }): Finder {
  const wanted = compileAll(rule.when);
  const unwanted = compileAll(rule.unless);
  const search = ([field, pattern]: [string, RegExp], fields: Fields) => (fields[field] ?? '').search(pattern);
  return (fields) => {
    const found = wanted.map((one) => search(one, fields));
    return found.includes(-1) || unwanted.some((one) => search(one, fields) >= 0) ? -1 : Math.min(...found);
  };
}

type Use = Omit<LandUse, 'role'>;

/** @throws Error when the path is not in the tree */
export function parseUse(path: string): Use {
  const [type = '', subtype = null, assetClass = null] = path.split('/');
  const known = <T extends Term>(list: Vocabulary<T>, fits: (term: T) => boolean) => list.terms.some(fits);
  const right =
    known(propertyTypes, (t) => t.token === type) &&
    (subtype === null || known(propertySubtypes, (t) => t.token === subtype && t.type === type)) &&
    (assetClass === null || known(assetClasses, (t) => t.token === assetClass && t.subtype === subtype && t.type === type));
  if (!right) throw new Error(`The use '${path}' is not in the Building Type tree`);
  return { type, subtype, assetClass };
}

const ROLES: readonly LandUseRole[] = ['primary', 'secondary'];

/** Lists each use once, in its most detailed version, and assigns roles: the first is primary, the second secondary. */
export const withRoles = (uses: readonly Use[]): LandUse[] =>
  distinctUses(uses.map((use) => ({ ...use, role: 'other' }))).map((use, i) => ({ ...use, role: ROLES[i] ?? 'other' }));

/** A use, and the words of field `text` that name it. */
interface UseAt {
  use: LandUse;
  at: number;
  length: number;
}

/** As `compileUseClassifier`, for rules on the field `text` alone; says where the words stand. @throws Error for an unknown use */
export function compileUseFinder(stages: readonly UseStage[]): (fields: { text: string }) => UseAt[] {
  const classify = compileUseClassifier(stages);
  const words = stages.flatMap(({ rules }) => rules.map(({ use, when }) => ({ use: parseUse(use), pattern: compileAll(when)[0]?.[1] })));
  const isSame = (a: Use, b: Use) => a.type === b.type && a.subtype === b.subtype && a.assetClass === b.assetClass;
  return ({ text }) =>
    classify({ text }).flatMap((use) => {
      const match = words.flatMap((one) => (isSame(one.use, use) ? (one.pattern?.exec(text) ?? []) : []));
      const at = text.indexOf(match[0] ?? '');
      return match[0] ? [{ use, at, length: match[0].length }] : [];
    });
}

type UseClassifier = (fields: Fields) => LandUse[];

/** Compiles stages into a classifier, which returns no use if no rule fires. @throws Error for an unknown use */
export function compileUseClassifier(stages: readonly UseStage[]): UseClassifier {
  const compiled = stages.map(({ most, rules }) => ({ most, rules: rules.map((r) => ({ use: parseUse(r.use), find: compile(r) })) }));
  return (fields) => {
    for (const { most, rules } of compiled) {
      const found = rules.map(({ use, find }) => ({ use, at: find(fields) })).filter(({ at }) => at >= 0);
      const rank = ({ use, at }: { use: Use; at: number }) => (use.type === 'mixed_use' ? -1 : at);
      const uses = withRoles(found.sort((a, b) => rank(a) - rank(b)).map(({ use }) => use));
      if (uses.length) return uses.slice(0, most);
    }
    return [];
  };
}

export type TokenClassifier = (fields: Fields) => string | null;

/** Compiles rules into a classifier, which returns the token of the first rule that fires, or null. @throws Error for a token that is not in the vocabulary */
export function compileTokenClassifier(rules: readonly TokenRule[], vocabulary: Vocabulary | readonly string[]): TokenClassifier {
  const known = new Set('terms' in vocabulary ? vocabulary.terms.map((t) => t.token) : vocabulary);
  const compiled = rules.map((rule) => {
    if (!known.has(rule.token)) throw new Error(`The token '${rule.token}' is not in its vocabulary`);
    return { token: rule.token, find: compile(rule) };
  });
  return (fields) => compiled.find((rule) => rule.find(fields) >= 0)?.token ?? null;
}

export interface RulesFile {
  /** stages of the source itself; `{"include": "uses"}` is replaced by the shared stage of words that name a use */
  landUses: (UseStage | { include: string })[];
  status?: TokenRule[];
  decisionBody?: TokenRule[];
  decisionType?: TokenRule[];
  requestType?: TokenRule[];
  constructionType?: TokenRule[];
  actionType?: TokenRule[];
  partyRole?: TokenRule[];
}

export interface Classifiers {
  landUses(fields: Fields): LandUse[];
  status: TokenClassifier;
  decisionBody: TokenClassifier;
  decisionType: TokenClassifier;
  requestType: TokenClassifier;
  constructionType: TokenClassifier;
  actionType: TokenClassifier;
  partyRole: TokenClassifier;
}

const PARTY_ROLES = ['developer', 'applicant', 'builder', 'owner', 'contractor', 'architect'];

/** @throws Error when a rule names an unknown token, use or shared stage */
export function compileClassifiers(file: RulesFile): Classifiers {
  const shared: Record<string, UseStage> = { [common.stage]: common };
  const stages = file.landUses.map((stage) => {
    if (!('include' in stage)) return stage;
    const found = shared[stage.include];
    if (!found) throw new Error(`There is no shared stage '${stage.include}'`);
    return found;
  });
  return {
    landUses: compileUseClassifier(stages),
    status: compileTokenClassifier(file.status ?? [], statuses),
    decisionBody: compileTokenClassifier(file.decisionBody ?? [], decisionBodies),
    decisionType: compileTokenClassifier(file.decisionType ?? [], decisionTypes),
    requestType: compileTokenClassifier(file.requestType ?? [], requestTypes),
    constructionType: compileTokenClassifier(file.constructionType ?? [], constructionTypes),
    actionType: compileTokenClassifier(file.actionType ?? [], actionTypes),
    partyRole: compileTokenClassifier(file.partyRole ?? [], PARTY_ROLES),
  };
}

/** Land uses and the three fields that repeat the primary one. */
export function useFields(landUses: LandUse[]) {
  const primary = landUses[0];
  return {
    landUses,
    propertyType: primary?.type ?? null,
    propertySubtype: primary?.subtype ?? null,
    assetClass: primary?.assetClass ?? null,
  };
}

/** Request type with whether it is a rezoning; action type with its category. */
export function actionFields(rules: Classifiers, fields: Fields) {
  const requestType = rules.requestType(fields);
  const actionType = rules.actionType(fields);
  return {
    requestType,
    isRezone: requestType === null ? null : requestType === 'rezoning',
    constructionType: rules.constructionType(fields),
    actionType,
    actionCategory: actionTypes.terms.find((term) => term.token === actionType)?.category ?? null,
  };
}
