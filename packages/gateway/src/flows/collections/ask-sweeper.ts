// Asks for the transaction that deploys the sweeper of an app's wallet, once.
import { assert } from '@ducat/core/assert';
import type { ChainDefinition } from '@ducat/core/chain/chain';
import { nextSweeperRequest, type NextSweeperRequest } from '@ducat/core/collection/sweeper-request';
import { type Amount, zero } from '@ducat/core/money/amount';
import { walletPath } from '@ducat/core/signing/key-path';
import { readSweeperRequest } from '../../db/tables/collections/sweepers.ts';
import { collectLease, type HeldLease, holdsLease } from '../../db/tables/leases.ts';
import type { Tx } from '../../db/postgres/tx.ts';
import { requestOutgoing } from '../outgoing/request-outgoing.ts';

export interface AskSweeper {
  /** The ids of the transaction, where one is asked for. */
  readonly sweepId: string;
  readonly outgoingId: string;
  readonly chain: Pick<ChainDefinition, 'name' | 'family'>;
  readonly nativeId: number;
  readonly gasWallet: string;
  readonly wallet: string;
  /** The app's number below the seed. */
  readonly account: number;
  readonly feeCap: Amount;
  readonly nowMs: number;
  readonly lease: HeldLease;
}

export async function askSweeper(tx: Tx, input: AskSweeper): Promise<NextSweeperRequest | 'lease-lost'> {
  const { chain, wallet: to, account, nativeId, sweepId: id, outgoingId, feeCap, nowMs } = input;
  if (!(await holdsLease(tx, collectLease(chain.name), input.lease))) return 'lease-lost';
  const last = await readSweeperRequest(tx, chain.name, to);
  const next = nextSweeperRequest(last, nowMs);
  if (next !== 'ask') return next;
  const subject = { kind: 'funding', id, recipient: walletPath(account) } as const;
  const terms = { outgoingId, chain, subject, from: input.gasWallet, to, feeCap, nowMs };
  const sweeping = { type: 'deploy' } as const;
  const requested = await requestOutgoing(tx, { ...terms, amount: zero(nativeId), sweeping });
  assert(requested === 'requested', `the sweeper ${id} was ${requested}`);
  return next;
}
