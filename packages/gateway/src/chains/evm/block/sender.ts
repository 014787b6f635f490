// Who signed a transaction, recovered from its signature: no root covers the `from` that nodes report.
import { keccakDigest } from '../../keys/keccak.ts';
import { recoverAddress } from '../../keys/recover-address.ts';
import { invalidAnswer } from '../../rpc/invalid-answer.ts';
import type { JsonTape, Place } from '../../rpc/json-tape.ts';
import { integerOf } from './hex-fields.ts';
import { RlpWriter } from './rlp-writer.ts';
import { typeOf, writeUnsigned } from './transactions.ts';

/** The lowest `v` of a legacy transaction that carries the chain id (EIP-155). A lower `v` is 27 or 28. */
const firstWithChain = 35n;

/**
 * The lower-case address that signed a transaction of a known type. Throws Outage 'invalid' where the signature is not
 * valid.
 */
export function senderOf(tape: JsonTape, tx: Place): string {
  const isLegacy = typeOf(tape, tx) === 0;
  const code = integerOf(tape, tx, isLegacy || tape.field(tx, 'yParity') === -1 ? 'v' : 'yParity');
  const hasChain = isLegacy && code >= firstWithChain;
  const chainId = hasChain ? bytesOf((code - firstWithChain) / 2n, 0) : null;
  const parity = hasChain ? (code - firstWithChain) % 2n : isLegacy ? code - 27n : code;
  const rlp = new RlpWriter(1_024);
  writeUnsigned(rlp, tape, tx, chainId === null ? [] : [chainId, bytesOf(0n, 0), bytesOf(0n, 0)]);
  const digest = keccakDigest(rlp.bytes.subarray(0, rlp.length));
  const signature = Buffer.concat(['r', 's'].map((name) => bytesOf(integerOf(tape, tx, name), 32)));
  const address = parity === 0n || parity === 1n ? recoverAddress(digest, signature, parity === 1n) : null;
  if (address === null) throw invalidAnswer('answered with a transaction that nobody signed');
  return `0x${address}`;
}

/** The bytes of a number, `least` or more. With 0 as `least`, the number 0 has no bytes. */
function bytesOf(number: bigint, least: number): Buffer {
  const digits = number === 0n ? '' : number.toString(16);
  const even = digits.length + (digits.length % 2);
  return Buffer.from(digits.padStart(Math.max(even, least * 2), '0'), 'hex');
}
