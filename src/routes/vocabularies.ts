/** `/reference/*` and `/taxonomy/*`: the tokens and labels that records carry and filters take. */

import { invalidFilter } from '../domain/errors.ts';
import * as vocabulary from '../domain/vocabulary.ts';
import { boolean, Unusable } from '../filter/kinds.ts';
import type { RawParameters } from '../filter/parse.ts';
import type { Route, RouteAnswer } from '../http/route.ts';

const answer = (data: readonly unknown[]): RouteAnswer => ({ data, meta: { pageCount: data.length } });

const WITH_GOVERNMENT = 'includeGovernmentDecisions';

/** The seven Building Types; government items are no Building Type and are added on request. */
function shown<T>(terms: readonly T[], typeOf: (term: T) => string, query: RawParameters): T[] {
  const raw = query.get(WITH_GOVERNMENT);
  try {
    if (raw && boolean.parse(raw, undefined as never)) return [...terms];
  } catch (error) {
    if (!(error instanceof Unusable)) throw error;
    throw invalidFilter([
      { param: WITH_GOVERNMENT, code: error.code, message: `${WITH_GOVERNMENT} ${error.message}`, value: error.extra.value },
    ]);
  }
  return terms.filter((term) => typeOf(term) !== vocabulary.GOVERNMENT_DECISIONS);
}

function tree(query: RawParameters) {
  return shown(vocabulary.propertyTypes.terms, (type) => type.token, query).map((type) => ({
    ...type,
    subtypes: vocabulary.propertySubtypes.terms
      .filter((subtype) => subtype.type === type.token)
      .map(({ type: _, ...subtype }) => ({
        ...subtype,
        assetClasses: vocabulary.assetClasses.terms
          .filter((assetClass) => assetClass.subtype === subtype.token)
          .map(({ type: _type, subtype: _subtype, ...assetClass }) => assetClass),
      })),
  }));
}

const LIFETIME = { seconds: 3600, scope: 'private' } as const;

export function vocabularyRoutes(): Route[] {
  const reference = (name: string, summary: string, terms: readonly vocabulary.Term[]): Route => ({
    method: 'get',
    path: `/reference/${name}`,
    summary,
    query: [],
    lifetime: LIFETIME,
    handle: () => answer(terms),
  });
  const taxonomy = (path: string, summary: string, handle: (query: RawParameters) => readonly unknown[]): Route => ({
    method: 'get',
    path: `/taxonomy${path}`,
    summary,
    query: [WITH_GOVERNMENT],
    lifetime: LIFETIME,
    handle: ({ query }) => answer(handle(query)),
  });
  return [
    reference('statuses', 'Entitlement statuses', vocabulary.statuses.terms),
    reference('decision-bodies', 'Bodies that decide', vocabulary.decisionBodies.terms),
    reference('request-types', 'What is applied for', vocabulary.requestTypes.terms),
    reference('owner-types', 'Kinds of owner; labelling only', vocabulary.ownerTypes.terms),
    reference('decision-types', 'Kinds of decision', vocabulary.decisionTypes.terms),
    reference('construction-types', 'Kinds of construction', vocabulary.constructionTypes.terms),
    reference('project-sizes', 'Project sizes', vocabulary.projectSizes.terms),
    taxonomy('', 'The Building Type tree', tree),
    taxonomy('/project-types', 'Building Types', (query) => shown(vocabulary.propertyTypes.terms, (type) => type.token, query)),
    taxonomy('/subtypes', 'Subtypes', (query) => shown(vocabulary.propertySubtypes.terms, (subtype) => subtype.type, query)),
    taxonomy('/asset-classes', 'Asset classes', (query) => shown(vocabulary.assetClasses.terms, (assetClass) => assetClass.type, query)),
    { ...taxonomy('/action-types', 'Types of action', () => vocabulary.actionTypes.terms), query: [] },
    { ...taxonomy('/action-categories', 'Categories of action', () => vocabulary.actionCategories.terms), query: [] },
  ];
}
