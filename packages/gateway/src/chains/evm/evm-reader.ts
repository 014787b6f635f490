// One provider of an EVM chain, read on its own: every answer proven as far as a block proves itself, or an Outage.
import { type ChainDefinition, nativeCurrency } from '@ducat/core/chain/chain';
import type { Currency } from '@ducat/core/chain/currency';
import type { BlockHeader, Transfer } from '@ducat/core/chain/transfer';
import { amountOf } from '@ducat/core/money/amount';
import type { ProviderReader } from '../port/provider-reader.ts';
import type { BalanceReport, BlockQuery, BlockReference, ChainBlock } from '../port/reader.ts';
import { transferAt } from '../port/transfer-at.ts';
import { Outage } from '../../runtime/outage.ts';
import { invalidAnswer } from '../rpc/invalid-answer.ts';
import type { Proven } from '../rpc/prove-once.ts';
import { readEvmBalances } from './balances/evm-balances.ts';
import { checkCurrency } from './balances/token-facts.ts';
import { readHeader } from './block/header.ts';
import { fieldOf, hexOf, listOf } from './block/hex-fields.ts';
import { type BlockSource, createOneAtATime, readBlock } from './block/read-block.ts';
import { connectEvm, type EvmConnection } from './connect.ts';
import type { ProviderOptions } from '../rpc/provider-options.ts';
import { readInternalTransfers } from './internal/internal-transfers.ts';
import { type JsonRpc, type RpcResult, toQuantity } from './json-rpc.ts';
import { BlockThread } from './thread/block-thread.ts';
import { NodeError } from './node-error.ts';
import { numberIn } from './quantity.ts';

// geth's error code where nothing is final yet; other nodes answer null.
const finalityUnknown = -39001;

/** One reader for each URL, which connects to nothing yet. Throws Outage, not retryable, where a text is no URL. */
export function createEvmReaders(options: ProviderOptions): readonly ProviderReader[] {
  // A guarded way to the provider does not pass from thread to thread.
  const mayShare = options.secondThread !== undefined && options.http === undefined;
  const thread = mayShare ? new BlockThread(options) : null;
  return connectEvm(options).map((connection, place) => {
    const shared = thread === null ? null : { thread, place };
    return new EvmReader(options.definition, connection, shared);
  });
}

/** A header, and the answer that contains it. */
interface ShownHeader extends RpcResult {
  readonly header: BlockHeader;
}

/** The second thread, and the reader's place among those that share it. */
interface SharedThread {
  readonly thread: BlockThread;
  readonly place: number;
}

class EvmReader implements ProviderReader {
  readonly provider: string;
  readonly hasPastBalances = true;
  readonly #definition: ChainDefinition;
  readonly #rpc: JsonRpc;
  readonly #proven: Proven<JsonRpc>;
  readonly #source: BlockSource;
  readonly #shared: SharedThread | null;
  #hasUnprovenBlocks = false;

  constructor(
    definition: ChainDefinition,
    { name, rpc, proven }: EvmConnection,
    shared: SharedThread | null,
  ) {
    const nativeId = nativeCurrency(definition).currencyId;
    this.provider = name;
    this.#definition = definition;
    this.#rpc = rpc;
    this.#proven = proven;
    this.#shared = shared;
    this.#source = { rpc, chain: { name: definition.name, nativeId }, alone: createOneAtATime() };
  }

  head(): Promise<number> {
    return this.#proven(async (rpc) => numberIn(await rpc.call('eth_blockNumber', [])));
  }

  finalHeight(): Promise<number | null> {
    return this.#proven(async () => {
      try {
        return (await this.#readHeader('eth_getBlockByNumber', 'finalized'))?.header.number ?? null;
      } catch (error) {
        if (error instanceof NodeError && error.code === finalityUnknown) return null;
        throw error;
      }
    });
  }

  header(number: number): Promise<BlockHeader | null> {
    return this.#proven(async () => {
      const shown = await this.#readHeader('eth_getBlockByNumber', toQuantity(number));
      if (shown === null || shown.header.number === number) return shown?.header ?? null;
      throw invalidAnswer(`was asked for block ${number} and answered with ${shown.header.number}`);
    });
  }

  headerByHash(hash: string): Promise<BlockHeader | null> {
    return this.#proven(async () => (await this.#readByHash(hash))?.header ?? null);
  }

  async block(number: number, query: BlockQuery): Promise<ChainBlock | null> {
    const read = () => this.#proven(() => readBlock(this.#source, number, query));
    const shared = this.#shared;
    const block = await (shared === null
      ? read()
      : shared.thread.share({ place: shared.place, number, query }, read));
    if (block?.isProven === false) this.#hasUnprovenBlocks = true;
    return block;
  }

  /** A block that proves itself is the same from every view. For any other block, this is what the provider reports now. */
  finalBlock(number: number, query: BlockQuery): Promise<ChainBlock | null> {
    return this.block(number, query);
  }

  balances(addresses: readonly string[], currency: Currency, at: BlockReference): Promise<BalanceReport> {
    return this.#proven(async () => {
      const holders = addresses.map((address) => address.toLowerCase());
      const { header } = await this.#expectBlock(at);
      const units = await readEvmBalances(this.#rpc, holders, currency, header);
      const amounts = units.map((one) => amountOf(currency.currencyId, one));
      return { provider: this.provider, at: at.number, amounts };
    });
  }

  internalTransfers(block: BlockReference, addresses: readonly string[]): Promise<readonly Transfer[]> {
    return this.#proven(async () => {
      const { name: chain, traceMethod } = this.#definition;
      const { nativeId } = this.#source.chain;
      if (traceMethod === 'none')
        throw new Outage('this chain is configured without traces', { kind: 'unsupported' });
      const { header, tape, place } = await this.#expectBlock(block);
      const ids = listOf(tape, fieldOf(tape, place, 'transactions')).map((id) => hexOf(tape, id));
      const wanted = new Set(addresses.map((address) => address.toLowerCase()));
      const found = await readInternalTransfers(this.#rpc, { ...block, ids }, wanted);
      return [...found].flatMap(([txId, transfers]) =>
        transfers.map((one) =>
          transferAt({ chain, txId, block: header }, `internal:${one.place}`, nativeId, one),
        ),
      );
    });
  }

  checkCurrency(currency: Currency): Promise<string | null> {
    return this.#proven(() => checkCurrency(this.#rpc, currency));
  }

  gaps(): readonly string[] {
    const gaps: string[] = [];
    if (this.#definition.genesisHash === null)
      gaps.push('No genesis_hash is stated, so only the chain id distinguishes this chain from another one.');
    if (this.#hasUnprovenBlocks)
      gaps.push('Blocks have fields that this version does not know, so they are not proven. Update Ducat.');
    return gaps;
  }

  async #readHeader(method: string, block: string): Promise<ShownHeader | null> {
    const answer = await this.#rpc.read(method, [block, false]);
    if (answer === null) return null;
    const { header, isProven } = readHeader(answer.tape, answer.place);
    if (!isProven) this.#hasUnprovenBlocks = true;
    return { ...answer, header };
  }

  async #readByHash(hash: string): Promise<ShownHeader | null> {
    const shown = await this.#readHeader('eth_getBlockByHash', hash);
    if (shown !== null && shown.header.hash !== hash)
      throw invalidAnswer(`answered with another block than ${hash}`);
    return shown;
  }

  async #expectBlock({ number, hash }: BlockReference): Promise<ShownHeader> {
    const shown = await this.#readByHash(hash);
    if (shown === null) throw new Outage(`does not have block ${hash}`, { kind: 'not-yet' });
    if (shown.header.number !== number) throw invalidAnswer(`answered with another number for ${hash}`);
    return shown;
  }
}
