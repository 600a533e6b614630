/** The page on which a person lets a program act for a key: who asks, where it returns, what it may do, how much it may spend. Needs no script. */
import { escapeHtml } from '../../core/domain/escapeHtml.ts';
import { isLoopbackHost } from '../../http/roots.ts';
import { styledPagePolicy } from '../../http/securityHeaders.ts';
import { guidePath } from '../../web/docsFrame.ts';
import { page } from '../../web/layout.ts';
import { STYLE } from '../../web/style.ts';

export const MONTHLY_CREDITS_MAX = 1_000_000;
const MONTHLY_CREDITS_USUAL = '100';

/** A program that asks for a connection. */
export interface AskingClient {
  clientId: string;
  /** what it calls itself */
  name: string | null;
  redirectUri: string;
}

/** The origin to which a request returns, or the scheme of a program on the person's machine. */
export function returnPlace(redirectUri: string): string {
  const { protocol, origin } = new URL(redirectUri);
  return protocol === 'https:' || protocol === 'http:' ? origin : protocol;
}

/**
 * The policy of the page. Browsers hold redirects after a form to `form-action`, so it names where the request returns; an IPv6 address cannot be
 * named there but by its scheme. The origin of the form is sent, by which forms of other sites are refused.
 */
function headersOf({ redirectUri }: AskingClient): Readonly<Record<string, string>> {
  const place = returnPlace(redirectUri);
  const target = place.includes('[') ? place.slice(0, place.indexOf(':') + 1) : place;
  return { ...styledPagePolicy(STYLE, `form-action 'self' ${target}`), 'Referrer-Policy': 'same-origin' };
}

function describeClient({ clientId, name }: AskingClient): string {
  const called = name === null ? 'A program that gives no name' : `<strong>${escapeHtml(name)}</strong>`;
  if (URL.canParse(clientId)) return `${called}, as <strong>${escapeHtml(new URL(clientId).host)}</strong> describes it`;
  return `${called}. ${name === null ? '' : 'It calls itself so; nobody has checked that.'}`;
}

function describeReturn({ redirectUri }: AskingClient): string {
  const place = returnPlace(redirectUri);
  const isHere = !place.startsWith('https:') && (!place.startsWith('http:') || isLoopbackHost(new URL(place).hostname));
  return `<strong>${escapeHtml(place)}</strong>${isHere ? ', a program on your machine' : ''}`;
}

const MAY = [
  'Search, count and read projects, minutes and statistics, as your key may.',
  'Ask questions, write site briefs, make exports and look up contacts; what costs credits, up to the bound below.',
  'See your team’s balance, alerts and jobs.',
];

/** @param problem what was wrong with the form that was sent */
export function consentPage(
  client: AskingClient,
  { problem, monthlyCredits = MONTHLY_CREDITS_USUAL }: { problem?: string; monthlyCredits?: string } = {},
) {
  const title = 'Connect a program';
  const main = `<h1>Connect ${client.name === null ? 'this program' : escapeHtml(client.name)}?</h1>
${problem === undefined ? '' : `<p role="alert" id="problem"><strong>${escapeHtml(problem)}</strong></p>`}
<dl><dt>Who asks</dt><dd>${describeClient(client)}</dd>
<dt>It returns to</dt><dd>${describeReturn(client)}</dd></dl>
<p>If you did not just start this in a program that you know, cancel.</p>
<h2>It may</h2>
<ul>${MAY.map((one) => `<li>${one}</li>`).join('')}</ul>
<p>It never gets the key, and can change neither keys nor alerts, lists or webhooks. You can end the connection on the map’s page, under Account; it also ends
with the key, and after 30 days without use. <a href="${guidePath('mcp')}">More on connections</a></p>
<form method="post" autocomplete="off">
<p><label for="key">Your API key</label><input id="key" name="key" type="password" required maxlength="255" spellcheck="false" placeholder="svc_live_…"${problem === undefined ? '' : ' aria-describedby="problem"'}></p>
<p><label for="credits">Credits that it may spend in a calendar month, at most; 0 allows only what is free</label>
<input id="credits" name="monthlyCredits" type="number" required min="0" max="${MONTHLY_CREDITS_MAX}" step="1" value="${escapeHtml(monthlyCredits)}"></p>
<p><button class="primary" name="answer" value="connect">Connect</button> <button name="answer" value="cancel" formnovalidate>Cancel</button></p>
</form>`;
  return { headers: headersOf(client), body: page({ title, path: '/oauth/consent', navigation: [], main }) };
}
