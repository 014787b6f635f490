// The port of an EVM chain: every answer from an endpoint that was proved right, or an Outage.
import { assert } from '@ducat/core/assert';
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { BlockHeader } from '@ducat/core/chain/transfer';
import type { World } from '../../runtime/world.ts';
import type { ChainPort, CurrencyMismatch } from '../port.ts';
import { confirmBlock } from '../endpoint/confirm-block.ts';
import { readHead } from '../endpoint/read-head.ts';
import { ToldBy } from '../endpoint/told-by.ts';
import { chainBlock } from './block-transfers.ts';
import { findMismatch, readBalances } from './contract-calls.ts';
import { BehindHead } from '../endpoint/behind-head.ts';
import type { Endpoint } from './endpoint.ts';
import { Endpoints } from './endpoints.ts';
import { findFinalBlock, hashAt } from './finality.ts';
import { toBlockHeader } from './header-hash.ts';
import { HeaderTrust } from './header-trust.ts';
import { LyingNode } from '../endpoint/lying-node.ts';
import { headerAnswer, toQuantity } from './raw-block.ts';
import { readAgreed } from './read-agreed.ts';
import type { RpcObserver } from '../endpoint/rpc-observer.ts';

export interface EvmChainOptions {
  readonly definition: ChainDefinition;
  /** At least one; the first is preferred. Two make final blocks and value inside transactions depend on both. */
  readonly rpcUrls: readonly string[];
  readonly world: World;
  readonly fetch?: typeof globalThis.fetch;
  readonly observer?: RpcObserver;
}

const maxHeaders = 4_096;

/** Connects to nothing yet. Throws Outage, not retryable, where an address is missing or no URL. */
export function createEvmChain(options: EvmChainOptions): ChainPort {
  const { definition, rpcUrls, world, fetch = globalThis.fetch, observer = null } = options;
  assert(definition.chainId > 0, `${definition.name} cannot be on without a chain id`);
  const endpoints = new Endpoints({ definition, rpcUrls, world, fetch, observer });
  const toldBy = new ToldBy<Endpoint>();
  const trust = new HeaderTrust(endpoints, world);
  return {
    definition,
    head: (isBeginning) => readHead(endpoints, isBeginning),
    finalBlock: (atMost) => findFinalBlock(endpoints, definition, trust, atMost),
    async headers(from, to) {
      assert(to - from < maxHeaders, `at most ${maxHeaders} headers are read at once`);
      return from > to ? [] : endpoints.ask((endpoint) => readHeaders(endpoint, from, to, trust));
    },
    async headerOf(hash) {
      try {
        return await endpoints.ask((endpoint) => readHeaderOf(endpoint, hash, trust));
      } catch (error) {
        if (error instanceof BehindHead) return null;
        throw error;
      }
    },
    async readBlock(number, currencies) {
      try {
        const question = { number, currencies, traceMethod: definition.traceMethod, trust };
        const { block, inner, endpoint } = await readAgreed(endpoints, question);
        toldBy.keep(block.header, endpoint);
        return chainBlock(definition.name, block, inner);
      } catch (error) {
        if (error instanceof BehindHead) return null;
        throw error;
      }
    },
    confirmBlock: (block, doubt, kind) =>
      confirmBlock(endpoints, toldBy, (one, number) => hashAt(one, number, trust), { block, doubt, kind }),
    readFinal: null,
    async balances(addresses, currency, at) {
      if (addresses.length === 0) return [];
      return endpoints.askBeside((endpoint) => readBalances(endpoint, addresses, currency, at));
    },
    async checkCurrencies(currencies) {
      const mismatches: CurrencyMismatch[] = [];
      for (const currency of currencies) {
        const mismatch = await endpoints.ask(async (endpoint) => findMismatch(endpoint, currency));
        if (mismatch !== null) mismatches.push(mismatch);
      }
      return mismatches;
    },
    gaps: () => gapsOf(definition, endpoints, trust),
    health: () => endpoints.health(),
  };
}

async function readHeaders(
  endpoint: Endpoint,
  from: number,
  to: number,
  trust: HeaderTrust,
): Promise<readonly BlockHeader[]> {
  const numbers = Array.from({ length: to - from + 1 }, (_, offset) => from + offset);
  const answers = await endpoint.rpc.batch(
    numbers.map((number) => ({ method: 'eth_getBlockByNumber', params: [toQuantity(number), false] })),
  );
  const headers: BlockHeader[] = [];
  for (const [index, answer] of answers.entries()) {
    const raw = headerAnswer(answer);
    if (raw === null) continue;
    const header = toBlockHeader(raw);
    if (header.number !== numbers[index])
      throw new LyingNode(`answered with another block than ${numbers[index]}`);
    await trust.check(endpoint, raw);
    headers.push(header);
  }
  return headers;
}

/** Throws BehindHead where the endpoint does not have it, so that the next one is asked. */
async function readHeaderOf(endpoint: Endpoint, hash: string, trust: HeaderTrust): Promise<BlockHeader> {
  const raw = headerAnswer(await endpoint.rpc.call('eth_getBlockByHash', [hash, false]));
  if (raw === null) throw new BehindHead(hash);
  const header = toBlockHeader(raw);
  if (header.hash !== hash) throw new LyingNode(`answered with another block than ${hash}`);
  await trust.check(endpoint, raw);
  return header;
}

function gapsOf(definition: ChainDefinition, endpoints: Endpoints, trust: HeaderTrust): readonly string[] {
  const gaps: string[] = [];
  if (definition.traceMethod === 'none') {
    gaps.push('Value that moves inside a transaction is not seen; only the balance check shows it.');
  }
  if (definition.genesisHash === null) {
    gaps.push('No genesis_hash is stated, so only the chain id tells this chain from another one.');
  }
  if (endpoints.count < 2) {
    gaps.push('With one endpoint, no second one confirms the hashes of final blocks.');
    if (definition.traceMethod !== 'none')
      gaps.push('With one endpoint, nothing confirms value that moves inside transactions.');
  }
  if (trust.gap) {
    const why = 'Headers have fields that this version does not know, so their hashes are not recomputed';
    const instead =
      endpoints.count < 2
        ? 'what blocks hold is the word of one endpoint alone'
        : 'a block counts where two endpoints show the same header';
    gaps.push(`${why}: ${instead}. Update Ducat.`);
  }
  return gaps;
}
