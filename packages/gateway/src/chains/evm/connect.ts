// Connects to the providers of an EVM chain: each has a name, and is proven to be on the chain that is meant.
import { assert } from '@ducat/core/assert';
import type { ChainDefinition } from '@ducat/core/chain/chain';
import { createHttpPost } from '../rpc/http-post.ts';
import { invalidAnswer } from '../rpc/invalid-answer.ts';
import { proveOnce, type Proven } from '../rpc/prove-once.ts';
import { providerNames } from '../rpc/provider-name.ts';
import type { ProviderOptions } from '../rpc/provider-options.ts';
import { splitUrl } from '../rpc/url-secrets.ts';
import { readHeader } from './block/header.ts';
import { JsonRpc } from './json-rpc.ts';
import { numberIn } from './quantity.ts';

export interface EvmConnection {
  readonly name: string;
  readonly rpc: JsonRpc;
  /** Proves the chain before the first work and after each failure. */
  readonly proven: Proven<JsonRpc>;
}

const throttlingStatus: ReadonlySet<number> = new Set([429, 503]);

/** Connects to nothing yet. Throws Outage, not retryable, where a text is no URL. */
export function connectEvm(options: ProviderOptions): readonly EvmConnection[] {
  const { definition, rpcUrls, world, http = createHttpPost(), observer = null } = options;
  assert(definition.chainId > 0, `${definition.name} cannot be on without a chain id`);
  return providerNames(rpcUrls).map((name, index) => {
    const target = splitUrl(rpcUrls[index] ?? '');
    const rpc = new JsonRpc({ name, target, world, http, observer, throttlingStatus });
    return { name, rpc, proven: proveOnce(rpc, () => proveChain(rpc, definition)) };
  });
}

/** Throws Outage 'invalid' where the provider is on another chain. */
async function proveChain(rpc: JsonRpc, { chainId, genesisHash }: ChainDefinition): Promise<void> {
  const reported = numberIn(await rpc.call('eth_chainId', []));
  if (reported !== chainId)
    throw invalidAnswer(`is on the wrong chain: its chain id is ${reported}, ${chainId} is wanted`);
  if (genesisHash === null) return;
  const answer = await rpc.read('eth_getBlockByNumber', ['0x0', false]);
  if (answer === null) throw invalidAnswer('has no block 0, so its chain cannot be known');
  const { hash } = readHeader(answer.tape, answer.place).header;
  if (hash !== genesisHash.toLowerCase())
    throw invalidAnswer(`is on the wrong chain: its block 0 is ${hash}, ${genesisHash} is wanted`);
}
