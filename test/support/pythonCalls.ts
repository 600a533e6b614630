/** Calls of the Python client's methods, made of the requests that examples show. */
import assert from 'node:assert/strict';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import { methodOf, resourceOf } from '../../src/web/pythonNames.ts';
import type { GuideRequest } from './guides.ts';
import type { Json } from './json.ts';

export interface PythonCall {
  resource: string;
  method: string;
  /** values of the path, in their order */
  path: (string | number)[];
  values: Record<string, unknown>;
}

/** @param template address of the operation, with its parameters in braces */
export function callOf(operation: { operationId: string; tags: readonly string[]; path: string }, request: GuideRequest): PythonCall {
  const { pathname, searchParams } = new URL(request.url);
  const place = new RegExp(`^${operation.path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '([^/]+?)')}$`).exec(pathname);
  assert(place, `${pathname} is none of ${operation.path}`);
  const given = place.slice(1).map((text) => decodeURIComponent(text));
  return {
    resource: resourceOf(operation),
    method: methodOf(operation),
    path: given.map((text) => (/^\d+$/.test(text) ? Number(text) : text)),
    values: { ...Object.fromEntries(searchParams), ...(request.body ? JSON.parse(request.body) : {}) },
  };
}

/** A program that calls methods, a line each, and answers with a line. */
export class PythonCaller {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #answers: AsyncIterator<string>;
  readonly #lines: Interface;
  #errors = '';

  constructor(child: ChildProcessWithoutNullStreams) {
    this.#child = child;
    this.#lines = createInterface({ input: child.stdout });
    this.#answers = this.#lines[Symbol.asyncIterator]();
    child.stderr.on('data', (text) => {
      this.#errors += text;
    });
  }

  /** @throws AssertionError with what the program says where it ends instead */
  async call(call: PythonCall): Promise<Json> {
    this.#child.stdin.write(`${JSON.stringify(call)}\n`);
    const { value, done } = await this.#answers.next();
    assert(!done, this.#errors);
    return JSON.parse(value);
  }

  /** @returns the exit code */
  async end(): Promise<number | null> {
    this.#child.stdin.end();
    if (this.#child.exitCode === null) await once(this.#child, 'exit');
    return this.#child.exitCode;
  }
}
