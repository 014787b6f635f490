// What an approver signs is what the payout is, and which key is which.
import { expect, it } from 'vitest';
import { eth } from '../chain/definitions/eth.ts';
import { amountOf } from '../money/amount.ts';
import { approvedPayout } from './approved-payout.ts';
import { branchNumber, GATEWAY_ACCOUNT, walletPath } from './key-path.ts';

const usdt = eth.currencies.find(({ currencyId }) => currencyId === 1001)!;

it.each([
  [null, 90n],
  [0n, 0n],
  [5n, 5n],
])('an approval with a fee cap of %s has one of %s', (feeCap, expected) => {
  const payout = {
    tradeNo: 'pay_1',
    toAddress: '0xto',
    receipt: amountOf(1001, 1_000n),
    feeCap: amountOf(1000, 90n),
  };
  const terms = { approver: 'alice', expiry: 1_800_000_000, feeCap };
  expect(approvedPayout(payout, { chain: { chainId: 7 }, currency: usdt }, terms)).toEqual({
    kind: 'payout',
    payoutId: 'pay_1',
    chainId: 7,
    contract: usdt.contract,
    to: '0xto',
    baseUnits: 1_000n,
    feeCap: expected,
    expiry: 1_800_000_000,
    approver: 'alice',
  });
});

it('each app has one wallet, below a branch of its own, and the gateway has the last account', () => {
  expect(walletPath(3)).toEqual({ account: 3, branch: 'wallet', index: 0 });
  expect([branchNumber('deposit'), branchNumber('wallet')]).toEqual([0, 1]);
  expect(GATEWAY_ACCOUNT).toBe(2_147_483_647);
});
