// A walk along a chain of several nodes in memory, on a real database and with a clock of its own.
import { inject } from 'vitest';
import type { Branch, BranchNode } from '../chains/branch-nodes.ts';
import type { ChainPort } from '@ducat/gateway/chains/port';
import { Outage } from '@ducat/gateway/runtime/outage';
import { type ChainCursor, readCursors } from '@ducat/gateway/db/tables/cursors';
import { openTestDatabase, type TestDatabase } from '../database.ts';
import { insertApp, plainEncode, TEST_LEASE } from '../fixtures.ts';
import type { World } from '@ducat/gateway/runtime/world';
import type { LeasedChain } from '@ducat/gateway/roles/watcher/parts';
import { stepChain } from '@ducat/gateway/roles/watcher/watch-chain';
import { silentObserver } from './silent-observer.ts';

/** What is changed of a node, mostly read anew at each question. */
export type Change = {
  readonly [Key in 'branch' | 'head' | 'final' | 'isAway']?: () => BranchNode[Key];
} & Pick<BranchNode, 'onAsked' | 'siblings'>;

export class BranchStage {
  readonly database: TestDatabase;
  /** The true height. */
  height = 60;
  nowMs = 1_700_001_000_000;
  readonly world: World = {
    nowMs: () => this.nowMs,
    random: (bytes) => new Uint8Array(bytes),
    sleep: (_, signal) => new Promise((resolve) => signal?.addEventListener('abort', () => resolve())),
  };

  private constructor(database: TestDatabase) {
    this.database = database;
  }

  static async open(): Promise<BranchStage> {
    const database = await openTestDatabase(inject('postgresAdminUrl'));
    await insertApp(database);
    return new BranchStage(database);
  }

  close(): Promise<void> {
    return this.database.drop();
  }

  /** A node on the true chain but for what is changed of it. */
  nodeOf(main: Branch, change: Change = {}): BranchNode {
    const trueHeight = (): number => this.height;
    return {
      get branch() {
        return change.branch?.() ?? main;
      },
      get head() {
        return change.head?.() ?? trueHeight();
      },
      get final() {
        return change.final?.() ?? trueHeight() - 2;
      },
      get isAway() {
        return change.isAway?.() ?? false;
      },
      ...(change.onAsked === undefined ? {} : { onAsked: change.onAsked }),
      ...(change.siblings === undefined ? {} : { siblings: change.siblings }),
    };
  }

  watchOf(chain: ChainPort, startBlock: number | null = 0): LeasedChain {
    const nothing = () => undefined;
    return {
      chain,
      startBlock,
      transact: this.database.transact,
      reader: this.database.reader,
      world: this.world,
      encode: plainEncode,
      newEventId: () => 'evt',
      holder: TEST_LEASE.holder,
      lease: TEST_LEASE,
      log: { debug: nothing, info: nothing, warn: nothing, error: nothing },
      observer: silentObserver,
    };
  }

  /** Steps of one second each; what each came to, in the words of the outage where it was one. */
  async run(watch: LeasedChain, seconds: number, blocksPerSecond = 1): Promise<readonly string[]> {
    const steps: string[] = [];
    for (let second = 0; second < seconds; second++) {
      steps.push(await stepChain(watch).catch(wordsOf));
      this.nowMs += 1_000;
      this.height += blocksPerSecond;
    }
    return steps;
  }

  async cursor(): Promise<ChainCursor | undefined> {
    return (await readCursors(this.database.reader)).get('ETH');
  }

  async reorgs(): Promise<number> {
    return (await this.database.reader.read('SELECT 1 FROM reorgs', [])).length;
  }
}

export const healthy = (chain: ChainPort): readonly boolean[] => chain.health().map((one) => one.healthy);

function wordsOf(error: unknown): string {
  if (error instanceof Outage) return `${error.kind}: ${error.message}`;
  throw error;
}
