// Root of the Merkle Patricia trie over a known list: what a header commits to for receipts and transactions.
import { keccakDigest } from '../../keys/keccak.ts';
import { RlpWriter } from './rlp-writer.ts';

const branches = 16;
const emptyItem = 0x80;
const digestBytes = 32;
const digestItem = emptyItem + digestBytes;

/** Values that lie one behind the other. */
export interface PackedValues {
  readonly bytes: Buffer;
  /** Where each value ends. */
  readonly ends: readonly number[];
}

/**
 * The root of the trie that maps rlp(index) to each value. The whole list is known, so the trie is hashed once from the
 * leaves up: five times as fast as putting leaf by leaf into a library's trie, which the test compares it with.
 */
export function trieRoot(values: PackedValues): Uint8Array {
  const { ends } = values;
  if (ends.length === 0) return keccakDigest(Uint8Array.of(emptyItem));
  const node = new RlpWriter(4_096);
  encodeNode({ values, order: inKeyOrder(ends.length), node }, 0, ends.length, 0);
  return keccakDigest(node.bytes.subarray(0, node.length));
}

interface Trie {
  readonly values: PackedValues;
  /** The indices in the order of their keys. */
  readonly order: readonly number[];
  readonly node: RlpWriter;
}

/** rlp(0) is 0x80, which stands behind those of 1 to 127. */
function inKeyOrder(count: number): readonly number[] {
  const order: number[] = [];
  for (let index = 1; index < Math.min(count, emptyItem); index++) order.push(index);
  order.push(0);
  for (let index = emptyItem; index < count; index++) order.push(index);
  return order;
}

/** Nibbles of rlp(index) as hex digits. They are the same for every block. */
const keys: string[] = ['80'];

function keyOf(index: number): string {
  for (let next = keys.length; next <= index; next++) {
    const digits = next.toString(16);
    const even = digits.length % 2 === 0 ? digits : `0${digits}`;
    keys.push(next < emptyItem ? even : `${(emptyItem + even.length / 2).toString(16)}${even}`);
  }
  return keys[index] ?? '';
}

function keyAt({ order }: Trie, place: number): string {
  return keyOf(order[place] ?? 0);
}

/** Writes the node over leaves [from, to), whose keys agree in their first `depth` nibbles. Keys are prefix-free. */
function encodeNode(trie: Trie, from: number, to: number, depth: number): void {
  const { node } = trie;
  const first = keyAt(trie, from);
  const mark = node.open();
  if (to - from === 1) {
    node.string(compact(first.slice(depth), true));
    node.string(valueAt(trie, from));
    node.close(mark);
    return;
  }
  const last = keyAt(trie, to - 1);
  let shared = depth;
  while (first[shared] === last[shared]) shared++;
  if (shared > depth) {
    node.string(compact(first.slice(depth, shared), false));
    encodeReference(trie, from, to, shared);
  } else {
    encodeBranch(trie, from, to, depth);
  }
  node.close(mark);
}

function encodeBranch(trie: Trie, from: number, to: number, depth: number): void {
  let start = from;
  for (let nibble = 0; nibble < branches; nibble++) {
    const digit = nibble.toString(branches);
    let end = start;
    while (end < to && keyAt(trie, end)[depth] === digit) end++;
    if (end === start) trie.node.byte(emptyItem);
    else encodeReference(trie, start, end, depth + 1);
    start = end;
  }
  // No key ends here.
  trie.node.byte(emptyItem);
}

/** A node stands in its parent as its hash, or as it is where that is shorter. */
function encodeReference(trie: Trie, from: number, to: number, depth: number): void {
  const { node } = trie;
  const start = node.length;
  encodeNode(trie, from, to, depth);
  if (node.length - start < digestBytes) return;
  const digest = keccakDigest(node.bytes.subarray(start, node.length));
  node.length = start;
  node.byte(digestItem);
  node.raw(digest);
}

function valueAt({ values, order }: Trie, place: number): Uint8Array {
  const index = order[place] ?? 0;
  return values.bytes.subarray(values.ends[index - 1] ?? 0, values.ends[index]);
}

/** The hex-prefix encoding of a path. */
function compact(nibbles: string, isLeaf: boolean): Uint8Array {
  const odd = nibbles.length % 2;
  const flag = ((isLeaf ? 2 : 0) + odd).toString(16);
  return Buffer.from(odd === 1 ? flag + nibbles : `${flag}0${nibbles}`, 'hex');
}
