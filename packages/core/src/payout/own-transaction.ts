// What a payout's own transaction lets a person conclude: that another transfer paid it, or that nothing ever will.
import { isProvenDead, type OutgoingState } from '../outgoing/outgoing.ts';
import type { FailureProof } from './transition.ts';

export interface OwnVariant {
  /** Null where it was prepared and never signed. */
  readonly txId: string | null;
  readonly expiresAtMs: number | null;
  /** The height of the block it refers to; null where it refers to none. */
  readonly reference: number | null;
  /** Whether the books have an inclusion or a transfer of this variant. */
  readonly isHeld: boolean;
}

export interface OwnTransaction {
  readonly state: OutgoingState;
  /** Of the variant that is final; null before. */
  readonly txId: string | null;
  readonly endedAtMs: number | null;
  /** The first first. */
  readonly variants: readonly OwnVariant[];
}

/** How far the books of the chain are. */
export interface KnownHeights {
  readonly startNumber: number | null;
  /** Unix seconds of the newest final block. */
  readonly finalTime: number | null;
  readonly haltedReason: string | null;
}

/**
 * What happens to the payout's own transaction when a person takes a transfer for the payment.
 * - `nothing`: it has ended, or there is none.
 * - `taken-back`: it is cancelled, so nothing more is signed for it.
 * - `succeeded`: the transfer is its own. Example: a restored backup had forgotten that it was signed.
 * - `on-its-way`: it may still be included, so that the payout would be paid twice.
 */
export type Adoption = 'nothing' | 'taken-back' | 'succeeded' | 'on-its-way';

/** The states in which no variant can be included any more. */
const over: ReadonlySet<OutgoingState> = new Set(['failed', 'mismatched', 'cancelled']);

export function adoptionOf(
  transaction: OwnTransaction | null,
  paidByTxId: string,
  heights: KnownHeights,
): Adoption {
  if (transaction === null || over.has(transaction.state)) return 'nothing';
  if (transaction.state === 'waiting') return 'taken-back';
  // mark: adopted-when-nothing-is-on-its-way
  if (transaction.state !== 'signed') return 'on-its-way';
  const { variants } = transaction;
  const isOwn = variants.some(({ txId }) => txId === paidByTxId);
  // Variants of one nonce exclude each other. A variant with an expiry is excluded only once it has expired for good.
  const others = variants.filter(({ txId }) => txId !== paidByTxId);
  const areExcluded = others.every((one) => one.expiresAtMs === null || isDead(one, heights));
  // mark: own-variant-excludes-the-others
  return isOwn && areExcluded ? 'succeeded' : 'on-its-way';
}

/**
 * Whether the variant `txId`, in a block that the books skipped, ends the transaction. Variants of one nonce exclude each
 * other. Variants with an expiry do not. Where `txId` failed, another variant may have paid in a skipped block, and its
 * absence from the books proves nothing. Where `txId` succeeded, it is enough that no other variant can be included later.
 */
export function areOthersOver(
  { variants }: Pick<OwnTransaction, 'variants'>,
  { txId, status }: { readonly txId: string; readonly status: 'succeeded' | 'failed' },
  finalTime: number | null,
): boolean {
  const others = variants.filter((one) => one.txId !== txId);
  // mark: a-failure-proves-nothing-of-the-others
  return others.every(({ expiresAtMs, isHeld }) => {
    if (isHeld) return false;
    if (expiresAtMs === null) return true;
    return status === 'succeeded' && finalTime !== null && isProvenDead(expiresAtMs, finalTime);
  });
}

/** The proof that no variant of the transaction can pay any more; null where there is none. */
export function failureOf(transaction: OwnTransaction | null, heights: KnownHeights): FailureProof | null {
  if (transaction === null) return null;
  const { state, txId, endedAtMs, variants } = transaction;
  if (state === 'failed' && txId !== null && endedAtMs !== null)
    return { txId, time: Math.floor(endedAtMs / 1000) };
  const last = variants.at(-1)?.txId ?? null;
  // mark: waiting-is-dead-by-proof-alone
  const isDeadForGood = variants.every((one) => isDead(one, heights));
  if (state !== 'waiting' || last === null || !isDeadForGood) return null;
  return { txId: last, time: heights.finalTime ?? 0 };
}

/** Whether no block can include the variant any more, and the books hold every block that could have. */
function isDead(
  { txId, expiresAtMs, reference, isHeld }: OwnVariant,
  { startNumber, finalTime, haltedReason }: KnownHeights,
): boolean {
  if (txId === null || isHeld || haltedReason !== null || startNumber === null || finalTime === null)
    return false;
  return (
    expiresAtMs !== null &&
    reference !== null &&
    reference >= startNumber &&
    isProvenDead(expiresAtMs, finalTime)
  );
}

/** A range of final blocks. A quorum showed each of them, and none holds a variant of the transaction. */
export interface SearchedBlocks {
  readonly from: number;
  readonly to: number;
  /** Unix seconds of the last of them. */
  readonly time: number;
}

/**
 * Whether no block can hold any variant, although the books skipped blocks. The search covers the blocks that the books
 * lack, up to the block after which every variant had expired. The books hold all other blocks. An expiry before the newest
 * final block alone proves nothing.
 */
export function isInNoBlock(
  { variants }: Pick<OwnTransaction, 'variants'>,
  searched: SearchedBlocks,
  { startNumber, finalTime, haltedReason }: KnownHeights,
): boolean {
  if (haltedReason !== null || startNumber === null || finalTime === null || variants.length === 0)
    return false;
  // mark: in-no-block-by-all-of-them
  return variants.every(({ txId, expiresAtMs, reference, isHeld }) => {
    if (txId === null || isHeld || expiresAtMs === null || reference === null) return false;
    // The earliest block that can hold a variant is the one above its reference block.
    const isBegun = searched.from <= reference + 1;
    const isReached = searched.to >= startNumber - 1 || isProvenDead(expiresAtMs, searched.time);
    return isBegun && isReached && isProvenDead(expiresAtMs, finalTime);
  });
}
