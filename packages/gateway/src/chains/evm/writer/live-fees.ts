// What a unit of gas costs now, as one node sees it.
import { invalidAnswer } from '../../rpc/invalid-answer.ts';
import { quantityIn } from '../quantity.ts';
import type { Calls } from './share-calls.ts';

/** Wei for a unit of gas. */
export interface LiveFees {
  /** The expected price in the next blocks. */
  readonly priceThen: bigint;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
  /** Whether the chain has no base fee. */
  readonly isLegacy: boolean;
}

/** The base fee may double before a transaction at these prices has to wait. Doubling takes six full blocks. */
const BASE_FEES = 2n;

export async function readLiveFees(rpc: Calls): Promise<LiveFees> {
  const block = await rpc.call('eth_getBlockByNumber', ['latest', false]);
  if (typeof block !== 'object' || block === null) throw invalidAnswer('has no newest block');
  if (!('baseFeePerGas' in block)) {
    const price = atLeastOne(quantityIn(await rpc.call('eth_gasPrice', [])));
    return { priceThen: price, maxFeePerGas: price, maxPriorityFeePerGas: price, isLegacy: true };
  }
  const base = quantityIn(block.baseFeePerGas);
  // Nodes do not take a transaction without a tip.
  const tip = atLeastOne(quantityIn(await rpc.call('eth_maxPriorityFeePerGas', [])));
  return {
    priceThen: base + tip,
    maxFeePerGas: BASE_FEES * base + tip,
    maxPriorityFeePerGas: tip,
    isLegacy: false,
  };
}

function atLeastOne(price: bigint): bigint {
  return price > 0n ? price : 1n;
}
