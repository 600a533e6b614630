/** Web pages and Word files as an extraction reads them. */
import assert from 'node:assert/strict';
import { strToU8, zipSync } from 'fflate';
import { writeWebPage, writeWordFile } from '../../../scripts/proofs/evalExtract/documentForms.ts';
import { provideReader } from '../../support/readDocument.ts';

const MINUTES = `Elm City Planning Commission

The meeting was called to order at 6:00 p.m. The commission heard the request of Elm LLC to
rezone 5 acres from A-1 to R-2 & asked about traffic < 200 trips.

Commissioner    Vote
Ms. Roe         Yes
Mr. Doe         No
`;
const READ = `Elm City Planning Commission

The meeting was called to order at 6:00 p.m. The commission heard the request of Elm LLC to rezone 5 acres from A-1 to R-2 & asked about traffic < 200 trips.

Commissioner | Vote
Ms. Roe | Yes
Mr. Doe | No
`;

describe('A web page that is read for an extraction', () => {
  const reader = provideReader();
  const readBody = async (body: string) =>
    (
      await reader.read(
        'page.html',
        `<!doctype html><body>${body}<p>The motion was seconded and carried; the applicant agreed to the variance.</p>`,
      )
    ).text;
  const LAST = '\n\nThe motion was seconded and carried; the applicant agreed to the variance.\n';

  it('has the minutes without menus, banners, scripts and foot', async () => {
    const { text, stated, format } = await reader.read('page.aspx', writeWebPage(MINUTES, 'Minutes of June 12'));
    assert.equal(text, READ);
    assert.equal(format, 'html');
    assert.equal(stated.title, 'Minutes of June 12');
  });

  const bodies: Record<string, [body: string, text: string]> = {
    'headings, lists and breaks as lines': [
      '<h2>Items</h2><ol start=3><li>Plat<li>Rezone</ol><ul><li>Fence</ul><p>One<br>two</p><ol type=A><li>Wall</ol>',
      'Items\n\n3. Plat\n4. Rezone\n\n- Fence\n\nOne\ntwo\n\nWall',
    ],
    'the cells of a table that places parts of the page as lines': [
      `<table><tr><td>Item 1</td><td><p>${'The commission heard the request. '.repeat(20)}</p><p>Approved.</p></td></tr></table>`,
      `Item 1\n${'The commission heard the request. '.repeat(20).trim()}\nApproved.`,
    ],
    'a consent agenda, and the text of a body with a sidebar': [
      '<div class="consent-agenda with-sidebar">Consent agenda</div>',
      'Consent agenda',
    ],
    'no hidden text': ['<p>Seen</p><p hidden>A</p><p style="display:none">B</p><template>C</template><div class="sr-only">D</div>', 'Seen'],
    'the lines of preformatted text': ['<pre>Roe   yes\nDoe   no</pre>', 'Roe   yes\nDoe   no'],
  };
  for (const [what, [body, text]] of Object.entries(bodies)) it(`has ${what}`, async () => assert.equal(await readBody(body), text + LAST));
});

describe('A Word file that is read for an extraction', () => {
  const reader = provideReader();

  it('has its paragraphs and tables, without the head of its pages', async () => {
    const { text, format } = await reader.read('minutes.docx', writeWordFile(MINUTES, 'Elm City, page head'));
    assert.equal(text, READ);
    assert.equal(format, 'docx');
  });

  it('is no other file in a zip archive', async () => {
    const { unread } = await reader.read('table.docx', zipSync({ 'xl/workbook.xml': strToU8('<workbook/>') }));
    assert.equal(unread, 'wrong_type');
  });
});
