// The text of a block without `raw_data`, which is half of it, repeats the raw bytes and is believed by nobody.
import { TooMuch } from '../endpoint/too-much.ts';

const begin = '"raw_data":{';
const end = '},"raw_data_hex":"';
/** No block has room for more transactions. A body that is made to take time is refused for what is left of it. */
const maxCuts = 16_384;

/**
 * What `parse` makes of the text without it. Where that cannot be parsed, as a node printed names that nobody expects, of
 * the whole text. Throws what `parse` does.
 */
export function parseWithoutRawData(text: string, parse: (text: string) => unknown): unknown {
  const bare = withoutRawData(text);
  if (bare === text) return parse(text);
  try {
    return parse(bare);
  } catch (error) {
    if (error instanceof TooMuch) throw error;
    return parse(text);
  }
}

/**
 * Taken out before the answer is parsed, so that it costs neither time nor memory, however long a payer makes it. Only
 * where it stands right before the bytes that it repeats, as nodes print it: the `raw_data` of a header stands beside
 * none, and is kept. Inside a text no quote stands bare, so what is found is never a part of one.
 */
export function withoutRawData(text: string): string {
  const kept: string[] = [];
  let at = 0;
  for (let cuts = 0; cuts < maxCuts; cuts++) {
    const to = text.indexOf(end, at);
    if (to === -1) break;
    const from = text.lastIndexOf(begin, to);
    if (from < at) break;
    kept.push(text.slice(at, from), '"raw_data":null');
    at = to + 1;
  }
  kept.push(text.slice(at));
  return kept.join('');
}
