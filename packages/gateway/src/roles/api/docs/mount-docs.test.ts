// The OpenAPI document and the docs site: what is served, with which headers, and what is written into the pages.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { endpoints } from '@ducat/contract/endpoints/registry';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, describe, expect, it } from 'vitest';
import { escapeHtml } from './escape-html.ts';
import { mountDocs } from './mount-docs.ts';

const folder = mkdtempSync(join(tmpdir(), 'ducat-docs-'));
const page = '<html data-api="https://api.example" data-faucet="">Host: api.example';
mkdirSync(join(folder, 'assets'));
mkdirSync(join(folder, 'operate'));
writeFileSync(join(folder, 'index.html'), page);
writeFileSync(join(folder, 'operate/ducat.example.toml.html'), 'toml');
writeFileSync(join(folder, 'assets/docs-1.js'), 'go()');
writeFileSync(join(folder, 'secret.key'), 'never');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function serve(faucetUrl = '', place = folder): FastifyInstance {
  const app = Fastify();
  mountDocs(app, { folder: place, publicUrl: 'https://api.test', faucetUrl });
  return app;
}

describe('/openapi.json', () => {
  it('is served with both paths of every operation and this server’s address', async () => {
    const document = (await serve().inject('/openapi.json')).json();
    expect(document.openapi).toBe('3.1.0');
    expect(document.servers).toEqual([{ url: 'https://api.test' }]);
    const paths = Object.values(endpoints).flatMap(({ path, legacyPath }) => [path, legacyPath]);
    expect(Object.keys(document.paths).sort()).toEqual(paths.sort());
  });
});

describe('/docs', () => {
  it('serves pages by their address with this gateway’s own, and nothing that is no page of it', async () => {
    const app = serve();
    expect((await app.inject('/docs')).payload).toBe(
      '<html data-api="https://api.test" data-faucet="">Host: api.test',
    );
    expect((await app.inject('/docs/operate/ducat.example.toml')).payload).toBe('toml');
    expect((await app.inject('/docs/')).headers.location).toBe('../docs');
    for (const path of ['nothing', 'secret.key', '..%2fsecret.key', 'operate']) {
      const { statusCode, payload } = await app.inject(`/docs/${path}`);
      expect([statusCode, payload.includes('There is no such page')], path).toEqual([404, true]);
    }
    expect((await serve('', join(folder, 'not-built')).inject('/docs')).statusCode).toBe(404);
  });

  it('lets a page run and ask nothing but its own gateway', async () => {
    const { headers } = await serve().inject('/docs');
    const policy = String(headers['content-security-policy']);
    for (const rule of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self';"])
      expect(policy).toContain(rule);
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).not.toMatch(/unsafe|nonce|\*|http/);
  });

  it('names the faucet of a demo, and lets pages ask it', async () => {
    const { payload, headers } = await serve('http://127.0.0.1:9/').inject('/docs');
    expect(payload).toContain('data-faucet="http://127.0.0.1:9/"');
    expect(headers['content-security-policy']).toContain("connect-src 'self' http://127.0.0.1:9;");
  });

  it('keeps what has a hash in its name for ever, and compresses where that is understood', async () => {
    const headers = { 'accept-encoding': 'gzip, br' };
    const script = await serve().inject({ url: '/docs/assets/docs-1.js', headers });
    expect(script.headers['cache-control']).toContain('immutable');
    expect(brotliDecompressSync(script.rawPayload).toString()).toBe('go()');
    expect((await serve().inject('/docs')).headers['cache-control']).not.toContain('immutable');
  });
});

it('escapes what HTML would read as its own', () => {
  expect(escapeHtml('<i>"&\'')).toBe('&#60;i&#62;&#34;&#38;&#39;');
});
