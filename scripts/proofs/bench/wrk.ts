/** The load generator where it is installed: `wrk` takes less of the cores that it shares with what is measured than Node does. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { generateLoad, type LoadTally, type Request, type Target } from './loadGenerator.ts';

const isInstalled = spawnSync('wrk', ['-v']).error === undefined;
export const GENERATOR = isInstalled ? 'wrk' : "Node's http client, since wrk is not installed";
/** wrk counts in whole seconds. */
export const SLICE_MS = isInstalled ? 1_000 : 500;

/** A request in Lua, in which JSON writes texts as Lua does. */
function luaRequest({ method, path, headers, body }: Request): string {
  const fields = Object.entries(headers).map(([name, value]) => `[${JSON.stringify(name)}]=${JSON.stringify(value)}`);
  return `wrk.format(${JSON.stringify(method)}, ${JSON.stringify(path)}, {${fields}}, ${body ? JSON.stringify(body) : 'nil'})`;
}

/** Prints what was seen as JSON: every time with how often it was seen, in microseconds, and the seconds of the processor. */
const luaScript = ({ requests, cursor }: Target) => `
local texts, at = {}, ${cursor % requests.length}
function init()
  texts = {${requests.map(luaRequest)}}
end
function request()
  at = at % #texts + 1
  return texts[at]
end
function done(summary, latency)
  local times, errors = {}, summary.errors
  for i = 1, #latency do
    local time, count = latency(i)
    times[i] = '[' .. time .. ',' .. count .. ']'
  end
  local failures = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  io.write(string.format('\\nSEEN {"times":[%s],"requests":%d,"duration":%d,"bytes":%d,"failures":%d,"cpu":%f}\\n',
    table.concat(times, ','), summary.requests, summary.duration, summary.bytes, failures, os.clock()))
end`;

interface Seen {
  times: [microseconds: number, count: number][];
  requests: number;
  duration: number;
  bytes: number;
  failures: number;
  cpu: number;
}

/** The times as they were: wrk adds to each slow answer those of the requests that would have waited meanwhile at a steady rate (`stats_correct`). */
function readTimes({ times, requests, duration }: Seen, concurrency: number): number[] {
  const counts = new Map(times);
  const interval = Math.trunc(duration / Math.trunc(requests / concurrency));
  for (const [time] of times.toReversed())
    if (time >= 2 * interval)
      for (let added = time - interval; added > interval; added -= interval)
        counts.set(added, (counts.get(added) ?? 0) - (counts.get(time) ?? 0));
  return [...counts].flatMap(([microseconds, count]) => Array<number>(count).fill(microseconds / 1000));
}

async function runWrk(target: Target, concurrency: number, milliseconds: number, tally: LoadTally): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'landuse-wrk-'));
  const script = path.join(folder, 'requests.lua');
  writeFileSync(script, luaScript(target));
  const args = ['-t1', `-c${concurrency}`, `-d${milliseconds / 1000}s`, '--timeout', '60s', '-s', script, target.origin.href];
  const { stdout } = await promisify(execFile)('wrk', args).finally(() => rmSync(folder, { recursive: true }));
  const seen = JSON.parse(stdout.split('\nSEEN ')[1] ?? '') as Seen;
  const times = readTimes(seen, concurrency);
  target.cursor += times.length;
  tally.milliseconds.push(...times);
  tally.seconds += seen.duration / 1e6;
  tally.bytes += seen.bytes;
  tally.failures += seen.failures;
  tally.cpuMilliseconds += seen.cpu * 1000;
}

/** As `generateLoad`, by the generator that there is. */
export const generateMeasuredLoad: typeof generateLoad = isInstalled ? runWrk : generateLoad;
