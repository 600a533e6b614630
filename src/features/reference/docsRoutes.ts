/** Public documents: the guides, the errors to which `docsUrl` links, plans, and the changelog; also in formats for programs. */
import changelog from '../../catalogue/changelog.json' with { type: 'json' };
import { lazily } from '../../core/domain/lazily.ts';
import { file } from '../../http/declaration.ts';
import type { OpenRoute } from '../../http/openRoutes.ts';
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

const json = (id: string, summary: string) => ({ id, summary, answers: [file('application/json', { schema: { type: 'object' } })] });
const text = (id: string, summary: string, type: string) => ({ id, summary, answers: [file(type.split(';')[0] as string)] });

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
  const asPage = { ...text('getGuide', 'A guide, as a page', HTML), path: guidePath('{name}'), params, errors: NO_GUIDE };
  const asMarkdown = {
    ...text('getGuideMarkdown', 'A guide, in Markdown', MARKDOWN),
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
      reference: json('getChangelog', 'What changed, and the policy of changes'),
    },
    {
      paths: ['/openapi.json', `${apiRoot}/openapi.json`],
      lifetime: LIFETIME,
      handle: openApi,
      reference: json('getOpenApi', 'This document'),
    },
    {
      paths: ['/llms.txt'],
      type: TEXT,
      lifetime: LIFETIME,
      handle: lazily(() => llmsText(frame.guides, publicUrl)),
      reference: text('getLlmsText', 'The list of guides, for programs that read', TEXT),
    },
    {
      paths: ['/llms-full.txt'],
      type: TEXT,
      lifetime: LIFETIME,
      handle: lazily(() => llmsFullText(frame.guides, publicUrl)),
      reference: text('getLlmsFullText', 'Every guide for customers in one text, for programs that read', TEXT),
    },
    pageRoute(errors, '/docs/errors', text('getErrorReference', 'Every error code, as a page', HTML)),
    pageRoute(plans, '/docs/plans', text('getPlans', 'Plans and prices, as a page', HTML)),
    pageRoute(changes, '/docs/changelog', text('getChangelogPage', 'What changed, as a page', HTML)),
    ...guideRoutes(frame, pageRoute),
    ...referenceRoutes({ frame, headers, openApi, apiRoot: `${publicUrl}${apiRoot}` }),
  ];
}
