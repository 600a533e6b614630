/** One line of a generation file, checked against `generation.schema.json`; the reason in words when it is unusable. */
import { readFileSync } from 'node:fs';
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { ProjectStatement } from '../src/domain/project.ts';

export interface GenerationHeader {
  kind: 'generation';
  generation: number;
  mode: 'full' | 'increment';
  extractedAt: string;
}

export interface ProjectLine extends ProjectStatement {
  kind: 'project';
  deleted?: boolean;
}

export interface DocumentLine {
  kind: 'document';
  id: number;
  state?: string | null;
  county?: string | null;
  city?: string | null;
  decisionBody?: string | null;
  meetingDate?: string | null;
  title?: string | null;
  url?: string | null;
  text?: string | null;
}

export interface ContactLine {
  kind: 'contact';
  projectId: number;
  name?: string | null;
  email?: string | null;
  [field: string]: unknown;
}

export type GenerationLine = GenerationHeader | ProjectLine | DocumentLine | ContactLine;

const KINDS = ['generation', 'project', 'document', 'contact'] as const;

function compileValidators(): Record<string, ValidateFunction> {
  const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, strictTypes: false });
  formats.default(ajv);
  const schema = JSON.parse(readFileSync(new URL('./generation.schema.json', import.meta.url), 'utf8'));
  ajv.addSchema(schema);
  const validator = (name: string) => ajv.compile({ $ref: `generation-line#/$defs/${name}` });
  return Object.fromEntries([...KINDS, 'projectDeletion'].map((name) => [name, validator(name)]));
}

const validators = compileValidators();

function inWords(error: ErrorObject): string {
  const place = error.instancePath.slice(1).replaceAll('/', '.') || 'the line';
  if (error.keyword === 'additionalProperties')
    return `unknown field '${[place === 'the line' ? '' : `${place}.`].join('')}${error.params.additionalProperty}'`;
  if (error.keyword === 'required') return `the field '${error.params.missingProperty}' is missing`;
  if (error.keyword === 'enum') return `${place} must be one of ${error.params.allowedValues.join(', ')}`;
  return `${place} ${error.message}`;
}

export type Parsed = { line: GenerationLine } | { problem: string };

/** Never throws; a problem names the field and what is wrong with it. */
export function parseLine(text: string): Parsed {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problem: `not JSON (${(error as Error).message})` };
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return { problem: 'not a JSON object' };
  const { kind, deleted } = value as { kind?: unknown; deleted?: unknown };
  const validate = validators[kind === 'project' && deleted === true ? 'projectDeletion' : String(kind)];
  if (!validate) return { problem: `kind must be one of ${KINDS.join(', ')}, not ${JSON.stringify(kind) ?? 'missing'}` };
  if (validate(value)) return { line: value as GenerationLine };
  return { problem: [...new Set((validate.errors ?? []).map(inWords))].slice(0, 5).join('; ') };
}
