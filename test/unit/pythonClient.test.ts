/** The Python client as the service makes it: its generated module, the names of its methods, and the wheel. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { strFromU8, unzipSync } from 'fflate';
import { generatePythonClient, readCommittedPythonClient } from '../../scripts/openapi/pythonClient.ts';
import { generatePythonRecords, readCommittedPythonRecords } from '../../scripts/openapi/pythonRecords.ts';
import { generatePythonSync, readCommittedPythonSync } from '../../scripts/openapi/pythonSync.ts';
import { readCommittedDocument } from '../../scripts/openapi/snapshot.ts';
import { makePythonWheel, pythonWheelName } from '../../src/clients/packages/pythonWheel.ts';
import { methodOf, resourceOf } from '../../src/web/pythonNames.ts';

const NOWHERE = { serviceUrl: 'https://api.acme.example' };

interface Tagged {
  operationId: string;
  tags: string[];
}

describe('the generated module of the Python client', () => {
  const operations = () => {
    const { paths } = readCommittedDocument() as { paths: Record<string, Record<string, Tagged>> };
    return Object.values(paths).flatMap((methods) => Object.values(methods).filter(({ tags }) => !tags.includes('Service')));
  };

  it('follows from the committed OpenAPI document', () => {
    assert.equal(
      readCommittedPythonClient(),
      generatePythonClient(readCommittedDocument()),
      'run "npm run openapi" and commit src/clients/python/landuse_api/_generated.py',
    );
  });

  it('has the schemas of records beside it, which follow from the same document', () => {
    assert.equal(
      readCommittedPythonRecords(),
      generatePythonRecords(readCommittedDocument()),
      'run "npm run openapi" and commit src/clients/python/landuse_api/record_schemas.json',
    );
    const { full } = JSON.parse(readCommittedPythonRecords());
    assert.deepEqual(full.properties.acreage.type, ['number', 'null']);
    assert(!readCommittedPythonRecords().includes('$ref'));
  });

  it('calls every operation by its resource and a name of its own there', () => {
    const names = operations().map((one) => `${resourceOf(one)}.${methodOf(one)}`);
    assert.deepEqual([...new Set(names)], names);
    for (const name of 'projects.search projects.get_evidence lists.add_projects ai_search.create keys.mint account.get_credits'.split(' '))
      assert(names.includes(name), name);
  });

  it('defines each of its types and methods once', () => {
    const definitions = readCommittedPythonClient().match(/^(?:class \w+|[A-Z]\w*: TypeAlias)/gm) ?? [];
    assert(definitions.length > operations().length);
    assert.deepEqual([...new Set(definitions)], definitions);
  });
});

describe('the synchronous modules of the Python client', () => {
  const modules = readCommittedPythonSync();

  it('follow from the asynchronous ones, and there are no others', () => {
    assert.deepEqual(modules, generatePythonSync(), 'run "npm run openapi" and commit src/clients/python/landuse_api/_generated_*.py');
  });

  it('wait for nothing in an event loop', () => {
    assert(modules.size > 1);
    for (const [name, text] of modules) assert.doesNotMatch(text.replace(/^#.*/, ''), /async|await/i, name);
  });
});

describe('the wheel of the Python client', () => {
  const files = unzipSync(makePythonWheel(NOWHERE));
  const info = (name: string) => Object.keys(files).find((one) => one.endsWith(`.dist-info/${name}`)) ?? '';
  const text = (name: string) => strFromU8(files[name] ?? new Uint8Array());

  it('has a row in its RECORD for every file, with length and digest', () => {
    const rows = text(info('RECORD')).trim().split('\n');
    const own = info('RECORD');
    const expected = Object.entries(files).map(([name, bytes]) =>
      name === own ? `${own},,` : `${name},sha256=${createHash('sha256').update(bytes).digest('base64url')},${bytes.length}`,
    );
    assert.deepEqual(rows.sort(), expected.sort());
    assert(Object.keys(files).includes('landuse_api/py.typed'));
  });

  it('is named and described as pip expects, and asks the service that made it', () => {
    const version = /^landuse_api-(\d+\.\d+\.\d+)-py3-none-any\.whl$/.exec(pythonWheelName())?.[1];
    assert.equal(info('METADATA'), `landuse_api-${version}.dist-info/METADATA`);
    assert.match(text(info('METADATA')), new RegExp(`^Name: landuse-api\nVersion: ${version}\n`, 'm'));
    assert(text('landuse_api/_default_url.py').includes(`DEFAULT_URL = "${NOWHERE.serviceUrl}"`));
    for (const [name, bytes] of Object.entries(files)) assert(!strFromU8(bytes).includes('localhost'), name);
  });

  it('is the same, byte for byte, whenever it is made', () => {
    assert.deepEqual(makePythonWheel(NOWHERE), makePythonWheel(NOWHERE));
  });
});
