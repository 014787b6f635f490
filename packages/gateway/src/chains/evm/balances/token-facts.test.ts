// What a contract calls itself is read as text of known length, or not at all; and what it is worth by all providers alike.
import { eth } from '@ducat/core/chain/definitions/eth';
import { expect, it } from 'vitest';
import { realWorld } from '../../../runtime/world.ts';
import type { HttpPost } from '../../rpc/http-post.ts';
import { readTokenFacts, symbolOf } from './token-facts.ts';

const word = (value: bigint | number) => BigInt(value).toString(16).padStart(64, '0');
const text = (symbol: string) => Buffer.from(symbol).toString('hex').padEnd(64, '0');

it.each([
  ['a string', word(32) + word(4) + text('USDT'), 'USDT'],
  ['32 bytes, as tokens had them', text('MKR'), 'MKR'],
  ['a letter that looks like another', word(32) + word(5) + text('USDТ'), null],
  ['markup that breaks lines', word(32) + word(3) + text('<\n>'), null],
  ['a length beyond any symbol', word(32) + word(2n ** 255n) + text('USDT'), null],
  ['another place', word(2n ** 200n) + word(4) + text('USDT'), null],
  ['nothing', '', null],
])('reads %s', (_what, digits, symbol) => expect(symbolOf(digits)).toBe(symbol));

/** Providers that differ in the decimals of every token. */
function providersOf(decimals: Readonly<Record<string, number>>): HttpPost {
  return async ({ url, body }) => {
    const { id, method, params } = JSON.parse(body);
    const results: Readonly<Record<string, string>> = {
      eth_chainId: '0x1',
      eth_getCode: '0x60',
      eth_call: `0x${params[0]?.data === '0x313ce567' ? word(decimals[new URL(url).hostname] ?? 0) : text('USDT')}`,
    };
    const answer = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] }));
    return {
      status: 200,
      body: (async function* () {
        yield answer;
      })(),
    };
  };
}

it('takes the decimals that every provider reports, and none where one reports others', async () => {
  const definition = { ...eth, genesisHash: null };
  const asked = { definition, rpcUrls: ['http://one.test', 'http://two.test'], world: realWorld };
  const facts = (decimals: Readonly<Record<string, number>>) =>
    readTokenFacts({ ...asked, http: providersOf(decimals) }, '0xaa');
  expect(await facts({ 'one.test': 18, 'two.test': 18 })).toEqual({ decimals: 18, symbol: 'USDT' });
  await expect(facts({ 'one.test': 6, 'two.test': 18 })).rejects.toMatchObject({ kind: 'disagreement' });
});
