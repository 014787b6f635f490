// Asks for a top-up: coin from the gas wallet for an app's wallet that cannot pay the network fees of its payouts.
import { assert } from '@ducat/core/assert';
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { Amount } from '@ducat/core/money/amount';
import { walletPath } from '@ducat/core/signing/key-path';
import type { Tx } from '../../db/postgres/tx.ts';
import { hasOpenTopUp } from '../../db/tables/collections/top-ups.ts';
import { collectLease, type HeldLease, holdsLease } from '../../db/tables/leases.ts';
import { requestOutgoing } from '../outgoing/request-outgoing.ts';

export interface StartTopUp {
  readonly topUpId: string;
  readonly outgoingId: string;
  readonly chain: Pick<ChainDefinition, 'name' | 'family'>;
  readonly gasWallet: string;
  readonly wallet: { readonly address: string; readonly account: number };
  readonly amount: Amount;
  readonly feeCap: Amount;
  readonly nowMs: number;
  readonly lease: HeldLease;
}

/** `repeated`: a top-up of this wallet is open already. */
export type StartedTopUp = 'started' | 'repeated' | 'lease-lost';

export async function startTopUp(tx: Tx, input: StartTopUp): Promise<StartedTopUp> {
  const { topUpId, outgoingId, chain, gasWallet, wallet, amount, feeCap, nowMs } = input;
  if (!(await holdsLease(tx, collectLease(chain.name), input.lease))) return 'lease-lost';
  // mark: one-top-up-at-a-time
  if (await hasOpenTopUp(tx, chain.name, wallet.address)) return 'repeated';
  const subject = { kind: 'funding', id: topUpId, recipient: walletPath(wallet.account) } as const;
  const { address: to } = wallet;
  const requested = await requestOutgoing(tx, {
    outgoingId,
    chain,
    subject,
    from: gasWallet,
    to,
    amount,
    feeCap,
    nowMs,
  });
  assert(requested === 'requested', `top-up ${topUpId} was ${requested}`);
  return 'started';
}
