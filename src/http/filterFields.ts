/** Filters in bodies: the object `filters`, and fields that are filters themselves. */
import { type TArray, type TSchema, Type } from 'typebox';
import { id } from '../core/domain/record/field.ts';
import { CONTROLS, type ControlName, type Included } from '../core/filter/controls.ts';
import { PROJECT_IDS_MAX } from '../core/filter/kinds.ts';
import { CANONICAL } from '../core/filter/names.ts';
import { FILTERS, type FilterName } from '../core/filter/table.ts';
import { describeField } from './openapiParameters.ts';

/** Schema keyword: the field is this filter, whose unusable values are refused as in a query string. */
export const FILTER_KEYWORD = 'x-filter';
/** Schema keyword: the document refers to this component instead of repeating the schema. */
export const COMPONENT_KEYWORD = 'x-component';

const asFilter = <S extends TSchema>(name: FilterName, schema: S): S => ({ ...schema, [FILTER_KEYWORD]: name });

/**
 * Ids of projects, at most `PROJECT_IDS_MAX`.
 * @param minItems fewest ids
 */
export const projectIdsField = (minItems: number): TArray<typeof id> =>
  asFilter('projectIds', Type.Array(id, { ...(minItems ? { minItems } : {}), maxItems: PROJECT_IDS_MAX, description: 'Ids of projects' }));

/** `include` of a body: one of the values, or a list of them; parsed by `readInclude`. */
export const includeField = (description: string) =>
  Type.Unsafe<Included | Included[]>({ description, type: ['string', 'array'], items: { type: 'string' } });

/** Controls that an object accepts in addition to filters, by its component. */
const BESIDES = {
  Filters: [],
  OrderedFilters: ['sort', 'order'],
  ExportFilters: ['sort', 'order', 'deliveryMode'],
} as const satisfies Record<string, readonly ControlName[]>;

/** The field `filters` of a body. Any type is accepted unless `type` is set, since the filter table parses it. */
export const filtersField = (component: keyof typeof BESIDES, description: string, type?: 'object') =>
  Type.Unsafe<Record<string, unknown>>({
    [COMPONENT_KEYWORD]: component,
    description,
    examples: [{ states: ['CO'] }],
    ...(type ? { type } : {}),
  });

/** Whether a field made by `filtersField` accepts a filter or control of this name or alias. */
export function acceptsFilter({ [COMPONENT_KEYWORD]: component }: { [COMPONENT_KEYWORD]?: unknown }, name: string): boolean {
  const canonical = CANONICAL.get(name);
  const controls: readonly string[] = BESIDES[component as keyof typeof BESIDES] ?? [];
  return canonical !== undefined && (Object.hasOwn(FILTERS, canonical) || controls.includes(canonical));
}

/** Schemas of objects of filters, by component. */
export function filterSchemas(): Record<string, unknown> {
  const properties = Object.fromEntries(Object.entries(FILTERS).map(([name, entry]) => [name, describeField(name, entry)]));
  const filters = {
    type: 'object',
    description:
      'Every filter by its name, as JSON. Values are taken as a query string has them, too, and under the aliases of the parameters.',
    properties,
  };
  const more = (names: readonly ControlName[]) => ({
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, describeField(name, CONTROLS[name])])),
  });
  const withControls = Object.entries(BESIDES).flatMap(([component, names]) =>
    names.length ? [[component, { allOf: [{ $ref: '#/components/schemas/Filters' }, more(names)] }]] : [],
  );
  return { Filters: filters, ...Object.fromEntries(withControls) };
}
