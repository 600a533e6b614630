/** The JSON Schema of filters for agents: names and types. Values are validated by the API, which suggests corrections. */
import { FILTER_NAMES, filterOf } from '../../core/filter/table.ts';

type Schema = Readonly<Record<string, unknown>>;

/** Longer lists of values are left to the tool `look_up`. */
const SHOWN_VALUES = 6;

/** The type of a filter, with its values if there are few. */
function brief({ type, enum: values, items, properties, required }: Schema): Schema {
  if (Array.isArray(values)) return values.length <= SHOWN_VALUES ? { enum: values } : { type: 'string' };
  if (items) return { type, items: brief(items as Schema) };
  if (properties)
    return { type, properties: Object.fromEntries(Object.keys(properties).map((name) => [name, { type: 'number' }])), required };
  return { type };
}

/** JSON Schema of an object of filters. */
export const filtersSchema = {
  type: 'object',
  description: 'look_up lists the values',
  properties: Object.fromEntries(FILTER_NAMES.map((name) => [name, brief(filterOf(name).kind.schema)])),
};

/** An object of filters whose names another tool lists, so that the list of tools stays short. */
export const filtersAsInSearch = { type: 'object', description: 'The filters of search_projects' };
