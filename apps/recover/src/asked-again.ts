// Reading that is tried again: a recovery may have one node, which is away, slow or busy now and then.
import type { ChainReader } from '@ducat/gateway/chains/port/reader';
import type { ChainWriter } from '@ducat/gateway/chains/port/writer';
import { Outage } from '@ducat/gateway/runtime/outage';
import type { World } from '@ducat/gateway/runtime/world';

export type ReadingNode = Pick<
  ChainReader,
  'hasPastBalances' | 'head' | 'header' | 'finalBlock' | 'block' | 'balances'
>;
export type WritingNode = Pick<ChainWriter, 'estimate' | 'nextNonce' | 'broadcast'>;

/** The last is longer than a provider is ever rested by its circuit breaker. */
const PAUSES_MS = [500, 1_000, 2_000, 4_000, 8_000, 16_000, 65_000] as const;

/** Throws the Outage of the last try. */
async function untilAnswered<T>(world: World, ask: () => Promise<T>): Promise<T> {
  for (const pauseMs of PAUSES_MS) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof Outage) || !error.retryable) throw error;
      await world.sleep(pauseMs);
    }
  }
  return ask();
}

export function readingAgain(reader: ReadingNode, world: World): ReadingNode {
  return {
    hasPastBalances: reader.hasPastBalances,
    head: () => untilAnswered(world, () => reader.head()),
    header: (number) => untilAnswered(world, () => reader.header(number)),
    finalBlock: (atMost) => untilAnswered(world, () => reader.finalBlock(atMost)),
    block: (number, query) => untilAnswered(world, () => reader.block(number, query)),
    balances: (...asked) => untilAnswered(world, () => reader.balances(...asked)),
  };
}

/** Bytes are passed on once: whether they arrived, blocks say. */
export function estimatingAgain(writer: WritingNode, world: World): WritingNode {
  return {
    estimate: (transfer) => untilAnswered(world, () => writer.estimate(transfer)),
    nextNonce: (address, at) => untilAnswered(world, () => writer.nextNonce(address, at)),
    broadcast: (bytes) => writer.broadcast(bytes),
  };
}
