// The body of a block without `raw_data`, which is half of it, repeats the raw bytes and proves nothing.
import { maxTronBlockTransactions } from '../../rpc/limits.ts';

const begin = Buffer.from('"raw_data":{');
const end = Buffer.from('},"raw_data_hex":"');
/** Shorter than what it stands for. */
const instead = Buffer.from('"raw_data":0');

/**
 * Taken out before the answer is parsed, so that it costs neither time nor memory, however long a payer makes it. Only
 * where it stands right before the bytes that it repeats, as nodes print it: the `raw_data` of a header stands beside
 * none, and is kept. Inside a text no quote stands bare, so what is found is never a part of one. What is more than a
 * block has room for is left for the bounds of the parser.
 */
export function withoutRawData(body: Buffer): Buffer {
  let kept: Buffer | null = null;
  let size = 0;
  let at = 0;
  for (let cuts = 0; cuts < maxTronBlockTransactions; cuts++) {
    const to = body.indexOf(end, at);
    if (to === -1) break;
    const from = body.lastIndexOf(begin, to);
    if (from < at) break;
    kept ??= Buffer.allocUnsafe(body.length);
    size += body.copy(kept, size, at, from);
    size += instead.copy(kept, size);
    at = to + 1;
  }
  if (kept === null) return body;
  size += body.copy(kept, size, at);
  return kept.subarray(0, size);
}
