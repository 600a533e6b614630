/** `/reference/*` and `/taxonomy/*`: the tokens and labels of records and filters. */
import { Type } from 'typebox';
import { object } from '../../core/domain/record/field.ts';
import * as vocabulary from '../../core/domain/vocabulary.ts';
import { boolean } from '../../core/filter/kinds.ts';
import { json, type Route, route } from '../../http/declaration.ts';
import { listMeta, term } from '../../http/schemas.ts';

const listed = <T>(data: T[]) => ({ data, meta: { pageCount: data.length } });

/** The seven Building Types, with government items on request, which are none. */
function shown<T>(terms: readonly T[], typeOf: (term: T) => string, withGovernment = false): T[] {
  return terms.filter((term) => withGovernment || typeOf(term) !== vocabulary.GOVERNMENT_DECISIONS);
}

export function taxonomyTree(withGovernment?: boolean) {
  return shown(vocabulary.propertyTypes.terms, (type) => type.token, withGovernment).map((type) => ({
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

const named = { token: Type.String(), label: Type.String(), aliases: Type.Optional(Type.Array(Type.String())) };
const branch = object({ ...named, subtypes: Type.Array(object({ ...named, assetClasses: Type.Array(object(named)) })) });

const WITH_GOVERNMENT = {
  own: {
    includeGovernmentDecisions: { summary: 'true adds Govt. Decisions, which is no Building Type', example: 'true', kind: boolean },
  },
} as const;

const LISTS: readonly [id: string, path: `/${string}`, summary: string, terms: readonly vocabulary.Term[]][] = [
  ['listStatuses', '/reference/statuses', 'Entitlement statuses', vocabulary.statuses.terms],
  ['listDecisionBodies', '/reference/decision-bodies', 'Bodies that decide', vocabulary.decisionBodies.terms],
  ['listRequestTypes', '/reference/request-types', 'What is applied for', vocabulary.requestTypes.terms],
  ['listOwnerTypes', '/reference/owner-types', 'Kinds of owner; labelling only', vocabulary.ownerTypes.terms],
  ['listDecisionTypes', '/reference/decision-types', 'Kinds of decision', vocabulary.decisionTypes.terms],
  ['listConstructionTypes', '/reference/construction-types', 'Kinds of construction', vocabulary.constructionTypes.terms],
  ['listProjectSizes', '/reference/project-sizes', 'Project sizes', vocabulary.projectSizes.terms],
  ['listActionTypes', '/taxonomy/action-types', 'Types of action', vocabulary.actionTypes.terms],
  ['listActionCategories', '/taxonomy/action-categories', 'Categories of action', vocabulary.actionCategories.terms],
];

/** The lower levels of the Building Type tree; each term has its Building Type. */
const LEVELS: readonly [id: string, path: `/${string}`, summary: string, terms: (withGovernment?: boolean) => vocabulary.Term[]][] = [
  ['listProjectTypes', '/taxonomy/project-types', 'Building Types', (all) => shown(vocabulary.propertyTypes.terms, (t) => t.token, all)],
  ['listSubtypes', '/taxonomy/subtypes', 'Subtypes', (all) => shown(vocabulary.propertySubtypes.terms, (t) => t.type, all)],
  ['listAssetClasses', '/taxonomy/asset-classes', 'Asset classes', (all) => shown(vocabulary.assetClasses.terms, (t) => t.type, all)],
];

const LIFETIME = { seconds: 3600, scope: 'private' } as const;
const get = { lifetime: LIFETIME, errors: ['invalid_filter'] } as const;

export function taxonomyRoutes(): Route[] {
  return [
    ...LISTS.map(([id, path, summary, terms]) =>
      route('Words', id, `GET ${path}`, {
        ...get,
        summary,
        answers: [json(Type.Array(term), { meta: listMeta })],
        handle: () => listed([...terms]),
      }),
    ),
    route('Words', 'getTaxonomy', 'GET /taxonomy', {
      ...get,
      summary: 'The Building Type tree',
      query: WITH_GOVERNMENT,
      answers: [json(Type.Array(branch), { meta: listMeta })],
      handle: ({ query }) => listed(taxonomyTree(query.includeGovernmentDecisions)),
    }),
    ...LEVELS.map(([id, path, summary, terms]) =>
      route('Words', id, `GET ${path}`, {
        ...get,
        summary,
        query: WITH_GOVERNMENT,
        answers: [json(Type.Array(term), { meta: listMeta })],
        handle: ({ query }) => listed(terms(query.includeGovernmentDecisions)),
      }),
    ),
  ];
}
