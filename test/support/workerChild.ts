/** A worker of the service in a child process, which starts it when its parent sends the settings. */
import { once } from 'node:events';
import { flushCompileCache } from 'node:module';
import { pino } from 'pino';
import { composeServiceWorker } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { QUICK } from './jobs.ts';

flushCompileCache(); // it will be killed
process.send?.('loaded');
const [{ env, now, settings }] = await once(process, 'message');
await composeServiceWorker(loadConfig(env), pino({ level: 'silent' }), () => new Date(now), { ...QUICK, ...settings }).start();
process.send?.('started');
