// A dev chain as a system test handles it, whatever its family: mined by hand and read by a gateway.
import type { ChainReader } from '@ducat/gateway/chains/port/reader';
import type { ConfiguredChain } from '@ducat/gateway/config/chains';

export interface MinedChain {
  readonly name: string;
  /** As the gateway reads it from its configuration. */
  readonly configured: ConfiguredChain;
  /** A reader of the test's own, to compare balances with. */
  readonly reader: ChainReader;
  /** Currencies that the gateway offers once it has asked the chain: all but those that are configured wrong. */
  readonly offered: number;
  mine(count: number): Promise<unknown>;
  /** Number and hash of the newest block. */
  head(): Promise<{ readonly number: number; readonly hash: string }>;
  stop(): Promise<void>;
}
