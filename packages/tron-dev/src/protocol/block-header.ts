// Block ids and witness signatures.
import { encode } from './codec.ts';
import { sha256 } from './hash.ts';
import { numberToHex } from './hex.ts';
import { type BlockHeaderRaw, blockHeaderRaw } from './messages.ts';
import { sign } from './signature.ts';

/** 8 bytes of height, then the last 24 bytes of the header's hash. */
export function blockIdOf(raw: BlockHeaderRaw): string {
  return numberToHex(raw.number, 8) + headerHash(raw).slice(16);
}

/** The hash that the witness signs. */
export function headerHash(raw: BlockHeaderRaw): string {
  return sha256(encode(blockHeaderRaw, raw));
}

export function signHeader(raw: BlockHeaderRaw, privateKey: string): string {
  return sign(headerHash(raw), privateKey);
}

/** The two values by which a transaction refers to a block. */
export function referenceTo(blockId: string): { refBlockBytes: string; refBlockHash: string } {
  return { refBlockBytes: blockId.slice(12, 16), refBlockHash: blockId.slice(16, 32) };
}
