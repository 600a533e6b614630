/** Events for decision bodies that fall silent or report again; a team gets those of places within its licence. */
import { readBodyKey } from '../../core/domain/record/bodyMeetings.ts';
import type { Payload } from '../../http/openapiWebhooks.ts';
import type { EventDeclaration } from '../feature.ts';

const EXAMPLE = '8.8013.5574991.planning_board';

const makeData: EventDeclaration['data'] = ({ id, details }, apiUrl) => {
  const { stateId, body } = readBodyKey(id);
  const known = (details ?? {}) as { place?: Payload; expectedBy?: string | null; missed?: number };
  return {
    bodyKey: id,
    place: known.place ?? null,
    body,
    expectedBy: known.expectedBy ?? null,
    missed: known.missed ?? 0,
    pollUrl: `${apiUrl}/coverage?by=body&states=${stateId}`,
  };
};

const declareEvent = (type: string, summary: string): EventDeclaration => ({
  type,
  summary,
  example: EXAMPLE,
  exampleDetails: { place: { stateId: 8, countyId: 8013, cityId: 5574991, label: 'Boulder, CO' }, expectedBy: '2026-11-12', missed: 1 },
  nullable: ['place', 'countyId', 'cityId', 'expectedBy'],
  data: makeData,
});

export const FRESHNESS_EVENTS: readonly EventDeclaration[] = [
  declareEvent(
    'coverage.stale',
    'a decision body of your licence has met, by its rhythm, and nothing of it has been read: its source may be gone',
  ),
  declareEvent('coverage.recovered', 'a body that you were told was silent is read again'),
];
