// What the pages offer to copy works: signatures are those of the vectors, a shell signs as the gateway wants it, and the SDK has each method.
import { execFileSync } from 'node:child_process';
import type { Endpoint } from '@ducat/contract/endpoint';
import { type EndpointName, endpoints } from '@ducat/contract/endpoints/registry';
import { successEnvelope } from '@ducat/contract/envelope';
import { signatureVectors } from '@ducat/contract/signature-vectors';
import { Ducat } from '@ducat/sdk';
import { describe, expect, it } from 'vitest';
import { curlSigned, curlThatSigns } from './curl.ts';
import { findHeadings } from './find-headings.ts';
import { nodeSample } from './node.ts';
import { rawHttp } from './raw-http.ts';
import { sign } from './sign.ts';

const request = {
  name: 'create-order',
  path: '/api/order/create',
  baseUrl: 'https://api.test',
  idempotencyKey: '',
} as const;

describe('a signature made as the browser makes it', () => {
  it.each(signatureVectors)('equals the vector: $name', async ({ body, timestamp, appKey, signature }) => {
    expect(await sign(body, timestamp, appKey)).toBe(signature);
  });
});

describe('the sample for a shell', () => {
  it.each(signatureVectors)(
    'signs by openssl as the vector does: $name',
    ({ body, appKey, timestamp, signature }) => {
      const [bodyAndTime = ''] = curlThatSigns({ ...request, body }).split('\n\ncurl');
      const script = bodyAndTime.replace('TS=$(date +%s)', `TS=${timestamp}`);
      const made = execFileSync('sh', ['-c', `${script}\nprintf '%s %s' "$SIGN" "$BODY"`], {
        env: { ...process.env, APP_KEY: appKey },
        encoding: 'utf8',
      });
      expect(made).toBe(`${signature} ${body}`);
    },
  );

  it('has a signature in it, and no key, where the browser signed', () => {
    const signed = {
      ...request,
      body: `{"subject":"it's"}`,
      appId: 'app_1',
      timestamp: '1763626800',
      signature: 'ab',
    };
    const said = execFileSync('sh', ['-c', curlSigned(signed).replace('curl', "printf '%s\\n'")], {
      encoding: 'utf8',
    });
    expect(said).toContain('X-Sign: ab\n');
    expect(said.endsWith(`--data-binary\n{"subject":"it's"}\n`)).toBe(true);
    expect(rawHttp(signed)).toContain('Host: api.test\nContent-Type: application/json\nContent-Length: 18\n');
  });
});

describe('the sample for Node.js', () => {
  const all = Object.entries(endpoints) as readonly (readonly [EndpointName, Endpoint])[];

  it.each(all)('calls the operation: %s', async (name, endpoint) => {
    const asked: { path: string; body: unknown }[] = [];
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const sent = new Request(input, init);
      asked.push({ path: new URL(sent.url).pathname, body: await sent.json() });
      return Response.json(successEnvelope(endpoint.exampleData));
    };
    const ducat = new Ducat({
      baseUrl: 'https://api.test',
      appId: 'app_1',
      appKey: 'key',
      maxRetries: 0,
      fetch,
    });
    const body = JSON.stringify(endpoint.exampleRequest);
    const call = /await (ducat\.[^]*);$/.exec(nodeSample({ ...request, name, body }))?.[1] ?? '';
    const module = `data:text/javascript,${encodeURIComponent(`export const run = async (ducat) => ${call};`)}`;
    const { run } = await import(/* @vite-ignore */ module);
    // The answer is not signed, so the call ends with an error that is of no interest here.
    await run(ducat).catch(() => undefined);
    expect(asked).toEqual([{ path: endpoint.path, body: endpoint.exampleRequest }]);
  });
});

describe('the search', () => {
  it('finds by the beginnings of words, and a page before what stands on it', () => {
    const entries = [
      ['Verify: PHP', 'Webhooks', 'integrate/webhooks#verify-php'],
      ['Webhooks', 'Integrate', 'integrate/webhooks'],
      ['Keys', 'Set up', 'operate/keys'],
    ] as const;
    const found = (asked: string) => findHeadings(entries, asked).map(([heading]) => heading);
    expect(found('web')).toEqual(['Webhooks', 'Verify: PHP']);
    expect(found('webh ver')).toEqual(['Verify: PHP']);
    expect([found(' '), found('nothing')]).toEqual([[], []]);
  });
});
