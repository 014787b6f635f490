// Serves the OpenAPI document and the docs page, both made once at start.
import { createHash } from 'node:crypto';
import { openApiDocument } from '@ducat/contract/openapi';
import type { FastifyInstance } from 'fastify';
import { docsPage } from './docs-page.ts';
import { style } from './style.ts';

/** Adds /openapi.json and /docs for a gateway that merchants reach at `publicUrl`. */
export function mountDocs(app: FastifyInstance, publicUrl: string): void {
  const document = JSON.stringify(openApiDocument({ serverUrl: publicUrl }));
  const page = docsPage(publicUrl);
  const styleHash = createHash('sha256').update(style).digest('base64');
  // Nothing but our own style sheet may be used by the page: no script, no frame, no form, nothing from elsewhere.
  const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  app.get('/openapi.json', (_request, reply) => {
    // The document is public: tools in a browser may read it from anywhere.
    reply.headers({ 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=300' });
    return reply.type('application/json; charset=utf-8').send(document);
  });
  app.get('/docs', (_request, reply) => {
    reply.headers({
      'content-security-policy': policy,
      'referrer-policy': 'no-referrer',
      'cache-control': 'public, max-age=300',
    });
    return reply.type('text/html; charset=utf-8').send(page);
  });
}
