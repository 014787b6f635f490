// Retries reads of a node: a recovery may have a single node, which is unreachable, slow or busy now and then.
import type { ChainReader } from '@ducat/gateway/chains/port/reader';
import type { ChainWriter } from '@ducat/gateway/chains/port/writer';
import { Outage } from '@ducat/gateway/runtime/outage';
import type { World } from '@ducat/gateway/runtime/world';

export type ReadingNode = Pick<
  ChainReader,
  'hasPastBalances' | 'head' | 'header' | 'finalBlock' | 'block' | 'balances'
>;
export type WritingNode = Pick<ChainWriter, 'estimate' | 'nextNonce' | 'broadcast'>;

/** The clock to wait by, and how the person is shown that a node is waited for. */
export interface Waiting {
  readonly world: World;
  readonly say: (line: string) => void;
}

/** The pauses between tries. The last one is longer than a circuit breaker ever stays open. */
const PAUSES_MS = [500, 1_000, 2_000, 4_000, 8_000, 16_000, 65_000] as const;

/** The shortest pause that the person is shown. */
const SAID_FROM_MS = 4_000;

/** Throws the Outage of the last try. */
async function untilAnswered<T>({ world, say }: Waiting, ask: () => Promise<T>): Promise<T> {
  for (const pauseMs of PAUSES_MS) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof Outage) || !error.retryable) throw error;
      if (pauseMs >= SAID_FROM_MS) say(`waits ${pauseMs / 1_000} s: ${error.message}`);
      await world.sleep(pauseMs);
    }
  }
  return ask();
}

export function readingAgain(reader: ReadingNode, waiting: Waiting): ReadingNode {
  return {
    hasPastBalances: reader.hasPastBalances,
    head: () => untilAnswered(waiting, () => reader.head()),
    header: (number) => untilAnswered(waiting, () => reader.header(number)),
    finalBlock: (atMost) => untilAnswered(waiting, () => reader.finalBlock(atMost)),
    block: (number, query) => untilAnswered(waiting, () => reader.block(number, query)),
    balances: (...asked) => untilAnswered(waiting, () => reader.balances(...asked)),
  };
}

/** Retries everything but `broadcast`. Signed bytes are broadcast once; the blocks show whether they arrived. */
export function estimatingAgain(writer: WritingNode, waiting: Waiting): WritingNode {
  return {
    estimate: (transfer) => untilAnswered(waiting, () => writer.estimate(transfer)),
    nextNonce: (address, at) => untilAnswered(waiting, () => writer.nextNonce(address, at)),
    broadcast: (bytes) => writer.broadcast(bytes),
  };
}
