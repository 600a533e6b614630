/**
 * A process that calls `serve` and is busy from the moment it listens: until its input ends, or, given a number, for as many milliseconds in each turn of
 * its event loop. It then answers with the number of the turn.
 */
import { readFileSync } from 'node:fs';
import Koa from 'koa';
import { serve } from '../../src/http/serve.ts';

const turnMs = Number(process.argv[2] ?? 0);
let turns = 0;

function takeTurn(): void {
  turns += 1;
  for (const until = performance.now() + turnMs; performance.now() < until; );
  setImmediate(takeTurn);
}

const app = new Koa();
app.use((ctx) => {
  ctx.body = String(turns);
});
const { port } = await serve({ app, longestRequestMs: 0, announceStop: () => undefined }, 0, '127.0.0.1');
process.send?.(port);
if (turnMs) setImmediate(takeTurn);
// After the message has left, the event loop stands still.
else setTimeout(() => readFileSync(0), 100);
