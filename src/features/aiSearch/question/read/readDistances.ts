/**
 * Reads distances from cities and counties, as circles around them. An ambiguous name means all likely places.
 *
 *     distance ::= ["within" | "up to" | …] number ("km" | "miles" | …) ("of" | "from" | "around") place
 */
import type { Places } from '../../../../core/domain/places.ts';
import type { QuestionWords } from '../questionWords.ts';
import { listPhrases } from '../words.ts';
import { findPlace } from './readPlaces.ts';

const WITHIN = listPhrases('distanceWithin');
const FROM = new Set(['of', 'from', 'around']);
const METRES: Readonly<Record<string, number>> = { km: 1_000, kilometer: 1_000, kilometre: 1_000, mi: 1_609.344, mile: 1_609.344 };
const NUMBER_WITH_UNIT = /^(\d+(?:\.\d+)?)(km|mi)?$/;
/** The limits of a circle, and of a list of areas. */
const [METRES_MIN, METRES_MAX, AREAS_MAX] = [100, 500_000, 10];

interface Distance {
  /** as the question writes it: `10 km` */
  text: string;
  metres: number;
  /** token behind it */
  to: number;
}

function readDistance(question: QuestionWords, at: number): Distance | undefined {
  const [, number, joined] = NUMBER_WITH_UNIT.exec(question.word(at)) ?? [];
  const to = joined ? at + 1 : at + 2;
  const perUnit = METRES[joined ?? question.word(at + 1).replace(/s$/, '')];
  const metres = Math.round(Number(number) * (perUnit ?? 0));
  return metres >= METRES_MIN && metres <= METRES_MAX ? { text: question.slice(at, to), metres, to } : undefined;
}

/** Circles around the places of a name; none around states. */
function drawCircles({ text, metres }: Distance, filters: Readonly<Record<string, readonly string[]>>, places: Places) {
  const cities = (filters.cities ?? []).map((id) => places.city(Number(id)));
  const counties = (filters.counties ?? []).map((id) => places.county(Number(id)));
  return [...cities, ...counties]
    .flatMap((place) => place ?? [])
    .slice(0, AREAS_MAX)
    .map((place) => ({
      name: `${text} around ${places.labelOf(place)}`,
      circle: { lat: place.latitude, lng: place.longitude, radiusMeters: metres },
    }));
}

/** Reads every distance that the question names; a denied one stays unread. */
export function readDistances(question: QuestionWords, places: Places): void {
  for (let i = 0; i < question.tokens.length; i++) {
    const distance = question.isFree(i) ? readDistance(question, i + question.phraseAt(i, WITHIN)) : undefined;
    if (!distance || !FROM.has(question.word(distance.to))) continue;
    const place = question.denialBefore(i) === undefined ? findPlace(question, distance.to + 1, places, 'in') : undefined;
    const areas = place ? drawCircles(distance, place.filters, places) : [];
    if (place && areas.length) question.readAsFilters(i, place.to, { areas: JSON.stringify(areas) }, 'never');
    i = distance.to;
  }
}
