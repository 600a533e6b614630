/** Generates the JSON Schema of a record in each representation, without references, for programs that make tables of records. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { nameOf } from './clientTypes.ts';

type Json = Record<string, unknown>;

const FILE = path.resolve(import.meta.dirname, '../../src/clients/python/landuse_api/record_schemas.json');
const REPRESENTATIONS = { compact: 'CompactProject', standard: 'StandardProject', full: 'FullProject' } as const;

/** @param document OpenAPI */
export function generatePythonRecords(document: unknown): string {
  const { schemas } = (document as { components: { schemas: Json } }).components;
  const resolved = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolved);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, ...own } = value as Json & { $ref?: string };
    const named = $ref ? (resolved(schemas[nameOf($ref)]) as Json) : {};
    return { ...named, ...Object.fromEntries(Object.entries(own).map(([key, one]) => [key, resolved(one)])) };
  };
  const records = Object.entries(REPRESENTATIONS).map(([representation, name]) => [representation, resolved(schemas[name])]);
  return `${JSON.stringify(Object.fromEntries(records), null, 1)}\n`;
}

export const readCommittedPythonRecords = (): string => readFileSync(FILE, 'utf8');
export const writePythonRecords = (document: unknown): void => writeFileSync(FILE, generatePythonRecords(document));
