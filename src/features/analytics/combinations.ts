/** Counts groups and their combinations: the aggregations, and how their answer is read. */
import { ApiError } from '../../core/domain/errors.ts';
import { facetOf, type Grouping, type GroupKey, liesInOneGroup } from '../../core/query/dimensions.ts';
import {
  type Aggregate,
  type Aggregations,
  type Facet,
  facetAggregations,
  type Group,
  innerAggregate,
  readGroups,
} from '../../core/query/facets.ts';

/** Most groups in one answer, before any is hidden. */
export const GROUPS_MAX = 10_000;

/** One combination of groups and its counts; a null key means the sum over that dimension. */
export interface Combination {
  keys: [GroupKey | undefined, GroupKey | undefined];
  count: number;
  inside: Aggregate[];
}

const keyOf = ({ dimension }: Grouping, key: string | null): GroupKey =>
  key !== null && facetOf(dimension).kind === 'place' ? Number(key) : key;

/**
 * The aggregations for up to two dimensions, and how their answer is read. A dimension with one group for each project is better outside,
 * since sums over it are then sums of its groups. Otherwise the groups of the inner dimension are also counted separately.
 * @param each aggregations of each group @param ofSums aggregations of sums over one of two dimensions, which no answer shows
 * @param ofWhole aggregations of the whole
 */
export function planCombinations(facets: readonly Facet[], each: Aggregations, ofSums = each, ofWhole = each) {
  const [first, second] = facets;
  if (!first) return { aggs: ofWhole, read: () => [] };
  if (!second) return { aggs: { ...ofWhole, ...facetAggregations(first, each) }, read: (answer: Aggregate) => readOne(first, answer) };
  const swapped = !liesInOneGroup(first.dimension) && liesInOneGroup(second.dimension);
  const [outer, within] = swapped ? [second, first] : [first, second];
  const alone = liesInOneGroup(outer.dimension) ? {} : { alone: { filter: { match_all: {} }, aggs: facetAggregations(within, ofSums) } };
  return {
    aggs: { ...ofWhole, ...facetAggregations(outer, { ...ofSums, ...facetAggregations(within, each) }), ...alone },
    read: (answer: Aggregate) =>
      readTwo(outer, within, answer).map((found) => (swapped ? { ...found, keys: found.keys.toReversed() as Combination['keys'] } : found)),
  };
}

const readOne = (facet: Facet, answer: Aggregate): Combination[] =>
  readGroups(facet, answer).map(({ key, count, inside }) => ({ keys: [keyOf(facet, key), undefined], count, inside: [inside] }));

function readTwo(outer: Facet, within: Facet, answer: Aggregate): Combination[] {
  const rows = readGroups(outer, answer).map((row) => ({ ...row, groups: readGroups(within, row.inside) }));
  const columns = answer.alone
    ? readGroups(within, innerAggregate(answer, 'alone')).map((group) => ({ ...group, inside: [group.inside] }))
    : sumGroups(rows.flatMap(({ groups }) => groups));
  return [
    ...rows.map(({ key, count, inside }): Combination => ({ keys: [keyOf(outer, key), undefined], count, inside: [inside] })),
    ...columns.map(({ key, count, inside }): Combination => ({ keys: [undefined, keyOf(within, key)], count, inside })),
    ...rows.flatMap((row) =>
      row.groups.map(
        ({ key, count, inside }): Combination => ({ keys: [keyOf(outer, row.key), keyOf(within, key)], count, inside: [inside] }),
      ),
    ),
  ];
}

function sumGroups(groups: readonly Group[]) {
  return [...Map.groupBy(groups, ({ key }) => key)].map(([key, same]) => ({
    key,
    count: same.reduce((sum, { count }) => sum + count, 0),
    inside: same.map(({ inside }) => inside),
  }));
}

export function tooManyGroupsError(groups: number | undefined, param: string): ApiError {
  const count = groups === undefined ? `more than ${GROUPS_MAX}` : String(groups);
  return new ApiError(
    'invalid_request',
    `This makes ${count} groups; at most ${GROUPS_MAX} are counted. Narrow the filters, or group by less.`,
    {
      param,
      details: { ...(groups === undefined ? {} : { groups }), maxGroups: GROUPS_MAX },
    },
  );
}

/**
 * Reads the combinations from an answer.
 * @param param of the request, which names the dimensions
 * @throws ApiError `invalid_request` when there are too many groups
 */
export function readCombinations(
  facets: readonly Facet[],
  reading: (answer: Aggregate) => Combination[],
  answer: Aggregate,
  param: string,
): Combination[] {
  const found = reading(answer);
  const groups = found.filter(({ keys }) => facets.every((_, i) => keys[i] !== undefined)).length;
  if (facets.length && groups > GROUPS_MAX) throw tooManyGroupsError(groups, param);
  return found;
}
