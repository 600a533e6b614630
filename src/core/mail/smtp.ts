/** Sends mails to a mail server: SMTP by nodemailer, with time limits, to checked addresses. */
import { createTransport } from 'nodemailer';
import { isMailAddress, type RenderedMail } from './mail.ts';

/** Time limits of sending one mail, and of each wait for the server. */
const SEND_TIMEOUT_MS = 60_000;
const SILENCE_TIMEOUT_MS = 20_000;

export interface OutgoingMail extends RenderedMail {
  messageId: string;
  from: string;
  to: string;
  /** takes the POST of RFC 8058 */
  unsubscribeUrl: string;
}

/** The server rejects this mail permanently. The message says why, without personal data. */
export class MailRefused extends Error {}

export interface MailServerOptions {
  /** smtp:// or smtps://, with user and password where the server asks for them */
  url: string;
  timeoutMs?: number;
}

/** The properties of nodemailer's errors. */
interface SmtpError extends Error {
  code?: string;
  command?: string;
  responseCode?: number;
  permanent?: boolean;
}

/** Commands whose refusal is about the recipient or the mail. Refusals of the sender or the password need an operator instead. */
const ABOUT_THE_MAIL: ReadonlySet<string | undefined> = new Set(['RCPT TO', 'DATA']);

export class MailServer {
  readonly #transport;
  readonly #timeoutMs: number;

  constructor({ url, timeoutMs = SEND_TIMEOUT_MS }: MailServerOptions) {
    const silence = Math.min(timeoutMs, SILENCE_TIMEOUT_MS);
    const limits = `connectionTimeout=${silence}&greetingTimeout=${silence}&socketTimeout=${silence}&dnsTimeout=${silence}`;
    this.#transport = createTransport(`${url}${url.includes('?') ? '&' : '?'}${limits}`, {
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Sends one mail; the server has accepted it when this returns.
   * @throws MailRefused if a retry is useless; another Error if it is not. Neither names the recipient, since errors are logged.
   */
  async send({ messageId, from, to, subject, text, html, unsubscribeUrl }: OutgoingMail, signal: AbortSignal): Promise<void> {
    if (!isMailAddress(to) || !isMailAddress(from)) throw new MailRefused('An address of the mail is none');
    const headers = {
      'List-Unsubscribe': { prepared: true, value: `<${unsubscribeUrl}>` },
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'Auto-Submitted': 'auto-generated',
    };
    const both = AbortSignal.any([signal, AbortSignal.timeout(this.#timeoutMs)]);
    try {
      await this.#transport.sendMail({ messageId, from, to, subject, text, html, headers, signal: both });
    } catch (error) {
      const { code, command, responseCode, permanent } = error as SmtpError;
      const said = `The mail server did not take the mail (${[code, command, responseCode].filter(Boolean).join(', ') || (error as Error).name})`;
      throw permanent && ABOUT_THE_MAIL.has(command) ? new MailRefused(said) : new Error(said);
    }
  }

  /** Connects, and logs in if the address contains credentials. @throws Error */
  async verify(): Promise<void> {
    await this.#transport.verify();
  }

  close(): void {
    this.#transport.close();
  }
}
