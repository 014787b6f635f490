// Blocks of the Tron dev chain in short, as its controls and its node report them.

export interface BlockInShort {
  readonly number: number;
  /** Unix milliseconds. */
  readonly timestamp: number;
  readonly transactions: readonly string[];
}

/** Reads a block as a control of the dev node returns it. Throws where the value is no block. */
export function blockOf(value: unknown): BlockInShort {
  const { number, timestamp, transactions } = fieldsOf(value);
  if (typeof number !== 'number' || typeof timestamp !== 'number' || !Array.isArray(transactions))
    throw new Error(`no block: ${JSON.stringify(value)}`);
  return { number, timestamp, transactions: transactions.map(String) };
}

/** The full node's blocks from `first` to `last`, both included, in their order. */
export async function blocksOf(
  fullUrl: string,
  first: number,
  last: number,
): Promise<readonly BlockInShort[]> {
  const response = await fetch(`${fullUrl}/wallet/getblockbylimitnext`, {
    method: 'POST',
    body: JSON.stringify({ startNum: first, endNum: last + 1 }),
  });
  const { block: blocks } = fieldsOf(await response.json());
  if (!Array.isArray(blocks)) return [];
  return blocks.map((block) => {
    const { block_header: header, transactions } = fieldsOf(block);
    const { number = 0, timestamp } = fieldsOf(fieldsOf(header)['raw_data']);
    const ids = Array.isArray(transactions) ? transactions.map((one) => fieldsOf(one)['txID']) : [];
    return blockOf({ number, timestamp, transactions: ids });
  });
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}
