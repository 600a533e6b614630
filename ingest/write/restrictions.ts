/**
 * Restrictions that a file states: its header names the sources that it replaces, each as a whole; those of other sources stay as they are. They are
 * checked when all lines have been read, and stored with the commit.
 */
import { isDeepStrictEqual } from 'node:util';
import { metersBetween } from '../../src/core/domain/distance.ts';
import { countiesOfCity } from '../../src/core/domain/places.ts';
import type { RestrictionLine, StoredRestriction } from '../../src/core/domain/restriction/schemas.ts';
import { findCountyAt } from '../../src/core/store/files/outlines.ts';
import type { RestrictionLists } from '../../src/core/store/postgres/restrictions.ts';
import { checkAll, checkEach, collectProblems, makeUnusableStatement } from '../read/lineProblems.ts';
import { checkUse, resolvePlace } from '../read/normalise.ts';
import type { Load } from './loadContext.ts';
import type { DocumentTexts } from './quotedDocuments.ts';

const SHOWN_CHARACTERS = 60;

const refuse = (fault: string, reason = fault): never => {
  throw makeUnusableStatement(fault, reason);
};

/** The point that a line states. @throws UnusableStatement for half a point */
function readPoint({ latitude = null, longitude = null }: RestrictionLine): StoredRestriction['point'] {
  if ((latitude === null) !== (longitude === null)) refuse('latitude and longitude are stated together or not at all');
  return latitude !== null && longitude !== null ? { latitude, longitude } : null;
}

/** A point farther from its city than this is one of another place. */
const CITY_METERS_MAX = 30_000;

/** The place by its names; where they do not name one city or county, in the county of the point. @throws UnusableStatement */
function findPlace({ places }: Load, line: RestrictionLine, point: StoredRestriction['point']): ReturnType<typeof resolvePlace> {
  const named = resolvePlace(places, line);
  if (!point || named.cityId || line.county || line.jurisdictionType === 'state') return named;
  const countyId = findCountyAt(point, named.stateId ?? undefined);
  return countyId === undefined ? named : resolvePlace(places, { ...line, countyId });
}

/**
 * Finds the place of a restriction and its point. A name that the catalogue lacks gets no id. A city in several counties is in the county of its centre, and reaches into the others.
 * The city's point replaces one that is missing or far from the city.
 * @throws UnusableStatement
 */
function locateRestriction(load: Load, line: RestrictionLine): Pick<StoredRestriction, 'place' | 'point' | 'furtherCountyIds'> {
  const stated = readPoint(line);
  const { stateId, state, ...place } = findPlace(load, line, stated);
  if (stateId === null || state === null) return refuse('state is unknown', `state '${line.state}' is unknown`);
  const { jurisdiction, jurisdictionType } = line;
  const city = place.cityId === null ? undefined : load.places.city(place.cityId);
  const county = city && place.countyId === null ? load.places.county(city.countyId) : undefined;
  const inCounty = county ? { countyId: county.id, county: county.name } : {};
  const isNear = stated && (!city || metersBetween(stated, city) <= CITY_METERS_MAX);
  const point = isNear ? stated : city ? { latitude: city.latitude, longitude: city.longitude } : null;
  const located = { ...place, ...inCounty };
  const further = city && city.furtherCountyIds.length ? countiesOfCity(city).filter((id) => id !== located.countyId) : [];
  return {
    place: { stateId, state, ...located, jurisdiction, jurisdictionType },
    point,
    ...(further.length ? { furtherCountyIds: further } : {}),
  };
}

/** @throws UnusableStatement for dates that contradict each other */
function checkDates({ adoptedOn, effectiveFrom, effectiveTo, extensions = [] }: RestrictionLine): void {
  const begin = effectiveFrom ?? adoptedOn;
  if (begin && effectiveTo && effectiveTo < begin)
    refuse('effectiveTo is before its beginning', `effectiveTo ${effectiveTo} is before ${begin}`);
  for (const { on, to } of extensions)
    if (to && to < on) refuse('extensions.to is before extensions.on', `extensions.to ${to} is before ${on}`);
}

/** @throws UnusableStatement for a quote that its document does not contain */
function checkEvidence({ evidence = [] }: RestrictionLine, texts: DocumentTexts): void {
  checkEach(evidence, ({ field, quote, documentId }) => {
    const text = documentId ? texts.get(documentId) : undefined;
    if (text !== undefined && text !== null && !text.includes(quote))
      refuse(
        `evidence of ${field} is not in its document`,
        `evidence of ${field} is not in document ${documentId}: '${quote.slice(0, SHOWN_CHARACTERS)}'`,
      );
  });
}

/** @throws UnusableStatement with every problem of the line */
function toStored(load: Load, line: RestrictionLine, texts: DocumentTexts): Omit<StoredRestriction, 'lastUpdated'> {
  const { located, uses } = checkAll({
    located: () => locateRestriction(load, line),
    uses: () => checkEach(line.uses ?? [], (use) => checkUse({ ...use, role: 'primary' })),
    dates: () => checkDates(line),
    evidence: () => checkEvidence(line, texts),
  });
  return {
    id: line.id,
    kind: line.restrictionKind,
    title: line.title,
    ...located,
    uses: uses.map(({ type, subtype, assetClass }) => ({ type, subtype: subtype ?? null, assetClass: assetClass ?? null })),
    usesText: line.usesText,
    adoptedOn: line.adoptedOn ?? null,
    adoptedOnPrecision: line.adoptedOnPrecision ?? 'day',
    effectiveFrom: line.effectiveFrom ?? null,
    effectiveTo: line.effectiveTo ?? null,
    endBasis: line.endBasis ?? (line.effectiveTo ? 'stated' : line.endEvent ? 'event' : 'unknown'),
    endEvent: line.endEvent ?? null,
    extensions: (line.extensions ?? []).map(({ on, to }) => ({ on, to: to ?? null })),
    exempts: line.exempts ?? null,
    threshold: line.threshold ?? null,
    authority: line.authority ?? null,
    sourceDocumentUrl: line.sourceDocumentUrl ?? null,
    documentId: line.documentId ?? null,
    evidence: (line.evidence ?? []).map(({ field, quote, documentId }) => ({ field, quote, documentId: documentId ?? null })),
    // Absent where it is not stated, as in lists that were stored before there was such a field.
    ...(line.evidenceFrom ? { evidenceFrom: line.evidenceFrom } : {}),
    statedStatus: line.status,
    statedOn: line.statedOn ?? load.source.header.extractedAt.slice(0, 10),
  };
}

/** The restrictions that the file states, by source. Bad lines, repeated ids and sources that the header does not name go to the rejects. */
export async function readRestrictions(load: Load): Promise<Map<string, Omit<StoredRestriction, 'lastUpdated'>[]>> {
  const { header, restrictions, quoted } = load.source;
  const bySource = new Map((header.restrictionSources ?? []).map((source) => [source, [] as Omit<StoredRestriction, 'lastUpdated'>[]]));
  const firstLines = new Map<number, number>();
  const quotes = restrictions.map(({ number, line: { evidence = [] } }) => ({
    number,
    quotes: evidence.flatMap(({ field, quote, documentId }) => (documentId ? [{ field: field as never, quote, documentId }] : [])),
  }));
  const texts = await quoted.readTexts(load, quotes);
  for (const { number, text, line } of restrictions) {
    const problems = collectProblems(() => {
      const list = bySource.get(line.source);
      if (!list)
        return refuse(
          'source is not among restrictionSources of the header',
          `source '${line.source}' is not among restrictionSources of the header`,
        );
      const first = firstLines.get(line.id);
      if (first !== undefined) refuse('an earlier line has the same id', `line ${first} has the id ${line.id}, too`);
      firstLines.set(line.id, number);
      list.push(toStored(load, line, texts));
    });
    if (problems.length) await load.source.rejects.add(number, problems, text, 'restriction');
  }
  return bySource;
}

/**
 * Stores the restrictions of the file and counts them. One that is unchanged keeps its time of change; a list without any change is kept as it is.
 * @returns the list of each source after the load; null where no load has named a source
 */
export async function storeRestrictions(load: Load): Promise<RestrictionLists | null> {
  const { opened, base, target } = load;
  const before = base.set ? ((await opened.lineages.commitOfSet(opened.id, base.set))?.restrictions ?? null) : null;
  if (!target.restrictions.size) return before;
  const lists: Record<string, number> = { ...before };
  const at = new Date(target.number).toISOString();
  for (const [source, stated] of target.restrictions) {
    const known = before?.[source] === undefined ? [] : await opened.lineages.restrictions.read({ [source]: before[source] });
    const byId = new Map(known.map((one) => [one.id, one]));
    const list = stated.map((one): StoredRestriction => {
      const old = byId.get(one.id);
      return { ...one, lastUpdated: old && isUnchanged(old, one) ? old.lastUpdated : at };
    });
    load.counts.restrictions += list.length;
    if (before?.[source] === undefined || !isDeepStrictEqual(list, known))
      lists[source] = await opened.lineages.restrictions.add(source, list);
  }
  return lists;
}

/** Whether a restriction states what it stated before, though perhaps on another day. */
const isUnchanged = (
  { lastUpdated: _, statedOn: _before, ...old }: StoredRestriction,
  { statedOn: _now, ...stated }: object & { statedOn: string },
) => isDeepStrictEqual(old, stated);
