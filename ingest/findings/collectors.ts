/** The collectors that look at the lines of a file. */
import type { FindingCollector, FindingContext } from './finding.ts';

export const makeFindingCollectors = (_context: FindingContext): FindingCollector[] => [];
