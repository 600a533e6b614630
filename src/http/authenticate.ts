/** Authentication: accepts or refuses the credential that the rate limit has looked up (src/docs/keys.md). */
import type { Middleware } from 'koa';
import { ApiError } from '../core/domain/errors.ts';
import type { Principal } from '../core/domain/principal.ts';
import type { CredentialState } from './rateLimit.ts';
import { MCP_PATH } from './roots.ts';

/** Set in `ctx.state` of every authenticated route. */
export interface PrincipalState extends CredentialState {
  principal?: Principal;
}

const MISSING = 'Send your API key as "Authorization: Bearer <API_KEY>" or in the header X-API-Key. Keys begin with svc_live_.';
/** RFC 9110 requires it on a 401. @param parameters those of RFC 6750 and 9728 */
const challenge = (parameters: readonly string[]) => ({
  'WWW-Authenticate': parameters.length ? `Bearer ${parameters.join(', ')}` : 'Bearer',
});

/**
 * The principal of a credential.
 * @param parameters of the challenge to a client that has to authenticate
 * @throws ApiError that the error table has for it
 */
export function requirePrincipal(credential: CredentialState['credential'], parameters: readonly string[] = []): Principal {
  switch (credential?.kind) {
    case 'ok':
      return credential.principal;
    case 'conflicting':
    case 'unknown':
      throw credential.error;
    case 'lapsed':
      throw new ApiError('subscription_required', credential.message);
    case 'unusable':
      throw new ApiError(credential.code, credential.message, {
        param: 'Authorization',
        headers: challenge(parameters.length ? ['error="invalid_token"', ...parameters] : []),
      });
    default:
      throw new ApiError('missing_api_key', MISSING, { param: 'Authorization', headers: challenge(parameters) });
  }
}

/**
 * Sets `ctx.state.principal`. Runs after `rateLimit`.
 * @param ofMcp parameters of the challenge to MCP clients
 * @throws ApiError
 */
export function authenticate(ofMcp: readonly string[]): Middleware<PrincipalState> {
  return async (ctx, next) => {
    ctx.state.principal = requirePrincipal(ctx.state.credential, ctx.path === MCP_PATH ? ofMcp : []);
    await next();
  };
}

/**
 * The principal of an authenticated route.
 * @throws Error for a route that was declared open by mistake
 */
export function principalOf(state: PrincipalState): Principal {
  if (!state.principal) throw new Error('The route asks for a principal and was not authenticated');
  return state.principal;
}
