/**
 * What generators of clients make of the OpenAPI document: every operation, compiled strictly, and a call of the service. Each is installed in a
 * folder of its own; only in the long run (npm run test:all), since they fetch packages. A generator whose language is not there is skipped.
 */
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { project, TODAY } from '../../support/fixtures.ts';
import { newFolder } from '../../support/folder.ts';
import { provideService } from '../../support/service.ts';

const run = promisify(execFile);
const STEP_MS = 900_000;
const PROJECTS = 3;

interface Generator {
  /** without which it is skipped */
  needs: string;
  files: Readonly<Record<string, string>>;
  /** install, generate, compile; the last one calls the service and prints how many projects it counts */
  steps: readonly string[];
  /** what was generated, and how it names an operation */
  made: string;
  names: (operationId: string) => string;
}

const BBOX = '{"north":90,"south":0,"east":0,"west":-180}';

const TSCONFIG = JSON.stringify({
  compilerOptions: { strict: true, noEmit: true, skipLibCheck: true, target: 'es2022', module: 'esnext', moduleResolution: 'bundler' },
  include: ['*.ts'],
});
const PACKAGE = '{"private": true, "type": "module"}';
const snakeCase = (id: string) => id.replaceAll(/(?<=[a-z0-9])([A-Z])/g, '_$1').toLowerCase();
const TOOLS = 'esbuild@0.28.2 @types/node@24 typescript@5.9.3';
const BUNDLE = 'npx esbuild main.ts --bundle --platform=node --format=esm --outfile=main.mjs --log-level=error';

const GENERATORS: Readonly<Record<string, Generator>> = {
  'openapi-typescript': {
    needs: 'npm --version',
    files: {
      'package.json': PACKAGE,
      'tsconfig.json': TSCONFIG,
      'main.ts': `import createClient from 'openapi-fetch';
import type { paths } from './schema';
const client = createClient<paths>({ baseUrl: process.env.URL!, headers: { 'X-API-Key': process.env.KEY! } });
const { data } = await client.GET('/v1/projects/count', { params: { query: { states: ['CO'], bbox: '${BBOX}' } } });
console.log(data!.data.matchCount);`,
    },
    steps: [
      `npm install --silent openapi-typescript@7.13.0 openapi-fetch@0.17.0 ${TOOLS}`,
      'npx openapi-typescript openapi.json -o schema.d.ts',
      'npx tsc -p .',
      BUNDLE,
      'node main.mjs',
    ],
    made: 'schema.d.ts',
    names: (id) => `operations["${id}"]`,
  },
  '@hey-api/openapi-ts': {
    needs: 'npm --version',
    files: {
      'package.json': PACKAGE,
      'tsconfig.json': TSCONFIG,
      'main.ts': `import { client } from './out/client.gen';
import { countProjects } from './out/sdk.gen';
client.setConfig({ baseUrl: process.env.URL!, headers: { 'X-API-Key': process.env.KEY! } });
const { data } = await countProjects({ query: { states: ['CO'] } });
console.log(data!.data.matchCount);`,
    },
    steps: [
      `npm install --silent @hey-api/openapi-ts@0.99.0 ${TOOLS}`,
      'npx openapi-ts -i openapi.json -o out -c @hey-api/client-fetch',
      'npx tsc -p .',
      BUNDLE,
      'node main.mjs',
    ],
    made: 'out/sdk.gen.ts',
    names: (id) => `export const ${id} `,
  },
  'openapi-python-client': {
    needs: 'python3 --version',
    files: {
      'main.py': `import os
from land_use_intelligence_api_client import AuthenticatedClient
from land_use_intelligence_api_client.api.projects import count_projects
from land_use_intelligence_api_client.models import CountProjectsResponse200

client = AuthenticatedClient(base_url=os.environ["URL"], token=os.environ["KEY"])
answer = count_projects.sync(client=client, states=["CO"])
assert isinstance(answer, CountProjectsResponse200), answer
print(answer.data.match_count)
`,
    },
    steps: [
      'python3 -m venv venv',
      'venv/bin/pip install --quiet openapi-python-client==0.29.1 mypy==2.4.1',
      'venv/bin/openapi-python-client generate --path openapi.json --output-path made --overwrite',
      'env MYPYPATH=made venv/bin/mypy --strict --follow-imports=silent main.py',
      'env PYTHONPATH=made venv/bin/python main.py',
    ],
    made: 'made/land_use_intelligence_api_client/api/*/*.py',
    names: (id) => `def sync_detailed(\n    # ${snakeCase(id)}`,
  },
  'oapi-codegen': {
    needs: 'go version',
    files: {
      'oapi.yaml':
        'package: main\noutput: api.gen.go\ngenerate: {models: true, client: true}\noutput-options: {resolve-type-name-collisions: true}\n',
      'main.go': `package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
)

func main() {
	withKey := WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
		request.Header.Set("X-API-Key", os.Getenv("KEY"))
		return nil
	})
	client, err := NewClientWithResponses(os.Getenv("URL"), withKey)
	if err != nil {
		panic(err)
	}
	states, box := []string{"CO", "TX"}, \`${BBOX}\`
	answer, err := client.CountProjectsWithResponse(context.Background(), &CountProjectsParams{States: &states, Bbox: &box})
	if err != nil || answer.JSON200 == nil {
		panic(fmt.Sprint(err, answer))
	}
	fmt.Println(answer.JSON200.Data.MatchCount)
}
`,
    },
    steps: [
      'go mod init generated',
      'go get -tool github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2',
      'go get github.com/oapi-codegen/runtime@v1.9.0',
      'go tool oapi-codegen -config oapi.yaml openapi.json',
      'go vet .',
      'go run .',
    ],
    made: 'api.gen.go',
    names: (id) => `(c *ClientWithResponses) ${id[0]?.toUpperCase()}${id.slice(1)}WithResponse(`,
  },
  'openapi-generator for Java': {
    needs: 'mvn --version',
    files: {
      'Main.java': `import java.util.List;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.ProjectsApi;

public class Main {
  public static void main(String[] args) throws Exception {
    ApiClient client = new ApiClient();
    client.setBasePath(System.getenv("URL"));
    client.setApiKey(System.getenv("KEY"));
    System.out.println(new ProjectsApi(client).countProjects().states(List.of("CO", "TX")).bbox(BOX).execute().getData().getMatchCount());
  }

  private static final String BOX = ${JSON.stringify(BBOX)};
}
`,
    },
    steps: [
      'mvn -q dependency:copy -Dartifact=org.openapitools:openapi-generator-cli:7.25.0 -DoutputDirectory=.',
      'java -jar openapi-generator-cli-7.25.0.jar generate -i openapi.json -g java -o made --additional-properties=useSingleRequestParameter=true',
      'mv Main.java made/src/main/java',
      'mvn -q -f made/pom.xml compile',
      'mvn -q -f made/pom.xml org.codehaus.mojo:exec-maven-plugin:3.6.1:java -Dexec.mainClass=Main',
    ],
    made: 'made/src/main/java/org/openapitools/client/api/*.java',
    names: (id) => ` ${id}WithHttpInfo(`,
  },
};

(process.env.TEST_LENGTH === 'long' ? describe : describe.skip)('generators of clients', function () {
  this.timeout(STEP_MS);
  const api = provideService(
    { today: TODAY },
    Array.from({ length: PROJECTS }, (_, i) => project(i + 1, { latitude: 40, longitude: -105 })),
  );

  for (const [name, { needs, files, steps, made, names }] of Object.entries(GENERATORS))
    it(`${name} makes every operation, and its client works`, async function () {
      const [program = '', ...options] = needs.split(' ');
      if (spawnSync(program, options).error) this.skip();
      const folder = newFolder('generator');
      const document = JSON.parse(JSON.stringify(api.service.openApi()));
      for (const [file, text] of Object.entries({ ...files, 'openapi.json': JSON.stringify(document) }))
        await writeFile(path.join(folder, file), text);
      const env = { ...process.env, URL: api.url, KEY: await api.usualKey() };
      let printed = '';
      for (const step of steps) {
        const [command = '', ...args] = step.split(' ');
        const ran = await run(command, args, { cwd: folder, env, timeout: STEP_MS, maxBuffer: 2 ** 26 });
        printed = ran.stdout;
      }
      assert.equal(stripVTControlCharacters(printed).trim(), String(PROJECTS)); // Maven's have colours
      const texts = await Promise.all(
        globSync(path.join(folder, made)).map(async (file) => {
          const text = await readFile(file, 'utf8');
          return text.replace('def sync_detailed(\n', `def sync_detailed(\n    # ${path.basename(file, '.py')}\n`);
        }),
      );
      const whole = texts.join('\n');
      const ids = Object.values<object>(document.paths).flatMap((methods) =>
        Object.values(methods).flatMap(({ operationId }) => (operationId ? [String(operationId)] : [])),
      );
      assert(ids.length > 150);
      assert.deepEqual(
        ids.filter((id) => !whole.includes(names(id))),
        [],
      );
    });
});
