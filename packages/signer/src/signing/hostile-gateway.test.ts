// A gateway under an attacker's control asks for everything that is not allowed: nothing is signed, all is logged.
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EvmTransferIntent, TransferIntent } from '@ducat/core/signing/transfer-intent';
import { intentRecord } from '@ducat/core/signing/intent-record';
import { verifySigningLog } from '../log/signing-log.ts';
import {
  coldAddress,
  deposit,
  evmPayout,
  openSigningPlace,
  type SigningPlace,
  staker,
  startMs,
  stranger,
  tronPayout,
  usdt,
  wallet,
} from '../testing/signing-place.ts';

let place: SigningPlace;
beforeEach(() => {
  place = openSigningPlace();
});
afterEach(() => place.remove());

const other = `0x${'66'.repeat(20)}`;

function refuses(intent: TransferIntent | Record<string, unknown>, reason: string): void {
  expect(place.ask(intent)).toMatchObject({ outcome: 'refused', reason });
  expect(place.ask(intent)).not.toHaveProperty('bytes');
}

function signs(intent: TransferIntent): string {
  const answer = place.ask(intent);
  expect(answer).toMatchObject({ outcome: 'signed' });
  return answer.outcome === 'signed' ? answer.bytes : '';
}

describe('what a hostile gateway asks for is refused and logged', () => {
  afterEach(() => {
    const { signed, refused, head } = verifySigningLog(place.logPath);
    expect(refused).toBeGreaterThan(0);
    expect(head.sequence).toBe(signed + refused + 1);
  });

  const paid = evmPayout('pay_1', 0);
  it.each<[string, string, Partial<EvmTransferIntent>]>([
    ['another destination', 'subject-differs', { to: other }],
    ['a higher amount', 'subject-differs', { baseUnits: 101n }],
    ['a second nonce', 'subject-differs', { nonce: 1 }],
    ['another asset', 'subject-differs', { contract: null }],
    ['another sender', 'subject-differs', { key: { ...wallet, index: 1 } }],
    ['the same fees with more gas', 'fee-not-higher', { gasLimit: 70_000n }],
    [
      'a higher fee and a lower tip',
      'fee-not-higher',
      { fees: { type: 'fee-market', maxFeePerGas: 90_000_000_000n, maxPriorityFeePerGas: 1n } },
    ],
    [
      'the nonce for another payout',
      'nonce-taken',
      { subject: { kind: 'payout', id: 'pay_2', approval: null } },
    ],
  ])('for a payout that was signed: %s', (_what, reason, change) => {
    signs(paid);
    refuses({ ...paid, ...change }, reason);
  });

  it.each([
    ['an EIP-7702 transaction', { authorizationList: [{ address: other, chainId: 0, nonce: 0 }] }],
    ['call data of its own', { data: '0x095ea7b3' }],
    ['bytes to sign', { bytes: 'ff'.repeat(32) }],
    ['a family that does not exist', { family: 'btc' }],
    ['a subject that does not exist', { subject: { kind: 'sweep', id: 'x' } }],
    ['an amount of zero', { baseUnits: '0' }],
  ])('an unknown type: %s', (_what, change) => {
    refuses({ ...structuredClone(intentRecord(paid)), ...change }, 'malformed');
  });

  it.each<[string, string, Partial<EvmTransferIntent>]>([
    ['to a stranger', 'destination', { to: stranger }],
    ['to a deposit address', 'key-use', { subject: { kind: 'collection', id: 'c', recipient: deposit } }],
  ])('a collection %s', (_what, reason, change) => {
    const subject = { kind: 'collection', id: 'c', recipient: wallet } as const;
    const to = place.keyring.address('evm', wallet);
    refuses(evmPayout('', 0, { key: deposit, subject, to, ...change }), reason);
    signs(evmPayout('', 0, { key: deposit, subject, to }));
  });

  it('gas for a stranger, tokens as gas, and cold storage of its own', () => {
    const funding = { kind: 'funding', id: 'f', recipient: deposit } as const;
    refuses(evmPayout('', 0, { subject: funding, contract: null }), 'destination');
    const to = place.keyring.address('evm', deposit);
    refuses(evmPayout('', 0, { subject: funding, to }), 'key-use');
    signs(evmPayout('', 0, { subject: funding, to, contract: null }));
    const cold = { kind: 'cold', id: 'm', approval: null } as const;
    refuses(evmPayout('', 1, { subject: cold }), 'destination');
    refuses(evmPayout('', 1, { subject: cold, to: coldAddress, baseUnits: 10n ** 30n }), 'approval-missing');
    signs(evmPayout('', 1, { subject: cold, to: coldAddress }));
  });

  it.each([
    ['the zero address', `0x${'00'.repeat(20)}`],
    ['a precompiled contract', `0x${'00'.repeat(19)}05`],
    ['the token itself', usdt],
  ])('a payout to %s', (_what, to) => refuses(evmPayout('p', 0, { to }), 'destination'));

  // hits mark: only-the-stake-of-the-policy
  it('energy for a stranger, of another stake, or more of it than the limits', () => {
    const { action: _action, ...rest } = tronPayout(
      { kind: 'funding', id: 'd', recipient: deposit },
      startMs,
    );
    const to = place.keyring.address('tron', deposit);
    const energy = { type: 'delegate', staker, resource: 'energy', to, baseUnits: 1000n } as const;
    const asking = (change: object, id = 'd') => ({
      ...rest,
      subject: { ...rest.subject, id },
      action: { ...energy, ...change },
    });
    refuses(asking({ to: `41${'66'.repeat(20)}` }), 'destination');
    refuses(asking({ staker: { ...staker, address: to } }), 'stake-unknown');
    refuses(asking({ staker: { ...staker, permission: 0 } }), 'stake-unknown');
    refuses(asking({ resource: 'bandwidth' }), 'stake-unknown');
    refuses(asking({ baseUnits: 1001n }), 'limit-transaction');
    signs(asking({}));
    refuses(asking({ type: 'undelegate' }), 'subject-differs');
    // Stake that is taken back is no spending, and does not free the limits.
    signs(asking({ type: 'undelegate', baseUnits: 5000n }, 'd.back1'));
    signs(asking({}, 'e'));
    refuses(asking({ baseUnits: 1n }, 'f'), 'limit-hour');
    const payout = { kind: 'payout', id: 'p', approval: null } as const;
    refuses({ ...asking({}), subject: payout }, 'key-use');
    const toWallet = { kind: 'funding', id: 'w', recipient: wallet } as const;
    refuses({ ...asking({}), subject: toWallet, key: { ...wallet, index: 1 } }, 'key-use');
    refuses({ ...asking({}, 'g'), key: deposit }, 'key-use');
  });

  it('chains and assets that the policy does not name', () => {
    refuses(evmPayout('p', 0, { chainId: 56 }), 'chain-unknown');
    refuses(evmPayout('p', 0, { contract: other }), 'asset-unknown');
  });

  it('more than the limits of a transaction, an hour and a day', () => {
    const approved = (id: string, nonce: number, baseUnits: bigint) => {
      const payout = evmPayout(id, nonce, { baseUnits });
      return {
        ...payout,
        subject: { kind: 'payout', id, approval: place.approve({ ...payout, id }) } as const,
      };
    };
    refuses(approved('a', 0, 1001n), 'limit-transaction');
    signs(approved('b', 0, 1000n));
    signs(approved('c', 1, 1000n));
    refuses(evmPayout('d', 2, { baseUnits: 1n }), 'limit-hour');
    place.clock.nowMs += 3_600_000;
    refuses(approved('e', 2, 500n), 'approval-expired');
    signs(evmPayout('f', 2, { baseUnits: 500n }));
    signs(evmPayout('g', 3, { baseUnits: 500n }));
    place.reopen();
    place.clock.nowMs += 3_600_000;
    refuses(evmPayout('h', 4, { baseUnits: 1n }), 'limit-day');
    place.clock.nowMs -= 48 * 3_600_000;
    refuses(evmPayout('h', 4, { baseUnits: 1n }), 'limit-day');
    signs(evmPayout('i', 4, { baseUnits: 1n, contract: null }));
  });

  // hits mark: an-approval-outlasts-its-first-signature
  it('a replacement above the approved fee, and a new payout after its approval expired; not a replacement within the fee', () => {
    const offering = (gasPrice: bigint) => {
      const payout = evmPayout('a', 0, { baseUnits: 1000n, fees: { type: 'legacy', gasPrice } });
      return { ...payout, subject: { kind: 'payout', id: 'a', approval } as const };
    };
    const first = evmPayout('a', 0, { baseUnits: 1000n });
    const approval = place.approve({ ...first, id: 'a' });
    signs(offering(2n));
    place.clock.nowMs += 3_600_000 * 24;
    signs(offering(3n));
    refuses(offering(2n * 10n ** 13n), 'approval-invalid');
    const other = evmPayout('b', 1, { baseUnits: 1000n });
    const late = { kind: 'payout', id: 'b', approval: place.approve({ ...other, id: 'b' }) } as const;
    refuses({ ...other, subject: late }, 'approval-expired');
  });

  it('fees above their own limits, in one transaction or in many', () => {
    const costing = (id: string, nonce: number, wei: bigint) =>
      evmPayout(id, nonce, { gasLimit: 100n, fees: { type: 'legacy', gasPrice: wei / 100n } });
    refuses(costing('a', 0, 10n ** 18n + 100n), 'limit-fee-transaction');
    signs(costing('a', 0, 10n ** 18n / 2n));
    signs(costing('a', 0, 10n ** 18n));
    signs(costing('b', 1, 10n ** 18n));
    signs(costing('c', 2, 10n ** 18n));
    refuses(costing('d', 3, 100n), 'limit-fee-hour');
  });

  it('a payout above the amount for approvals without one, or with one for something else', () => {
    const payout = evmPayout('big', 0, { baseUnits: 600n });
    const approval = place.approve({ ...payout, id: 'big' });
    const withApproval = (change: Partial<EvmTransferIntent>, given = approval) => ({
      ...payout,
      subject: { kind: 'payout', id: 'big', approval: given } as const,
      ...change,
    });
    refuses(payout, 'approval-missing');
    refuses(withApproval({ to: other }), 'approval-invalid');
    refuses(withApproval({ baseUnits: 601n }), 'approval-invalid');
    refuses(withApproval({ contract: null }), 'approval-invalid');
    refuses(withApproval({ subject: { kind: 'payout', id: 'big2', approval } }), 'approval-invalid');
    refuses(withApproval({}, { ...approval, expiry: approval.expiry + 1 }), 'approval-invalid');
    refuses(withApproval({}, { ...approval, approver: 'mallory' }), 'approval-unknown');
    signs(withApproval({}));
  });

  // hits mark: approval-of-one-kind
  it.each(['payout', 'cold'] as const)('for a %s that was approved: the same as the other kind', (kind) => {
    const to = coldAddress;
    const large = evmPayout('', 0, { to, baseUnits: 600n });
    const approval = place.approve({ ...large, id: 'cld_1', kind });
    const otherKind = kind === 'cold' ? 'payout' : 'cold';
    signs({ ...large, subject: { kind, id: 'cld_1', approval } });
    refuses({ ...large, nonce: 1, subject: { kind: otherKind, id: 'cld_1', approval } }, 'approval-invalid');
  });

  it('more than the limits, to cold storage below the amount for approvals', () => {
    const cold = (nonce: number) =>
      evmPayout('', nonce, {
        subject: { kind: 'cold', id: `cld_${nonce}`, approval: null },
        to: coldAddress,
        baseUnits: 500n,
      });
    for (const nonce of [0, 1, 2, 3]) signs(cold(nonce));
    refuses(cold(4), 'limit-hour');
    refuses(evmPayout('p', 4, { baseUnits: 1n }), 'limit-hour');
  });

  it('on Tron a second transaction while the first may be included, and a second one by the same approval', () => {
    const payout = { kind: 'payout', id: 'p', approval: null } as const;
    signs(tronPayout(payout, startMs));
    refuses(tronPayout(payout, startMs + 1), 'unexpired');
    place.clock.nowMs += 120_000;
    refuses(tronPayout(payout, startMs + 1), 'expiration');
    refuses(tronPayout(payout, place.clock.nowMs), 'unexpired');
    place.clock.nowMs += 1;
    refuses(tronPayout(payout, place.clock.nowMs, 101n), 'subject-differs');
    signs(tronPayout(payout, place.clock.nowMs));

    const { to, ...large } = { to: `41${'5a'.repeat(20)}`, chainId: 99, contract: null, baseUnits: 600n };
    const subject = { kind: 'payout', id: 'q', approval: place.approve({ id: 'q', to, ...large }) } as const;
    signs(tronPayout(subject, place.clock.nowMs, 600n));
    place.clock.nowMs += 200_000;
    refuses(tronPayout(subject, place.clock.nowMs, 600n), 'approval-used');
  });
});

describe('what an honest gateway asks for', () => {
  it('has the same answer each time, after a restart too, and one entry', () => {
    const intent = evmPayout('pay_1', 0);
    const once = signs(intent);
    place.reopen();
    expect(signs(intent)).toBe(once);
    expect(verifySigningLog(place.logPath).signed).toBe(1);
  });

  it('may offer more for the same nonce, and any variant again', () => {
    const fees = {
      type: 'fee-market',
      maxFeePerGas: 30_000_000_000n,
      maxPriorityFeePerGas: 2_000_000_000n,
    } as const;
    const first = signs(evmPayout('pay_1', 0));
    const second = signs(evmPayout('pay_1', 0, { fees }));
    expect(second).not.toBe(first);
    expect(signs(evmPayout('pay_1', 0))).toBe(first);
    // The two variants are one payment, so the rest of the hour's limit is left for other payouts.
    for (const nonce of [1, 2, 3]) signs(evmPayout(`other_${nonce}`, nonce, { baseUnits: 500n }));
    signs(evmPayout('last', 4, { baseUnits: 400n }));
  });

  it('may collect the native coin with higher fees, which come off what arrives', () => {
    const subject = { kind: 'collection', id: 'c', recipient: wallet } as const;
    const whole = { key: deposit, subject, to: place.keyring.address('evm', wallet), contract: null };
    const fees = { type: 'legacy', gasPrice: 50_000_000_000n } as const;
    signs(evmPayout('', 0, { ...whole, baseUnits: 10n ** 20n }));
    signs(evmPayout('', 0, { ...whole, baseUnits: 10n ** 19n, fees }));
  });

  it('is distinguished in the log by who asked, what for and why not', () => {
    signs(evmPayout('pay_1', 0));
    refuses(evmPayout('pay_1', 1), 'subject-differs');
    const lines = readFileSync(place.logPath, 'utf8').trim().split('\n');
    const entries = lines.map((line) => JSON.parse(line));
    expect(entries.map(({ event, reason }) => [event, reason])).toEqual([
      ['begun', undefined],
      ['signed', undefined],
      ['refused', 'subject-differs'],
      ['refused', 'subject-differs'],
    ]);
    expect(entries[2]).toMatchObject({ client: 'payer', intent: { nonce: 1, subject: { id: 'pay_1' } } });
  });
});
