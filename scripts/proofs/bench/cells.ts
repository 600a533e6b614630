/** The requests of each cell of the table: API paths with seeded parameters, rotated so that caches behave as in real use. */

import { assetClasses, propertySubtypes } from '../../../src/core/domain/vocabulary.ts';
import names from '../../sample/data/names.json' with { type: 'json' };
import { dateOf, dayOf } from '../../sample/days.ts';
import { FIRST_PROJECT_ID } from '../../sample/fixtures.ts';
import type { SampleCity } from '../../sample/model.ts';
import { Random } from '../../sample/random.ts';
import { chooseCities } from '../../sample/sites.ts';
import type { Corpus } from './corpus.ts';

const REPEATED = ['bbox', 'polygon', 'taxonomy', 'evidence', 'phrase', 'record', 'count', 'page', 'standard', 'full'] as const;
/** Records that are new to the pool that asks: a request that is repeated is asked by another pool. */
const FIRST = ['first', 'unheld'] as const;
export const CELL_NAMES = [...REPEATED, ...FIRST] as const;
export type CellName = (typeof CELL_NAMES)[number];

export const CELL_TITLES: Readonly<Record<CellName, string>> = {
  bbox: 'Bounding box, compact',
  polygon: 'Polygon of 12 vertices, compact',
  taxonomy: 'Subtype and dates, compact',
  evidence: 'Approved from so many acres, compact',
  phrase: 'Phrase, compact',
  record: 'Single record',
  count: 'Count in a box',
  page: 'Default page, compact',
  standard: 'Default page, standard',
  full: 'Default page, full',
  first: 'Page of a city, first delivery',
  unheld: 'deliveryMode=new, page after page',
};

/** Whether each round of requests needs a pool without deliveries. */
export const needsNewPool = (cell: CellName) => FIRST.some((one) => one === cell);

export const REQUESTS_PER_CELL = 300;

const HALF_SIDE_DEGREES = { from: 0.05, to: 0.4 };
const POLYGON_VERTICES = 12;
const SPAN_DAYS = 120;
const WINDOW_DAYS = 360;
const PAGES = 20;

interface Context extends Omit<Corpus, 'places'> {
  random: Random;
  cities: readonly SampleCity[];
}

const rounded = (degrees: number) => Number(degrees.toFixed(5));

function box({ random, cities }: Context) {
  const { latitude, longitude } = random.pick(cities);
  const [height, width] = [0, 1].map(() => random.decimal(HALF_SIDE_DEGREES.from, HALF_SIDE_DEGREES.to)) as [number, number];
  return {
    north: rounded(latitude + height),
    south: rounded(latitude - height),
    east: rounded(longitude + width),
    west: rounded(longitude - width),
  };
}

/** A ring around a city with its corners in order of their direction, so that it never crosses itself. */
function ring({ random, cities }: Context): [number, number][] {
  const { latitude, longitude } = random.pick(cities);
  const corners = Array.from({ length: POLYGON_VERTICES }, (_, i): [number, number] => {
    const angle = (2 * Math.PI * (i + random.decimal(0, 0.8))) / POLYGON_VERTICES;
    const radius = random.decimal(HALF_SIDE_DEGREES.from, HALF_SIDE_DEGREES.to);
    return [rounded(longitude + radius * Math.cos(angle)), rounded(latitude + radius * Math.sin(angle))];
  });
  return [...corners, corners[0] as [number, number]];
}

const ACRES_MAX = 40;

const SUBTYPES = [...new Set(assetClasses.terms.map(({ subtype }) => subtype))].filter(
  (subtype) => propertySubtypes.find(subtype)?.type !== 'govt_decisions',
);

function subtypeAndDates({ random, today }: Context) {
  const first = dayOf(today) - random.int(SPAN_DAYS, WINDOW_DAYS);
  return { propertySubtypes: random.pick(SUBTYPES), meetingDateFrom: dateOf(first), meetingDateTo: dateOf(first + SPAN_DAYS) };
}

const search = (parameters: Record<string, unknown>) => `/projects/search?${query(parameters)}`;
const compact = (parameters: Record<string, unknown>) => search({ ...parameters, representation: 'compact' });

function query(parameters: Record<string, unknown>): string {
  const texts = Object.entries(parameters).map(([name, value]) => [
    name,
    typeof value === 'object' ? JSON.stringify(value) : String(value),
  ]);
  return new URLSearchParams(Object.fromEntries(texts)).toString();
}

const pageOf = ({ random }: Context) => ({ page: random.int(1, PAGES) });

const PATHS: Readonly<Record<CellName, (context: Context, i: number) => string>> = {
  bbox: (context) => compact({ bbox: box(context) }),
  polygon: (context) => compact({ polygon: ring(context) }),
  taxonomy: (context) => compact(subtypeAndDates(context)),
  evidence: ({ random }) => compact({ acreageMin: random.int(1, ACRES_MAX), status: 'approved', dateRange: 'all' }),
  phrase: ({ random }) => compact({ q: `${random.pick(names.siteFirst)} ${random.pick(names.siteSecond)}` }),
  record: ({ random, n }) => `/projects/${FIRST_PROJECT_ID + random.int(0, n - 1)}`,
  count: (context) => `/projects/count?${query({ bbox: box(context) })}`,
  page: (context) => compact(pageOf(context)),
  standard: (context) => search({ ...pageOf(context), representation: 'standard' }),
  full: (context) => search({ ...pageOf(context), representation: 'full' }),
  first: ({ cities }, i) => compact({ cityIds: cities[i % cities.length]?.id, dateRange: 'all' }),
  unheld: () => compact({ deliveryMode: 'new' }),
};

/** The paths of a cell below the API root; the same corpus gives the same paths. */
export function pathsOf(cell: CellName, { n, seed, today, places }: Corpus): string[] {
  const context: Context = {
    n,
    seed,
    today,
    random: new Random(seed, 'bench', cell),
    cities: chooseCities(places, n).map(({ city }) => city),
  };
  return Array.from({ length: REQUESTS_PER_CELL }, (_, i) => PATHS[cell](context, i));
}
