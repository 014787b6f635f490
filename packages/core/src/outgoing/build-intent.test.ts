// Every part of a transaction stands in its intent where the signer reads it.
import { describe, expect, it } from 'vitest';
import { Bug } from '../assert.ts';
import { amountOf } from '../money/amount.ts';
import { buildIntent, type IntentParts, offeredBy, type SendingPlace } from './build-intent.ts';
import type { OfferedTerms, TronTerms } from './terms.ts';

const key = { account: 3, branch: 'wallet', index: 0 } as const;
const subject = { kind: 'payout', id: 'pay_1', approval: null } as const;
const common = { subject, key, chainId: 7 };
const moved = { to: '0xto', contract: '0xtoken', baseUnits: 5n };
const evmTerms: OfferedTerms = {
  family: 'evm',
  gasLimit: 21_000n,
  maxFeePerGas: 30n,
  maxPriorityFeePerGas: 2n,
  isLegacy: false,
};
const legacyTerms: OfferedTerms = { ...evmTerms, maxPriorityFeePerGas: 30n, isLegacy: true };
const tronTerms: TronTerms = { family: 'tron', feeLimit: 9n };
const evmPlace: SendingPlace = { family: 'evm', nonce: 4 };
const hash = '0000000001234567aabbccddeeff00112233445566778899aabbccddeeff0011';
const tronPlace: SendingPlace = {
  family: 'tron',
  reference: { number: 0x0123_000a, hash },
  expirationMs: 2_000,
  timestampMs: 1_000,
};
const parts: IntentParts = {
  chain: { chainId: 7 },
  subject,
  key,
  currency: { contract: '0xtoken' },
  to: '0xto',
  amount: amountOf(1001, 5n),
  place: evmPlace,
  terms: evmTerms,
};
const staker = { address: '41aa', permission: 2 };
const delegation = { action: 'delegate', staker } as const;

describe('an intent', () => {
  const evm = { family: 'evm', ...common, ...moved, nonce: 4, gasLimit: 21_000n };
  const tron = {
    family: 'tron',
    ...common,
    refBlockBytes: '000a',
    refBlockHash: 'aabbccddeeff0011',
    expirationMs: 2_000,
    timestampMs: 1_000,
    feeLimit: 9n,
  };
  const energy = { staker, to: '0xto', resource: 'energy', baseUnits: 5n };

  it.each<readonly [string, Partial<IntentParts>, object]>([
    [
      'of EIP-1559',
      {},
      { ...evm, fees: { type: 'fee-market', maxFeePerGas: 30n, maxPriorityFeePerGas: 2n } },
    ],
    ['without a base fee', { terms: legacyTerms }, { ...evm, fees: { type: 'legacy', gasPrice: 30n } }],
    ['on Tron', { place: tronPlace, terms: tronTerms }, { ...tron, action: { type: 'transfer', ...moved } }],
    [
      'that delegates',
      { place: tronPlace, terms: tronTerms, delegation },
      { ...tron, action: { type: 'delegate', ...energy } },
    ],
    [
      'that takes back',
      { place: tronPlace, terms: tronTerms, delegation: { ...delegation, action: 'undelegate' } },
      { ...tron, action: { type: 'undelegate', ...energy } },
    ],
  ])('%s', (_, change, intent) => {
    expect(buildIntent({ ...parts, ...change })).toEqual(intent);
  });

  it.each<readonly [string, Partial<IntentParts>]>([
    ['a place on Tron and terms of EVM', { place: tronPlace }],
    ['a place on EVM and terms of Tron', { terms: tronTerms }],
    ['a delegation on EVM', { delegation }],
  ])('is none of %s', (_, change) => {
    expect(() => buildIntent({ ...parts, ...change })).toThrow(Bug);
  });

  it.each([evmTerms, legacyTerms])('offers what its terms say: %o', (terms) => {
    expect(offeredBy(buildIntent({ ...parts, terms }))).toEqual(terms);
  });

  it('offers nothing that a higher offer could replace on Tron', () => {
    expect(offeredBy(buildIntent({ ...parts, place: tronPlace, terms: tronTerms }))).toBeNull();
  });
});
