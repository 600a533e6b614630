/** Checks every answer of a test service against the declaration of its route; an undeclared field or status is a defect. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { mayLackDetails } from '../../src/core/domain/errorDetails.ts';
import type { ApiError } from '../../src/core/domain/errors.ts';
import { ERRORS, type ErrorCode, type ErrorDescription } from '../../src/core/domain/errorTable.ts';
import type { AnswerSpec, Route } from '../../src/http/declaration.ts';
import { openApiDocument } from '../../src/http/openapi.ts';
import { bodySchema } from '../../src/http/openapiResponses.ts';
import type { AnswerObserver } from '../../src/http/serveRoutes.ts';

/** The schema without additional properties. Tests are strict, although clients have to accept new fields. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (schema === null || typeof schema !== 'object') return schema;
  const entries = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  return 'properties' in entries && !('additionalProperties' in entries) ? { ...entries, additionalProperties: false } : entries;
}

function schemasOf(answer: AnswerSpec): object[] {
  if (answer.kind === 'file') return [];
  return [answer.kind === 'json' ? bodySchema(answer) : { properties: { data: answer.data, meta: { type: 'object' } } }];
}

const detailsSchema = ({ details }: ErrorDescription): object =>
  details ? { anyOf: [details, ...(mayLackDetails(details) ? [{ type: 'null' }] : [])] } : { type: 'null' };

/** Compiled once a process: it takes longer than most answers. */
class DeclaredBodies {
  /** Not optimized: that would take half of the time of compiling, and each schema is asked seldom. */
  readonly #ajv = new Ajv2020({ allErrors: false, strict: false, code: { optimize: false } });
  readonly #compiled = new Map<string, ValidateFunction>();

  constructor() {
    formats.default(this.#ajv);
    const described = {
      publicUrl: 'http://test',
      routes: {},
      openRoutes: [],
      events: [],
      limits: { paid: 60, trial: 10, health: 120, file: 1200 },
    };
    const { components } = openApiDocument(described) as { components: { schemas: Record<string, unknown> } };
    for (const [name, schema] of Object.entries(components.schemas))
      this.#ajv.addSchema(closed(schema) as object, `#/components/schemas/${name}`);
  }

  of(name: string, answers: readonly AnswerSpec[]): ValidateFunction {
    const validate = this.#compiled.get(name) ?? this.#ajv.compile({ anyOf: closed(answers.flatMap(schemasOf)) });
    this.#compiled.set(name, validate);
    return validate;
  }

  /** What `details` of an error may hold. */
  details(code: ErrorCode): ValidateFunction {
    const name = `details ${code}`;
    const validate = this.#compiled.get(name) ?? this.#ajv.compile(detailsSchema(ERRORS[code]));
    this.#compiled.set(name, validate);
    return validate;
  }
}

let bodies: DeclaredBodies | undefined;

export class DeclaredAnswers {
  /** distinct answers that were not declared */
  readonly violations = new Set<string>();

  readonly observe: AnswerObserver = {
    answered: (route, status, body) => this.#answered(route, status, body),
    refused: (error) => this.#refused(error),
  };

  #answered(route: Route, status: number, body: unknown): void {
    const answers = route.answers.filter((one) => one.status === status);
    if (!answers.length) this.violations.add(`${route.id} answers ${status}, which it does not declare`);
    else if (body !== undefined) this.#check(route, status, answers, body);
  }

  #refused({ code, details }: Pick<ApiError, 'code' | 'details'>): void {
    bodies ??= new DeclaredBodies();
    const validate = bodies.details(code);
    if (validate(details === null ? null : JSON.parse(JSON.stringify(details)))) return;
    const [first] = validate.errors ?? [];
    this.violations.add(
      `details of ${code}: ${first?.instancePath.replaceAll(/\/\d+/g, '/n')} ${first?.message} ${JSON.stringify(first?.params)}`,
    );
  }

  #check(route: Route, status: number, answers: readonly AnswerSpec[], body: unknown): void {
    const name = `${route.id} ${status}`;
    bodies ??= new DeclaredBodies();
    const validate = bodies.of(name, answers);
    const { data, meta } = body as { data: unknown; meta?: object };
    // As the client gets it: without what JSON leaves out.
    if (validate(JSON.parse(JSON.stringify({ data, meta: { schemaVersion: '', requestId: '', ...meta } })))) return;
    const [first] = validate.errors ?? [];
    this.violations.add(`${name}: ${first?.instancePath.replaceAll(/\/\d+/g, '/n')} ${first?.message} ${JSON.stringify(first?.params)}`);
  }
}
