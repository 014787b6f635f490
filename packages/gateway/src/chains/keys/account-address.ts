// Derives the 20 bytes behind an account's address, as all chains do that kept Ethereum's curve and hash.
import { createHmac } from 'node:crypto';
import { HDKey } from '@scure/bip32';
import { assert } from '@ducat/core/assert';
import { branchNumber, type KeyBranch } from '@ducat/core/signing/key-path';
import { pointAdd, pointCompress, pointFromScalar } from 'tiny-secp256k1';
import { keccakOfBytes } from './keccak.ts';

const accountDepth = 3;
const maxCachedAccounts = 256;

const firstHardened = 2 ** 31;
const compressedBytes = 33;
const tweakBytes = 32;

/** What children are derived from: a public key, compressed and as a point, and its chain code. */
interface Parent {
  readonly publicKey: Uint8Array;
  readonly point: Uint8Array;
  readonly chainCode: Uint8Array;
}

// The parent of an account's addresses costs two curve operations, and many addresses of one account are derived in a row.
const parents = new Map<string, Parent>();

/**
 * 40 lower-case hex digits: the end of the hash of the public key at `index` below an account-level extended public
 * key (m/44'/c'/n'/0/index, wallets m/44'/c'/n'/1/index). Throws Bug where the key is not such a key, or where the index
 * is not a BIP-32 index.
 */
export function accountAddress(
  accountPublicKey: string,
  index: number,
  branch: KeyBranch = 'deposit',
): string {
  return keccakOfBytes(childPoint(parentOf(accountPublicKey, branch), index).subarray(1)).slice(24);
}

/**
 * BIP-32's public child as an uncompressed point, whose first byte only says so. Every order costs two of these: one when
 * its address goes into the pool, and one for the answer. The curve in WebAssembly is eight times as fast as the library's
 * own in JavaScript, which the test compares it with. Multiplying the generator and then adding the parent takes 116
 * microseconds. The single call for both takes 178, because it has no table of the generator. A child does not exist with a
 * chance of 1 in 2^127. That is a Bug here; the next index is not tried.
 */
function childPoint({ publicKey, point: parent, chainCode }: Parent, index: number): Uint8Array {
  const isPublicIndex = Number.isInteger(index) && index >= 0 && index < firstHardened;
  assert(isPublicIndex, 'the index of a public child is a whole number below 2^31');
  const data = Buffer.alloc(compressedBytes + 4);
  data.set(publicKey, 0);
  data.writeUInt32BE(index, compressedBytes);
  const tweak = createHmac('sha512', chainCode).update(data).digest().subarray(0, tweakBytes);
  const offset = pointFromScalar(tweak, false);
  const point = offset === null ? null : pointAdd(offset, parent, false);
  assert(point !== null, 'a derived key has a public part');
  return point;
}

function parentOf(accountPublicKey: string, branch: KeyBranch): Parent {
  const place = `${branch}/${accountPublicKey}`;
  const known = parents.get(place);
  if (known !== undefined) return known;
  assert(
    accountPublicKey.startsWith('xpub'),
    'addresses are derived from a public key, never from a private one',
  );
  const account = HDKey.fromExtendedKey(accountPublicKey);
  assert(account.privateKey === null, 'addresses are derived from a public key, never from a private one');
  assert(account.depth === accountDepth, 'addresses are derived from the key of an account (depth 3)');
  const { publicKey, chainCode } = account.deriveChild(branchNumber(branch));
  assert(publicKey !== null && chainCode !== null, 'the parent of addresses has a public part');
  const parent = { publicKey, point: pointCompress(publicKey, false), chainCode };
  if (parents.size >= maxCachedAccounts) parents.clear();
  parents.set(place, parent);
  return parent;
}
