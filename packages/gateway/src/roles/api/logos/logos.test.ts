// Each currency has a logo: small, well-formed, the same every time, harmless, and where the lists say it is.
import { chainDefinitions } from '@ducat/core/chain/definitions/index';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { startTestApi, type TestApi } from '@ducat/testkit/api/test-api';
import { logoSvg } from './logo-svg.ts';

const listed = chainDefinitions.flatMap(({ name, currencies }) =>
  currencies.map(({ symbol, currencyId }) => ({ currencyId, symbol, name })),
);

const TAG = /^<(\/?)([a-z]+)((?: [a-zA-Z-]+="[^"<&]*")*)(\/?)>/;
const TEXT = /^(?:[^<&]|&#[0-9]{2};)+/;

/** The texts of its elements in order, each with the element's name; throws where it is not well-formed. */
function read(xml: string): readonly (readonly [element: string, text: string])[] {
  const open: string[] = [];
  const texts: [string, string][] = [];
  for (let rest = xml; rest !== ''; ) {
    const [tag, slash, name = '', , empty] = TAG.exec(rest) ?? [];
    const [text] = tag === undefined ? (TEXT.exec(rest) ?? []) : [];
    const isRoot = open.length === 0 && rest !== xml;
    if ((tag ?? text) === undefined || isRoot) throw new Error(`not well-formed at ${rest}`);
    if (text !== undefined) texts.push([open.at(-1) ?? '', text]);
    else if (slash === '/') {
      if (open.pop() !== name) throw new Error(`</${name}> closes another element`);
    } else if (empty === '') open.push(name);
    rest = rest.slice((tag ?? text ?? '').length);
  }
  if (open.length > 0) throw new Error(`${open.join(', ')} stay open`);
  return texts;
}

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi(inject('postgresAdminUrl'));
});
afterAll(() => api.close());

describe('/logos', () => {
  it('has a logo for every currency of the catalogue, on or off', async () => {
    for (const { currencyId, symbol, name } of listed) {
      const { statusCode, headers, payload } = await api.app.inject(`/logos/${currencyId}.svg`);
      expect([statusCode, headers['content-type']], symbol).toEqual([200, 'image/svg+xml']);
      expect(payload.length).toBeLessThan(1_000);
      expect(payload).toBe(logoSvg(symbol, name));
      const [title, ...letters] = read(payload);
      expect(title).toEqual(['title', `${symbol} on ${name}`]);
      expect(letters.map(([, text]) => text).join('')).toBe(symbol.slice(0, 8));
    }
    expect(new Set(listed.map(({ symbol, name }) => logoSvg(symbol, name))).size).toBe(listed.length);
  });

  it('may be kept for long, loads nothing and runs nothing', async () => {
    const { headers, payload } = await api.app.inject('/logos/1001.svg');
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=604800',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    });
    expect(payload).not.toMatch(/<script|<style|<image|<use|href|url\(| on[a-z]+=/);
  });

  it.each(['9999.svg', '1001', '1001.png', '01001.svg', '1001.svg/x', '%2e%2e%2fdocs', '-1.svg', '1e3.svg'])(
    'is not found at %s',
    async (file) => {
      const answer = await api.app.inject(`/logos/${file}`);
      expect([answer.statusCode, answer.json().code]).toEqual([404, 10002]);
    },
  );

  it('answers HEAD as GET without the drawing, and 304 to who has it already', async () => {
    const url = '/logos/1001.svg';
    const { headers } = await api.app.inject(url);
    const { etag } = headers;
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
    const head = await api.app.inject({ method: 'HEAD', url });
    expect([head.statusCode, head.payload]).toEqual([200, '']);
    expect(head.headers).toMatchObject({
      etag,
      'content-type': 'image/svg+xml',
      'content-length': headers['content-length'],
    });
    for (const held of [String(etag), `W/${etag}`, `"other", ${etag}`, '*']) {
      const same = await api.app.inject({ url, headers: { 'if-none-match': held } });
      expect([same.statusCode, same.payload, same.headers.etag], held).toEqual([304, '', etag]);
    }
    const other = await api.app.inject({
      url: '/logos/1002.svg',
      headers: { 'if-none-match': String(etag) },
    });
    expect(other.statusCode).toBe(200);
    expect((await api.app.inject({ method: 'HEAD', url: '/logos/9999.svg' })).statusCode).toBe(404);
  });

  it.each(['\u0000', 'A\u001b[2J', '\ud800', '\uffff', '\u0085'])('is well-formed for %j', (symbol) => {
    const logo = logoSvg(symbol, 'ETH');
    expect(read(logo)[0]).toEqual(['title', expect.stringContaining('\u{FFFD}')]);
    expect(logo).not.toMatch(/[\p{Cc}\p{Cs}\u{FFFE}\u{FFFF}]/u);
  });

  it('escapes what an operator may call a token', () => {
    const logo = logoSvg('<&">\'', 'A&B');
    expect(read(logo)[0]).toEqual(['title', expect.stringMatching(/^&#60;&#38;.* on A&#38;B$/)]);
  });

  it('is named in full by both lists and by orders', async () => {
    for (const list of ['token-list', 'app-token-list']) {
      const { raw } = await api.call(`/api/currency/${list}`, {});
      const data: { currency_id: number; logo: string }[] = JSON.parse(raw).data;
      expect(data.length).toBeGreaterThan(80);
      for (const { currency_id, logo } of data)
        expect(logo).toBe(`https://api.test/logos/${currency_id}.svg`);
    }
    const asked = { out_trade_no: 'logo', currency_id: 2001, token_amount: '1' };
    const { data: created } = await api.call('/api/order/create', asked);
    const { data: detail } = await api.call('/api/order/detail', { trade_no: created['trade_no'] });
    for (const data of [created, detail])
      expect(data['chain_info']).toMatchObject({ token: 'BNB', logo: 'https://api.test/logos/2000.svg' });
  });
});
