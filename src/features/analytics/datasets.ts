import { FILTER_NAMES } from '../../core/filter/table.ts';
import { DIMENSIONS, facetOf, MEASUREMENTS, nameInWords, OPERATIONS } from '../../core/query/dimensions.ts';
import { INTERVALS } from '../../core/query/intervals.ts';
import { EXACT_MEDIAN_MAX } from '../../core/query/statistics.ts';
import { GROUPS_MAX } from './combinations.ts';
import { MINIMUM_GROUP_SIZE } from './minimumGroup.ts';
import { DATASET } from './request.ts';

/** `GET /analytics/datasets`: the dimensions and metrics of analytics. */
export const listDatasets = () => [
  {
    id: DATASET,
    label: 'Projects',
    description: 'Land-use projects of the licence, each counted once in every group that it belongs to',
    dimensions: DIMENSIONS.map((id) => ({ id, label: nameInWords(id) })),
    metrics: OPERATIONS.map((op) => ({ op, fields: [...MEASUREMENTS] })),
    fields: MEASUREMENTS.map((id) => ({ id, label: facetOf(id).summary })),
    filters: [...FILTER_NAMES],
    intervals: [...INTERVALS],
    suppression: { minimumGroupSize: MINIMUM_GROUP_SIZE },
    median: { exactUpTo: EXACT_MEDIAN_MAX, beyond: 'within 1 % of the values around the middle' },
    maxGroups: GROUPS_MAX,
  },
];
