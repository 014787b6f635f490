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

/** One address of a node: what the gateway asks, and what is behind it. */
export interface NodeLine {
  readonly proxy: TcpProxy;
  readonly target: Target;
}

export interface Chain {
  readonly name: 'ETH' | 'BSC' | 'Tron';
  readonly family: 'evm' | 'tron';
  /** By which its transactions are signed. */
  readonly chainId: number;
  /** Its number on the wire, 0 where its family has none. */
  readonly wireChainId: number;
  readonly coins: readonly Coin[];
  readonly lines: readonly NodeLine[];
  /** The section of the configuration, under the chain's name. */
  readonly config: object;
  /** Forks so far, and payments that were gone with one. */
  readonly forks: number;
  readonly dropped: number;
  /** `timestamp` in Unix seconds. */
  head(): Promise<{ readonly number: number; readonly timestamp: number }>;
  /** Sends coins or tokens from one of the payers; they are mined with the next block, unless a fork takes them away. */
  pay(coin: Coin, to: string, units: bigint, chance: Chance): Promise<void>;
  /** Replaces the newest blocks. What was paid in them comes again in other blocks, or is gone for ever. */
  fork(chance: Chance): Promise<void>;
  /** Stops its clock, lets `seconds` pass at once, and makes so many blocks behind that as bring them to finality. */
  leap(seconds: number): Promise<void>;
  /** After the leap: whether the books are final up to where the chain is. */
  isSettled(final: number): Promise<boolean>;
  /** What reached these addresses, read past the proxies by code of the reader's own. */
  read(ours: ReadonlySet<string>): Promise<FinalChain>;
  /** What left these addresses, up to the newest block, read in the same way. */
  readSent(ours: ReadonlySet<string>): Promise<SentOnChain>;
  stop(reaper: Reaper): Promise<void>;
}
