/** Filters in bodies: the object `filters`, and fields that are filters themselves. */
import { type TArray, type TSchema, Type } from 'typebox';
import { id } from '../core/domain/record/field.ts';
import { CONTROLS, type ControlName } from '../core/filter/controls.ts';
import { PROJECT_IDS_MAX } from '../core/filter/kinds.ts';
import { FILTERS, type FilterName } from '../core/filter/table.ts';
import { documentedSchema } from './openapiParameters.ts';

/** In a schema: the field is this filter, and what is wrong with its value is refused as in a query string. */
export const FILTER_KEYWORD = 'x-filter';
/** In a schema: in the document this component stands in its place. */
export const COMPONENT_KEYWORD = 'x-component';

const asFilter = <S extends TSchema>(name: FilterName, schema: S): S => ({ ...schema, [FILTER_KEYWORD]: name });

/** Ids of projects, at most `PROJECT_IDS_MAX`. @param minItems as many at least */
export const projectIdsField = (minItems: number): TArray<typeof id> =>
  asFilter('projectIds', Type.Array(id, { ...(minItems ? { minItems } : {}), maxItems: PROJECT_IDS_MAX }));

/** Controls that an object of filters takes besides, by the component that describes it. */
const BESIDES = {
  Filters: [],
  OrderedFilters: ['sort', 'order'],
  ExportFilters: ['sort', 'order', 'deliveryMode'],
} as const satisfies Record<string, readonly ControlName[]>;

/** The field `filters` of a body, of any value unless `type` says otherwise: the filter table reads it. */
export const filtersField = (component: keyof typeof BESIDES, description: string, type?: 'object') =>
  Type.Unsafe<Record<string, unknown>>({ [COMPONENT_KEYWORD]: component, description, ...(type ? { type } : {}) });

/** Filters as JSON, by component. */
export function filterSchemas(): Record<string, unknown> {
  const properties = Object.fromEntries(Object.entries(FILTERS).map(([name, entry]) => [name, documentedSchema(name, entry)]));
  const filters = {
    type: 'object',
    description:
      'Every filter by its name, as JSON. Values are taken as a query string has them, too, and under the aliases of the parameters.',
    properties,
  };
  const more = (names: readonly ControlName[]) => ({
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, documentedSchema(name, CONTROLS[name])])),
  });
  const withControls = Object.entries(BESIDES).flatMap(([component, names]) =>
    names.length ? [[component, { allOf: [{ $ref: '#/components/schemas/Filters' }, more(names)] }]] : [],
  );
  return { Filters: filters, ...Object.fromEntries(withControls) };
}
