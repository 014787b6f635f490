// An operator's stake on a simulated Tron chain: how much of it is delegated, and the energy that addresses have from it.
import type { Staker } from '@ducat/core/signing/transfer-intent';
import type { SentTransaction, SimBlock } from '../../nodes/sim-block.ts';

/** An account of the operator. Its key is none of ours. */
export const STAKER: Staker = { address: `41${'57'.repeat(20)}`, permission: 2 };

/** Sun of stake for one unit of energy. */
export const SUN_PER_ENERGY = 100n;

/** What the staker's account burns for a delegation, and for taking one back. */
export const DELEGATION_SUN = 290n;

/** Stake that is delegated to an address, and its use. */
interface Delegated {
  /** Sun of stake. */
  readonly stake: bigint;
  /** Energy of the stake that transfers took. */
  readonly used: bigint;
}

const NOTHING: Delegated = { stake: 0n, used: 0n };

/** The delegations by address, after these transactions in a row. Stake that is taken back takes its used energy along. */
export function delegatedBy(transactions: readonly SentTransaction[]): ReadonlyMap<string, Delegated> {
  const all = new Map<string, Delegated>();
  for (const { delegated = null, outgoing, failed } of transactions) {
    const user = outgoing?.from ?? '';
    const { stake, used } = all.get(user) ?? NOTHING;
    // A failed transfer took energy as well.
    if (stake > 0n) all.set(user, { stake, used: used + (outgoing?.stakedEnergy ?? 0n) });
    if (delegated === null || failed) continue;
    const before = all.get(delegated.to) ?? NOTHING;
    const left = before.stake + delegated.sun;
    if (left > 0n) all.set(delegated.to, { ...before, stake: left });
    else all.delete(delegated.to);
  }
  return all;
}

export function transactionsUpTo(tip: SimBlock | null): readonly SentTransaction[] {
  const blocks: SimBlock[] = [];
  for (let block = tip; block !== null; block = block.parent) blocks.push(block);
  return blocks.reverse().flatMap(({ transactions }) => transactions);
}

/** Energy that an address can use of what is delegated to it. */
export function energyOf(all: ReadonlyMap<string, Delegated>, address: string): bigint {
  const { stake, used } = all.get(address) ?? NOTHING;
  return stake / SUN_PER_ENERGY - used;
}

export function freeOf(all: ReadonlyMap<string, Delegated>, staked: bigint): bigint {
  return [...all.values()].reduce((free, { stake }) => free - stake, staked);
}
