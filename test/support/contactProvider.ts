/** A contact provider over HTTP on loopback. A test makes it hang, fail, answer 429, answer wrongly or name the wrong people. */
import { text } from 'node:stream/consumers';
import { answerOnLoopback, type LoopbackServer } from '../../scripts/lib/loopback.ts';
import type { Json } from './json.ts';

export interface Asked {
  body: Json;
  authorization: string | undefined;
}

/** What it answers: a value, or a way to fail. */
export type Reply = { json: unknown } | { status: number; headers?: Record<string, string> } | { text: string } | 'hang' | 'cut';

export interface TestProvider extends LoopbackServer {
  asked: Asked[];
  /** decides on each request; what is asked first */
  reply(request: Json, nth: number): Reply;
}

export async function testProvider(): Promise<TestProvider> {
  const world: Pick<TestProvider, 'asked' | 'reply'> = { asked: [], reply: ({ projectId }) => ({ json: { projectId, people: [] } }) };
  const server = await answerOnLoopback(async (request, response) => {
    const body = JSON.parse(await text(request)) as Json;
    world.asked.push({ body, authorization: request.headers.authorization });
    const reply = world.reply(body, world.asked.length);
    if (reply === 'hang') return;
    if (reply === 'cut') return void response.destroy();
    if ('status' in reply) return void response.writeHead(reply.status, reply.headers).end('nothing to see');
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('text' in reply ? reply.text : JSON.stringify(reply.json));
  });
  return Object.assign(world, server, { url: `${server.url}/find` });
}
