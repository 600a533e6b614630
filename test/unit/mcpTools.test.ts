/** The tools as agents see them, and what a quote allows. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ANSWER_CHARACTERS_MAX, dataAnswer, takeFitting, trimToFit } from '../../src/clients/mcp/answer.ts';
import { Quotes } from '../../src/clients/mcp/quotes.ts';
import { readArguments } from '../../src/clients/mcp/readArguments.ts';
import { LISTED_TOOLS } from '../../src/clients/mcp/server.ts';
import type { InputSchema } from '../../src/clients/mcp/tool.ts';

const SNAPSHOT = path.resolve(import.meta.dirname, '../contract/mcp-tools.json');
const TOOLS_MAX = 16;
/** Two tools list all filters with their types; the others take those of a search, as JSON. */
const LISTING_CHARACTERS_MAX = 20_000;

describe('the listed tools', () => {
  it('are few, short, and those that were committed', () => {
    const text = `${JSON.stringify(LISTED_TOOLS, null, 1)}\n`;
    if (process.env.GOLDEN === 'write') writeFileSync(SNAPSHOT, text);
    assert.equal(readFileSync(SNAPSHOT, 'utf8'), text, 'look at the difference, then GOLDEN=write npm test -- test/unit/mcpTools.test.ts');
    assert(LISTED_TOOLS.length <= TOOLS_MAX);
    assert(JSON.stringify(LISTED_TOOLS).length <= LISTING_CHARACTERS_MAX);
  });

  /** What Gemini, OpenAI (without strict schemas) or Claude refuse, at any depth. */
  function findRefusedForms(schema: InputSchema, place: string): string[] {
    const { type, enum: values, properties, items } = schema;
    const isOneType = ['string', 'integer', 'number', 'boolean', 'array', 'object'].includes(String(type));
    const combined = ['anyOf', 'oneOf', 'allOf', 'not', '$ref', 'const', 'default'].filter((keyword) => keyword in schema);
    return [
      ...(isOneType ? [] : [`${place} has no single type`]),
      ...combined.map((keyword) => `${place} has ${keyword}`),
      ...(values && type !== 'string' ? [`${place} has values of no type`] : []),
      ...(type === 'array' && !items ? [`${place} says nothing of its items`] : []),
      ...(type === 'object' && schema.additionalProperties !== false ? [`${place} takes unnamed fields`] : []),
      ...(type === 'object' && place.includes('.') && !Object.keys(properties ?? {}).length ? [`${place} names no field`] : []),
      ...Object.entries(properties ?? {}).flatMap(([name, one]) => [
        ...(/^[\w.-]{1,64}$/.test(name) ? [] : [`${place}.${name} is no name`]),
        ...findRefusedForms(one, `${place}.${name}`),
      ]),
      ...(items ? findRefusedForms(items, `${place}[]`) : []),
    ];
  }

  it('have schemas that every model takes', () => {
    assert.deepEqual(
      LISTED_TOOLS.flatMap(({ name, inputSchema }) => findRefusedForms(inputSchema, name)),
      [],
    );
    const refused = {
      type: 'object',
      properties: { a: { type: ['string', 'null'] }, b: { enum: ['x'] }, c: { type: 'object' } },
    };
    assert.equal(findRefusedForms(refused as never, 'tool').length, 6);
  });

  it('say which of them do more than read', () => {
    const more = LISTED_TOOLS.filter(({ annotations }) => !annotations.readOnlyHint).map(({ name }) => name);
    assert.deepEqual(more, ['ask', 'site_brief', 'create_export', 'accept_quote']);
  });
});

describe('arguments as agents send them', () => {
  const type = (one: string) => ({ type: one });
  const schema: InputSchema = {
    type: 'object',
    properties: {
      ...{ text: type('string'), count: type('integer'), share: type('number'), isOpen: type('boolean') },
      ids: { type: 'array', items: type('integer') },
      inner: { type: 'object', properties: { count: type('integer') } },
    },
  };

  it('are absent where they say nothing', () => {
    const nothing = { text: '', count: null, share: 'null', isOpen: undefined, ids: [], inner: '{}' };
    assert.deepEqual(readArguments(schema, nothing), {});
    assert.deepEqual(readArguments(schema, { ids: ['', null], inner: { count: '' }, isOpen: false, count: 0 }), {
      ids: [],
      inner: {},
      isOpen: false,
      count: 0,
    });
  });

  it('are read as text where they are text, and left to be refused where they are something else', () => {
    const texts = { text: 7, count: '12', share: ' 0.5 ', isOpen: 'true', ids: '1, 2', inner: '{"count": "3"}' };
    assert.deepEqual(readArguments(schema, texts), { text: '7', count: 12, share: 0.5, isOpen: true, ids: [1, 2], inner: { count: 3 } });
    assert.deepEqual(readArguments(schema, { ids: '[3,"4"]', count: 'many', inner: '{"count":', isOpen: 'perhaps', unknown: 1 }), {
      ids: [3, 4],
      count: 'many',
      inner: '{"count":',
      isOpen: 'perhaps',
      unknown: 1,
    });
  });
});

describe('a quote', () => {
  const call = { tool: 'get_project', arguments: { id: 7, deep: { a: 1, b: [2] } } };

  it('allows its own call alone, in whatever order its arguments stand, until it expires', () => {
    let now = 1_000_000;
    const quotes = new Quotes('secret', 'team 1', () => now);
    const { quoteId } = quotes.issue(call, 3);
    assert.match(quoteId, /^[A-Za-z0-9_.:-]{1,255}$/);
    assert.deepEqual(quotes.accept(quoteId, { tool: 'get_project', arguments: { deep: { b: [2], a: 1 }, id: 7 } }), { credits: 3 });
    for (const other of [
      { ...call, tool: 'get_document' },
      { ...call, arguments: { ...call.arguments, id: 8 } },
    ])
      assert('problem' in quotes.accept(quoteId, other));
    assert('problem' in quotes.accept(quoteId.replace(/_3_/, '_9_'), call));
    assert('problem' in new Quotes('secret', 'team 2', () => now).accept(quoteId, call));
    assert('problem' in new Quotes('other', 'team 1', () => now).accept(quoteId, call));
    now += 601_000;
    assert('problem' in quotes.accept(quoteId, call));
  });
});

describe('an answer', () => {
  it('is bounded, whatever records say', () => {
    const wide = Array.from({ length: 500 }, (_, id) => ({ id, text: '<"\n>'.repeat(100) }));
    const fits = takeFitting(wide);
    assert(fits.length > 1 && fits.length < wide.length);
    assert(dataAnswer({ records: fits }).content[0].text.length <= ANSWER_CHARACTERS_MAX);
    const fields = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`field${i}`, '<'.repeat(5_000)]));
    const cut = trimToFit(fields);
    assert(dataAnswer(cut).content[0].text.length <= ANSWER_CHARACTERS_MAX);
    assert(Array.isArray(cut.leftOut));
  });

  it('leaves nothing out silently that fits', () => {
    assert.deepEqual(trimToFit({ a: 1, b: null, c: [], d: 'x' }), { a: 1, d: 'x' });
  });
});
