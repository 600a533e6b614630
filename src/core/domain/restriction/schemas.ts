/** Types of restrictions: instruments that stop a use of land in a place for a time, such as a moratorium (src/docs/restrictions.md). */
import { type Static, Type } from 'typebox';
import { day, id, list, moment, named, nullable, object, oneOf, optional, place, text, webAddress } from '../record/valueSchemas.ts';

export const RESTRICTION_KINDS = ['moratorium', 'ban', 'interim_ordinance'] as const;
export const RESTRICTION_STATUSES = ['proposed', 'in_force', 'extended', 'expired', 'replaced', 'rescinded', 'rejected'] as const;
export const JURISDICTION_TYPES = ['state', 'county', 'city', 'town', 'township', 'village', 'tribal', 'utility'] as const;
/** Where the end is from: stated as a day, computed from a length, an event, or there is none. */
export const END_BASES = ['stated', 'computed', 'event', 'none', 'unknown'] as const;
export const DATE_PRECISIONS = ['day', 'month', 'year'] as const;

export type RestrictionStatus = (typeof RESTRICTION_STATUSES)[number];

const kind = named('RestrictionKind', oneOf(...RESTRICTION_KINDS));
const status = named('RestrictionStatus', oneOf(...RESTRICTION_STATUSES));
const jurisdictionType = named('JurisdictionType', oneOf(...JURISDICTION_TYPES));
const endBasis = named('EndBasis', oneOf(...END_BASES));
const precision = named('DatePrecision', oneOf(...DATE_PRECISIONS));

const use = object({ type: text(60), subtype: nullable(text(60)), assetClass: nullable(text(60)) });
/** A use by the Building Type tree; a level that is null covers everything below it. */
export type RestrictedUse = Static<typeof use>;

const extension = object({
  on: { ...day, description: 'Day on which it was extended' },
  to: { ...nullable(day), description: 'The new end; null where it is not stated' },
});
const evidenceFrom = {
  ...nullable(named('EvidenceFrom', oneOf('instrument', 'inventory'))),
  description:
    'Whose words `evidence` quotes: the instrument or its minutes, or an inventory of instruments; null where its source does not say',
};
const quote = object({ field: text(60), quote: text(4_000), documentId: nullable(id) });

/** What a line states and an answer shows alike. */
export const STATED_FIELDS = {
  title: text(500),
  usesText: { ...text(2_000), description: 'The uses in the words of the source' },
  adoptedOn: nullable(day),
  effectiveFrom: nullable(day),
  effectiveTo: { ...nullable(day), description: 'Last day, without extensions' },
  endBasis,
  endEvent: { ...nullable(text(2_000)), description: 'The event that ends it, in words' },
  extensions: list(extension, 50),
  exempts: { ...nullable(text(4_000)), description: 'What it exempts, in words' },
  threshold: { ...nullable(text(2_000)), description: 'The size from which it applies, in words' },
  authority: { ...nullable(text(4_000)), description: 'The instrument and its legal basis, in words' },
  sourceDocumentUrl: nullable(webAddress(4_000)),
  documentId: nullable(id),
  evidence: list(quote, 50),
} as const;

const restrictionPlace = object({
  stateId: place,
  state: text(2),
  countyId: nullable(place),
  county: nullable(text(200)),
  cityId: nullable(place),
  city: nullable(text(200)),
  jurisdiction: { ...text(300), description: 'Who restricts, by its own name' },
  jurisdictionType,
});

const { title, usesText, adoptedOn, ...further } = STATED_FIELDS;

export const restrictionSchema = object({
  id,
  kind,
  title,
  place: restrictionPlace,
  point: {
    ...nullable(object({ lat: Type.Number({ minimum: -90, maximum: 90 }), lng: Type.Number({ minimum: -180, maximum: 180 }) })),
    description: 'Of the jurisdiction; null where it is not known',
  },
  uses: list(use, 50),
  usesText,
  status: { ...status, description: 'On the day asked, computed from dates and extensions' },
  adoptedOn,
  adoptedOnPrecision: {
    ...precision,
    description: 'How exactly `adoptedOn` is known: of a month or year it is the first day',
  },
  ...further,
  evidenceFrom,
  lastUpdated: moment,
});
/** A restriction as it is served for a day. */
export type Restriction = Static<typeof restrictionSchema>;

export interface StoredRestriction extends Omit<Restriction, 'status' | 'point' | 'evidenceFrom'> {
  evidenceFrom?: NonNullable<Restriction['evidenceFrom']>;
  /** of a city: other counties that it reaches into; absent where there are none, and in lists stored before there was such a field */
  furtherCountyIds?: readonly number[];
  /** what its source says has become of it */
  statedStatus: RestrictionStatus;
  /** day on which the source said so, `YYYY-MM-DD` */
  statedOn: string;
  /** of the jurisdiction; null where it is not known */
  point: { latitude: number; longitude: number } | null;
}

/** A line of a generation file. Places are named, as in other lines; the kind of the restriction has a name of its own beside that of the line. */
export const restrictionLineSchema = object({
  kind: Type.Literal('restriction'),
  id,
  source: { ...text(60), pattern: '^[a-z][a-z0-9_]*$', description: 'The inventory or extraction that it belongs to' },
  restrictionKind: kind,
  title: text(500),
  state: text(100),
  county: optional(nullable(text(200))),
  city: optional(nullable(text(200))),
  jurisdiction: text(300),
  jurisdictionType,
  latitude: optional(nullable(Type.Number({ minimum: -90, maximum: 90 }))),
  longitude: optional(nullable(Type.Number({ minimum: -180, maximum: 180 }))),
  uses: optional(list(object({ type: text(60), subtype: optional(nullable(text(60))), assetClass: optional(nullable(text(60))) }), 50)),
  usesText: STATED_FIELDS.usesText,
  status,
  statedOn: optional({ ...day, description: 'As of which day the source says so; that of the extraction without it' }),
  adoptedOn: optional(STATED_FIELDS.adoptedOn),
  adoptedOnPrecision: optional(precision),
  effectiveFrom: optional(STATED_FIELDS.effectiveFrom),
  effectiveTo: optional(STATED_FIELDS.effectiveTo),
  endBasis: optional(STATED_FIELDS.endBasis),
  endEvent: optional(STATED_FIELDS.endEvent),
  extensions: optional(list(object({ on: day, to: optional(nullable(day)) }), 50)),
  exempts: optional(STATED_FIELDS.exempts),
  threshold: optional(STATED_FIELDS.threshold),
  authority: optional(STATED_FIELDS.authority),
  sourceDocumentUrl: optional(STATED_FIELDS.sourceDocumentUrl),
  documentId: optional(STATED_FIELDS.documentId),
  evidence: optional(list(object({ field: text(60), quote: text(4_000), documentId: optional(nullable(id)) }), 50)),
  evidenceFrom: optional(evidenceFrom),
});
export type RestrictionLine = Static<typeof restrictionLineSchema>;
