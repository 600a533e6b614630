/** What is wrong with the address of a webhook, as far as it can be seen without asking DNS. Pure. */
import type { Refusal } from '../../domain/errors.ts';
import { isAllowedAddress, literalAddress } from '../../store/webhook/addresses.ts';

/** @param allowPrivate WEBHOOK_ALLOW_PRIVATE: plain http and addresses of the operator's own networks are fine */
export function urlProblems({ url }: Readonly<Record<string, unknown>>, allowPrivate: boolean): Refusal[] {
  if (typeof url !== 'string') return [];
  const message = urlProblem(url, allowPrivate);
  return message ? [{ param: 'url', code: 'invalid_value', message: `url ${message}`, answer: 'invalid_request' }] : [];
}

function urlProblem(text: string, allowPrivate: boolean): string | null {
  if (!URL.canParse(text)) return 'has to be an absolute address, such as https://example.com/hooks';
  const { protocol, hostname, username, password, hash } = new URL(text);
  if (protocol !== 'https:' && !(allowPrivate && protocol === 'http:')) return 'has to begin with https://';
  if (username || password) return 'must not carry a user or a password; requests are signed';
  if (hash) return 'must not have a fragment (#…), which is never sent';
  const literal = literalAddress(hostname);
  if (literal !== null && !isAllowedAddress(literal, allowPrivate))
    return `names an address that events are not sent to: this machine, a private or link-local network, or one that is not routed`;
  return null;
}
