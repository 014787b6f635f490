// The complete intent of an outgoing transaction, as the signer is asked for it: what moves, its place, its terms.
import { assert } from '../assert.ts';
import type { ChainDefinition } from '../chain/chain.ts';
import type { Currency } from '../chain/currency.ts';
import { type Amount, unitsOf } from '../money/amount.ts';
import type { KeyPath } from '../signing/key-path.ts';
import type {
  EvmFees,
  IntentSubject,
  Sweeping,
  TransferIntent,
  TronAction,
} from '../signing/transfer-intent.ts';
import type { Delegation } from './delegation.ts';
import type { OfferedTerms, SendingTerms } from './terms.ts';

/** What makes a transaction of an address unique, so that the chain cannot include it twice. */
export type SendingPlace =
  | { readonly family: 'evm'; readonly nonce: number }
  | {
      readonly family: 'tron';
      /** A final block: no reorg makes the transaction void. */
      readonly reference: { readonly number: number; readonly hash: string };
      readonly expirationMs: number;
      readonly timestampMs: number;
    };

export interface IntentParts {
  readonly chain: Pick<ChainDefinition, 'chainId'>;
  readonly subject: IntentSubject;
  readonly key: KeyPath;
  readonly currency: Pick<Currency, 'contract'>;
  readonly to: string;
  readonly amount: Amount;
  /** Null where money moves. */
  readonly delegation?: Delegation | null;
  /** Where addresses are swept or their sweeper is made; null elsewhere. */
  readonly sweeping?: Sweeping | null;
  readonly place: SendingPlace;
  readonly terms: SendingTerms | OfferedTerms;
}

export function buildIntent({
  chain,
  currency,
  amount,
  delegation = null,
  sweeping = null,
  place,
  terms,
  ...parts
}: IntentParts): TransferIntent {
  const { subject, key, to } = parts;
  const common = { subject, key, chainId: chain.chainId };
  const moved = { to, contract: currency.contract, baseUnits: unitsOf(amount) };
  if (place.family === 'evm') {
    assert(terms.family === 'evm', 'terms and place are of one family');
    assert(delegation === null, 'nothing is delegated on an EVM chain');
    const { nonce } = place;
    const { gasLimit } = terms;
    const plain = { family: 'evm', ...common, ...moved, nonce, gasLimit, fees: feesOf(terms) } as const;
    return sweeping === null ? plain : { ...plain, sweeping };
  }
  assert(terms.family === 'tron', 'terms and place are of one family');
  assert(sweeping === null, 'nothing is swept on Tron');
  const { number, hash } = place.reference;
  return {
    family: 'tron',
    ...common,
    refBlockBytes: (number & 0xffff).toString(16).padStart(4, '0'),
    refBlockHash: hash.slice(16, 32),
    expirationMs: place.expirationMs,
    timestampMs: place.timestampMs,
    feeLimit: terms.feeLimit,
    action:
      delegation === null ? { type: 'transfer', ...moved } : energyAction(delegation, to, moved.baseUnits),
  };
}

function energyAction({ action: type, staker }: Delegation, to: string, baseUnits: bigint): TronAction {
  return { type, staker, to, resource: 'energy', baseUnits };
}

function feesOf({ isLegacy, maxFeePerGas, maxPriorityFeePerGas }: OfferedTerms): EvmFees {
  if (isLegacy) return { type: 'legacy', gasPrice: maxFeePerGas };
  return { type: 'fee-market', maxFeePerGas, maxPriorityFeePerGas };
}

/** The fees that an intent offers; null on Tron, where a higher offer replaces nothing. */
export function offeredBy(intent: TransferIntent): OfferedTerms | null {
  if (intent.family !== 'evm') return null;
  const { gasLimit, fees } = intent;
  const isLegacy = fees.type === 'legacy';
  const [maxFeePerGas, maxPriorityFeePerGas] = isLegacy
    ? [fees.gasPrice, fees.gasPrice]
    : [fees.maxFeePerGas, fees.maxPriorityFeePerGas];
  return { family: 'evm', gasLimit, maxFeePerGas, maxPriorityFeePerGas, isLegacy };
}
