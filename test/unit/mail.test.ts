/** Addresses, texts and names of mails. */
import assert from 'node:assert/strict';
import { isMailAddress, makeMessageId, renderMail } from '../../src/core/mail/mail.ts';

describe('mail addresses', () => {
  it('are one bare address each', () => {
    for (const good of ['ann@acme.example', "o'neil+x@mail.acme.example", 'a@b', 'A.B-c_d@x1.example'])
      assert(isMailAddress(good), JSON.stringify(good));
  });

  it('smuggle no header, no second recipient and no name', () => {
    const bad = [
      ...[
        'ann@acme.example\r\nBcc: eve@x.example',
        'ann@acme.example\n',
        '\nann@acme.example',
        'ann@acme.example\0',
        'ann@acme.example\u2028',
      ],
      ...['a@x.example,b@x.example', 'a@x.example b@x.example', 'Ann <ann@acme.example>', '"a b"@x.example', 'ann(x)@acme.example'],
      ...['', 'ann', '@acme.example', 'ann@', 'a@@b', 'a@b@c', '.a@b', 'a.@b', 'a..b@c', 'a@-b', 'a@b-', 'a@b..c', 'a@[127.0.0.1]'],
      ...['é@acme.example', 'a@é.example', `${'a'.repeat(65)}@b`, `a@${'b'.repeat(64)}`, `a@${'b.'.repeat(130)}c`],
    ];
    for (const text of bad) assert(!isMailAddress(text), JSON.stringify(text));
  });
});

describe('a mail', () => {
  const content = {
    subject: 'Two\r\nBcc: eve@x.example\u2028lines',
    paragraphs: ['<b>1 & 2</b>', 'second'],
    link: { label: 'Open', url: 'https://x.example/?a=1&b="2"' },
    reason: 'You asked for it.',
  };

  it('says the same as text and as HTML, escaped, in a subject of one line', () => {
    const { subject, text, html } = renderMail(content, 'https://x.example/unsubscribe/t');
    assert.equal(subject, 'Two Bcc: eve@x.example lines');
    assert.equal(
      text,
      '<b>1 & 2</b>\n\nsecond\n\nOpen: https://x.example/?a=1&b="2"\n\n--\nYou asked for it.\nStop these mails: https://x.example/unsubscribe/t\n',
    );
    assert(html.includes('<p>&#60;b&#62;1 &#38; 2&#60;/b&#62;</p>'), html);
    assert(html.includes('href="https://x.example/?a=1&#38;b=&#34;2&#34;"'), html);
    assert(!html.includes('<b>'));
  });

  it('is named by its event and recipient alone', () => {
    const one = makeMessageId({ event: 'e', recipient: 'a@b.example' }, 'x.example');
    assert.match(one, /^<[0-9a-f]{40}@x\.example>$/);
    assert.equal(one, makeMessageId({ event: 'e', recipient: 'a@b.example' }, 'x.example'));
    assert.notEqual(one, makeMessageId({ event: 'f', recipient: 'a@b.example' }, 'x.example'));
    assert.notEqual(one, makeMessageId({ event: 'e', recipient: 'c@b.example' }, 'x.example'));
  });
});
