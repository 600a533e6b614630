/** Public documents: the guides, the errors to which `docsUrl` links, plans, and the changelog; also in formats for programs. */
import changelog from '../../catalogue/changelog.json' with { type: 'json' };
import { lazily } from '../../core/domain/lazily.ts';
import { entryOf, type OpenRoute } from '../../http/openRoutes.ts';
import { contentSecurityPolicy } from '../../http/securityHeaders.ts';
import { changelogPage } from '../../web/changelogPage.ts';
import { type DocsFrame, type DocsPage, docsPage, guidePath, makeFrame } from '../../web/docsFrame.ts';
import { errorLinks, errorPage } from '../../web/errorPage.ts';
import { markdownToHtml, readGuides } from '../../web/guides.ts';
import { errorExamples } from '../../web/openapiView.ts';
import { plansPage, type RequestAllowances } from '../../web/plansPage.ts';
import { STYLE } from '../../web/style.ts';
import { llmsFullText, llmsText } from './llms.ts';
import { HTML, LIFETIME, referenceRoutes } from './referenceRoutes.ts';

const MARKDOWN = 'text/markdown; charset=utf-8';
const TEXT = 'text/plain; charset=utf-8';

/** A path without a guide is answered like any other unknown path below `/docs`. */
const NO_GUIDE = ['resource_not_found'] as const;

function guideRoutes(frame: DocsFrame, pageRoute: PageRoute): OpenRoute[] {
  const params = {
    name: {
      schema: { type: 'string', enum: frame.guides.map(({ name }) => name), title: 'GuideName' },
      summary: 'Name of the guide',
      example: 'filters',
      names: 'guide',
      parse: String,
    },
  };
  const asPage = { ...entryOf('getGuide', 'A guide, as a page', 'text/html'), path: guidePath('{name}'), params, errors: NO_GUIDE };
  const asMarkdown = {
    ...entryOf('getGuideMarkdown', 'A guide, in Markdown', 'text/markdown'),
    path: guidePath('{name}.md'),
    params,
    errors: NO_GUIDE,
  };
  return frame.guides.flatMap(({ name, title, markdown, readers }) => [
    pageRoute(() => ({ title, path: guidePath(name), main: markdownToHtml(markdown), readers }), guidePath(name), asPage),
    { paths: [`${guidePath(name)}.md`], type: MARKDOWN, lifetime: LIFETIME, handle: () => markdown, reference: asMarkdown },
  ]);
}

type PageRoute = (make: () => DocsPage, path: string, reference: OpenRoute['reference']) => OpenRoute;

export interface DocsSettings {
  apiRoot: string;
  publicUrl: string;
  /** makes the OpenAPI document of all routes, including these */
  openApi(): object;
  allowances: RequestAllowances;
}

export function docsRoutes({ apiRoot, publicUrl, openApi, allowances }: DocsSettings): OpenRoute[] {
  const frame = makeFrame(readGuides(publicUrl), STYLE);
  const headers = contentSecurityPolicy("form-action 'none'", ...frame.policy);
  const pageRoute: PageRoute = (make, path, reference) => ({
    paths: [path, `${path}/`],
    type: HTML,
    headers,
    lifetime: LIFETIME,
    handle: lazily(() => docsPage(frame, make())),
    reference: { path, ...reference },
  });
  const errors = () => ({
    title: 'Errors',
    path: '/docs/errors',
    main: errorPage(publicUrl, errorExamples(openApi())),
    beside: [errorLinks],
  });
  const plans = () => ({ title: 'Plans and prices', path: '/docs/plans', main: plansPage(allowances) });
  const changes = () => ({ title: 'Changelog', path: '/docs/changelog', main: changelogPage(changelog) });
  return [
    {
      paths: ['/changelog.json', `${apiRoot}/changelog.json`],
      lifetime: LIFETIME,
      handle: () => changelog,
      reference: entryOf('getChangelog', 'What changed, and the policy of changes', 'application/json'),
    },
    {
      paths: ['/openapi.json', `${apiRoot}/openapi.json`],
      lifetime: LIFETIME,
      handle: openApi,
      reference: entryOf('getOpenApi', 'This document', 'application/json'),
    },
    {
      paths: ['/llms.txt'],
      type: TEXT,
      lifetime: LIFETIME,
      handle: lazily(() => llmsText(frame.guides, publicUrl)),
      reference: entryOf('getLlmsText', 'The list of guides, for programs that read', 'text/plain'),
    },
    {
      paths: ['/llms-full.txt'],
      type: TEXT,
      lifetime: LIFETIME,
      handle: lazily(() => llmsFullText(frame.guides, publicUrl)),
      reference: entryOf('getLlmsFullText', 'Every guide for customers in one text, for programs that read', 'text/plain'),
    },
    pageRoute(errors, '/docs/errors', entryOf('getErrorReference', 'Every error code, as a page', 'text/html')),
    pageRoute(plans, '/docs/plans', entryOf('getPlans', 'Plans and prices, as a page', 'text/html')),
    pageRoute(changes, '/docs/changelog', entryOf('getChangelogPage', 'What changed, as a page', 'text/html')),
    ...guideRoutes(frame, pageRoute),
    ...referenceRoutes({ frame, headers, openApi, apiRoot: `${publicUrl}${apiRoot}` }),
  ];
}
