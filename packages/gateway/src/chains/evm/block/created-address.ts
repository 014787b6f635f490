// The address of the contract that a transaction creates.
import { keccakOfBytes } from '../../keys/keccak.ts';
import { RlpWriter } from './rlp-writer.ts';

/** From its sender, an address, and its nonce, a quantity; both as `0x` text. Lower case. */
export function createdAddress(from: string, nonce: string): string {
  const rlp = new RlpWriter(64);
  const mark = rlp.open();
  rlp.hexString(Buffer.from(from), 2, from.length);
  rlp.hexInteger(Buffer.from(nonce), 2, nonce.length);
  rlp.close(mark);
  return `0x${keccakOfBytes(rlp.bytes.subarray(mark, rlp.length)).slice(24)}`;
}
