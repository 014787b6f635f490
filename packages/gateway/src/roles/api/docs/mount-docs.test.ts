// The docs page and the OpenAPI document: complete, safe, and right where they say how to sign.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codes } from '@ducat/contract/codes';
import { endpoints } from '@ducat/contract/endpoints/registry';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { startTestApi, type TestApi } from '@ducat/testkit/api/test-api';
import { html, prose } from './html.ts';

let api: TestApi;
const folder = mkdtempSync(join(tmpdir(), 'ducat-docs-'));
beforeAll(async () => {
  api = await startTestApi(inject('postgresAdminUrl'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await api.close();
});

describe('/openapi.json', () => {
  it('is served with both paths of every operation and this server’s address', async () => {
    const document = (await api.app.inject('/openapi.json')).json();
    expect(document.openapi).toBe('3.1.0');
    expect(document.servers).toEqual([{ url: 'https://api.test' }]);
    const paths = Object.values(endpoints).flatMap(({ path, legacyPath }) => [path, legacyPath]);
    expect(Object.keys(document.paths).sort()).toEqual(paths.sort());
  });
});

describe('/docs', () => {
  it('names every operation, field and code', async () => {
    const page = (await api.app.inject('/docs')).payload;
    for (const endpoint of Object.values(endpoints)) {
      expect(page).toContain(`<code>${endpoint.path}</code>`);
      for (const name of Object.keys(endpoint.request.properties))
        expect(page).toContain(`<code>${name}</code>`);
    }
    for (const { code } of codes) expect(page).toContain(`<code>${code}</code>`);
  });

  it('allows nothing but its own style sheet, and needs nothing else', async () => {
    const response = await api.app.inject('/docs');
    const policy = String(response.headers['content-security-policy']);
    const style = /<style>([^]*?)<\/style>/.exec(response.payload)?.[1] ?? '';
    expect(policy).toContain(`style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`);
    expect(policy).toContain("default-src 'none'");
    expect(response.payload).not.toMatch(/<script|<iframe|<img|<link| style=| on[a-z]+=/);
  });

  it('signs with openssl as the server does, and verifies what the server signed', async () => {
    const page = unescape((await api.app.inject('/docs')).payload);
    const [KEY, TS] = [api.payment.appKey, String(Math.floor(api.world.nowMs() / 1000))];
    const signing = /SIGN=\$\([^\n]*/.exec(page)?.[0] ?? '';
    const sign = shell(`${signing}\nprintf %s "$SIGN"`, { BODY: '{}', TS, KEY });
    const headers = { 'x-appid': api.payment.appId, 'x-timestamp': TS, 'x-sign': sign };
    const type = { 'content-type': 'application/json' };
    const answer = await api.send('/api/currency/token-list', '{}', { ...headers, ...type });
    expect(answer.code).toBe(0);
    const verifying = /RTS=\$\([^]*?genuine'/.exec(page)?.[0] ?? '';
    const lines = Object.entries(answer.headers).map(([name, value]) => `${name}: ${String(value)}\r\n`);
    writeFileSync(join(folder, 'headers.txt'), lines.join(''));
    writeFileSync(join(folder, 'answer.json'), answer.raw);
    expect(shell(verifying, { KEY })).toContain('genuine');
    writeFileSync(join(folder, 'answer.json'), `${answer.raw} `);
    expect(shell(`${verifying} || true`, { KEY })).toBe('');
  });
});

/** Runs the lines of the page as a merchant would, in a folder of the test's own. */
function shell(script: string, env: Readonly<Record<string, string>>): string {
  return execFileSync('sh', ['-c', script], {
    cwd: folder,
    env: { ...process.env, ...env },
    encoding: 'utf8',
  });
}

function unescape(page: string): string {
  return page.replace(/&#(\d+);/g, (_all, code) => String.fromCharCode(Number(code)));
}

describe('html', () => {
  it('escapes what is put in, but not HTML', () => {
    expect(html`<b>${'<i>"&\''}</b>${html`<u>`}${[html`1`, html`2`]}${3}`.text).toBe(
      '<b>&#60;i&#62;&#34;&#38;&#39;</b><u>123',
    );
  });

  it('turns the prose of the contract into paragraphs, headings, lists and code, inline and fenced', () => {
    expect(prose('## A\n\nb `<c>` **d**\n\n```sh\n<g>\n\nh\n```\n\n1. e\n2. f').text).toBe(
      '<h3>A</h3>\n<p>b <code>&#60;c&#62;</code> <strong>d</strong></p>\n<pre><code>&#60;g&#62;\n\nh</code></pre>\n<ol><li>e</li><li>f</li></ol>',
    );
  });
});
