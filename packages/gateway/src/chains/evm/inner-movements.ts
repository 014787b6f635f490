// Value that moved inside a block's transactions, as one endpoint traces it.
import type { TraceMethod } from '@ducat/core/chain/chain';
import type { Currency } from '@ducat/core/chain/currency';
import { Throttled } from '../endpoint/throttled.ts';
import { TooMuch } from '../endpoint/too-much.ts';
import { Untimely } from '../endpoint/untimely.ts';
import { callFrameOf, callFramesOf } from './call-frames.ts';
import { checkTop } from './check-top.ts';
import type { Endpoint } from './endpoint.ts';
import type { ExecutedBlock } from './executed-block.ts';
import { flatFrameOf, flatFramesOf } from './flat-frames.ts';
import { type PartsReading, readInParts, type TraceOne } from './inner-in-parts.ts';
import type { Movement } from './movement.ts';
import { type CallFrame, mostText } from './native-transfers.ts';
import { saysOldState } from './old-state.ts';
import type { ReadingTime } from './reading-time.ts';
import type { Rpc } from './rpc.ts';
import { tracedMovements } from './traced-movements.ts';
import { isUntold } from './untold.ts';

/** By the place of the transaction, of those that value can move inside; null where it is too much to trace. */
export type InnerMovements = ReadonlyMap<number, readonly Movement[] | null>;

interface Tracer {
  /** The top frame of every transaction of the block, in its order. */
  readonly whole: (rpc: Rpc, block: ExecutedBlock) => Promise<readonly CallFrame[]>;
  readonly one: TraceOne;
}

const tracers: Readonly<Record<Exclude<TraceMethod, 'none'>, Tracer>> = {
  debug: { whole: callFramesOf, one: callFrameOf },
  trace: { whole: flatFramesOf, one: flatFrameOf },
};

/**
 * Of the whole block at once, beside other blocks; where that is not told, of one transaction after the other and of one
 * block at a time. Throws LyingNode where the frames do not fit the block, and what readInParts throws.
 */
export async function readInnerMovements(
  endpoint: Endpoint,
  time: ReadingTime,
  method: TraceMethod,
  block: ExecutedBlock,
  currency: Currency | null,
): Promise<InnerMovements> {
  const places = [...block.transactions.keys()].filter((place) => block.transactions[place]?.mayMoveInside);
  if (method === 'none' || currency === null || places.length === 0) return new Map();
  const tracer = tracers[method];
  const reading = { endpoint, time, traceOne: tracer.one, block, places, currency };
  const { hash } = block.header;
  const { traces } = endpoint;
  const isWhole = traces.isWholeNext(hash);
  const before = traces.begun(hash)?.size ?? 0;
  if (isWhole) {
    try {
      const inner = movementsOf(reading, await tracer.whole(time.limit(endpoint.blockTraceRpc), block));
      traces.end(hash);
      return inner;
    } catch (error) {
      const isThrottled = error instanceof Throttled;
      if (!isThrottled && !isUntold(error)) throw error;
      // Noted before anything else is asked: a trace of it may have taken down the whole node.
      traces.begin(hash, traces.begun(hash) ?? new Map());
      if (isThrottled) throw error;
      if (error instanceof TooMuch && error.by === 'count') traces.noteTooMuch(hash);
      // A node that is gone is found out here, before it takes the place of one that only has much to say.
      await endpoint.askHead();
    }
  }
  try {
    return await endpoint.inTurn(time, () => readInParts(reading));
  } catch (error) {
    // It may be one that traces whole blocks alone, and was only away when this one was asked for.
    const isRefused = error instanceof Untimely || saysOldState(error);
    const isNothing = !isWhole && isRefused && (traces.begun(hash)?.size ?? 0) === before;
    // Who wants to be asked less often is not asked a hundred questions for one that it may answer now.
    if (isNothing || error instanceof Throttled) traces.askWholeNext(hash);
    throw error;
  }
}

/** Throws TooMuch where the movements of all together are too much. */
function movementsOf(reading: PartsReading, frames: readonly CallFrame[]): InnerMovements {
  const { endpoint, block, currency } = reading;
  const inner = new Map<number, readonly Movement[]>();
  const room = { left: mostText };
  for (const [place, transaction] of block.transactions.entries()) {
    const frame = frames[place];
    if (frame === undefined) continue;
    if (transaction.mayMoveInside)
      inner.set(place, tracedMovements(frame, transaction, block, currency, room));
    else checkTop(frame, transaction, block);
  }
  const [last] = reading.places.flatMap((place) => block.transactions[place]?.id ?? []);
  if (last !== undefined) endpoint.traces.noteTraced(last);
  return inner;
}
