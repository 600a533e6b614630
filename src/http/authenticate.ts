/** Authentication: accepts or refuses the credential that the rate limit has looked up (src/docs/keys.md). */
import type { Middleware } from 'koa';
import { ApiError } from '../core/domain/errors.ts';
import type { Principal } from '../core/domain/principal.ts';
import type { CredentialState } from './rateLimit.ts';

/** Set in `ctx.state` of every authenticated route. */
export interface PrincipalState extends CredentialState {
  principal?: Principal;
}

const MISSING = 'Send your API key as "Authorization: Bearer <API_KEY>" or in the header X-API-Key. Keys begin with svc_live_.';
/** RFC 9110 requires it on a 401. */
const CHALLENGE = { 'WWW-Authenticate': 'Bearer' };

/**
 * The principal of a credential.
 * @throws ApiError that the error table has for it
 */
export function requirePrincipal(credential: CredentialState['credential']): Principal {
  switch (credential?.kind) {
    case 'ok':
      return credential.principal;
    case 'conflicting':
    case 'unknown':
      throw credential.error;
    case 'lapsed':
      throw new ApiError('subscription_required', credential.message);
    case 'unusable':
      throw new ApiError(credential.code, credential.message, { param: 'Authorization', headers: CHALLENGE });
    default:
      throw new ApiError('missing_api_key', MISSING, { param: 'Authorization', headers: CHALLENGE });
  }
}

/**
 * Sets `ctx.state.principal`. Runs after `rateLimit`.
 * @throws ApiError
 */
export function authenticate(): Middleware<PrincipalState> {
  return async (ctx, next) => {
    ctx.state.principal = requirePrincipal(ctx.state.credential);
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
