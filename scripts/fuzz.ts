import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { readDemoKeys } from './demo/accounts.ts';
import { installPythonTool } from './lib/pythonTool.ts';

// npm run fuzz                      schemathesis against the demo, which has to run with its rate limits lifted
// npm run fuzz -- --max-examples 50 every option of "schemathesis run"
// FUZZ_URL, FUZZ_KEY                another service and a key of it
//
// It mints keys of the account: use none that matters. Needs Python 3 with venv, and once a package registry; without them the
// requests of test/contract/documentFuzz.test.ts are made instead, many more than in "npm test", against a service of its own.

const SCHEMATHESIS = 'schemathesis==4.32.5';
const REQUESTS_INSTEAD = '20000';
const root = path.resolve(import.meta.dirname, '..');
const folder = path.join(root, '.stack', 'fuzz');
/** Schemathesis runs here, since it writes files into its working folder. */
const workplace = path.dirname(folder);

/** Both ways to send the key; schemathesis also omits or spoils it, to test the refusals. */
const CONFIG = `[auth.openapi.bearer]
bearer = "\${FUZZ_KEY}"

[auth.openapi.header]
api_key = "\${FUZZ_KEY}"
`;

/** Operations that would invalidate the key of the run: it is revoked, replaced or given away. */
const ENDING = ['revokeKey', 'rotateKey', 'reassignKey'];

/**
 * The check that every request which fits the schemas is accepted is left out: schemas do not state rules between parameters, such as that one date
 * is before another.
 */
const UNCHECKED = 'positive_data_acceptance';

/** Runs a program. @returns whether it succeeded; false also if it is missing */
const ran = (command: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env, cwd = workplace): boolean =>
  spawnSync(command, args, { stdio: 'inherit', cwd, env }).status === 0;

interface Described {
  paths: Record<string, { get?: { parameters: { name?: string; schema?: { maximum?: number } }[] } }>;
}

/**
 * The service's document, in which a page of a GIS program has no greatest size: by the standard more is no error, and the greatest size is served
 * (OGC 17-069r4, requirement 22), but schemathesis expects a refusal beyond each maximum.
 */
async function readDocument(url: string): Promise<string> {
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as Described;
  for (const [place, { get }] of Object.entries(document.paths))
    for (const { name, schema } of place.startsWith('/ogc') ? (get?.parameters ?? []) : []) if (name === 'limit') delete schema?.maximum;
  const file = path.join(folder, 'openapi.json');
  writeFileSync(file, JSON.stringify(document));
  return file;
}

async function schemathesis(program: string, url: string, key: string): Promise<boolean> {
  const config = path.join(folder, 'schemathesis.toml');
  writeFileSync(config, CONFIG);
  const excluded = ENDING.flatMap((id) => ['--exclude-operation-id', id]);
  const checks = ['--checks', 'all', '--exclude-checks', UNCHECKED, ...excluded];
  const target = ['run', await readDocument(url), '--url', url, '--continue-on-failure'];
  return ran(program, ['--config-file', config, ...target, ...checks, ...process.argv.slice(2)], {
    ...process.env,
    FUZZ_KEY: key,
  });
}

function ownRequests(): boolean {
  console.log(`${SCHEMATHESIS} cannot be installed here. Instead: ${REQUESTS_INSTEAD} requests of test/contract/documentFuzz.test.ts.`);
  const env = { ...process.env, FUZZ_DOCUMENT_REQUESTS: REQUESTS_INSTEAD };
  return ran('npm', ['test', '--', 'test/contract/documentFuzz.test.ts'], env, root);
}

const url = process.env.FUZZ_URL ?? 'http://localhost:8080';
const program = installPythonTool(folder, SCHEMATHESIS, 'schemathesis');
if (!program) process.exitCode = ownRequests() ? 0 : 1;
else {
  const key = process.env.FUZZ_KEY ?? readDemoKeys(root).national;
  if (!key) console.error('There is no key: run "npm run demo" first, or set FUZZ_URL and FUZZ_KEY');
  process.exitCode = key && (await schemathesis(program, url, key)) ? 0 : 1;
}
