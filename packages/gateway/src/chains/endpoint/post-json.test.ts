// The page of a gateway is judged by its status, however large it is.
import { expect, it } from 'vitest';
import { manualWorld } from '@ducat/testkit/chains/manual-world';
import { postJson } from './post-json.ts';
import { TooMuch } from './too-much.ts';
import { splitUrl } from './url-secrets.ts';

const post = (status: number): Promise<number> => {
  const target = splitUrl('http://node');
  const options = { name: 'node', target, url: target.url, headers: {}, body: '{}', method: 'eth_chainId' };
  const limits = { timeoutMs: 1_000, maxBodyBytes: 64 };
  const fetch = async (): Promise<Response> => new Response('x'.repeat(100), { status });
  return postJson(
    { ...options, ...limits, world: manualWorld(), fetch, observer: null },
    (answer) => answer.status,
  );
};

it('only what was asked for can be counted to be too much', async () => {
  expect(await post(504)).toBe(504);
  await expect(post(200)).rejects.toThrow(TooMuch);
});
