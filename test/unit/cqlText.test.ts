import assert from 'node:assert/strict';
import { CqlError, type CqlNode, readCql } from '../../src/core/filter/cqlText.ts';

/** A tree in brackets, without places. */
function show(node: CqlNode): string {
  switch (node.kind) {
    case 'and':
    case 'or':
      return `[${node.parts.map(show).join(` ${node.kind} `)}]`;
    case 'not':
      return `not ${show(node.part)}`;
    case 'constant':
      return String(node.value);
    case 'null':
      return `${node.property} null`;
    case 'comparison':
      return `${node.property}${node.operator}${JSON.stringify(node.value)}`;
  }
}

describe('CQL2 text, class Basic', () => {
  const readings: [string, string][] = [
    ["status = 'approved'", 'status="approved"'],
    ['a=1 OR b=2 AND NOT c=3', '[a=1 or [b=2 and not c=3]]'],
    ['(a=1 or b=2) and c=3', '[[a=1 or b=2] and c=3]'],
    ['((a >= 1) AND (b < -2.5e1)) AND (a <= 3)', '[a>=1 and b<-25 and a<=3]'],
    ["name <> 'O''Neil' AND other = 'O\\'Neil' AND third = 'a\\\\b'", '[name<>"O\'Neil" and other="O\'Neil" and third="a\\\\b"]'],
    ['"a ""b"" c" = +1', 'a "b" c=1'],
    ['a IS NULL OR (NOT (b IS NOT NULL))', '[a null or not not b null]'],
    ["d >= DATE('2026-01-01') AND t < TIMESTAMP('2026-01-01T00:00:00Z')", '[d>="2026-01-01" and t<"2026-01-01T00:00:00Z"]'],
    ['TRUE and not false', '[true and not false]'],
    ['flag=TRUE\n', 'flag=true'],
  ];
  for (const [text, tree] of readings)
    it(`reads ${text.trim()}`, () => {
      assert.equal(show(readCql(text)), tree);
    });

  const refusals: [string, string][] = [
    ['', "at character 1: expected the name of a property, found 'the end'"],
    ['status', "at character 7: expected a comparison (=, <>, <, <=, >, >=), IS NULL or IS NOT NULL, found 'the end'"],
    ["status = 'approved", "at character 10: the quote ' is not closed"],
    ['status = approved', "at character 10: expected a text in single quotes, a number, TRUE, FALSE or DATE(…), found 'approved'"],
    ['a = 1 b = 2', "at character 7: expected AND, OR or the end, found 'b'"],
    ['(a = 1', "at character 7: expected ), found 'the end'"],
    ["a LIKE 'x%'", "at character 3: expected a comparison (=, <>, <, <=, >, >=), IS NULL or IS NOT NULL, found 'LIKE'"],
    ['a IS 5', "at character 6: expected NULL, found '5'"],
    ['a = 5 + 1', "at character 7: '+' is not part of Basic CQL2"],
    ['a = 5x', "at character 5: '5' is not part of Basic CQL2"],
    ['a = DATE(5)', "at character 10: expected a date in quotes, such as '2026-03-01', found '5'"],
    [`${'('.repeat(60)}a = 1${')'.repeat(60)}`, 'at character 51: more than 50 parentheses or NOT stand in each other'],
    [`${'NOT '.repeat(60)}a = 1`, 'at character 201: more than 50 parentheses or NOT stand in each other'],
  ];
  for (const [text, message] of refusals)
    it(`refuses ${text.slice(0, 30) || 'nothing'}`, () => {
      assert.throws(
        () => readCql(text),
        (problem) => problem instanceof CqlError && problem.message === message,
      );
    });
});
