/** Shows the page of consent, and takes its form: the key makes the connection, and the request goes on to where the program waits. */
import { errors, type InteractionResults } from 'oidc-provider';
import { ApiError } from '../../core/domain/errors.ts';
import type { ConnectionStore } from '../../core/identity/connections.ts';
import { requirePrincipal } from '../../http/authenticate.ts';
import { isObject, readForm, runAlone } from '../../http/body.ts';
import type { OpenRoute } from '../../http/openRoutes.ts';
import type { ServingPlatform } from '../feature.ts';
import { type AuthorizationServer, refusalPage } from './authorizationServer.ts';
import { type AskingClient, consentPage, MONTHLY_CREDITS_MAX, returnPlace } from './consentPage.ts';

type Context = Parameters<NonNullable<OpenRoute['send']>>[0];

const FORM_BYTES_MAX = 4 * 1024;

export interface ConsentServices {
  server: AuthorizationServer;
  connections: ConnectionStore;
  lookUpKey: ServingPlatform['lookUpKey'];
  /** of the service, as browsers send it */
  origin: string;
}

function answerPage(ctx: Context, status: number, { headers, body }: { headers: Readonly<Record<string, string>>; body: string }): void {
  ctx.status = status;
  ctx.set(headers);
  ctx.type = 'html';
  ctx.body = body;
}

/** Whether a browser says that another site's page sent the form. The cookie of the request is not sent from there either. */
function isFromAnotherSite({ req }: Context, origin: string): boolean {
  const { 'sec-fetch-site': site, origin: from } = req.headers;
  return (site !== undefined && site !== 'same-origin') || (from !== undefined && from !== origin);
}

/** The client and the request that wait for consent. @throws errors.OIDCProviderError */
async function findRequest({ provider }: AuthorizationServer, ctx: Context) {
  const { params } = await provider.interactionDetails(ctx.req, ctx.res);
  const client = await provider.Client.find(String(params.client_id));
  if (!client) throw new errors.InvalidClient('client not found');
  return { clientId: client.clientId, name: client.clientName ?? null, redirectUri: String(params.redirect_uri) } satisfies AskingClient;
}

async function takeForm(services: ConsentServices, ctx: Context, client: AskingClient): Promise<void> {
  const { server, connections, lookUpKey } = services;
  const goOn = async (result: InteractionResults) => {
    const url = await server.provider.interactionResult(ctx.req, ctx.res, result, { mergeWithLastSubmission: false });
    ctx.status = 303;
    ctx.redirect(server.pathOf(url));
  };
  await runAlone(ctx, [readForm(FORM_BYTES_MAX)]);
  const { body } = ctx.request;
  const { key, monthlyCredits, answer } = isObject(body) ? body : {};
  if (answer === 'cancel') return goOn({ error: 'access_denied', error_description: 'the person cancelled' });
  const bound = typeof monthlyCredits === 'string' && /^\d{1,7}$/.test(monthlyCredits) ? Number(monthlyCredits) : Number.NaN;
  try {
    if (!(bound <= MONTHLY_CREDITS_MAX))
      throw new ApiError('invalid_request', `The credits have to be a whole number from 0 to ${MONTHLY_CREDITS_MAX}`);
    const { keyId } = requirePrincipal(await lookUpKey(ctx, typeof key === 'string' ? key : ''));
    const connection = {
      keyId,
      clientId: client.clientId,
      clientName: client.name,
      returnsTo: returnPlace(client.redirectUri),
      monthlyCredits: bound,
    };
    const grantId = await connections.create(connection);
    await goOn({ login: { accountId: keyId, remember: false }, consent: { grantId } });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
    const problem = error.code === 'missing_api_key' ? 'That is no API key of this service; keys begin with svc_live_.' : error.message;
    answerPage(ctx, error.status, consentPage(client, { problem, ...(Number.isNaN(bound) ? {} : { monthlyCredits: String(bound) }) }));
  }
}

/** Answers GET and POST of the page of consent. @throws ApiError */
export async function answerConsent(services: ConsentServices, ctx: Context): Promise<void> {
  try {
    const client = await findRequest(services.server, ctx);
    if (ctx.method !== 'POST') return answerPage(ctx, 200, consentPage(client));
    if (isFromAnotherSite(ctx, services.origin)) return answerPage(ctx, 403, refusalPage('The form was sent by a page of another site.'));
    await takeForm(services, ctx, client);
  } catch (error) {
    if (!(error instanceof errors.OIDCProviderError)) throw error;
    answerPage(
      ctx,
      400,
      refusalPage('This request for a connection is unknown, has expired after 10 minutes, or was made in another browser.'),
    );
  }
}
