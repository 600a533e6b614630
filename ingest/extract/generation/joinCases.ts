/**
 * Which cases of several meetings are one project: those of one place with a common case number; without one, those that ask for the same of a common
 * parcel, or at the same address by the same applicant, within two years. Each project has an id that follows from them. Pure.
 */
import { normalizeReferenceNumber } from '../../../src/core/domain/referenceNumbers.ts';
import { readStreetAddresses, writeAddressText } from '../../../src/core/domain/streetAddress.ts';
import { normalizeWords } from '../../../src/core/domain/words.ts';
import type { ProjectDraft } from '../../sources/types.ts';

/** What joins a case of a meeting with others, and where it stands among them. */
export interface CaseKey {
  /** place in the order of the documents */
  at: number;
  /** of the city, county or state whose body it is */
  place: string;
  body: string;
  date: string | null;
  numbers: readonly string[];
  parcels: readonly string[];
  sites: readonly string[];
  requestType: string | null;
  title: string;
}

export type JoinReason = 'same_case_number' | 'same_parcel_and_request' | 'same_address_and_applicant';

interface Join {
  reason: JoinReason;
  /** the later case, and the earlier one that it joins */
  at: number;
  with: number;
}

export interface JoinedCase<T extends CaseKey = CaseKey> {
  /** cases in the order of their meetings */
  members: T[];
  joins: Join[];
}

const WEAK_JOIN_DAYS = 730;
const DAY_MS = 86_400_000;

/** A number with letters, or a long one, is of one case in all bodies of a place; `24-05` may be of another in each. */
const isOfOnePlace = (number: string) => /[A-Z]/.test(number) || number.replace(/\D/g, '').length >= 7;

interface Placed {
  stateId?: number | null | undefined;
  countyId?: number | null | undefined;
  cityId?: number | null | undefined;
}

export const makePlaceKey = ({ stateId, countyId, cityId }: Placed): string =>
  cityId ? `city ${cityId}` : countyId ? `county ${countyId}` : `state ${stateId}`;

const withoutEmpty = (texts: readonly string[]) => [...new Set(texts.filter(Boolean))].sort();

/** The keys of a statement: of a case of one meeting, or of a line of an earlier generation. */
export function readCaseKey(statement: ProjectDraft, placed: Placed & { city?: string | null | undefined }, at: number): CaseKey {
  const { stateId, countyId, city } = placed;
  const where = { stateIds: stateId ? [stateId] : [], countyIds: countyId ? [countyId] : [] };
  const addresses = readStreetAddresses(statement.address ?? '', city ? [city] : [], where).filter(({ numbers }) => numbers.length);
  const people = (statement.parties ?? []).map(({ name }) => normalizeWords(name));
  return {
    at,
    place: makePlaceKey(placed),
    body: statement.decisionBody ?? '',
    date: statement.meetingDate ?? null,
    numbers: withoutEmpty((statement.caseNumbers ?? []).map(normalizeReferenceNumber)),
    parcels: withoutEmpty((statement.parcelNumbers ?? []).map(normalizeReferenceNumber)),
    sites: withoutEmpty(addresses.map(writeAddressText).flatMap((address) => people.map((person) => `${address} ${person}`))),
    requestType: statement.requestType ?? null,
    title: normalizeWords(statement.projectName ?? statement.summary ?? ''),
  };
}

/** Keys that two cases have in common if they are one, with the reason. */
export function listJoinKeys({ place, body, numbers, parcels, sites, requestType }: CaseKey): [key: string, reason: JoinReason][] {
  const listKeys = (what: string, values: readonly string[], reason: JoinReason) =>
    values.map((value): [string, JoinReason] => [`${place}|${what}|${value}`, reason]);
  return [
    ...numbers.map((number): [string, JoinReason] => [
      isOfOnePlace(number) ? `${place}|number|${number}` : `${place}|${body}|number|${number}`,
      'same_case_number',
    ]),
    ...(requestType ? listKeys(`parcel|${requestType}`, parcels, 'same_parcel_and_request') : []),
    ...(requestType ? listKeys(`site|${requestType}`, sites, 'same_address_and_applicant') : []),
  ];
}

const daysBetween = (a: string | null, b: string | null) => (a && b ? Math.abs(Date.parse(a) - Date.parse(b)) / DAY_MS : 0);

/** Whether one body gave the two groups different numbers: it counts them as two cases. */
function areNumberedApart(a: readonly CaseKey[], b: readonly CaseKey[]): boolean {
  return a.some((one) => one.numbers.length > 0 && b.some((other) => other.body === one.body && other.numbers.length > 0));
}

/** Joins cases. @param cases in the order of their meetings */
export function joinCases<T extends CaseKey>(cases: readonly T[]): JoinedCase<T>[] {
  const groupOf = new Map<T, JoinedCase<T>>();
  const latest = new Map<string, T>();
  const join = (later: T, earlier: T, reason: JoinReason) => {
    const [into, from] = [groupOf.get(earlier), groupOf.get(later)] as [JoinedCase<T>, JoinedCase<T>];
    if (into === from) return;
    if (reason !== 'same_case_number') {
      const isFar = daysBetween(later.date, earlier.date) > WEAK_JOIN_DAYS;
      if (isFar || areNumberedApart(into.members, from.members)) return;
    }
    into.members.push(...from.members);
    into.joins.push(...from.joins, { reason, at: later.at, with: earlier.at });
    for (const member of from.members) groupOf.set(member, into);
  };
  for (const one of cases) groupOf.set(one, { members: [one], joins: [] });
  // Numbers first: what they join may rule out that a parcel joins it.
  for (const strong of [true, false]) {
    latest.clear();
    for (const one of cases)
      for (const [key, reason] of listJoinKeys(one)) {
        if ((reason === 'same_case_number') !== strong) continue;
        const earlier = latest.get(key);
        if (earlier) join(one, earlier, reason);
        latest.set(key, one);
      }
  }
  const groups = [...new Set(groupOf.values())];
  for (const { members } of groups) members.sort((a, b) => a.at - b.at);
  return groups.sort((a, b) => (a.members[0]?.at ?? 0) - (b.members[0]?.at ?? 0));
}

/** The own id of a project: its body and case number, else its parcel, else its address and applicant, else its title and first day. */
export function makeOwnId({ members }: Pick<JoinedCase, 'members'>): string {
  const numbered = members.find(({ numbers }) => numbers.length);
  const withParcel = members.find(({ parcels }) => parcels.length);
  const withSite = members.find(({ sites }) => sites.length);
  const [first] = members as [CaseKey];
  const one = numbered ?? withParcel ?? withSite ?? first;
  const own = numbered
    ? numbered.numbers[0]
    : withParcel
      ? `parcel ${withParcel.parcels[0]}|${withParcel.requestType}`
      : withSite
        ? `site ${withSite.sites[0]}|${withSite.requestType}`
        : `title ${first.title}|${first.date}`;
  return `${one.place}|${one.body}|${own}`;
}
