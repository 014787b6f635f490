// A dev chain of a run, whatever its family: payers who send, forks, and the lines on which the gateway asks its nodes.
import type { Target, TcpProxy } from '@ducat/devnet/net/tcp-proxy';
import type { Chance } from '../chance.ts';
import type { Reaper } from '../processes/reaper.ts';
import type { FinalChain } from '../reader/chain-transfers.ts';
import type { SentOnChain } from '../payouts/sent-on-chain.ts';

/** A currency of the chain; `contract` is null for its own coin. */
export interface Coin {
  readonly currencyId: number;
  readonly symbol: string;
  readonly contract: string | null;
  readonly decimals: number;
}

/** One RPC address of a node: the proxy that the gateway asks, and the port behind it. */
export interface NodeLine {
  readonly proxy: TcpProxy;
  readonly target: Target;
}

export interface Chain {
  readonly name: 'ETH' | 'BSC' | 'Tron';
  readonly family: 'evm' | 'tron';
  /** The id under which its transactions are signed. */
  readonly chainId: number;
  /** The chain's number on the wire, 0 where its family has none. */
  readonly wireChainId: number;
  readonly coins: readonly Coin[];
  readonly lines: readonly NodeLine[];
  /** The section of the configuration, under the chain's name. */
  readonly config: object;
  /** Forks so far, and transactions that were lost with them. */
  readonly forks: number;
  readonly dropped: number;
  /** `timestamp` in Unix seconds. */
  head(): Promise<{ readonly number: number; readonly timestamp: number }>;
  /** Sends coins or tokens from one of the payers; they are mined with the next block, unless a fork takes them away. */
  pay(coin: Coin, to: string, units: bigint, chance: Chance): Promise<void>;
  /** Replaces the newest blocks. Their payments come again in other blocks, or are gone for ever. */
  fork(chance: Chance): Promise<void>;
  /** Stops making blocks by the clock, moves the chain's time ahead by `seconds`, and makes that moment final. */
  leap(seconds: number): Promise<void>;
  /** For use after a leap: whether `final`, the final block in the books, has reached the chain's own. */
  isSettled(final: number): Promise<boolean>;
  /** Transfers to these addresses, read without the proxies by code of the reader's own. */
  read(ours: ReadonlySet<string>): Promise<FinalChain>;
  /** Transactions and transfers of these addresses, read in the same way. */
  readSent(ours: ReadonlySet<string>): Promise<SentOnChain>;
  stop(reaper: Reaper): Promise<void>;
}
