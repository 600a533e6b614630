/** Fields of bodies that are filters. */
import { type TArray, type TSchema, Type } from 'typebox';
import { id } from '../core/domain/record/field.ts';
import { PROJECT_IDS_MAX } from '../core/filter/kinds.ts';
import type { FilterName } from '../core/filter/table.ts';

/** In a schema: the field is this filter, and what is wrong with its value is refused as in a query string. */
export const FILTER_KEYWORD = 'x-filter';

const asFilter = <S extends TSchema>(name: FilterName, schema: S): S => ({ ...schema, [FILTER_KEYWORD]: name });

/** Ids of projects, at most `PROJECT_IDS_MAX`. @param minItems as many at least */
export const projectIdsField = (minItems: number): TArray<typeof id> =>
  asFilter('projectIds', Type.Array(id, { ...(minItems ? { minItems } : {}), maxItems: PROJECT_IDS_MAX }));
