/** The targets of links and headers in mails. A POST acts (RFC 8058); a GET only shows a form, since virus scanners follow links. */
import { ApiError } from '../../core/domain/errors.ts';
import { escapeHtml } from '../../core/domain/escapeHtml.ts';
import { file } from '../../http/declaration.ts';
import type { OpenRoute } from '../../http/openRoutes.ts';
import { styledPagePolicy } from '../../http/securityHeaders.ts';
import { page } from '../../web/layout.ts';
import { STYLE } from '../../web/style.ts';

/** 128 bits in base64url. */
const TOKEN = /^[A-Za-z0-9_-]{22}$/;

/** What a link in a mail does, by its token. */
interface MailLink {
  /** whether any mail contains the token */
  tokenExists(token: string): Promise<boolean>;
  /** returns false if no mail contains the token */
  act(token: string): Promise<boolean>;
}

interface Described {
  /** path below the root, without slashes */
  path: 'unsubscribe' | 'confirm';
  /** ids and summaries for the reference: of the page and of its action */
  ask: { id: string; summary: string };
  act: { id: string; summary: string };
  question: string;
  button: string;
  done: string;
}

const CONFIRM: Described = {
  path: 'confirm',
  ask: { id: 'askConfirmation', summary: 'The page that asks whether an address wants the mails of a team; it changes nothing' },
  act: { id: 'confirmAddress', summary: 'Confirm that an address outside a team gets the mails of its alerts' },
  question: 'Get these mails?',
  button: 'Yes, send them',
  done: 'This address gets the mails that the team sends it.',
};

const unknownLinkError = () => new ApiError('resource_not_found', 'This link is of no mail of ours');

async function refuseUnknownToken(token: string, look: (token: string) => Promise<boolean>): Promise<void> {
  if (!TOKEN.test(token) || !(await look(token))) throw unknownLinkError();
}

function linkRoute({ path, ask, act, question, button, done }: Described, link: MailLink): OpenRoute {
  const asPage = (title: string, main: string) =>
    page({ title, path: `/${path}`, navigation: [], main: `<h1>${escapeHtml(title)}</h1>${main}` });
  const asked = asPage(question, `<form method="post"><p><button>${escapeHtml(button)}</button></p></form>`);
  const acted = asPage('Done', `<p>${escapeHtml(done)}</p>`);
  const reference = referenceOf(path);
  return {
    rate: path,
    paths: [],
    below: `/${path}/`,
    type: 'text/html; charset=utf-8',
    headers: styledPagePolicy(STYLE, "form-action 'self'"),
    handle: async (token) => {
      await refuseUnknownToken(token, (one) => link.tokenExists(one));
      return asked;
    },
    post: async (token) => {
      await refuseUnknownToken(token, (one) => link.act(one));
      return acted;
    },
    reference: { ...reference, ...ask },
    postReference: { ...reference, ...act },
  };
}

const referenceOf = (path: string) =>
  ({
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
  }) as const;

const STOP = 'unsubscribe';
const RESUME = 'resubscribe';
const OF_ONE = 'Of a digest, an alert that it names may follow the token, after a slash: then only its mails are meant.';

/** Stops and resumes the mails of a token's topic. */
interface Subscriptions {
  subscription(token: string): Promise<{ stopped: boolean; alerts: readonly { id: string; name: string; stopped: boolean }[] } | undefined>;
  /** false if no mail contains the token, or the mail does not name the alert */
  stop(token: string, alertId?: string): Promise<boolean>;
  resume(token: string, alertId?: string): Promise<boolean>;
}

const makeForm = (path: string, button: string) =>
  `<form method="post"><button formaction="/${path}">${escapeHtml(button)}</button></form>`;

/** A button for each alert of a digest, then one for all. */
async function subscriptionPage(subscriptions: Subscriptions, token: string, title: string | null): Promise<string> {
  const found = TOKEN.test(token) ? await subscriptions.subscription(token) : undefined;
  if (!found) throw unknownLinkError();
  const { stopped, alerts } = found;
  const heading = title ?? (stopped ? 'These mails are stopped' : 'Stop these mails?');
  const rows = alerts.map((alert) => {
    const form = alert.stopped
      ? makeForm(`${RESUME}/${token}/${alert.id}`, 'Send them again')
      : makeForm(`${STOP}/${token}/${alert.id}`, 'Stop these');
    return `<li>${escapeHtml(alert.name)}: ${alert.stopped ? 'stopped' : 'mailed'} ${form}</li>`;
  });
  const some = stopped || alerts.some((alert) => alert.stopped);
  const main = [
    `<h1>${escapeHtml(heading)}</h1>`,
    stopped ? '<p>You get no more of these mails.</p>' : makeForm(`${STOP}/${token}`, 'Stop these mails'),
    some ? makeForm(`${RESUME}/${token}`, 'Undo: send all of these mails again') : '',
    rows.length ? `<ul>${rows.join('')}</ul>` : '',
  ].join('');
  return page({ title: heading, path: `/${STOP}`, navigation: [], main });
}

/** @param change called by a POST */
function subscriptionRoute(
  subscriptions: Subscriptions,
  path: typeof STOP | typeof RESUME,
  change: (token: string, alertId?: string) => Promise<boolean>,
  { ask, act }: Pick<Described, 'ask' | 'act'>,
): OpenRoute {
  return {
    rate: STOP,
    paths: [],
    below: `/${path}/`,
    type: 'text/html; charset=utf-8',
    headers: styledPagePolicy(STYLE, "form-action 'self'"),
    handle: (rest) => subscriptionPage(subscriptions, rest.split('/')[0] ?? '', null),
    post: async (rest) => {
      const [token = '', alertId, ...more] = rest.split('/');
      if (more.length || !TOKEN.test(token) || !(await change(token, alertId))) throw unknownLinkError();
      return subscriptionPage(subscriptions, token, 'Done');
    },
    reference: { ...referenceOf(path), ...ask },
    postReference: { ...referenceOf(path), ...act, description: OF_ONE },
  };
}

/** Routes that stop and resume the mails of a topic to a recipient, and that confirm an address to which a team wants to send mails. */
export const mailLinkRoutes = (subscriptions: Subscriptions, confirm: MailLink): OpenRoute[] => [
  subscriptionRoute(subscriptions, STOP, (token, alertId) => subscriptions.stop(token, alertId), {
    ask: { id: 'askUnsubscribe', summary: 'The page that a link in a mail leads to; it changes nothing' },
    act: { id: 'unsubscribe', summary: 'Stop the mails of one topic, or of the alerts that a digest names, to one recipient (RFC 8058)' },
  }),
  subscriptionRoute(subscriptions, RESUME, (token, alertId) => subscriptions.resume(token, alertId), {
    ask: { id: 'askResubscribe', summary: 'The same page; it changes nothing' },
    act: { id: 'resubscribe', summary: 'Take an unsubscription back' },
  }),
  linkRoute(CONFIRM, confirm),
];
