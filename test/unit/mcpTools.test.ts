/** The tools as agents see them, and what a quote allows. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ANSWER_CHARACTERS_MAX, dataAnswer, takeFitting, trimToFit } from '../../src/clients/mcp/answer.ts';
import { Quotes } from '../../src/clients/mcp/quotes.ts';
import { LISTED_TOOLS } from '../../src/clients/mcp/server.ts';

const SNAPSHOT = path.resolve(import.meta.dirname, '../contract/mcp-tools.json');
const TOOLS_MAX = 15;
/** Three tools list all filters with their types; aggregates, odds and an export take those of a search. */
const SCHEMA_TOKENS_MAX = 12_000;
const CHARACTERS_A_TOKEN = 2.5;

describe('the listed tools', () => {
  it('are few, short, and those that were committed', () => {
    const text = `${JSON.stringify(LISTED_TOOLS, null, 1)}\n`;
    if (process.env.GOLDEN === 'write') writeFileSync(SNAPSHOT, text);
    assert.equal(readFileSync(SNAPSHOT, 'utf8'), text, 'look at the difference, then GOLDEN=write npm test -- test/unit/mcpTools.test.ts');
    assert(LISTED_TOOLS.length <= TOOLS_MAX);
    assert(JSON.stringify(LISTED_TOOLS).length / CHARACTERS_A_TOKEN <= SCHEMA_TOKENS_MAX);
  });

  it('say which of them do more than read', () => {
    const more = LISTED_TOOLS.filter(({ annotations }) => !annotations.readOnlyHint).map(({ name }) => name);
    assert.deepEqual(more, ['ask', 'create_export', 'accept_quote']);
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
