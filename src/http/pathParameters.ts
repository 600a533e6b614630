/** Parameters in paths. A text that cannot be an id answers the same as an unknown id. */
import { idPattern } from '../core/domain/ids.ts';
import { ID_MAX } from '../core/domain/record/field.ts';
import type { PathParameter } from './declaration.ts';

/** A positive whole number. */
export const wholeNumber = (names: string, summary: string, example: number): PathParameter<number> => ({
  schema: { type: 'integer', minimum: 1, maximum: ID_MAX },
  summary,
  example,
  names,
  parse: (text) => {
    const id = /^\d{1,16}$/.test(text) ? Number(text) : 0;
    return id >= 1 && Number.isSafeInteger(id) ? id : undefined;
  },
});

/** A whole number from 0, as in the names of map tiles. */
export const tilePart = (names: string, summary: string, max: number, example: number): PathParameter<number> => ({
  schema: { type: 'integer', minimum: 0, maximum: max },
  summary,
  example,
  names,
  parse: (text) => (/^\d{1,8}$/.test(text) && Number(text) <= max ? Number(text) : undefined),
});

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const uuid = (names: string, summary: string): PathParameter<string> => ({
  schema: { type: 'string', format: 'uuid' },
  summary,
  example: '3f8a1c52-7a0e-4a34-9c1f-0b6a0d3d5e11',
  names,
  parse: (text) => (UUID.test(text) ? text.toLowerCase() : undefined),
});

/**
 * An id such as `exp_…`.
 * @param prefix the letters before the underscore
 */
export function opaqueId(names: string, summary: string, prefix: string): PathParameter<string> {
  const pattern = idPattern(prefix);
  return {
    schema: { type: 'string', pattern: pattern.source },
    summary,
    example: `${prefix}_0000000000000000000000`,
    names,
    parse: (text) => (pattern.test(text) ? text : undefined),
  };
}

const NAME_LENGTH_MAX = 200;

/** A number, a name or an abbreviation, to be looked up in the catalogue. */
export const catalogueName = (names: string, summary: string, example: string | number): PathParameter<string> => ({
  schema: { type: 'string', minLength: 1, maxLength: NAME_LENGTH_MAX },
  summary,
  example,
  names,
  parse: (text) => (text.length <= NAME_LENGTH_MAX ? text : undefined),
});
