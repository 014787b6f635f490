// What a transaction may cost at least, however little it would cost now: a cap below it would keep it waiting for days.
import type { ChainFamily } from '../chain/chain.ts';
import { type Amount, amountOf, type CurrencyId } from '../money/amount.ts';

/**
 * Base units of the native currency. Free bandwidth and staked energy make a transfer on Tron cost nothing. Others may have
 * used them up when its turn comes: then USDT to an address without any burns up to 20 TRX.
 */
const LEAST: Readonly<Record<ChainFamily, bigint>> = { evm: 1n, tron: 30_000_000n };

export function leastFeeCap(family: ChainFamily, nativeId: CurrencyId): Amount {
  return amountOf(nativeId, LEAST[family]);
}
