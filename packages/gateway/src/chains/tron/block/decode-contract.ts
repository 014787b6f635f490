// What a transaction's own bytes say it does: one contract of a known type and its value, where they have one meaning.
import { keccakOfBytes } from '../../keys/keccak.ts';
import {
  bytesIn,
  type Field,
  integerIn,
  listIn,
  type Span,
  spanEquals,
  spanHex,
  spanOf,
  unambiguousFields,
} from '../wire/protobuf.ts';
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

/** TRX that a contract moves by itself, before any code runs. */
export interface OwnValue {
  readonly from: string;
  readonly to: string;
  /** Base units, above zero. */
  readonly units: bigint;
}

/**
 * A payer chooses the bytes of a contract, and java-tron keeps them as they came. So a contract is read only where
 * they can be read in one way; nothing a payer writes is an error of the node that shows it, and nothing throws.
 */
export interface DecodedContract {
  /** The number of its type; null where that is unclear. */
  readonly type: number | null;
  /** Who signed it and pays its fee; null where it is not written as our own transactions are. */
  readonly owner: string | null;
  /** Null where it moves none by itself, and where that is unclear. */
  readonly value: OwnValue | null;
  /** Whether it is known what it moves by itself; what its code did is in its receipt all the same. */
  readonly isClear: boolean;
}

const typeUrls: ReadonlyMap<number, Buffer> = new Map(
  [...contractNames].map(([type, name]) => [type, Buffer.from(`type.googleapis.com/protocol.${name}`)]),
);
const address = /^41[0-9a-f]{40}$/;
/** The tag of field 1 and the length of an address, with which nearly every payload begins. */
const ownerTag = 0x0a;
const addressBytes = 21;

/** Whether a transaction of that type can move money. */
export function movesMoney({ type }: Pick<DecodedContract, 'type'>): boolean {
  return type === transferContract || runsCode({ type });
}

/** Whether its code can move something, which its receipt shows. */
export function runsCode({ type }: Pick<DecodedContract, 'type'>): boolean {
  return type === createContract || type === triggerContract;
}

/** Takes the raw bytes of a transaction and their hash. */
export function decodeContract(rawBytes: Buffer, id: string): DecodedContract {
  const raw = unambiguousFields(spanOf(rawBytes), rawShape);
  if (raw === null) return unclear();
  const [only, ...more] = listIn(raw, 11);
  if (only === undefined || more.length > 0) return unclear();
  const contract = unambiguousFields(only, contractShape);
  const parameter = contract === null ? null : unambiguousFields(bytesIn(contract, 2), anyShape);
  if (contract === null || parameter === null) return unclear();
  const type = Number(integerIn(contract, 1));
  const typeUrl = typeUrls.get(type);
  if (typeUrl === undefined || !spanEquals(bytesIn(parameter, 1), typeUrl)) return unclear();
  return decodePayload(type, bytesIn(parameter, 2), id);
}

function decodePayload(type: number, bytes: Span, id: string): DecodedContract {
  const owner = ownerIn(bytes);
  const shape = contractShapes.get(type);
  const payload = shape === undefined ? [] : unambiguousFields(bytes, shape);
  if (payload === null) return { ...unclear(type), owner };
  if (!movesMoney({ type })) return { type, owner, value: null, isClear: true };
  const value = type === createContract ? createdValue(payload, id) : ownValue(payload);
  if (value === null) return { ...unclear(type), owner };
  // A transfer of nothing is refused by every node, so this one is not what it looks like.
  if (value.units === 0n && type !== transferContract) return { type, owner, value: null, isClear: true };
  if (value.units <= 0n || !address.test(value.from) || !address.test(value.to))
    return { ...unclear(type), owner };
  return { type, owner, value, isClear: true };
}

/** Only of transactions that we wrote this has a use, and they begin with their owner. */
function ownerIn({ bytes, from, to }: Span): string | null {
  if (to - from < addressBytes + 2 || bytes[from] !== ownerTag || bytes[from + 1] !== addressBytes)
    return null;
  const owner = bytes.toString('hex', from + 2, from + 2 + addressBytes);
  return address.test(owner) ? owner : null;
}

/** A call's call_token_value is TRC-10 and never counts. */
function ownValue(payload: readonly Field[]): OwnValue {
  return {
    from: spanHex(bytesIn(payload, 1)),
    to: spanHex(bytesIn(payload, 2)),
    units: integerIn(payload, 3),
  };
}

function createdValue(payload: readonly Field[], id: string): OwnValue | null {
  const created = unambiguousFields(bytesIn(payload, 2), createdShape);
  if (created === null) return null;
  const from = spanHex(bytesIn(payload, 1));
  // Where a creation puts its contract.
  const to = `41${keccakOfBytes(Buffer.from(id + from, 'hex')).slice(24)}`;
  return { from, to, units: integerIn(created, 5) };
}

function unclear(type: number | null = null): DecodedContract {
  return { type, owner: null, value: null, isClear: false };
}
