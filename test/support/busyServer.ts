/** A process that serves nothing else than `serve` does, and is busy from the moment it listens until its input ends. */
import { readFileSync } from 'node:fs';
import Koa from 'koa';
import { serve } from '../../src/http/serve.ts';

const { port } = await serve({ app: new Koa(), announceStop: () => undefined }, 0, '127.0.0.1');
process.send?.(port);
// After the message has left, the event loop stands still.
setTimeout(() => readFileSync(0), 100);
