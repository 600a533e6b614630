/** Reads CQL2 text of the class Basic CQL2 (OGC 21-065r2): comparisons with literals, IS NULL, AND, OR, NOT, parentheses. Pure. */

export type CqlOperator = '=' | '<>' | '<' | '<=' | '>' | '>=';

export interface CqlComparison {
  kind: 'comparison';
  property: string;
  operator: CqlOperator;
  value: string | number | boolean;
  /** place of the property in the text, from 1 */
  at: number;
}

export type CqlNode =
  | CqlComparison
  | { kind: 'and' | 'or'; parts: readonly CqlNode[] }
  | { kind: 'not'; part: CqlNode }
  | { kind: 'constant'; value: boolean }
  | { kind: 'null'; property: string; at: number };

/** What is wrong with a text, and where. */
export class CqlError extends Error {
  /** @param at place in the text, from 1 */
  constructor(at: number, message: string) {
    super(`at character ${at}: ${message}`);
  }
}

const TOKEN =
  /\s*(?:('(?:[^'\\]|''|\\.)*')|"((?:[^"]|"")+)"|([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?)(?![\w.])|([a-z_]\w*)|(<>|<=|>=|[=<>()])|(\S))/giy;
const DEPTH_MAX = 50;
const COMPARISON = 'a comparison (=, <>, <, <=, >, >=), IS NULL or IS NOT NULL';

interface Token {
  kind: 'text' | 'name' | 'number' | 'word' | 'sign' | 'end';
  text: string;
  at: number;
}

function readTokens(cql: string): Token[] {
  const tokens: Token[] = [];
  for (const match of cql.matchAll(TOKEN)) {
    const [whole, text, name, number, word, sign, other] = match;
    const found = text ?? name ?? number ?? word ?? sign ?? other ?? '';
    const at = match.index + whole.length - (name === undefined ? found.length : name.length + 2) + 1;
    if (other !== undefined)
      throw new CqlError(at, `${/['"]/.test(other) ? `the quote ${other} is not closed` : `'${other}' is not part of Basic CQL2`}`);
    if (text !== undefined)
      tokens.push({ kind: 'text', text: text.slice(1, -1).replaceAll(/''|\\(['\\])/g, (_, kept) => kept ?? "'"), at });
    else if (name !== undefined) tokens.push({ kind: 'name', text: name.replaceAll('""', '"'), at });
    else tokens.push({ kind: number !== undefined ? 'number' : word !== undefined ? 'word' : 'sign', text: found, at });
  }
  return [...tokens, { kind: 'end', text: 'the end', at: cql.trimEnd().length + 1 }];
}

class Reader {
  readonly #tokens: readonly Token[];
  #next = 0;
  #depth = 0;

  constructor(cql: string) {
    this.#tokens = readTokens(cql);
  }

  /** booleanExpression */
  readWhole(): CqlNode {
    const whole = this.#readAny();
    if (this.#token.kind !== 'end') this.#refuse('AND, OR or the end');
    return whole;
  }

  get #token(): Token {
    return this.#tokens[this.#next] as Token;
  }

  #refuse(expected: string): never {
    throw new CqlError(this.#token.at, `expected ${expected}, found '${this.#token.text.slice(0, 40)}'`);
  }

  #take(...words: string[]): string | undefined {
    const { kind, text } = this.#token;
    const found = kind === 'word' || kind === 'sign' ? words.find((word) => word === text.toUpperCase()) : undefined;
    if (found !== undefined) this.#next++;
    return found;
  }

  #require(word: string): void {
    if (!this.#take(word)) this.#refuse(word);
  }

  #readAny = (): CqlNode => this.#readChain('or', 'OR', this.#readAll);
  #readAll = (): CqlNode => this.#readChain('and', 'AND', this.#readFactor);

  /** Parts of the same kind within parentheses join, so that both bounds of a range stand together. */
  #readChain(kind: 'and' | 'or', word: string, readPart: () => CqlNode): CqlNode {
    const first = readPart();
    const parts = [first];
    while (this.#take(word)) parts.push(readPart());
    return parts.length === 1 ? first : { kind, parts: parts.flatMap((part) => (part.kind === kind ? part.parts : [part])) };
  }

  #readFactor = (): CqlNode => {
    if (++this.#depth > DEPTH_MAX) throw new CqlError(this.#token.at, `more than ${DEPTH_MAX} parentheses or NOT stand in each other`);
    const node = this.#take('NOT') ? ({ kind: 'not', part: this.#readFactor() } as const) : this.#readPrimary();
    this.#depth--;
    return node;
  };

  #readPrimary(): CqlNode {
    if (this.#take('(')) {
      const inner = this.#readAny();
      this.#require(')');
      return inner;
    }
    const constant = this.#take('TRUE', 'FALSE');
    if (constant) return { kind: 'constant', value: constant === 'TRUE' };
    const { kind, text: property, at } = this.#token;
    if (kind !== 'name' && kind !== 'word') this.#refuse('the name of a property');
    this.#next++;
    if (!this.#take('IS')) return { kind: 'comparison', property, at, operator: this.#readOperator(), value: this.#readLiteral() };
    const isDenied = this.#take('NOT');
    this.#require('NULL');
    return isDenied ? { kind: 'not', part: { kind: 'null', property, at } } : { kind: 'null', property, at };
  }

  #readOperator(): CqlOperator {
    return (this.#take('=', '<>', '<=', '>=', '<', '>') as CqlOperator | undefined) ?? this.#refuse(COMPARISON);
  }

  #readLiteral(): string | number | boolean {
    const constant = this.#take('TRUE', 'FALSE');
    if (constant) return constant === 'TRUE';
    const isInstant = this.#take('DATE', 'TIMESTAMP');
    if (isInstant) this.#require('(');
    const { kind, text } = this.#token;
    if (kind !== 'text' && (isInstant || kind !== 'number'))
      this.#refuse(isInstant ? "a date in quotes, such as '2026-03-01'" : 'a text in single quotes, a number, TRUE, FALSE or DATE(…)');
    this.#next++;
    if (isInstant) this.#require(')');
    return kind === 'number' ? Number(text) : text;
  }
}

/** @throws CqlError */
export const readCql = (cql: string): CqlNode => new Reader(cql).readWhole();
