/** Where the links and headers of mails lead (RFC 8058): a POST stops the mails of one topic to one recipient, a GET only asks. */
import { ApiError } from '../domain/errors.ts';
import type { OpenRoute } from '../http/openRoutes.ts';
import { policyOfPage } from '../http/securityHeaders.ts';
import { escapeHtml, STYLE } from './docs.ts';

/** 128 bits in base64url. */
const TOKEN = /^[A-Za-z0-9_-]{22}$/;

export interface Subscriptions {
  knows(token: string): Promise<boolean>;
  unsubscribe(token: string): Promise<boolean>;
}

const page = (title: string, body: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body><h1>${escapeHtml(title)}</h1>${body}</body></html>`;

const ASK = page('Stop these mails?', '<form method="post"><p><button>Stop these mails</button></p></form>');
const DONE = page('Done', '<p>You get no more of these mails.</p>');

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
    },
  ];
}
