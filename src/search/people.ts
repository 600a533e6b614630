/** What answers for one pool know of people: who is suppressed, and what the pool has unlocked. */
import type { PeopleView } from '../domain/record/people.ts';
import type { FetchedProject } from '../domain/record/represent.ts';
import type { Representation } from '../domain/record/schemas.ts';
import type { SuppressedPeople } from '../store/postgres/suppressions.ts';

export interface PeopleServices {
  suppressions: { current(): Promise<SuppressedPeople> };
}

/** For records that carry no contacts. */
export const NOBODY: PeopleView = { hides: () => true, unlockOf: () => null };

/** @throws ApiError `service_unavailable` where it cannot be known who is suppressed */
export async function peopleOf(
  { suppressions }: PeopleServices,
  _teamId: number,
  _projects: readonly FetchedProject[],
  representation: Representation,
): Promise<PeopleView> {
  if (representation === 'compact') return NOBODY;
  const suppressed = await suppressions.current();
  return { hides: (person) => suppressed.covers(person), unlockOf: () => null };
}
