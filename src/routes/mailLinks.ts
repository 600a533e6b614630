/** Where the links and headers of mails lead: a POST does what the mail offers (RFC 8058), a GET only asks, since scanners follow links. */
import { ApiError } from '../domain/errors.ts';
import { file } from '../http/declaration.ts';
import type { OpenRoute } from '../http/openRoutes.ts';
import { policyOfPage } from '../http/securityHeaders.ts';
import { escapeHtml, page } from '../web/layout.ts';
import { STYLE } from '../web/style.ts';

/** 128 bits in base64url. */
const TOKEN = /^[A-Za-z0-9_-]{22}$/;

/** What a link of a mail can do, by its token. */
export interface MailLink {
  /** true where the token stands in some mail */
  knows(token: string): Promise<boolean>;
  /** false where it stands in none */
  act(token: string): Promise<boolean>;
}

interface Described {
  /** below the root, without slashes */
  path: 'unsubscribe' | 'confirm';
  /** ids and summaries in the reference, of the page and of what it does */
  ask: { id: string; summary: string };
  act: { id: string; summary: string };
  question: string;
  button: string;
  done: string;
}

const UNSUBSCRIBE: Described = {
  path: 'unsubscribe',
  ask: { id: 'askUnsubscribe', summary: 'The page that a link in a mail leads to; it changes nothing' },
  act: { id: 'unsubscribe', summary: 'Stop the mails of one topic to one recipient (RFC 8058)' },
  question: 'Stop these mails?',
  button: 'Stop these mails',
  done: 'You get no more of these mails.',
};

const CONFIRM: Described = {
  path: 'confirm',
  ask: { id: 'askConfirmation', summary: 'The page that asks whether an address wants the mails of a team; it changes nothing' },
  act: { id: 'confirmAddress', summary: 'Confirm that an address outside a team gets the mails of its alerts' },
  question: 'Get these mails?',
  button: 'Yes, send them',
  done: 'This address gets the mails that the team sends it.',
};

async function known(token: string, look: (token: string) => Promise<boolean>): Promise<void> {
  if (!TOKEN.test(token) || !(await look(token))) throw new ApiError('resource_not_found', 'This link is of no mail of ours');
}

function linkRoute({ path, ask, act, question, button, done }: Described, link: MailLink): OpenRoute {
  const asPage = (title: string, main: string) =>
    page({ title, path: `/${path}`, navigation: [], main: `<h1>${escapeHtml(title)}</h1>${main}` });
  const asked = asPage(question, `<form method="post"><p><button>${escapeHtml(button)}</button></p></form>`);
  const acted = asPage('Done', `<p>${escapeHtml(done)}</p>`);
  const reference = {
    path: `/${path}/{token}`,
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
  return {
    rate: path,
    paths: [],
    below: `/${path}/`,
    type: 'text/html; charset=utf-8',
    headers: policyOfPage(STYLE, "form-action 'self'"),
    handle: async (token) => {
      await known(token, (one) => link.knows(one));
      return asked;
    },
    post: async (token) => {
      await known(token, (one) => link.act(one));
      return acted;
    },
    reference: { ...reference, ...ask },
    postReference: { ...reference, ...act },
  };
}

/** Stops the mails of one topic to one recipient; confirms an address that a team wants to mail to. */
export const mailLinkRoutes = (unsubscribe: MailLink, confirm: MailLink): OpenRoute[] => [
  linkRoute(UNSUBSCRIBE, unsubscribe),
  linkRoute(CONFIRM, confirm),
];
