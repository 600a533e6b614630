/**
 * The fields that this version stores and searches, and which of them an index of an older version lacks. Elasticsearch can add a field at
 * any time, but existing records get a value only when they are written again; `meta` of an added field records this.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Client, errors, type estypes } from '@elastic/elasticsearch';
import { RENDERED_FORM } from '../../domain/record/rendered.ts';
import { type IndexNames, KINDS, type Kind } from './indices.ts';
import { findBlock, type WritesBlocked } from './writesBlocked.ts';

type Field = estypes.MappingProperty;
type Fields = Record<string, Field>;

/** Key in the `meta` of a field that was added to an index with records; its value is the time, ISO 8601. */
const ADDED_LATER = 'added_later';

/** A field that an index has with a type other than this version needs. The type of a field cannot be changed. */
export interface ChangedField {
  /** `kind.path` */
  field: string;
  there: string;
  wanted: string;
}

export interface FieldChanges {
  /** `kind.path` of every field that was added now */
  added: string[];
  changed: ChangedField[];
}

const subfields = (field: Field): Fields | undefined => ('properties' in field ? field.properties : undefined);

const MAPPINGS = new Map<Kind, estypes.MappingTypeMapping>();

/** The mapping of a kind from `mappings/`, read once. A removed record is searched by the same fields as a record. */
export function readMapping(kind: Kind): Readonly<estypes.MappingTypeMapping> {
  const known = MAPPINGS.get(kind);
  if (known) return known;
  const mapping = JSON.parse(readFileSync(new URL(`../../../../mappings/${kind}.json`, import.meta.url), 'utf8'));
  if (kind === 'removals') mapping.properties.derived = searchedIn(readMapping('projects'));
  MAPPINGS.set(kind, mapping);
  return mapping;
}

function searchedIn({ properties }: estypes.MappingTypeMapping): Field {
  const { rendered: _, ...searched } = subfields(properties?.derived as Field) ?? {};
  return { properties: searched };
}

/**
 * Hash of the searched fields and of the version of rendered texts: a set with another hash is incomplete until its records are written
 * again.
 */
export const SEARCHED_FIELDS = createHash('sha256')
  .update(JSON.stringify([readMapping('projects'), readMapping('documents'), RENDERED_FORM]))
  .digest('hex')
  .slice(0, 16);

const typeOf = (field: Field): string => field.type ?? 'object';

function markField(field: Field, at: string): Field {
  const inside = subfields(field);
  if (inside)
    return { ...field, properties: Object.fromEntries(Object.entries(inside).map(([name, one]) => [name, markField(one, at)])) } as Field;
  return isSearched(field) ? ({ ...field, meta: { [ADDED_LATER]: at } } as Field) : field;
}

/** Type of the fields with rendered text; a record without one is rendered from its source. */
const RENDERED_TYPE = 'binary';

/** Fields that only the loader uses; a record without one is read again with its next statement. */
const LOADER_FIELDS = ['lineHash'];

const isSearched = (field: Field) => !['object', RENDERED_TYPE].includes(typeOf(field)) && !('index' in field && field.index === false);

/** Paths of the fields that have no sub-fields. */
const listLeaves = (path: string, field: Field): string[] => {
  const inside = subfields(field);
  return inside ? Object.entries(inside).flatMap(([name, one]) => listLeaves(`${path}.${name}`, one)) : [path];
};

/** The fields of `wanted` that `there` lacks, marked as added at `at`. */
function findMissing(wanted: Fields, there: Fields, path: string, at: string): FieldChanges & { missing: Fields } {
  const result: FieldChanges & { missing: Fields } = { missing: {}, added: [], changed: [] };
  for (const [name, field] of Object.entries(wanted)) {
    const [found, here] = [there[name], `${path}.${name}`];
    const inside = subfields(field);
    if (!found) {
      result.missing[name] = LOADER_FIELDS.includes(name) ? field : markField(field, at);
      result.added.push(...listLeaves(here, field));
    } else if (typeOf(found) !== typeOf(field)) {
      result.changed.push({ field: here, there: typeOf(found), wanted: typeOf(field) });
    } else if (inside) {
      const deeper = findMissing(inside, subfields(found) ?? {}, here, at);
      if (deeper.added.length) result.missing[name] = { ...field, properties: deeper.missing } as Field;
      result.added.push(...deeper.added);
      result.changed.push(...deeper.changed);
    }
  }
  return result;
}

/**
 * For each index, the fields of its kind's mapping that it lacks.
 * @param indices names of indices, or aliases of which those of the indices are longer ones
 * @param at time of the addition, ISO 8601
 */
async function findMissingByIndex(client: Client, indices: Readonly<Record<Kind, string>>, at: string) {
  const mapped = await client.indices.getMapping({ index: Object.values(indices), ignore_unavailable: true });
  return Object.entries(mapped).flatMap(([index, { mappings }]) => {
    const kind = KINDS.find((one) => index.startsWith(indices[one]));
    return kind ? [{ index, ...findMissing(readMapping(kind).properties ?? {}, mappings.properties ?? {}, kind, at) }] : [];
  });
}

/**
 * Adds missing fields to indices, and changes nothing else.
 * @param indices names of indices or aliases by kind; one that does not exist is skipped
 */
export async function addMissingFields(client: Client, indices: Readonly<Record<Kind, string>>, now = new Date()): Promise<FieldChanges> {
  const changes: FieldChanges = { added: [], changed: [] };
  for (const { index, missing, added, changed } of await findMissingByIndex(client, indices, now.toISOString())) {
    if (added.length) await client.indices.putMapping({ index, properties: missing });
    changes.added.push(...added);
    changes.changed.push(...changed);
  }
  return changes;
}

/** Searched fields of projects that were added after records were written, so that some records lack a value. Paths, without the kind. */
export async function findUnfilledFields(client: Client, index: string): Promise<string[]> {
  const found = await client.indices.getMapping({ index, ignore_unavailable: true });
  return Object.values(found).flatMap(({ mappings }) => listAddedLater(mappings.properties ?? {}, ''));
}

const listAddedLater = (fields: Fields, path: string): string[] =>
  Object.entries(fields).flatMap(([name, field]) => {
    const inside = subfields(field);
    if (inside) return listAddedLater(inside, `${path}${name}.`);
    return 'meta' in field && field.meta?.[ADDED_LATER] ? [`${path}${name}`] : [];
  });

const RENEW = 'make what is served again, npm run ingest -- renew';

/** Explains each changed field, and what to do. */
export const describeChangedFields = (changed: readonly ChangedField[], remedy = RENEW): string =>
  `${changed.map(({ field, there, wanted }) => `${field} is of type ${there} in the index and ${wanted} in this version`).join('; ')}. ` +
  `No index can change that: ${remedy}`;

const STATUS_FORBIDDEN = 403;

/** The fields of the served set. */
export class FieldStore {
  readonly #client: Client;
  readonly #served: Readonly<Record<Kind, string>>;

  constructor(client: Client, names: IndexNames) {
    this.#client = client;
    this.#served = Object.fromEntries(KINDS.map((kind) => [kind, names.readAlias(kind)])) as Record<Kind, string>;
  }

  /**
   * Adds missing fields; does nothing before the first load.
   * @returns `forbidden` when the client's key may not change mappings, or the block that rejects writes
   */
  async addMissing(): Promise<FieldChanges | 'forbidden' | WritesBlocked> {
    try {
      return await addMissingFields(this.#client, this.#served);
    } catch (error) {
      const block = findBlock(error);
      if (block) return block;
      if (error instanceof errors.ResponseError && error.statusCode === STATUS_FORBIDDEN) return 'forbidden';
      throw error;
    }
  }

  /** The fields that the served set lacks, by `kind.path`, and those with another type; changes nothing. */
  async findMissingFields(): Promise<{ missing: string[]; changed: ChangedField[] }> {
    const found = await findMissingByIndex(this.#client, this.#served, '');
    return { missing: found.flatMap(({ added }) => added), changed: found.flatMap(({ changed }) => changed) };
  }

  /** Searched fields of projects for which records loaded earlier lack a value. */
  findFieldsToBackfill(): Promise<string[]> {
    return findUnfilledFields(this.#client, this.#served.projects);
  }
}
