/** The JSON Schemas that entries of the record table are made of. */
import { type Static, type TSchema, Type } from 'typebox';

/** May be null: one more type of the same schema, so that a wrong value is one problem, not one for each alternative. */
export const nullable = <S extends TSchema>(schema: S) =>
  Type.Unsafe<Static<S> | null>({
    ...schema,
    ...('enum' in schema ? { enum: [...(schema.enum as unknown[]), null] } : {}),
    ...('type' in schema ? { type: [schema.type, 'null'] } : {}),
  });

export const ID_MAX = Number.MAX_SAFE_INTEGER;
export const id = Type.Integer({ minimum: 1, maximum: ID_MAX });
export const place = Type.Integer();
export const text = (maxLength: number) => Type.String({ maxLength });
/** An address of the web. Others, such as `javascript:`, would be run or opened by what shows them as a link. */
export const WEB_ADDRESS = '^[Hh][Tt][Tt][Pp][Ss]?://\\S+$';
export const webAddress = (maxLength: number) => Type.String({ maxLength, pattern: WEB_ADDRESS });
export const flag = Type.Boolean();
export const day = Type.String({ format: 'date' });
export const moment = Type.String({ format: 'date-time' });
export const count = Type.Integer({ minimum: 0, maximum: 1_000_000_000 });
export const measure = Type.Number({ minimum: 0, maximum: 1_000_000_000_000 });
export const list = <S extends TSchema>(items: S, maxItems: number) => Type.Array(items, { maxItems });
/** One of a few words, as a JSON Schema `enum`. */
export const oneOf = <const T extends readonly string[]>(...values: T) => Type.Unsafe<T[number]>({ type: 'string', enum: [...values] });
export const object = <P extends Record<string, TSchema>>(properties: P) => Type.Object(properties, { additionalProperties: false });
export const optional = <S extends TSchema>(schema: S) => Type.Optional(schema);
/** A list of tokens that stands in several places: by this name in the OpenAPI document and in the types of clients. */
export const named = <S extends TSchema>(title: string, schema: S): S => ({ ...schema, title });
