// Drives the node of a durable chain: one order after the other, each journalled before it is carried out.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AnvilProcess } from '../evm/anvil-process.ts';
import { startAnvil } from '../evm/anvil-process.ts';
import type { Journal, JournalEntry } from './chain-journal.ts';
import { openJournal } from './chain-journal.ts';
import type { ChainIdentity, OwnBlocks } from './chain-store.ts';
import { dropCheckpoint, journalPath, readResumption, writeCheckpoint } from './chain-store.ts';
import { asHex, callRpc, callRpcHex, fetchHeader, RpcRefusal } from '../evm/json-rpc.ts';
import { replay } from './chain-replay.ts';
import { findRunningProcess } from '../process/running-process.ts';

/** A recovered node that takes orders. */
export interface ChainEngine {
  /** The URL for reads; undefined while the node is being recovered. */
  nodeUrl(): string | undefined;
  nodePid(): number;
  /** Journals and submits a signed transaction; resolves to its hash, rejects with the node's RpcRefusal. */
  submit(raw: `0x${string}`): Promise<`0x${string}`>;
  /** Mines one block at the given time in seconds, or at the newest block's time if that is later. */
  mineBlock(timestampSeconds: number): Promise<void>;
  /**
   * Removes the newest blocks, with the transactions in them, as a reorg does. Throws where one of them is older than
   * the last checkpoint but one, because the node cannot go back that far.
   */
  rollBack(depth: number): Promise<void>;
  close(): Promise<void>;
}

/** The most orders that wait; further ones are refused. */
const maxWaiting = 10_000;
/** After this many failures in a row, each followed by a fresh node, the chain is stopped for good. */
const maxFailures = 5;
/** The most transactions that share one write to the disk. */
const maxGroup = 256;

type Order =
  | { kind: 'tx'; raw: `0x${string}`; done: (hash: `0x${string}`) => void; failed: (error: Error) => void }
  | { kind: 'block'; timestamp: number; done: () => void; failed: (error: Error) => void }
  | { kind: 'rollback'; depth: number; done: () => void; failed: (error: Error) => void };

/** Restores the last state of a folder's chain and starts to take orders. */
export async function startChainEngine(
  folder: string,
  identity: ChainIdentity,
  checkpointEveryBlocks: number,
): Promise<ChainEngine> {
  const engine = new Engine(folder, identity, checkpointEveryBlocks);
  try {
    await engine.recover();
    return engine;
  } catch (error) {
    await engine.close();
    throw error;
  }
}

class Engine implements ChainEngine {
  readonly #folder: string;
  readonly #identity: ChainIdentity;
  readonly #checkpointEveryBlocks: number;
  #node: AnvilProcess | undefined;
  #journal: Journal | undefined;
  #segment = 0;
  #blocks: OwnBlocks = { sinceCheckpoint: 0, before: 0 };
  #head = { number: 0, timestamp: 0 };
  /** Transactions that may still wait in the pool, by hash, in the order of arrival. */
  #unmined = new Map<string, `0x${string}`>();
  #orders: Order[] = [];
  #work: Promise<void> = Promise.resolve();
  #isWorking = false;
  #isReady = false;
  #isClosed = false;

  constructor(folder: string, identity: ChainIdentity, checkpointEveryBlocks: number) {
    this.#folder = folder;
    this.#identity = identity;
    this.#checkpointEveryBlocks = checkpointEveryBlocks;
  }

  nodeUrl(): string | undefined {
    return this.#isReady && this.#node?.hasEnded() === false ? this.#node.rpcUrl : undefined;
  }

  nodePid(): number {
    return this.#node?.pid ?? 0;
  }

  submit(raw: `0x${string}`): Promise<`0x${string}`> {
    return new Promise((done, failed) => this.#enqueue({ kind: 'tx', raw, done, failed }));
  }

  mineBlock(timestampSeconds: number): Promise<void> {
    return new Promise((done, failed) =>
      this.#enqueue({ kind: 'block', timestamp: timestampSeconds, done, failed }),
    );
  }

  rollBack(depth: number): Promise<void> {
    return new Promise((done, failed) => this.#enqueue({ kind: 'rollback', depth, done, failed }));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const order of this.#orders.splice(0)) order.failed(new Error('the chain is closing'));
    await this.#work;
    this.#isReady = false;
    await this.#node?.kill();
    this.#journal?.close();
    rmSync(this.#pidFile(), { force: true });
  }

  /** Starts a fresh node and replays everything that the files hold. */
  async recover(): Promise<void> {
    this.#isReady = false;
    this.#journal?.close();
    this.#journal = undefined;
    await this.#node?.kill();
    this.#endOrphanNode();
    const { checkpoint, entries, segment, blocks } = readResumption(this.#folder);
    const node = await startAnvil({
      ...this.#identity,
      cacheFolder: join(this.#folder, 'node-cache'),
      extraArgs: ['--no-mining', '--no-request-size-limit'],
    });
    this.#node = node;
    writeFileSync(this.#pidFile(), JSON.stringify(findRunningProcess(node.pid)));
    this.#unmined = await replay(node.rpcUrl, checkpoint, entries);
    const head = await fetchHeader(node.rpcUrl, 'latest');
    if (head === undefined) throw new Error('the node has no head');
    this.#head = head;
    this.#segment = segment;
    this.#blocks = blocks;
    this.#journal = openJournal(journalPath(this.#folder, segment));
    this.#isReady = true;
    // A node that dies between two orders is replaced at once, so that reads work again.
    void node.ended.then(() => {
      if (!this.#isClosed) this.#startWork();
    });
  }

  #enqueue(order: Order): void {
    if (this.#isClosed || this.#orders.length >= maxWaiting) {
      order.failed(new Error(this.#isClosed ? 'the chain is closing' : 'too many transactions wait'));
      return;
    }
    this.#orders.push(order);
    this.#startWork();
  }

  #startWork(): void {
    if (this.#isWorking) return;
    this.#isWorking = true;
    this.#work = this.#workOff();
  }

  /**
   * Ends in the same synchronous step in which it finds no work, so that no order can arrive in between and be left
   * waiting.
   */
  async #workOff(): Promise<void> {
    for (let failures = 0; !this.#isClosed; ) {
      const group = this.#isNodeUsable() ? this.#nextGroup() : [];
      if (this.#isNodeUsable() && group.length === 0) break;
      try {
        if (!this.#isNodeUsable()) await this.recover();
        await this.#carryOut(group);
        failures = 0;
      } catch (error) {
        const reason = error instanceof Error ? error : new Error('the node failed');
        for (const order of group) order.failed(reason);
        // A node that failed half way is in an unknown state. The journal has the right state.
        this.#isReady = false;
        await this.#node?.kill();
        failures += 1;
        if (failures >= maxFailures) this.#giveUp(reason);
      }
    }
    this.#isWorking = false;
  }

  #isNodeUsable(): boolean {
    return this.#isReady && this.#node?.hasEnded() === false;
  }

  /** The next block or rollback alone, or else the transactions that wait before it. */
  #nextGroup(): Order[] {
    const block = this.#orders.findIndex((order) => order.kind !== 'tx');
    return this.#orders.splice(0, block === 0 ? 1 : Math.min(maxGroup, block < 0 ? maxGroup : block));
  }

  #giveUp(reason: Error): void {
    this.#isClosed = true;
    for (const order of this.#orders.splice(0)) order.failed(reason);
  }

  async #carryOut(group: readonly Order[]): Promise<void> {
    const [first] = group;
    if (first?.kind === 'rollback') return this.#takeBack(first);
    for (const order of group)
      if (order.kind === 'block') order.timestamp = Math.max(order.timestamp, this.#head.timestamp);
    const number = this.#head.number + 1;
    this.#journal?.append(
      group.flatMap((order): JournalEntry[] => {
        if (order.kind === 'rollback') return [];
        return order.kind === 'tx'
          ? [{ kind: 'tx', raw: order.raw }]
          : [{ kind: 'block', number, timestamp: order.timestamp }];
      }),
    );
    for (const order of group) {
      if (order.kind === 'tx') await this.#send(order);
      else if (order.kind === 'block') {
        await this.#mine(number, order.timestamp);
        order.done();
      }
    }
  }

  async #takeBack({ depth, done, failed }: Order & { kind: 'rollback' }): Promise<void> {
    const { sinceCheckpoint, before } = this.#blocks;
    if (depth < 1 || depth > sinceCheckpoint + before)
      return failed(new Error(`the newest ${depth} blocks cannot be taken back now`));
    if (depth > sinceCheckpoint) {
      // The state in the checkpoint is about to leave the chain, so a start must not load it.
      dropCheckpoint(this.#folder);
      this.#blocks = { sinceCheckpoint: sinceCheckpoint + before, before: 0 };
    }
    const number = this.#head.number - depth;
    this.#journal?.append([{ kind: 'rollback', number, depth }]);
    const url = this.#nodeUrlOrThrow();
    await callRpc(url, 'anvil_rollback', [depth]);
    const head = await fetchHeader(url, 'latest');
    if (head?.number !== number) throw new Error(`the head is ${head?.number} after a rollback to ${number}`);
    this.#head = head;
    this.#grow(-depth);
    done();
  }

  async #send(order: Order & { kind: 'tx' }): Promise<void> {
    const url = this.#nodeUrlOrThrow();
    try {
      const hash = await callRpcHex(url, 'eth_sendRawTransaction', [order.raw]);
      this.#unmined.set(hash, order.raw);
      order.done(hash);
    } catch (error) {
      // A refusal is an answer, and every replay repeats it. Any other error means a broken node.
      if (!(error instanceof RpcRefusal)) throw error;
      order.failed(error);
    }
  }

  async #mine(number: number, timestamp: number): Promise<void> {
    const url = this.#nodeUrlOrThrow();
    await callRpc(url, 'evm_mine', [timestamp]);
    const head = await fetchHeader(url, 'latest');
    if (head?.number !== number) throw new Error(`mined block ${number}, but the head is ${head?.number}`);
    this.#journal?.note({ kind: 'mined', number, hash: head.hash });
    this.#head = { number, timestamp };
    this.#grow(1);
    // The cost of a checkpoint grows with the chain, so a long chain makes them less often.
    const interval = Math.max(this.#checkpointEveryBlocks, Math.floor(number / 500));
    if (this.#blocks.sinceCheckpoint >= interval) await this.#checkpoint(url);
  }

  #grow(blocks: number): void {
    const { sinceCheckpoint, before } = this.#blocks;
    this.#blocks = { sinceCheckpoint: sinceCheckpoint + blocks, before };
  }

  async #checkpoint(url: string): Promise<void> {
    const dump = asHex(await callRpc(url, 'anvil_dumpState'), 'anvil_dumpState');
    const waiting = JSON.stringify(await callRpc(url, 'txpool_content'));
    for (const [hash] of this.#unmined) if (!waiting.includes(hash)) this.#unmined.delete(hash);
    const state = Buffer.from(dump.slice(2), 'hex');
    writeCheckpoint(this.#folder, this.#segment + 1, { state, pending: [...this.#unmined.values()] });
    this.#journal?.close();
    this.#segment += 1;
    this.#blocks = { sinceCheckpoint: 0, before: this.#blocks.sinceCheckpoint };
    this.#journal = openJournal(journalPath(this.#folder, this.#segment));
  }

  #nodeUrlOrThrow(): string {
    if (this.#node === undefined) throw new Error('there is no node');
    return this.#node.rpcUrl;
  }

  #pidFile(): string {
    return join(this.#folder, 'node.json');
  }

  /** Ends the node that a killed parent left running. It holds nothing of value. */
  #endOrphanNode(): void {
    let left: unknown;
    try {
      left = JSON.parse(readFileSync(this.#pidFile(), 'utf8'));
    } catch {
      return;
    }
    if (typeof left !== 'object' || left === null || !('pid' in left && 'startedAt' in left)) return;
    const running = typeof left.pid === 'number' ? findRunningProcess(left.pid) : undefined;
    if (running?.startedAt === left.startedAt && running?.commandLine.includes('anvil') === true) {
      process.kill(running.pid, 'SIGKILL');
    }
  }
}
