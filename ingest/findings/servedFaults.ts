/** What contradicts the statement that is served under the same id: another case, days that moved, and titles that were cut short. Pure. */
import type { ProjectStatement } from '../../src/core/domain/record/statement.ts';
import { normalizeReferenceNumber } from '../../src/core/domain/referenceNumbers.ts';
import type { FaultPlace, FaultTally, ReportFault } from './faults.ts';
import { placeKey } from './placeFigures.ts';

type Fault = Parameters<ReportFault>;

interface Found {
  place: FaultPlace;
  /** of the first record */
  fault: Fault;
  ids: number[];
}

/** One record may be corrected so; many of one body were read wrongly. */
const MANY = 5;
const MANY_PERCENT = 20;

const isLater = (a: string | null | undefined, b: string | null | undefined) => Boolean(a && b && a > b);

/** A past hearing is no earlier than it was, a first one no later, nothing is approved or denied on a day to come, and titles do not shrink. */
function* listFaults(project: ProjectStatement, served: ProjectStatement | undefined, today: string): Generator<Fault> {
  const { meetingDate, firstMeetingDate, projectName, status } = project;
  if ((status === 'approved' || status === 'denied') && isLater(meetingDate, today))
    yield ['dates_contradict', 'meetingDate', () => `${status} on ${meetingDate}`];
  else if (isLater(served?.meetingDate, meetingDate) && !isLater(served?.meetingDate, today))
    yield ['dates_contradict', 'meetingDate', () => `${meetingDate}, served ${served?.meetingDate}`];
  if (isLater(firstMeetingDate, served?.firstMeetingDate))
    yield ['dates_contradict', 'firstMeetingDate', () => `${firstMeetingDate}, served ${served?.firstMeetingDate}`];
  const title = served?.projectName;
  if (projectName && title && title.length > projectName.length && title.startsWith(projectName))
    yield ['text_damaged', 'projectName', () => `'${projectName}', served '${title}'`];
}

/** Whether an id that is served was given to another case: one in another county, or with neither its name nor any of its case numbers. */
export function isOtherCase(project: ProjectStatement, served: ProjectStatement): boolean {
  if (project.countyId && served.countyId && project.countyId !== served.countyId) return true;
  const [now, before] = [project, served].map((one) => new Set(one.caseNumbers?.map(normalizeReferenceNumber)));
  return Boolean(now?.size && before?.size && ![...now].some((number) => before.has(number)) && project.projectName !== served.projectName);
}

export class ServedFaults {
  /** records that were looked at, and faults by code and field, by key of the body */
  readonly #bodies = new Map<string, { records: number; faults: Map<string, Found> }>();

  /** @param served what the record stated before; undefined for a new one @param today `YYYY-MM-DD` */
  add(project: ProjectStatement, served: ProjectStatement | undefined, today: string): void {
    const { stateId, countyId = null, decisionBody = null } = project;
    const place = { stateId: stateId ?? 0, countyId, decisionBody };
    const key = placeKey(place);
    const body = this.#bodies.get(key) ?? { records: 0, faults: new Map() };
    this.#bodies.set(key, body);
    body.records += 1;
    for (const fault of listFaults(project, served, today)) {
      const kind = `${fault[0]} ${fault[1]}`;
      const found = body.faults.get(kind) ?? { place, fault, ids: [] };
      body.faults.set(kind, found);
      found.ids.push(project.id);
    }
  }

  /** Reports the kinds of faults that many records of a body have. */
  reportMany(tally: FaultTally): void {
    for (const { records, faults } of this.#bodies.values())
      for (const { place, fault, ids } of faults.values())
        if (ids.length >= MANY && 100 * ids.length >= MANY_PERCENT * records) for (const id of ids) tally.addFault(place, id, ...fault);
  }
}
