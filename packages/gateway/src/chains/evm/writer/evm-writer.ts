// One provider of an EVM chain, for outgoing money.
import { nativeCurrency } from '@ducat/core/chain/chain';
import { assert } from '@ducat/core/assert';
import type { CurrencyId } from '@ducat/core/money/amount';
import type { ProviderWriter } from '../../port/writer.ts';
import { connectEvm, type EvmConnection } from '../connect.ts';
import type { ProviderOptions } from '../../rpc/provider-options.ts';
import { numberIn } from '../quantity.ts';
import { broadcast } from './broadcast.ts';
import { estimateSweeping } from './estimate-sweeping.ts';
import { estimateTransfer } from './estimate.ts';
import { shareCalls } from './share-calls.ts';
import { readSweepGround } from './sweep-ground.ts';

/** One writer for each URL, which connects to nothing yet. Throws Outage, not retryable, where a text is no URL. */
export function createEvmWriters(options: ProviderOptions): readonly ProviderWriter[] {
  const { currencyId } = nativeCurrency(options.definition);
  return connectEvm(options).map((connection) => writerOf(connection, currencyId));
}

function writerOf({ name, rpc, proven }: EvmConnection, nativeId: CurrencyId): ProviderWriter {
  // The transfers of a round are estimated together, so they share calls.
  const shared = shareCalls(rpc);
  return {
    provider: name,
    estimate(transfer) {
      assert((transfer.delegation ?? null) === null, 'nothing is delegated on an EVM chain');
      const { sweeping = null } = transfer;
      return proven(() =>
        sweeping === null
          ? estimateTransfer(shared, transfer, nativeId)
          : estimateSweeping(shared, { ...transfer, sweeping }, nativeId),
      );
    },
    stakeOf: () => Promise.resolve(null),
    delegatedTo: () => Promise.resolve([]),
    nextNonce(address, { hash }) {
      const block = { blockHash: hash, requireCanonical: true };
      return proven(async () => numberIn(await rpc.call('eth_getTransactionCount', [address, block])));
    },
    sweepGround: (wallet, addresses, at) => proven(() => readSweepGround(rpc, wallet, addresses, at)),
    // The provider's identity need not be proven: bytes for this chain are invalid on another, and the answer is not
    // trusted.
    broadcast: (bytes) => broadcast(rpc, bytes),
    knows: (txId) => proven(async () => (await rpc.call('eth_getTransactionByHash', [txId])) !== null),
  };
}
