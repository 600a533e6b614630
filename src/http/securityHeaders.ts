/** Security headers of every answer: no content sniffing, no scripts or other resources, no frames. */
import { createHash } from 'node:crypto';
import type { Middleware } from 'koa';

const policy = (forms = "form-action 'none'", ...more: string[]) =>
  ["default-src 'none'", "base-uri 'none'", forms, "frame-ancestors 'none'", ...more].join('; ');

/** Also on JSON, since a browser may open or embed any answer. */
const USUAL = {
  'Content-Security-Policy': policy(),
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
};

/** Browsers that connected by TLS use only TLS for a year (RFC 6797). */
const TLS_ALONE = { 'Strict-Transport-Security': 'max-age=31536000' };

/**
 * The middleware.
 * @param publicUrl of the service; its scheme determines whether TLS is required
 */
export function securityHeaders(publicUrl: string): Middleware {
  const headers = { ...USUAL, ...(new URL(publicUrl).protocol === 'https:' ? TLS_ALONE : {}) };
  return (ctx, next) => {
    ctx.set(headers);
    return next();
  };
}

/** The policy of a page that loads what `more` names; replaces the default. */
export const contentSecurityPolicy = (...more: Parameters<typeof policy>) => ({ 'Content-Security-Policy': policy(...more) });

/**
 * The policy of a page whose only `<style>` has exactly this text; replaces the default.
 * @param forms where it may send forms; nowhere by default
 */
export function styledPagePolicy(style: string, forms?: string): { 'Content-Security-Policy': string } {
  return contentSecurityPolicy(forms, `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`);
}
