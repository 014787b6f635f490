// What a transaction's own bytes say it does: one contract of a known type and its value, and what of that is unclear.
import type { UntracedReason } from '../port.ts';
import { keccakOfBytes } from '../keys/keccak.ts';
import {
  anyShape,
  contractShape,
  contractShapes,
  createContract,
  rawShape,
  transferContract,
  triggerContract,
  typeUrls,
} from './block/contract-types.ts';
import {
  bytesIn,
  type Fields,
  integerIn,
  listIn,
  type Span,
  spanEquals,
  spanHex,
  spanOf,
  type Shape,
  unambiguousFields,
} from './wire/protobuf.ts';

/** TRX that a contract moves by itself, before any code runs. */
export interface OwnValue {
  readonly from: string;
  readonly to: string;
  /** Base units, above zero. */
  readonly units: bigint;
}

/**
 * A payer chooses the bytes of a contract, and java-tron keeps them as they came. So a contract is read only where
 * they can be read in one way; nothing a payer writes is an error of the node that tells of it, and nothing throws.
 */
export interface ReadContract {
  /** The number of its type; null where that is unclear. */
  readonly type: number | null;
  /** Null where it moves none by itself, and where that is unclear. */
  readonly value: OwnValue | null;
  /** Why it is not known what it moves by itself; what its code did is told by its receipt all the same. */
  readonly unclear: UntracedReason | null;
}

const createdShape: Shape = {
  1: 'bytes',
  2: 'bytes',
  3: 'message',
  4: 'bytes',
  5: 'int64',
  6: 'int64',
  7: 'bytes',
  8: 'int64',
  9: 'bytes',
  10: 'bytes',
  11: 'int32',
};
const creationShape: Shape = { 1: 'bytes', 2: 'message', 3: 'int64', 4: 'int64' };
const address = /^41[0-9a-f]{40}$/;

/** Whether a transaction of that type can move what is watched. */
export function movesMoney({ type }: Pick<ReadContract, 'type'>): boolean {
  return type === transferContract || runsCode({ type });
}

/** Whether its code can move something, of which its receipt tells. */
export function runsCode({ type }: Pick<ReadContract, 'type'>): boolean {
  return type === createContract || type === triggerContract;
}

/** Takes the raw bytes of a transaction and their hash. */
export function readContract(rawBytes: Buffer, id: string): ReadContract {
  const raw = unambiguousFields(spanOf(rawBytes), rawShape);
  if (raw === null) return unclear('unclear-bytes');
  const [only, ...more] = listIn(raw, 11);
  if (only === undefined || more.length > 0) return unclear('contract-count');
  const contract = unambiguousFields(only, contractShape);
  const parameter = contract === null ? null : unambiguousFields(bytesIn(contract, 2), anyShape);
  if (contract === null || parameter === null) return unclear('unclear-bytes');
  const type = Number(integerIn(contract, 1));
  const typeUrl = typeUrls.get(type);
  if (typeUrl === undefined) return unclear('unknown-contract');
  if (!spanEquals(bytesIn(parameter, 1), typeUrl)) return unclear('type-url');
  return readPayload(type, bytesIn(parameter, 2), id);
}

function readPayload(type: number, bytes: Span, id: string): ReadContract {
  const shape = type === createContract ? creationShape : contractShapes.get(type);
  const payload = shape === undefined ? [] : unambiguousFields(bytes, shape);
  if (payload === null) return unclear('unclear-bytes', type);
  if (!movesMoney({ type })) return { type, value: null, unclear: null };
  const value = type === createContract ? createdValue(payload, id) : ownValue(payload);
  if (value === null) return unclear('unclear-bytes', type);
  // A transfer of nothing is refused by every node, so this one is not what it looks like.
  if (value.units === 0n && type !== transferContract) return { type, value: null, unclear: null };
  if (value.units <= 0n || !address.test(value.from) || !address.test(value.to))
    return unclear('impossible-value', type);
  return { type, value, unclear: null };
}

/** A call's call_token_value is TRC-10 and never counts. */
function ownValue(payload: Fields): OwnValue {
  return {
    from: spanHex(bytesIn(payload, 1)),
    to: spanHex(bytesIn(payload, 2)),
    units: integerIn(payload, 3),
  };
}

function createdValue(payload: Fields, id: string): OwnValue | null {
  const created = unambiguousFields(bytesIn(payload, 2), createdShape);
  if (created === null) return null;
  const from = spanHex(bytesIn(payload, 1));
  // Where a creation puts its contract.
  const to = `41${keccakOfBytes(Buffer.from(id + from, 'hex')).slice(24)}`;
  return { from, to, units: integerIn(created, 5) };
}

function unclear(reason: UntracedReason, type: number | null = null): ReadContract {
  return { type, value: null, unclear: reason };
}
