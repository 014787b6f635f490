// The blocks of the fake chain: mined, forked and summed up, nothing but memory.
import { assert } from '@ducat/core/assert';
import type { BlockHeader, Transfer } from '@ducat/core/chain/transfer';
import { amountOf, unitsOf } from '@ducat/core/money/amount';
import type { ChainBlock } from '../port.ts';
import { fakeHashes } from './fake-hash.ts';

/** One movement that a transaction makes. */
export interface FakeMovement {
  readonly currencyId: number;
  readonly from: string;
  readonly to: string;
  /** Base units; a movement of zero is on the chain but is no transfer. */
  readonly units: bigint;
}

export interface FakeTransaction {
  /** Kept when the same transaction is included again after a fork; made up where it is left out. */
  readonly txId?: string;
  readonly movements: readonly FakeMovement[];
  /** A failed transaction moves nothing. */
  readonly failed?: boolean;
}

export interface FakeLedgerOptions {
  readonly chain: string;
  readonly seed: number;
  /** Unix seconds of block 0. */
  readonly startTime: number;
  readonly blockTimeSeconds: number;
}

export class FakeLedger {
  readonly #options: FakeLedgerOptions;
  readonly #nextHash: () => string;
  #blocks: ChainBlock[] = [];

  constructor(options: FakeLedgerOptions) {
    this.#options = options;
    this.#nextHash = fakeHashes(options.seed);
    this.mine([], options.startTime);
  }

  get head(): number {
    return this.#blocks.length - 1;
  }

  at(number: number): ChainBlock | null {
    return this.#blocks[number] ?? null;
  }

  /** Puts a block on top. Without a time it is one block time after its parent. */
  mine(transactions: readonly FakeTransaction[], time?: number): ChainBlock {
    const parent = this.#blocks.at(-1)?.header;
    const header: BlockHeader = {
      number: this.#blocks.length,
      hash: this.#nextHash(),
      parentHash: parent?.hash ?? `0x${'0'.repeat(64)}`,
      time: time ?? (parent?.time ?? 0) + this.#options.blockTimeSeconds,
    };
    const transfers = transactions.flatMap((transaction) => this.#transfersOf(transaction, header));
    const block: ChainBlock = { header, transfers, untraced: [] };
    this.#blocks.push(block);
    return block;
  }

  /** Takes the newest blocks away. Block 0 stays. */
  drop(depth: number): void {
    assert(
      depth >= 0 && depth <= this.head,
      `a fork of depth ${depth} does not fit a chain of height ${this.head}`,
    );
    this.#blocks = this.#blocks.slice(0, this.#blocks.length - depth);
  }

  /** What an address received less what it sent, up to and with that block. May be negative: nobody is funded. */
  balance(address: string, currencyId: number, upTo: number): bigint {
    let units = 0n;
    for (const block of this.#blocks.slice(0, upTo + 1)) {
      for (const { from, to, amount } of block.transfers) {
        if (amount.currencyId !== currencyId) continue;
        if (to === address) units += unitsOf(amount);
        if (from === address) units -= unitsOf(amount);
      }
    }
    return units;
  }

  #transfersOf(transaction: FakeTransaction, block: BlockHeader): readonly Transfer[] {
    const txId = transaction.txId ?? this.#nextHash();
    if (transaction.failed === true) return [];
    const transfers: Transfer[] = [];
    for (const [index, { currencyId, from, to, units }] of transaction.movements.entries()) {
      assert(units >= 0n, 'a movement is never negative');
      if (units === 0n) continue;
      const amount = amountOf(currencyId, units);
      transfers.push({ chain: this.#options.chain, txId, position: `log:${index}`, from, to, amount, block });
    }
    return transfers;
  }
}
