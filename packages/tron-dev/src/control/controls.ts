// Controls by which a test changes the chain in ways that no network would allow.
import type { Block } from '../chain/ledger.ts';
import type { Chain } from '../chain/chain.ts';
import {
  mineOn,
  openBranch,
  reorg,
  type ReorgOptions,
  switchTo,
  type SwitchOptions,
} from '../chain/forks.ts';
import { without } from '../chain/pool.ts';
import { parseAddress, toBase58 } from '../protocol/address.ts';
import type { ResponseCode } from '../protocol/rejection.ts';
import type { Contract, PinnedEnergy } from '../state/state.ts';
import { World } from '../state/world.ts';
import type { Snapshots } from './snapshots.ts';
import { deployToken, type TokenDeployment } from './deploy-token.ts';
import {
  type NewToken,
  writeBalance,
  writeContract,
  writeIssue,
  writeTokenBalance,
  writeWorld,
} from './state-writes.ts';

/** A block in short. Times are milliseconds. */
export interface BlockSummary {
  readonly id: string;
  readonly number: number;
  readonly timestamp: number;
  readonly transactions: readonly string[];
}

/** Addresses are taken in base58check or hex; amounts are sun or token units. */
export class DevControls {
  readonly #chain: Chain;
  readonly #snapshots: Snapshots;

  constructor(chain: Chain, snapshots: Snapshots) {
    this.#chain = chain;
    this.#snapshots = snapshots;
  }

  /** Makes `count` blocks from the pool, one unless given. */
  async mine(count = 1): Promise<readonly BlockSummary[]> {
    return (await this.#chain.mine(count)).map(summaryOf);
  }

  head(): BlockSummary {
    return summaryOf(this.#chain.head);
  }

  solidHead(): BlockSummary {
    return summaryOf(this.#chain.solidHead);
  }

  /** Moves the time of later blocks forward. */
  increaseTime(ms: number): void {
    this.#chain.clock.advance(ms);
  }

  setNextBlockTimestamp(timestampMs: number): void {
    if (timestampMs <= this.#chain.head.timestamp)
      throw new Error('time does not run backwards: the head is later');
    this.#chain.clock.pinNext(timestampMs);
  }

  /** Keeps blocks, state, pool and clock. Returns the number for `revert`. */
  snapshot(): number {
    return this.#snapshots.take();
  }

  /** Restores the snapshot, which stays usable. Later snapshots are gone. */
  revert(snapshot: number): Promise<void> {
    return this.#snapshots.restore(snapshot);
  }

  openBranch(name: string, atNumber: number): Promise<void> {
    return openBranch(this.#chain, name, atNumber);
  }

  /** Makes blocks on a side branch; `transactions` go into the first of them. */
  async mineOn(
    name: string,
    count = 1,
    transactions: readonly string[] = [],
  ): Promise<readonly BlockSummary[]> {
    return (await mineOn(this.#chain, name, count, transactions)).blocks.map(summaryOf);
  }

  switchTo(name: string, options: SwitchOptions = {}): Promise<void> {
    return switchTo(this.#chain, name, options);
  }

  async reorg(options: ReorgOptions): Promise<readonly BlockSummary[]> {
    return (await reorg(this.#chain, options)).map(summaryOf);
  }

  /** Ids waiting in the pool, oldest first. */
  pool(): readonly string[] {
    return this.#chain.state.pool.map(({ tx }) => tx.txId);
  }

  /** Removes a waiting transaction from the pool. */
  dropTransaction(txId: string): Promise<void> {
    return this.#step(() => {
      const { state } = this.#chain;
      this.#chain.replace({ ...state, pool: without(state.pool, new Set([txId])) }, []);
    });
  }

  /** Keeps a waiting transaction out of blocks until it is released (`hold` false). */
  holdTransaction(txId: string, hold = true): Promise<void> {
    return this.#step(() => {
      const { state } = this.#chain;
      const pool = state.pool.map((entry) => (entry.tx.txId === txId ? { ...entry, isHeld: hold } : entry));
      this.#chain.replace({ ...state, pool }, []);
    });
  }

  /**
   * Makes the next broadcast answer with this code. `isAccepted` decides whether the node accepts the transaction all
   * the same: OTHER_ERROR and NOT_ENOUGH_EFFECTIVE_CONNECTION may mean either.
   */
  failNextBroadcast(code: ResponseCode, { isAccepted }: { readonly isAccepted: boolean }): void {
    this.#chain.failNextBroadcast({ code, isAccepted });
  }

  /**
   * Sets how many blocks the solid head is behind the head. The solid head never moves back, so a longer lag takes
   * effect as blocks are made.
   */
  setSolidLag(blocks: number): Promise<void> {
    return this.#step(() => {
      const { state } = this.#chain;
      this.#chain.replace({ ...state, solid: { ...state.solid, lagBlocks: blocks } }, []);
    });
  }

  freezeSolid(isFrozen = true): Promise<void> {
    return this.#step(() => {
      const { state } = this.#chain;
      this.#chain.replace({ ...state, solid: { ...state.solid, isFrozen } }, []);
    });
  }

  /** Sets the balance of an account, which is made where it does not exist. */
  setBalance(address: string, sun: bigint): Promise<void> {
    return this.#step(() => writeBalance(this.#chain, requireAddress(address), sun));
  }

  setTokenBalance(address: string, tokenId: string, units: bigint): Promise<void> {
    return this.#step(() => writeTokenBalance(this.#chain, requireAddress(address), tokenId, units));
  }

  /** Issues a TRC-10 token and returns its id. */
  issueToken(token: NewToken): Promise<string> {
    return this.#chain.exclusively(() =>
      Promise.resolve(writeIssue(this.#chain, { ...token, owner: requireAddress(token.owner) })),
    );
  }

  /** Writes a TRC-20 token into the state and returns its address in base58check. */
  deployToken(token: TokenDeployment): Promise<string> {
    const { address } = token;
    const owner = requireAddress(token.owner);
    const asked = { ...token, owner, ...(address !== undefined && { address: requireAddress(address) }) };
    return this.#chain.exclusively(async () => {
      const world = new World(this.#chain.head.state);
      const deployed = await deployToken(this.#chain, world, asked);
      writeWorld(this.#chain, world);
      return toBase58(deployed);
    });
  }

  /** True where the head's state has a contract at the address. */
  hasContract(address: string): boolean {
    return this.#chain.head.state.contracts.has(requireAddress(address));
  }

  /** Sets the energy penalty of a contract in parts of 10,000, which mainnet changes from day to day. */
  setEnergyFactor(contract: string, factor: bigint): Promise<void> {
    return this.#writeContract(contract, (old) => ({ ...old, energyFactor: factor }));
  }

  /** Pins the energy of calls of a selector (8 hex digits). With null, the machine counts the energy again. */
  pinEnergy(contract: string, selector: string, energy: PinnedEnergy | null): Promise<void> {
    return this.#writeContract(contract, (old) => {
      const { [selector]: _, ...others } = old.pinnedEnergy;
      return { ...old, pinnedEnergy: energy === null ? others : { ...others, [selector]: energy } };
    });
  }

  #writeContract(contract: string, change: (old: Contract) => Contract): Promise<void> {
    return this.#step(() => writeContract(this.#chain, requireAddress(contract), change));
  }

  #step(change: () => void): Promise<void> {
    return this.#chain.exclusively(() => {
      change();
      return Promise.resolve();
    });
  }
}

function requireAddress(text: string): string {
  const address = parseAddress(text);
  if (address === null) throw new Error(`${text} is no Tron address`);
  return address;
}

function summaryOf(block: Block): BlockSummary {
  const { id, number, timestamp } = block;
  return { id, number, timestamp, transactions: block.transactions.map(({ tx }) => tx.txId) };
}
