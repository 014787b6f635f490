// The blocks of the fake chain: mined, forked and summed up, nothing but memory.
import { assert } from '@ducat/core/assert';
import type { Inclusion } from '@ducat/core/chain/inclusion';
import type { BlockHeader, Transfer } from '@ducat/core/chain/transfer';
import { amountOf, type CurrencyId } from '@ducat/core/money/amount';
import { fakeHashes } from './fake-hash.ts';

/** One value transfer that a transaction makes. */
export interface FakeTransfer {
  readonly currencyId: CurrencyId;
  readonly from: string;
  readonly to: string;
  /** Base units. No provider reports a transfer of zero. */
  readonly units: bigint;
  /**
   * Where the transfer shows. `transfer` (the default): in the transfers of its block. `internal`: only in traces and
   * proposals. `hidden`: only in balances, as a block reward does.
   */
  readonly kind?: 'transfer' | 'internal' | 'hidden';
}

export interface FakeTransaction {
  /** Set to include the same transaction again after a fork; made up where it is left out. */
  readonly txId?: string;
  readonly transfers: readonly FakeTransfer[];
  /** A failed transaction moves nothing but its fee. */
  readonly failed?: boolean;
  /** Who pays the fee; the first sender unless said otherwise. */
  readonly payer?: string;
  /** Base units of the native currency; none unless said otherwise. */
  readonly feeUnits?: bigint;
}

/** A block with everything that happened in it, whichever provider shows it. */
export interface FakeBlock {
  readonly header: BlockHeader;
  readonly transfers: readonly Transfer[];
  readonly internal: readonly Transfer[];
  readonly inclusions: readonly Inclusion[];
  /** How it changed balances. */
  readonly changes: readonly Change[];
}

interface Change {
  readonly address: string;
  readonly currencyId: CurrencyId;
  readonly units: bigint;
}

export interface BlocksOptions {
  readonly chain: string;
  readonly nativeCurrencyId: CurrencyId;
  readonly seed: number;
  /** Unix seconds of block 0. */
  readonly startTime: number;
  readonly blockTimeSeconds: number;
}

export class BlocksInMemory {
  readonly #options: BlocksOptions;
  readonly #nextHash: () => string;
  #blocks: FakeBlock[] = [];
  /** By address and currency, the balance after each block that changed it, lowest first. */
  readonly #balances = new Map<string, { readonly number: number; readonly units: bigint }[]>();

  constructor(options: BlocksOptions, shared: readonly FakeBlock[] = []) {
    this.#options = options;
    this.#nextHash = fakeHashes(options.seed);
    if (shared.length === 0) this.mine([], options.startTime);
    for (const block of shared) this.#push(block);
  }

  get head(): number {
    return this.#blocks.length - 1;
  }

  at(number: number): FakeBlock | null {
    return this.#blocks[number] ?? null;
  }

  withHash(hash: string): FakeBlock | null {
    return this.#blocks.findLast(({ header }) => header.hash === hash) ?? null;
  }

  /** Puts a block on top. Without a time it is one block time after its parent. */
  mine(transactions: readonly FakeTransaction[], time?: number): FakeBlock {
    const parent = this.#blocks.at(-1)?.header;
    const header: BlockHeader = {
      number: this.#blocks.length,
      hash: this.#nextHash(),
      parentHash: parent?.hash ?? `0x${'0'.repeat(64)}`,
      time: time ?? (parent?.time ?? 0) + this.#options.blockTimeSeconds,
    };
    const parts = transactions.map((transaction) => this.#execute(transaction, header));
    const block: FakeBlock = {
      header,
      transfers: parts.flatMap(({ transfers }) => transfers),
      internal: parts.flatMap(({ internal }) => internal),
      inclusions: parts.map(({ inclusion }) => inclusion),
      changes: parts.flatMap(({ changes }) => changes),
    };
    this.#push(block);
    return block;
  }

  /** Takes the newest blocks away. Block 0 stays. */
  drop(depth: number): void {
    const fits = depth >= 0 && depth <= this.head;
    assert(fits, `a fork of depth ${depth} does not fit a chain of height ${this.head}`);
    this.#blocks = this.#blocks.slice(0, this.#blocks.length - depth);
    for (const history of this.#balances.values()) {
      while ((history.at(-1)?.number ?? 0) > this.head) history.pop();
    }
  }

  /** A chain that shares all but the newest `depth` blocks, and then grows on its own. */
  split(depth: number, seed: number): BlocksInMemory {
    return new BlocksInMemory({ ...this.#options, seed }, this.#blocks.slice(0, this.#blocks.length - depth));
  }

  /**
   * What an address received less what it sent and paid in fees, up to and including block `upTo`. May be negative,
   * because no address is funded.
   */
  balance(address: string, currencyId: CurrencyId, upTo: number): bigint {
    const history = this.#balances.get(`${currencyId} ${address}`) ?? [];
    return history.findLast(({ number }) => number <= upTo)?.units ?? 0n;
  }

  #push(block: FakeBlock): void {
    this.#blocks.push(block);
    const { number } = block.header;
    for (const { address, currencyId, units } of block.changes) {
      const key = `${currencyId} ${address}`;
      const history = this.#balances.get(key) ?? [];
      this.#balances.set(key, history);
      history.push({ number, units: (history.at(-1)?.units ?? 0n) + units });
    }
  }

  #execute(transaction: FakeTransaction, block: BlockHeader): Executed {
    const { chain, nativeCurrencyId } = this.#options;
    const { failed = false, feeUnits = 0n } = transaction;
    const txId = transaction.txId ?? this.#nextHash();
    const payer = transaction.payer ?? transaction.transfers[0]?.from ?? '';
    const executed: Executed = {
      transfers: [],
      internal: [],
      changes: feeUnits === 0n ? [] : [{ address: payer, currencyId: nativeCurrencyId, units: -feeUnits }],
      inclusion: {
        chain,
        txId,
        block,
        status: failed ? 'failed' : 'succeeded',
        payer,
        fee: amountOf(nativeCurrencyId, feeUnits),
      },
    };
    for (const [index, transfer] of transaction.transfers.entries()) {
      const { currencyId, from, to, units, kind = 'transfer' } = transfer;
      assert(units >= 0n, 'a transfer is never negative');
      if (failed || units === 0n) continue;
      executed.changes.push({ address: from, currencyId, units: -units }, { address: to, currencyId, units });
      const amount = amountOf(currencyId, units);
      const shown = { chain, txId, from, to, amount, block };
      if (kind === 'transfer') executed.transfers.push({ ...shown, position: `log:${index}` });
      if (kind === 'internal') executed.internal.push({ ...shown, position: `internal:${index}` });
    }
    return executed;
  }
}

interface Executed {
  readonly transfers: Transfer[];
  readonly internal: Transfer[];
  readonly changes: Change[];
  readonly inclusion: Inclusion;
}
