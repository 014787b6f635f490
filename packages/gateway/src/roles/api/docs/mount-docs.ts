// Serves the OpenAPI document, made once at start, and the docs site, which apps/docs builds.
import { openApiDocument } from '@ducat/contract/openapi';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createDocsFiles, type DocsPlace } from './docs-files.ts';

const YEAR_S = 365 * 24 * 60 * 60;
const PAGE_S = 300;
const MISSING = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Ducat docs</title>
<h1>There is no such page</h1>
<p>The docs begin at <a href="/docs">/docs</a>, and the API is described by <a href="/openapi.json">openapi.json</a>.
Where no page is there at all, <code>npm run build</code> makes them.</p></html>`;

/** Adds /openapi.json and /docs. */
export function mountDocs(app: FastifyInstance, place: DocsPlace): void {
  const document = JSON.stringify(openApiDocument({ serverUrl: place.publicUrl }));
  app.get('/openapi.json', (_request, reply) => {
    // The document is public: tools in a browser may read it from anywhere.
    reply.headers({ 'access-control-allow-origin': '*', 'cache-control': `public, max-age=${PAGE_S}` });
    return reply.type('application/json; charset=utf-8').send(document);
  });
  const find = createDocsFiles(place);
  const headers = docsHeaders(place.faucetUrl);
  const answer = (path: string, request: FastifyRequest, reply: FastifyReply) => {
    const file = find(path);
    reply.headers(headers);
    if (file === undefined) return reply.code(404).type('text/html; charset=utf-8').send(MISSING);
    // Names below assets/ carry a hash of what they hold.
    const isKept = path.startsWith('assets/');
    const kept = isKept ? `public, max-age=${YEAR_S}, immutable` : `public, max-age=${PAGE_S}`;
    return file.send(request, reply, { 'cache-control': kept });
  };
  app.get('/docs', (request, reply) => answer('', request, reply));
  // Links of the first page are relative to an address without a slash.
  app.get('/docs/', (_request, reply) => reply.redirect('../docs', 308));
  app.get<{ Params: { '*': string } }>('/docs/*', (request, reply) =>
    answer(request.params['*'], request, reply),
  );
}

/** A page may load from and call its own gateway only, and in a demo the faucet. It runs only its own script file. */
function docsHeaders(faucetUrl: string): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self'${faucetUrl === '' ? '' : ` ${new URL(faucetUrl).origin}`}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ];
  return {
    'content-security-policy': policy.join('; '),
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), clipboard-write=(self)',
  };
}
