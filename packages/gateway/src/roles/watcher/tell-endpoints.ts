// Tells what became of a chain's endpoints: to metrics after every step, to the log where it changed.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { ChainPort } from '../../chains/port.ts';
import type { Log } from '../../runtime/log.ts';
import type { WatcherObserver } from './observer.ts';

export interface EndpointTeller {
  readonly chain: Pick<ChainPort, 'health'> & { readonly definition: Pick<ChainDefinition, 'name'> };
  readonly log: Pick<Log, 'info' | 'warn'>;
  readonly observer: Pick<WatcherObserver, 'onEndpoints'>;
}

/** Called after every step. */
export function createEndpointTeller({ chain, log, observer }: EndpointTeller): () => void {
  const { name } = chain.definition;
  const told = new Map<string, string | null>();
  return () => {
    const endpoints = chain.health();
    observer.onEndpoints(name, endpoints);
    for (const { endpoint, healthy, lastError } of endpoints) {
      const trouble = healthy ? null : (lastError ?? 'no reason is known');
      const before = told.get(endpoint) ?? null;
      if (trouble === before) continue;
      told.set(endpoint, trouble);
      if (trouble === null) log.info({ chain: name, endpoint }, 'endpoint is used again');
      else log.warn({ chain: name, endpoint, reason: trouble }, 'endpoint is in trouble');
    }
  };
}
