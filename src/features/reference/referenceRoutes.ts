/** Pages made from the OpenAPI document: the index, operations and shared tables; the search index; and the page for an unknown address. */
import { ApiError } from '../../core/domain/errors.ts';
import { lazily } from '../../core/domain/lazily.ts';
import { findNearestName, findNearestValues } from '../../core/domain/nearestNames.ts';
import { FILTER_NAMES } from '../../core/filter/table.ts';
import { file } from '../../http/declaration.ts';
import { entryOf, type OpenRoute } from '../../http/openRoutes.ts';
import { type DocsFrame, type DocsPage, docsPage, operationPath } from '../../web/docsFrame.ts';
import { docsIndex, notFoundPage, type SearchEntry, searchEntries } from '../../web/docsIndex.ts';
import { type Document, operationsOf, type Placed, partOf } from '../../web/openapiView.ts';
import { commonCodes, operationPage } from '../../web/operationPage.ts';
import { READING_ORDER } from '../../web/readingOrder.ts';
import { referenceIndex, referenceLinks, TABLES } from '../../web/referenceIndex.ts';

export const LIFETIME = { seconds: 300, scope: 'shared' } as const;
export const HTML = 'text/html; charset=utf-8';
const BELOW = '/docs/';

interface Served {
  frame: DocsFrame;
  /** with the policy of these pages */
  headers: Readonly<Record<string, string>>;
  openApi(): object;
  /** with the public address */
  apiRoot: string;
}

/** The document, its operations in reading order, and the search index, made at the first request. */
function makeReference({ frame, openApi }: Served) {
  const document = openApi() as Document;
  const operations = operationsOf(document, READING_ORDER);
  const entries = searchEntries(frame, document, operations, FILTER_NAMES);
  return {
    document,
    operations,
    entries,
    common: commonCodes(operations.filter(({ security }) => security === undefined)),
    filters: FILTER_NAMES,
  };
}
type Reference = ReturnType<typeof makeReference>;

/** The page of an operation or a table; undefined for an unknown name. */
function findPage(name: string, reference: Reference): DocsPage | undefined {
  const { document, operations } = reference;
  const path = operationPath(name);
  const table = Object.hasOwn(TABLES, name) ? TABLES[name] : undefined;
  if (table) {
    const main = `<h1>${table.title}</h1>${table.html(document, FILTER_NAMES)}`;
    return { title: table.title, path, main, beside: referenceLinks(operations) };
  }
  const operation = operations.find(({ operationId }) => operationId === name);
  return operation && makeOperationPage(operation, reference);
}

const makeOperationPage = (operation: Placed, reference: Reference): DocsPage => ({
  title: operation.summary,
  path: operationPath(operation.operationId),
  main: operationPage(operation, reference),
  beside: referenceLinks(reference.operations, partOf(operation)),
});

const MEANT = 5;
/** Shorter words of an address are not searched for. */
const WORD_LETTERS = 4;

/** Pages that an unknown address may mean: first those whose address differs by a typing mistake, then those that contain one of its words. */
function findSimilarPages(rest: string, entries: readonly SearchEntry[]): SearchEntry[] {
  const pages = entries.filter(({ kind, href }) => ['operation', 'guide', 'page'].includes(kind) && !href.includes('#'));
  const namesOf = ({ href, title }: SearchEntry) =>
    rest.includes('/') ? [href.slice(BELOW.length)] : [href.split('/').at(-1) ?? '', title];
  const mistyped = pages.filter((page) => findNearestName(rest, namesOf(page)) !== undefined);
  const { nearest = [] } = findNearestValues(
    rest,
    mistyped.map((page) => ({ value: page.href, names: namesOf(page) })),
  );
  const words = rest
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word.length >= WORD_LETTERS && !['guides', 'reference'].includes(word));
  const worded = pages.filter(({ href, title }) => words.some((word) => `${href} ${title}`.toLowerCase().includes(word)));
  const found = [...nearest.flatMap((href) => pages.find((page) => page.href === href) ?? []), ...worded];
  return [...new Set(found)].slice(0, MEANT);
}

const PAGE_NAME = {
  schema: { type: 'string' },
  summary: 'Id of an operation, or the name of a table: filters, records, warnings, headers',
  example: 'searchProjects',
  names: 'page',
  parse: String,
};

/** The routes of the reference, including one for all other paths below `/docs/`. */
export function referenceRoutes(served: Served): OpenRoute[] {
  const { frame, headers, apiRoot } = served;
  const reference = lazily(() => makeReference(served));
  const pages = new Map<string, string>();
  const usual = { type: HTML, headers, lifetime: LIFETIME };
  const page = (name: string): string | undefined => {
    const kept = pages.get(name);
    const made = kept === undefined ? findPage(name, reference()) : undefined;
    if (made) pages.set(name, docsPage(frame, made));
    return pages.get(name);
  };
  const index = lazily(() => {
    const { document, operations } = reference();
    const main = referenceIndex(document, operations);
    return docsPage(frame, { title: 'Reference', path: '/docs/reference', main, beside: referenceLinks(operations) });
  });
  const start = lazily(() => {
    const { operations } = reference();
    return docsPage(frame, { title: 'Documentation', path: '/docs', main: docsIndex(frame, operations, apiRoot) });
  });
  const missing = (rest: string) => {
    const [meant] = findSimilarPages(rest, reference().entries);
    return new ApiError('resource_not_found', `There is no ${BELOW}${rest.slice(0, 200)}${meant ? `; did you mean ${meant.href}?` : ''}`);
  };
  return [
    {
      ...usual,
      paths: ['/docs', BELOW],
      handle: start,
      reference: { ...entryOf('getReference', 'The documentation, as a page', 'text/html'), path: '/docs' },
    },
    {
      ...usual,
      paths: ['/docs/reference', '/docs/reference/'],
      handle: index,
      reference: { ...entryOf('getReferenceIndex', 'Every operation on a line, as a page', 'text/html'), path: '/docs/reference' },
    },
    {
      paths: ['/docs/search.json'],
      lifetime: LIFETIME,
      handle: () => reference().entries,
      reference: {
        id: 'getSearchIndex',
        summary: 'What the search of the documentation finds',
        answers: [file('application/json', { schema: { type: 'array', items: { type: 'object' } } })],
      },
    },
    {
      ...usual,
      paths: [],
      below: BELOW,
      handle: (rest) => {
        const found = rest.startsWith('reference/') ? page(rest.slice('reference/'.length).replace(/\/$/, '')) : undefined;
        if (found === undefined) throw missing(rest);
        return found;
      },
      refusal: (rest) =>
        docsPage(frame, {
          title: 'No such page',
          path: `${BELOW}${rest}`,
          main: notFoundPage(`${BELOW}${rest}`, findSimilarPages(rest, reference().entries)),
        }),
      reference: {
        ...entryOf('getReferencePage', 'An operation of the reference, or a table that several share, as a page', 'text/html'),
        path: '/docs/reference/{page}',
        params: { page: PAGE_NAME },
        errors: ['resource_not_found'],
      },
    },
  ];
}
