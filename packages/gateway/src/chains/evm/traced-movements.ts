// What moved inside one transaction by its trace, as far as what is proven of the transaction bears it out.
import type { Currency } from '@ducat/core/chain/currency';
import { LyingNode } from '../endpoint/lying-node.ts';
import { checkTop } from './check-top.ts';
import type { ExecutedBlock, ExecutedTransaction } from './executed-block.ts';
import type { Movement } from './movement.ts';
import { type CallFrame, internalMovements, type Room } from './native-transfers.ts';

/** Value moves for 9,000, of which at most what it hands on and the half of the rest come back. */
const leastGas = 2_000n;

/**
 * Throws LyingNode where the trace does not fit the transaction, or moves more often than its gas pays for: else one
 * endpoint fills the memory with what never happened. Throws TooMuch as internalMovements.
 */
export function tracedMovements(
  frame: CallFrame,
  transaction: ExecutedTransaction,
  block: ExecutedBlock,
  currency: Currency,
  room?: Room,
): readonly Movement[] {
  checkTop(frame, transaction, block);
  const movements = internalMovements(frame, currency, room);
  if (BigInt(movements.length) * leastGas > transaction.gas)
    throw new LyingNode(`the traces of block ${block.header.number} move more often than their gas pays for`);
  return movements;
}
