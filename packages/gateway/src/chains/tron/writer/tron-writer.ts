// One provider of a Tron chain, for money that is to leave.
import { type ChainDefinition, nativeCurrency } from '@ducat/core/chain/chain';
import type { StakeReport } from '@ducat/core/collection/stake-offer';
import type {
  BroadcastAnswer,
  PlannedTransfer,
  ProviderWriter,
  StakeKey,
  TransferEstimate,
} from '../../port/writer.ts';
import { connectTron, type TronConnection, type TronReaderOptions } from '../connect.ts';
import { recordOf } from '../wire/json.ts';
import { broadcast } from './broadcast.ts';
import { estimateDelegation } from './estimate-delegation.ts';
import { estimateTransfer } from './estimate.ts';
import { readStake, reportOf } from './stake.ts';

/** Connects to nothing yet. Throws Outage, not retryable, where an address is missing or no URL. */
export function createTronWriters(options: TronReaderOptions): readonly ProviderWriter[] {
  return connectTron(options).map((connection) => new TronWriter(options.definition, connection));
}

class TronWriter implements ProviderWriter {
  readonly provider: string;
  readonly #definition: ChainDefinition;
  readonly #connection: TronConnection;

  constructor(definition: ChainDefinition, connection: TronConnection) {
    this.provider = connection.name;
    this.#definition = definition;
    this.#connection = connection;
  }

  estimate(transfer: PlannedTransfer): Promise<TransferEstimate> {
    const { currencyId } = nativeCurrency(this.#definition);
    const { delegation = null } = transfer;
    return this.#connection.full.ask((api) =>
      delegation === null
        ? estimateTransfer(api, transfer, currencyId)
        : estimateDelegation(api, { ...transfer, delegation }, currencyId),
    );
  }

  stakeOf(key: StakeKey): Promise<StakeReport> {
    const { currencyId } = nativeCurrency(this.#definition);
    return this.#connection.full.ask(async (api) => reportOf(await readStake(api, key), currencyId));
  }

  /** On Tron transactions differ by their reference block, their expiry and their time. */
  nextNonce(): Promise<null> {
    return Promise.resolve(null);
  }

  /** Without proof of identity: bytes of this chain are worth nothing on another one, and nothing is believed. */
  broadcast(bytes: string): Promise<BroadcastAnswer> {
    return broadcast(this.#connection.fullApi, bytes);
  }

  knows(txId: string): Promise<boolean> {
    return this.#connection.full.ask(
      async (api) => 'txID' in recordOf(await api('gettransactionbyid', { value: txId }), 'a transaction'),
    );
  }
}
