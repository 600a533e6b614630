/** The guides for language models: `llms.txt` lists them, `llms-full.txt` contains them. */
import { guidePath } from '../../web/docsFrame.ts';
import type { GuidePage } from '../../web/guides.ts';

const HEAD = `# Land Use Intelligence API

> US land-use projects (rezonings, site plans, permits), read from the minutes of city and county meetings, as HTTP/JSON.
`;

export function llmsText(guides: readonly GuidePage[], publicUrl: string): string {
  const line = (title: string, path: string, text: string) => `- [${title}](${publicUrl}${path}): ${text}`;
  const linesFor = (readers: GuidePage['readers']) =>
    guides
      .filter((guide) => guide.readers === readers)
      .map(({ name, title, summary }) => line(title, `${guidePath(name)}.md`, summary))
      .join('\n');
  return `${HEAD}
## Guides

${linesFor('customers')}

## Reference

${line('All guides in one text', '/llms-full.txt', 'those above, for a single request')}
${line('OpenAPI', '/openapi.json', 'every route, parameter, answer and error, for programs')}
${line('Reference', '/docs/reference', 'the same to read, a page for each operation')}
${line('Tools for agents', '/server.json', 'where the MCP server is, as the registry of MCP servers describes one')}
${line('Errors', '/docs/errors', 'every error code with cause, remedy and a request that provokes it')}
${line('Plans and prices', '/docs/plans', 'what each plan has and pays')}
${line('Changelog', '/changelog.json', 'what changed, and the policy of changes')}

## For operators

${linesFor('operators')}
`;
}

/** Makes the links of a guide absolute; links to files of the repository, which are not served, become text. */
const withWholeLinks = (markdown: string, publicUrl: string) =>
  markdown
    .replaceAll(/!?\[([^[\]]*)\]\(\.\.\/[^()]*\)/g, '$1')
    .replaceAll('](/', `](${publicUrl}/`)
    .replaceAll(/\]\(([\w-]+)\.md(?=[#)])/g, (_, name: string) => `](${publicUrl}${guidePath(name)}.md`);

/** Every guide for customers in reading order, each after its address. */
export function llmsFullText(guides: readonly GuidePage[], publicUrl: string): string {
  const texts = guides
    .filter(({ readers }) => readers === 'customers')
    .map(({ name, markdown }) => `Source: ${publicUrl}${guidePath(name)}.md\n\n${withWholeLinks(markdown, publicUrl).trim()}\n`);
  return [HEAD, ...texts].join('\n---\n\n');
}
