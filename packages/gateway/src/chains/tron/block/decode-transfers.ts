// What one transaction did by its bytes, its result and its receipt, and why that may not be all.
import type { UndecodedReason } from '../../port/reader.ts';
import { movesMoney, runsCode } from './decode-contract.ts';
import type { DecodedTransaction } from './decode-transaction.ts';
import { internalTransactions } from './internal-transactions.ts';
import type { TronQuery } from './query.ts';
import type { Receipt } from './receipts.ts';
import { tokenTransfers } from './token-transfers.ts';
import type { ValueTransfer } from './value-transfer.ts';

export interface Decoded {
  /** A transaction's own value comes first, then its tokens. */
  readonly transfers: readonly ValueTransfer[];
  readonly proposals: readonly ValueTransfer[];
  /** Usually empty. */
  readonly undecoded: readonly UndecodedReason[];
}

const nothing: Decoded = { transfers: [], proposals: [], undecoded: [] };

/**
 * What the code did comes from its execution and not from the bytes of the call, so it counts where only those are
 * unclear. Throws Outage 'invalid' where the receipt shows a log of a token as no node does.
 */
export function decodeTransfers(
  { contract, outcome }: DecodedTransaction,
  receipt: Receipt,
  query: TronQuery,
): Decoded {
  const { value, isClear } = contract;
  // What failed moved nothing, however it is written.
  if (outcome === 'failed' || (isClear && !movesMoney(contract))) return nothing;
  const unknown: readonly UndecodedReason[] = isClear ? [] : ['unknown-content'];
  if (outcome !== 'succeeded') return { ...nothing, undecoded: isClear ? ['unclear-receipt'] : unknown };
  // mark: bytes-with-one-meaning
  const own =
    value === null || query.native === null
      ? []
      : [{ currency: query.native, position: 'value', from: value.from, to: value.to, units: value.units }];
  if (!runsCode(contract)) return { transfers: own, proposals: [], undecoded: unknown };
  const executed = decodeExecution(receipt, query);
  return {
    transfers: [...own, ...executed.transfers],
    proposals: executed.proposals,
    undecoded: [...unknown, ...executed.undecoded],
  };
}

function decodeExecution(receipt: Receipt, { native, tokens }: TronQuery): Decoded {
  if (!receipt.saysSuccess) return { ...nothing, undecoded: ['unclear-receipt'] };
  const { transfers, isClear } = tokenTransfers(receipt.logs, tokens);
  const proposals = native === null ? [] : internalTransactions(receipt.internal, native);
  return { transfers, proposals, undecoded: isClear ? [] : ['unclear-receipt'] };
}
