// A page signs what it shows, on the network that is configured for it, or nothing.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { describe, expect, it } from 'vitest';
import { approvedBytes } from './approved-bytes.ts';
import { hexOf } from './approver-key.ts';
import type { Currency } from './currencies.ts';

type Approval = ResponseOf<'payouts.approval'>;

const TO = {
  ETH: {
    shown: '0xDAC17F958D2ee523a2206206994597C13D831ec7',
    signed: '0xdac17f958d2ee523a2206206994597c13d831ec7',
  },
  TRON: { shown: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', signed: '41a614f803b6fd780986a42c78ec9c7f77e6ded13c' },
} as const;

const currencies: readonly Currency[] = [
  currency({ currency_id: 1000, chain: 'ETH', chain_id: 1, contract: null, decimals: 18 }),
  currency({ currency_id: 1001, chain: 'ETH', chain_id: 1, contract: TO.ETH.shown }),
  currency({ currency_id: 3000, chain: 'TRON', chain_id: 728_126_428, contract: null }),
  currency({ currency_id: 3001, chain: 'TRON', chain_id: 728_126_428, contract: TO.TRON.shown }),
];
const find = (id: number) => currencies.find((each) => each.currency_id === id) ?? null;

function currency(change: Partial<Currency>): Currency {
  return {
    currency_id: 0,
    symbol: 'T',
    chain: '',
    chain_id: 0,
    network: '',
    decimals: 6,
    contract: null,
    logo: '',
    is_on: true,
    suspended: null,
    confirmations: 1,
    family: 'evm',
    explorer: null,
    ...change,
  };
}

const payout: Approval['payout'] = {
  trade_no: 'pay_1',
  app_id: 'app_1',
  status: 'PROGRESS',
  currency_id: 0,
  amount: '5',
  receipt: '5',
  cost: '0',
  reserved: '5',
  to_address: '',
  to_label: null,
  asked_by: null,
  needs_approval: true,
  approved_until: null,
  can_cancel: true,
  value_usd: null,
  create_time: 0,
  end_time: null,
  tx_id: null,
};

function approvalOn(chain: 'ETH' | 'TRON', change: Partial<Approval['signed']> = {}): Approval {
  const [coin, token] = chain === 'ETH' ? [1000, 1001] : [3000, 3001];
  const { shown, signed: to } = TO[chain];
  const signed = {
    version: 'ducat-payout-approval-1',
    payout_id: 'pay_1',
    chain_id: find(token)?.chain_id ?? 0,
    contract: to,
    to,
    base_units: '5000000',
    fee_cap: chain === 'ETH' ? '10000000000000000' : '10000',
    expiry: 1_800_000_000,
    approver: 'ada',
    ...change,
  };
  const { version, payout_id: payoutId, chain_id: chainId, expiry, ...rest } = signed;
  const fields = [
    version,
    payoutId,
    `${chainId}`,
    rest.contract,
    rest.to,
    rest.base_units,
    rest.fee_cap,
    `${expiry}`,
    rest.approver,
  ];
  return {
    payout: { ...payout, currency_id: token, to_address: shown },
    to_used: 0,
    to_listed_since: null,
    operable_after: '0',
    day_value_usd: null,
    day_limit_usd: null,
    max_fee_currency_id: coin,
    max_fee: '0.01',
    until: 1_800_000_000,
    signed,
    bytes: fields.map((field) => hexOfNumber(field.length, 8) + hexOfText(field)).join(''),
    bytes_hash: '',
  };
}

function hexOfNumber(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}

function hexOfText(text: string): string {
  return Array.from(text, (character) => hexOfNumber(character.charCodeAt(0), 2)).join('');
}

describe.each(['ETH', 'TRON'] as const)('what is signed on %s', (chain) => {
  it('is what is shown', () => {
    const shown = approvalOn(chain);
    const approved = approvedBytes(shown, { find });
    expect(approved).toMatchObject({ outcome: 'as-shown' });
    if (approved.outcome === 'as-shown') expect(hexOf(approved.bytes)).toBe(shown.bytes);
  });

  it('names the network that is configured', () => {
    const approved = approvedBytes(approvalOn(chain, { chain_id: 56 }), { find });
    expect(approved).toMatchObject({ outcome: 'other-network', signed: 56 });
  });

  it.each<Partial<Approval['signed']>>([
    { to: TO[chain].signed.replace('a', 'b') },
    { contract: '' },
    { base_units: '5000001' },
    { fee_cap: '1' },
    { payout_id: 'pay_2' },
  ])('is nothing where it differs: %o', (change) => {
    expect(approvedBytes(approvalOn(chain, change), { find })).toEqual({ outcome: 'disagrees' });
  });
});
