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

/** So many blocks at once are only asked for by a chain that catches up: the watcher reads sixteen then. */
const STARTS_AT = 12;
/** Blocks at once that the first thread still reads. It also writes to the database, so it has the smaller share. */
const KEPT_AT_ONCE = 4;
/** How long the thread is kept that no chain needs any more; it takes some 40 MB. */
const KEPT_MS = 10_000;
/** Blocks are large and die young. The first thread has less, because it runs for years. */
const youngGeneration = { maxYoungGenerationSizeMb: 64 };

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
      this.#startOrEnd();
      if (this.#worker !== null && this.#kept >= KEPT_AT_ONCE)
        return await this.#ask(this.#worker, wanted, read);
      return await this.#keep(read);
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
      this.#waiting.set(request.id, { read, resolve, reject });
      worker.postMessage(request);
    });
  }

  #startOrEnd(): void {
    const nowMs = this.#world.nowMs();
    if (this.#reading >= STARTS_AT) {
      this.#neededAtMs = nowMs;
      if (this.#worker === null && !this.#isBroken) this.#worker = this.#start();
    } else if (this.#waiting.size === 0 && Math.abs(nowMs - this.#neededAtMs) > KEPT_MS) {
      void this.#worker?.terminate();
      this.#worker = null;
    }
  }

  #start(): Worker {
    const { definition, rpcUrls } = this.#options;
    // The compiled file, also where tests run the sources.
    const file = new URL(import.meta.resolve('@ducat/gateway/chains/evm/thread/block-worker'));
    const workerData: ThreadData = { definition, rpcUrls };
    const worker = new Worker(file, { workerData, resourceLimits: youngGeneration });
    // It must not keep a process alive that has nothing else to do.
    worker.unref();
    worker.on('message', (answer: BlockAnswer) => this.#onAnswer(answer));
    worker.on('error', (error) => this.#onBroken(error));
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

  #onBroken(error: unknown): void {
    this.#worker = null;
    this.#isBroken = true;
    this.#options.secondThread?.onBroken(error);
    for (const { read, resolve } of this.#waiting.values()) resolve(this.#keep(read));
    this.#waiting.clear();
  }
}
