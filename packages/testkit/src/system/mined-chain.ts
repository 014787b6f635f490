// A dev chain as a system test handles it, whatever its family: mined by hand and read by a gateway.
import type { ChainPort } from '@ducat/gateway/chains/port';
import type { ConfiguredChain } from '@ducat/gateway/config/chains';

export interface MinedChain {
  readonly name: string;
  /** As the gateway reads it from its configuration. */
  readonly configured: ConfiguredChain;
  /** An adapter of the test's own, to reconcile with. */
  readonly port: ChainPort;
  /** Currencies that the gateway offers once it has asked the chain: all but those that are written down wrong. */
  readonly offered: number;
  mine(count: number): Promise<unknown>;
  /** Number and hash of the newest block. */
  head(): Promise<{ readonly number: number; readonly hash: string }>;
  stop(): Promise<void>;
}
