// Value that moved inside a block's transactions, as one endpoint traces it.
import type { TraceMethod } from '@ducat/core/chain/chain';
import type { Currency } from '@ducat/core/chain/currency';
import { callFramesInParts, callFramesOf } from './call-frames.ts';
import type { Endpoint, Reading } from './endpoint.ts';
import type { ExecutedBlock, ExecutedTransaction } from './executed-block.ts';
import { expectBlock } from './expect-block.ts';
import { flatFramesInParts, flatFramesOf } from './flat-frames.ts';
import { isQuantity } from './hex-text.ts';
import { LyingNode } from '../endpoint/lying-node.ts';
import type { Movement } from './movement.ts';
import { type CallFrame, internalMovements, isFailed } from './native-transfers.ts';

/** By the place of the transaction, of those that value can move inside; null where it is too much to trace. */
export type InnerMovements = ReadonlyMap<number, readonly Movement[] | null>;

interface Tracer {
  /** The top frame of every transaction of the block, in its order. */
  whole(reading: Reading, block: ExecutedBlock): Promise<readonly CallFrame[]>;
  /** The top frames of these transactions, undefined where one is too much. */
  inParts(reading: Reading, ids: readonly string[]): Promise<readonly (CallFrame | undefined)[]>;
}

const tracers: Readonly<Record<Exclude<TraceMethod, 'none'>, Tracer>> = {
  debug: { whole: callFramesOf, inParts: callFramesInParts },
  trace: { whole: flatFramesOf, inParts: flatFramesInParts },
};

/**
 * Throws TooMuch where the block cannot be traced as a whole, LyingNode where the frames do not fit the block.
 * In parts only what may move value is asked for, and a transaction that is too much alone comes out as null.
 */
export async function readInnerMovements(
  endpoint: Endpoint,
  reading: Reading,
  method: TraceMethod,
  block: ExecutedBlock,
  currency: Currency | null,
): Promise<InnerMovements> {
  const inner = new Map<number, readonly Movement[] | null>();
  const places = [...block.transactions.keys()].filter((place) => block.transactions[place]?.mayMoveInside);
  if (method === 'none' || currency === null || places.length === 0) return inner;
  const frames = reading.inParts
    ? await framesOf(endpoint, reading, tracers[method], block, places)
    : await tracers[method].whole(reading, block);
  for (const [place, transaction] of block.transactions.entries()) {
    const frame = frames[place];
    if (frame !== undefined) checkTop(frame, transaction, block);
    if (!transaction.mayMoveInside) continue;
    inner.set(place, frame === undefined ? null : internalMovements(frame, currency));
  }
  return inner;
}

/** Sparse, by place. Transactions are asked for by id alone, so the block has to be there afterwards as well. */
async function framesOf(
  endpoint: Endpoint,
  reading: Reading,
  tracer: Tracer,
  { header, transactions }: ExecutedBlock,
  places: readonly number[],
): Promise<readonly (CallFrame | undefined)[]> {
  const found = await tracer.inParts(
    reading,
    places.map((place) => transactions[place]?.id ?? ''),
  );
  await expectBlock(endpoint, header);
  const frames: (CallFrame | undefined)[] = [];
  for (const [index, place] of places.entries()) frames[place] = found[index];
  return frames;
}

function checkTop(frame: CallFrame, transaction: ExecutedTransaction, { header }: ExecutedBlock): void {
  if (isFailed(frame) === transaction.succeeded) {
    throw traceLie(header.number, 'and its receipts disagree on what failed');
  }
  if (!transaction.succeeded) return;
  const { to, value } = frame;
  const sameValue = isQuantity(value) && BigInt(value) === transaction.value;
  const sameRecipient = typeof to === 'string' && to.toLowerCase() === transaction.recipient;
  if (!sameValue || !sameRecipient) throw traceLie(header.number, 'do not begin with its transactions');
}

function traceLie(number: number, what: string): LyingNode {
  return new LyingNode(`the traces of block ${number} ${what}`);
}
