/** Days of a record that stand for none, are impossible for a case, or contradict each other. Days are `YYYY-MM-DD`. Pure. */
import { collectHearings } from '../../src/core/domain/process/hearings.ts';
import type { ProjectStatement } from '../../src/core/domain/record/statement.ts';
import type { ReportFault } from './faults.ts';
import type { FindingContext } from './finding.ts';

/** Day 0 and 1 of spreadsheets, databases and clocks, and days that mean 'never'. Those before 1900 are bad lines already. */
const PLACEHOLDERS: ReadonlySet<string> = new Set([
  '1900-01-01',
  '1901-01-01',
  '1904-01-01',
  '1969-12-31',
  '1970-01-01',
  '2049-12-31',
  '2050-12-31',
  '2079-06-06',
  '2099-01-01',
  '2099-12-31',
  '2100-01-01',
  '2100-12-31',
]);

const FIRST_LIKELY = '1980-01-01';
const YEARS_AHEAD = 2;
/** Last heard so many years ago, a case is old. */
const OLD_YEARS = 2;

/** The same day so many years later. */
const addYears = (day: string, years: number) => `${Number(day.slice(0, 4)) + years}${day.slice(4)}`;

/** Calls back with every day that a record states, and its field. */
function visitDays(project: ProjectStatement, visit: (field: string, day: string | null | undefined) => void): void {
  visit('meetingDate', project.meetingDate);
  visit('firstMeetingDate', project.firstMeetingDate);
  visit('nextMeetingDate', project.nextMeetingDate);
  if (project.decisions) for (const { meetingDate } of project.decisions) visit('decisions', meetingDate);
  if (project.meetingDocuments) for (const { meetingDate } of project.meetingDocuments) visit('meetingDocuments', meetingDate);
  if (project.statusHistory) for (const { date } of project.statusHistory) visit('statusHistory', date);
}

/** Reports each kind of fault once for a field. */
export function reportDateFaults(project: ProjectStatement, { today }: FindingContext, report: ReportFault): void {
  const last = addYears(today, YEARS_AHEAD);
  const reported = new Set<string>();
  visitDays(project, (field, day) => {
    if (!day || (day >= FIRST_LIKELY && day <= last)) return;
    const code = PLACEHOLDERS.has(day) ? 'placeholder_date' : 'dates_contradict';
    if (!reported.has(code + field)) report(code, field, () => day);
    reported.add(code + field);
  });
  reportOrder(project, report);
}

/** A case cannot be decided before it is first heard, nor after the document in which the body recorded the decision. */
function reportOrder(project: ProjectStatement, report: ReportFault): void {
  const { firstMeetingDate, decisions, meetingDate } = project;
  const days = (decisions ?? []).map((decision) => decision.meetingDate);
  const earliest = days.length ? days.reduce((a, b) => (a < b ? a : b)) : meetingDate;
  if (firstMeetingDate && earliest && earliest < firstMeetingDate)
    report('dates_contradict', days.length ? 'decisions' : 'meetingDate', () => `${earliest}, first heard ${firstMeetingDate}`);
  const latest = project.meetingDocuments?.find(({ meetingDocumentId }) => meetingDocumentId === project.meetingDocumentId);
  const later =
    latest?.meetingDate &&
    decisions?.find((one) => one.decisionBody === latest.decisionBody && one.meetingDate > (latest.meetingDate ?? ''));
  if (later) report('dates_contradict', 'meetingDocuments', () => `decided ${later.meetingDate}, its document is of ${latest.meetingDate}`);
}

/** Whether a record was last heard so long ago that it is no news, and nothing lies ahead of it. */
export function isOldNews(project: ProjectStatement, today: string): boolean {
  const latest = collectHearings(project).at(-1);
  return latest !== undefined && latest < addYears(today, -OLD_YEARS) && !((project.nextMeetingDate ?? '') > today);
}
