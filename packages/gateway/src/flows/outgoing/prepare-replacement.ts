// Stores the intent of a replacement: the same transfer on the same nonce, at higher prices.
import { assert } from '@ducat/core/assert';
import { offeredBy } from '@ducat/core/outgoing/build-intent';
import type { OfferedTerms } from '@ducat/core/outgoing/terms';
import type { EvmTransferIntent } from '@ducat/core/signing/transfer-intent';
import type { Tx } from '../../db/postgres/tx.ts';
import { type HeldLease, holdsLease, payLease } from '../../db/tables/leases.ts';
import { countOpenVariants } from '../../db/tables/outgoing/inclusions.ts';
import { insertVariants } from '../../db/tables/outgoing/variants.ts';

export interface PrepareReplacement {
  readonly chain: string;
  readonly outgoingId: string;
  /** The ordinal of the newest variant, which is signed. */
  readonly ordinal: number;
  readonly intent: EvmTransferIntent;
  readonly terms: OfferedTerms;
  /** The most open variants that a chain may have. At this limit nothing more is prepared until some are final. */
  readonly mostOpen: number;
  readonly nowMs: number;
  readonly lease: HeldLease;
}

/** False where another process pays on the chain, too much is open, or the transaction has ended; nothing was written. */
export async function prepareReplacement(
  tx: Tx,
  { chain, outgoingId, ordinal, intent, terms, mostOpen, nowMs, lease }: PrepareReplacement,
): Promise<boolean> {
  if (!(await holdsLease(tx, payLease(chain), lease))) return false;
  if ((await countOpenVariants(tx, chain, mostOpen)) >= mostOpen) return false;
  const before = offeredBy(intent);
  assert(before !== null && terms.maxFeePerGas > before.maxFeePerGas, 'a replacement offers more');
  const { maxFeePerGas, maxPriorityFeePerGas } = terms;
  const fees = terms.isLegacy
    ? ({ type: 'legacy', gasPrice: maxFeePerGas } as const)
    : ({ type: 'fee-market', maxFeePerGas, maxPriorityFeePerGas } as const);
  // Only the prices change. The nonce above all stays the same.
  const variant = {
    outgoingId,
    ordinal: ordinal + 1,
    intent: { ...intent, fees },
    nonce: intent.nonce,
    expiresAtMs: null,
    reference: null,
  };
  return (await insertVariants(tx, chain, [variant], { from: 'signed', to: 'signed', nowMs })) === 1;
}
