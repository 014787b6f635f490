// Internal transactions of one block: value that moved inside its transactions, as this provider traces them.
import type { BlockReference } from '../../port/reader.ts';
import { Outage } from '../../../runtime/outage.ts';
import { AnswerTooLarge } from '../../rpc/answer-too-large.ts';
import { invalidAnswer } from '../../rpc/invalid-answer.ts';
import type { JsonRpc } from '../json-rpc.ts';
import { NodeError } from '../node-error.ts';
import { type CallFrame, type InternalTransfer, internalTransfersIn, isRecord } from './call-frames.ts';

export interface TracedBlock extends BlockReference {
  /** The ids of its transactions, in their order. */
  readonly ids: readonly string[];
}

const callTracer = { tracer: 'callTracer' };

/**
 * Value that moved to these lower-case addresses, by transaction and in the order of the chain. It is a proposal that is not
 * proven; balances confirm it. Throws Outage 'unsupported' where the block cannot be traced.
 */
export async function readInternalTransfers(
  rpc: JsonRpc,
  block: TracedBlock,
  addresses: ReadonlySet<string>,
): Promise<ReadonlyMap<string, readonly InternalTransfer[]>> {
  const roots = await traceBlock(rpc, block).catch(unsupportedWhereTooMuch);
  return new Map(block.ids.map((id, index) => [id, internalTransfersIn(roots[index] ?? {}, addresses)]));
}

/** The root call frame of each transaction, in their order. */
async function traceBlock(rpc: JsonRpc, { hash, ids }: TracedBlock): Promise<readonly CallFrame[]> {
  const answer = await rpc.call('debug_traceBlockByHash', [hash, callTracer]);
  if (!Array.isArray(answer) || answer.length !== ids.length)
    throw invalidAnswer('answered with traces that are not one for each transaction');
  return ids.map((id, index) => resultOf(answer[index], id));
}

/** Payers decide what a trace costs, and each node has its own error text for a trace that is too much for it. */
function unsupportedWhereTooMuch(error: unknown): never {
  if (error instanceof AnswerTooLarge || (error instanceof NodeError && error.isOfTheCall))
    throw new Outage(`cannot trace the block: ${error.message}`, { kind: 'unsupported' });
  throw error;
}

function resultOf(entry: unknown, id: string): CallFrame {
  if (!isRecord(entry)) throw invalidAnswer('answered with traces that are not complete');
  const { txHash, result, error } = entry;
  if (txHash !== undefined && (typeof txHash !== 'string' || txHash.toLowerCase() !== id))
    throw invalidAnswer('answered with traces in another order');
  if (isRecord(result)) return result;
  // The node hit its own limit at this transaction, and its error stands in the place of the result.
  if (typeof error === 'string') throw new AnswerTooLarge('could not trace all of the block');
  throw invalidAnswer('answered with traces that are not complete');
}
