// Entries of one app in one currency as the flows book them, of every kind and any amount: the same at each run.
import type { Entry } from '@ducat/core/ledger/entry';
import { bookPayout, bookRelease, bookReservation } from '@ducat/core/ledger/payout-recipes';
import { bookAssignment, bookDeposit, bookSent, bookUnassignedReceipt } from '@ducat/core/ledger/recipes';
import { amountOf } from '@ducat/core/money/amount';
import type { Payout } from '@ducat/core/payout/payout';
import fc from 'fast-check';
import { headerAt, transferTo } from '../fixtures.ts';

export interface MadeEntries {
  readonly atMs: number;
  readonly entries: readonly Entry[];
}

const kinds = ['deposit', 'unassigned', 'assigned', 'paid', 'refunded', 'failed', 'kept'] as const;

interface Drawn {
  readonly kind: (typeof kinds)[number];
  readonly units: bigint;
  readonly feePpm: bigint;
  readonly serviceCharge: bigint;
  readonly gas: bigint;
  readonly minutes: number;
}

const small = fc.bigInt({ min: 0n, max: 10n ** 6n });
const drawn: fc.Arbitrary<Drawn> = fc.record({
  kind: fc.constantFrom(...kinds),
  units: fc.bigInt({ min: 1n, max: 10n ** 30n }),
  feePpm: fc.bigInt({ min: 0n, max: 999_999n }),
  serviceCharge: small,
  gas: small,
  minutes: fc.integer({ min: 0, max: 3_000 }),
});

/** `count` payments and payouts one after the other, from time 0 on over weeks. */
export function madeEntries(appId: string, currencyId: number, count: number): readonly MadeEntries[] {
  let atMs = 0;
  return fc.sample(drawn, { numRuns: count, seed: 7 }).map((one, place) => {
    atMs += one.minutes * 60_000;
    return { atMs, entries: entriesOf(one, { appId, currencyId, place }) };
  });
}

interface Whose {
  readonly appId: string;
  readonly currencyId: number;
  readonly place: number;
}

function entriesOf(one: Drawn, whose: Whose): readonly Entry[] {
  const { appId, currencyId, place } = whose;
  const amount = amountOf(currencyId, one.units);
  const transfer = transferTo('0xto', headerAt(1), { amount, txId: `0xmade${place}` });
  const to = { address: '0xto', purpose: 'order', appId } as const;
  const { kind, feePpm } = one;
  if (kind === 'deposit') return [bookDeposit(transfer, appId, feePpm)];
  const came = bookUnassignedReceipt(transfer, to);
  if (kind === 'unassigned') return [came];
  return kind === 'assigned' ? [came, bookAssignment(transfer, appId, feePpm)] : payoutEntries(one, whose);
}

/** The entries of a payout, after a receipt of exactly what the payout takes. */
function payoutEntries(one: Drawn, { appId, currencyId, place }: Whose): readonly Entry[] {
  const { kind, units } = one;
  const [serviceCharge, gas] = [amountOf(currencyId, one.serviceCharge), amountOf(currencyId, one.gas)];
  const reserved = amountOf(currencyId, units + one.serviceCharge + one.gas);
  const source = kind === 'refunded' ? 'unassigned' : 'available';
  const terms = { receipt: amountOf(currencyId, units), reserved, serviceCharge, gas };
  const payout = { tradeNo: `pay_made${place}`, appId, chain: 'ETH', currencyId, source, ...terms } as Payout;
  const to = { address: '0xto', purpose: 'order', appId } as const;
  const funds = transferTo('0xto', headerAt(1), { amount: reserved, txId: `0xmade${place}` });
  const funded = source === 'unassigned' ? [] : [bookAssignment(funds, appId, 0n)];
  const ready = [bookUnassignedReceipt(funds, to), ...funded, bookReservation(payout)];
  if (kind === 'failed') return [...ready, bookRelease(payout)];
  const got = kind === 'kept' ? amountOf(currencyId, units / 2n) : payout.receipt;
  const end = kind === 'kept' ? bookRelease(payout, got) : bookPayout(payout);
  return [...ready, bookSent({ ...funds, amount: got }, to), end];
}
