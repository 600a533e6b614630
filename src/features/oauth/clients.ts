/**
 * Programs that connect by OAuth. What one registers is in its id, signed, so that no registration fills a table; an id that is an address names a
 * document instead. All are public clients: a secret that anybody can register proves nothing, PKCE does.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { ApiError } from '../../core/domain/errors.ts';
import { cutText } from '../../core/domain/storableText.ts';

const NAME_CHARACTERS_MAX = 100;
/** Of name and addresses as JSON: an id goes into addresses that browsers open. */
const METADATA_CHARACTERS_MAX = 1_500;
const FORM = /^mcp_([\w-]{1,4000})\.([\w-]{22})$/;

/** Metadata of a client (RFC 7591). */
export interface ClientMetadata {
  client_name?: string;
  redirect_uris: unknown;
  application_type: 'native';
  grant_types: string[];
  response_types: string[];
  response_modes: string[];
  token_endpoint_auth_method: 'none';
}

type Given = Readonly<Record<string, unknown>>;

/** A name in one line, without characters that hide others or turn their order around. */
function readName(name: unknown): { client_name?: string } {
  if (typeof name !== 'string') return {};
  const line = name.replaceAll(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return line ? { client_name: cutText(line, NAME_CHARACTERS_MAX).trim() } : {};
}

/** What counts of metadata that a client sends: its name and addresses. `native` allows plain http only to this machine, there at any port (RFC 8252). */
export const asPublicClient = ({ client_name, redirect_uris }: Given): ClientMetadata => ({
  ...readName(client_name),
  redirect_uris,
  application_type: 'native',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  response_modes: ['query'],
  token_endpoint_auth_method: 'none',
});

export class ClientIds {
  readonly #secret: string;

  /** @param secret with another one, all clients are unknown and register again */
  constructor(secret: string) {
    this.#secret = secret;
  }

  /** The id of a client. @throws ApiError `invalid_request` for metadata that is too long */
  seal({ client_name, redirect_uris }: ClientMetadata): string {
    const text = JSON.stringify({ client_name, redirect_uris });
    if (text.length > METADATA_CHARACTERS_MAX)
      throw new ApiError('invalid_request', `client_name and redirect_uris have more than ${METADATA_CHARACTERS_MAX} characters together`);
    const data = Buffer.from(text).toString('base64url');
    return `mcp_${data}.${this.#sign(data)}`;
  }

  /** The metadata of an id; undefined for an id that is not ours. */
  open(id: string): (ClientMetadata & { client_id: string }) | undefined {
    const [, data, signature] = FORM.exec(id) ?? [];
    if (!data || !signature || !timingSafeEqual(Buffer.from(signature), Buffer.from(this.#sign(data)))) return undefined;
    return { ...asPublicClient(JSON.parse(Buffer.from(data, 'base64url').toString())), client_id: id };
  }

  #sign(data: string): string {
    return createHmac('sha256', this.#secret).update(`oauth client\n${data}`).digest('base64url').slice(0, 22);
  }
}
