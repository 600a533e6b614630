/** Filters on land use: the three levels of the Building Type tree, and government items, which are outside it. */
import * as vocabulary from '../domain/vocabulary.ts';
import { type Clause, nested, terms } from '../query/clauses.ts';
import { RESTRICTION_FIELDS, UNDER_RESTRICTION, type UnderRestriction } from '../query/restrictions.ts';
import { type CompileContext, filter } from './entry.ts';
import { boolean, choice, listKind, type PlainKind, parseToken, tokens } from './kinds.ts';
import { andThen, invalidValue, type ParsedValue } from './raw.ts';

const MATCH_MODES = ['primary_only', 'primary_or_secondary', 'any'] as const;
export type MatchMode = (typeof MATCH_MODES)[number];

/** The roles in which a land use counts, by match mode (src/docs/filters.md). */
export const ROLES_OF: Record<MatchMode, CompileContext['roles']> = {
  primary_only: ['primary'],
  primary_or_secondary: ['primary', 'secondary'],
  any: ['primary', 'secondary', 'other'],
};

type Level = 'type' | 'subtype' | 'assetClass';

const LAND_USES = 'derived.landUses';
const LAND_USE_ROLE = `${LAND_USES}.role`;

/** Matches records with one of these uses in a role that counts. Every generation states all uses, so earlier ones are not searched. */
function makeUseClauses(level: Level, values: readonly string[], { roles }: CompileContext): Clause[] {
  const inRole = roles.length === ROLES_OF.any.length ? [] : [terms(LAND_USE_ROLE, roles)];
  return [nested(LAND_USES, [terms(`${LAND_USES}.${level}`, values), ...inRole])];
}

/** The terms of a level under Government Decisions. */
const governmentPart = <T extends vocabulary.Subtype>({ name, terms: all, reference }: vocabulary.Vocabulary<T>) =>
  new vocabulary.Vocabulary(
    `Government${name}`,
    all.filter((term) => term.type === vocabulary.GOVERNMENT_DECISIONS),
    `${reference}?includeGovernmentDecisions=true`,
  );

/** Selects the tokens under Government Decisions, which no answer has without `includeGovernmentDecisions`. */
const governmentTokens =
  (typeOf: (token: string) => string | undefined) =>
  (tokens: readonly string[]): string[] =>
    tokens.filter((token) => typeOf(token) === vocabulary.GOVERNMENT_DECISIONS);

const fields = (level: Level) => [`${LAND_USES}.${level}`, LAND_USE_ROLE];

/** Parses a subtype, or 'Type - Subtype', whose type has to be the subtype's parent. */
function parseSubtype(text: string): ParsedValue<string> {
  const { propertyTypes, propertySubtypes } = vocabulary;
  const direct = propertySubtypes.find(text);
  const [parent = '', ...parts] = text.split(/\s-\s/);
  const child = parts.join(' - ').trim();
  if (direct || !parent || !child) return parseToken(propertySubtypes, text);
  return andThen(parseToken(propertyTypes, parent.trim()), (type) =>
    andThen(parseToken(propertySubtypes, child), (subtype) => {
      const above = propertySubtypes.find(subtype)?.type;
      if (above === type) return { value: subtype };
      return invalidValue('invalid_value', `'${child}' is not under '${parent}' but under '${propertyTypes.label(above)}'`, {
        value: text,
        suggest: () => ({ didYouMean: `${propertyTypes.label(above)} - ${propertySubtypes.label(subtype)}` }),
        reference: propertySubtypes.reference,
      });
    }),
  );
}

const subtypeListKind: PlainKind<string[]> = { ...tokens(vocabulary.propertySubtypes), parse: listKind({}, parseSubtype).parse };

export const useFilters = {
  propertyTypes: filter({
    aliases: ['type', 'types', 'propertyType'],
    label: 'Building Type',
    summary: 'Building Types (top level), any of them; token or label in any case',
    example: 'residential,Mixed Use',
    kind: tokens(vocabulary.propertyTypes),
    textFallback: 'always',
    queryable: { names: ['propertyType'], by: 'value' },
    fields: fields('type'),
    must: (values, context) => makeUseClauses('type', values, context),
    needs: 'includeGovernmentDecisions',
    neededFor: governmentTokens((token) => token),
  }),
  propertySubtypes: filter({
    aliases: ['subtype', 'subtypes', 'propertySubtype'],
    label: 'Subtype',
    summary: "Subtypes (second level), any of them; also as 'Type - Subtype'",
    example: 'Residential - Multifamily',
    kind: subtypeListKind,
    textFallback: 'always',
    queryable: { names: ['propertySubtype'], by: 'value' },
    fields: fields('subtype'),
    must: (values, context) => makeUseClauses('subtype', values, context),
    needs: 'includeGovernmentDecisions',
    neededFor: governmentTokens((token) => vocabulary.propertySubtypes.find(token)?.type),
  }),
  assetClasses: filter({
    aliases: ['assetClass', 'assetClasses[]'],
    label: 'Asset class',
    summary: 'Asset classes (third level), any of them',
    example: 'hyperscale_data_center,Distribution Center',
    kind: tokens(vocabulary.assetClasses),
    textFallback: 'always',
    queryable: { names: ['assetClass'], by: 'value' },
    fields: fields('assetClass'),
    must: (values, context) => makeUseClauses('assetClass', values, context),
    needs: 'includeGovernmentDecisions',
    neededFor: governmentTokens((token) => vocabulary.assetClasses.find(token)?.type),
  }),
  excludePropertySubtypes: filter({
    aliases: ['excludeSubtype', 'excludeSubtypes'],
    label: 'Without subtype',
    summary: 'Leave out records with one of these subtypes, in the roles that count under `taxonomyMatchMode`',
    example: 'signage',
    kind: subtypeListKind,
    fields: fields('subtype'),
    mustNot: (values, context) => makeUseClauses('subtype', values, context),
  }),
  excludeAssetClasses: filter({
    aliases: ['excludeAssetClass'],
    label: 'Without asset class',
    summary: 'Leave out records with one of these asset classes, in the roles that count under `taxonomyMatchMode`',
    example: 'billboard',
    kind: tokens(vocabulary.assetClasses),
    fields: fields('assetClass'),
    mustNot: (values, context) => makeUseClauses('assetClass', values, context),
  }),
  taxonomyMatchMode: filter({
    label: 'Land uses that count',
    summary: 'Roles in which a land use counts at all three levels: primary_only, primary_or_secondary (default) or any',
    example: 'primary_only',
    kind: choice(...MATCH_MODES),
    meaning: (mode) => (mode === 'primary_or_secondary' ? undefined : mode),
    qualifies: LAND_USE_ROLE,
    fields: [],
  }),
  underRestriction: filter({
    label: 'Under a restriction',
    summary:
      'true: a moratorium, ban or interim ordinance in force today binds the place and the uses; false: none does; projects of which it is unclear match neither',
    example: 'true',
    kind: boolean,
    fields: RESTRICTION_FIELDS,
    must: (value, { today: on, restrictionLists: lists }) => [{ [UNDER_RESTRICTION]: { value, on, lists } satisfies UnderRestriction }],
  }),
  includeGovernmentDecisions: filter({
    aliases: ['includeCivic', 'showAllRecords'],
    deprecated: ['includeCivic'],
    label: 'Government items too',
    summary: 'Also show government items that are no real-estate project (default false)',
    example: 'true',
    kind: boolean,
    fields: ['derived.isGovernmentDecision'],
    meaning: (value) => value || undefined,
    mustNot: (value) => (value ? [] : [terms('derived.isGovernmentDecision', [true])]),
  }),
  governmentDecisionSubtypes: filter({
    aliases: ['civicSubtypes'],
    deprecated: ['civicSubtypes'],
    label: 'Government item',
    summary: 'Only government items of these subtypes',
    example: 'comprehensive_planning',
    kind: tokens(governmentPart(vocabulary.propertySubtypes)),
    fields: fields('subtype'),
    must: (values, context) => makeUseClauses('subtype', values, context),
    needs: 'includeGovernmentDecisions',
  }),
  governmentDecisionAssetClasses: filter({
    aliases: ['civicAssetClasses'],
    deprecated: ['civicAssetClasses'],
    label: 'Government item, in detail',
    summary: 'Only government items of these asset classes',
    example: 'zoning_text_amendment',
    kind: tokens(governmentPart(vocabulary.assetClasses)),
    fields: fields('assetClass'),
    must: (values, context) => makeUseClauses('assetClass', values, context),
    needs: 'includeGovernmentDecisions',
  }),
};
