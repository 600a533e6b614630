/** The services for people where nobody is suppressed and nothing is unlocked. */
import type { PeopleView } from '../../src/core/domain/record/people.ts';
import type { PeopleServices } from '../../src/core/search/shownPeople.ts';

export const STRANGER: PeopleView = { hides: () => false, unlockOf: () => null };

export const NO_PEOPLE: PeopleServices = {
  suppressions: { current: async () => ({ covers: () => false }) },
  unlocks: { pageUnlocks: async () => new Map() },
};
