// A chain as one value: its name, its money, and when its blocks are final.
import { assert } from '../assert.ts';
import type { Currency } from './currency.ts';

/** Chains that share an adapter. A new family makes every record keyed by it a type error until it is served. */
export type ChainFamily = 'evm' | 'tron';

/** How nodes are asked for the internal transactions of a block: by debug_traceBlockByHash, or not at all. */
export type TraceMethod = 'debug' | 'none';

export interface ChainDefinition {
  /** The wire's `chain`, such as ETH, BSC or WKC. */
  readonly name: string;
  readonly family: ChainFamily;
  /** The wire's `network`, the name people know, such as ERC20. */
  readonly network: string;
  /** The wire's `series`: ETH or TRON. */
  readonly series: 'ETH' | 'TRON';
  /** Our own number of the chain, `monitor_chain_id` on the wire. */
  readonly monitorChainId: number;
  /**
   * The chain's own id (Tron: the last four bytes of block 0's id); 0 means that the operator has to state it before
   * the chain can be on.
   */
  readonly chainId: number;
  /** Hash of block 0 in the family's own text, checked at every connect; null where only the chain id is checked. */
  readonly genesisHash: string | null;
  /** Blocks that must include or follow a transfer, the block itself counted. */
  readonly confirmations: number;
  /** Whether the node's own `finalized` must cover a block too. Money is final by the later of the two. */
  readonly nodeFinality: 'finalized' | 'none';
  /** Blocks behind the head whose hashes are kept, the deepest fork that can be undone. */
  readonly windowBlocks: number;
  /** Usual time between blocks, for pacing and alarms only. */
  readonly blockTimeMs: number;
  readonly traceMethod: TraceMethod;
  /** Block explorer shown to payers, "" if none. */
  readonly explorerUrl: string;
  /** An RPC address that is safe to publish, "" if none. */
  readonly publicRpcUrl: string;
  /** The native currency first. */
  readonly currencies: readonly Currency[];
}

/** What the chain pays its fees in, which is always the first currency of its definition. */
export function nativeCurrency({ name, currencies }: Pick<ChainDefinition, 'name' | 'currencies'>): Currency {
  const [native] = currencies;
  assert(native !== undefined, `chain ${name} has a native currency`);
  return native;
}

/** The chain's id on the wire: only the Ethereum series has one, others have 0. */
export function wireChainId({ series, chainId }: Pick<ChainDefinition, 'series' | 'chainId'>): number {
  return series === 'ETH' ? chainId : 0;
}

/** The height at and below which blocks are final by count alone, for a head of that height. */
export function finalByCount(chain: Pick<ChainDefinition, 'confirmations'>, head: number): number {
  return head - chain.confirmations + 1;
}

/** Confirmations of a block under a head, the block itself counted, never more than the chain asks for. */
export function confirmationsOf(
  chain: Pick<ChainDefinition, 'confirmations'>,
  head: number,
  block: number,
): number {
  return Math.max(0, Math.min(chain.confirmations, head - block + 1));
}
