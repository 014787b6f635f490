// Call frames from nodes with the `trace` methods, which list frames flat, put into the shape of the `callTracer`.
import { Outage } from '../../../runtime/outage.ts';
import { invalidAnswer } from '../../rpc/invalid-answer.ts';
import { type CallFrame, isRecord } from './call-frames.ts';

/**
 * The root call frames by the id of their transaction, each with its calls below it. Throws Outage 'not-yet' where they
 * are of another block: they are asked for by number or id, and a fork may come in between.
 */
export function nestedFrames(answer: unknown, blockHash: string): ReadonlyMap<string, CallFrame> {
  if (!Array.isArray(answer) || !answer.every(isRecord)) throw odd('is no list of frames');
  const byPath = new Map<string, { readonly frame: CallFrame; readonly calls: CallFrame[] }>();
  const roots = new Map<string, CallFrame>();
  for (const entry of answer) {
    const { traceAddress: path, transactionHash: id, type } = entry;
    if (String(entry['blockHash']).toLowerCase() !== blockHash)
      throw new Outage('has traces of another block', { kind: 'not-yet' });
    // Rewards of block producers are listed too and belong to no transaction.
    if (type === 'reward') continue;
    if (!Array.isArray(path) || typeof id !== 'string') throw odd('is not complete');
    const key = [id.toLowerCase(), ...path].join('.');
    const calls: CallFrame[] = [];
    const frame = { ...nestedFrame(entry), calls };
    byPath.set(key, { frame, calls });
    if (path.length === 0) {
      roots.set(key, frame);
      continue;
    }
    const parent = byPath.get([id.toLowerCase(), ...path.slice(0, -1)].join('.'));
    if (parent === undefined || parent.calls.length !== path.at(-1)) throw odd('lacks a frame');
    parent.calls.push(frame);
  }
  return roots;
}

/** A frame of the `trace` methods in the words of the `callTracer`. */
function nestedFrame({ action, error, type, result }: CallFrame): CallFrame {
  if (!isRecord(action)) throw odd('is not complete');
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
      throw odd('holds a frame of unknown type');
  }
}

function odd(what: string): Error {
  return invalidAnswer(`answered with a trace that ${what}`);
}
