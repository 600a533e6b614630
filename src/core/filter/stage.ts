/** Filters on how far a project has come: status, bodies, requests, decisions, construction, zones. */
import type { EvidenceName } from '../domain/record/fields.ts';
import * as vocabulary from '../domain/vocabulary.ts';
import { anyOf, type Clause, terms } from '../query/clauses.ts';
import { type Filter, filter, type Served } from './entry.ts';
import { boolean, choice, listKind, parseToken, tokens } from './kinds.ts';
import { andThen, invalidValue } from './raw.ts';

const evidence = (attribute: string) => `derived.evidence.${attribute}`;

const UNKNOWN = 'unknown';
const isOfUnknown = (value: string) => value === UNKNOWN || value.endsWith(`|${UNKNOWN}`);

/**
 * Matches any of the values. `unknown` matches both what no generation states and what the current one does not cover. Among other values
 * its clause is named, so that a hit reports which of the two matched.
 */
function makeValueClauses(attribute: 'status' | 'statusCombo', values: readonly string[]): Clause[] {
  const unknown = values.filter(isOfUnknown);
  const known = values.filter((value) => !isOfUnknown(value));
  if (!unknown.length || !known.length) return [terms(evidence(attribute), values)];
  const named = { bool: { filter: [terms(evidence(attribute), unknown)], _name: unknownOf(attribute) } };
  return [anyOf([named, terms(evidence(attribute), known)])];
}

const unknownOf = (attribute: 'status' | 'statusCombo') => `${attribute} ${UNKNOWN}`;

/** A served value confirms a match. `unknown` sent with other values confirms only if the record matched its clause. */
function confirmsAny(attribute: 'status' | 'statusCombo', values: readonly string[], pairsOf: (served: Served) => readonly string[]) {
  const isMixed = values.some(isOfUnknown) && !values.every(isOfUnknown);
  return (served: Served, matched: readonly string[]) =>
    pairsOf(served).some((value) => values.includes(value) && (!isMixed || !isOfUnknown(value) || matched.includes(unknownOf(attribute))));
}

/** A filter on one attribute with a list of tokens. */
function attributeFilter(
  attribute: EvidenceName<'keyword'>,
  terms_: vocabulary.Vocabulary,
  entry: Pick<Filter<string[]>, 'aliases' | 'deprecated' | 'label' | 'summary' | 'example' | 'textFallback'>,
) {
  return filter<string[]>({
    ...entry,
    kind: tokens(terms_),
    queryable: { names: [attribute], by: 'value' },
    fields: [evidence(attribute)],
    must: (values) => [terms(evidence(attribute), values)],
    confirms: (values) => (served) => values.includes(served[attribute] ?? ''),
    reads: [attribute],
  });
}

/** A boolean filter. True keeps the records with the flag; false keeps all records (`only`) or those without the flag. */
function flagFilter(
  attribute: EvidenceName<'flag'>,
  only: boolean,
  entry: Pick<Filter<boolean>, 'aliases' | 'deprecated' | 'label' | 'summary' | 'example'>,
) {
  return filter<boolean>({
    ...entry,
    kind: boolean,
    queryable: { names: [attribute], by: 'flag' },
    fields: [evidence(attribute)],
    meaning: (value) => (value || !only ? value : undefined),
    must: (value) => (value || !only ? [terms(evidence(attribute), [value])] : []),
    confirms: (value) => (served) => (value || !only ? served[attribute] === value : true),
    reads: [attribute],
  });
}

const zoneSides = choice('inside', 'outside');
const ZONE_SIDE = { ...zoneSides, schema: { ...zoneSides.schema, title: 'ZoneSide' } };

/** A filter on a zone whose membership may be unknown; such a record is neither inside nor outside. */
function zoneFilter(
  attribute: 'inOpportunityZone' | 'inFemaFloodZone',
  entry: Pick<Filter<'inside' | 'outside'>, 'aliases' | 'deprecated' | 'label' | 'summary' | 'example'>,
) {
  return filter<'inside' | 'outside'>({
    ...entry,
    kind: ZONE_SIDE,
    queryable: { names: [attribute], by: 'flag' },
    fields: [evidence(attribute)],
    must: (value) => [terms(evidence(attribute), [value === 'inside'])],
    confirms: (value) => (served) => served[attribute] === (value === 'inside'),
    reads: [attribute],
  });
}

/** `<body>|<status>` pairs, each part a token or a label. */
const statusCombos = listKind({ items: { type: 'string', pattern: '^[^|]+\\|[^|]+$' }, minItems: 1 }, (text) => {
  const [body, status, ...more] = text.split('|').map((part) => part.trim());
  if (!body || !status || more.length) {
    const shown = text.slice(0, 80);
    return invalidValue('invalid_value', `'${shown}' is no <body>|<status> pair, such as City Council|Approved`, { value: shown });
  }
  return andThen(parseToken(vocabulary.decisionBodies, body), (bodyToken) =>
    andThen(parseToken(vocabulary.statuses, status), (statusToken) => ({ value: `${bodyToken}|${statusToken}` })),
  );
});

/** The pairs that a record serves. A record without a status counts as `unknown`; a decision without a status makes no pair. */
const listServedCombos = (served: Served) =>
  [{ ...served, status: served.status ?? 'unknown' }, ...(served.decisions ?? [])].map((pair) => `${pair.decisionBody}|${pair.status}`);

export const stageFilters = {
  status: filter<string[]>({
    ...attributeFilter('status', vocabulary.statuses, {
      aliases: ['statuses', 'statusSelection'],
      label: 'Status',
      summary: 'Entitlement statuses, token or label, any of them; `unknown` selects records of which no decision is known, then or now',
      example: 'approved,Approved with Conditions',
      // A continued case may have been decided since, which only its text says.
      textFallback: (values) => (values.includes('continued') ? 'always' : 'unstated'),
    }),
    must: (values) => makeValueClauses('status', values),
    confirms: (values) => confirmsAny('status', values, ({ status }) => [status ?? UNKNOWN]),
  }),
  decisionBodies: attributeFilter('decisionBody', vocabulary.decisionBodies, {
    aliases: ['decisionBody'],
    label: 'Deciding body',
    summary: 'Bodies that decided, by their short names',
    example: 'City Council',
    textFallback: 'always',
  }),
  statusCombos: filter({
    aliases: ['statusCombo'],
    label: 'Decision of a body',
    summary: '<body>|<status> pairs, any of them, over every decision of the record',
    example: 'planning_commission|recommended_approval',
    kind: statusCombos,
    fields: [evidence('statusCombo')],
    must: (values) => makeValueClauses('statusCombo', values),
    confirms: (values) => confirmsAny('statusCombo', values, listServedCombos),
    reads: ['decisionBody', 'status', 'decisions'],
  }),
  requestTypes: attributeFilter('requestType', vocabulary.requestTypes, {
    aliases: ['requestType', 'applicationTypes', 'askType', 'askTypes'],
    label: 'Request',
    summary: 'What was applied for',
    example: 'rezoning,site_plan',
    textFallback: 'always',
  }),
  decisionTypes: attributeFilter('decisionType', vocabulary.decisionTypes, {
    aliases: ['decisionType'],
    label: 'Kind of decision',
    summary: 'Kinds of decision',
    example: 'final_action',
    textFallback: 'always',
  }),
  constructionTypes: attributeFilter('constructionType', vocabulary.constructionTypes, {
    aliases: ['constructionType'],
    label: 'Construction',
    summary: 'Kinds of construction',
    example: 'new_construction',
    textFallback: 'always',
  }),
  projectSizes: attributeFilter('projectSize', vocabulary.projectSizes, {
    aliases: ['projectSize', 'constructionMagnitudes', 'constructionMagnitude'],
    label: 'Project size',
    summary: 'large, medium or small, any of them',
    example: 'large',
  }),
  constructionLeadsOnly: flagFilter('isConstructionLead', true, {
    aliases: ['constructionLeadOnly'],
    label: 'Construction lead',
    summary: 'true keeps construction leads; false keeps all',
    example: 'true',
  }),
  hasConstructionDetails: flagFilter('hasConstructionDetails', false, {
    aliases: ['hasConstructionIntel'],
    label: 'Construction details',
    summary: 'Whether construction details are known',
    example: 'true',
  }),
  requiresZoningChange: flagFilter('isRezone', true, {
    aliases: ['isRezone', 'rezoneOnly'],
    label: 'Rezoning',
    summary: 'true keeps rezonings; false keeps all (omit it instead)',
    example: 'true',
  }),
  inOpportunityZone: zoneFilter('inOpportunityZone', {
    label: 'Opportunity Zone',
    summary: 'Opportunity Zone membership; records for which it was not computed match neither',
    example: 'inside',
  }),
  inFemaFloodZone: zoneFilter('inFemaFloodZone', {
    aliases: ['inSfha'],
    deprecated: ['inSfha'],
    label: 'FEMA flood zone',
    summary: 'Special Flood Hazard Area membership; records for which it was not computed match neither',
    example: 'outside',
  }),
};
