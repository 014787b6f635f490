// Proves by a quorum that a booked receipt is not on the chain: its block is another one, and no skipped block holds it.
import { firstToSearch, type GoneProof, hasTransaction, lastToSearch } from '@ducat/core/ledger/reversal';
import type { ChainReader } from '../../../chains/port/reader.ts';
import type { Reader } from '../../../db/postgres/tx.ts';
import { readCursor } from '../../../db/tables/cursors.ts';
import { findReceipt, type TransferIdentity } from '../../../db/tables/transfers/receipts.ts';
import { type Search, searchFinal } from './search-final.ts';

export type Proven =
  | { readonly outcome: 'gone'; readonly proof: GoneProof }
  /** The books hold no such final transfer. */
  | { readonly outcome: 'unknown-receipt' }
  /** A quorum has the block of the receipt. */
  | { readonly outcome: 'on-chain'; readonly number: number }
  /** A balance alone showed it, so there is no transaction to search for. */
  | { readonly outcome: 'no-transaction' }
  /** Blocks are not read for its currency, so the books would not notice the receipt in a later one. */
  | { readonly outcome: 'not-read'; readonly currencyId: number }
  /** The books did not skip the block of the receipt, so they are not led past a fork yet. */
  | { readonly outcome: 'not-skipped'; readonly number: number }
  | Exclude<Search, { readonly outcome: 'searched' }>;

/** A receipt's transaction has no expiry, so all blocks are searched. */
const NEVER_MS = Number.MAX_SAFE_INTEGER;

/** Reads only; asks a quorum for each of at most `most` blocks. Throws `Outage` where no quorum answers. */
export async function proveGone(
  chain: ChainReader,
  reader: Reader,
  receipt: TransferIdentity,
  most: number,
): Promise<Proven> {
  const found = await findReceipt(reader, receipt);
  if (found === null) return { outcome: 'unknown-receipt' };
  const { transfer } = found;
  if (!hasTransaction(transfer)) return { outcome: 'no-transaction' };
  const { name, windowBlocks, currencies } = chain.definition;
  const { currencyId } = transfer.amount;
  // mark: a-currency-that-is-not-read-shows-no-repetition
  if (!currencies.some((one) => one.currencyId === currencyId)) return { outcome: 'not-read', currencyId };
  const { number, hash } = transfer.block;
  const agreed = await chain.finalBlock(number);
  if (agreed?.number !== number) return { outcome: 'not-final', number };
  if (agreed.hash === hash) return { outcome: 'on-chain', number };
  const heights = (await readCursor(reader, name)) ?? { startNumber: null, finalNumber: null };
  const last = lastToSearch(transfer, heights);
  if (last === null) return { outcome: 'not-skipped', number };
  const at = await chain.headerByHash(agreed.hash);
  if (at === null) return { outcome: 'not-final', number };
  // A transaction that failed on the new branch moved nothing.
  const wanted = { txIds: new Set([receipt.txId]), failedToo: false, expiresAtMs: NEVER_MS, below: last + 1 };
  const search = await searchFinal(chain, { ...wanted, from: firstToSearch(number, windowBlocks) }, most);
  if (search.outcome !== 'searched') return search;
  const { from, to } = search.searched;
  return { outcome: 'gone', proof: { at: { number, hash: at.hash, time: at.time }, from, to } };
}
