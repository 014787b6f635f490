// Decodes a transaction's own bytes: one contract of a known type and its value, where the bytes have one meaning.
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
  rawShape,
  transferContract,
  typeUrls,
} from './contract-types.ts';
import type { Value } from '../../port/transfer-at.ts';

/**
 * A payer chooses the bytes of a contract, and java-tron keeps them as they came. So a contract is read only where its bytes
 * can be read in one way. Bytes that a payer wrote are never an error of the node that shows them, so nothing throws. A
 * contract that is not read here and still moves TRX shows in balances.
 */
export interface DecodedContract {
  /** The account that signed the transaction and pays its fee; null where it is not written as our own transactions are. */
  readonly owner: string | null;
  /** TRX that the transaction moves by itself, before any code runs. Null where it moves none, and where that is unclear. */
  readonly value: Value | null;
  /** Whether its code can move something. The receipt shows what. */
  readonly runsCode: boolean;
}

const address = /^41[0-9a-f]{40}$/;
/** The tag of field 1 and the length of an address, with which nearly every payload begins. */
const ownerTag = 0x0a;
const addressBytes = 21;

/** Takes the raw bytes of a transaction. */
export function decodeContract(rawBytes: Buffer): DecodedContract {
  const raw = unambiguousFields(spanOf(rawBytes), rawShape);
  const [only, ...more] = raw === null ? [] : listIn(raw, 11);
  if (only === undefined || more.length > 0) return unclear;
  const contract = unambiguousFields(only, contractShape);
  const parameter = contract === null ? null : unambiguousFields(bytesIn(contract, 2), anyShape);
  if (contract === null || parameter === null) return unclear;
  const type = Number(integerIn(contract, 1));
  const payload = bytesIn(parameter, 2);
  const owner = ownerIn(payload);
  const typeUrl = typeUrls.get(type);
  if (typeUrl === undefined || !spanEquals(bytesIn(parameter, 1), typeUrl)) return { ...unclear, owner };
  return { owner, value: valueIn(type, payload), runsCode: type !== transferContract };
}

function valueIn(type: number, payload: Span): Value | null {
  const shape = contractShapes.get(type);
  const fields = shape === undefined ? null : unambiguousFields(payload, shape);
  if (fields === null) return null;
  // A call's call_token_value is TRC-10 and never counts.
  const [from, to] = [spanHex(bytesIn(fields, 1)), spanHex(bytesIn(fields, 2))];
  const units = integerIn(fields, 3);
  return units > 0n && address.test(from) && address.test(to) ? { from, to, units } : null;
}

/** Only needed for transactions that we wrote, whose payload begins with the owner. */
function ownerIn({ bytes, from, to }: Span): string | null {
  if (to - from < addressBytes + 2 || bytes[from] !== ownerTag || bytes[from + 1] !== addressBytes)
    return null;
  const owner = bytes.toString('hex', from + 2, from + 2 + addressBytes);
  return address.test(owner) ? owner : null;
}

const unclear: DecodedContract = { owner: null, value: null, runsCode: false };
