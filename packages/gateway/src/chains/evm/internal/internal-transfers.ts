// Internal transactions of one block: value that moved inside its transactions, as this provider traces them.
import type { TraceMethod } from '@ducat/core/chain/chain';
import type { World } from '../../../runtime/world.ts';
import { Outage } from '../../../runtime/outage.ts';
import { AnswerTooLarge } from '../../rpc/answer-too-large.ts';
import { invalidAnswer } from '../../rpc/invalid-answer.ts';
import { requestTimeoutMs } from '../../rpc/limits.ts';
import type { JsonRpc } from '../json-rpc.ts';
import { NodeError } from '../node-error.ts';
import { type CallFrame, type InternalTransfer, internalTransfersIn, isRecord } from './call-frames.ts';
import { areOfBlock, nestedFrames } from './flat-frames.ts';

export interface TracedBlock {
  readonly number: number;
  readonly hash: string;
  /** The ids of its transactions, in their order. */
  readonly ids: readonly string[];
}

export interface TracedTransfer extends InternalTransfer {
  readonly txId: string;
}

interface Tracer {
  /** The root call frame of each transaction by its id. */
  wholeBlock(rpc: JsonRpc, block: TracedBlock): Promise<ReadonlyMap<string, CallFrame>>;
  oneTransaction(rpc: JsonRpc, id: string, block: TracedBlock): Promise<CallFrame>;
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
    async oneTransaction(rpc, id) {
      const frame = await rpc.call('debug_traceTransaction', [id, callTracer]);
      if (isRecord(frame)) return frame;
      throw invalidAnswer('answered with a trace that is no frame');
    },
  },
  trace: {
    async wholeBlock(rpc, { number, hash }) {
      const answer = await rpc.call('trace_block', [`0x${number.toString(16)}`]);
      if (!areOfBlock(answer, hash)) throw elsewhere();
      return nestedFrames(answer);
    },
    async oneTransaction(rpc, id, { hash }) {
      const answer = await rpc.call('trace_transaction', [id]);
      if (!areOfBlock(answer, hash)) throw elsewhere();
      const frame = nestedFrames(answer).get(id);
      if (frame !== undefined) return frame;
      throw invalidAnswer('answered with the trace of another transaction');
    },
  },
};

/**
 * What moved to these lower-case addresses, in the order of the chain. It is a proposal, which the balances confirm, so
 * nothing of it is proven. By the trace of the whole block; where that is too much, of one transaction after the other,
 * without those that are too much by themselves. Throws Outage 'unsupported' where the provider cannot trace the block.
 */
export async function readInternalTransfers(
  { rpc, world }: { readonly rpc: JsonRpc; readonly world: World },
  method: TraceMethod,
  block: TracedBlock,
  addresses: ReadonlySet<string>,
): Promise<readonly TracedTransfer[]> {
  if (method === 'none') throw new Outage('this chain is configured without traces', { kind: 'unsupported' });
  const tracer = tracers[method];
  const transfersOf = (id: string, frame: CallFrame): readonly TracedTransfer[] =>
    internalTransfersIn(frame, addresses).map((transfer) => ({ ...transfer, txId: id }));
  try {
    const frames = await tracer.wholeBlock(rpc, block);
    return block.ids.flatMap((id) => transfersOf(id, frames.get(id) ?? {}));
  } catch (error) {
    if (!isTooMuch(error)) throw error;
  }
  const untilMs = world.nowMs() + mostMs;
  const found: TracedTransfer[] = [];
  for (const id of block.ids) {
    if (world.nowMs() > untilMs) throw new Outage(`did not trace block ${block.number} within ${mostMs} ms`);
    try {
      found.push(...transfersOf(id, await tracer.oneTransaction(rpc, id, block)));
    } catch (error) {
      if (!isTooMuch(error)) throw error;
    }
  }
  return found;
}

/** Payers decide what a trace costs, and nodes say in their own words that one is too much for them. */
function isTooMuch(error: unknown): boolean {
  return error instanceof AnswerTooLarge || (error instanceof NodeError && error.kind === 'unavailable');
}

function resultOf(entry: unknown, id: string): CallFrame {
  if (!isRecord(entry)) throw invalidAnswer('answered with traces that are not complete');
  const { txHash, result, error } = entry;
  if (txHash !== undefined && String(txHash).toLowerCase() !== id)
    throw invalidAnswer('answered with traces in another order');
  if (isRecord(result)) return result;
  // The node ran into its own limit on this one, which it says in its place.
  if (typeof error === 'string') throw new AnswerTooLarge('could not trace all of the block');
  throw invalidAnswer('answered with traces that are not complete');
}

function elsewhere(): Outage {
  return new Outage('has traces of another block', { kind: 'not-yet' });
}
