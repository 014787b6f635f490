// Compares books, chains, promises and deliveries; a pure function, so that tests can show what it finds.
import type { Books } from './books.ts';
import type { ChainTransfer, FinalChain } from './chain-transfers.ts';
import { checkBookings } from './checks/check-bookings.ts';
import { checkDeliveries } from './checks/check-deliveries.ts';
import { checkOrders } from './checks/check-orders.ts';
import { checkPromises } from './checks/check-promises.ts';
import { compareLists } from './compare-lists.ts';
import type { Finding } from './finding.ts';
import type { Readings } from './readings.ts';

/** Everything that does not fit together; empty when all is well. */
export function compare(readings: Readings): readonly Finding[] {
  const { books, finals, feePpm, asked, promised, deliveries } = readings;
  const transfers = finals.flatMap((chain) => chain.transfers);
  return [
    ...checkCursors(books, finals),
    ...checkTransfers(books, transfers),
    ...checkBookings(books, transfers, promised, feePpm),
    ...checkPromises(books, asked, promised),
    ...checkOrders(readings),
    ...checkDeliveries(books, deliveries),
  ];
}

function checkCursors({ cursors, wrongBalances }: Books, finals: readonly FinalChain[]): readonly Finding[] {
  const findings: Finding[] = wrongBalances.map(({ account_id }) => ({
    fault: 'wrong',
    what: `the balance of account ${account_id} is not the sum of its postings`,
  }));
  for (const { name, finalBlock } of finals) {
    const cursor = cursors.find(({ chain }) => chain === name);
    if (Number(cursor?.final_number ?? -1) !== finalBlock || cursor?.halted_reason !== null)
      findings.push({
        fault: 'lost',
        what: `${name} is final at ${finalBlock}, the books at ${cursor?.final_number}`,
      });
  }
  return findings;
}

/** Counts the transfers of both sides by all that identifies them but the position. */
function checkTransfers({ transfers }: Books, real: readonly ChainTransfer[]): readonly Finding[] {
  const booked = transfers
    .filter(({ state }) => state === 'final')
    .map((row) => `${row.chain}/${row.tx_id} to ${row.to_address}: ${row.units} of ${row.currency_id}`);
  const wanted = real.map(
    (one) => `${one.chain}/${one.hash} to ${one.to}: ${one.units} of ${one.currencyId}`,
  );
  return compareLists(wanted, booked);
}
