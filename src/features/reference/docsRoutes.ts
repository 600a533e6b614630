/** Public documents: the reference, the guides, the errors that every `docsUrl` points to, the OpenAPI document and the changelog. */
import changelog from '../../catalogue/changelog.json' with { type: 'json' };
import { lazily } from '../../core/domain/lazily.ts';
import { FILTER_NAMES } from '../../core/filter/table.ts';
import { file } from '../../http/declaration.ts';
import type { OpenRoute } from '../../http/openRoutes.ts';
import { policyOfPage } from '../../http/securityHeaders.ts';
import { errorLinks, errorPage } from '../../web/errorPage.ts';
import { type GuidePage, markdownToHtml, readGuides } from '../../web/guides.ts';
import { type LinkGroup, page } from '../../web/layout.ts';
import { referenceLinks, referencePage } from '../../web/reference.ts';
import { STYLE } from '../../web/style.ts';

const LIFETIME = { seconds: 300, scope: 'shared' } as const;
const HTML = 'text/html; charset=utf-8';
const MARKDOWN = 'text/markdown; charset=utf-8';
const TEXT = 'text/plain; charset=utf-8';

const guidePath = (name: string) => `/docs/guides/${name}`;

function navigationOf(guides: readonly GuidePage[]): LinkGroup[] {
  const start = [
    { title: 'Reference', href: '/docs' },
    { title: 'Errors', href: '/docs/errors' },
  ];
  return [
    { heading: 'Reference', links: start },
    { heading: 'Guides', links: guides.map(({ name, title }) => ({ title, href: guidePath(name) })) },
  ];
}

function llmsText(guides: readonly GuidePage[], publicUrl: string): string {
  const line = (title: string, path: string, text: string) => `- [${title}](${publicUrl}${path}): ${text}`;
  return `# Land Use Intelligence API

> US land-use projects (rezonings, site plans, permits), read from the minutes of city and county meetings, as HTTP/JSON.

## Guides

${guides.map(({ name, title, summary }) => line(title, `${guidePath(name)}.md`, summary)).join('\n')}

## Reference

${line('OpenAPI', '/openapi.json', 'every route, parameter, answer and error, for programs')}
${line('Reference', '/docs', 'the same to read')}
${line('Errors', '/docs/errors', 'every error code with cause, remedy and a request that provokes it on the demo')}
${line('Changelog', '/changelog.json', 'what changed, and the policy of changes')}
`;
}

const json = (id: string, summary: string) => ({ id, summary, answers: [file('application/json', { schema: { type: 'object' } })] });
const text = (id: string, summary: string, type: string) => ({ id, summary, answers: [file(type.split(';')[0] as string)] });

/** One page, with the policy that lets its stylesheet in and nothing else. */
const pageRoute = (path: string, make: () => string, reference: OpenRoute['reference']): OpenRoute => ({
  paths: [path],
  type: HTML,
  headers: policyOfPage(STYLE),
  lifetime: LIFETIME,
  handle: lazily(make),
  reference,
});

/** A path that names no guide is like any other that is not there: without a key the answer is that one is missing. */
const NO_GUIDE = ['resource_not_found', 'missing_api_key'] as const;

function guideRoutes(guides: readonly GuidePage[], navigation: readonly LinkGroup[]): OpenRoute[] {
  const names = guides.map(({ name }) => name);
  const params = {
    name: { schema: { type: 'string', enum: names }, summary: 'Name of the guide', example: 'filters', names: 'guide', parse: String },
  };
  const asPage = { ...text('getGuide', 'A guide, as a page', HTML), path: guidePath('{name}'), params, errors: NO_GUIDE };
  const asMarkdown = {
    ...text('getGuideMarkdown', 'A guide, in Markdown', MARKDOWN),
    path: guidePath('{name}.md'),
    params,
    errors: NO_GUIDE,
  };
  return guides.flatMap(({ name, title, markdown }) => [
    pageRoute(guidePath(name), () => page({ title, path: guidePath(name), navigation, main: markdownToHtml(markdown) }), asPage),
    { paths: [`${guidePath(name)}.md`], type: MARKDOWN, lifetime: LIFETIME, handle: () => markdown, reference: asMarkdown },
  ]);
}

/** @param openapi makes the document that describes every route, these among them */
export function docsRoutes(apiRoot: string, publicUrl: string, openapi: () => object): OpenRoute[] {
  const guides = readGuides();
  const navigation = navigationOf(guides);
  const withReference = () => [...navigation, ...referenceLinks(openapi())];
  const reference = () =>
    page({ title: 'Reference', path: '/docs', navigation: withReference(), main: referencePage(openapi(), FILTER_NAMES) });
  const errors = () => page({ title: 'Errors', path: '/docs/errors', navigation: [...navigation, errorLinks], main: errorPage(publicUrl) });
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
      handle: openapi,
      reference: json('getOpenApi', 'This document'),
    },
    {
      paths: ['/llms.txt'],
      type: TEXT,
      lifetime: LIFETIME,
      handle: lazily(() => llmsText(guides, publicUrl)),
      reference: text('getLlmsText', 'The list of guides, for programs that read', TEXT),
    },
    pageRoute('/docs', reference, text('getReference', 'The reference, as a page', HTML)),
    pageRoute('/docs/errors', errors, text('getErrorReference', 'Every error code, as a page', HTML)),
    ...guideRoutes(guides, navigation),
  ];
}
