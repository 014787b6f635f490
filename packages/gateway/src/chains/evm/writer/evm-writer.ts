// One provider of an EVM chain, for money that is to leave.
import { type ChainDefinition, nativeCurrency } from '@ducat/core/chain/chain';
import { assert } from '@ducat/core/assert';
import type { BlockReference } from '../../port/reader.ts';
import type {
  BroadcastAnswer,
  PlannedTransfer,
  ProviderWriter,
  TransferEstimate,
} from '../../port/writer.ts';
import { createHttpPost } from '../../rpc/http-post.ts';
import { type Proven, proveOnce } from '../../rpc/prove-once.ts';
import { providerNames } from '../../rpc/provider-name.ts';
import { splitUrl } from '../../rpc/url-secrets.ts';
import { type EvmReaderOptions, throttlingStatus } from '../evm-reader.ts';
import { proveIdentity } from '../identity.ts';
import { JsonRpc } from '../json-rpc.ts';
import { numberIn } from '../quantity.ts';
import { broadcast } from './broadcast.ts';
import { estimateTransfer } from './estimate.ts';
import { type Calls, shareCalls } from './share-calls.ts';

/** One writer for each URL, which connects to nothing yet. Throws Outage, not retryable, where a text is no URL. */
export function createEvmWriters(options: EvmReaderOptions): readonly ProviderWriter[] {
  const { definition, rpcUrls, world, http = createHttpPost(), observer = null } = options;
  assert(definition.chainId > 0, `${definition.name} cannot be on without a chain id`);
  return providerNames(rpcUrls).map((name, index) => {
    const target = splitUrl(rpcUrls[index] ?? '');
    return new EvmWriter(
      definition,
      new JsonRpc({ name, target, world, http, observer, throttlingStatus }),
      name,
    );
  });
}

class EvmWriter implements ProviderWriter {
  readonly provider: string;
  readonly #definition: ChainDefinition;
  readonly #rpc: JsonRpc;
  /** For the transfers of a round, which are estimated together. */
  readonly #shared: Calls;
  readonly #proven: Proven;

  constructor(definition: ChainDefinition, rpc: JsonRpc, provider: string) {
    this.provider = provider;
    this.#definition = definition;
    this.#rpc = rpc;
    this.#shared = shareCalls(rpc);
    this.#proven = proveOnce(() => proveIdentity(rpc, definition));
  }

  estimate(transfer: PlannedTransfer): Promise<TransferEstimate> {
    const { currencyId } = nativeCurrency(this.#definition);
    assert((transfer.delegation ?? null) === null, 'nothing is delegated on an EVM chain');
    return this.#proven(() => estimateTransfer(this.#shared, transfer, currencyId));
  }

  stakeOf(): Promise<null> {
    return Promise.resolve(null);
  }

  nextNonce(address: string, { hash }: BlockReference): Promise<number> {
    const block = { blockHash: hash, requireCanonical: true };
    return this.#proven(async () =>
      numberIn(await this.#rpc.call('eth_getTransactionCount', [address, block])),
    );
  }

  /** Without proof of identity: bytes of this chain are worth nothing on another one, and nothing is believed. */
  broadcast(bytes: string): Promise<BroadcastAnswer> {
    return broadcast(this.#rpc, bytes);
  }

  knows(txId: string): Promise<boolean> {
    return this.#proven(async () => (await this.#rpc.call('eth_getTransactionByHash', [txId])) !== null);
  }
}
