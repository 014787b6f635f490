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
  rawShape,
  transferContract,
  typeUrls,
} from './contract-types.ts';
import type { Value } from '../../port/transfer-at.ts';

/**
 * A payer chooses the bytes of a contract, and java-tron keeps them as they came. So a contract is read only where
 * they can be read in one way; nothing a payer writes is an error of the node that shows it, and nothing throws. What is
 * not read here and moves TRX all the same shows in balances.
 */
export interface DecodedContract {
  /** Who signed it and pays its fee; null where it is not written as our own transactions are. */
  readonly owner: string | null;
  /** TRX that it moves by itself, before any code runs. Null where it moves none, and where that is unclear. */
  readonly value: Value | null;
  /** Whether its code can move something, which its receipt shows. */
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

/** Only of transactions that we wrote this has a use, and they begin with their owner. */
function ownerIn({ bytes, from, to }: Span): string | null {
  if (to - from < addressBytes + 2 || bytes[from] !== ownerTag || bytes[from + 1] !== addressBytes)
    return null;
  const owner = bytes.toString('hex', from + 2, from + 2 + addressBytes);
  return address.test(owner) ? owner : null;
}

const unclear: DecodedContract = { owner: null, value: null, runsCode: false };
