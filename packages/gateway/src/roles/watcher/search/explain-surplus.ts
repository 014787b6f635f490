// A trace proposes, the balance disposes: for each part of a surplus, the internal transactions that may account for it.
import type { SurplusChange } from '@ducat/core/chain/bisect';
import type { BlockStamp, Transfer } from '@ducat/core/chain/transfer';
import { type Amount, add } from '@ducat/core/money/amount';
import { findOurs } from '../../../db/tables/addresses.ts';
import { findBlock } from '../../../db/tables/blocks.ts';
import { findRepeated } from '../../../db/tables/transfers/insert-transfers.ts';
import { readProposals, type SearchAddress } from '../../../db/tables/transfers/proposals.ts';
import type { Gain } from '../../../flows/blocks/confirm-internal.ts';
import { Outage } from '../../../runtime/outage.ts';
import type { LeasedChain } from '../parts.ts';

/** A provider that could trace a block failed to. */
export class TraceOutage extends Outage {}

/**
 * Adds to each part of the surplus the internal transactions that providers report in its block. Returns gains by address,
 * in the order of the chain. Where a provider that could trace fails, `TraceOutage` is thrown. Without `waitsForTrace`, that
 * provider is treated as one that cannot trace.
 */
export async function explainSurplus(
  watch: LeasedChain,
  changes: readonly SurplusChange[],
  page: readonly SearchAddress[],
  waitsForTrace: boolean,
): Promise<ReadonlyMap<string, readonly Gain[]>> {
  const gains = new Map<string, Gain[]>();
  for (const [number, amounts] of byBlock(changes)) {
    const block = await findBlock(watch.reader, watch.chain.definition.name, number);
    if (block === null) throw new Outage(`block ${number} is not in the books any more`, { kind: 'not-yet' });
    const addresses = page.filter(({ address }) => amounts.has(address));
    const candidates = await fromStrangers(watch, await candidatesIn(watch, block, addresses, waitsForTrace));
    for (const [address, amount] of amounts) {
      const gain = { block, amount, candidates: candidates.filter(({ to }) => to === address) };
      gains.set(address, [...(gains.get(address) ?? []), gain]);
    }
  }
  return gains;
}

/**
 * Amounts by block and address, lowest block first. An address has one amount in each block, since it has one receipt there
 * at most.
 */
function byBlock(changes: readonly SurplusChange[]): ReadonlyMap<number, ReadonlyMap<string, Amount>> {
  const blocks = new Map<number, Map<string, Amount>>();
  for (const { number, address, amount } of changes.toSorted((one, other) => one.number - other.number)) {
    const block = blocks.get(number) ?? new Map<string, Amount>();
    const known = block.get(address);
    blocks.set(number, block.set(address, known === undefined ? amount : add(known, amount)));
  }
  return blocks;
}

/**
 * Drops transfers from our own addresses: these have no code that could send anything inside a transaction, so such a report
 * is wrong. Booking it would take the value from that address, and the next search would find it there again, for another
 * order.
 */
async function fromStrangers(
  { chain, reader }: LeasedChain,
  candidates: readonly Transfer[],
): Promise<readonly Transfer[]> {
  const ours = await findOurs(reader, chain.definition.family, new Set(candidates.map(({ from }) => from)));
  return candidates.filter(({ from }) => !ours.has(from));
}

/** Internal transactions to these addresses that are not in the books yet, in the order of the chain, each once. */
async function candidatesIn(
  watch: LeasedChain,
  block: BlockStamp,
  page: readonly SearchAddress[],
  waitsForTrace: boolean,
): Promise<readonly Transfer[]> {
  const { chain, reader } = watch;
  if (!chain.hasPastBalances) {
    const ids = page.map(({ addressId }) => addressId);
    return [...(await readProposals(reader, chain.definition.name, ids, block.number)).values()].flat();
  }
  const addresses = page.map(({ address }) => address);
  const traced = await chain.internalTransfers(block, addresses).catch((error: unknown) => {
    if (!(error instanceof Outage)) throw error;
    if (waitsForTrace) throw new TraceOutage(error.message, { kind: error.kind, cause: error });
    return null;
  });
  const once = new Map((traced ?? []).map((one) => [`${one.txId} ${one.position}`, one] as const));
  const candidates: Transfer[] = [];
  for (const one of once.values()) if ((await findRepeated(reader, [one])) === null) candidates.push(one);
  return candidates;
}
