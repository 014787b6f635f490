// What a transaction's own bytes say it does: one contract of a known type and its value, where they have one meaning.
import {
  bytesIn,
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
  contractShape,
  contractShapes,
  createContract,
  rawShape,
  transferContract,
  triggerContract,
  typeUrls,
} from './contract-types.ts';
import type { Value } from '../../port/transfer-at.ts';

/**
 * A payer chooses the bytes of a contract, and java-tron keeps them as they came. So a contract is read only where
 * they can be read in one way; nothing a payer writes is an error of the node that shows it, and nothing throws.
 */
export interface DecodedContract {
  /** The number of its type; null where that is unclear. */
  readonly type: number | null;
  /** Who signed it and pays its fee; null where it is not written as our own transactions are. */
  readonly owner: string | null;
  /** TRX that it moves by itself, before any code runs. Null where it moves none, and where that is unclear. */
  readonly value: Value | null;
  /** Whether it is known what it moves by itself; what its code did is in its receipt all the same. */
  readonly isClear: boolean;
}

const address = /^41[0-9a-f]{40}$/;
/** The tag of field 1 and the length of an address, with which nearly every payload begins. */
const ownerTag = 0x0a;
const addressBytes = 21;

/** Whether its code can move something, which its receipt shows. */
export function runsCode({ type }: Pick<DecodedContract, 'type'>): boolean {
  return type === createContract || type === triggerContract;
}

/** Takes the raw bytes of a transaction. */
export function decodeContract(rawBytes: Buffer): DecodedContract {
  const raw = unambiguousFields(spanOf(rawBytes), rawShape);
  if (raw === null) return unclear;
  const [only, ...more] = listIn(raw, 11);
  if (only === undefined || more.length > 0) return unclear;
  const contract = unambiguousFields(only, contractShape);
  const parameter = contract === null ? null : unambiguousFields(bytesIn(contract, 2), anyShape);
  if (contract === null || parameter === null) return unclear;
  const type = Number(integerIn(contract, 1));
  const typeUrl = typeUrls.get(type);
  if (typeUrl === undefined || !spanEquals(bytesIn(parameter, 1), typeUrl)) return unclear;
  return decodePayload(type, bytesIn(parameter, 2));
}

function decodePayload(type: number, bytes: Span): DecodedContract {
  const owner = ownerIn(bytes);
  const shape = contractShapes.get(type);
  const payload = shape === undefined ? [] : unambiguousFields(bytes, shape);
  if (payload === null) return { ...unclear, type, owner };
  // What a creation is endowed with goes to the contract that it makes, which is never an address of ours.
  if (type !== transferContract && type !== triggerContract)
    return { type, owner, value: null, isClear: true };
  // A call's call_token_value is TRC-10 and never counts.
  const from = spanHex(bytesIn(payload, 1));
  const to = spanHex(bytesIn(payload, 2));
  const units = integerIn(payload, 3);
  if (units === 0n && type === triggerContract) return { type, owner, value: null, isClear: true };
  // A transfer of nothing is refused by every node, so one is not what it looks like.
  if (units <= 0n || !address.test(from) || !address.test(to)) return { ...unclear, type, owner };
  return { type, owner, value: { from, to, units }, isClear: true };
}

/** Only of transactions that we wrote this has a use, and they begin with their owner. */
function ownerIn({ bytes, from, to }: Span): string | null {
  if (to - from < addressBytes + 2 || bytes[from] !== ownerTag || bytes[from + 1] !== addressBytes)
    return null;
  const owner = bytes.toString('hex', from + 2, from + 2 + addressBytes);
  return address.test(owner) ? owner : null;
}

const unclear: DecodedContract = { type: null, owner: null, value: null, isClear: false };
