// The independent reader: reads chains and database by itself and compares what the product made of them.
import { type Ask, type Books, readBooks } from './books.ts';
import type { FinalChain } from './chain-transfers.ts';
import type { Promised } from './checks/check-promises.ts';
import { compare } from './compare.ts';
import type { Readings } from './readings.ts';
import type { Finding } from './finding.ts';
import { groupBy } from './group-by.ts';
import { plainAddress } from './plain-address.ts';

/** A chain that can report what reached addresses of ours. */
export interface ReadChain {
  readonly name: string;
  /** The chain's number on the wire, 0 where its family has none. */
  readonly wireChainId: number;
  readonly coins: readonly { readonly currencyId: number; readonly decimals: number }[];
  read(ours: ReadonlySet<string>): Promise<FinalChain>;
}

export interface Evidence extends Pick<Readings, 'feePpm' | 'asked' | 'promised' | 'deliveries'> {
  readonly ask: Ask;
  readonly chains: readonly ReadChain[];
}

export interface AuditReport {
  readonly findings: readonly Finding[];
  readonly counts: Readonly<Record<string, number>>;
  readonly chains: readonly ChainCounts[];
}

/** What became of one chain's orders. */
export interface ChainCounts {
  readonly name: string;
  readonly orders: number;
  readonly paid: number;
  readonly timedOut: number;
  /** Final payments to addresses of ours. */
  readonly payments: number;
}

/** Reads and compares everything. Call it at rest, when nothing is on its way. */
export async function audit({ ask, chains, ...evidence }: Evidence): Promise<AuditReport> {
  const books = await readBooks(ask);
  const ours = oursOf(books, evidence.promised);
  const finals: FinalChain[] = [];
  for (const chain of chains) finals.push(await chain.read(ours));
  const coins = chains.flatMap((chain) => chain.coins);
  const decimals = new Map(coins.map(({ currencyId, decimals: digits }) => [currencyId, digits]));
  const chainIds = new Map(chains.map(({ name, wireChainId }) => [name, wireChainId]));
  return {
    findings: compare({ books, finals, decimals, chainIds, ...evidence }),
    counts: countAll(books, finals, evidence),
    chains: finals.map((final) => countChain(books, final)),
  };
}

/** An address is ours where it was promised to a payer, whether the books know it or not. */
export function oursOf(
  { addresses }: Pick<Books, 'addresses'>,
  promised: readonly Pick<Promised, 'address'>[],
): ReadonlySet<string> {
  return new Set([
    ...addresses.map(({ address }) => address.toLowerCase()),
    ...promised.map(({ address }) => plainAddress(address)),
  ]);
}

function countChain({ orders }: Books, { name, transfers }: FinalChain): ChainCounts {
  const own = orders.filter(({ chain }) => chain === name);
  return {
    name,
    orders: own.length,
    paid: own.filter(({ status }) => status === 'PAID').length,
    timedOut: own.filter(({ status }) => status === 'TIME-OUT').length,
    payments: transfers.length,
  };
}

function countAll(
  { orders, events }: Books,
  finals: readonly FinalChain[],
  { promised, deliveries }: Pick<Readings, 'promised' | 'deliveries'>,
): Readonly<Record<string, number>> {
  const accepted = groupBy(
    deliveries.filter((delivery) => delivery.accepted),
    ({ eventId }) => eventId,
  );
  const again = [...accepted.values()].filter((group) => group.length > 1);
  const isIn = (status: string) => orders.filter((order) => order.status === status).length;
  return {
    'orders acknowledged': promised.length,
    'orders in the books': orders.length,
    'orders paid': isIn('PAID'),
    'orders timed out': isIn('TIME-OUT'),
    'final payments on the chains': finals.reduce((sum, { transfers }) => sum + transfers.length, 0),
    events: events.length,
    'webhooks received': deliveries.length,
    'events accepted more than once, same bytes': again.length,
  };
}
