// Internal transactions of one block: value that moved inside its transactions, as this provider traces them.
import type { TraceMethod } from '@ducat/core/chain/chain';
import type { BlockReference } from '../../port/reader.ts';
import { Outage } from '../../../runtime/outage.ts';
import type { World } from '../../../runtime/world.ts';
import { AnswerTooLarge } from '../../rpc/answer-too-large.ts';
import { invalidAnswer } from '../../rpc/invalid-answer.ts';
import { requestTimeoutMs } from '../../rpc/limits.ts';
import { type JsonRpc, toQuantity } from '../json-rpc.ts';
import { NodeError } from '../node-error.ts';
import { type CallFrame, type InternalTransfer, internalTransfersIn, isRecord } from './call-frames.ts';
import { nestedFrames } from './flat-frames.ts';

export interface Tracing {
  readonly rpc: JsonRpc;
  readonly world: World;
  readonly traceMethod: TraceMethod;
}

export interface TracedBlock extends BlockReference {
  /** The ids of its transactions, in their order. */
  readonly ids: readonly string[];
}

/** Root call frames by the ids of their transactions. */
type Frames = ReadonlyMap<string, CallFrame>;

interface Tracer {
  wholeBlock(rpc: JsonRpc, block: TracedBlock): Promise<Frames>;
  /** Of the one transaction alone. */
  transaction(rpc: JsonRpc, id: string, block: TracedBlock): Promise<Frames>;
}

const callTracer = { tracer: 'callTracer' };
/** As long as three answers may take. */
const mostMs = 3 * requestTimeoutMs;

const tracers: Readonly<Record<Exclude<TraceMethod, 'none'>, Tracer>> = {
  debug: {
    async wholeBlock(rpc, { hash, ids }) {
      const answer = await rpc.call('debug_traceBlockByHash', [hash, callTracer]);
      if (!Array.isArray(answer) || answer.length !== ids.length)
        throw invalidAnswer('answered with traces that are not one for each transaction');
      return new Map(ids.map((id, index) => [id, resultOf(answer[index], id)]));
    },
    async transaction(rpc, id) {
      const frame = await rpc.call('debug_traceTransaction', [id, callTracer]);
      if (!isRecord(frame)) throw invalidAnswer('answered with a trace that is no frame');
      return new Map([[id, frame]]);
    },
  },
  trace: {
    wholeBlock: async (rpc, { number, hash }) =>
      nestedFrames(await rpc.call('trace_block', [toQuantity(number)]), hash),
    transaction: async (rpc, id, { hash }) => nestedFrames(await rpc.call('trace_transaction', [id]), hash),
  },
};

/**
 * What moved to these lower-case addresses, by transaction and in the order of the chain. It is a proposal, which the
 * balances confirm, so nothing of it is proven. By the trace of the whole block; where that is too much, of one transaction
 * after the other, without those that are too much by themselves. Throws Outage 'unsupported' where it cannot be traced.
 */
export async function readInternalTransfers(
  { rpc, world, traceMethod }: Tracing,
  block: TracedBlock,
  addresses: ReadonlySet<string>,
): Promise<ReadonlyMap<string, readonly InternalTransfer[]>> {
  if (traceMethod === 'none')
    throw new Outage('this chain is configured without traces', { kind: 'unsupported' });
  const tracer = tracers[traceMethod];
  const whole = await unlessTooMuch(tracer.wholeBlock(rpc, block));
  const untilMs = world.nowMs() + mostMs;
  const found = new Map<string, readonly InternalTransfer[]>();
  for (const id of block.ids) {
    if (world.nowMs() > untilMs) throw new Outage(`did not trace block ${block.number} within ${mostMs} ms`);
    const frames = whole ?? (await unlessTooMuch(tracer.transaction(rpc, id, block)));
    found.set(id, internalTransfersIn(frames?.get(id) ?? {}, addresses));
  }
  return found;
}

/** Payers decide what a trace costs, and nodes say in their own words that one is too much for them: null then. */
async function unlessTooMuch(trace: Promise<Frames>): Promise<Frames | null> {
  try {
    return await trace;
  } catch (error) {
    if (error instanceof AnswerTooLarge || (error instanceof NodeError && error.isOfTheCall)) return null;
    throw error;
  }
}

function resultOf(entry: unknown, id: string): CallFrame {
  if (!isRecord(entry)) throw invalidAnswer('answered with traces that are not complete');
  const { txHash, result, error } = entry;
  if (txHash !== undefined && (typeof txHash !== 'string' || txHash.toLowerCase() !== id))
    throw invalidAnswer('answered with traces in another order');
  if (isRecord(result)) return result;
  // The node ran into its own limit on this one, which it says in its place.
  if (typeof error === 'string') throw new AnswerTooLarge('could not trace all of the block');
  throw invalidAnswer('answered with traces that are not complete');
}
