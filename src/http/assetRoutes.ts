/** Routes of the files that pages load, named by a digest of their content and cacheable for ever. */
import { file } from './declaration.ts';
import type { OpenRoute } from './openRoutes.ts';

const LIFETIME = { seconds: 31_536_000, scope: 'shared', immutable: true } as const;

const REFERENCE = {
  id: 'getMapFile',
  summary: 'A file of the map’s page or of the documentation; its name changes with its content',
  path: '/assets/{file}',
  params: {
    file: { schema: { type: 'string' }, summary: 'A name that the page has', example: 'map/main.js', names: 'file', parse: String },
  },
  answers: [file('text/javascript')],
  errors: ['resource_not_found', 'missing_api_key'],
} as const;

interface ServedFile {
  path: string;
  type: string;
  content(): string | Promise<string>;
  /** headers in addition to those of every answer */
  headers?: Readonly<Record<string, string>>;
}

export const assetRoutes = (files: readonly ServedFile[]): OpenRoute[] =>
  files.map(({ path, type, content, headers }) => ({
    paths: [path],
    rate: 'file',
    type,
    ...(headers ? { headers } : {}),
    lifetime: LIFETIME,
    handle: content,
    reference: REFERENCE,
  }));
