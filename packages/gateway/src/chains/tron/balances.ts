// Balances at a block, from nodes that tell only what is now: what has moved since is taken back.
import type { TraceMethod } from '@ducat/core/chain/chain';
import type { Currency } from '@ducat/core/chain/currency';
import { amountOf, type Amount, unitsOf } from '@ducat/core/money/amount';
import type { BlockReference } from '../port.ts';
import { Outage } from '../../outage.ts';
import { balanceNow } from './contract-calls.ts';
import { headerAt, missing, type TronEndpoint } from './endpoint.ts';
import { readBlock, type View } from './read-block.ts';
import { watchedOf } from './watched.ts';

/** Blocks that may have come since, about three minutes. */
const maxBlocksSince = 64;

/**
 * In the order of the addresses. Asks the view that cannot change where the block is in it. Throws Outage, retryable,
 * where money moved while it was asking, or where too many blocks have come since.
 */
export async function readBalances(
  endpoint: TronEndpoint,
  addresses: readonly string[],
  { currency, traceMethod }: { readonly currency: Currency; readonly traceMethod: TraceMethod },
  at: BlockReference,
): Promise<readonly Amount[]> {
  const view: View = (await endpoint.askSolidHead()) >= at.number ? 'solid' : 'full';
  await expectBlock(endpoint, view, at);
  const before = await headOf(endpoint, view);
  const balances = new Map<string, bigint>();
  for (const address of addresses) balances.set(address, await balanceNow(endpoint[view], address, currency));
  const after = await headOf(endpoint, view);
  if (after - at.number > maxBlocksSince)
    throw new Outage(`tells balances of now, and block ${at.number} is too long ago`, { retryable: true });
  for (let number = at.number + 1; number <= after; number++) {
    const { transfers } = await readBlock(endpoint, view, '', number, watchedOf([currency], traceMethod));
    for (const { from, to, amount } of transfers) {
      for (const [address, sign] of [[to, -1n] as const, [from, 1n] as const]) {
        const balance = balances.get(address);
        if (balance === undefined) continue;
        if (number > before)
          throw new Outage(`was asked for balances while ${currency.symbol} moved`, { retryable: true });
        balances.set(address, balance + sign * unitsOf(amount));
      }
    }
  }
  // No reorganisation may have come between the block and the balances.
  await expectBlock(endpoint, view, at);
  return addresses.map((address) => amountOf(currency.currencyId, balances.get(address) ?? 0n));
}

function headOf(endpoint: TronEndpoint, view: View): Promise<number> {
  return view === 'solid' ? endpoint.askSolidHead() : endpoint.askHead();
}

async function expectBlock(
  endpoint: TronEndpoint,
  view: View,
  { number, hash }: BlockReference,
): Promise<void> {
  const proven = await headerAt(endpoint[view], number);
  if (proven === null) throw await missing(endpoint, view, number);
  if (proven.header.hash !== hash)
    throw new Outage(`has another block ${number} than ${hash}`, { retryable: true });
}
