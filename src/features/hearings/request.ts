/** The parameters of `GET /hearings`. Pure. */

import type { RequestRefusal } from '../../core/domain/errors.ts';
import type { Principal } from '../../core/domain/principal.ts';
import { daysAfter, daysBetween } from '../../core/domain/process/hearings.ts';
import { pickControls } from '../../core/filter/controls.ts';
import type { ParameterReading, RawParameters } from '../../core/filter/parse.ts';
import { restrictsMeetings } from '../../core/filter/resolve.ts';

import { contradiction } from '../../core/search/parameterProblems.ts';
import { parseParameters, type Selection, selectionOf } from '../../core/search/select.ts';
import type { Environment } from '../../core/search/services.ts';

/** Days after `from` that are listed by default, and at most. */
export const SPAN_DAYS = 30;
export const SPAN_DAYS_MAX = 366;

export const HEARING_CONTROLS = pickControls('from', 'to');

/** The hearings of a selection within some days. */
export interface SelectedHearings {
  selection: Selection;
  /** first and last day, `YYYY-MM-DD` */
  from: string;
  to: string;
  /** true if no filter restricts the meetings; hearings of records of every date are then listed */
  ofEveryMeeting: boolean;
}

export interface HearingsRequest extends SelectedHearings {
  sentFrom: boolean;
  sentTo: boolean;
}

const LAST_DAY = '9999-12-31';
const LAST_START = daysAfter(LAST_DAY, -SPAN_DAYS);

function readDays({ controls: { from, to } }: Pick<ParameterReading, 'controls'>, today: string): { from: string; to: string } {
  const first = from?.firstDay ?? (to && to.lastDay < today ? daysAfter(to.lastDay, -SPAN_DAYS) : today);
  // The year of a day has four digits.
  const last = to?.lastDay ?? (first > LAST_START ? LAST_DAY : daysAfter(first, SPAN_DAYS));
  return { from: first, to: last };
}

function findSpanProblems(reading: ParameterReading, today: string): RequestRefusal[] {
  const { from, to } = readDays(reading, today);
  if (from > to) return [contradiction('to', `to ends on ${to}, before from begins on ${from}`)];
  if (daysBetween(from, to) > SPAN_DAYS_MAX) return [contradiction('to', `from and to are at most ${SPAN_DAYS_MAX} days apart`)];
  return [];
}

/** Parses a request. @throws ApiError with every problem of the request */
export function parseHearings(raw: RawParameters, principal: Principal, environment: Environment): HearingsRequest {
  const { today } = environment;
  const reading = parseParameters(raw, HEARING_CONTROLS, principal, environment, (read) => findSpanProblems(read, today));
  const { from, to } = reading.controls;
  const sent = { sentFrom: from !== undefined, sentTo: to !== undefined };
  return { ...selectHearings(reading, principal, today), ...readDays(reading, today), ...sent };
}

/** The records whose hearings are listed. @param reading without problems */
export function selectHearings(
  { filters, warnings }: ParameterReading,
  principal: Pick<Principal, 'licence'>,
  today: string,
): Pick<SelectedHearings, 'selection' | 'ofEveryMeeting'> {
  const ofEveryMeeting = !restrictsMeetings(filters);
  return {
    selection: selectionOf(ofEveryMeeting ? { ...filters, dateRange: 'all' } : filters, principal, today, warnings),
    ofEveryMeeting,
  };
}
