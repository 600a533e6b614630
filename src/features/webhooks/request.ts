/** Problems of a webhook's URL that can be found without DNS. Pure. */
import type { RequestRefusal } from '../../core/domain/errors.ts';
import { type AllowedTargets, isAllowedAddress, isAllowedPort, readLiteralAddress } from '../../core/outgoing/addresses.ts';

export function findUrlProblems({ url }: Readonly<Record<string, unknown>>, allowed: AllowedTargets): RequestRefusal[] {
  if (typeof url !== 'string') return [];
  const message = findUrlProblem(url, allowed);
  return message ? [{ param: 'url', code: 'invalid_value', message: `url ${message}`, answer: 'invalid_request' }] : [];
}

function findUrlProblem(text: string, { allowPrivate, ports }: AllowedTargets): string | null {
  if (!URL.canParse(text)) return 'has to be an absolute address, such as https://example.com/hooks';
  const { protocol, hostname, port, username, password, hash } = new URL(text);
  if (protocol !== 'https:' && !(allowPrivate && protocol === 'http:')) return 'has to begin with https://';
  if (username || password) return 'holds a user or a password; leave them out, since requests are signed';
  if (hash) return 'has a fragment (#…), which is never sent; leave it out';
  if (!isAllowedPort({ protocol, port }, ports)) return `names a port that events are not sent to; send one of ${ports?.join(', ')}`;
  const literal = readLiteralAddress(hostname);
  if (literal !== null && !isAllowedAddress(literal, allowPrivate))
    return `names an address that events are not sent to: this machine, a private or link-local network, or one that is not routed`;
  return null;
}
