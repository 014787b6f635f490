// One provider of a Tron chain, for outgoing money.
import { nativeCurrency } from '@ducat/core/chain/chain';
import type { CurrencyId } from '@ducat/core/money/amount';
import type { ProviderWriter } from '../../port/writer.ts';
import { connectTron, type TronConnection, type TronOptions } from '../connect.ts';
import { broadcast } from './broadcast.ts';
import { estimateDelegation } from './estimate-delegation.ts';
import { estimateTransfer } from './estimate.ts';
import { readDelegatedStakes, readStakeReport } from './stake-report.ts';

/** Connects to nothing yet. Throws Outage, not retryable, where an address is missing or no URL. */
export function createTronWriters(options: TronOptions): readonly ProviderWriter[] {
  const { currencyId } = nativeCurrency(options.definition);
  return connectTron(options).map((connection) => writerOf(connection, currencyId));
}

function writerOf({ name, full }: TronConnection, nativeId: CurrencyId): ProviderWriter {
  return {
    provider: name,
    estimate(transfer) {
      const { delegation = null } = transfer;
      return full.proven((api) =>
        delegation === null
          ? estimateTransfer(api, transfer, nativeId)
          : estimateDelegation(api, { ...transfer, delegation }, nativeId),
      );
    },
    stakeOf: (key) => full.proven((api) => readStakeReport(api, key, nativeId)),
    delegatedTo: (staker, receivers) =>
      full.proven((api) => readDelegatedStakes(api, staker, receivers, nativeId)),
    // Tron has no nonces: transactions differ by their reference block, expiry and time.
    nextNonce: () => Promise.resolve(null),
    sweepGround: () => Promise.resolve(null),
    // The provider's identity need not be proven: bytes for this chain are invalid on another, and the answer is not
    // trusted.
    broadcast: (bytes) => broadcast(full.api, bytes),
    knows: (txId) =>
      full.proven(async (api) =>
        (await api('gettransactionbyid', { value: txId })).asRecord('a transaction').has('txID'),
      ),
  };
}
