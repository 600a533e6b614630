/** Finds what a generation states less of than what is served: records, places, and fields of a place. Pure. */
import type { Places } from '../../src/core/domain/places.ts';
import { type ComparedFigures, type FindingCode, type LoadFinding, SEVERITY_OF } from './finding.ts';
import { type FiguredPlace, namePlace, type PlaceTally, parsePlaceKey, placeKey } from './placeFigures.ts';

/** When less is a finding. */
export interface LossThresholds {
  /** percent of a place's records, or of its values of a field */
  lostPercent: number;
  /** and at least so many */
  lostMinimum: number;
  /** percent of all records, or of all filled fields */
  recordsLostPercent: number;
}

/** Findings that follow from figures only, so that they are found anew with every load. */
const LOSSES: readonly FindingCode[] = ['place_lost', 'field_lost', 'records_lost'];
export const isLoss = ({ code }: LoadFinding): boolean => LOSSES.includes(code);

/** Ids of lost records, as examples. @param field null for whole records */
export type ListLost = (place: string, field: string | null) => readonly number[];
export const lostKey = (place: string, field: string | null): string => `${place}|${field ?? ''}`;

interface Compared {
  total: { now: PlaceTally; served: PlaceTally };
  byPlace: ComparedFigures;
  listLost: ListLost;
}

interface LossRules extends LossThresholds {
  places: Places;
  mode: 'full' | 'increment';
}

interface Loss {
  place: FiguredPlace;
  /** null for whole records */
  field: string | null;
  now: number;
  served: number;
}

const NONE: PlaceTally = { records: 0, fields: {} };

export function findLosses({ total, byPlace, listLost }: Compared, rules: LossRules): LoadFinding[] {
  const losses = selectPrecise(
    [...byPlace.served].flatMap(([key, served]) => listLosses(key, byPlace.now.get(key) ?? NONE, served, rules)),
  );
  return [...findTotalLoss(total.now, total.served, rules), ...losses.map((loss) => describeLoss(loss, listLost, rules.places))];
}

/** What a place loses: its records, or else values of fields. */
function listLosses(key: string, now: PlaceTally, served: PlaceTally, { lostPercent, lostMinimum }: LossThresholds): Loss[] {
  const place = parsePlaceKey(key);
  const isLost = (left: number, had: number) => had - left >= lostMinimum && 100 * left <= (100 - lostPercent) * had;
  if (isLost(now.records, served.records)) return [{ place, field: null, now: now.records, served: served.records }];
  return Object.entries(served.fields)
    .map(([field, had]) => ({ place, field, now: now.fields[field] ?? 0, served: had }))
    .filter((loss) => isLost(loss.now, loss.served));
}

/** The places that contain a place, smallest first. */
const listPlacesAround = ({ stateId, countyId, decisionBody }: FiguredPlace): FiguredPlace[] => [
  ...(decisionBody && countyId !== null ? [{ stateId, countyId, decisionBody: null }] : []),
  ...(decisionBody || countyId !== null ? [{ stateId, countyId: null, decisionBody: null }] : []),
];

/**
 * Names each loss once: a state that is gone speaks for several counties, a county for its bodies, and a county or body for its state, where that lost
 * less than everything. The fields of a state are not named where records of a county are gone.
 */
function selectPrecise(losses: readonly Loss[]): Loss[] {
  const keyOf = (place: FiguredPlace, field: string | null) => lostKey(placeKey(place), field);
  const all = new Map(losses.map((loss) => [keyOf(loss.place, loss.field), loss]));
  const listAround = ({ place }: Loss, field: string | null) => listPlacesAround(place).flatMap((one) => all.get(keyOf(one, field)) ?? []);
  const isToldAbove = (loss: Loss) =>
    [...listAround(loss, loss.field), ...listAround(loss, null)].some(
      ({ now, served, place }) => place.countyId !== null || (now === 0 && served > loss.served),
    );
  const left = losses.filter((loss) => !isToldAbove(loss));
  const toldBelow = new Set(left.flatMap((loss) => listAround(loss, loss.field)));
  const statesOfLost = new Set(left.flatMap(({ place, field }) => (field === null && place.countyId !== null ? place.stateId : [])));
  const isExplained = ({ place, field }: Loss) => field !== null && place.countyId === null && statesOfLost.has(place.stateId);
  return left.filter((loss) => !toldBelow.has(loss) && !isExplained(loss));
}

const REMEDY = 'Complete the file and load it again, or accept the finding if the records are gone on purpose';

function describeLoss({ place, field, now, served }: Loss, listLost: ListLost, places: Places): LoadFinding {
  const code = field === null ? 'place_lost' : 'field_lost';
  const name = namePlace(places, place);
  const states = field === null ? `${now} of ${served} records are stated` : `${now} records state ${field}, ${served} are served with it`;
  return {
    code,
    severity: SEVERITY_OF[code],
    place: name,
    field,
    count: served - now,
    examples: [...listLost(placeKey(place), field)],
    text: `${name}: ${states}. ${REMEDY}.`,
  };
}

const sumFields = ({ fields }: PlaceTally) => Object.values(fields).reduce((sum, count) => sum + count, 0);

const FIELDS_LISTED = 5;

/** The fields that lost most values, in words. */
function describeFallenFields(now: PlaceTally, served: PlaceTally): string {
  const fallen = Object.entries(served.fields)
    .map(([field, had]) => ({ field, had, left: now.fields[field] ?? 0 }))
    .filter(({ had, left }) => left < had)
    .sort((a, b) => b.had - b.left - (a.had - a.left));
  const listed = fallen.slice(0, FIELDS_LISTED).map(({ field, had, left }) => `${field} ${had} → ${left}`);
  return listed.length ? `; fell most: ${listed.join(', ')}` : '';
}

/** The findings about all records together. What an increment deletes, it names: a few records are no mistake. */
function findTotalLoss(now: PlaceTally, served: PlaceTally, { recordsLostPercent, lostMinimum, mode }: LossRules): LoadFinding[] {
  const compared = [
    { what: 'records', now: now.records, served: served.records },
    { what: 'filled fields', now: sumFields(now), served: sumFields(served) },
  ];
  const minimum = mode === 'full' ? 1 : lostMinimum;
  const isLost = (one: { now: number; served: number }) =>
    one.served - one.now >= minimum && 100 * one.now <= (100 - recordsLostPercent) * one.served;
  const code = 'records_lost';
  return compared.filter(isLost).map((one): LoadFinding => {
    const percent = ((100 * (one.served - one.now)) / one.served).toFixed(1);
    const fallen = one.what === 'records' ? '' : describeFallenFields(now, served);
    const text = `${one.what}: ${one.now}, served ${one.served} (${percent} % fewer)${fallen}. ${REMEDY}.`;
    return { code, severity: SEVERITY_OF[code], place: null, field: null, count: one.served - one.now, examples: [], text };
  });
}
