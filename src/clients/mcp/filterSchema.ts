/** The filters of the API as agents are shown them: each name with its type; the API itself judges the values and says what was meant. */
import { FILTER_NAMES, filterOf } from '../../core/filter/table.ts';

type Schema = Readonly<Record<string, unknown>>;

/** Longer lists of values are looked up. */
const SHOWN_VALUES = 6;

/** The type alone, with its values where these are few. */
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
