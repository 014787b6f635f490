// The address of the contract that a creation transaction deploys.
import { keccak256 } from './hash.ts';

/** Hex of 21 bytes, from the id of the transaction and its owner. */
export function createdAddress(txId: string, owner: string): string {
  return `41${keccak256(txId + owner).slice(24)}`;
}
