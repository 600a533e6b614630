/** Examples of the reference: every declared answer has one, which is as its schema says now. */
import assert from 'node:assert/strict';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { makeDocument } from '../../scripts/openapi/snapshot.ts';
import { listCodes } from '../../src/http/openapiExamples.ts';
import { pluck } from '../support/lists.ts';
import { canCharge } from '../support/operationOrder.ts';
import { SHOWS_PRICE } from '../support/recordedAnswers.ts';

interface Content {
  schema: object;
  examples?: Record<string, { $ref?: string; value?: unknown }>;
}

interface Operation {
  operationId: string;
  parameters: object[];
  responses: Record<string, { content?: Record<string, Content> }>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object>; examples: Record<string, { value: unknown }> };
}

/** No request of today is answered with these codes, or so: there is nothing to record. The page of consent has an address of its own for each request. */
const NEVER_ANSWERED: readonly string[] = ['enrichment_requires_paid_plan', 'aiSearch 200 application/json', 'openOauth 200 text/html'];
/** Answers of operations that can charge where nothing matched: they cost nothing. */
const NOTHING_MATCHED: readonly string[] = ['createExport 200 application/json', 'createSnapshot 200 application/json'];
/** An answer that says that nothing changed has no body. */
const UNCHANGED = '304';
const MEND = 'npm run openapi -- --examples, with the file of a test that is answered so';

describe('examples of the reference', () => {
  let contents: { place: string; status: number; charges: boolean; content: Content }[];
  let schemas: Record<string, object>;
  let text: string;
  let bodyOf: (example: { $ref?: string; value?: unknown }) => unknown;
  let validatorOf: (schema: object) => ValidateFunction;

  before(async () => {
    const document = (await makeDocument()) as unknown as Document;
    const ajv = new Ajv2020({ strict: false });
    formats.default(ajv);
    for (const [name, schema] of Object.entries(document.components.schemas)) ajv.addSchema(schema, `#/components/schemas/${name}`);
    const compiled = new Map<string, ValidateFunction>();
    validatorOf = (schema) => {
      const name = JSON.stringify(schema);
      const validate = compiled.get(name) ?? ajv.compile(schema);
      compiled.set(name, validate);
      return validate;
    };
    bodyOf = ({ $ref, value }) => ($ref ? document.components.examples[$ref.split('/').at(-1) ?? '']?.value : value);
    schemas = document.components.schemas;
    text = JSON.stringify(document);
    contents = Object.values(document.paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap(({ operationId, parameters, responses }) =>
        Object.entries(responses).flatMap(([status, { content = {} }]) =>
          Object.entries(status === UNCHANGED ? {} : content).map(([type, one]) => ({
            place: `${operationId} ${status} ${type}`,
            status: Number(status),
            charges: canCharge({ parameters }),
            content: one,
          })),
        ),
      );
    assert(contents.length > 900, `${contents.length} answers`);
  });

  it('are there for every answer, and for every code of every refusal', () => {
    const missing = contents.flatMap(({ place, status, content: { schema, examples = {} } }) => {
      if (status < 400) return Object.keys(examples).length || NEVER_ANSWERED.includes(place) ? [] : [place];
      return listCodes(schema, schemas).flatMap((code) => (code in examples || NEVER_ANSWERED.includes(code) ? [] : [`${place} ${code}`]));
    });
    assert.deepEqual(missing, [], MEND);
  });

  it('are as their schemas say, and name the code of their refusal', () => {
    const wrong = contents.flatMap(({ place, status, content: { schema, examples = {} } }) =>
      Object.entries(examples).flatMap(([name, example]) => {
        const value = bodyOf(example);
        const validate = validatorOf(schema);
        if (!validate(value)) return [`${place} ${name}: ${validate.errors?.[0]?.instancePath} ${validate.errors?.[0]?.message}`];
        const { error } = Object(value) as { error?: { code?: string } };
        return status >= 400 && error?.code !== name ? [`${place} ${name}: is of ${error?.code}`] : [];
      }),
    );
    assert.deepEqual(wrong, [], MEND);
  });

  it('show a price where the operation can charge', () => {
    const charging = contents.filter(({ place, status, charges }) => charges && status < 300 && !NOTHING_MATCHED.includes(place));
    assert(charging.length > 15, `${charging.length} answers`);
    const free = charging.filter(
      ({ content: { examples = {} } }) => !Object.values(examples).some((one) => SHOWS_PRICE.test(JSON.stringify(bodyOf(one)))),
    );
    assert.deepEqual(pluck(free, 'place'), [], MEND);
  });

  it('hold no secret, and no address of the run', () => {
    assert.deepEqual(text.match(/svc_(?:live|test)_[0-9A-Za-z]{8,}|whsec_[\w+/=-]{8,}|127\.0\.0\.1:\d+|landuse\.test/g) ?? [], []);
  });
});
