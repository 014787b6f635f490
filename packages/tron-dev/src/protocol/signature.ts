// Signatures of Tron: secp256k1 over a 32-byte digest, as r, s and a recovery byte.
import { createECDH } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { bytesToHex, hexToBytes } from './hex.ts';
import { keccak256 } from './hash.ts';

/** 130 hex digits: r, s and the recovery id 00 or 01. */
export function sign(digest: string, privateKey: string): string {
  const recovered = secp256k1.sign(hexToBytes(digest), hexToBytes(privateKey), {
    prehash: false,
    format: 'recovered',
  });
  return bytesToHex(recovered.slice(1)) + bytesToHex(recovered.slice(0, 1));
}

/**
 * The address that signed, or null where the signature fits no key. The recovery byte may be 0, 1, 27 or 28; bytes
 * after the 65th are ignored, as java-tron does; a high s is accepted.
 */
export function recoverAddress(digest: string, signature: string): string | null {
  const v = Number.parseInt(signature.slice(128, 130), 16);
  const recovery = v >= 27 ? v - 27 : v;
  if (recovery !== 0 && recovery !== 1) return null;
  try {
    const parsed = secp256k1.Signature.fromBytes(hexToBytes(signature.slice(0, 128)), 'compact');
    const point = parsed.addRecoveryBit(recovery).recoverPublicKey(hexToBytes(digest));
    return addressOfPublicKey(point.toBytes(false));
  } catch {
    return null;
  }
}

export function addressOfKey(privateKey: string): string {
  // By Node's own curve: a start asks for forty addresses, and each takes a millisecond in JavaScript.
  const key = createECDH('secp256k1');
  key.setPrivateKey(privateKey, 'hex');
  return addressOfPublicKey(key.getPublicKey());
}

function addressOfPublicKey(uncompressed: Uint8Array): string {
  return `41${keccak256(bytesToHex(uncompressed.slice(1))).slice(-40)}`;
}
