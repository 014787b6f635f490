// What a payment of the demo consists of.
import { describe, expect, it } from 'vitest';
import { planPayment } from './plan-payment.ts';
import type { DemoChain } from '../state/demo-record.ts';

const offered = { off_reason: '', fiat_price: true };
const coin = { currency_id: 1000, symbol: 'ETH', contract: '', decimals: 18, ...offered };
const usdt = { currency_id: 1001, symbol: 'USDT', contract: '0xa', decimals: 6, ...offered };
const usdc = { currency_id: 1002, symbol: 'USDC', contract: '0xb', decimals: 6, ...offered };

function chain(name: string, currencies: DemoChain['currencies']): DemoChain {
  const payer = { address: '0x1', private_key: '0x2' };
  const rest = { rpc_url: '', genesis_hash: '0x0', block_time_ms: 1000, need_confirms: 5, payer };
  return { chain: name, family: 'evm', chain_id: 1, currencies, ...rest };
}

const chains = [
  chain('ETH', [coin, usdt, usdc]),
  chain('BSC', [
    { ...coin, currency_id: 2000, symbol: 'BNB' },
    { ...usdt, currency_id: 2001, decimals: 18 },
  ]),
];
const order = { chain: 'ETH', token: 'USDT', amount: '12.5', amount_collected: '' };

describe('a payment', () => {
  it.each([
    ['pays what the order asks for', order, {}, 1001, 12_500_000n],
    ['pays what is still open', { ...order, amount_collected: '10' }, {}, 1001, 2_500_000n],
    ['pays once more where nothing is open', { ...order, amount_collected: '13' }, {}, 1001, 12_500_000n],
    ['pays what was asked for', order, { amount: '0.000001' }, 1001, 1n],
    ['pays another token by mistake', order, { wrongToken: true }, 1002, 12_500_000n],
    [
      'pays the coin by mistake where it is asked for one of its tokens',
      { ...order, token: 'ETH' },
      { wrongToken: true },
      1001,
      12_500_000n,
    ],
    [
      'pays the same token on another chain by mistake',
      order,
      { wrongChain: true },
      2001,
      12_500_000_000_000_000_000n,
    ],
  ])('%s', (_name, asked, wish, currencyId, units) => {
    const plan = planPayment(asked, chains, wish);
    expect([plan.currency.currency_id, plan.units]).toEqual([currencyId, units]);
  });

  it.each(['0', '1.0000001', '-1', '1e3', ''])('of %j is refused', (amount) => {
    expect(() => planPayment(order, chains, { amount })).toThrow('is no amount of USDT');
  });

  it('on a chain that the demo lacks is refused', () => {
    expect(() => planPayment({ ...order, chain: 'Tron' }, chains, {})).toThrow('no Tron chain');
  });
});
