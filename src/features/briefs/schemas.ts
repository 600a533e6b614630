/** Schemas of briefs. */
import { Type } from 'typebox';
import { ID_MAX, named, nullable, object, oneOf, place as placeId } from '../../core/domain/record/field.ts';
import type { Representation } from '../../core/domain/record/schemas.ts';
import { FILTERS } from '../../core/filter/table.ts';
import { recordReference } from '../../http/openapi.ts';
import { anyText, asInFilter, moment, whole } from '../../http/schemas.ts';

const PRECEDENTS_MAX = 20;
export const PRECEDENTS_USUAL = 5;

const degrees = (most: number, description: string) => Type.Number({ minimum: -most, maximum: most, description });
const point = { lat: degrees(90, 'Degrees north (WGS 84)'), lng: degrees(180, 'Degrees east') };
const radius = Type.Number({ minimum: 100, maximum: 500_000, description: 'Metres around it' });
const placeText = (description: string) => Type.String({ minLength: 1, maxLength: 500, description });

const KINDS = {
  polygon: Type.Unsafe<unknown>({ ...FILTERS.polygon.kind.schema, description: 'As the filter `polygon`' }),
  circle: Type.Unsafe<unknown>({ ...object({ ...point, radiusMeters: radius }), description: 'As the filter `circle`' }),
  point: object(point),
  county: asInFilter('As `counties` takes it: name with state, or FIPS number'),
  city: asInFilter('As `cities` takes it'),
  address: placeText('Street, city and state; of a record of yours, else by the geocoder of the service'),
  parcel: placeText('Number of the parcel, of a record of yours'),
  projectId: Type.Integer({ minimum: 1, maximum: ID_MAX, description: 'A project; on metered plans one that your pool holds as it is' }),
};
export const PLACE_KINDS = Object.keys(KINDS) as (keyof typeof KINDS)[];
const name = Type.String({ minLength: 1, maxLength: 200, description: 'Title of the brief; without it that of its place' });
const KEYS = { ...KINDS, name };
const sentPlace = object(
  Object.fromEntries(Object.entries(KEYS).map(([kind, schema]) => [kind, Type.Optional(schema)])) as {
    [K in keyof typeof KEYS]: ReturnType<typeof Type.Optional<(typeof KEYS)[K]>>;
  },
);

const token = (description: string) => Type.String({ maxLength: 100, description });

export const briefBody = object({
  place: { ...sentPlace, description: 'One of these keys, perhaps with a `name`; a point counts for five miles around it' },
  use: Type.Optional(
    object({
      type: token('Building Type, by token or label'),
      subtype: Type.Optional(nullable(token('Subtype of it'))),
      assetClass: Type.Optional(nullable(token('Asset class of the subtype'))),
    }),
  ),
  maxPrecedents: Type.Optional(
    Type.Integer({ minimum: 0, maximum: PRECEDENTS_MAX, description: `${PRECEDENTS_USUAL} unless given; without any a brief is free` }),
  ),
  maxCredits: Type.Optional(Type.Integer({ minimum: 0, description: 'The brief is refused if it would cost more' })),
});

const call = object({
  method: named('BriefCallMethod', oneOf('GET', 'POST')),
  path: Type.String({ description: 'With its query' }),
  body: nullable(Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object' })),
});

export const statement = object({
  text: anyText,
  basis: {
    ...named('BriefBasis', oneOf('quote', 'count', 'computed', 'none')),
    description: '`count`: the number is in the answer of the call; `computed`: it follows from it; `none`: what is not known',
  },
  call: { ...nullable(call), description: 'A request that repeats the number or the quote; free' },
  quote: { ...nullable(Type.String()), description: 'Verbatim words of a document' },
  documentId: nullable(placeId),
  projectId: nullable(placeId),
});

export const section = object({
  id: named('BriefSection', oneOf('summary', 'precedents', 'odds', 'timeline', 'restrictions', 'hearings', 'zoning', 'coverage')),
  statements: Type.Array(statement),
});

const location = object({ latitude: Type.Number(), longitude: Type.Number() });
const use = object({ type: Type.String(), subtype: nullable(Type.String()), assetClass: nullable(Type.String()) });

export const briefEntry = object({
  id: Type.String(),
  place: {
    ...object({
      ...sentPlace.properties,
      label: Type.String(),
      stateId: nullable(placeId),
      countyId: nullable(placeId),
      cityId: nullable(placeId),
      location: nullable(location),
    }),
    description: 'As it was sent, and what was found',
  },
  use: nullable(use),
  asOf: { ...moment, description: 'When the release was activated of which every statement is' },
  generation: nullable(whole),
  createdAt: moment,
  expiresAt: moment,
  creditsUsed: { ...whole, description: 'What its precedents charged when it was made' },
  url: Type.String({ format: 'uri', description: 'The page of the brief, which prints' }),
});

const COMPACT: Representation = 'compact';
export const briefSchema = object({
  ...briefEntry.properties,
  sections: Type.Array(section),
  precedents: Type.Array(Type.Unsafe<Readonly<Record<string, unknown>>>(recordReference(COMPACT))),
});

export const briefPrice = object({
  creditsRequired: { ...whole, description: 'What the precedents would charge now' },
  precedents: { ...whole, description: 'How many there are' },
});
