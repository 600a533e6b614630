/** The JSON Schema of filters for agents: names and types. Values are validated by the API, which suggests corrections. */

import { FILTER_NAMES, filterOf } from '../../core/filter/table.ts';
import type { InputSchema as Schema } from './tool.ts';

/** Longer lists of values are left to the tool `look_up`. */
const SHOWN_VALUES = 6;

/** One type for each filter, which all models take: ids and lists of objects are written as text, as in a query string. */
function brief({ type, enum: values, items, properties, required }: Schema): Schema {
  if (Array.isArray(values)) return values.length <= SHOWN_VALUES ? { type: 'string', enum: values } : { type: 'string' };
  if (Array.isArray(type)) return { type: 'string' };
  if (items) return (items as Schema).properties ? { type: 'string' } : { type, items: brief(items as Schema) };
  if (!properties) return { type };
  const inner = Object.entries(properties).map(([name, one]) => [name, brief(one as Schema)]);
  return { type, properties: Object.fromEntries(inner), required, additionalProperties: false };
}

/** JSON Schema of an object of filters. @param more names of parameters that are sent beside them */
export const filtersSchema = (...more: string[]): Schema => ({
  type: 'object',
  description: 'look_up lists the values',
  properties: {
    ...Object.fromEntries(FILTER_NAMES.map((name) => [name, brief(filterOf(name).kind.schema)])),
    ...Object.fromEntries(more.map((name) => [name, { type: 'string' }])),
  },
  additionalProperties: false,
});

/** The same filters where another tool lists them, so that the list of tools stays short. Objects are read, too. */
export const filtersAsInSearch = { type: 'string', description: 'JSON of filters as search_projects lists them: {"states":["CO"]}' };
