/** Compiles the classifiers of one source from its rules file; a classifier without rules always returns null. Pure. */
import type { LandUse } from '../../src/core/domain/record/statement.ts';
import { actionTypes, constructionTypes, decisionBodies, decisionTypes, requestTypes, statuses } from '../../src/core/domain/vocabulary.ts';
import common from './rules/uses.json' with { type: 'json' };
import { compileTokenClassifier, compileUseClassifier, type Fields, type TokenClassifier, type TokenRule, type UseStage } from './rules.ts';

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
