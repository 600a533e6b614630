/** What browsers are told on every answer: take it for what it says it is, run and load nothing, show it in no frame. */
import { createHash } from 'node:crypto';
import type { Middleware } from 'koa';

const policy = (forms = "form-action 'none'", ...more: string[]) =>
  ["default-src 'none'", "base-uri 'none'", forms, "frame-ancestors 'none'", ...more].join('; ');

/** On JSON as well: an answer that somebody opens or embeds is no page of ours. */
const USUAL = {
  'Content-Security-Policy': policy(),
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
};

/** Browsers that came by TLS once come by nothing else for a year (RFC 6797). */
const TLS_ALONE = { 'Strict-Transport-Security': 'max-age=31536000' };

/** @param publicUrl where clients reach the service: by TLS or not */
export function securityHeaders(publicUrl: string): Middleware {
  const headers = { ...USUAL, ...(new URL(publicUrl).protocol === 'https:' ? TLS_ALONE : {}) };
  return (ctx, next) => {
    ctx.set(headers);
    return next();
  };
}

/** The policy of a page that loads what `more` names, instead of the usual one. */
export const policyOf = (...more: Parameters<typeof policy>) => ({ 'Content-Security-Policy': policy(...more) });

/** The policy of a page whose one `<style>` holds exactly this text, instead of the usual one. @param forms where it may send forms; nowhere unless given */
export function policyOfPage(style: string, forms?: string): { 'Content-Security-Policy': string } {
  return policyOf(forms, `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`);
}
