// A dev node with one block that pays, read through a proxy that changes what the node answers.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { Currency } from '@ducat/core/chain/currency';
import type { BlockHeader } from '@ducat/core/chain/transfer';
import { createEvmReaders } from '@ducat/gateway/chains/evm/evm-reader';
import type { ProviderReader } from '@ducat/gateway/chains/port/provider-reader';
import { realWorld } from '@ducat/gateway/runtime/world';
import { testCurrency, testDefinition } from '../test-currencies.ts';
import { AnvilPayer } from './anvil-payer.ts';
import { mintSelector, tokenCall, tokenCode } from './evm-contracts.ts';
import { startTamperingProxy, type TamperingProxy } from './tampering-proxy.ts';

/** The recipient of the payments in the block: twice 5 units of the token, and 7 wei. */
export const recipient = `0x${'b0'.repeat(20)}`;

export interface ReaderStage {
  readonly payer: AnvilPayer;
  readonly proxy: TamperingProxy;
  /** The header of the block that pays. The last of its four transactions fails; six empty blocks follow. */
  readonly block: BlockHeader;
  /** The native currency and a token. */
  readonly currencies: readonly Currency[];
  /** A new reader of the node behind the proxy. */
  reader(change?: Partial<ChainDefinition>): ProviderReader;
  stop(): Promise<void>;
}

export async function startReaderStage(): Promise<ReaderStage> {
  const payer = await AnvilPayer.start();
  const token = await payer.deploy(tokenCode());
  const currencies = [testCurrency(1000, null, 18), testCurrency(1001, token)];
  // Two mints of the same amount to the same address: without one of them the bloom would still be the same.
  const mint = { to: token, data: tokenCall(mintSelector, recipient, 5n) };
  const native = { to: recipient, value: 7n, gas: 21_000 };
  const { block: number } = await payer.sendAndMine(mint, mint, native, { to: token, data: '0x' });
  await payer.chain.mine(6);
  const proxy = await startTamperingProxy(payer.chain.rpcUrl);
  const reader = (change: Partial<ChainDefinition> = {}): ProviderReader => {
    const definition = testDefinition({ currencies, ...change });
    const [first] = createEvmReaders({ definition, rpcUrls: [proxy.url], world: realWorld });
    if (first === undefined) throw new Error('there is one reader for each address');
    return first;
  };
  const block = await reader().header(number);
  if (block === null) throw new Error('the block was mined');
  return {
    payer,
    proxy,
    block,
    currencies,
    reader,
    async stop() {
      await proxy.stop();
      await payer.chain.stop();
    },
  };
}
