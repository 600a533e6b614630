/** Routes of the files that pages load, named by a digest of their content and cacheable for ever. */
import { ApiError } from '../core/domain/errors.ts';
import { file } from './declaration.ts';
import { NAMED_FILE_ERRORS, type OpenRoute } from './openRoutes.ts';

const LIFETIME = { seconds: 31_536_000, scope: 'shared', immutable: true } as const;

const SCRIPT = 'text/javascript; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';

/** The entry of the pages' files in the reference. */
export const PAGE_FILE = {
  id: 'getMapFile',
  summary: 'A file of the map’s page or of the documentation; its name changes with its content',
  path: '/assets/{file}',
  params: {
    file: { schema: { type: 'string' }, summary: 'A name that the page has', example: 'app.js', names: 'file', parse: String },
  },
  answers: [file('text/javascript')],
  errors: NAMED_FILE_ERRORS,
} as const;

interface ServedFile {
  path: string;
  type: string;
  content(): string | Promise<string>;
  /** headers in addition to those of every answer */
  headers?: Readonly<Record<string, string>>;
}

/** Routes of single files, whose paths contain a digest of their content. */
export const assetRoutes = (files: readonly ServedFile[]): OpenRoute[] =>
  files.map(({ path, type, content, headers }) => ({
    paths: [path],
    rate: 'file',
    type,
    ...(headers ? { headers } : {}),
    lifetime: LIFETIME,
    handle: content,
    reference: PAGE_FILE,
  }));

/** Reads a file of a folder by its name; undefined when there is none. */
type FolderReader = (name: string) => Promise<string | undefined>;

/**
 * Routes of a folder of scripts and one style sheet; `headers` are those of single files, by their paths.
 * @param root path of the folder, with a digest of its content
 */
export function folderRoutes(
  root: string,
  read: FolderReader,
  { style, headers = {} }: { style: string; headers?: Readonly<Record<string, Readonly<Record<string, string>>>> },
): OpenRoute[] {
  const readKnown = async (name: string) => {
    const text = await read(name);
    if (text === undefined) throw new ApiError('resource_not_found', `There is no file ${root}${name.slice(0, 200)}`);
    return text;
  };
  const named = [style, ...Object.keys(headers)].map((path) => ({
    path,
    type: path === style ? STYLE : SCRIPT,
    content: () => readKnown(path.slice(root.length)),
    ...(headers[path] ? { headers: headers[path] } : {}),
  }));
  const others: OpenRoute = {
    paths: [],
    below: root,
    rate: 'file',
    type: SCRIPT,
    lifetime: LIFETIME,
    handle: readKnown,
    reference: PAGE_FILE,
  };
  return [...assetRoutes(named), others];
}
