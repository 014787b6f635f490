// Call frames from nodes with the `debug` methods: of a whole block, or of single transactions.
import type { ExecutedBlock } from './executed-block.ts';
import { LyingNode } from '../endpoint/lying-node.ts';
import type { CallFrame } from './native-transfers.ts';
import { isRecord } from './raw-block.ts';
import type { Rpc } from './rpc.ts';
import { TooMuch } from '../endpoint/too-much.ts';
import { expectTrace } from './untold.ts';

const callTracer = 'callTracer';

/** The top frame of every transaction. Throws TooMuch where the node gave up on one of them. */
export async function callFramesOf(rpc: Rpc, block: ExecutedBlock): Promise<readonly CallFrame[]> {
  const { number, hash } = block.header;
  const lie = (what: string): LyingNode => new LyingNode(`the traces of block ${number} ${what}`);
  const answer = expectTrace(await rpc.call('debug_traceBlockByHash', [hash, { tracer: callTracer }]));
  if (!Array.isArray(answer) || answer.length !== block.transactions.length) throw lie('are not one each');
  return answer.map((entry: unknown, place) => {
    if (!isRecord(entry)) throw lie('are not complete');
    const id = entry['txHash'];
    if (id !== undefined && !isId(id, block.transactions[place]?.id)) throw lie('are not in its order');
    if (isRecord(entry['result'])) return entry['result'];
    // The node ran into its own limit on this one, which it says in its place.
    if (typeof entry['error'] === 'string')
      throw new TooMuch(`could not trace all of block ${number}`, 'word');
    throw lie('are not complete');
  });
}

/**
 * The top frame of one transaction. A tracer of our own would leave the call data out, but nodes differ in what they
 * tell it: to some, a creation that failed looks as if it had gone well.
 */
export async function callFrameOf(rpc: Rpc, id: string): Promise<CallFrame> {
  const frame = expectTrace(await rpc.call('debug_traceTransaction', [id, { tracer: callTracer }]));
  if (isRecord(frame)) return frame;
  throw new LyingNode('the trace of a transaction is no frame');
}

function isId(value: unknown, id: string | undefined): boolean {
  return typeof value === 'string' && value.toLowerCase() === id;
}
