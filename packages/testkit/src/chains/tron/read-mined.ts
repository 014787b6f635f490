// Reads one block of any bytes through a reader of one provider, and says shortly what it holds.
import type { ProviderReader } from '@ducat/gateway/chains/port/provider-reader';
import type { ChainBlock } from '@ducat/gateway/chains/port/reader';
import { createTronReaders } from '@ducat/gateway/chains/tron/tron-reader';
import { unitsOf } from '@ducat/core/money/amount';
import { manualWorld } from '../manual-world.ts';
import { definitionOf, minedChain, type MinedNode, minedNode, token, trx } from './mined-node.ts';
import { bytes, type MinedBytes, rawAround } from './tron-bytes.ts';

/** The number of the block that is read. */
export const minedBlock = 2;
const nothingNamed: ReadonlySet<string> = new Set();

export const transfer = (payload: string): string => rawAround(1, 'TransferContract', payload);
export const call = (payload: string): string => rawAround(31, 'TriggerSmartContract', payload);
/** A call of that contract with nothing but its addresses. */
export const callOf = (owner: string, contract: string): string => call(bytes(1, owner) + bytes(2, contract));

export interface OpenNode {
  readonly node: MinedNode;
  readonly txIds: readonly string[];
  readonly reader: ProviderReader;
  /** Throws where the node has no such block. */
  readonly read: (txIds?: ReadonlySet<string>) => Promise<ChainBlock>;
  /** Reads the block from the solidified view, through the reader of that index. */
  readonly readFinal: (provider?: number) => Promise<ChainBlock>;
}

/** A node with one block of these transactions, and `providers` readers of it. */
export function openNode(mined: readonly MinedBytes[], providers = 1): OpenNode {
  const chain = minedChain([mined]);
  const node = minedNode(chain);
  const readers = createTronReaders({
    definition: definitionOf(chain),
    rpcUrls: Array.from({ length: providers }, (_, index) => `http://node-${index}`),
    world: manualWorld(),
    http: node.http,
  });
  const readerAt = (index: number): ProviderReader => must(readers[index]);
  const currencies = [trx, token];
  return {
    node,
    txIds: chain[minedBlock]?.txIds ?? [],
    reader: readerAt(0),
    read: async (txIds = nothingNamed) => must(await readerAt(0).block(minedBlock, { currencies, txIds })),
    readFinal: async (provider = 0) =>
      must(await readerAt(provider).finalBlock(minedBlock, { currencies, txIds: nothingNamed })),
  };
}

export function readMined(...mined: MinedBytes[]): Promise<ChainBlock> {
  return openNode(mined).read();
}

/** Positions, recipients and units, in the order of the block. */
export function moved({ transfers }: Pick<ChainBlock, 'transfers'>): readonly string[] {
  return transfers.map(({ position, amount, to }) => `${position} ${to} ${unitsOf(amount)}`);
}

function must<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('the node has no such block');
  return value;
}
