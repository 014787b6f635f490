// One of the two views of a node, proven to be on the chain that is meant, and to have all of it, before it is used.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import { invalidAnswer } from '../rpc/invalid-answer.ts';
import { type Proven, proveOnce } from '../rpc/prove-once.ts';
import { headerAt, headOf } from './block/header.ts';
import type { HttpApi } from './wire/http-api.ts';

const chainIdDigits = 8;

/** They are proven apart, so that a node whose solid view is away is still read from its head. */
export class View {
  /** Whether it shows only what cannot change any more. */
  readonly isFinal: boolean;
  /** Before it is known which chain the node is on. */
  readonly unproven: HttpApi;
  readonly #proven: Proven;

  constructor(api: HttpApi, isFinal: boolean, definition: ChainDefinition) {
    this.isFinal = isFinal;
    this.unproven = api;
    this.#proven = proveOnce(() => proveChain(api, definition));
  }

  /** What the work comes to. Throws Outage. */
  ask<T>(work: (api: HttpApi) => Promise<T>): Promise<T> {
    return this.#proven(() => work(this.unproven));
  }

  head(): Promise<number> {
    return this.ask(headOf);
  }
}

/** Throws Outage 'invalid' where the node is on another chain or lacks old blocks. */
async function proveChain(api: HttpApi, { chainId, genesisHash }: ChainDefinition): Promise<void> {
  const genesis = await headerAt(api, 0);
  if (genesis === null)
    throw invalidAnswer('is a lite node: it has no block 0, so its chain cannot be known');
  const { hash } = genesis.header;
  const seen = Number.parseInt(hash.slice(-chainIdDigits), 16);
  if (seen !== chainId)
    throw invalidAnswer(`is on the wrong chain: its chain id is ${seen}, ${chainId} is wanted`);
  const wanted = genesisHash?.toLowerCase().replace(/^0x/, '') ?? hash;
  if (hash !== wanted)
    throw invalidAnswer(`is on the wrong chain: its block 0 is ${hash}, ${wanted} is wanted`);
  // Block 0 is in every database; a node that dropped the blocks after it cannot be read from there.
  if ((await headerAt(api, 1)) === null && (await headOf(api)) > 0)
    throw invalidAnswer('is a lite node: it has no block 1, so it lacks old blocks');
}
