// Asks the nodes of a chain that is to be added whether all are of the same chain, and for its block time and genesis.
import { type ChainDefinition, nativeCurrency } from '@ducat/core/chain/chain';
import { createEvmReaders } from '../../chains/evm/evm-reader.ts';
import type { ProviderReader } from '../../chains/port/provider-reader.ts';
import type { HttpPost } from '../../chains/rpc/http-post.ts';
import type { ConfiguredChain } from '../../config/chains.ts';
import type { CheckedChain, CheckedProvider } from '../../roles/dashboard/operator/additions-port.ts';
import { Outage } from '../../runtime/outage.ts';
import type { World } from '../../runtime/world.ts';

/** How many of the newest blocks the block time is measured over. */
const MEASURED_BLOCKS = 50;

export type AskedChain = Omit<CheckedChain, 'sealed'>;

interface Looked extends CheckedProvider {
  readonly genesisHash: string | null;
  readonly blockMs: number | null;
}

/** Every provider has to serve the stated chain, and all of them the same one. */
export async function askChain(
  { definition, nodes, warnings }: ConfiguredChain,
  world: World,
  http: HttpPost,
): Promise<AskedChain> {
  const readers = createEvmReaders({ definition, rpcUrls: nodes.rpcUrls, world, http });
  const looked = await Promise.all(readers.map(look));
  const coin = nativeCurrency(definition);
  const genesis = new Set(looked.map(({ genesisHash }) => genesisHash));
  const [genesisHash = null] = genesis;
  const times = looked.flatMap(({ blockMs }) => blockMs ?? []);
  return {
    coinId: coin.currencyId,
    coinSymbol: coin.symbol,
    coinDecimals: coin.decimals,
    blockMs: times.length === 0 ? null : Math.max(...times),
    genesisHash: genesis.size === 1 ? genesisHash : null,
    providers: looked.map(({ host, trouble, head, final }) => ({ host, trouble, head, final })),
    warnings: [...warnings, ...(genesisHash === null ? ['no node shows a block 0 that proves itself'] : [])],
    trouble: troubleOf(definition, looked),
  };
}

/** Why the chain cannot be added; null where it can. */
function troubleOf({ nodeFinality }: ChainDefinition, looked: readonly Looked[]): string | null {
  const silent = looked.find(({ trouble }) => trouble !== null);
  if (silent !== undefined) return `${silent.host} ${silent.trouble}`;
  if (new Set(looked.map(({ genesisHash }) => genesisHash)).size > 1)
    return 'the nodes are of different chains: their first blocks differ';
  const unfinal = looked.find(({ final }) => final === null);
  if (nodeFinality === 'finalized' && unfinal !== undefined)
    return `${unfinal.host} calls no block finalized: choose confirmations alone, and enough of them`;
  return null;
}

async function look(reader: ProviderReader): Promise<Looked> {
  const host = reader.provider;
  try {
    const head = await reader.head();
    const final = await reader.finalHeight();
    const newest = await reader.header(head);
    const below = Math.max(0, head - MEASURED_BLOCKS);
    const older = below === head ? null : await reader.header(below);
    const blockMs =
      newest === null || older === null
        ? null
        : Math.round(((newest.time - older.time) * 1_000) / (head - below));
    return { host, trouble: null, head, final, blockMs, genesisHash: await genesisOf(reader) };
  } catch (error) {
    if (!(error instanceof Outage)) throw error;
    return { host, trouble: error.message, head: null, final: null, blockMs: null, genesisHash: null };
  }
}

/** The hash of block 0. Null where the node has pruned it, or where its header does not match its hash. */
async function genesisOf(reader: ProviderReader): Promise<string | null> {
  try {
    return (await reader.header(0))?.hash ?? null;
  } catch (error) {
    if (error instanceof Outage) return null;
    throw error;
  }
}
