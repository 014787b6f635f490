// Forks: branches beside the main one of this node, and the switch from one to another.
import type { Rejection } from '../protocol/rejection.ts';
import { onlyContract, signersOf } from './admission.ts';
import { buildBlock, type BuiltBlock } from './build-block.ts';
import type { Chain } from './chain.ts';
import { type Block, blockOf, type Branch, cutBack, extend, forkPoint, type Ledger } from './ledger.ts';
import { type PoolEntry, without } from './pool.ts';

/** What happens to the transactions of blocks that a switch orphans. */
export type OrphanFate = 'requeue' | 'drop';

export interface SwitchOptions {
  /** `requeue` puts them back into the pool, as java-tron does. */
  readonly orphans?: OrphanFate;
  /** Transactions to drop, also from the pool. */
  readonly drop?: readonly string[];
  /** Allows leaving the main branch below its solid block, which no honest network does. */
  readonly belowSolid?: boolean;
}

export interface ReorgOptions extends Omit<SwitchOptions, 'orphans'> {
  /** How many blocks of the main branch are orphaned. */
  readonly depth: number;
  /** How many blocks replace them; one more than are orphaned unless given. */
  readonly blocks?: number;
  /** `include` puts the orphaned transactions into the first new block, `requeue` into the pool. */
  readonly orphans?: OrphanFate | 'include';
}

export interface MinedOnBranch {
  readonly blocks: readonly Block[];
  /** Transactions that are not valid there, with the reason. */
  readonly refused: ReadonlyMap<string, Rejection>;
}

/** Starts a branch beside the main one. `atNumber` is their last common block. */
export function openBranch(chain: Chain, name: string, atNumber: number): Promise<void> {
  return chain.exclusively(async () => Promise.resolve(open(chain, name, atNumber)));
}

/**
 * Makes blocks on a side branch. The first block takes `transactions`, which are ids that the pool or the main branch
 * has.
 */
export function mineOn(
  chain: Chain,
  name: string,
  count: number,
  transactions: readonly string[] = [],
): Promise<MinedOnBranch> {
  return chain.exclusively(() => grow(chain, name, count, transactions));
}

/** Makes the side branch the main one. The former main branch is kept under the branch's name. */
export function switchTo(chain: Chain, name: string, options: SwitchOptions = {}): Promise<void> {
  return chain.exclusively(async () => Promise.resolve(change(chain, name, options)));
}

/** Opens a branch, makes it longer than the main one and switches to it, as one step. */
export function reorg(chain: Chain, options: ReorgOptions): Promise<readonly Block[]> {
  return chain.exclusively(async () => {
    const head = chain.head.number;
    const from = head - options.depth;
    const drop = new Set(options.drop ?? []);
    const { removed } = cutBack(chain.ledger, chain.ledger.main, from);
    refuseBelowSolid(chain.ledger, from, options);
    const orphaned = removed.flatMap((block) => block.transactions.map(({ tx }) => tx.txId));
    const kept = options.orphans === 'include' ? orphaned.filter((txId) => !drop.has(txId)) : [];
    const name = `reorg-${head}-${chain.ledger.sides.size}`;
    open(chain, name, from);
    const { blocks } = await grow(chain, name, options.blocks ?? options.depth + 1, kept);
    change(chain, name, { ...options, orphans: options.orphans === 'drop' ? 'drop' : 'requeue' });
    return blocks;
  });
}

function open(chain: Chain, name: string, atNumber: number): void {
  const { ledger } = chain.state;
  if (ledger.sides.has(name)) throw new Error(`there is a branch ${name} already`);
  const { branch } = cutBack(ledger, ledger.main, atNumber);
  setLedger(chain, { ...ledger, sides: ledger.sides.set(name, branch) }, []);
}

async function grow(
  chain: Chain,
  name: string,
  count: number,
  transactions: readonly string[],
): Promise<MinedOnBranch> {
  const refused = new Map<string, Rejection>();
  const blocks: Block[] = [];
  for (let i = 0; i < count; i += 1) {
    const { ledger } = chain.state;
    const branch = sideOf(ledger, name);
    const entries = i === 0 ? transactions.map((txId) => entryOf(chain, txId)) : [];
    // A rival block competes for the same slot, so its time follows its own parent.
    const parent = blockOf(ledger, branch.headId);
    const timestamp = chain.clock.blockTime(parent.timestamp);
    const built = await buildRival(chain, ledger, branch, entries, timestamp);
    chain.clock.blockMade();
    const fresh = built.block;
    for (const [txId, reason] of built.refused) refused.set(txId, reason);
    blocks.push(fresh);
    const sides = ledger.sides.set(name, extend(branch, fresh));
    setLedger(chain, { ...ledger, blocks: ledger.blocks.set(fresh.id, fresh), sides }, [fresh]);
  }
  return { blocks, refused };
}

function change(chain: Chain, name: string, options: SwitchOptions): void {
  const { ledger, pool } = chain.state;
  const next = sideOf(ledger, name);
  const common = forkPoint(ledger, ledger.main, next);
  refuseBelowSolid(ledger, common, options);
  const { removed } = cutBack(ledger, ledger.main, common);
  const orphans = removed.flatMap((block) => block.transactions.map(({ tx }) => entryOf(chain, tx.txId)));
  const forgotten = new Set([...next.places.keys(), ...(options.drop ?? [])]);
  const back = options.orphans === 'drop' ? [] : orphans;
  const solidNumber = Math.min(ledger.solidNumber, common);
  const switched = { ...ledger, main: next, sides: ledger.sides.set(name, ledger.main), solidNumber };
  chain.replace({ ...chain.state, ledger: switched, pool: without([...back, ...pool], forgotten) }, []);
}

function refuseBelowSolid(ledger: Ledger, common: number, options: SwitchOptions | ReorgOptions): void {
  if (common >= ledger.solidNumber || options.belowSolid === true) return;
  throw new Error(`block ${ledger.solidNumber} is solid and would be left; allow belowSolid to do so`);
}

/** Builds a block that differs from every existing one, because another witness makes it. */
async function buildRival(
  chain: Chain,
  ledger: Ledger,
  branch: Branch,
  entries: readonly PoolEntry[],
  timestamp: number,
): Promise<BuiltBlock> {
  for (let turn = 1; turn < chain.rules.witnesses.length; turn += 1) {
    const built = await buildBlock(ledger, branch, entries, timestamp, chain.rules, turn);
    if (!ledger.blocks.has(built.block.id)) return built;
  }
  throw new Error('every witness has made this block already');
}

function setLedger(chain: Chain, ledger: Ledger, blocks: readonly Block[]): void {
  chain.replace({ ...chain.state, ledger }, blocks);
}

function sideOf(ledger: Ledger, name: string): Branch {
  const branch = ledger.sides.get(name);
  if (branch === undefined) throw new Error(`there is no branch ${name}`);
  return branch;
}

/** The transaction as a pool entry, whether it waits in the pool or is in a block of the main branch. */
function entryOf(chain: Chain, txId: string): PoolEntry {
  const { ledger, pool } = chain.state;
  const waiting = pool.find(({ tx }) => tx.txId === txId);
  if (waiting !== undefined) return { ...waiting, isHeld: false };
  const place = ledger.main.places.get(txId);
  const included = place && blockOf(ledger, place.blockId).transactions[place.index];
  if (included === undefined) throw new Error(`no transaction ${txId} in the pool or on the main line`);
  return { tx: included.tx, call: onlyContract(included.tx), signers: signersOf(included.tx), isHeld: false };
}
