/** Parses the body of `POST /exports` and the parameters of a search as CSV; problems are returned as values. Pure. */

import { type RequestRefusal, refusalOf } from '../../core/domain/errors.ts';
import type { Places } from '../../core/domain/places.ts';
import type { Principal } from '../../core/domain/principal.ts';
import { type ContactOptions, type ControlValues, type Included, pickControls } from '../../core/filter/controls.ts';
import { canonicalText, type ParameterReading, parseFilterObject, type RawParameters, readParameters } from '../../core/filter/parse.ts';
import { readStored } from '../../core/filter/stored.ts';
import type { FilterValues } from '../../core/filter/table.ts';
import type { LookUpOptions } from '../../core/people/enrichment.ts';
import type { SortChoice } from '../../core/query/sort.ts';
import { SEND_THE_FLAG } from '../../core/search/governmentWarning.ts';
import { includeProblems, includesOf, readInclude } from '../../core/search/includeProblems.ts';
import { areParsed, contradiction } from '../../core/search/parameterProblems.ts';
import { orderOf, orderProblems, SEARCH_CONTROLS } from '../../core/search/searchRequest.ts';
import { denialProblems, narrowSelection, parseSelection, type Selection, selectionOf, withoutIgnored } from '../../core/search/select.ts';
import type { Environment } from '../../core/search/services.ts';
import type { BodyReading } from '../../http/declaration.ts';
import type { ExportPayload, ExportSource } from './types.ts';

export interface ExportBody {
  alertId?: string;
  listId?: string;
  projectIds?: number[];
  filters?: Record<string, unknown>;
  maxCredits?: number;
  maxContactCredits?: number;
  include?: Included | Included[];
  contactOptions?: LookUpOptions;
}

/** The records of a file and their order. */
interface ExportSet {
  selection: Selection;
  sort: SortChoice;
  deliveryMode: 'all' | 'new';
}

export interface ExportRequest extends ExportSet, Pick<ExportPayload, 'parameters' | 'members'> {
  source: ExportSource;
  /** URL that prices the set, if not a count */
  priceUrl?: string;
  /** filters of a count that has the same matches; null for a list that the request narrows */
  countedFilters: Selection['appliedFilters'] | null;
  /** limit on the credits for records */
  maxCredits: number | null;
  maxContactCredits: number | null;
  /** the options of look-ups; undefined when contacts are not requested */
  contacts: LookUpOptions | undefined;
  /** `include=derived`: the file has its column */
  withDerived: boolean;
  /** how this request could include government items, for a warning */
  sendTheFlag: string;
}

/** Parameters besides filters that choose records and their order. */
const CHOICE = pickControls('sort', 'order', 'deliveryMode');
/** Accepted on a search as CSV and ignored: the file holds every match. */
const IGNORED_BY_CSV = ['limit', 'offset', 'page'] as const;
/** Parameters used when the export is accepted, but not when it is built. */
const OF_ACCEPTANCE = ['representation', 'format', 'maxCredits', 'maxContactCredits', 'include', 'contactOptions'] as const;
const FILTERS = 'filters.';
const SOURCES = ['alertId', 'listId', 'projectIds'] as const;

const refusal = (answer: RequestRefusal['answer'], param: string, message: string, code: string = answer): RequestRefusal => ({
  param,
  code,
  message,
  answer,
});

function sourceProblems(body: Readonly<Record<string, unknown>>): RequestRefusal[] {
  const named = SOURCES.filter((source) => body[source] !== undefined);
  const [first, second] = named;
  if (second) return [contradiction(second, `${second} contradicts ${first}: an export has one source`)];
  if (first === undefined && body.filters === undefined)
    return [
      refusal(
        'invalid_request',
        'filters',
        'Say what to export: filters, projectIds, alertId or listId; filters: {} asks for all of your licence',
        'missing',
      ),
    ];
  return [];
}

function bodyIncludeProblems(include: unknown, contactOptions: unknown): RequestRefusal[] {
  const { problems, include: asked } = readInclude(include, 'contacts', 'derived');
  if (problems.length || contactOptions === undefined || asked?.includes('contacts')) return problems;
  return [contradiction('contactOptions', 'contactOptions needs include=contacts with it')];
}

/** The parsed filters of a body. */
export interface ExportFilters {
  filters: ParameterReading;
  /** `projectIds` of the body, outside of `filters` */
  ids: ParameterReading;
}

/** Parses a body beyond its schema. */
export function readExportBody(body: Readonly<Record<string, unknown>>, principal: Principal, places: Places): BodyReading<ExportFilters> {
  const filters = parseFilterObject(body.filters ?? {}, FILTERS, places, CHOICE);
  const ids = readParameters(new Map(body.projectIds === undefined ? [] : [['projectIds', [body.projectIds]]]), {}, places);
  const twice = filters.sent.get('projectIds');
  const contradicts = `${twice} contradicts projectIds; send one of the two`;
  const problems = [
    ...sourceProblems(body),
    ...filters.problems,
    ...ids.problems,
    ...(twice && body.projectIds !== undefined ? [contradiction(twice, contradicts)] : []),
    ...orderProblems(filters).map((problem) => ({ ...problem, param: `${FILTERS}${problem.param}` })),
    ...bodyIncludeProblems(body.include, body.contactOptions),
    ...denialProblems(filters, principal, places),
  ];
  return { problems, value: { filters, ids } };
}

export interface SourceList {
  param: 'alertId' | 'listId';
  /** id of the list or the alert, depending on `param` */
  id: string;
  /** ids of its projects, or its criteria as search parameters */
  holds: number[] | { criteria: Readonly<Record<string, unknown>> };
}

const asParameters = (values: object) => Object.entries(values).map(([name, value]): [string, unknown[]] => [name, [value]]);

/** Problems that the stored criteria of a list have today. */
const criteriaProblems = (ofList: ParameterReading, principal: Principal, places: Places): RequestRefusal[] =>
  [...ofList.problems, ...denialProblems(ofList, principal, places)].map((problem) => ({
    ...problem,
    param: 'listId',
    message: `The list's criteria: ${problem.message}`,
  }));

const readCriteriaOf = (members: ExportPayload['members'], places: Places): ParameterReading =>
  readStored(members && 'criteria' in members ? members.criteria : [], CHOICE, places);

function membersOf(list: SourceList | undefined): ExportPayload['members'] {
  if (!list) return null;
  return 'criteria' in list.holds ? { criteria: asParameters(list.holds.criteria) } : list.holds;
}

/** A body and its parsed parts, without problems. */
interface ReadExportBody {
  body: ExportBody;
  read: ExportFilters;
}

/**
 * Parses a request.
 * @param list of `body.listId` or `body.alertId`
 * @throws ApiError with every problem of the request
 */
export function parseExport(
  { body, read: { filters, ids } }: ReadExportBody,
  principal: Principal,
  { places, today }: Environment,
  list?: SourceList,
): ExportRequest {
  const members = membersOf(list);
  const ofList = readCriteriaOf(members, places);
  const problems = criteriaProblems(ofList, principal, places);
  if (problems.length) throw refusalOf(problems);
  const controls = { ...ofList.controls, ...filters.controls };
  const sent = { ...filters.filters, ...ids.filters };
  const selection = narrowToMembers(sent, members, { ofList, principal, today });
  const source = sourceOf(selection, controls, body.projectIds !== undefined);
  const { withContacts, withDerived } = includesOf(readInclude(body.include, 'contacts', 'derived'));
  const { appliedDefaults, appliedFilters: ofCriteria } = outerOf({ ofList, principal, today });
  const appliedFilters = list ? { [list.param]: list.id, ...selection.appliedFilters } : selection.appliedFilters;
  const wholeFilters = members && 'criteria' in members ? { ...appliedDefaults, ...ofCriteria } : appliedFilters;
  return {
    selection: { ...selection, appliedFilters, warnings: [...filters.warnings, ...selection.warnings] },
    sort: orderOf(controls),
    deliveryMode: controls.deliveryMode ?? 'all',
    source: list ? { ...source, [list.param]: list.id } : source,
    countedFilters: list && Object.keys(sent).length ? null : wholeFilters,
    parameters: asParameters({ ...body.filters, ...(body.projectIds ? { projectIds: body.projectIds } : {}) }),
    members,
    maxCredits: body.maxCredits ?? null,
    maxContactCredits: body.maxContactCredits ?? null,
    contacts: withContacts ? (body.contactOptions ?? {}) : undefined,
    withDerived: withDerived === true,
    sendTheFlag: `${members && 'criteria' in members ? 'make the list with' : 'send'} includeGovernmentDecisions=true among the filters to have them`,
  };
}

interface Within {
  /** criteria of the list, if it has any */
  ofList: ParameterReading;
  principal: Pick<Principal, 'licence'>;
  today: string;
}

/** The filters within a list. Government items in a list of projects are included, since they were added by id. */
function narrowToMembers(filters: FilterValues, members: ExportPayload['members'], { ofList, principal, today }: Within): Selection {
  if (!members) return selectionOf(filters, principal, today);
  if ('criteria' in members) return narrowSelection(outerOf({ ofList, principal, today }), filters, principal);
  const projectIds = filters.projectIds ? members.filter((id) => filters.projectIds?.includes(id)) : [...members];
  const selection = selectionOf({ includeGovernmentDecisions: true, ...filters, projectIds }, principal, today);
  const { projectIds: _, ...others } = selection.appliedFilters;
  // The echo does not repeat the list's thousands of ids, only those that were sent.
  return { ...selection, appliedFilters: { ...others, ...(filters.projectIds ? { projectIds: filters.projectIds } : {}) } };
}

/** The selection of a list's own criteria. */
function outerOf({ ofList, principal, today }: Within): Selection {
  const selection = selectionOf(ofList.filters, principal, today, ofList.warnings);
  const remedy =
    'The list names no dateRange or meeting bounds, and filters only narrow it. Make the list with dateRange=all for every record';
  const warnings = selection.warnings.map((one) => (one.code === 'default_date_window_applied' ? { ...one, message: remedy } : one));
  return { ...selection, warnings };
}

/** A file has the fields of a standard record. */
function fieldsProblems(reading: ParameterReading): RequestRefusal[] {
  const { representation = 'standard', include } = reading.controls;
  if (representation === 'standard' || !areParsed(reading, 'representation') || (representation === 'compact' && include)) return [];
  const message = `A CSV has the fields of a standard record; leave representation=${representation} out`;
  return [contradiction('representation', message, { supported: ['standard'] })];
}

export interface CsvSearch extends ExportRequest {
  /** text that is equal for equal requests */
  same: string;
}

/** `format=csv` of a search, with the parameters of its pages. @throws ApiError with every problem of the request */
export function parseCsvSearch(raw: RawParameters, principal: Principal, environment: Environment): CsvSearch {
  const taken = withoutIgnored(IGNORED_BY_CSV, raw);
  const { selection, controls } = parseSelection(taken, SEARCH_CONTROLS, principal, environment, (reading) => [
    ...fieldsProblems(reading),
    ...includeProblems(reading, principal),
    ...orderProblems(reading),
  ]);
  const { withContacts, withDerived } = includesOf(controls);
  return {
    selection,
    sort: orderOf(controls),
    deliveryMode: controls.deliveryMode ?? 'all',
    source: sourceOf(selection, controls, false),
    countedFilters: selection.appliedFilters,
    parameters: [...withoutIgnored(OF_ACCEPTANCE, taken)].map(([name, values]) => [name, [...values]]),
    members: null,
    maxCredits: controls.maxCredits ?? null,
    maxContactCredits: controls.maxContactCredits ?? null,
    contacts: withContacts ? lookUpOptions(controls.contactOptions) : undefined,
    withDerived: withDerived === true,
    sendTheFlag: SEND_THE_FLAG,
    same: canonicalText(raw),
  };
}

/** The options of look-ups for a file; `cachedOnly` is only for reads. */
function lookUpOptions({ minConfidence, companyOnly, maxProjects }: ContactOptions = {}): LookUpOptions {
  return { minConfidence, companyOnly, maxProjects };
}

/**
 * The request as a poll shows it.
 * @param byIds whether ids were sent as the source, rather than as one filter of a search
 */
function sourceOf({ appliedFilters }: Selection, { sort, order, deliveryMode }: ControlValues, byIds: boolean): ExportSource {
  const { projectIds, ...others } = appliedFilters as { projectIds?: number[] };
  const chosen = { ...(sort ? { sort } : {}), ...(order ? { order } : {}), ...(deliveryMode ? { deliveryMode } : {}) };
  const filters = { ...(byIds ? others : appliedFilters), ...chosen };
  return { alertId: null, listId: null, projectIds: byIds ? (projectIds ?? null) : null, filters };
}

/**
 * The selection of an accepted export, on the day of its acceptance.
 * @throws Error when this version of the service cannot parse what another accepted
 */
export function acceptedSet({ parameters, members, licence, today }: ExportPayload, places: Places): ExportSet {
  const { filters, controls, problems } = readStored(parameters, CHOICE, places);
  const ofList = readCriteriaOf(members, places);
  const found = [...problems, ...ofList.problems];
  if (found.length) throw new Error(`The parameters of an accepted export have problems: ${JSON.stringify(found)}`);
  const { deliveryMode = 'all', ...order } = { ...ofList.controls, ...controls };
  return { selection: narrowToMembers(filters, members, { ofList, principal: { licence }, today }), sort: orderOf(order), deliveryMode };
}
