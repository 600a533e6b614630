/** Refusals of `include=contacts`: a synchronous read serves contacts that were found before, and never makes look-ups. Pure. */
import type { RequestRefusal } from '../domain/errors.ts';
import type { Principal } from '../domain/principal.ts';
import type { ControlValues } from '../filter/controls.ts';
import type { ParameterReading } from '../filter/parse.ts';
import { areParsed, contradiction } from './problems.ts';

const ASYNC_CONTACTS = ['POST /projects/ai-search/jobs', 'GET /projects/search?format=csv&include=contacts', 'POST /enrichments'];

const asAnswer = (answer: RequestRefusal['answer'], param: string, message: string, details?: Record<string, unknown>): RequestRefusal => ({
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

/** Whether the plan is neither paid nor a trial with look-ups. */
const findsNoContacts = ({ paid, enrichment }: Principal['plan']) => !paid && enrichment.limit === 0;

const needsPaidPlan = () =>
  asAnswer(
    'enrichment_requires_paid_plan',
    'include',
    'Looking contacts up needs a paid plan or a live trial; send contactOptions={"cachedOnly":true} to read those that were found',
  );

/** Problems of contact options that were sent without `include=contacts`. */
export function optionsAloneProblems(reading: ParameterReading): RequestRefusal[] {
  const { include, contactOptions } = reading.controls;
  if (!areParsed(reading, 'include') || include === 'contacts' || !contactOptions) return [];
  return [contradiction('contactOptions', 'contactOptions needs include=contacts with it')];
}

/** Problems of the parameters that ask for contacts. */
export function contactProblems(reading: ParameterReading, principal: Principal): RequestRefusal[] {
  const { controls } = reading;
  if (!areParsed(reading, 'include')) return [];
  if (controls.include !== 'contacts') return optionsAloneProblems(reading);
  return [
    ...representationProblems(controls),
    ...(areParsed(reading, 'contactOptions', 'format') ? optionProblems(controls, principal) : []),
  ];
}

function representationProblems({ representation }: ControlValues): RequestRefusal[] {
  if (representation !== 'compact') return [];
  const message = 'compact carries no contact fields; use representation=standard or full';
  return [asAnswer('enrichment_incompatible_representation', 'representation', message, { supported: ['standard', 'full'] })];
}

function optionProblems({ format, contactOptions = {} }: ControlValues, { plan }: Principal): RequestRefusal[] {
  const { cachedOnly, ...ofCsv } = contactOptions;
  if (cachedOnly !== true && findsNoContacts(plan)) return [needsPaidPlan()];
  if (format === 'csv') {
    if (cachedOnly === undefined) return [];
    return [contradiction('contactOptions', 'cachedOnly is for JSON; a CSV takes minConfidence, maxProjects and companyOnly')];
  }
  if (cachedOnly !== true) return [needsJob()];
  return Object.keys(ofCsv).map((name) => contradiction('contactOptions', `${name} is for format=csv; JSON takes cachedOnly alone`));
}
