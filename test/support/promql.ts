/**
 * The subset of PromQL that the shipped alert rules use, evaluated over samples in memory, so that the rules can be tested without Prometheus.
 * Other expressions are errors. `PROMTOOL=… npm test -- test/integration/seeing/alertRules.test.ts` compares it with Prometheus.
 */

export interface Series {
  name: string;
  labels: Readonly<Record<string, string>>;
  /** a value a minute, from minute 0 on; null if there was none */
  values: readonly (number | null)[];
}

interface Point {
  labels: Record<string, string>;
  value: number;
}

/** A number, or a vector of samples. */
type Value = number | Point[];
type Expression = (minute: number) => Value;

const TOKEN =
  /\s*(?:([0-9]+(?:\.[0-9]+)?)|([a-zA-Z_:][a-zA-Z0-9_:]*)|(>=|<=|==|!=|[-+*/()<>,])|(\{(?:[^"}]|"(?:[^"\\]|\\.)*")*\})|\[(\d+)([mh])\])/y;
const MATCHER = /(\w+)\s*(=~|!~|!=|=)\s*"((?:[^"\\]|\\.)*)"/g;
const PRECEDENCE: Record<string, number> = {
  or: 1,
  and: 2,
  '>': 3,
  '<': 3,
  '>=': 3,
  '<=': 3,
  '==': 3,
  '!=': 3,
  '+': 4,
  '-': 4,
  '*': 5,
  '/': 5,
};
const ARITHMETIC: Record<string, (a: number, b: number) => number> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
};
const COMPARISON: Record<string, (a: number, b: number) => boolean> = {
  '>': (a, b) => a > b,
  '<': (a, b) => a < b,
  '>=': (a, b) => a >= b,
  '<=': (a, b) => a <= b,
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
};
/** Age up to which a sample counts as current, in minutes. */
const LOOKBACK = 5;

function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.trimEnd().length) {
    const found = TOKEN.exec(text);
    if (!found) throw new Error(`Not understood: ${text}`);
    tokens.push(found[0].trim());
  }
  return tokens;
}

function matching(series: readonly Series[], name: string, braces: string): Series[] {
  const tests = [...braces.matchAll(MATCHER)].map(([, label = '', operator, quoted = '']) => {
    const wanted = JSON.parse(`"${quoted}"`) as string;
    const holds = operator?.endsWith('~') ? (text: string) => new RegExp(`^(?:${wanted})$`).test(text) : (text: string) => text === wanted;
    return ({ labels }: Series) => holds(labels[label] ?? '') !== operator?.startsWith('!');
  });
  return series.filter((one) => one.name === name && tests.every((test) => test(one)));
}

const keyOf = (labels: Record<string, string>) => JSON.stringify(Object.entries(labels).sort());
const vector = (value: Value, what: string): Point[] => {
  if (typeof value === 'number') throw new Error(`${what} takes a vector`);
  return value;
};

function present({ labels, values }: Series, minute: number): Point[] {
  for (let at = minute; at > minute - LOOKBACK && at >= 0; at -= 1) {
    const value = values[at];
    if (typeof value === 'number') return [{ labels: { ...labels }, value }];
  }
  return [];
}

/** The increase of a counter in a window that ends at a minute, extrapolated to the whole window with the limits of Prometheus. */
function increase({ labels, values }: Series, minute: number, window: number): Point[] {
  const from = Math.max(0, minute - window);
  const points = values.slice(from, minute + 1).flatMap((value, i) => (value === null ? [] : [{ value, at: from + i }]));
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || points.length < 2) return [];
  const grown = points.slice(1).reduce((sum, { value }, i) => sum + Math.max(0, value - (points[i]?.value ?? 0)), 0);
  const sampled = last.at - first.at;
  const average = sampled / (points.length - 1);
  const reached = (gap: number) => (gap < average * 1.1 ? gap : average / 2);
  const toZero = grown > 0 ? sampled * (first.value / grown) : Number.POSITIVE_INFINITY;
  const covered = sampled + reached(Math.min(first.at - (minute - window), toZero)) + reached(minute - last.at);
  return [{ labels: { ...labels }, value: (grown * covered) / sampled }];
}

function aggregated(operator: string, points: Point[], by: readonly string[]): Point[] {
  const groups = Map.groupBy(points, ({ labels }) => keyOf(Object.fromEntries(by.map((label) => [label, labels[label] ?? '']))));
  const of: Record<string, (values: number[]) => number> = {
    sum: (values) => values.reduce((a, b) => a + b, 0),
    min: (values) => Math.min(...values),
    max: (values) => Math.max(...values),
  };
  return [...groups].map(([key, group]) => ({
    labels: Object.fromEntries(JSON.parse(key)) as Record<string, string>,
    value: of[operator]?.(group.map(({ value }) => value)) ?? Number.NaN,
  }));
}

function combined(operator: string, left: Value, right: Value): Value {
  if (operator === 'and' || operator === 'or') {
    const [a, b] = [vector(left, operator), vector(right, operator)];
    const [ofA, ofB] = [a, b].map((points) => new Set(points.map(({ labels }) => keyOf(labels))));
    if (operator === 'and') return a.filter(({ labels }) => ofB?.has(keyOf(labels)));
    return [...a, ...b.filter(({ labels }) => !ofA?.has(keyOf(labels)))];
  }
  const compute = ARITHMETIC[operator];
  const compare = COMPARISON[operator];
  const pair = (a: number, b: number): number | null => (compute ? compute(a, b) : compare?.(a, b) ? a : null);
  if (typeof left === 'number' && typeof right === 'number') return pair(left, right) ?? Number.NaN;
  const kept = (points: Point[], of: (point: Point) => number | null) =>
    points.flatMap((point) => {
      const value = of(point);
      return value === null ? [] : [{ ...point, value }];
    });
  if (typeof right === 'number') return kept(vector(left, operator), ({ value }) => pair(value, right));
  if (typeof left === 'number') return kept(right, ({ value }) => pair(left, value));
  const others = new Map(right.map(({ labels, value }) => [keyOf(labels), value]));
  return kept(left, ({ labels, value }) => {
    const other = others.get(keyOf(labels));
    return other === undefined ? null : pair(value, other);
  });
}

/** @param series what was scraped @throws Error for what it does not know */
export function compileExpression(text: string, series: readonly Series[]): Expression {
  const tokens = tokensOf(text);
  let at = 0;
  const next = () => tokens[at++] ?? '';
  const take = (wanted: string) => {
    const found = next();
    if (found !== wanted) throw new Error(`'${wanted}' is missing before '${found}' in: ${text}`);
  };
  const inParentheses = <T>(read: () => T): T => {
    take('(');
    const value = read();
    take(')');
    return value;
  };
  const selector = (name: string): { chosen: Series[]; window: number | null } => {
    const braces = tokens[at]?.startsWith('{') ? next() : '';
    const [, length, unit] = /^\[(\d+)([mh])\]$/.exec(tokens[at] ?? '') ?? [];
    if (length) at += 1;
    return { chosen: matching(series, name, braces), window: length ? Number(length) * (unit === 'h' ? 60 : 1) : null };
  };
  const called = (name: string): Expression => {
    if (name === 'time') {
      inParentheses(() => null);
      return (minute) => minute * 60;
    }
    if (name === 'rate' || name === 'increase') {
      const { chosen, window } = inParentheses(() => selector(next()));
      if (window === null) throw new Error(`${name} needs a window: ${text}`);
      const divisor = name === 'rate' ? window * 60 : 1;
      return (minute) =>
        chosen.flatMap((one) => increase(one, minute, window)).map((point) => ({ ...point, value: point.value / divisor }));
    }
    const argument = inParentheses(() => expression(0));
    if (name === 'abs') return (minute) => vector(argument(minute), name).map((point) => ({ ...point, value: Math.abs(point.value) }));
    return (minute) => (vector(argument(minute), name).length ? [] : [{ labels: {}, value: 1 }]);
  };
  const primary = (): Expression => {
    if (tokens[at] === '(') return inParentheses(() => expression(0));
    const token = next();
    if (/^\d/.test(token)) return () => Number(token);
    if (['sum', 'min', 'max'].includes(token)) {
      const by: string[] = [];
      if (tokens[at] === 'by') {
        next();
        inParentheses(() => {
          while (tokens[at] !== ')') by.push(...[next()].filter((label) => label !== ','));
        });
      }
      const argument = inParentheses(() => expression(0));
      return (minute) => aggregated(token, vector(argument(minute), token), by);
    }
    if (['time', 'rate', 'increase', 'abs', 'absent'].includes(token)) return called(token);
    if (!/^[a-z]/.test(token) || tokens[at] === '(') throw new Error(`'${token}' is not known here: ${text}`);
    const { chosen, window } = selector(token);
    if (window !== null) throw new Error(`A window outside rate and increase: ${text}`);
    return (minute) => chosen.flatMap((one) => present(one, minute));
  };
  const expression = (least: number): Expression => {
    let left = primary();
    for (let operator = tokens[at] ?? ''; (PRECEDENCE[operator] ?? 0) > least; operator = tokens[at] ?? '') {
      next();
      const [a, b] = [left, expression(PRECEDENCE[operator] ?? 0)];
      const of = operator;
      left = (minute) => combined(of, a(minute), b(minute));
    }
    return left;
  };
  const whole = expression(0);
  if (at < tokens.length) throw new Error(`'${tokens[at]}' is too much in: ${text}`);
  return whole;
}

export interface AlertRule {
  alert: string;
  expr: string;
  for?: string;
  labels: { severity: string };
  annotations: { summary: string };
}

/** Minutes of `10m`, `2h`; 0 if there is none. */
export const minutesOf = (text = '0m') => Number.parseInt(text, 10) * (text.endsWith('h') ? 60 : 1);

/** The rules that fire at the last minute of the series: their expression has been true for their `for`. */
export function firing(rules: readonly AlertRule[], series: readonly Series[], lastMinute: number): string[] {
  return rules
    .filter(({ expr, for: wait }) => {
      const expression = compileExpression(expr, series);
      const minutes = Array.from({ length: minutesOf(wait) + 1 }, (_, i) => lastMinute - i);
      return minutes.every((minute) => minute >= 0 && vector(expression(minute), expr).length > 0);
    })
    .map(({ alert }) => alert)
    .sort();
}
