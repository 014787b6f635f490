// The endpoints of one EVM chain, made from their addresses.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { World } from '../../world.ts';
import { type EndpointFailure, endpointNames, EndpointPool } from '../endpoint/endpoint-pool.ts';
import { Endpoint } from './endpoint.ts';
import { createLane } from '../endpoint/lane.ts';
import type { RpcObserver } from '../endpoint/rpc-observer.ts';
import { createRpc } from './rpc.ts';

export interface EndpointsOptions {
  readonly definition: ChainDefinition;
  readonly rpcUrls: readonly string[];
  readonly world: World;
  readonly fetch: typeof globalThis.fetch;
  readonly observer: RpcObserver | null;
}

const timeoutMs = 20_000;
// Sixteen blocks are read at the same time, so an answer has a lower limit beside others than alone.
const maxBodyBytes = 16 * 1024 * 1024;
const maxWideBodyBytes = 64 * 1024 * 1024;

/** Why an endpoint did not answer. */
export type Failure = EndpointFailure<Endpoint>;

export class Endpoints extends EndpointPool<Endpoint> {
  /** Throws Outage, not retryable, where no address or one that is no URL is given. */
  constructor({ definition, rpcUrls, world, fetch, observer }: EndpointsOptions) {
    const wideLane = createLane();
    const all = endpointNames(rpcUrls).map((name, index) => {
      const options = { url: rpcUrls[index] ?? '', name, world, fetch, observer, timeoutMs };
      const rpc = createRpc({ ...options, maxBodyBytes });
      const wideRpc = createRpc({ ...options, maxBodyBytes: maxWideBodyBytes });
      return new Endpoint({ rpc, wideRpc, wideLane, definition, world });
    });
    super(definition.name, all);
  }
}
