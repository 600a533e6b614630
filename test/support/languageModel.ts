/** A language model on loopback, with the chat completions protocol: it streams the reply that a test sets, or fails in the way that it sets. */
import type { ServerResponse } from 'node:http';
import { type ChatCall, type ChatServer, chatChunk, sendChatError, startChatServer, streamAnswer } from '../../scripts/lib/chatServer.ts';
import type { Json } from './json.ts';

export interface AskedModel extends ChatCall {
  task: 'reading' | 'verdicts';
}

/** A reply: a value as JSON, a text, an endless answer, or a failure. */
export type ModelReply =
  | { json: unknown }
  | { text: string; reason?: string }
  | { delta: object }
  | { status: number; headers?: Record<string, string> }
  | 'hang'
  | 'stall'
  | 'cut'
  | 'endless';

export interface TestModel extends ChatServer {
  asked: AskedModel[];
  /** decides the reply to each call */
  reply(asked: AskedModel, nth: number): ModelReply;
}

export async function testModel(): Promise<TestModel> {
  const world: Pick<TestModel, 'asked' | 'reply'> = { asked: [], reply: () => ({ json: {} }) };
  const server = await startChatServer((call, response) => {
    const asked = call as AskedModel;
    world.asked.push(asked);
    answer(response, world.reply(asked, world.asked.length));
  });
  return Object.assign(world, server);
}

function answer(response: ServerResponse, reply: ModelReply): void {
  if (reply === 'hang') return;
  if (typeof reply === 'object' && 'status' in reply) return void sendChatError(response, reply.status, 'no', reply.headers);
  if (typeof reply === 'object' && 'json' in reply) return void streamAnswer(response, JSON.stringify(reply.json));
  if (typeof reply === 'object' && 'text' in reply) return void streamAnswer(response, reply.text, reply.reason);
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  if (reply === 'stall') return void response.write(chatChunk({ role: 'assistant', content: '{"confi' }));
  if (reply === 'cut') return void response.write(chatChunk({ role: 'assistant', content: '{"confi' }), () => response.destroy());
  if (reply === 'endless') return void endless(response);
  response.end(`${chatChunk(reply.delta)}${chatChunk({}, 'stop')}data: [DONE]\n\n`);
}

/** Sends data until the client disconnects. */
function endless(response: ServerResponse): void {
  const more = () => {
    while (!response.destroyed && response.write(chatChunk({ content: ' '.repeat(10_000) })));
    if (!response.destroyed) response.once('drain', more);
  };
  more();
}

/** The sentences of the records in a task, with their numbers. */
export function sentencesIn({ data }: AskedModel): { record: number; number: number; text: string }[] {
  return (data.records as Json[]).flatMap(({ record, sentences }) =>
    (sentences as [number, string, string][]).map(([number, , sentence]) => ({ record, number, text: sentence })),
  );
}

interface Pointer {
  record: number;
  criterion: number;
  start: number;
  end: number;
}

/** A reply that points at the given sentences as proofs. */
export function replyPointing(pointers: readonly Pointer[]): {
  json: { verdicts: { record: number; proofs: Omit<Pointer, 'record'>[] }[] };
} {
  const records = [...new Set(pointers.map(({ record }) => record))];
  const proofsOf = (wanted: number) => pointers.flatMap(({ record, ...proof }) => (record === wanted ? [proof] : []));
  return { json: { verdicts: records.map((record) => ({ record, proofs: proofsOf(record) })) } };
}

/** The reply of a good model: it proves each criterion by the sentences that contain the given text. */
export function replyConfirming(asked: AskedModel, proofs: Readonly<Record<string, string>>): ReturnType<typeof replyPointing> {
  const pointers = (asked.data.criteria as [number, string][]).flatMap(([criterion, words]) =>
    sentencesIn(asked)
      .filter(({ text: sentence }) => proofs[words] !== undefined && sentence.includes(proofs[words]))
      .map(({ record, number }) => ({ record, criterion, start: number, end: number })),
  );
  return replyPointing(pointers);
}

export const NOTHING_CONFIRMED = { json: { verdicts: [] } };

/** The reply of a model that follows instructions in a text: it confirms every criterion of every record by its first sentence. */
export function replyObediently(asked: AskedModel): ModelReply {
  const firsts = new Map<number, number>();
  for (const { record, number } of sentencesIn(asked)) if (!firsts.has(record)) firsts.set(record, number);
  return replyPointing(
    (asked.data.criteria as [number, string][]).flatMap(([criterion]) =>
      [...firsts].map(([record, number]) => ({ record, criterion, start: number, end: number })),
    ),
  );
}

interface ReadingMore {
  /** wordings of each criterion, in order */
  wordings?: readonly string[][];
  exclusions?: readonly string[];
  idle?: readonly string[];
}

/** The reply that reads a question: filters as [name, values, words], criteria and the rest by their words. */
export function replyReading(
  asked: AskedModel,
  filters: readonly [string, string[], string][],
  criteria: readonly string[],
  { wordings = [], exclusions = [], idle = [] }: ReadingMore = {},
): ModelReply {
  const words = (asked.data.words as [number, string][]).map(([, word]) => word);
  const stretchOf = (phrase: string) => {
    const wanted = phrase.split(' ');
    const start = words.findIndex((_, i) => wanted.every((word, offset) => words[i + offset] === word));
    return { start, end: start + wanted.length - 1 };
  };
  return {
    json: {
      filters: filters.map(([name, values, phrase]) => ({ name, values, ...stretchOf(phrase) })),
      criteria: criteria.map((phrase, i) => ({ ...stretchOf(phrase), asks: phrase, wordings: wordings[i] ?? [] })),
      exclusions: exclusions.map((phrase) => ({ ...stretchOf(phrase), asks: phrase })),
      idle: idle.map(stretchOf),
    },
  };
}
