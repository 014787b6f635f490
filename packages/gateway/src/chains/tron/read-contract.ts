// What a transaction's own bytes say it does: one contract of a known type, or the reason why that is unclear.
import type { UntracedReason } from '../port.ts';
import { keccakOfBytes } from '../keys/keccak.ts';
import {
  anyShape,
  contractNames,
  contractShape,
  contractShapes,
  createContract,
  createdShape,
  rawShape,
  transferContract,
  triggerContract,
} from './contract-types.ts';
import { bytesIn, canonicalFields, type Field, integerIn, listIn } from './protobuf.ts';

/** TRX that a contract moves by itself, before any code runs. */
export interface OwnValue {
  readonly from: string;
  readonly to: string;
  /** Base units, above zero. */
  readonly units: bigint;
}

/** The one contract of a transaction. */
export interface ContractCall {
  /** The number of its type. */
  readonly type: number;
  readonly value: OwnValue | null;
}

/**
 * A payer chooses the bytes of a contract, and java-tron keeps them as they came. So a contract is read only where
 * they can be read in one way; nothing a payer writes is an error of the node that tells of it, and nothing throws.
 */
export type ReadContract =
  | { readonly call: ContractCall; readonly unclear: null }
  | { readonly call: null; readonly unclear: UntracedReason };

const typeUrlPrefix = 'type.googleapis.com/protocol.';
const address = /^41[0-9a-f]{40}$/;

/** Whether a transaction of that type can move what is watched. */
export function movesMoney({ type }: Pick<ContractCall, 'type'>): boolean {
  return type === transferContract || type === createContract || type === triggerContract;
}

/** Whether its receipt tells how the contract's code ended. */
export function runsCode({ type }: ContractCall): boolean {
  return type === createContract || type === triggerContract;
}

/** Takes the raw bytes of a transaction and their hash. */
export function readContract(rawHex: string, id: string): ReadContract {
  const raw = canonicalFields(rawHex, rawShape);
  if (raw === null) return unclear('unclear-bytes');
  const [only, ...more] = listIn(raw, 11);
  if (only === undefined || more.length > 0) return unclear('contract-count');
  const contract = canonicalFields(only, contractShape);
  const parameter = contract === null ? null : canonicalFields(bytesIn(contract, 2), anyShape);
  if (contract === null || parameter === null) return unclear('unclear-bytes');
  const type = Number(integerIn(contract, 1));
  const name = contractNames.get(type);
  if (name === undefined) return unclear('unknown-contract');
  if (bytesIn(parameter, 1) !== textHex(typeUrlPrefix + name)) return unclear('type-url');
  return readPayload(type, bytesIn(parameter, 2), id);
}

function readPayload(type: number, hex: string, id: string): ReadContract {
  const shape = contractShapes.get(type);
  const payload = shape === undefined ? [] : canonicalFields(hex, shape);
  if (payload === null) return unclear('unclear-bytes');
  if (!movesMoney({ type })) return { call: { type, value: null }, unclear: null };
  const moved = type === createContract ? createdValue(payload, id) : ownValue(payload);
  if (moved === null) return unclear('unclear-bytes');
  // A transfer of nothing is refused by every node, so this one is not what it looks like.
  if (moved.units === 0n && type !== transferContract) return { call: { type, value: null }, unclear: null };
  if (moved.units <= 0n || !address.test(moved.from) || !address.test(moved.to))
    return unclear('impossible-value');
  return { call: { type, value: moved }, unclear: null };
}

/** A call's call_token_value is TRC-10 and never counts. */
function ownValue(payload: readonly Field[]): OwnValue {
  return { from: bytesIn(payload, 1), to: bytesIn(payload, 2), units: integerIn(payload, 3) };
}

function createdValue(payload: readonly Field[], id: string): OwnValue | null {
  const created = canonicalFields(bytesIn(payload, 2), createdShape);
  if (created === null) return null;
  const from = bytesIn(payload, 1);
  // Where a creation puts its contract.
  const to = `41${keccakOfBytes(Buffer.from(id + from, 'hex')).slice(24)}`;
  return { from, to, units: integerIn(created, 5) };
}

function textHex(text: string): string {
  return Buffer.from(text).toString('hex');
}

function unclear(reason: UntracedReason): ReadContract {
  return { call: null, unclear: reason };
}
