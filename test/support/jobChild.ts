/** The process of `childWorker`: a worker on one counted kind that reports each step to its parent and may wait there. */
import { pino } from 'pino';
import { composeWorker } from '../../src/core/jobs/worker.ts';
import { type ChildOptions, countedJob, countedKind, QUICK, type Step } from './jobs.ts';

const options: ChildOptions = JSON.parse(process.argv[2] ?? '{}');
let free = !options.waits;

const at = async (step: Step) => {
  process.send?.(step);
  while (!free) {
    const message = await new Promise((resolve) => process.once('message', resolve));
    if (message === 'go') free = true;
    if (message === `after ${step}`) break;
  }
};

const worker = composeWorker({
  databaseUrl: options.url,
  databaseSchema: options.schema,
  definitions: () => [countedJob(countedKind(options.kind), at)],
  settings: { ...QUICK, ...options.settings },
  log: pino({ level: 'silent' }),
});
await worker.start();
process.send?.('ready');
process.on('message', (message) => {
  if (message === 'go') free = true;
});
