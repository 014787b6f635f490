// A chain whose blocks prove nothing, by Tron's rule: shown from the head, counted from what two tell of it once final.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { Currency } from '@ducat/core/chain/currency';
import type { BlockHeader } from '@ducat/core/chain/transfer';
import { amountOf } from '@ducat/core/money/amount';
import { agreeOnFinal } from '@ducat/gateway/chains/endpoint/agree-final';
import { BehindHead } from '@ducat/gateway/chains/endpoint/behind-head';
import { confirmBlock } from '@ducat/gateway/chains/endpoint/confirm-block';
import { EndpointPool } from '@ducat/gateway/chains/endpoint/endpoint-pool';
import { readHead } from '@ducat/gateway/chains/endpoint/read-head';
import { ToldBy } from '@ducat/gateway/chains/endpoint/told-by';
import { WatchedEndpoint } from '@ducat/gateway/chains/endpoint/watched-endpoint';
import type { BlockReference, ChainBlock, ChainPort } from '@ducat/gateway/chains/port';
import { Outage } from '@ducat/gateway/runtime/outage';
import type { World } from '@ducat/gateway/runtime/world';
import type { SimChain } from './sim-chain.ts';
import type { SimProcess } from '../world/sim-process.ts';
import type { ChainGate } from './chain-gate.ts';
import type { NodeView } from './evm-node.ts';
import type { Lie, Provider, Topic } from './provider.ts';
import { ancestorAt, balanceAt, type SimBlock, type SimTransfer } from './sim-block.ts';

interface Told {
  readonly view: NodeView;
  readonly lie: Lie | null;
}

/** A provider as production's endpoint pool sees it. */
class PlainEndpoint extends WatchedEndpoint {
  readonly #provider: Provider;
  readonly #process: SimProcess;
  readonly #gate: ChainGate;

  constructor(provider: Provider, process: SimProcess, gate: ChainGate, world: World) {
    super({ name: provider.name, blockTimeMs: provider.chain.definition.blockTimeMs, world });
    this.#provider = provider;
    this.#process = process;
    this.#gate = gate;
  }

  /** Asks the node; what it tells is worked out at the moment in which the call is issued. */
  call<T>(label: string, topic: Topic, answer: (told: Told) => T): Promise<T> {
    const { scheduler, isAway, lie } = this.#gate;
    const provider = this.#provider;
    return scheduler.ask(this.#process, `${provider.name} ${label}`, async () => {
      if (isAway(provider)) throw new Outage('cannot be reached', { retryable: true });
      const told = { view: provider.view(scheduler.nowMs), lie: lie(provider, topic) };
      if (told.lie === 'error' || told.lie === 'truncated answer' || told.lie === 'wrong id') {
        throw new Outage('answered with malformed JSON', { retryable: true });
      }
      return answer(told);
    });
  }

  protected tellHead(): Promise<number> {
    return this.call('head', 'head', ({ view, lie }) => liedHead(view.tip.header.number, lie));
  }

  async ownFinality(): Promise<{ readonly height: number; readonly head: number }> {
    const height = await this.call('final height', 'final', ({ view, lie }) =>
      lie === 'final ahead' ? view.finalHeight + 2 : view.finalHeight,
    );
    return { height, head: await this.askHead() };
  }

  /** The block, or BehindHead where this view ends below it. */
  async block(label: string, number: number, isSolid: boolean): Promise<ChainBlock> {
    const forgery = this.#gate.forgery(this.#provider.chain);
    const block = await this.call(label, 'receipts', ({ view, lie }) => {
      if (isSolid && number > view.finalHeight) return null;
      const found = ancestorAt(view.tip, number);
      if (found === null) return null;
      return chainBlock(this.#provider.chain.definition, found, liedTransfers(found, lie, forgery));
    });
    if (block === null) throw new BehindHead(number);
    return block;
  }

  protected checkIdentity(): Promise<void> {
    return Promise.resolve();
  }
}

export function plainPort(process: SimProcess, chain: SimChain, gate: ChainGate, world: World): ChainPort {
  const { definition } = chain;
  const endpoints = new EndpointPool(
    definition.name,
    gate.providersOf(chain).map((provider) => new PlainEndpoint(provider, process, gate, world)),
  );
  const watchedOnly = (block: ChainBlock, watched: readonly Currency[]): ChainBlock => {
    const ids = new Set(watched.map(({ currencyId }) => currencyId));
    return { ...block, transfers: block.transfers.filter(({ amount }) => ids.has(amount.currencyId)) };
  };
  const toldBy = new ToldBy<PlainEndpoint>();
  const headHashAt = async (endpoint: PlainEndpoint, number: number): Promise<string> =>
    (await endpoint.block(`confirm ${number}`, number, false)).header.hash;
  const questions = {
    ownFinality: (endpoint: PlainEndpoint) => endpoint.ownFinality(),
    hashAt: async (endpoint: PlainEndpoint, number: number) =>
      (await endpoint.block(`hash at ${number}`, number, true)).header.hash,
    shownAt: headHashAt,
  };
  return {
    definition,
    head: (isBeginning) => readHead(endpoints, isBeginning),
    finalBlock: (atMost) => agreeOnFinal(endpoints, definition, questions, atMost),
    headers: (from, to) => endpoints.ask((endpoint) => headersOf(endpoint, from, to)),
    headerOf: (hash) => headerOf(endpoints, hash),
    async readBlock(number, watched) {
      try {
        const label = `block ${number}`;
        const block = await endpoints.ask(async (endpoint) => {
          const told = await endpoint.block(label, number, false);
          toldBy.keep(told.header, endpoint);
          return told;
        });
        return watchedOnly(block, watched);
      } catch (error) {
        if (error instanceof BehindHead) return null;
        throw error;
      }
    },
    confirmBlock: (block, doubt, kind) => confirmBlock(endpoints, toldBy, headHashAt, { block, doubt, kind }),
    readFinal: async (number, watched) => watchedOnly(await readSolid(endpoints, number), watched),
    balances: (addresses, currency, at) =>
      endpoints.ask((endpoint) => balancesOf(endpoint, addresses, currency, at)),
    checkCurrencies: () => Promise.resolve([]),
    gaps: () => [],
    health: () => endpoints.health(),
  };
}

function headersOf(endpoint: PlainEndpoint, from: number, to: number): Promise<readonly BlockHeader[]> {
  return endpoint.call(`headers ${from}-${to}`, 'other', ({ view }) =>
    Array.from({ length: Math.max(0, to - from + 1) }, (_, place) =>
      ancestorAt(view.tip, from + place),
    ).flatMap((block) => block?.header ?? []),
  );
}

async function headerOf(endpoints: EndpointPool<PlainEndpoint>, hash: string): Promise<BlockHeader | null> {
  try {
    return await endpoints.ask(async (endpoint) => {
      const header = await endpoint.call(`header of ${hash.slice(0, 8)}`, 'other', ({ view }) =>
        headerWith(view.tip, hash),
      );
      if (header === null) throw new BehindHead(hash);
      return header;
    });
  } catch (error) {
    if (error instanceof BehindHead) return null;
    throw error;
  }
}

function headerWith(tip: SimBlock, hash: string): BlockHeader | null {
  for (let block: SimBlock | null = tip; block !== null; block = block.parent) {
    if (block.header.hash === hash) return block.header;
  }
  return null;
}

/** What two providers tell alike of a block that cannot change any more, as decision 0012 asks for. */
async function readSolid(endpoints: EndpointPool<PlainEndpoint>, number: number): Promise<ChainBlock> {
  const needed = Math.min(2, endpoints.count);
  const textOf = (block: ChainBlock): string =>
    JSON.stringify(block, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));
  const agreed = (blocks: readonly ChainBlock[]): ChainBlock | undefined =>
    blocks.find((one) => blocks.filter((other) => textOf(other) === textOf(one)).length >= needed);
  const { answers, failures } = await endpoints.collect(
    (endpoint) => endpoint.block(`final block ${number}`, number, true),
    (some) => agreed(some.map(({ value }) => value)) !== undefined,
  );
  const block = agreed(answers.map(({ value }) => value));
  if (block !== undefined) return block;
  if (answers.length < needed) throw endpoints.outage(failures);
  throw new Outage(`the endpoints disagree on block ${number}`, { retryable: true });
}

function balancesOf(
  endpoint: PlainEndpoint,
  addresses: readonly string[],
  { currencyId }: Currency,
  at: BlockReference,
) {
  return endpoint.call(`balances at ${at.number}`, 'other', ({ view }) => {
    const block = ancestorAt(view.tip, at.number);
    if (block?.header.hash !== at.hash) throw new Outage('does not have that block', { retryable: true });
    return addresses.map((address) => amountOf(currencyId, balanceAt(block, address, currencyId)));
  });
}

function chainBlock(
  { name }: ChainDefinition,
  { header }: SimBlock,
  transfers: readonly SimTransfer[],
): ChainBlock {
  const told = transfers.map(({ txId, position, from, to, currencyId, units }) => ({
    chain: name,
    txId,
    position,
    from,
    to,
    amount: amountOf(currencyId, units),
    block: header,
  }));
  return { header, transfers: told, untraced: [] };
}

function liedHead(head: number, lie: Lie | null): number {
  if (lie === 'backwards head') return Math.max(0, head - 3);
  return lie === 'head ahead' ? head + 5 : head;
}

/** No root covers what moved, so a lie about it looks like any other answer. */
function liedTransfers(
  { header, transfers }: SimBlock,
  lie: Lie | null,
  forgery: ReturnType<ChainGate['forgery']>,
): readonly SimTransfer[] {
  if (lie === 'missing payment') return transfers.slice(1);
  if (lie === 'empty list') return [];
  if (lie === 'altered payment') return transfers.map((one) => ({ ...one, units: one.units * 1_000n }));
  if (lie !== 'forged payment' || forgery === null) return transfers;
  const { to, units, currencyId } = forgery;
  const txId = `forged-${header.hash.slice(0, 16)}`;
  return [...transfers, { txId, position: 'log:0', from: 'forger', to, currencyId, units }];
}
