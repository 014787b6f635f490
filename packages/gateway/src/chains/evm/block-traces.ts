// Asks a node for the calls inside a block's transactions, and compares them with the block.
import type { TraceMethod } from '@ducat/core/chain/chain';
import { Outage } from '../../outage.ts';
import type { Endpoint } from './endpoint.ts';
import { LyingNode } from './lying-node.ts';
import { type CallFrame, isFailed, recipientOf } from './native-transfers.ts';
import { isHex, isRecord, type RawBlock, type RawReceipt, type RawTransaction } from './raw-block.ts';
import type { ProvenBlock } from './read-block.ts';

const plainTransferGas = 21_000n;

/** Whether any successful transaction of the block did more than a plain transfer, so that value can move inside. */
export function mayMoveInside({ receipts }: ProvenBlock): boolean {
  let before = 0n;
  for (const receipt of receipts) {
    // The gas of one transaction is not in the receipts root, the running total is.
    const total = BigInt(receipt.cumulativeGasUsed);
    if (receipt.status === '0x1' && total - before !== plainTransferGas) return true;
    before = total;
  }
  return false;
}

/** The top call frame of every transaction, in the order of the block, in the shape of the `callTracer`. */
export async function readTraces(
  endpoint: Endpoint,
  method: Exclude<TraceMethod, 'none'>,
  proven: ProvenBlock,
): Promise<readonly CallFrame[]> {
  const { block, receipts } = proven;
  const frames = method === 'debug' ? await byDebug(endpoint, block) : await byTrace(endpoint, block);
  for (const [index, transaction] of block.transactions.entries()) {
    checkTop(frames[index], transaction, receipts[index], block);
  }
  return frames;
}

async function byDebug(endpoint: Endpoint, block: RawBlock): Promise<readonly CallFrame[]> {
  const answer = await endpoint.rpc.call('debug_traceBlockByHash', [block.hash, { tracer: 'callTracer' }]);
  if (!Array.isArray(answer) || answer.length !== block.transactions.length)
    throw lie(block, 'are not one each');
  return answer.map((entry: unknown, index) => {
    if (!isRecord(entry) || !isRecord(entry['result'])) throw lie(block, 'are not complete');
    const id = entry['txHash'];
    if (id !== undefined && id !== block.transactions[index]?.hash) throw lie(block, 'are not in its order');
    return entry['result'];
  });
}

async function byTrace(endpoint: Endpoint, block: RawBlock): Promise<readonly CallFrame[]> {
  const answer = await endpoint.rpc.call('trace_block', [block.number]);
  if (!Array.isArray(answer)) throw lie(block, 'are no list');
  const byPath = new Map<string, { readonly frame: Record<string, unknown>; readonly calls: CallFrame[] }>();
  const entries: readonly unknown[] = answer;
  for (const entry of entries) {
    if (!isRecord(entry)) throw lie(block, 'are not complete');
    // Rewards of block producers are listed too and belong to no transaction.
    if (entry['type'] === 'reward') continue;
    const path = entry['traceAddress'];
    const index = entry['transactionPosition'];
    // They are asked for by number, so a reorganisation in between is nobody's lie.
    if (entry['blockHash'] !== block.hash) {
      throw new Outage(`traced another block ${Number(block.number)} than ${block.hash}`, {
        retryable: true,
      });
    }
    if (!Array.isArray(path)) throw lie(block, 'are not complete');
    const id = typeof index === 'number' ? block.transactions[index]?.hash : undefined;
    if (id === undefined || entry['transactionHash'] !== id) throw lie(block, 'are not in its order');
    const calls: CallFrame[] = [];
    const frame = { ...flatFrame(entry, block), calls };
    byPath.set([index, ...path].join('.'), { frame, calls });
    if (path.length === 0) continue;
    const parent = byPath.get([index, ...path.slice(0, -1)].join('.'));
    if (parent === undefined || parent.calls.length !== path.at(-1)) throw lie(block, 'lack a frame');
    parent.calls.push(frame);
  }
  return block.transactions.map((_, index) => byPath.get(String(index))?.frame ?? missingFrame(block));
}

/** A frame of `trace_block` in the words of the `callTracer`. */
function flatFrame(entry: CallFrame, block: RawBlock): Record<string, unknown> {
  const { action, error, type } = entry;
  if (!isRecord(action)) throw lie(block, 'are not complete');
  const { from, to, value } = action;
  switch (type) {
    case 'call':
      return { type: String(action['callType']).toUpperCase(), from, to, value, error };
    case 'create': {
      const created = isRecord(entry['result']) ? entry['result']['address'] : undefined;
      return { type: 'CREATE', from, to: created, value, error };
    }
    case 'suicide':
      return {
        type: 'SELFDESTRUCT',
        from: action['address'],
        to: action['refundAddress'],
        value: action['balance'],
        error,
      };
    default:
      throw lie(block, 'hold a frame of unknown type');
  }
}

function checkTop(
  frame: CallFrame | undefined,
  transaction: RawTransaction,
  receipt: RawReceipt | undefined,
  block: RawBlock,
): void {
  if (frame === undefined || receipt === undefined) throw lie(block, 'are not one each');
  if (isFailed(frame) !== (receipt.status !== '0x1'))
    throw lie(block, 'and its receipts disagree on what failed');
  if (isFailed(frame)) return;
  const { to, value } = frame;
  const sameValue = isHex(value) && BigInt(value) === BigInt(transaction.value);
  const sameRecipient = isHex(to) && to.toLowerCase() === recipientOf(transaction);
  if (!sameValue || !sameRecipient) throw lie(block, 'do not begin with its transactions');
}

function missingFrame(block: RawBlock): never {
  throw lie(block, 'lack a transaction');
}

function lie(block: RawBlock, what: string): LyingNode {
  return new LyingNode(`the traces of block ${Number(block.number)} ${what}`);
}
