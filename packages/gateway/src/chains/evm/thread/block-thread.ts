// Shares the reading of blocks with a second thread while a chain catches up: one thread alone would be the bottleneck.
import { Worker } from 'node:worker_threads';
import type { World } from '../../../runtime/world.ts';
import { Outage, type OutageKind } from '../../../runtime/outage.ts';
import type { BlockQuery, ChainBlock } from '../../port/reader.ts';
import type { ProviderOptions } from '../../rpc/provider-options.ts';
import type { RpcObservation } from '../../rpc/rpc-observer.ts';

/** What the second thread makes its readers of. */
export type ThreadData = Pick<ProviderOptions, 'definition' | 'rpcUrls'>;

export interface WantedBlock {
  /** The provider's place among the URLs. */
  readonly place: number;
  readonly number: number;
  readonly query: BlockQuery;
}

export interface BlockRequest extends WantedBlock {
  readonly id: number;
}

export type BlockAnswer =
  | { readonly id: number; readonly block: ChainBlock | null }
  /** An Outage, whose class does not pass from thread to thread. */
  | {
      readonly id: number;
      readonly outage: { readonly message: string; readonly kind: OutageKind; readonly retryable: boolean };
    }
  | { readonly observed: RpcObservation };

type ReadBlock = () => Promise<ChainBlock | null>;

interface Waiting {
  /** Reads the block in the first thread. */
  readonly read: ReadBlock;
  readonly resolve: (block: ChainBlock | null | Promise<ChainBlock | null>) => void;
  readonly reject: (error: Outage) => void;
}

/** A whole batch of the watcher. */
const MANY_AT_ONCE = 16;
/** After so many blocks that were read beside a whole batch. A rest of 15 seconds leaves fewer, with blocks of 200 ms and more. */
const STARTS_AFTER = 64;
/** After so long the blocks count anew. An idle chain rests for longer, a chain that catches up does not. */
const COUNTED_WITHIN_MS = 3_000;
/** Blocks at once that the first thread still reads. It also writes to the database, so it has the smaller share. */
const KEPT_AT_ONCE = 4;
/** How long the thread is kept that the chain does not need any more; it takes some 40 MB. */
const KEPT_MS = 10_000;

/** One thread for all providers of a chain. It is started when it is needed, and has connections of its own. */
export class BlockThread {
  readonly #options: ProviderOptions;
  readonly #world: World;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | null = null;
  #isBroken = false;
  #reading = 0;
  #kept = 0;
  #lastId = 0;
  #neededAtMs = 0;
  #needed = 0;

  constructor(options: ProviderOptions) {
    this.#options = options;
    this.#world = options.world;
  }

  get isRunning(): boolean {
    return this.#worker !== null;
  }

  /**
   * Reads a block, here by `read` or in the second thread. Throws what `read` throws. If the thread breaks, its blocks are
   * read here, and it is not started again.
   */
  async share(wanted: WantedBlock, read: ReadBlock): Promise<ChainBlock | null> {
    this.#reading += 1;
    try {
      if (this.#reading >= MANY_AT_ONCE) this.#startIfNeeded();
      const worker = this.#kept < KEPT_AT_ONCE ? null : this.#worker;
      return await (worker === null ? this.#keep(read) : this.#ask(worker, wanted, read));
    } finally {
      this.#reading -= 1;
    }
  }

  async #keep(read: ReadBlock): Promise<ChainBlock | null> {
    this.#kept += 1;
    try {
      return await read();
    } finally {
      this.#kept -= 1;
    }
  }

  #ask(worker: Worker, wanted: WantedBlock, read: ReadBlock): Promise<ChainBlock | null> {
    this.#lastId += 1;
    const request: BlockRequest = { ...wanted, id: this.#lastId };
    return new Promise((resolve, reject) => {
      // First, because it throws where the query cannot pass from thread to thread.
      worker.postMessage(request);
      this.#waiting.set(request.id, { read, resolve, reject });
    });
  }

  #startIfNeeded(): void {
    const nowMs = this.#world.nowMs();
    if (Math.abs(nowMs - this.#neededAtMs) >= COUNTED_WITHIN_MS) this.#needed = 0;
    this.#needed += 1;
    this.#neededAtMs = nowMs;
    if (this.#needed < STARTS_AFTER || this.#worker !== null || this.#isBroken) return;
    try {
      const worker = this.#start();
      this.#worker = worker;
      void this.#endOnceUnneeded(worker);
    } catch (error) {
      this.#onBroken(null, error);
    }
  }

  async #endOnceUnneeded(worker: Worker): Promise<void> {
    while (this.#worker === worker) {
      await this.#world.sleep(KEPT_MS);
      const isNeeded = Math.abs(this.#world.nowMs() - this.#neededAtMs) < KEPT_MS || this.#waiting.size > 0;
      if (isNeeded || this.#worker !== worker) continue;
      this.#worker = null;
      await worker.terminate();
    }
  }

  #start(): Worker {
    const { definition, rpcUrls } = this.#options;
    // The compiled file, also where tests run the sources.
    const file = new URL(import.meta.resolve('@ducat/gateway/chains/evm/thread/block-worker'));
    const worker = new Worker(file, { workerData: { definition, rpcUrls } satisfies ThreadData });
    // It must not keep a process alive that has nothing else to do.
    worker.unref();
    worker.on('message', (answer: BlockAnswer) => this.#onAnswer(answer));
    worker.on('messageerror', (error) => this.#onBroken(worker, error));
    worker.on('error', (error) => this.#onBroken(worker, error));
    worker.on('exit', (code) => this.#onBroken(worker, new Error(`the thread ended with code ${code}`)));
    return worker;
  }

  #onAnswer(answer: BlockAnswer): void {
    if ('observed' in answer) {
      this.#options.observer?.onRequest(answer.observed);
      return;
    }
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if ('block' in answer) waiting?.resolve(answer.block);
    else waiting?.reject(new Outage(answer.outage.message, answer.outage));
  }

  /** The worker is null where it could not be started. A worker that was ended, or broke before, changes nothing. */
  #onBroken(worker: Worker | null, error: unknown): void {
    if (worker !== this.#worker) return;
    this.#worker = null;
    this.#isBroken = true;
    void worker?.terminate();
    this.#options.secondThread?.onBroken(error);
    for (const { read, resolve } of this.#waiting.values()) resolve(this.#keep(read));
    this.#waiting.clear();
  }
}
