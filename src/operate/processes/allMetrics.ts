/** Metrics of several processes as those of one service: counters and gauges are added up. */
import type { ChildProcess } from 'node:child_process';
import type { Config } from '../../config.ts';
import type { MetricsServer } from '../metrics/metricsServer.ts';
import type { ProcessValues } from '../metrics/serviceMetrics.ts';
import type { ChildMessage, MetricsQuestion } from './child.ts';

/** Longer than a process takes that asks its servers. A process that does not answer is left out. */
const ANSWER_MS = 1_500;

let asked = 0;

/** Serves the metrics of all processes. @returns null without METRICS_PORT */
export async function readTogether(
  { metricsAddress }: Pick<Config, 'metricsAddress'>,
  children: readonly { serving: ChildProcess | undefined }[],
): Promise<MetricsServer | null> {
  if (metricsAddress === null) return null;
  const [{ AggregatorRegistry }, { serveMetrics }] = await Promise.all([import('prom-client'), import('../metrics/metricsServer.ts')]);
  return serveMetrics(async () => {
    const serving = children.flatMap(({ serving }) => serving ?? []);
    // What the servers say is said once.
    const values = await Promise.all(serving.map((child, place) => askMetrics(child, place === 0)));
    return AggregatorRegistry.aggregate(values).metrics();
  }, metricsAddress);
}

function askMetrics(child: ChildProcess, ofServers: boolean): Promise<ProcessValues> {
  asked += 1;
  const question: MetricsQuestion = { asked, ofServers };
  return new Promise((resolve) => {
    const finish = (values: ProcessValues) => {
      clearTimeout(late);
      child.off('message', take);
      child.off('exit', giveUp);
      resolve(values);
    };
    const giveUp = () => finish([]);
    const take = (message: ChildMessage) => {
      if (message.is === 'asked' && message.asked === question.asked) finish(message.values);
    };
    const late = setTimeout(giveUp, ANSWER_MS);
    child.on('message', take).once('exit', giveUp);
    child.send(question, (error) => error && giveUp());
  });
}
