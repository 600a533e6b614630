/**
 * Makes the wheel of the Python client that the service serves, from the sources of this version and the metadata that pip reads. A wheel is a zip
 * with a fixed layout (PEP 427), so no Python is needed to make one.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Zippable, zipSync } from 'fflate';
import type { PackageOptions } from './npmPackage.ts';

const SOURCES = path.resolve(import.meta.dirname, '../python');
const MODULE = 'landuse_api';
const DISTRIBUTION = 'landuse-api';
const DEFAULT_URL = 'http://localhost:8080';
/** A fixed time for all files, the earliest that a zip can store, so that equal sources make equal bytes. */
const MADE_AT = new Date(1980, 0, 1);

const version = (): string =>
  (JSON.parse(readFileSync(path.resolve(import.meta.dirname, '../../../package.json'), 'utf8')) as { version: string }).version;

/** The required name of the file, which pip parses: `landuse_api-1.2.3-py3-none-any.whl`. */
export const pythonWheelName = (): string => `${MODULE}-${version()}-py3-none-any.whl`;

/** Makes the wheel. @returns equal bytes for equal sources and options */
export function makePythonWheel({ serviceUrl }: PackageOptions): Uint8Array {
  const info = `${MODULE}-${version()}.dist-info`;
  const files = [
    ...moduleFiles(serviceUrl),
    [`${info}/METADATA`, metadata(serviceUrl)],
    [`${info}/WHEEL`, WHEEL],
    [`${info}/entry_points.txt`, ENTRY_POINTS],
  ] as const;
  const contents = files.map(([name, text]): [string, Buffer] => [name, Buffer.from(text)]);
  const record = `${info}/RECORD`;
  const rows = [...contents.map(([name, bytes]) => `${name},sha256=${digest(bytes)},${bytes.length}`), `${record},,`];
  const zipped: Zippable = Object.fromEntries([...contents, [record, Buffer.from(`${rows.join('\n')}\n`)]]);
  return zipSync(zipped, { mtime: MADE_AT, level: 9 });
}

const WHEEL = `Wheel-Version: 1.0
Generator: ${DISTRIBUTION}
Root-Is-Purelib: true
Tag: py3-none-any
`;

const ENTRY_POINTS = `[console_scripts]
tap-landuse = ${MODULE}.singer:main
`;

const metadata = (serviceUrl: string): string => `Metadata-Version: 2.1
Name: ${DISTRIBUTION}
Version: ${version()}
Summary: Client of the Land Use Intelligence API
Home-page: ${serviceUrl}
Requires-Python: >=3.10
Requires-Dist: httpx<1,>=0.27
Requires-Dist: pandas>=2; extra == 'pandas'
Requires-Dist: dlt<2,>=1.20; extra == 'dlt'
Requires-Dist: singer-sdk<1,>=0.54; extra == 'singer'
Provides-Extra: pandas
Provides-Extra: dlt
Provides-Extra: singer
Classifier: Typing :: Typed
Description-Content-Type: text/markdown

${readFileSync(path.join(SOURCES, 'README.md'), 'utf8').replaceAll(DEFAULT_URL, serviceUrl)}`;

function moduleFiles(serviceUrl: string): [name: string, text: string][] {
  const names = readdirSync(path.join(SOURCES, MODULE)).filter((name) => /\.(?:py|json|typed)$/.test(name));
  return names.sort().map((name) => {
    const text = readFileSync(path.join(SOURCES, MODULE, name), 'utf8');
    return [`${MODULE}/${name}`, name === '_default_url.py' ? text.replace(JSON.stringify(DEFAULT_URL), JSON.stringify(serviceUrl)) : text];
  });
}

/** A digest as in RECORD: URL-safe base64 without padding. */
const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('base64url');
