// Checks how each payment is booked in the ledger. Its owner follows from what was promised to whom.
import type { Books } from '../books.ts';
import type { ChainTransfer } from '../chain-transfers.ts';
import type { Promised } from './check-promises.ts';
import { compareLists } from '../compare-lists.ts';
import type { Finding } from '../finding.ts';
import { plainAddress } from '../plain-address.ts';

/** The app that owns an address, and the currency of the address's order; null where no order has it. */
interface Payee {
  readonly appId: string;
  readonly currencyId: number | null;
}

/** Compares postings as lines, each with its account's kind and owner. */
export function checkBookings(
  books: Books,
  real: readonly ChainTransfer[],
  promised: readonly Promised[],
  feePpm: number,
): readonly Finding[] {
  const payees = payeesOf(books, promised);
  const wanted = real.flatMap(({ chain, hash, to, currencyId, units }) => {
    const payee = payees.get(to);
    const appId = payee?.appId ?? 'nobody';
    const line = (kind: string, owner: string, share: bigint) =>
      `${chain}/${hash} ${kind} of ${owner} ${share} of ${currencyId}`;
    const custody = line('custody', chain, -units);
    if (payee?.currencyId !== currencyId) return [custody, line('unassigned', appId, units)];
    const fee = (units * BigInt(feePpm)) / 1_000_000n;
    const lines = [custody, line('available', appId, units - fee)];
    return fee === 0n ? lines : [...lines, line('fee', 'gateway', fee)];
  });
  const booked = books.postings.map(({ reference, kind, owner, units, currency_id }) => {
    const [chain, hash] = reference.split('/');
    return `${chain}/${hash} ${kind} of ${owner} ${units} of ${currency_id}`;
  });
  return compareLists(wanted, booked);
}

/** A promise overrides the books, so the books count only for addresses that no payer was shown. */
function payeesOf({ addresses, orders }: Books, promised: readonly Promised[]): ReadonlyMap<string, Payee> {
  const payees = new Map<string, Payee>();
  for (const { address, app_id: appId } of addresses)
    payees.set(address.toLowerCase(), { appId, currencyId: null });
  for (const { address, app_id: appId, currency_id: currencyId } of orders)
    payees.set(address.toLowerCase(), { appId, currencyId });
  for (const { address, appId, currencyId } of promised)
    payees.set(plainAddress(address), { appId, currencyId });
  return payees;
}
