/**
 * Records answers of a test service as candidates for the examples of the reference (`npm run openapi -- --examples`): for each operation, status,
 * content type and error code the shortest one that shows most, a price before all. Nothing is recorded unless RECORD_ANSWERS names a folder.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Context } from 'koa';
import type { Service } from '../../src/app.ts';
import { compress } from '../../src/http/compression.ts';

export interface RecordedAnswer {
  operation: string;
  status: number;
  /** content type without parameters */
  type: string;
  /** of a refusal */
  code: string | null;
  /** JSON, or text; bytes that are neither as base64 */
  body: unknown;
  /** lower is better: its length, and how much of it is empty */
  weight: number;
}

interface Described {
  paths: Record<string, Record<string, { operationId: string }>>;
}

/** Most bytes of a text; an example shows the beginning. */
const TEXT_KEPT = 4_000;
/** The weight of an empty value in characters; and of an answer without data. */
const EMPTY_WEIGHT = 100;
const NOTHING_WEIGHT = 20_000;
/** An answer that shows a price is preferred to any that was free. */
const PRICE_WEIGHT = -10_000;
/** of JSON as text, also within a text */
export const SHOWS_PRICE = /[cC]redits(?:Used|Reserved|Charged)\\?":[1-9]/;
const UNSETTLED = ['queued', 'building', 'running'];
/** Most items of a list in an example. */
const COUNTED_ITEMS = 2;

const folder = process.env.RECORD_ANSWERS;
const best = new Map<string, RecordedAnswer>();

/** A fixed day for a test whose answers are recorded or stand in guides: on others the sample may be hidden in groups that are too small. */
export const RECORDED_DAY = { today: '2026-11-23' };

function countEmpty(value: unknown): number {
  if (value === null) return 1;
  if (typeof value !== 'object') return 0;
  const values = Object.values(value);
  return values.length ? values.reduce<number>((sum, one) => sum + countEmpty(one), 0) : 1;
}

const cut = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.slice(0, COUNTED_ITEMS).map(cut);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, cut(one)]));
};

function weightOf(body: unknown): number {
  const { data } = Object(body) as { data?: { length?: number; groups?: unknown[]; status?: string } };
  const nothing = data?.length === 0 || data?.groups?.length === 0 || (data?.status !== undefined && UNSETTLED.includes(data.status));
  const shown = cut(body);
  const text = JSON.stringify(shown);
  return text.length + EMPTY_WEIGHT * countEmpty(shown) + (nothing ? NOTHING_WEIGHT : 0) + (SHOWS_PRICE.test(text) ? PRICE_WEIGHT : 0);
}

function bodyOf({ body, type }: Context): unknown {
  if (Buffer.isBuffer(body)) {
    if (type.endsWith('json')) return JSON.parse(body.toString());
    return type.startsWith('text/') ? body.toString().slice(0, TEXT_KEPT) : body.subarray(0, TEXT_KEPT).toString('base64');
  }
  if (typeof body === 'string') return type.endsWith('json') ? body : body.slice(0, TEXT_KEPT);
  return JSON.parse(JSON.stringify(body));
}

/** A stream is recorded while it is sent. */
function whenRead(ctx: Context, keep: (body: unknown) => void): void {
  const { body } = ctx;
  if (body === null || body === undefined || ctx.response.get('Content-Encoding')) return;
  if (typeof body !== 'object' || !('pipe' in body)) {
    keep(bodyOf(ctx));
    return;
  }
  const pieces: Buffer[] = [];
  let length = 0;
  const stream = body as NodeJS.ReadableStream;
  stream.on('data', (piece: Buffer) => {
    if (length < TEXT_KEPT) pieces.push(piece);
    length += piece.length;
  });
  const encoding = ctx.type.startsWith('text/') || ctx.type.endsWith('json') ? 'utf8' : 'base64';
  stream.once('end', () => keep(Buffer.concat(pieces).subarray(0, TEXT_KEPT).toString(encoding)));
}

/** Of two templates that match a path, the more specific one applies. */
const fixedLength = (template: string) => template.replaceAll(/\{\w+\}/g, '').length + (template.includes('{') ? 0 : 1000);

function operationFinder({ paths }: Described): (method: string, path: string) => string | undefined {
  const patterns = Object.entries(paths)
    .sort(([a], [b]) => fixedLength(b) - fixedLength(a))
    .map(([template, methods]) => ({
      pattern: new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
      methods,
    }));
  return (method, path) => patterns.find(({ pattern }) => pattern.test(path))?.methods[method.toLowerCase()]?.operationId;
}

function keep(answer: Omit<RecordedAnswer, 'weight'>): void {
  const name = [answer.operation, answer.status, answer.type, answer.code].join(' ');
  const weight = weightOf(answer.body);
  const before = best.get(name);
  if (!before || weight < before.weight) best.set(name, { ...answer, weight });
}

/** @param document the OpenAPI document, which names the operations */
export function recordAnswers({ app, openApi }: Pick<Service, 'app' | 'openApi'>): void {
  if (!folder) return;
  const operationOf = operationFinder(openApi() as Described);
  app.middleware.splice(app.middleware.indexOf(compress) + 1, 0, async (ctx, next) => {
    await next();
    const { status, type, path: asked, method } = ctx;
    const code = (ctx.state.errorCode as string | undefined) ?? null;
    // A refusal of an unknown method is recorded for each method of the path.
    const operation = operationOf(method, asked) ?? (code === 'method_not_allowed' ? operationOf('get', asked) : undefined);
    if (operation) whenRead(ctx, (body) => keep({ operation, status, type, code, body }));
  });
}

process.once('exit', () => {
  if (!folder || !best.size) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, `${process.pid}.json`), JSON.stringify([...best.values()]));
});
