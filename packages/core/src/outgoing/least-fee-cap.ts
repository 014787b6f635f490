// The lowest fee cap of a transaction, however little the transaction costs now: with a lower cap it could wait for days.
import type { ChainFamily } from '../chain/chain.ts';
import { type Amount, amountOf, type CurrencyId } from '../money/amount.ts';

/**
 * Base units of the native currency. With free bandwidth and staked energy a transfer on Tron costs nothing. Other transfers
 * may have used them up before it is sent. Example: USDT to an address that holds no USDT then burns up to 20 TRX.
 */
const LEAST: Readonly<Record<ChainFamily, bigint>> = { evm: 1n, tron: 30_000_000n };

export function leastFeeCap(family: ChainFamily, nativeId: CurrencyId): Amount {
  return amountOf(nativeId, LEAST[family]);
}
