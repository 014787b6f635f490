// A chain in memory with providers of a test's choice, watched step by step on a real database with a clock of its own.
import { type ChainDefinition } from '@ducat/core/chain/chain';
import { eth } from '@ducat/core/chain/definitions/eth';
import { inject } from 'vitest';
import { createFakeChain, type FakeChain } from '../chains/fake/chain-in-memory.ts';
import type { FakeProvider } from '../chains/fake/fake-provider.ts';
import type { ChainReader } from '@ducat/gateway/chains/port/reader';
import { createQuorumReader } from '@ducat/gateway/chains/quorum/quorum-reader';
import { type ChainCursor, readCursors } from '@ducat/gateway/db/tables/cursors';
import type { LeasedChain } from '@ducat/gateway/roles/watcher/parts';
import { searchOnce } from '@ducat/gateway/roles/watcher/search/search-once';
import { step, type Walk, walkFromStart } from '@ducat/gateway/roles/watcher/step';
import { Outage } from '@ducat/gateway/runtime/outage';
import { chainsInUse } from '../chains-in-use.ts';
import { openTestDatabase, type TestDatabase } from '../database.ts';
import { insertApp, plainWriting, START_TIME, TEST_LEASE } from '../fixtures.ts';
import { silentObserver } from './silent-observer.ts';

/** Deep enough for forks, and so short that a test needs few blocks. */
const stageDefinition: ChainDefinition = {
  ...eth,
  confirmations: 3,
  blockTimeMs: 1_000,
  windowBlocks: 64,
};

export interface StageOptions {
  readonly definition?: ChainDefinition;
  /** How far behind the head the chain's own finality is. */
  readonly finalityBlocks?: number;
  /** The providers, the preferred one first; by default the chain's only one. */
  readonly providers?: (chain: FakeChain) => readonly FakeProvider[];
  readonly quorum?: number;
  /** The first block to read; 0 unless said otherwise, null for a little below the head. */
  readonly startBlock?: number | null;
}

export class WatchStage {
  readonly database: TestDatabase;
  readonly chain: FakeChain;
  readonly reader: ChainReader;
  readonly watch: LeasedChain;
  nowMs = START_TIME * 1000;
  /** What was logged as an error, a warning or noteworthy, as `level message`. */
  readonly logged: string[] = [];
  /** The fields of the same log lines. */
  readonly fields: object[] = [];
  /** Kinds of outages that were reported. */
  readonly outages: string[] = [];
  /** Internal transactions that were reported, as `outcome count`. */
  readonly internal: string[] = [];
  /** Transfers that a person should look at, by what they are. */
  readonly noted = { unassigned: 0, outflows: 0, absurd: 0 };
  #walk: Walk = walkFromStart;
  #events = 0;

  private constructor(database: TestDatabase, options: StageOptions) {
    this.database = database;
    const { definition = stageDefinition, finalityBlocks = 2, startBlock = 0 } = options;
    const world = {
      nowMs: () => this.nowMs,
      random: (bytes: number) => new Uint8Array(bytes),
      // A sleep ends only when its signal aborts it, because no test brings about what the sleeper waits for.
      sleep: (_: number, signal?: AbortSignal) =>
        new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve())),
    };
    this.chain = createFakeChain({ definition, seed: 7, startTime: START_TIME, finalityBlocks, world });
    const readers = options.providers?.(this.chain) ?? [this.chain.main];
    this.reader = createQuorumReader({ definition, readers, world, quorum: options.quorum ?? null });
    const note = (level: string) => (fields: object, message: string) => {
      this.logged.push(`${level} ${message}`);
      this.fields.push(fields);
    };
    this.watch = {
      chain: this.reader,
      startBlock,
      transact: database.transact,
      reader: database.reader,
      world,
      idle: chainsInUse,
      ...plainWriting,
      newEventId: () => `evt_${++this.#events}`,
      holder: TEST_LEASE.holder,
      lease: TEST_LEASE,
      log: { debug: () => undefined, info: note('info'), warn: note('warn'), error: note('error') },
      observer: {
        ...silentObserver,
        onOutage: (_, kind) => void this.outages.push(kind),
        onInternal: (_, outcome, count) => void this.internal.push(`${outcome} ${count}`),
        onNoted: (_, { unassigned, outflows, absurd }) => {
          this.noted.unassigned += unassigned;
          this.noted.outflows += outflows;
          this.noted.absurd += absurd;
        },
      },
    };
  }

  static async open(options: StageOptions = {}): Promise<WatchStage> {
    const database = await openTestDatabase(inject('postgresAdminUrl'));
    await insertApp(database);
    return new WatchStage(database, options);
  }

  close(): Promise<void> {
    return this.database.drop();
  }

  /** Takes one step. Gives its outcome, or the kind of the outage that it met. */
  async step(): Promise<string> {
    try {
      const { outcome, walk } = await step(this.watch, this.#walk);
      this.#walk = walk;
      return outcome;
    } catch (error) {
      if (!(error instanceof Outage)) throw error;
      this.#walk = walkFromStart;
      this.logged.push(`outage ${error.message}`);
      return error.kind;
    }
  }

  /** Takes steps until one is not busy. Gives the outcome of that step. */
  async rest(): Promise<string> {
    for (let steps = 0; steps < 100; steps++) {
      const outcome = await this.step();
      if (outcome !== 'busy') return outcome;
    }
    throw new Error('the walk does not come to rest');
  }

  /** Takes `count` steps that are `everyMs` apart. Gives the outcome of each. */
  async steps(count: number, everyMs = 1_000): Promise<readonly string[]> {
    const outcomes: string[] = [];
    for (let done = 0; done < count; done++) {
      this.nowMs += everyMs;
      outcomes.push(await this.step());
    }
    return outcomes;
  }

  /** Mines empty blocks one by one and walks to each. */
  async mine(blocks: number): Promise<void> {
    for (let mined = 0; mined < blocks; mined++) {
      this.chain.mine();
      this.nowMs += 1_000;
      await this.rest();
    }
  }

  /** Runs one search. Gives its outcome, or the kind of the outage that it met. */
  async search({ waitsForTrace = true } = {}): Promise<string> {
    try {
      return await searchOnce(this.watch, { signal: new AbortController().signal, waitsForTrace });
    } catch (error) {
      if (!(error instanceof Outage)) throw error;
      this.logged.push(`outage ${error.message}`);
      return error.kind;
    }
  }

  async cursor(): Promise<ChainCursor> {
    const cursor = (await readCursors(this.database.reader)).get(this.reader.definition.name);
    if (cursor === undefined) throw new Error('nothing was read yet');
    return cursor;
  }

  /** The transfers in the books, as `state units`, in the order of the chain. */
  async transfers(): Promise<readonly string[]> {
    const rows = await this.database.reader.read<{ state: string; units: string }>(
      'SELECT state, units FROM transfers ORDER BY block_number, ordinal',
      [],
    );
    return rows.map(({ state, units }) => `${state} ${units}`);
  }

  /** The address that the next order will get. */
  async freeAddress(): Promise<string> {
    const [row] = await this.database.reader.read<{ address: string }>(
      'SELECT address FROM addresses WHERE trade_no IS NULL ORDER BY address_id LIMIT 1',
      [],
    );
    if (row === undefined) throw new Error('the pool is empty');
    return row.address;
  }

  async reorgs(): Promise<number> {
    return (await this.database.reader.read('SELECT 1 FROM reorgs', [])).length;
  }

  circuits(): readonly string[] {
    return this.reader.providers().map(({ circuit }) => circuit);
  }
}
