// The port of a Tron chain: shown from the head, counted only from what is solidified.
import { assert } from '@ducat/core/assert';
import type { ChainDefinition, TraceMethod } from '@ducat/core/chain/chain';
import type { BlockHeader } from '@ducat/core/chain/transfer';
import type { World } from '../../world.ts';
import type { ChainPort, CurrencyMismatch } from '../port.ts';
import { agreeOnFinal } from '../endpoint/agree-final.ts';
import { BehindHead } from '../endpoint/behind-head.ts';
import { LyingNode } from '../endpoint/lying-node.ts';
import type { EndpointPool } from '../endpoint/endpoint-pool.ts';
import { readHead } from '../endpoint/read-head.ts';
import type { RpcObserver } from '../endpoint/rpc-observer.ts';
import { readBalances } from './balances.ts';
import { provenHeader } from './block-header.ts';
import { findMismatch } from './contract-calls.ts';
import { headerAt, missing, type TronEndpoint } from './endpoint.ts';
import { tronEndpoints } from './endpoints.ts';
import { readBlock } from './read-block.ts';
import { readSolid } from './read-solid.ts';
import { watchedOf } from './watched.ts';

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
  const solidHead = createSolidHead(endpoints);
  return {
    definition,
    head: () => readHead(endpoints),
    finalBlock: (atMost) =>
      agreeOnFinal(endpoints, definition, { ownFinality: solidHead.ask, hashAt }, atMost),
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
        // What is solid already is read once and for all; else the head's word has to do until it is.
        if (await solidHead.covers(number)) return await readSolid(endpoints, name, number, watched);
        return await endpoints.ask((endpoint) => readBlock(endpoint, 'full', name, number, watched));
      } catch (error) {
        if (error instanceof BehindHead) return null;
        throw error;
      }
    },
    readFinal: (number, currencies) => readSolid(endpoints, name, number, watchedOf(currencies, traceMethod)),
    async balances(addresses, currency, at) {
      if (addresses.length === 0) return [];
      return endpoints.ask((endpoint) => readBalances(endpoint, addresses, { currency, traceMethod }, at));
    },
    async checkCurrencies(currencies) {
      const mismatches: CurrencyMismatch[] = [];
      for (const currency of currencies) {
        const mismatch = await endpoints.ask(({ full }) => findMismatch(full, currency));
        if (mismatch !== null) mismatches.push(mismatch);
      }
      return mismatches;
    },
    gaps: () => gapsOf(endpoints, traceMethod),
    health: () => endpoints.health(),
  };
}

interface SolidHead {
  /** For finality; what it tells is remembered. */
  readonly ask: (endpoint: TronEndpoint) => Promise<{ readonly height: number; readonly head: number }>;
  /** Whether a block was told to be solid. It may be so without our knowing yet, never the other way round. */
  readonly covers: (number: number) => Promise<boolean>;
}

function createSolidHead(endpoints: EndpointPool<TronEndpoint>): SolidHead {
  let told = -1;
  const ask = async (endpoint: TronEndpoint): Promise<{ readonly height: number; readonly head: number }> => {
    const height = await endpoint.askSolidHead();
    told = Math.max(told, height);
    return { height, head: await endpoint.askHead() };
  };
  return {
    ask,
    async covers(number) {
      if (told < 0) await endpoints.ask(ask);
      return number <= told;
    },
  };
}

async function hashAt(endpoint: TronEndpoint, number: number): Promise<string> {
  const proven = await headerAt(endpoint.solid, number);
  if (proven === null) throw await missing(endpoint, 'solid', number);
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

function gapsOf(endpoints: EndpointPool<TronEndpoint>, traceMethod: TraceMethod): readonly string[] {
  const gaps = [
    'Balances of the past are told by no node: they are those of now without what has moved since, for a few minutes.',
  ];
  if (traceMethod === 'none') {
    gaps.push('TRX that contracts send is not seen; only the balance check shows it.');
  } else if (!endpoints.some(({ showsInternal }) => showsInternal)) {
    gaps.push(
      'No node has shown a payment made by a contract yet. Without vm.saveInternalTx, TRX that contracts send is not seen.',
    );
  }
  if (endpoints.count < 2) {
    gaps.push(
      'With one endpoint, no second one confirms final blocks, or what tokens and contracts moved in them.',
    );
  }
  return gaps;
}
