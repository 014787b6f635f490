// Reads what reached our addresses from a dev node's chain, block by block, without any code of the product.
import { createPublicClient, http, parseAbiItem } from 'viem';

/** The facts about a chain that are needed to read it. */
export interface ReadableChain {
  readonly name: string;
  readonly rpcUrl: string;
  readonly coins: readonly {
    readonly currencyId: number;
    readonly contract: `0x${string}` | null;
    readonly decimals: number;
  }[];
}

/** One transfer to an address of ours. */
export interface ChainTransfer {
  readonly chain: string;
  readonly hash: string;
  readonly to: string;
  readonly currencyId: number;
  readonly units: bigint;
  readonly block: number;
  /** Unix seconds of its block. */
  readonly time: number;
  readonly place: number;
}

export interface FinalChain {
  readonly name: string;
  readonly finalBlock: number;
  readonly finalTime: number;
  /** Up to the final block, in the order of the chain. */
  readonly transfers: readonly ChainTransfer[];
}

const transferEvent = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)');
const BLOCKS_AT_ONCE = 500n;

type Client = ReturnType<typeof createPublicClient>;

/** Reads up to the final block: the node's own, or the newest with so many confirmations, whichever is lower. */
export async function readChain(
  { name, rpcUrl, coins }: ReadableChain,
  ours: ReadonlySet<string>,
  confirmations: number,
): Promise<FinalChain> {
  const client = createPublicClient({ transport: http(rpcUrl) });
  const head = await client.getBlock({ blockTag: 'latest' });
  const final = await client.getBlock({ blockTag: 'finalized' });
  const counted = head.number - BigInt(confirmations - 1);
  const last = counted < final.number ? counted : final.number;
  const own = coins.find(({ contract }) => contract === null)?.currencyId ?? 0;
  const { times, values } = await readValues(client, last, ours);
  const transfers: ChainTransfer[] = values.map((value) => ({ ...value, chain: name, currencyId: own }));
  for (const { contract, currencyId } of coins) {
    if (contract === null) continue;
    const moved = await readTokens(client, contract, last, ours);
    for (const one of moved)
      transfers.push({ ...one, chain: name, currencyId, time: times.get(one.block) ?? 0 });
  }
  transfers.sort((a, b) => a.block - b.block || a.place - b.place);
  return { name, finalBlock: Number(last), finalTime: times.get(Number(last)) ?? 0, transfers };
}

type Value = Omit<ChainTransfer, 'chain' | 'currencyId'>;

/** The chain's own coin, in transactions that succeeded; payers of a run send no coins through contracts. */
async function readValues(
  client: Client,
  last: bigint,
  ours: ReadonlySet<string>,
): Promise<{ readonly times: ReadonlyMap<number, number>; readonly values: readonly Value[] }> {
  const times = new Map<number, number>();
  const values: Value[] = [];
  for (let blockNumber = 0n; blockNumber <= last; blockNumber += 1n) {
    const { timestamp, transactions } = await client.getBlock({ blockNumber, includeTransactions: true });
    const [block, time] = [Number(blockNumber), Number(timestamp)];
    times.set(block, time);
    for (const { to, value: units, hash, transactionIndex } of transactions) {
      const address = to?.toLowerCase() ?? '';
      if (units === 0n || !ours.has(address)) continue;
      const { status } = await client.getTransactionReceipt({ hash });
      if (status === 'success')
        values.push({ hash, to: address, units, block, time, place: transactionIndex ?? 0 });
    }
  }
  return { times, values };
}

async function readTokens(
  client: Client,
  address: `0x${string}`,
  last: bigint,
  ours: ReadonlySet<string>,
): Promise<readonly Omit<Value, 'time'>[]> {
  const moved: Omit<Value, 'time'>[] = [];
  for (let fromBlock = 0n; fromBlock <= last; fromBlock += BLOCKS_AT_ONCE) {
    const end = fromBlock + BLOCKS_AT_ONCE - 1n;
    const toBlock = end < last ? end : last;
    const logs = await client.getLogs({ address, event: transferEvent, fromBlock, toBlock, strict: true });
    for (const { args, blockNumber, transactionHash: hash, transactionIndex: place } of logs) {
      const to = args.to.toLowerCase();
      if (ours.has(to)) moved.push({ hash, to, units: args.value, block: Number(blockNumber), place });
    }
  }
  return moved;
}
