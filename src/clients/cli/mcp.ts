/**
 * mcp: an MCP server over standard input and output that forwards each line, a message, to the service's server at /mcp and prints its answer as a
 * line. Tools, quotes and versions are those of the service.
 */
import type { Command } from 'commander';
import { splitLines } from '../../terminal/splitLines.ts';
import { addPlainCommand } from './context.ts';
import { NoKey } from './failures.ts';
import type { Settings } from './settings.ts';

/** The fields of a JSON-RPC message that are read here. */
interface Message {
  id?: string | number;
  method?: string;
  params?: { protocolVersion?: string; name?: unknown; _meta?: Readonly<Record<string, unknown>> };
}

interface Stream {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream;
}

const ATTEMPTS = 5;
const USUAL_WAIT_SECONDS = 1;
const LONGEST_WAIT_SECONDS = 65;
/** JSON-RPC error codes: invalid JSON; no answer of the service. */
const PARSE_ERROR = -32_700;
const UNREACHABLE = -32_000;
const PASSING = new Set([429, 502, 503, 504]);

const REVISION = 'io.modelcontextprotocol/protocolVersion';
/** A text that a header can contain: visible ASCII, with blanks only inside. */
const PLAIN = /^[!-~](?:[\t -~]*[!-~])?$/;
const ENCODED = /^=\?base64\?.*\?=$/;

/** The value of a header; other texts are encoded as Base64 (MCP revision 2026-07-28). */
const headerValue = (text: string) =>
  PLAIN.test(text) && !ENCODED.test(text) ? text : `=?base64?${Buffer.from(text, 'utf8').toString('base64')}?=`;

/** The headers of a message over HTTP: revision, method and name (MCP revision 2026-07-28). */
function protocolHeaders({ method, params }: Message, agreed: string | undefined): Record<string, string> {
  const revision = params?._meta?.[REVISION];
  if (typeof revision !== 'string') return agreed ? { 'MCP-Protocol-Version': agreed } : {};
  return {
    'MCP-Protocol-Version': headerValue(revision),
    ...(typeof method === 'string' ? { 'Mcp-Method': headerValue(method) } : {}),
    ...(typeof params?.name === 'string' ? { 'Mcp-Name': headerValue(params.name) } : {}),
  };
}

const wait = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

const failure = (id: Message['id'], code: number, message: string) => ({ jsonrpc: '2.0', id: id ?? null, error: { code, message } });

function parsed(line: string): Message | undefined {
  try {
    return JSON.parse(line) as Message;
  } catch {
    return undefined;
  }
}

/** Forwards messages until the input ends. Spending calls can be retried safely, since the quote is their idempotency key. */
async function serveStdio({ url, key }: Settings, { input, output }: Stream = { input: process.stdin, output: process.stdout }) {
  let version: string | undefined; // negotiated by the first message, and sent with all later ones
  const answer = (message: object) => output.write(`${JSON.stringify(message)}\n`);
  const send = (line: string, message: Message) =>
    fetch(`${url}/mcp`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${key}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        ...protocolHeaders(message, version),
      },
      body: line,
    });

  async function sendWithRetries(line: string, message: Message): Promise<Response> {
    for (let attempt = 1; ; attempt++) {
      const response = await send(line, message);
      const asked = response.headers.get('retry-after'); // calls over the rate are answered as results, with the wait
      const seconds = Number(asked ?? USUAL_WAIT_SECONDS);
      const isPassing = asked !== null || PASSING.has(response.status);
      if (!isPassing || attempt === ATTEMPTS || seconds > LONGEST_WAIT_SECONDS) return response;
      await wait(seconds);
    }
  }

  async function forward(line: string): Promise<void> {
    const message = parsed(line);
    if (!message) return void answer(failure(undefined, PARSE_ERROR, 'This line is no JSON.'));
    const { id, method } = message;
    try {
      const response = await sendWithRetries(line, message);
      const text = await response.text();
      if (id === undefined) return; // a notification has no answer
      if (!response.ok)
        return void answer(protocolErrorOf(text) ?? failure(id, UNREACHABLE, refusalOf(text) ?? `${url} answered ${response.status}.`));
      const body = JSON.parse(text) as { result?: { protocolVersion?: string } };
      if (method === 'initialize') version = body.result?.protocolVersion;
      answer(body);
    } catch (error) {
      if (id !== undefined) answer(failure(id, UNREACHABLE, `${url} cannot be reached (${(error as Error).message}). Try again later.`));
    }
  }

  const waiting = new Set<Promise<void>>();
  for await (const line of splitLines(input)) {
    if (!line.trim()) continue;
    const passing = forward(line).finally(() => waiting.delete(passing));
    waiting.add(passing);
    if (parsed(line)?.method === 'initialize') await passing;
  }
  await Promise.all(waiting);
}

/** An error of JSON-RPC in the answer, such as an unknown method; undefined for any other answer. */
function protocolErrorOf(text: string): object | undefined {
  const body = parsed(text) as { jsonrpc?: unknown; error?: { code?: unknown } } | undefined;
  return body?.jsonrpc === '2.0' && typeof body.error?.code === 'number' ? body : undefined;
}

/** The message of a refusal by the API; undefined for any other answer. */
function refusalOf(text: string): string | undefined {
  const { error } = (parsed(text) ?? {}) as { error?: { code?: string; message?: string } };
  return error?.message && `${error.code}: ${error.message}`;
}

export function addMcpCommand(program: Command): void {
  addPlainCommand(program, 'mcp', 'an MCP server on standard input and output, for agents', async ({ settings }) => {
    if (!settings.key) throw new NoKey(`There is no key for ${settings.url}.`);
    await serveStdio(settings);
  });
}
