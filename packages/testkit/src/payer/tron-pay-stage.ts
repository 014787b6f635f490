// A pay stage on a Tron dev chain whose block times follow the clock of the test.
import type { Currency } from '@ducat/core/chain/currency';
import { testTronDefinition } from '../chains/test-currencies.ts';
import { mintSelector } from '../chains/evm/evm-contracts.ts';
import type { TronPayer } from '../chains/tron/tron-payer.ts';
import { PayStage } from './pay-stage.ts';

const BLOCK_MS = 3_000;

export interface TronPayChain {
  readonly native: Currency;
  readonly token: Currency;
  /** The node itself by default; a test may name proxies in front of it. */
  readonly rpcUrls?: readonly string[];
  /** Puts coin and tokens into the wallet, in a block. */
  readonly fund: (wallet: string) => Promise<unknown>;
}

export async function openTronPayStage(
  node: TronPayer,
  { native, token, rpcUrls = [node.dev.fullUrl], fund }: TronPayChain,
): Promise<PayStage> {
  let stage: PayStage | null = null;
  stage = await PayStage.open({
    definition: await testTronDefinition(node.dev.fullUrl, {
      currencies: [native, token],
      blockTimeMs: BLOCK_MS,
    }),
    token,
    rpcUrls,
    solidityUrls: rpcUrls.map(() => node.dev.solidityUrl),
    mine: (count) => {
      node.dev.setNextBlockTimestamp(Math.max(node.dev.head().timestamp + BLOCK_MS, stage?.nowMs ?? 0));
      return node.dev.mine(count);
    },
    fund,
  });
  return stage;
}

/** Mints a test token, in a block; `holder` is 41 and 20 bytes in hex. */
export function mintOnTron(
  node: TronPayer,
  contract: string,
  holder: string,
  units: bigint,
): Promise<unknown> {
  const words = [holder.slice(2), units.toString(16)].map((word) => word.padStart(64, '0'));
  return node.sendAndMine({ to: contract, data: `0x${mintSelector}${words.join('')}` });
}
