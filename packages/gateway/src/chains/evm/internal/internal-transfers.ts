// Internal transactions of one block: value that moved inside its transactions, as this provider traces them.
import type { BlockReference } from '../../port/reader.ts';
import { Outage } from '../../../runtime/outage.ts';
import type { World } from '../../../runtime/world.ts';
import { AnswerTooLarge } from '../../rpc/answer-too-large.ts';
import { invalidAnswer } from '../../rpc/invalid-answer.ts';
import { requestTimeoutMs } from '../../rpc/limits.ts';
import type { JsonRpc } from '../json-rpc.ts';
import { NodeError } from '../node-error.ts';
import { type CallFrame, type InternalTransfer, internalTransfersIn, isRecord } from './call-frames.ts';

export interface TracedBlock extends BlockReference {
  /** The ids of its transactions, in their order. */
  readonly ids: readonly string[];
}

const callTracer = { tracer: 'callTracer' };
/** As long as three answers may take. */
const mostMs = 3 * requestTimeoutMs;

/**
 * What moved to these lower-case addresses, by transaction and in the order of the chain. It is a proposal, which the
 * balances confirm, so nothing of it is proven. By the trace of the whole block; where that is too much, of one transaction
 * after the other, without those that are too much by themselves. Throws Outage 'unsupported' where it cannot be traced.
 */
export async function readInternalTransfers(
  rpc: JsonRpc,
  world: World,
  block: TracedBlock,
  addresses: ReadonlySet<string>,
): Promise<ReadonlyMap<string, readonly InternalTransfer[]>> {
  const whole = await unlessTooMuch(traceBlock(rpc, block));
  const untilMs = world.nowMs() + mostMs;
  const found = new Map<string, readonly InternalTransfer[]>();
  for (const [index, id] of block.ids.entries()) {
    if (world.nowMs() > untilMs) throw new Outage(`did not trace block ${block.number} within ${mostMs} ms`);
    const root = whole?.[index] ?? (await unlessTooMuch(traceTransaction(rpc, id)));
    found.set(id, root === null ? [] : internalTransfersIn(root, addresses));
  }
  return found;
}

/** The root call frame of each transaction, in their order. */
async function traceBlock(rpc: JsonRpc, { hash, ids }: TracedBlock): Promise<readonly CallFrame[]> {
  const answer = await rpc.call('debug_traceBlockByHash', [hash, callTracer]);
  if (!Array.isArray(answer) || answer.length !== ids.length)
    throw invalidAnswer('answered with traces that are not one for each transaction');
  return ids.map((id, index) => resultOf(answer[index], id));
}

async function traceTransaction(rpc: JsonRpc, id: string): Promise<CallFrame> {
  const frame = await rpc.call('debug_traceTransaction', [id, callTracer]);
  if (!isRecord(frame)) throw invalidAnswer('answered with a trace that is no frame');
  return frame;
}

/** Payers decide what a trace costs, and nodes say in their own words that one is too much for them: null then. */
async function unlessTooMuch<T>(trace: Promise<T>): Promise<T | null> {
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
