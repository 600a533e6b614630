/** Frozen vocabularies: machine tokens with labels, and the Building Type tree. Data in `src/catalogue`, look-ups here. Pure. */
import taxonomyTree from '../../catalogue/taxonomy.json' with { type: 'json' };
import lists from '../../catalogue/vocabularies.json' with { type: 'json' };

export interface Term {
  token: string;
  label: string;
  aliases?: string[];
}

/** Case and punctuation fold away: 'Institutional/Public', 'institutional_public' and 'INSTITUTIONAL PUBLIC' are one key. */
function foldTerm(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();
}

export class Vocabulary<T extends Term = Term> {
  readonly terms: readonly T[];
  /** of one token, in the OpenAPI document and in the types of clients */
  readonly name: string;
  /** path of the route that lists them all, if one does */
  readonly reference: string | undefined;
  readonly #byToken: Map<string, T>;
  readonly #byName: Map<string, T>;
  /** names as they are written, which most texts are: they need not be folded */
  readonly #asWritten: Map<string, T>;

  constructor(name: string, terms: readonly T[], reference?: string) {
    this.name = name;
    this.terms = terms;
    this.reference = reference;
    this.#byToken = new Map(terms.map((t) => [t.token, t]));
    const names = terms.flatMap((t) => [t.token, t.label, ...(t.aliases ?? [])].map((name) => [name, t] as const));
    this.#byName = new Map(names.map(([name, t]) => [foldTerm(name), t]));
    this.#asWritten = new Map(names.map(([name]) => [name, this.#byName.get(foldTerm(name)) as T]));
  }

  /** The term by token, label or alias, in any case. */
  find(text: string): T | undefined {
    return this.#asWritten.get(text) ?? this.#byName.get(foldTerm(text));
  }

  /** The label of a token; null for null. One that was loaded under an older vocabulary, and is gone from this, labels itself. */
  label(token: string | null | undefined): string | null {
    if (token === null || token === undefined) return null;
    return this.#byToken.get(token)?.label ?? token;
  }
}

export interface Subtype extends Term {
  type: string;
}
interface AssetClass extends Term {
  type: string;
  subtype: string;
}
interface ActionType extends Term {
  category: string;
}

/** Token of the one top-level entry that is no Building Type (src/docs/filters.md). */
export const GOVERNMENT_DECISIONS = 'govt_decisions';

const tree: readonly (Term & { subtypes: (Term & { assetClasses: Term[] })[] })[] = taxonomyTree;

export const propertyTypes = new Vocabulary<Term>(
  'PropertyType',
  tree.map(({ subtypes: _, ...type }) => type),
  '/v1/taxonomy/project-types',
);
export const propertySubtypes = new Vocabulary<Subtype>(
  'PropertySubtype',
  tree.flatMap((type) => type.subtypes.map(({ assetClasses: _, ...subtype }) => ({ ...subtype, type: type.token }))),
  '/v1/taxonomy/subtypes',
);
export const assetClasses = new Vocabulary<AssetClass>(
  'AssetClass',
  tree.flatMap((type) =>
    type.subtypes.flatMap((subtype) => subtype.assetClasses.map((c) => ({ ...c, type: type.token, subtype: subtype.token }))),
  ),
  '/v1/taxonomy/asset-classes',
);

export const statuses = new Vocabulary<Term>('Status', lists.statuses, '/v1/reference/statuses');
export const decisionBodies = new Vocabulary<Term>('DecisionBody', lists.decisionBodies, '/v1/reference/decision-bodies');
export const requestTypes = new Vocabulary<Term>('RequestType', lists.requestTypes, '/v1/reference/request-types');
export const decisionTypes = new Vocabulary<Term>('DecisionType', lists.decisionTypes, '/v1/reference/decision-types');
export const constructionTypes = new Vocabulary<Term>('ConstructionType', lists.constructionTypes, '/v1/reference/construction-types');
export const ownerTypes = new Vocabulary<Term>('OwnerType', lists.ownerTypes, '/v1/reference/owner-types');
export const projectSizes = new Vocabulary<Term>('ProjectSize', lists.projectSizes, '/v1/reference/project-sizes');
export const actionCategories = new Vocabulary<Term>('ActionCategory', lists.actionCategories, '/v1/taxonomy/action-categories');
export const staffRecommendations = new Vocabulary<Term>('StaffRecommendation', lists.staffRecommendations);
export const voteResults = new Vocabulary<Term>('VoteResult', lists.voteResults);
export const outcomes = new Vocabulary<Term>('Outcome', lists.outcomes);
export const partyRoles = new Vocabulary<Term>('PartyRole', lists.partyRoles);
export const votes = new Vocabulary<Term>('VoteWord', lists.votes);
/** how a use stands in its record */
export const landUseRoles = new Vocabulary<Term>('LandUseRole', lists.landUseRoles);
export const actionTypes = new Vocabulary<ActionType>('ActionType', lists.actionTypes, '/v1/taxonomy/action-types');
