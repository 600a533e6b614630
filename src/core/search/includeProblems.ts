/** What `include` asks for, and refusals: a synchronous read serves contacts that were found before, and never makes look-ups. Pure. */
import type { RequestRefusal } from '../domain/errors.ts';
import type { Principal } from '../domain/principal.ts';
import { type ControlValues, type Included, included } from '../filter/controls.ts';
import type { ParameterReading } from '../filter/parse.ts';
import { areParsed, contradiction } from './parameterProblems.ts';

/** What the records of an answer have besides the fields of their representation. */
export interface Includes {
  /** `include=contacts`: the answer fails when unlocks cannot be read */
  withContacts?: boolean | undefined;
  /** `include=derived` */
  withDerived?: boolean | undefined;
}

export const includesOf = ({ include = [] }: Pick<ControlValues, 'include'>): Includes => ({
  withContacts: include.includes('contacts'),
  withDerived: include.includes('derived'),
});

/** Parses `include` of a body. @param taken what the route accepts */
export function readInclude(sent: unknown, ...taken: Included[]): { problems: RequestRefusal[]; include?: Included[] } {
  if (sent === undefined) return { problems: [] };
  const parsed = included(...taken).parse([sent]);
  if ('value' in parsed) return { problems: [], include: parsed.value };
  const message = `include takes ${taken.join(' and ')}`;
  return { problems: [{ param: 'include', code: 'invalid_value', message, answer: 'invalid_request' }] };
}

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
export function findOptionsAloneProblems(reading: ParameterReading): RequestRefusal[] {
  const { include, contactOptions } = reading.controls;
  if (!areParsed(reading, 'include') || include?.includes('contacts') || !contactOptions) return [];
  return [contradiction('contactOptions', 'contactOptions needs include=contacts with it')];
}

/** Problems of `include` and its options. */
export const includeProblems = (reading: ParameterReading, principal: Principal): RequestRefusal[] => [
  ...findDerivedProblems(reading),
  ...findContactProblems(reading, principal),
];

/** `derived` comes with a full record, and as a column of a CSV. */
export function findDerivedProblems(reading: ParameterReading): RequestRefusal[] {
  const { include, representation, format } = reading.controls;
  if (!include?.includes('derived') || representation === 'full' || format === 'csv') return [];
  if (!areParsed(reading, 'representation', 'format')) return [];
  return [derivedNeedsFull()];
}

export const derivedNeedsFull = (): RequestRefusal =>
  contradiction('include', 'include=derived needs representation=full with it', { supported: ['full'] });

function findContactProblems(reading: ParameterReading, principal: Principal): RequestRefusal[] {
  const { controls } = reading;
  if (!areParsed(reading, 'include')) return [];
  if (!controls.include?.includes('contacts')) return findOptionsAloneProblems(reading);
  return [
    ...findRepresentationProblems(controls),
    ...(areParsed(reading, 'contactOptions', 'format') ? findOptionProblems(controls, principal) : []),
  ];
}

function findRepresentationProblems({ representation }: ControlValues): RequestRefusal[] {
  if (representation !== 'compact') return [];
  const message = 'compact carries no contact fields; use representation=standard or full';
  return [asAnswer('enrichment_incompatible_representation', 'representation', message, { supported: ['standard', 'full'] })];
}

function findOptionProblems({ format, contactOptions = {} }: ControlValues, { plan }: Principal): RequestRefusal[] {
  const { cachedOnly, ...ofCsv } = contactOptions;
  if (cachedOnly !== true && findsNoContacts(plan)) return [needsPaidPlan()];
  if (format === 'csv') {
    if (cachedOnly === undefined) return [];
    return [contradiction('contactOptions', 'cachedOnly is for JSON; a CSV takes minConfidence, maxProjects and companyOnly')];
  }
  if (cachedOnly !== true) return [needsJob()];
  return Object.keys(ofCsv).map((name) => contradiction('contactOptions', `${name} is for format=csv; JSON takes cachedOnly alone`));
}
