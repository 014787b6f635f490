// Claims payouts that may be sent, and asks for their transfers in the same database transaction.
import { assert } from '@ducat/core/assert';
import type { ChainDefinition } from '@ducat/core/chain/chain';
import { claimPayout } from '@ducat/core/payout/transition';
import type { Amount } from '@ducat/core/money/amount';
import { amountOf } from '@ducat/core/money/amount';
import type { PayoutApproval } from '@ducat/core/signing/transfer-intent';
import type { Tx } from '../../db/postgres/tx.ts';
import { readPayingWallet } from '../../db/tables/addresses.ts';
import { type HeldLease, holdsLease, payLease } from '../../db/tables/leases.ts';
import { readApprovals } from '../../db/tables/payouts/payout-approvals.ts';
import { type LockedPayout, lockReadyPayouts, updatePayout } from '../../db/tables/payouts/payouts.ts';
import { requestOutgoing } from '../outgoing/request-outgoing.ts';

export interface SendPayouts {
  readonly chain: Pick<ChainDefinition, 'name' | 'family'>;
  /** The most payouts that are claimed, the oldest of each app in turn. */
  readonly limit: number;
  /** The only payout to claim; null for all. */
  readonly only?: string | null;
  readonly newOutgoingId: () => string;
  readonly nowMs: number;
  readonly lease: HeldLease;
}

/**
 * Returns how many payouts were claimed; null where another process pays on the chain now, with nothing written. A payout
 * waits while its app has no wallet. A payout's transfer is asked for once: a second request changes nothing.
 */
export async function sendPayouts(tx: Tx, input: SendPayouts): Promise<number | null> {
  const { chain, limit, nowMs, lease, only = null } = input;
  if (!(await holdsLease(tx, payLease(chain.name), lease))) return null;
  const now = Math.floor(nowMs / 1000);
  let sent = 0;
  for (const payout of await lockReadyPayouts(tx, chain, { nowMs, limit, only })) {
    const from = await readPayingWallet(tx, chain.family, payout.appId);
    if (from === null) continue;
    const claimed = claimPayout(payout, now);
    assert(claimed.outcome === 'moved', `payout ${payout.tradeNo} was ready and is ${claimed.outcome}`);
    await updatePayout(tx, claimed.payout);
    await request(tx, payout, from, input);
    sent += 1;
  }
  return sent;
}

async function request(
  tx: Tx,
  payout: LockedPayout,
  from: string,
  { chain, newOutgoingId, nowMs }: SendPayouts,
): Promise<void> {
  const { approval, feeCap } = await approvalOf(tx, payout, nowMs);
  const requested = await requestOutgoing(tx, {
    outgoingId: newOutgoingId(),
    chain,
    subject: { kind: 'payout', id: payout.tradeNo, approval },
    from,
    to: payout.toAddress,
    amount: payout.receipt,
    feeCap,
    nowMs,
  });
  assert(requested === 'requested', `the transfer of payout ${payout.tradeNo} is ${requested}`);
}

interface Approved {
  readonly approval: PayoutApproval | null;
  readonly feeCap: Amount;
}

/** The approval that is valid the longest, with the fee cap that it allows. */
async function approvalOf(tx: Tx, { tradeNo, feeCap }: LockedPayout, nowMs: number): Promise<Approved> {
  const [longest] = await readApprovals(tx, tradeNo);
  if (longest === undefined || longest.expiry * 1000 <= nowMs) return { approval: null, feeCap };
  const { approvedAtMs: _when, ...approval } = longest;
  return { approval, feeCap: amountOf(feeCap.currencyId, approval.feeCap) };
}
