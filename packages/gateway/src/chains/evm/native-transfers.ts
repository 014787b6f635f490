// Movements of the chain's own coin in one transaction: its own value, and value that moves inside it.
import type { Currency } from '@ducat/core/chain/currency';
import { createdAddress } from './block-roots.ts';
import { LyingNode } from '../endpoint/lying-node.ts';
import { TooMuch } from '../endpoint/too-much.ts';
import type { Movement } from './movement.ts';
import { isAddress, isQuantity } from './hex-text.ts';
import { isRecord, type RawTransaction } from './raw-block.ts';

/** A call frame in the shape of the `callTracer`; `error` is there where the frame failed. */
export type CallFrame = Readonly<Record<string, unknown>>;

// What the EVM itself allows is 1024 levels.
const maxDepth = 1025;
// Nodes disagree on whether calls of precompiled contracts are frames at all.
const precompile = /^0x0{36}[0-9a-f]{4}$/;

/**
 * Characters of positions, which grow with the depth of a call: a thousand levels down each movement takes 2 KB. Three
 * thousand payments in a row take 40 KB.
 */
export const mostText = 1024 * 1024;

/** For how many characters of positions there is room. */
export interface Room {
  left: number;
}

/**
 * Who receives a transaction's value: its `to`, or the contract that it creates. The latter follows from `from`,
 * which no root covers, but through a hash: nobody finds a false one that leads to an address of ours.
 */
export function recipientOf(transaction: Pick<RawTransaction, 'from' | 'to' | 'nonce'>): string {
  return (transaction.to ?? createdAddress(transaction.from, transaction.nonce)).toLowerCase();
}

/** The value that a successful transaction itself carries, or null. */
export function topLevelMovement(
  transaction: Pick<RawTransaction, 'from' | 'to' | 'value' | 'nonce'>,
  currency: Currency,
): Movement | null {
  if (transaction.value === '0x0') return null;
  const units = BigInt(transaction.value);
  if (units === 0n) return null;
  return {
    currency,
    position: 'value',
    from: transaction.from.toLowerCase(),
    to: recipientOf(transaction),
    units,
  };
}

/**
 * The value that moved in the calls below a successful transaction's top frame. A failed frame took back
 * everything below it, whatever the node marks there. The position is the path of child numbers, which counts
 * only frames that every node shows, so that two nodes give the same movement the same identity. Throws TooMuch where
 * their positions take more than the room.
 */
export function internalMovements(
  top: CallFrame,
  currency: Currency,
  room: Room = { left: mostText },
): readonly Movement[] {
  const movements: Movement[] = [];
  const keep = (movement: Movement): void => {
    room.left -= movement.position.length;
    if (room.left < 0) throw new TooMuch('traces more movements than there is room for');
    movements.push(movement);
  };
  walk(top, '', 0, currency, keep);
  return movements;
}

function walk(
  frame: CallFrame,
  path: string,
  depth: number,
  currency: Currency,
  keep: (movement: Movement) => void,
): void {
  if (depth > maxDepth) throw new LyingNode('a trace is deeper than the chain allows');
  let index = 0;
  for (const child of childrenOf(frame)) {
    if (!isCounted(child)) continue;
    const childPath = path === '' ? `${index}` : `${path}.${index}`;
    index++;
    if (isFailed(child)) continue;
    const movement = movementOf(child, `call:${childPath}`, currency);
    if (movement !== null) keep(movement);
    walk(child, childPath, depth + 1, currency, keep);
  }
}

/** Whether a frame failed by its own account; the caller leaves its whole subtree out. */
export function isFailed(frame: CallFrame): boolean {
  return frame['error'] !== undefined && frame['error'] !== null;
}

function childrenOf(frame: CallFrame): readonly CallFrame[] {
  const calls = frame['calls'];
  if (calls === undefined || calls === null) return [];
  if (!Array.isArray(calls) || !calls.every(isRecord))
    throw new LyingNode('a trace holds calls that are no frames');
  return calls;
}

function isCounted(frame: CallFrame): boolean {
  const { type, to, value } = frame;
  if (type === 'STATICCALL') return false;
  const moves = type !== 'DELEGATECALL' && type !== 'CALLCODE' && value !== undefined && value !== '0x0';
  return moves || !(isAddress(to) && precompile.test(to));
}

function movementOf(frame: CallFrame, position: string, currency: Currency): Movement | null {
  switch (frame['type']) {
    case 'CALL':
    case 'CREATE':
    case 'CREATE2':
    case 'SELFDESTRUCT':
      break;
    // These run foreign code on the caller's own balance: the value that they show does not move.
    case 'DELEGATECALL':
    case 'CALLCODE':
    case 'STATICCALL':
      return null;
    default:
      throw new LyingNode(`a trace holds a frame of unknown type ${nameOf(frame['type'])}`);
  }
  const { from, to, value } = frame;
  if (!isQuantity(value)) throw new LyingNode('a trace holds a call without a value');
  const units = BigInt(value);
  if (units === 0n) return null;
  if (!isAddress(from) || !isAddress(to)) throw new LyingNode('a trace holds a call without addresses');
  return { currency, position, from: from.toLowerCase(), to: to.toLowerCase(), units };
}

/** A type as it may be shown: a node's text goes into logs. */
function nameOf(type: unknown): string {
  return typeof type === 'string' && /^\w{1,20}$/.test(type) ? type : '(no name)';
}
