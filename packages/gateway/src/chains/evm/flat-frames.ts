// Call frames from nodes with the `trace` methods, which list frames flat, put into the shape of the `callTracer`.
import { AnotherBlock } from './another-block.ts';
import type { ExecutedBlock } from './executed-block.ts';
import { LyingNode } from '../endpoint/lying-node.ts';
import type { CallFrame } from './native-transfers.ts';
import { isHash } from './hex-text.ts';
import { isRecord, toQuantity } from './raw-block.ts';
import type { Rpc } from './rpc.ts';
import { expectTrace, MissingTrace } from './untold.ts';

/** The top frame of every transaction of the block. */
export async function flatFramesOf(
  rpc: Rpc,
  { header, transactions }: ExecutedBlock,
): Promise<readonly CallFrame[]> {
  const answer = expectTrace(await rpc.call('trace_block', [toQuantity(header.number)]));
  const shown = otherThan(header.hash, answer);
  // They are asked for by number, so a reorganisation in between is nobody's lie.
  if (shown !== null) throw new AnotherBlock(header, shown);
  const tops = nested(answer);
  if (tops.size > transactions.length) throw lie('are not one each');
  return transactions.map(({ id }) => tops.get(id) ?? missingTop());
}

/** The top frame of one transaction; of that block, where one is given. */
export async function flatFrameOf(rpc: Rpc, id: string, block?: ExecutedBlock): Promise<CallFrame> {
  const answer = expectTrace(await rpc.call('trace_transaction', [id]));
  // A fork may have put it into a block with another number: what it shows instead is not told of this one.
  if (block !== undefined && otherThan(block.header.hash, answer) !== null)
    throw new MissingTrace('has that transaction in another block');
  return nested(answer).get(id) ?? missingTop();
}

/** The hash of another block that some of the frames are of, or null. */
function otherThan(hash: string, answer: unknown): string | null {
  for (const { blockHash } of listOf(answer)) {
    if (!isHash(blockHash)) throw lie('are of no block');
    if (blockHash.toLowerCase() !== hash) return blockHash.toLowerCase();
  }
  return null;
}

/** The top frames by the id of their transaction, each with its calls below it. */
function nested(answer: unknown): ReadonlyMap<string, CallFrame> {
  const byPath = new Map<string, { readonly frame: CallFrame; readonly calls: CallFrame[] }>();
  const tops = new Map<string, CallFrame>();
  for (const entry of listOf(answer)) {
    // Rewards of block producers are listed too and belong to no transaction.
    if (entry['type'] === 'reward') continue;
    const path: unknown = entry['traceAddress'];
    const id = entry['transactionHash'];
    if (!Array.isArray(path) || typeof id !== 'string') throw lie('are not complete');
    const key = [id.toLowerCase(), ...path].join('.');
    const calls: CallFrame[] = [];
    const frame = { ...flatFrame(entry), calls };
    byPath.set(key, { frame, calls });
    if (path.length === 0) {
      tops.set(key, frame);
      continue;
    }
    const parent = byPath.get([id.toLowerCase(), ...path.slice(0, -1)].join('.'));
    if (parent === undefined || parent.calls.length !== path.at(-1)) throw lie('lack a frame');
    parent.calls.push(frame);
  }
  return tops;
}

/** A frame of the `trace` methods in the words of the `callTracer`. */
function flatFrame(entry: CallFrame): CallFrame {
  const { action, error, type, result } = entry;
  if (!isRecord(action)) throw lie('are not complete');
  const { from, to, value } = action;
  switch (type) {
    case 'call':
      return { type: String(action['callType']).toUpperCase(), from, to, value, error };
    case 'create':
      return { type: 'CREATE', from, to: isRecord(result) ? result['address'] : undefined, value, error };
    case 'suicide': {
      const { address, refundAddress, balance } = action;
      return { type: 'SELFDESTRUCT', from: address, to: refundAddress, value: balance, error };
    }
    default:
      throw lie('hold a frame of unknown type');
  }
}

function listOf(answer: unknown): readonly CallFrame[] {
  if (!Array.isArray(answer) || !answer.every(isRecord)) throw lie('are no list of frames');
  return answer;
}

function missingTop(): never {
  throw lie('lack a transaction');
}

function lie(what: string): LyingNode {
  return new LyingNode(`the traces ${what}`);
}
