/** A server of the chat completions protocol on loopback, which replaces a language model in tests and evaluations. */
import type { ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { answerOnLoopback, type LoopbackServer } from './loopback.ts';

// biome-ignore lint/suspicious/noExplicitAny: what is asked is looked into field by field
type Any = any;

export interface ChatCall {
  path: string;
  authorization: string | undefined;
  body: Any;
  /** name of the schema of the answer */
  task: string;
  /** the data that the task is about */
  data: Any;
}

/** Its URL is the root of its API. */
export type ChatServer = Omit<LoopbackServer, 'port'>;

const PIECE_CHARACTERS = 7;

export const chatChunk = (delta: object, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
const pieces = (content: string) => content.match(new RegExp(`[\\s\\S]{1,${PIECE_CHARACTERS}}`, 'g')) ?? [];

export function streamAnswer(response: ServerResponse, content: string, reason = 'stop'): void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  response.write(chatChunk({ role: 'assistant', content: '' }));
  for (const piece of pieces(content)) response.write(chatChunk({ content: piece }));
  response.end(`${chatChunk({}, reason)}data: [DONE]\n\n`);
}

/** Answers with an error in the protocol's format. */
export function sendChatError(response: ServerResponse, status: number, message: string, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify({ error: { message } }));
}

/** Starts a server. @param answer called with each call; a rejection becomes 502 with its message */
export async function startChatServer(answer: (call: ChatCall, response: ServerResponse) => void | Promise<void>): Promise<ChatServer> {
  const { url, ...server } = await answerOnLoopback(async (request, response) => {
    try {
      const body = JSON.parse(await text(request)) as Any;
      const task = body.response_format?.json_schema?.name;
      const data = JSON.parse(body.messages?.at(-1)?.content ?? 'null');
      await answer({ path: request.url ?? '', authorization: request.headers.authorization, body, task, data }, response);
    } catch (error) {
      if (!response.headersSent) sendChatError(response, 502, error instanceof Error ? error.message : String(error));
      else response.destroy();
    }
  });
  return { url: `${url}/v1`, ...server };
}
