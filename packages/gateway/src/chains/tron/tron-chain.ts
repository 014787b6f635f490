// The port of a Tron chain: shown from the head, counted only from what is solidified.
import { assert } from '@ducat/core/assert';
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { BlockHeader } from '@ducat/core/chain/transfer';
import type { World } from '../../runtime/world.ts';
import type { ChainBlock, ChainPort, CurrencyMismatch } from '../port.ts';
import { Outage } from '../../runtime/outage.ts';
import { agreeOnFinal } from '../endpoint/agree-final.ts';
import { BehindHead } from '../endpoint/behind-head.ts';
import { confirmBlock } from '../endpoint/confirm-block.ts';
import { LyingNode } from '../endpoint/lying-node.ts';
import type { EndpointPool } from '../endpoint/endpoint-pool.ts';
import { putAside } from '../endpoint/put-aside.ts';
import { readHead } from '../endpoint/read-head.ts';
import type { RpcObserver } from '../endpoint/rpc-observer.ts';
import { ToldBy } from '../endpoint/told-by.ts';
import { readBalances } from './balances.ts';
import { provenHeader } from './block-header.ts';
import { findMismatch } from './contract-calls.ts';
import { headerAt, missing, type TronEndpoint, type View } from './endpoint.ts';
import { tronEndpoints } from './endpoints.ts';
import { readBlock } from './read-block.ts';
import { readSolid } from './read-solid.ts';
import { type Watched, watchedOf } from './watched.ts';
import { Disagreement } from './weigh-solid.ts';

export interface TronChainOptions {
  readonly definition: ChainDefinition;
  /** Full nodes, at least one; the first is preferred. Two make final blocks and what moved in them depend on both. */
  readonly rpcUrls: readonly string[];
  /** Where each of them serves /walletsolidity; none where that is the same address, as with hosted providers. */
  readonly solidityUrls?: readonly string[];
  readonly world: World;
  readonly fetch?: typeof globalThis.fetch;
  readonly observer?: RpcObserver;
  /** Questions to each endpoint in a second. */
  readonly requestsPerSecond?: number;
}

const maxHeaders = 4_096;
const headersAtOnce = 8;

/** Connects to nothing yet. Throws Outage, not retryable, where an address is missing or no URL. */
export function createTronChain(options: TronChainOptions): ChainPort {
  const { definition } = options;
  assert(definition.chainId > 0, `${definition.name} cannot be on without a chain id`);
  const { name, traceMethod } = definition;
  const endpoints = tronEndpoints(options);
  const toldBy = new ToldBy<TronEndpoint>();
  let solidHeads: Promise<unknown> | null = null;
  return {
    definition,
    head: (isBeginning) => readHead(endpoints, isBeginning),
    finalBlock: (atMost) => agreeOnFinal(endpoints, definition, finalityQuestions, atMost),
    async headers(from, to) {
      assert(to - from < maxHeaders, `at most ${maxHeaders} headers are read at once`);
      return from > to ? [] : endpoints.ask((endpoint) => readHeaders(endpoint, from, to));
    },
    async headerOf(hash) {
      try {
        return await endpoints.ask((endpoint) => readHeaderOf(endpoint, hash));
      } catch (error) {
        if (error instanceof BehindHead) return null;
        throw error;
      }
    },
    async readBlock(number, currencies) {
      const watched = watchedOf(currencies, traceMethod);
      try {
        // Asked once, so that catching up begins with what cannot change any more; finality asks it from then on.
        solidHeads ??= learnSolidHeads(endpoints);
        await solidHeads;
        return await readNext(endpoints, name, number, watched, toldBy);
      } catch (error) {
        if (error instanceof BehindHead) return null;
        throw error;
      }
    },
    confirmBlock: (block, doubt, kind) => confirmBlock(endpoints, toldBy, fullHashAt, { block, doubt, kind }),
    readFinal: (number, currencies) => readSolid(endpoints, name, number, watchedOf(currencies, traceMethod)),
    async balances(addresses, currency, at) {
      if (addresses.length === 0) return [];
      return endpoints.askBeside((endpoint) =>
        readBalances(endpoint, addresses, { currency, traceMethod }, at),
      );
    },
    async checkCurrencies(currencies) {
      const mismatches: CurrencyMismatch[] = [];
      for (const currency of currencies) {
        const mismatch = await endpoints.ask(({ full }) => findMismatch(full, currency));
        if (mismatch !== null) mismatches.push(mismatch);
      }
      return mismatches;
    },
    gaps: () => gapsOf(endpoints, definition),
    health: () => endpoints.health(),
  };
}

/** For finality; what it tells is remembered by the endpoint. */
async function ownFinality(
  endpoint: TronEndpoint,
): Promise<{ readonly height: number; readonly head: number }> {
  const height = await endpoint.askSolidHead();
  return { height, head: await endpoint.askHead() };
}

/**
 * What is solid already is read once and for all; else the head's word has to do until it is. The solid view is no
 * condition: where too few tell it, or not alike, the block is shown from the head, and nothing becomes final.
 */
async function readNext(
  endpoints: EndpointPool<TronEndpoint>,
  name: string,
  number: number,
  watched: Watched,
  toldBy: ToldBy<TronEndpoint>,
): Promise<ChainBlock> {
  if (isSolid(endpoints, number)) {
    try {
      const block = await readSolid(endpoints, name, number, watched);
      await putAside(endpoints, finalityQuestions, block.header);
      return block;
    } catch (error) {
      if (!(error instanceof Outage)) throw error;
    }
  }
  try {
    return await endpoints.ask(async (endpoint) => {
      const block = await readBlock(endpoint, 'full', name, number, watched);
      toldBy.keep(block.header, endpoint);
      return block;
    });
  } catch (error) {
    if (!(error instanceof Outage) || error instanceof BehindHead) throw error;
    // A block that one endpoint alone cannot show can still be one that two show alike.
    await learnSolidHeads(endpoints);
    if (!isSolid(endpoints, number)) throw error;
    return readSolid(endpoints, name, number, watched).catch((solidError: unknown) => {
      throw solidError instanceof Disagreement ? solidError : error;
    });
  }
}

/** What is solid is good to know and nothing more: an endpoint whose solid view is away is not held to have failed. */
function learnSolidHeads(endpoints: EndpointPool<TronEndpoint>): Promise<unknown> {
  return Promise.allSettled(endpoints.map((endpoint) => endpoint.runBeside((one) => one.askSolidHead())));
}

/** Whether as many as are needed told last that the block is solid. It may be so without our knowing yet. */
function isSolid(endpoints: EndpointPool<TronEndpoint>, number: number): boolean {
  const needed = Math.min(2, endpoints.count);
  return endpoints.map(({ solidHead }) => solidHead).filter((height) => height >= number).length >= needed;
}

async function solidHashAt(endpoint: TronEndpoint, number: number): Promise<string> {
  await endpoint.proveSolid();
  return hashAt(endpoint, 'solid', number);
}

function fullHashAt(endpoint: TronEndpoint, number: number): Promise<string> {
  return hashAt(endpoint, 'full', number);
}

const finalityQuestions = { ownFinality, hashAt: solidHashAt, shownAt: fullHashAt };

async function hashAt(endpoint: TronEndpoint, view: View, number: number): Promise<string> {
  const proven = await headerAt(endpoint[view], number);
  if (proven === null) throw await missing(endpoint, view, number);
  return proven.header.hash;
}

async function readHeaders(
  endpoint: TronEndpoint,
  from: number,
  to: number,
): Promise<readonly BlockHeader[]> {
  const headers: BlockHeader[] = [];
  for (let first = from; first <= to; first += headersAtOnce) {
    const numbers = Array.from(
      { length: Math.min(headersAtOnce, to - first + 1) },
      (_, offset) => first + offset,
    );
    const found = await Promise.all(numbers.map((number) => headerAt(endpoint.full, number)));
    headers.push(...found.flatMap((proven) => proven?.header ?? []));
  }
  return headers;
}

/** Throws BehindHead where the endpoint does not have it, so that the next one is asked. */
async function readHeaderOf(endpoint: TronEndpoint, hash: string): Promise<BlockHeader> {
  const proven = provenHeader(await endpoint.full('getblock', { id_or_num: hash, detail: false }));
  if (proven === null) throw new BehindHead(hash);
  if (proven.header.hash !== hash) throw new LyingNode(`answered with another block than ${hash}`);
  return proven.header;
}

function gapsOf(
  endpoints: EndpointPool<TronEndpoint>,
  { traceMethod, genesisHash }: ChainDefinition,
): readonly string[] {
  const gaps = [
    'Balances of the past are told by no node: they are those of now without what has moved since, for a few minutes.',
  ];
  if (traceMethod === 'none') {
    gaps.push('TRX that contracts send is not seen; only the balance check shows it.');
  } else {
    const why = 'Without vm.saveInternalTx, TRX that contracts send is not seen';
    const more = 'vm.saveFeaturedInternalTx makes no difference.';
    // One for each endpoint, so that it is no new gap where fewer are left.
    for (const name of endpoints.map((one) => (one.showsInternal ? null : one.name))) {
      if (name === null) continue;
      gaps.push(
        `${name}: has not shown a payment made by a contract yet. ${why}, or nothing becomes final; ${more}`,
      );
    }
  }
  if (genesisHash === null)
    gaps.push('No genesis_hash is stated, so only the chain id tells this chain from another one.');
  if (endpoints.count < 2) {
    gaps.push(
      'With one endpoint, no second one confirms final blocks, or what tokens and contracts moved in them.',
    );
    gaps.push(
      'With one endpoint, a block that it cannot show stops the reading until a second one is configured, and so do receipts.',
    );
  }
  return gaps;
}
