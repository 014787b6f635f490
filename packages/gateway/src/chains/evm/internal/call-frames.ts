// Native value that moves inside the calls of one transaction, by its trace.
import { invalidAnswer } from '../../rpc/invalid-answer.ts';

/** A call frame in the shape of the `callTracer`; `error` is there where the frame failed. */
export type CallFrame = Readonly<Record<string, unknown>>;

export interface InternalTransfer {
  /** How many values moved before this one below the root call frame, to any address. */
  readonly place: number;
  readonly from: string;
  readonly to: string;
  /** Wei, above zero. */
  readonly units: bigint;
}

// The EVM itself allows 1,024 levels.
const maxDepth = 1_025;
const quantity = /^0x(?:0|[1-9a-fA-F][0-9a-fA-F]{0,63})$/;
const address = /^0x[0-9a-fA-F]{40}$/;
const moving: readonly unknown[] = ['CALL', 'CREATE', 'CREATE2', 'SELFDESTRUCT'];
// These run foreign code on the caller's own balance, so the value that they show does not move.
const notMoving: readonly unknown[] = ['DELEGATECALL', 'CALLCODE', 'STATICCALL'];

/**
 * The value that frames below the root call frame moved to one of these lower-case addresses, in the order of the chain. A
 * failed frame reverted everything below it, no matter what the node marks there. Throws Outage 'invalid' where the value is
 * no trace.
 */
export function internalTransfersIn(
  root: CallFrame,
  addresses: ReadonlySet<string>,
): readonly InternalTransfer[] {
  const found: InternalTransfer[] = [];
  // Nodes differ in which frames without value they report, so only frames with a value are counted.
  let place = 0;
  const walk = (frame: CallFrame, depth: number): void => {
    if (isFailed(frame)) return;
    if (depth > maxDepth) throw odd('is deeper than the chain allows');
    const moved = depth === 0 ? null : movedBy(frame);
    if (moved !== null && addresses.has(moved.to)) found.push({ place, ...moved });
    if (moved !== null) place++;
    for (const child of childrenOf(frame)) walk(child, depth + 1);
  };
  walk(root, 0);
  return found;
}

function isFailed({ error }: CallFrame): boolean {
  return error !== undefined && error !== null;
}

function childrenOf({ calls }: CallFrame): readonly CallFrame[] {
  if (calls === undefined || calls === null) return [];
  if (!Array.isArray(calls) || !calls.every(isRecord)) throw odd('holds calls that are no frames');
  return calls;
}

function movedBy({ type, from, to, value }: CallFrame): Omit<InternalTransfer, 'place'> | null {
  if (notMoving.includes(type)) return null;
  if (!moving.includes(type)) throw odd('holds a frame of unknown type');
  if (typeof value !== 'string' || !quantity.test(value)) throw odd('holds a call without a value');
  if (value === '0x0') return null;
  if (!isAddress(from) || !isAddress(to)) throw odd('holds a call without addresses');
  return { from: from.toLowerCase(), to: to.toLowerCase(), units: BigInt(value) };
}

function isAddress(value: unknown): value is string {
  return typeof value === 'string' && address.test(value);
}

/** Whether a value is an object whose fields can be looked at. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function odd(what: string): Error {
  return invalidAnswer(`answered with a trace that ${what}`);
}
