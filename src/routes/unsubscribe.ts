/** Where the links and headers of mails lead (RFC 8058): a POST stops the mails of one topic to one recipient, a GET only asks. */
import { ApiError } from '../domain/errors.ts';
import { file } from '../http/declaration.ts';
import type { OpenRoute } from '../http/openRoutes.ts';
import { policyOfPage } from '../http/securityHeaders.ts';
import { escapeHtml, page } from '../web/layout.ts';
import { STYLE } from '../web/style.ts';

/** 128 bits in base64url. */
const TOKEN = /^[A-Za-z0-9_-]{22}$/;

export interface Subscriptions {
  knows(token: string): Promise<boolean>;
  unsubscribe(token: string): Promise<boolean>;
}

const asPage = (title: string, main: string) =>
  page({ title, path: '/unsubscribe', navigation: [], main: `<h1>${escapeHtml(title)}</h1>${main}` });

const ASK = asPage('Stop these mails?', '<form method="post"><p><button>Stop these mails</button></p></form>');
const DONE = asPage('Done', '<p>You get no more of these mails.</p>');

const REFERENCE = {
  path: '/unsubscribe/{token}',
  params: {
    token: {
      schema: { type: 'string', pattern: TOKEN.source },
      summary: 'The token of the mail',
      example: 'AAAAAAAAAAAAAAAAAAAAAA',
      names: 'mail',
      parse: String,
    },
  },
  answers: [file('text/html')],
  errors: ['resource_not_found'],
} as const;

async function known(token: string, look: (token: string) => Promise<boolean>): Promise<void> {
  if (!TOKEN.test(token) || !(await look(token))) throw new ApiError('resource_not_found', 'This link is of no mail of ours');
}

export function unsubscribeRoutes(subscriptions: Subscriptions): OpenRoute[] {
  return [
    {
      paths: [],
      below: '/unsubscribe/',
      type: 'text/html; charset=utf-8',
      headers: policyOfPage(STYLE, "form-action 'self'"),
      handle: async (token) => {
        await known(token, (one) => subscriptions.knows(one));
        return ASK;
      },
      post: async (token) => {
        await known(token, (one) => subscriptions.unsubscribe(one));
        return DONE;
      },
      reference: { ...REFERENCE, id: 'askUnsubscribe', summary: 'The page that a link in a mail leads to; it changes nothing' },
      postReference: { ...REFERENCE, id: 'unsubscribe', summary: 'Stop the mails of one topic to one recipient (RFC 8058)' },
    },
  ];
}
