/** The table of what lines are searched for: from how many records on it is a finding, what it says, and what to do about it. */
import type { FindingCode, Threshold } from './finding.ts';

interface Rule extends Threshold {
  /** true where each decision body is a place of its own */
  ofBody: boolean;
  /** follows on 'N of M records …' */
  says: string;
  remedy: string;
}

export const RULES = {
  places_exchanged: {
    ofBody: false,
    records: 5,
    percent: 1,
    says: 'name a city, county, state, ZIP code and point that cannot be the same place',
    remedy: 'Check whether columns or records were exchanged',
  },
  point_outside: {
    ofBody: false,
    records: 1,
    percent: null,
    says: 'have a point more than 2 km outside the county or state that they name; it is drawn nowhere',
    remedy: 'Correct the points or the places, or leave the points out',
  },
  ids_contradict: {
    ofBody: false,
    records: 1,
    percent: null,
    says: 'have a stateId, countyId or cityId that is not the place they name, where the id was taken, places that are no part of each other, or the id of another case',
    remedy: 'State the name or the id, or make them agree',
  },
  unresolved_place: {
    ofBody: false,
    records: 5,
    percent: null,
    says: 'name a county or city that the catalogue does not know; filters by that place do not find them',
    remedy: 'Write the name as GET /v1/locations has it, or state the id',
  },
  not_minutes: {
    ofBody: true,
    records: 1,
    percent: null,
    says: 'are no text of a meeting, but an error page, a request for consent, a login or nothing',
    remedy: 'Fetch the documents again, or state no text',
  },
  same_case: {
    ofBody: true,
    records: 5,
    percent: 1,
    says: 'have the case number of another record of the same body',
    remedy: 'State the case once, under one id, with all its hearings',
  },
  votes_contradict: {
    ofBody: true,
    records: 1,
    percent: null,
    says: 'have votes by name that do not add up to the totals of that decision',
    remedy: 'Check from which motion each was read, or leave one of them out',
  },
  dates_contradict: {
    ofBody: true,
    records: 1,
    percent: null,
    says: 'are decided before they are heard or after their document, have a day before 1980 or more than two years ahead, or moved against what is served',
    remedy: 'Check from which column or line the days were read',
  },
  placeholder_date: {
    ofBody: true,
    records: 1,
    percent: null,
    says: 'have a day that stands for none in spreadsheets and databases',
    remedy: 'Leave the day out where it is not known',
  },
  old_news: {
    ofBody: false,
    records: 50,
    percent: null,
    says: 'are new, though they were last heard over two years ago; alerts deliver them as newly read, not as new cases',
    remedy: 'Nothing, if the source was read further back on purpose',
  },
  text_damaged: {
    ofBody: false,
    records: 1,
    percent: null,
    says: 'have text that was decoded wrongly (such as Ã± or U+FFFD), holds control characters or was cut short',
    remedy: 'Read the source in its own encoding, and to its end',
  },
  duplicate_key: {
    ofBody: false,
    records: 1,
    percent: null,
    says: 'state a key twice in one line, so that nobody knows which value counts',
    remedy: 'State each key once',
  },
} as const satisfies Partial<Record<FindingCode, Rule>>;

export type RuleCode = keyof typeof RULES;
