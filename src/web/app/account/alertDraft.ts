/** The settings of an alert while they are edited. Pure. */
import type { Input } from '../../../clients/client/prepare.ts';
import { SERVICE_ZONE } from '../../../core/domain/serviceClock.ts';
import type { SavedAlert } from '../shared/answers.ts';
import type { Criteria } from '../shared/words.ts';

export type AlertChange = NonNullable<Input<'changeAlert'>['body']>;

/** Numbers and lists as they are typed. */
export interface AlertDraft {
  filters: Criteria;
  requirement: string;
  cadence: SavedAlert['cadence'];
  /** whether members get digests */
  email: boolean;
  /** further addresses, one a line */
  emailTo: string;
  maxRecordsPerRun: string;
  /** '' for no limit */
  maxCredits: string;
  includeNewlyRead: boolean;
}

export const draftOf = ({ filters, specificRequirement, cadence, notify, maxRecordsPerRun, ...alert }: SavedAlert): AlertDraft => ({
  filters,
  requirement: specificRequirement ?? '',
  cadence,
  email: notify.email,
  emailTo: notify.emailTo.join('\n'),
  maxRecordsPerRun: String(maxRecordsPerRun),
  maxCredits: alert.maxCredits === null ? '' : String(alert.maxCredits),
  includeNewlyRead: alert.includeNewlyRead,
});

/** The settings that a preview accepts: those that decide what a run delivers. */
export const previewOf = ({ filters, requirement, maxRecordsPerRun, maxCredits, includeNewlyRead }: Omit<AlertDraft, 'cadence'>) => ({
  filters,
  includeNewlyRead,
  specificRequirement: requirement.trim() || null,
  ...(maxRecordsPerRun ? { maxRecordsPerRun: Number(maxRecordsPerRun) } : {}),
  maxCredits: maxCredits ? Number(maxCredits) : null,
});

export const changeOf = ({ cadence: { frequency, weekday, day, beforeHearings }, ...draft }: AlertDraft): AlertChange => ({
  ...previewOf(draft),
  cadence: { frequency, weekday, day, beforeHearings },
  notify: { email: draft.email, emailTo: [...new Set(draft.emailTo.toLowerCase().split(/[\s,;]+/))].filter(Boolean) },
});

export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** When alerts run on their days. */
export const RUN_TIME = `06:00 ${SERVICE_ZONE}`;

/** A rhythm in words: `weekly on Monday at 06:00 America/Denver`. */
export function describeCadence({ frequency, weekday, day, beforeHearings }: SavedAlert['cadence']): string {
  const before = ` at ${RUN_TIME}${beforeHearings ? ', and on the day before a hearing' : ''}`;
  if (frequency === 'weekly') return `weekly on ${WEEKDAYS[(weekday ?? 1) - 1]}${before}`;
  return (frequency === 'monthly' ? `monthly on day ${day ?? 1}` : frequency) + before;
}
