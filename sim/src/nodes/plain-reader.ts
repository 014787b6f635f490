// A provider of a chain whose blocks prove nothing, by Tron's rule: final views, proposals, balances of the final block.
import type { Currency } from '@ducat/core/chain/currency';
import type { Inclusion } from '@ducat/core/chain/inclusion';
import type { BlockHeader, Transfer } from '@ducat/core/chain/transfer';
import { amountOf } from '@ducat/core/money/amount';
import type { ProviderReader } from '@ducat/gateway/chains/port/provider-reader';
import type {
  BalanceReport,
  BlockQuery,
  BlockReference,
  ChainBlock,
} from '@ducat/gateway/chains/port/reader';
import { Outage } from '@ducat/gateway/runtime/outage';
import type { SimProcess } from '../world/sim-process.ts';
import type { ChainGate } from './chain-gate.ts';
import type { NodeView } from './evm-node.ts';
import type { Lie, Provider, Topic } from './provider.ts';
import { ancestorAt, balanceAt, type SentTransaction, type SimBlock, type SimTransfer } from './sim-block.ts';
import type { SimChain } from './sim-chain.ts';

/** What the provider answers from: its view of the chain, and the lie of the moment. */
interface Answering {
  readonly view: NodeView;
  readonly lie: Lie | null;
}

const malformed: ReadonlySet<Lie | null> = new Set<Lie>(['error', 'truncated answer', 'wrong id']);

export class PlainReader implements ProviderReader {
  readonly provider: string;
  readonly hasPastBalances = false;
  readonly #node: Provider;
  readonly #process: SimProcess;
  readonly #gate: ChainGate;

  constructor(node: Provider, process: SimProcess, gate: ChainGate) {
    this.provider = node.name;
    this.#node = node;
    this.#process = process;
    this.#gate = gate;
  }

  head(): Promise<number> {
    return this.#call('head', 'head', ({ view, lie }) => liedHead(view.tip.header.number, lie));
  }

  finalHeight(): Promise<number | null> {
    return this.#call('final height', 'final', ({ view, lie }) =>
      lie === 'final ahead' ? view.finalHeight + 2 : view.finalHeight,
    );
  }

  header(number: number): Promise<BlockHeader | null> {
    return this.#call(
      `header ${number}`,
      'other',
      ({ view }) => ancestorAt(view.tip, number)?.header ?? null,
    );
  }

  headerByHash(hash: string): Promise<BlockHeader | null> {
    return this.#call(`header of ${hash.slice(0, 8)}`, 'other', ({ view }) => headerWith(view.tip, hash));
  }

  block(number: number, query: BlockQuery): Promise<ChainBlock | null> {
    return this.#block(`block ${number}`, number, query, false);
  }

  finalBlock(number: number, query: BlockQuery): Promise<ChainBlock | null> {
    return this.#block(`final block ${number}`, number, query, true);
  }

  balances(
    addresses: readonly string[],
    { currencyId }: Currency,
    at: BlockReference,
  ): Promise<BalanceReport> {
    return this.#call(`balances ${addresses.length} of ${currencyId}`, 'balances', ({ view, lie }) => {
      const block = ancestorAt(view.tip, view.finalHeight);
      if (block === null || view.finalHeight < at.number)
        throw new Outage('is not as far', { kind: 'not-yet' });
      const amounts = addresses.map((address) =>
        amountOf(currencyId, liedBalance(balanceAt(block, address, currencyId), lie)),
      );
      return { provider: this.provider, at: view.finalHeight, amounts };
    });
  }

  internalTransfers(): Promise<readonly Transfer[]> {
    return Promise.reject(new Outage('has no past states', { kind: 'unsupported' }));
  }

  checkCurrency(): Promise<string | null> {
    return Promise.resolve(null);
  }

  gaps(): readonly string[] {
    return [];
  }

  #block(label: string, number: number, query: BlockQuery, isFinal: boolean): Promise<ChainBlock | null> {
    const forgery = this.#gate.forgery(this.#node.chain);
    return this.#call(label, isFinal ? 'receipts' : 'transactions', ({ view, lie }) => {
      if (isFinal && number > view.finalHeight) return null;
      const found = ancestorAt(view.tip, number);
      if (found === null) return null;
      const shown = { transfers: liedTransfers(found, lie, forgery), held: liedHeld(found, lie) };
      return chainBlock(this.#node, found.header, shown, query);
    });
  }

  /** Asks the node. The answer is computed at the moment at which the call is issued. */
  #call<T>(label: string, topic: Topic, answer: (answering: Answering) => T): Promise<T> {
    const { scheduler, isAway, lie } = this.#gate;
    return scheduler.ask(this.#process, `${this.provider} ${label}`, async () => {
      if (isAway(this.#node)) throw new Outage(`${this.provider} cannot be reached`);
      const answering = { view: this.#node.view(scheduler.nowMs), lie: lie(this.#node, topic) };
      if (malformed.has(answering.lie))
        throw new Outage(`${this.provider} answered with malformed JSON`, { kind: 'invalid' });
      return answer(answering);
    });
  }
}

function headerWith(tip: SimBlock, hash: string): BlockHeader | null {
  for (let block: SimBlock | null = tip; block !== null; block = block.parent) {
    if (block.header.hash === hash) return block.header;
  }
  return null;
}

/** What a provider reports of a block, be it true or not. */
interface Shown {
  readonly transfers: readonly SimTransfer[];
  readonly held: readonly SentTransaction[];
}

function chainBlock(
  { chain }: Provider,
  header: BlockHeader,
  { transfers: shown, held }: Shown,
  query: BlockQuery,
): ChainBlock {
  const watched = new Set(query.currencies.map(({ currencyId }) => currencyId));
  const all = shown
    .filter(({ currencyId }) => watched.has(currencyId))
    .map(({ txId, position, from, to, currencyId, units }) => ({
      chain: chain.definition.name,
      txId,
      position,
      from,
      to,
      amount: amountOf(currencyId, units),
      block: header,
    }));
  const isInternal = ({ position }: Transfer): boolean => position.startsWith('internal:');
  return {
    header,
    transfers: all.filter((one) => !isInternal(one)),
    proposals: all.filter(isInternal),
    inclusions: inclusionsOf(chain, { header, held }, query),
    isProven: false,
  };
}

/** The inclusions of transactions that were asked for. Only our own are asked for. */
function inclusionsOf(
  { definition }: SimChain,
  { header, held }: { readonly header: BlockHeader; readonly held: readonly SentTransaction[] },
  { txIds }: BlockQuery,
): readonly Inclusion[] {
  return held.flatMap(({ txId, failed, outgoing }) => {
    const paid = outgoing?.fee ?? null;
    if (!txIds.has(txId) || paid === null) return [];
    const { from: payer, currencyId, units } = paid;
    const status = failed ? 'failed' : 'succeeded';
    return [{ chain: definition.name, txId, block: header, status, payer, fee: amountOf(currencyId, units) }];
  });
}

function liedHead(head: number, lie: Lie | null): number {
  if (lie === 'backwards head') return Math.max(0, head - 3);
  return lie === 'head ahead' ? head + 5 : head;
}

function liedBalance(units: bigint, lie: Lie | null): bigint {
  if (lie === 'forged balance') return units + 1_000_000n;
  return lie === 'missing balance' ? 0n : units;
}

/** A lie about the transfers comes with a lie about the outcome of the transaction. */
function liedHeld({ transactions }: SimBlock, lie: Lie | null): readonly SentTransaction[] {
  if (lie === 'missing payment') return transactions.slice(1);
  if (lie === 'empty list') return [];
  return lie === 'altered payment'
    ? transactions.map((one) => ({ ...one, failed: !one.failed }))
    : transactions;
}

/** No root covers the transfers, so a lie about them looks like any other answer. */
function liedTransfers(
  { header, transfers }: SimBlock,
  lie: Lie | null,
  forgery: ReturnType<ChainGate['forgery']>,
): readonly SimTransfer[] {
  if (lie === 'missing payment') return transfers.slice(1);
  if (lie === 'empty list') return [];
  if (lie === 'altered payment') return transfers.map((one) => ({ ...one, units: one.units * 1_000n }));
  const isForged = lie === 'forged payment' || lie === 'forged trace';
  if (!isForged || forgery === null) return transfers;
  const { to, units, currencyId } = forgery;
  const txId = `forged-${header.hash.slice(0, 16)}`;
  const position = lie === 'forged trace' ? 'internal:0' : 'log:0';
  return [...transfers, { txId, position, from: 'forger', to, currencyId, units }];
}
