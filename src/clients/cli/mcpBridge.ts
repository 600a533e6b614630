/**
 * The MCP server of a service over standard input and output: each line is a message, which is sent to the service's own server at /mcp, and
 * answered by a line. Tools, quotes and versions are those of the service.
 */
import { createInterface } from 'node:readline';
import type { Settings } from './settings.ts';

/** A message of JSON-RPC, as far as it is looked into. */
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
/** Codes of JSON-RPC: no JSON came; the service did not answer. */
const PARSE_ERROR = -32_700;
const UNREACHABLE = -32_000;
const PASSING = new Set([429, 502, 503, 504]);

const REVISION = 'io.modelcontextprotocol/protocolVersion';
/** What a header carries as it is: visible ASCII, with blanks only inside. */
const PLAIN = /^[!-~](?:[\t -~]*[!-~])?$/;
const ENCODED = /^=\?base64\?.*\?=$/;

/** Anything else goes as Base64, as revision 2026-07-28 has it. */
const headerValue = (text: string) =>
  PLAIN.test(text) && !ENCODED.test(text) ? text : `=?base64?${Buffer.from(text, 'utf8').toString('base64')}?=`;

/** Over HTTP the revision, method and name of a message stand in headers too, from revision 2026-07-28 on, whose messages name it. */
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

/** Passes messages on until the input ends. One that spends is repeated safely: its quote is the key of its repetition. */
export async function serveStdio({ url, key }: Settings, { input, output }: Stream = { input: process.stdin, output: process.stdout }) {
  let version: string | undefined; // agreed at the first message, and sent with all others
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

  async function sendPatiently(line: string, message: Message): Promise<Response> {
    for (let attempt = 1; ; attempt++) {
      const response = await send(line, message);
      const seconds = Number(response.headers.get('retry-after') ?? USUAL_WAIT_SECONDS);
      if (!PASSING.has(response.status) || attempt === ATTEMPTS || seconds > LONGEST_WAIT_SECONDS) return response;
      await wait(seconds);
    }
  }

  async function pass(line: string): Promise<void> {
    const message = parsed(line);
    if (!message) return void answer(failure(undefined, PARSE_ERROR, 'This line is no JSON.'));
    const { id, method } = message;
    try {
      const response = await sendPatiently(line, message);
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
  for await (const line of createInterface({ input })) {
    if (!line.trim()) continue;
    const passing = pass(line).finally(() => waiting.delete(passing));
    waiting.add(passing);
    if (parsed(line)?.method === 'initialize') await passing;
  }
  await Promise.all(waiting);
}

/** An error in the protocol's own form, which a client understands by its code: an unknown revision or method. */
function protocolErrorOf(text: string): object | undefined {
  const body = parsed(text) as { jsonrpc?: unknown; error?: { code?: unknown } } | undefined;
  return body?.jsonrpc === '2.0' && typeof body.error?.code === 'number' ? body : undefined;
}

/** The sentence of a refusal in the envelope of the API; undefined where something else answered. */
function refusalOf(text: string): string | undefined {
  const { error } = (parsed(text) ?? {}) as { error?: { code?: string; message?: string } };
  return error?.message && `${error.code}: ${error.message}`;
}
