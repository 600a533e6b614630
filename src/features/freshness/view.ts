/** Names of places and bodies in answers. Pure. */

import type { Places } from '../../core/domain/places.ts';
import type { BodyPlace } from '../../core/domain/record/bodyMeetings.ts';
import { readBodyKey } from '../../core/domain/record/bodyMeetings.ts';
import { decisionBodies } from '../../core/domain/vocabulary.ts';

export interface PlaceView extends BodyPlace {
  label: string;
}

/** The place of a body; its label names the smallest known one, such as `Boulder, CO`. */
export function viewPlace({ stateId, countyId, cityId }: BodyPlace, places: Places): PlaceView {
  const local = (cityId && places.city(cityId)) || (countyId && places.county(countyId));
  const label = local ? places.labelOf(local) : (places.state(stateId)?.name ?? String(stateId));
  return { stateId, countyId, cityId, label };
}

/** The name of a body in a sentence: `Planning Board of Boulder, CO`. */
export function nameBody(bodyKey: string, places: Places): string {
  const body = readBodyKey(bodyKey);
  return `${decisionBodies.label(body.body) ?? 'Meeting'} of ${viewPlace(body, places).label}`;
}
