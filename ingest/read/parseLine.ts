/** Parses a line of a generation file and checks it against `generation.schema.json` and the record table; each problem is a sentence. */
import { readFileSync } from 'node:fs';
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { WEB_ADDRESS } from '../../src/core/domain/record/field.ts';
import type { DocumentQuote, DocumentVersion } from '../../src/core/domain/record/quotes.ts';
import { projectLineSchema } from '../../src/core/domain/record/schemas.ts';
import type { ProjectStatement } from '../../src/core/domain/record/statement.ts';
import { type RestrictionLine, restrictionLineSchema } from '../../src/core/domain/restriction/schemas.ts';
import { type FieldProblem, type LineProblem, shortenName } from './lineProblems.ts';
import { findRepeatedKeys } from './repeatedKeys.ts';
import { findTextProblems } from './strictText.ts';

export interface GenerationHeader {
  kind: 'generation';
  generation: number;
  mode: 'full' | 'increment';
  extractedAt: string;
  /** number of project lines */
  records?: number;
  /** SHA-256 of all bytes after the header line, uncompressed; hexadecimal */
  sha256?: string;
  /** sources whose restrictions this file replaces, each as a whole; those of others stay */
  restrictionSources?: string[];
}

export interface ProjectLine extends ProjectStatement {
  kind: 'project';
  deleted?: boolean;
  /** quotes of the documents from which values were read */
  evidence?: DocumentQuote[] | null;
  /** absorbed records that the record unmerges */
  unmerge?: number[] | null;
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
  version?: DocumentVersion | null;
  text?: string | null;
}

export interface ContactLine {
  kind: 'contact';
  projectId: number;
  name?: string | null;
  email?: string | null;
  [field: string]: unknown;
}

/** What a person found who compared a value with the words of the minutes. */
export interface ReviewLine {
  kind: 'review';
  projectId: number;
  field: string;
  right: boolean;
  reviewedAt: string;
}

/** A line that states or deletes a record. */
export type Statement = ProjectLine | DocumentLine | ContactLine;

/** Whether a line states or deletes a record: headers, reviews and restrictions do not. */
export const isStatement = (line: GenerationLine): line is Statement => ['project', 'document', 'contact'].includes(line.kind);
type GenerationLine = GenerationHeader | ReviewLine | RestrictionLine | Statement;

const KINDS = ['generation', 'project', 'document', 'contact', 'review', 'restriction'] as const;

/** Days outside are misread: the readers of Parquet, and calendars, do not hold every year. */
const FIRST_DAY = '1900-01-01';
const LAST_DAY = '2100-12-31';
/** What spreadsheets and databases write where they have no day. */
const NO_DAY = /^(?:1899-12-3[01]|0001-01-01|0000-00-00)/;

let validators: Record<string, ValidateFunction> | undefined;

/** Compiles the schemas at the first line, so that commands that read none start faster. */
function compileValidators(): Record<string, ValidateFunction> {
  // The schema is checked by the tests.
  const ajv = new Ajv2020({ allErrors: true, verbose: true, allowUnionTypes: true, strictTypes: false, validateSchema: false });
  formats.default(ajv);
  const isDate = formats.default.get('date') as { validate: (text: string) => boolean };
  ajv.addFormat('date', (text) => isDate.validate(text) && text >= FIRST_DAY && text <= LAST_DAY);
  const schema = JSON.parse(readFileSync(new URL('../generation.schema.json', import.meta.url), 'utf8'));
  ajv.addSchema({ ...schema, $defs: { ...schema.$defs, project: projectLineSchema(), restriction: restrictionLineSchema } });
  const validator = (name: string) => ajv.compile({ $ref: `generation-line#/$defs/${name}` });
  return Object.fromEntries([...KINDS, 'projectDeletion'].map((name) => [name, validator(name)]));
}

function toLineProblem(error: ErrorObject): LineProblem {
  const steps = error.instancePath.split('/').slice(1);
  const fault = describe(error, steps.filter((step) => !/^\d+$/.test(step)).join('.'));
  const isDate = error.keyword === 'format' && error.params.format === 'date';
  return {
    fault,
    reason: describe(error, steps.join('.')),
    ...(isDate ? { code: NO_DAY.test(String(error.data)) ? 'placeholder_date' : 'dates_contradict' } : {}),
  };
}

function describe(error: ErrorObject, place: string): string {
  const fullName = (name: string) => shortenName(place ? `${place}.${name}` : name);
  if (error.keyword === 'additionalProperties') return `unknown field '${fullName(error.params.additionalProperty)}'`;
  if (error.keyword === 'required') return `the field '${fullName(error.params.missingProperty)}' is missing`;
  if (error.keyword === 'enum') return `${place || 'the line'} must be one of ${error.params.allowedValues.join(', ')}`;
  if (error.keyword === 'type') return `${place || 'the line'} must be ${[error.params.type].flat().join(' or ')}`;
  if (error.keyword === 'pattern' && error.params.pattern === WEB_ADDRESS)
    return `${place} must be an address that begins with http:// or https://`;
  if (error.keyword === 'format' && error.params.format === 'date')
    return `${place} must be a day from ${FIRST_DAY} to ${LAST_DAY}, written YYYY-MM-DD`;
  return `${place || 'the line'} ${error.message}`;
}

/** A line that cannot be loaded, with the problems found by the schema. */
export interface BadLine {
  problems: readonly LineProblem[];
  kind?: LineKind;
  /** the statement without the fields that have problems, so that the others can be judged too */
  rest?: Statement;
  /** the fields that have problems */
  unreadable: ReadonlySet<string>;
}

type LineKind = (typeof KINDS)[number];
type Parsed = { line: GenerationLine } | BadLine;

const makeUnreadableLine = (fault: string, reason = fault): BadLine => ({ problems: [{ fault, reason }], unreadable: new Set() });

/** Never throws; problems name the field and what is wrong with it. */
export function parseLine(text: string): Parsed {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return makeUnreadableLine('not JSON', `not JSON (${(error as Error).message})`);
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return makeUnreadableLine('not a JSON object');
  const { kind, deleted } = value as { kind?: unknown; deleted?: unknown };
  validators ??= compileValidators();
  const validate = validators[kind === 'project' && deleted === true ? 'projectDeletion' : String(kind)];
  const allowed = `kind must be one of ${KINDS.join(', ')}`;
  if (!validate) return makeUnreadableLine(allowed, `${allowed}, not ${JSON.stringify(kind) ?? 'missing'}`);
  const unreadable = [...findTextProblems(text, value), ...findRepeatedKeys(text, value)];
  if (validate(value) && !unreadable.length) return { line: value as GenerationLine };
  return makeBadLine(value as Record<string, unknown>, kind as LineKind, [
    ...unreadable,
    ...selectRelevantErrors(validate.errors ?? []).map(toFieldProblem),
  ]);
}

/** If a value must be one of a few words, a wrong type is not reported in addition. */
function selectRelevantErrors(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const ofWords = new Set(errors.filter(({ keyword }) => keyword === 'enum').map(({ instancePath }) => instancePath));
  return errors.filter(({ keyword, instancePath }) => keyword !== 'type' || !ofWords.has(instancePath));
}

const toFieldProblem = (error: ErrorObject): FieldProblem => ({
  ...toLineProblem(error),
  field: error.instancePath.split('/')[1] ?? error.params.additionalProperty,
});

/** Fields that are checked together: if one has a problem, all are left out. */
const CHECKED_TOGETHER = [
  ['landUses', 'propertyType', 'propertySubtype', 'assetClass'],
  ['latitude', 'longitude'],
];

function makeBadLine(value: Record<string, unknown>, kind: LineKind, found: readonly FieldProblem[]): BadLine {
  const fields = new Set(found.flatMap(({ field }) => field ?? []));
  const unreadable = new Set([...fields, ...CHECKED_TOGETHER.filter((group) => group.some((field) => fields.has(field))).flat()]);
  const problems = [...new Map(found.map(({ field: _, ...problem }) => [problem.reason, problem])).values()];
  if (kind === 'generation' || kind === 'review' || kind === 'restriction' || value.deleted !== undefined)
    return { problems, kind, unreadable };
  const rest = Object.fromEntries(Object.entries(value).filter(([field]) => !unreadable.has(field)));
  return { problems, kind, unreadable, rest: rest as unknown as NonNullable<BadLine['rest']> };
}
