// Whether a trace is that of its transaction, as far as what is proven of the transaction shows it.
import { LyingNode } from '../endpoint/lying-node.ts';
import type { ExecutedBlock, ExecutedTransaction } from './executed-block.ts';
import { isQuantity } from './hex-text.ts';
import { type CallFrame, isFailed } from './native-transfers.ts';

/** Throws LyingNode where the top frame does not fit the transaction. */
export function checkTop(
  frame: CallFrame,
  transaction: ExecutedTransaction,
  { header }: ExecutedBlock,
): void {
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
