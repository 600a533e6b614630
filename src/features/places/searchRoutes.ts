import { Type } from 'typebox';
import { PLACE_KINDS, type PlaceKind } from '../../core/domain/placeSearch.ts';
import { nullable, object, place } from '../../core/domain/record/field.ts';
import { choices, integer, textUpTo } from '../../core/filter/kinds.ts';
import { json, type Route, route } from '../../http/declaration.ts';
import { whole } from '../../http/schemas.ts';
import { FOUND_MAX, FOUND_USUAL, type PlaceSearchServices, searchPlaces, TYPED_CHARACTERS_MAX } from './search.ts';

/** A person who types sends a request at every pause. */
const SEARCHES_PER_MINUTE = 120;

const found = object({
  kind: Type.Unsafe<PlaceKind>({ type: 'string', enum: [...PLACE_KINDS], title: 'Kind' }),
  id: place,
  label: Type.String({ description: '`Boulder, CO`, `Boulder County, CO`, `Colorado`' }),
  stateId: place,
  countyId: nullable(place),
  recordCount: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    minimum: 0,
    description: 'Records of every date, as of the last minute; null where they could not be counted',
  }),
});

/** `GET /locations/search`. */
export const placeSearchRoutes = (services: PlaceSearchServices): Route[] => [
  route('Places', 'searchPlaces', 'GET /locations/search', {
    summary: 'Places by what a person types, misspelt too',
    description:
      'Best first: whole names, beginnings of names, later words, then names that differ by one letter (of four or more that were typed); the larger place first. A state may follow: `boulder, co`. Free, the same in every licence, and counted apart from the other requests of the key: 120 a minute.',
    query: {
      own: {
        q: {
          summary: `What was typed, 1 to ${TYPED_CHARACTERS_MAX} characters`,
          example: 'bould',
          kind: textUpTo(TYPED_CHARACTERS_MAX),
          required: true,
        },
        kinds: {
          summary: 'Kinds of place; every kind unless given',
          example: 'county,city',
          kind: choices(PLACE_KINDS.length, ...PLACE_KINDS),
        },
        limit: {
          summary: `Places, 1 to ${FOUND_MAX} (default ${FOUND_USUAL})`,
          example: '5',
          kind: integer(1, FOUND_MAX),
          refusal: 'invalid_request',
        },
      },
    },
    ownAllowance: SEARCHES_PER_MINUTE,
    lifetime: { seconds: 60, scope: 'private' },
    answers: [json(Type.Array(found), { meta: object({ creditsUsed: whole, pageCount: whole }) })],
    errors: ['invalid_filter'],
    example: { path: '/v1/locations/search?q=bould' },
    handle: ({ query }) => searchPlaces(services, query),
  }),
];
