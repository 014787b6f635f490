// The demo's app is lent to the docs of the demo and to no other page.
import { expect, it } from 'vitest';
import { openFaucet } from './faucet-server.ts';

const DOCS = 'http://127.0.0.1:1';
const PAGES = 'http://127.0.0.1:2';
const DASHBOARD = 'http://127.0.0.1:3';

it('lends the app of the demo by the origin that a browser names, and to nothing else in it', async () => {
  const faucet = await openFaucet({
    port: 0,
    chains: [],
    rollBack: () => Promise.reject(new Error('no chain')),
    pagesOrigin: PAGES,
    docsOrigin: DOCS,
    dashboardOrigin: DASHBOARD,
    access: {
      PAYMENT: { appId: 'app_1', appKey: 'the key' },
      QR_CODE: { appId: 'app_2', appKey: 'the key for codes' },
    },
    openOrder: () => Promise.reject(new Error('no order')),
  });
  const ask = async (origin: string | null, body = '{}') => {
    const response = await fetch(`http://127.0.0.1:${faucet.port}/access`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...(origin === null ? {} : { origin }) },
    });
    return { text: await response.text(), readableBy: response.headers.get('access-control-allow-origin') };
  };
  try {
    const lent = await ask(DOCS);
    expect(JSON.parse(lent.text)).toEqual({ app_id: 'app_1', app_key: 'the key' });
    expect(lent.readableBy).toBe(DOCS);
    const forCodes = await ask(DOCS, '{"kind":"QR_CODE"}');
    expect(JSON.parse(forCodes.text)).toEqual({ app_id: 'app_2', app_key: 'the key for codes' });
    for (const other of [PAGES, DASHBOARD, 'http://evil.example:1', 'null', null])
      expect((await ask(other)).text, String(other)).not.toContain('the key');
    expect((await ask('http://evil.example:1')).readableBy).toBe(null);
  } finally {
    await faucet.close();
  }
});
