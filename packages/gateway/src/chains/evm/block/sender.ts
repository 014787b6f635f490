// Who signed a transaction, recovered from its bytes: no root covers the `from` that nodes report.
import { keccakDigest } from '../../keys/keccak.ts';
import { recoverAddress } from '../../keys/recover-address.ts';
import { invalidAnswer } from '../../rpc/invalid-answer.ts';
import { RlpWriter } from './rlp-writer.ts';

const firstTyped = 0xc0;
const wordBytes = 32;
/** From here on `v` of a legacy transaction carries the chain id (EIP-155). */
const firstWithChain = 35n;

/** The lower-case address. `encoded` is a transaction of a known type. Throws Outage 'invalid' where nobody signed it. */
export function senderOf(encoded: Uint8Array): string {
  const isTyped = (encoded[0] ?? 0) < firstTyped;
  const list = isTyped ? encoded.subarray(1) : encoded;
  const items = itemsOf(list);
  const [v, r, s] = items.slice(-3).map(contentOf);
  const unsigned = items.slice(0, -3);
  if (v === undefined || r === undefined || s === undefined) throw notSigned();
  const code = BigInt(`0x0${Buffer.from(v).toString('hex')}`);
  const hasChain = !isTyped && code >= firstWithChain;
  const rlp = new RlpWriter(encoded.length + wordBytes);
  if (isTyped) rlp.raw(encoded.subarray(0, 1));
  const mark = rlp.open();
  for (const item of unsigned) rlp.raw(item);
  if (hasChain) for (const item of chainItems((code - firstWithChain) / 2n)) rlp.string(item);
  rlp.close(mark);
  const parity = isTyped ? code : hasChain ? (code - firstWithChain) % 2n : code - 27n;
  if (parity !== 0n && parity !== 1n) throw notSigned();
  const digest = keccakDigest(rlp.bytes.subarray(0, rlp.length));
  const address = recoverAddress(digest, Buffer.concat([padded(r), padded(s)]), parity === 0n ? 0 : 1);
  if (address === null) throw notSigned();
  return `0x${address}`;
}

/** What EIP-155 signs beside the fields: the chain id and two empty ones. */
function chainItems(chainId: bigint): readonly Uint8Array[] {
  const digits = chainId === 0n ? '' : chainId.toString(16);
  const bytes = Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
  return [bytes, new Uint8Array(0), new Uint8Array(0)];
}

function padded(bytes: Uint8Array): Uint8Array {
  if (bytes.length > wordBytes) throw notSigned();
  return Buffer.concat([new Uint8Array(wordBytes - bytes.length), bytes]);
}

/** The items of an RLP list, each with its prefix. */
function itemsOf(list: Uint8Array): readonly Uint8Array[] {
  const items: Uint8Array[] = [];
  const { from, to } = extentOf(list, 0);
  for (let at = from; at < to; ) {
    const end = extentOf(list, at).to;
    items.push(list.subarray(at, end));
    at = end;
  }
  return items;
}

function contentOf(item: Uint8Array): Uint8Array {
  const { from, to } = extentOf(item, 0);
  return item.subarray(from, to);
}

/** Where the content of the item that begins there lies. It was written by us, so it is well formed. */
function extentOf(bytes: Uint8Array, at: number): { readonly from: number; readonly to: number } {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return { from: at, to: at + 1 };
  const kind = first < firstTyped ? 0x80 : firstTyped;
  const short = first - kind;
  if (short < 56) return { from: at + 1, to: at + 1 + short };
  const from = at + 1 + (short - 55);
  let size = 0;
  for (let place = at + 1; place < from; place++) size = size * 256 + (bytes[place] ?? 0);
  return { from, to: from + size };
}

function notSigned(): Error {
  return invalidAnswer('answered with a transaction that nobody signed');
}
