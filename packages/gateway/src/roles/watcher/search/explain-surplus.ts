// A trace proposes, the balance disposes: which internal transactions account for a surplus, and what nobody explains.
import type { SurplusChange } from '@ducat/core/chain/bisect';
import { explain } from '@ducat/core/chain/explain';
import type { BlockStamp, Transfer } from '@ducat/core/chain/transfer';
import { add, isPositive } from '@ducat/core/money/amount';
import { findBlock } from '../../../db/tables/blocks.ts';
import { findRepeated } from '../../../db/tables/transfers/insert-transfers.ts';
import { readProposals, type SearchAddress } from '../../../db/tables/transfers/proposals.ts';
import { Outage } from '../../../runtime/outage.ts';
import type { LeasedChain } from '../parts.ts';

/** What is booked for the surplus of an address. */
export interface Findings {
  /** Internal transactions that the balance confirms. */
  readonly confirmed: readonly Transfer[];
  /** What no transaction explains: one receipt of a block and an address. */
  readonly unassigned: readonly UnexplainedReceipt[];
}

export interface UnexplainedReceipt {
  readonly block: BlockStamp;
  readonly address: string;
  readonly amount: Transfer['amount'];
}

/** `changes` are the parts of the surplus; where a provider could trace and does not, that is waited for or not. */
export async function explainSurplus(
  watch: LeasedChain,
  changes: readonly SurplusChange[],
  page: readonly SearchAddress[],
  waitsForTrace: boolean,
): Promise<Findings> {
  const findings = { confirmed: [] as Transfer[], unassigned: [] as UnexplainedReceipt[] };
  for (const [number, surplus] of byBlock(changes)) {
    const block = await findBlock(watch.reader, watch.chain.definition.name, number);
    if (block === null) throw new Outage(`block ${number} is not in the books any more`, { kind: 'not-yet' });
    const candidates = await candidatesIn(watch, block, [...surplus.keys()], page, waitsForTrace);
    for (const [address, amount] of surplus) {
      const { confirmed, rest } = explain(amount, candidates.filter(({ to }) => to === address));
      findings.confirmed.push(...confirmed);
      if (isPositive(rest)) findings.unassigned.push({ block, address, amount: rest });
    }
  }
  return findings;
}

function byBlock(changes: readonly SurplusChange[]): ReadonlyMap<number, ReadonlyMap<string, Transfer['amount']>> {
  const blocks = new Map<number, Map<string, Transfer['amount']>>();
  for (const { number, address, amount } of changes) {
    const block = blocks.get(number) ?? new Map<string, Transfer['amount']>();
    const known = block.get(address);
    blocks.set(number, block.set(address, known === undefined ? amount : add(known, amount)));
  }
  return blocks;
}

/** Internal transactions to these addresses that are not in the books, in the order of the chain, each once. */
async function candidatesIn(
  watch: LeasedChain,
  block: BlockStamp,
  addresses: readonly string[],
  page: readonly SearchAddress[],
  waitsForTrace: boolean,
): Promise<readonly Transfer[]> {
  const { chain, reader } = watch;
  if (!chain.hasPastBalances) {
    const ids = page.filter(({ address }) => addresses.includes(address)).map(({ addressId }) => addressId);
    return [...(await readProposals(reader, chain.definition.name, ids, block.number)).values()].flat();
  }
  const traced = await chain.internalTransfers(block, addresses).catch((error: unknown) => {
    if (!(error instanceof Outage) || waitsForTrace) throw error;
    return null;
  });
  const once = new Map((traced ?? []).map((one) => [`${one.txId} ${one.position}`, one] as const));
  const candidates: Transfer[] = [];
  for (const one of once.values()) if ((await findRepeated(reader, [one])) === null) candidates.push(one);
  return candidates;
}
