/** Events of restrictions; a team gets those of its licence. They say nothing of a record. */
import { ENDING_DAYS } from '../../core/domain/restriction/changes.ts';
import type { StoredRestriction } from '../../core/domain/restriction/schemas.ts';
import type { EventDeclaration } from '../feature.ts';

type Details = {
  title: string;
  place: Pick<StoredRestriction['place'], 'stateId' | 'countyId' | 'cityId' | 'jurisdiction'>;
  status: string;
  /** last day; null where it is not known */
  end: string | null;
};

const EXAMPLE: Details = {
  title: 'Moratorium on data centers, Boulder County, CO',
  place: { stateId: 8, countyId: 8013, cityId: null, jurisdiction: 'Boulder County' },
  status: 'in_force',
  end: '2027-06-01',
};

export const makeDetails = ({ title, place }: StoredRestriction, status: string, end: string | null): Details => {
  const { stateId, countyId, cityId, jurisdiction } = place;
  return { title, place: { stateId, countyId, cityId, jurisdiction }, status, end };
};

const makeData: EventDeclaration['data'] = ({ id, details }, apiUrl) => ({
  restrictionId: Number(id),
  ...(details as Details),
  pollUrl: `${apiUrl}/restrictions/${id}`,
});

const declareEvent = (type: string, summary: string): EventDeclaration => ({
  type,
  summary,
  example: '9001',
  exampleDetails: EXAMPLE,
  nullable: ['countyId', 'cityId', 'end'],
  data: makeData,
});

export const RESTRICTION_EVENTS: readonly EventDeclaration[] = [
  declareEvent('restriction.adopted', 'a restriction of your licence came into force, or is known now'),
  declareEvent('restriction.extended', 'a restriction of your licence was extended'),
  declareEvent('restriction.ending', `a restriction of your licence ends within ${ENDING_DAYS} days`),
  declareEvent('restriction.ended', 'a restriction of your licence expired, or was replaced or rescinded'),
];
