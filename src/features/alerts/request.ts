/** Bodies of alerts, parsed and merged into the stored alert; all problems are values. Pure. */

import type { RequestRefusal } from '../../core/domain/errors.ts';
import type { Places } from '../../core/domain/places.ts';
import type { Principal } from '../../core/domain/principal.ts';
import type { Warning } from '../../core/domain/warnings.ts';
import type { ParameterReading } from '../../core/filter/parse.ts';
import { mergeShare, PRIVATE, type Share } from '../../core/identity/share.ts';
import { isMailAddress, isPublicAddress } from '../../core/mail/mail.ts';
import { contradiction, wordProblems } from '../../core/search/parameterProblems.ts';
import type { BodyReading } from '../../http/declaration.ts';
import { type Cadence, findNextRun, mergeCadence } from './cadence.ts';
import { findCriteriaProblems, readCriteria } from './criteria.ts';
import { NOTHING_SEEN } from './position.ts';
import type { AlertSettings } from './store.ts';
import type { AlertNotify, StoredAlert } from './types.ts';

const RECORDS_PER_RUN_DEFAULT = 100;

/** The keys of an alert in a body; all are optional in a change or a preview. */
export interface AlertBody {
  name?: string;
  filters?: Record<string, unknown>;
  cadence?: Partial<Cadence>;
  share?: Partial<Share>;
  /** resume: takes an unsubscription back */
  notify?: { email?: boolean; emailTo?: string[]; resume?: true };
  maxRecordsPerRun?: number;
  budget?: { maxRecordsPerRun?: number };
  maxCredits?: number | null;
  includeNewlyRead?: boolean;
  specificRequirement?: string | null;
  status?: 'active' | 'paused';
}

const toLowerCase = (addresses: readonly string[]) => [...new Set(addresses.map((address) => address.trim().toLowerCase()))];

/** A body and its parsed parts, without problems. */
export interface ReadAlert {
  body: AlertBody;
  criteria: SentCriteria;
}

/** The parsed filters of a body; undefined when it has none, so that the stored ones stay. */
export type SentCriteria = ParameterReading | undefined;

/** Parses a body beyond its schema. */
export function readAlertBody(body: Readonly<Record<string, unknown>>, principal: Principal, places: Places): BodyReading<SentCriteria> {
  const criteria = body.filters === undefined ? undefined : readCriteria(body.filters, places);
  const problems = [
    ...(criteria ? findCriteriaProblems(criteria, principal, places) : []),
    ...findAddressProblems(body.notify),
    ...findBudgetProblems(body),
    ...wordProblems('specificRequirement', body.specificRequirement),
  ];
  return { problems, value: criteria };
}

/** Parses the body of a new alert; without filters it has none. */
export const readNewAlert = (body: Readonly<Record<string, unknown>>, principal: Principal, places: Places): BodyReading<SentCriteria> =>
  readAlertBody({ filters: {}, ...body }, principal, places);

function findAddressProblems(notify: unknown): RequestRefusal[] {
  const addresses = (notify as AlertBody['notify'])?.emailTo;
  if (!Array.isArray(addresses)) return [];
  return addresses.flatMap((address, i): RequestRefusal[] => {
    const param = `notify.emailTo.${i}`;
    const wrong = (message: string): RequestRefusal[] => [
      { param, code: 'invalid_value', message: `notify.emailTo[${i}] ${message}`, answer: 'invalid_request' },
    ];
    if (typeof address !== 'string') return [];
    if (!isMailAddress(address.trim())) return wrong('is not one bare e-mail address, such as ann@example.com');
    if (!isPublicAddress(address.trim())) return wrong('is at a host that mail of ours does not reach; name a public domain');
    return [];
  });
}

function findBudgetProblems({ maxRecordsPerRun, budget }: Readonly<Record<string, unknown>>): RequestRefusal[] {
  const alias = (budget as AlertBody['budget'])?.maxRecordsPerRun;
  if (maxRecordsPerRun === undefined || alias === undefined) return [];
  return [contradiction('budget.maxRecordsPerRun', 'budget.maxRecordsPerRun is another name of maxRecordsPerRun; send one of the two')];
}

const FIRST: Omit<AlertSettings, 'name' | 'nextRunAt'> = {
  status: 'active',
  filters: {},
  specificRequirement: null,
  cadence: { frequency: 'daily', weekday: null, day: null, beforeHearings: false },
  share: PRIVATE,
  notify: { email: true, emailTo: [] },
  maxRecordsPerRun: RECORDS_PER_RUN_DEFAULT,
  maxCredits: null,
  includeNewlyRead: true,
  problems: null,
  position: NOTHING_SEEN,
};

const mergeNotify = (before: AlertNotify, sent: AlertBody['notify'] = {}): AlertNotify => ({
  email: sent.email ?? before.email,
  emailTo: sent.emailTo ? toLowerCase(sent.emailTo) : before.emailTo,
});

/**
 * Merges a body into an alert. A change of what it asks for makes the next run search everything once.
 * @param now the next run falls due after this time
 */
export function mergeSettings(body: AlertBody, before: StoredAlert | null, now: Date): AlertSettings {
  const base = before ?? { ...FIRST, name: '', nextRunAt: null };
  const filters = body.filters ?? base.filters;
  const specificRequirement =
    body.specificRequirement === undefined ? base.specificRequirement : (body.specificRequirement?.trim() ?? null);
  const includeNewlyRead = body.includeNewlyRead ?? base.includeNewlyRead;
  const asksTheSame =
    JSON.stringify(filters) === JSON.stringify(base.filters) &&
    specificRequirement === base.specificRequirement &&
    includeNewlyRead === base.includeNewlyRead;
  const status = body.status ?? (base.status === 'active' ? 'active' : 'paused');
  const cadence = mergeCadence(base.cadence, body.cadence);
  const stays = before?.nextRunAt && before.status === 'active' && JSON.stringify(cadence) === JSON.stringify(before.cadence);
  return {
    name: body.name ?? base.name,
    status,
    filters,
    specificRequirement,
    cadence,
    nextRunAt: status !== 'active' ? null : stays ? before.nextRunAt : findNextRun(cadence, now),
    share: mergeShare(base.share, body.share),
    notify: mergeNotify(base.notify, body.notify),
    maxRecordsPerRun: body.maxRecordsPerRun ?? body.budget?.maxRecordsPerRun ?? base.maxRecordsPerRun,
    maxCredits: body.maxCredits === undefined ? base.maxCredits : body.maxCredits,
    includeNewlyRead,
    problems: body.filters === undefined && status !== 'active' ? base.problems : null,
    position: asksTheSame ? base.position : { ...NOTHING_SEEN, seen: base.position.seen },
  };
}

/** Warnings about settings that are saved but do not have the effect that they suggest. */
export function listAlertWarnings(
  { maxCredits }: Pick<StoredAlert, 'maxCredits'>,
  { monthlyCredits }: Pick<Principal, 'monthlyCredits'>,
): Warning[] {
  const beyond = maxCredits !== null && monthlyCredits !== null && maxCredits > monthlyCredits;
  return [
    ...(beyond
      ? [
          {
            code: 'budget_exceeds_monthly_allowance' as const,
            message: `maxCredits ${maxCredits} is more than the ${monthlyCredits} credits of a month`,
            params: { maxCredits, monthlyCredits },
          },
        ]
      : []),
  ];
}
