/** What `/metrics` answers, read as Prometheus reads it. */
import { spawnSync } from 'node:child_process';

export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

export interface Scraped {
  text: string;
  samples: Sample[];
  /** type and help by name */
  families: Map<string, { type: string; help: string }>;
  /** the value of the one sample that has these labels, among others perhaps; undefined if there is none, a sum if there are several */
  value(name: string, labels?: Record<string, string>): number | undefined;
  seconds: number;
}

const LINE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g;
const NUMBERS: Record<string, number> = { '+Inf': Number.POSITIVE_INFINITY, Nan: Number.NaN, NaN: Number.NaN };

export function parseMetrics(text: string): Omit<Scraped, 'seconds'> {
  const samples: Sample[] = [];
  const families: Scraped['families'] = new Map();
  for (const line of text.split('\n')) {
    const [, kind, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (kind) families.set(name, { type: '', help: '', ...families.get(name), [kind.toLowerCase()]: rest });
    if (kind || line === '' || line.startsWith('#')) continue;
    const [, sample, labels = '', value = ''] = LINE.exec(line) ?? [];
    if (sample === undefined) throw new Error(`No line of the text format: ${line}`);
    const found = [...labels.matchAll(LABEL)].map(([, label = '', content = '']) => [label, content] as const);
    samples.push({ name: sample, labels: Object.fromEntries(found), value: NUMBERS[value] ?? Number(value) });
  }
  const value: Scraped['value'] = (name, labels = {}) => {
    const wanted = Object.entries(labels);
    const found = samples.filter((sample) => sample.name === name && wanted.every(([label, content]) => sample.labels[label] === content));
    return found.length ? found.reduce((sum, sample) => sum + sample.value, 0) : undefined;
  };
  return { text, samples, families, value };
}

export async function scrape(url: string | null): Promise<Scraped> {
  if (url === null) throw new Error('The service was started without METRICS_PORT');
  const begun = performance.now();
  const response = await fetch(url);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status}: ${text}`);
  return { ...parseMetrics(text), seconds: (performance.now() - begun) / 1000 };
}

const UNIT = /_(seconds|bytes|ratio|info|total|timestamp_seconds)$/;
/** Of Prometheus' conventions: a unit is a base unit, and stands behind the name. */
const NO_BASE_UNIT = /_(milliseconds|ms|minutes|hours|days|kilobytes|megabytes|percent|count|sum|bucket)$/;

/** The rules of `promtool check metrics` that can be broken here, for machines without it. */
export function lintMetrics({ samples, families }: Pick<Scraped, 'samples' | 'families'>): string[] {
  const problems: string[] = [];
  for (const [name, { type, help }] of families) {
    if (!help) problems.push(`${name}: no help text`);
    if (!['counter', 'gauge', 'histogram', 'summary'].includes(type)) problems.push(`${name}: no type`);
    if ((type === 'counter') !== name.endsWith('_total')) problems.push(`${name}: _total is the end of counters and of nothing else`);
    if (NO_BASE_UNIT.test(name)) problems.push(`${name}: not a base unit, or a name that is reserved`);
    if (/[A-Z]/.test(name)) problems.push(`${name}: capital letters`);
    if (type === 'histogram' && !UNIT.test(name)) problems.push(`${name}: a histogram without a unit`);
  }
  const seen = new Set<string>();
  for (const { name, labels } of samples) {
    const family = families.has(name) ? name : name.replace(/_(bucket|sum|count)$/, '');
    if (!families.has(family)) problems.push(`${name}: a sample without a family`);
    const key = `${name}${JSON.stringify(Object.entries(labels).sort())}`;
    if (seen.has(key)) problems.push(`${key}: twice`);
    seen.add(key);
  }
  return problems;
}

/** What promtool says, where the variable PROMTOOL names it; null elsewhere. */
export function promtool(args: readonly string[], input = ''): { code: number | null; said: string } | null {
  const program = process.env.PROMTOOL;
  if (!program) return null;
  const { status, stdout, stderr } = spawnSync(program, args, { input, encoding: 'utf8' });
  return { code: status, said: `${stdout}${stderr}` };
}
