/**
 * What is wrong with a request although each of its values can be read: parameters that contradict each other, or that a route takes only
 * beside others. Nothing is said of a parameter that cannot be read. Pure.
 */
import type { Refusal } from '../domain/errors.ts';
import type { Principal } from '../domain/principal.ts';
import { type ControlName, type ControlValues, LIMIT_DEFAULT, LIMIT_MAX, SCAN_CEILING_RECORDS, SORTS } from '../filter/controls.ts';
import type { Reading } from '../filter/parse.ts';

const contradiction = (param: string, message: string, details?: Record<string, unknown>): Refusal => ({
  param,
  code: 'contradiction',
  message,
  answer: 'invalid_request',
  ...(details ? { details } : {}),
});

const areRead = ({ unusable }: Reading, ...names: ControlName[]) => names.every((name) => !unusable.has(name));

/** Records a page and where it begins. */
export function pageOf({ limit: sent = LIMIT_DEFAULT, offset, page = 1 }: ControlValues): { limit: number; offset: number } {
  const limit = Math.min(sent, LIMIT_MAX);
  return { limit, offset: offset ?? (page - 1) * limit };
}

/** A page has to lie within the candidate scan; under `deliveryMode=new` there is only the first: what was delivered has left the set. */
export function pageProblems(reading: Reading): Refusal[] {
  const { controls } = reading;
  if (!areRead(reading, 'limit', 'offset', 'page', 'deliveryMode')) return [];
  const { limit, offset } = pageOf(controls);
  const param = controls.offset === undefined && controls.page !== undefined ? 'page' : 'offset';
  if (controls.deliveryMode === 'new' && offset > 0) {
    const message = `deliveryMode=new has no page but the first, since what was delivered has left the set; leave ${param} out and repeat the request for more`;
    return [contradiction(param, message)];
  }
  if (offset + limit <= SCAN_CEILING_RECORDS) return [];
  const message = `offset + limit reaches ${offset + limit}; a search reaches ${SCAN_CEILING_RECORDS}. Use GET /projects/sync to read every record`;
  return [contradiction(param, message, { candidateScanCeiling: SCAN_CEILING_RECORDS, alternative: '/projects/sync' })];
}

export function orderProblems({ controls: { sort = '', order } }: Reading): Refusal[] {
  const direction = SORTS[sort]?.direction;
  if (!direction || !order || direction === order) return [];
  return [contradiction('order', `order=${order} contradicts sort=${sort}, which means ${direction}; send one of the two`)];
}

export function formatProblems(reading: Reading): Refusal[] {
  const { format, maxCredits } = reading.controls;
  if (maxCredits === undefined || format === 'csv' || !areRead(reading, 'format')) return [];
  return [contradiction('maxCredits', 'maxCredits is for format=csv; leave it out of a JSON search')];
}

const ASYNC_CONTACTS = ['POST /projects/ai-search/jobs', 'GET /projects/search?format=csv&include=contacts', 'POST /enrichments'];

const asAnswer = (answer: Refusal['answer'], param: string, message: string, details?: Record<string, unknown>): Refusal => ({
  param,
  code: answer,
  message,
  answer,
  ...(details ? { details } : {}),
});

const needsJob = () =>
  asAnswer(
    'enrichment_requires_async',
    'include',
    'A synchronous read never looks contacts up; send contactOptions={"cachedOnly":true} or use a listed endpoint',
    { endpoints: ASYNC_CONTACTS },
  );

/** A live trial reads back what its own lookups found (specification "POST /enrichments" 3 and 6). */
const needsPaidPlan = () =>
  asAnswer(
    'enrichment_requires_paid_plan',
    'include',
    'Looking contacts up needs a paid plan; send contactOptions={"cachedOnly":true} to read those that were found',
  );

/** Refusals around `include=contacts` (specification "Contact toggle on synchronous routes"). */
export function contactProblems(reading: Reading, principal: Principal): Refusal[] {
  const { controls } = reading;
  if (!areRead(reading, 'include')) return [];
  if (controls.include !== 'contacts')
    return controls.contactOptions ? [contradiction('contactOptions', 'contactOptions needs include=contacts beside it')] : [];
  return [
    ...representationProblems(controls),
    ...(areRead(reading, 'contactOptions', 'format') ? optionProblems(controls, principal) : []),
  ];
}

function representationProblems({ representation }: ControlValues): Refusal[] {
  if (representation !== 'compact') return [];
  const message = 'compact carries no contact fields; use representation=standard or full';
  return [asAnswer('enrichment_incompatible_representation', 'representation', message, { supported: ['standard', 'full'] })];
}

function optionProblems({ format, contactOptions = {} }: ControlValues, { plan }: Principal): Refusal[] {
  const { cachedOnly, ...ofCsv } = contactOptions;
  if (format === 'csv') {
    if (cachedOnly === undefined) return [];
    return [contradiction('contactOptions', 'cachedOnly is for JSON; a CSV takes minConfidence, maxProjects and companyOnly')];
  }
  if (cachedOnly !== true) return [plan.paid ? needsJob() : needsPaidPlan()];
  return Object.keys(ofCsv).map((name) => contradiction('contactOptions', `${name} is for format=csv; JSON takes cachedOnly alone`));
}

/** A count takes `projectIds` alone: to combine them is a search. */
export function countProblems({ sent }: Reading, filterNames: readonly string[]): Refusal[] {
  const ids = sent.get('projectIds');
  if (ids === undefined) return [];
  const others = filterNames.flatMap((name) => (name === 'projectIds' ? [] : (sent.get(name) ?? [])));
  return others.map((param) =>
    contradiction(param, `${ids} must be the only filter of a count, without ${param}; use GET /projects/search to combine them`, {
      alternative: '/projects/search',
    }),
  );
}
