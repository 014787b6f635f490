// Books value that balances show and blocks do not: confirmed internal transactions, and receipts that nothing explains.
import { explain } from '@ducat/core/chain/explain';
import type { BlockStamp, Transfer } from '@ducat/core/chain/transfer';
import { type Amount, compare, isPositive, zero } from '@ducat/core/money/amount';
import type { Tx } from '../../db/postgres/tx.ts';
import { type ChainCursor, lockCursor, raiseSearched } from '../../db/tables/cursors.ts';
import { readExpectedBalances } from '../../db/tables/books/expected-balances.ts';
import { type HeldLease, holdsLease, watchLease } from '../../db/tables/leases.ts';
import { findRepeated, insertSeen } from '../../db/tables/transfers/insert-transfers.ts';
import { orphanProposals } from '../../db/tables/transfers/proposals.ts';
import { lockTransfersToSettle } from '../../db/tables/transfers/settle-transfers.ts';
import { SETTLED_AT_ONCE, type Settled, type Settling, settleThrough } from './settle.ts';

/** What an address gained beyond the books in one final block, or up to it where the chain cannot say in which block. */
export interface Gain {
  readonly block: BlockStamp;
  readonly amount: Amount;
  /** Internal transactions to the address that providers reported, in the order of the chain. */
  readonly candidates: readonly Transfer[];
}

/** An address that holds more than the books expect, as a quorum reports it. */
export interface BalanceFinding {
  readonly addressId: number;
  readonly address: string;
  /** The height of the balance, and what the books expected there. If they expect another amount now, the call is stale. */
  readonly at: number;
  readonly expected: Amount;
  /** What makes up the difference, in the order of the chain. */
  readonly gains: readonly Gain[];
}

export interface ConfirmInternal extends Settling {
  /** Rows of all addresses whose native balances were compared up to this final height, also those without a finding. */
  readonly checked: { readonly addressIds: readonly number[]; readonly upTo: number };
  readonly findings: readonly BalanceFinding[];
  /** Unexplained value up to this amount makes no receipt. */
  readonly dust: Amount;
  /** With this page of addresses the search is complete up to this block. Null where more pages follow. */
  readonly searched: { readonly number: number; readonly time: number } | null;
  /** The lease under which this process watches the chain. */
  readonly lease: HeldLease;
}

export type ConfirmedInternal =
  | {
      readonly outcome: 'confirmed';
      /** How many internal transactions were booked, each under its transaction id. */
      readonly explained: number;
      /** How many receipts were booked for value that no transaction explains. */
      readonly unexplained: number;
      /** How many proposals the balances did not confirm. */
      readonly dismissed: number;
      readonly settled: Settled;
    }
  /** The books changed since the balances were compared. Nothing was written; the balances are compared again. */
  | { readonly outcome: 'stale' }
  | { readonly outcome: 'halted'; readonly reason: string }
  | { readonly outcome: 'lease-lost' };

/**
 * A trace only proposes an internal transaction; the balance confirms it. A confirmed one is seen and settled at once,
 * because its block is final and an order must not time out although its payment is known. The search position commits
 * in the same transaction.
 */
export async function confirmInternal(tx: Tx, input: ConfirmInternal): Promise<ConfirmedInternal> {
  const { chain, checked, searched, nowMs } = input;
  if (!(await holdsLease(tx, watchLease(chain.name), input.lease))) return { outcome: 'lease-lost' };
  const cursor = await lockCursor(tx, chain.name, nowMs);
  if (cursor.haltedReason !== null) return { outcome: 'halted', reason: cursor.haltedReason };
  const { explained, unexplained } = explainAll(input);
  const found = [...explained, ...unexplained];
  const highest = Math.max(
    checked.upTo,
    searched?.number ?? 0,
    ...input.findings.map(({ at }) => at),
    ...found.map(({ block }) => block.number),
  );
  const { finalNumber } = cursor;
  if (finalNumber === null || highest > finalNumber) return { outcome: 'stale' };
  if (!(await isUpToDate(tx, input)) || (await findRepeated(tx, found)) !== null) return { outcome: 'stale' };
  await insertSeen(tx, chain.family, placedLast(explained));
  await insertSeen(tx, chain.family, placedLast(unexplained), { forOrders: false });
  const dismissed = await orphanProposals(tx, chain.name, checked.addressIds, checked.upTo);
  if (searched !== null) await raiseSearched(tx, chain.name, searched);
  const settled = await settleRest(tx, input, cursor, finalNumber);
  return {
    outcome: 'confirmed',
    explained: explained.length,
    unexplained: unexplained.length,
    dismissed,
    settled,
  };
}

/** Whether the books still expect the amounts that the gains were computed from. Otherwise a gain could be booked twice. */
async function isUpToDate(tx: Tx, { chain, findings }: ConfirmInternal): Promise<boolean> {
  for (const at of new Set(findings.map((finding) => finding.at))) {
    const here = findings.filter((finding) => finding.at === at);
    const addressIds = here.map(({ addressId }) => addressId);
    const now = await readExpectedBalances(tx, { chain: chain.name, addressIds, atBlock: at });
    // mark: no-gain-is-booked-twice
    for (const { addressId, expected } of here) {
      const { currencyId } = expected;
      if (compare(now.get(addressId)?.get(currencyId) ?? zero(currencyId), expected) !== 0) return false;
    }
  }
  return true;
}

function explainAll({ chain, findings, dust }: ConfirmInternal): {
  readonly explained: readonly Transfer[];
  readonly unexplained: readonly Transfer[];
} {
  const explained: Transfer[] = [];
  const unexplained: Transfer[] = [];
  for (const { address, gains } of findings) {
    for (const { block, amount, candidates } of gains) {
      const { confirmed, rest } = explain(amount, candidates);
      explained.push(...confirmed);
      if (isPositive(rest) && compare(rest, dust) === 1)
        unexplained.push(receiptOf(chain.name, address, block, rest));
    }
  }
  return { explained, unexplained };
}

/** A receipt for value whose transaction is unknown. The hash of its block stands in for the transaction id. */
function receiptOf(chain: string, address: string, block: BlockStamp, amount: Amount): Transfer {
  return { chain, txId: `balance:${block.hash}`, position: address, from: '', to: address, amount, block };
}

/** Ordinals from here on come after everything that a block itself shows. */
const LAST_PLACES = 1_000_000;

function placedLast(transfers: readonly Transfer[]) {
  return transfers.map((transfer, index) => ({ transfer, ordinal: LAST_PLACES + index }));
}

/** Settles the transfers that were just seen, and late payments that waited for the search. */
async function settleRest(
  tx: Tx,
  input: ConfirmInternal,
  cursor: ChainCursor,
  finalNumber: number,
): Promise<Settled> {
  const range = { upTo: finalNumber };
  const ready = await lockTransfersToSettle(tx, input.chain.name, range, SETTLED_AT_ONCE + 1);
  const times = [cursor.searchedTime, input.searched?.time].filter((time) => typeof time === 'number');
  const searchedTime = times.length === 0 ? null : Math.max(...times);
  return settleThrough(tx, input, { upTo: finalNumber, ready, searchedTime });
}
