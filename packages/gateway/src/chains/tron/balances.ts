// Balances at a block, from nodes that tell only what is now: what has moved since is taken back.
import type { TraceMethod } from '@ducat/core/chain/chain';
import type { Currency } from '@ducat/core/chain/currency';
import { amountOf, type Amount, unitsOf } from '@ducat/core/money/amount';
import type { BlockReference } from '../port.ts';
import { Untimely } from '../endpoint/untimely.ts';
import { balanceNow } from './contract-calls.ts';
import { headerAt, missing, type TronEndpoint, type View } from './endpoint.ts';
import { readBlock } from './read-block.ts';
import { watchedOf } from './watched.ts';

/** Blocks that may have come since, about three minutes. */
const maxBlocksSince = 64;
/** The pace of what has time holds back what goes beyond its part of the provider's limit. */
const atOnce = 8;

/**
 * In the order of the addresses. Asks the view that cannot change where the block is in it, at the pace of what has
 * time. Throws Untimely where money moved while it was asking, or where too many blocks have come since.
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
  expectRecent(at, before);
  const balances = await balancesNow(endpoint, view, addresses, currency);
  const after = await headOf(endpoint, view);
  expectRecent(at, after);
  for (let number = at.number + 1; number <= after; number++) {
    const watched = watchedOf([currency], traceMethod);
    const { transfers } = await readBlock(endpoint, view, '', number, watched, endpoint.unhurried[view]);
    for (const { from, to, amount } of transfers) {
      for (const [address, sign] of [[to, -1n] as const, [from, 1n] as const]) {
        const balance = balances.get(address);
        if (balance === undefined) continue;
        if (number > before) throw new Untimely(`was asked for balances while ${currency.symbol} moved`);
        balances.set(address, balance + sign * unitsOf(amount));
      }
    }
  }
  // No reorganisation may have come between the block and the balances.
  await expectBlock(endpoint, view, at);
  return addresses.map((address) => amountOf(currency.currencyId, balances.get(address) ?? 0n));
}

async function balancesNow(
  endpoint: TronEndpoint,
  view: View,
  addresses: readonly string[],
  currency: Currency,
): Promise<Map<string, bigint>> {
  const balances = new Map<string, bigint>();
  const api = endpoint.unhurried[view];
  for (let first = 0; first < addresses.length; first += atOnce) {
    const part = addresses.slice(first, first + atOnce);
    const units = await Promise.all(part.map((address) => balanceNow(api, address, currency)));
    for (const [place, address] of part.entries()) balances.set(address, units[place] ?? 0n);
  }
  return balances;
}

/** Before the asking, so that nothing is asked in vain. */
function expectRecent({ number }: BlockReference, head: number): void {
  if (head - number > maxBlocksSince)
    throw new Untimely(`tells balances of now, and block ${number} is too long ago`);
}

function headOf(endpoint: TronEndpoint, view: View): Promise<number> {
  return view === 'solid' ? endpoint.askSolidHead() : endpoint.askHead();
}

async function expectBlock(
  endpoint: TronEndpoint,
  view: View,
  { number, hash }: BlockReference,
): Promise<void> {
  const proven = await headerAt(endpoint.unhurried[view], number);
  if (proven === null) throw await missing(endpoint, view, number);
  if (proven.header.hash !== hash) throw new Untimely(`has another block ${number} than ${hash}`);
}
