/** Public documents: the changelog and the error reference that every error's `docsUrl` points to. */
import changelog from '../catalogue/changelog.json' with { type: 'json' };
import { ERRORS, type ErrorCode } from '../domain/errors.ts';
import type { OpenRoute } from '../http/openRoutes.ts';
import { policyOfPage } from '../http/securityHeaders.ts';

export const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:56rem;margin:2rem auto;padding:0 1rem;color:#1c2733}
section{border-top:1px solid #d6dee6;padding:.75rem 0}h2{font:600 1rem ui-monospace,monospace;margin:0}h2 span{color:#5b6b7b}
section:target{background:#fff8dc}p{margin:.25rem 0}code{background:#eef2f6;padding:0 .25rem}`;

export const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

function errorSection(code: ErrorCode): string {
  const { status, meaning, remedy } = ERRORS[code];
  return `<section id="${code}"><h2>${code} <span>${status}</span></h2><p>${escapeHtml(meaning)}</p><p><b>What to do:</b> ${escapeHtml(remedy)}</p></section>`;
}

function errorReference(): string {
  const sections = (Object.keys(ERRORS) as ErrorCode[]).sort().map(errorSection).join('\n');
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Errors - Land Use Intelligence API</title><style>${STYLE}</style></head><body><h1>Errors</h1>
<p>Every error answers <code>{"error": {code, message, param, details, docsUrl, requestId}}</code>. Branch on <code>code</code>; messages may change.</p>
${sections}</body></html>`;
}

const LIFETIME = { seconds: 300, scope: 'shared' } as const;

/** @param openapi the document that describes every route */
export function docsRoutes(apiRoot: string, openapi: object): OpenRoute[] {
  const errors = errorReference();
  return [
    { paths: ['/changelog.json', `${apiRoot}/changelog.json`], lifetime: LIFETIME, handle: () => changelog },
    { paths: ['/openapi.json', `${apiRoot}/openapi.json`], lifetime: LIFETIME, handle: () => openapi },
    { paths: ['/docs/errors'], type: 'text/html; charset=utf-8', headers: policyOfPage(STYLE), lifetime: LIFETIME, handle: () => errors },
  ];
}
