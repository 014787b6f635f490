// A chain as a recovery sees it: its nodes, its money and its addresses, and no database.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import { addressSchemes } from '@ducat/gateway/chains/address-schemes';
import { families } from '@ducat/gateway/chains/families';
import type { AddressScheme } from '@ducat/gateway/chains/port/address-scheme';
import type { BlockReference } from '@ducat/gateway/chains/port/reader';
import { createChainWriter } from '@ducat/gateway/chains/quorum/chain-writer';
import { createQuorumReader } from '@ducat/gateway/chains/quorum/quorum-reader';
import type { ConfiguredChain } from '@ducat/gateway/config/chains';
import { Outage } from '@ducat/gateway/runtime/outage';
import type { World } from '@ducat/gateway/runtime/world';
import { estimatingAgain, type ReadingNode, readingAgain, type WritingNode } from './asked-again.ts';

export interface Node {
  readonly definition: ChainDefinition;
  readonly scheme: AddressScheme;
  readonly reader: ReadingNode;
  readonly writer: WritingNode;
  readonly world: World;
  /** Waits for a block that is not there yet. */
  readonly pause: (ms: number) => Promise<void>;
}

export interface Surroundings extends Pick<Node, 'world' | 'pause'> {
  /** A line for the person. */
  readonly say: (line: string) => void;
}

/** Connects to nothing yet. The nodes must prove their chain before their first answer is used. */
export function openNode({ definition, nodes }: ConfiguredChain, { world, pause, say }: Surroundings): Node {
  const { quorum = null, ...access } = nodes;
  const family = families[definition.family];
  const options = { definition, ...access, world };
  const reader = createQuorumReader({ definition, readers: family.createReaders(options), quorum, world });
  const writer = createChainWriter({ definition, writers: family.createWriters(options), quorum, world });
  return {
    definition,
    scheme: addressSchemes[definition.family],
    reader: readingAgain(reader, { world, say }),
    writer: estimatingAgain(writer, { world, say }),
    world,
    pause,
  };
}

/** The newest block, by its header. Throws Outage. */
export async function readHead({ reader }: Pick<Node, 'reader'>) {
  const header = await reader.header(await reader.head());
  if (header === null) throw new Outage('the newest block is gone', { kind: 'not-yet' });
  return header;
}

/**
 * The block after which balances are read: the newest one, or the newest final one where the family gives no past
 * balances.
 */
export async function balanceBlock(node: Pick<Node, 'reader'>): Promise<BlockReference> {
  const head = await readHead(node);
  if (node.reader.hasPastBalances) return head;
  const final = await node.reader.finalBlock(head.number);
  if (final === null) throw new Outage('nothing is final yet', { kind: 'not-yet' });
  return final;
}
