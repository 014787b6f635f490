// The endpoints of one EVM chain, made from their addresses.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { World } from '../../runtime/world.ts';
import { type EndpointFailure, endpointNames, EndpointPool } from '../endpoint/endpoint-pool.ts';
import { Endpoint } from './endpoint.ts';
import type { RpcObserver } from '../endpoint/rpc-observer.ts';
import { createRpc, type Rpc } from './rpc.ts';

export interface EndpointsOptions {
  readonly definition: ChainDefinition;
  readonly rpcUrls: readonly string[];
  readonly world: World;
  readonly fetch: typeof globalThis.fetch;
  readonly observer: RpcObserver | null;
}

const timeoutMs = 20_000;

/** Why an endpoint did not answer. */
export type Failure = EndpointFailure<Endpoint>;

export class Endpoints extends EndpointPool<Endpoint> {
  /** Throws Outage, not retryable, where no address or one that is no URL is given. */
  constructor({ definition, rpcUrls, world, fetch, observer }: EndpointsOptions) {
    const all = endpointNames(rpcUrls).map((name, index) => {
      const options = { url: rpcUrls[index] ?? '', name, world, fetch, observer };
      const rpcOf = (maxBodyBytes: number, mostMs = timeoutMs): Rpc =>
        createRpc({ ...options, maxBodyBytes, timeoutMs: mostMs });
      return new Endpoint({ name, rpcOf, definition, world });
    });
    super(definition.name, all);
  }
}
