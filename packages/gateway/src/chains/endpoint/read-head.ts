// The head of a chain, by the endpoint that is preferred or by those that are ahead of it.
import type { EndpointPool } from './endpoint-pool.ts';
import type { WatchedEndpoint } from './watched-endpoint.ts';

/**
 * The head of the preferred endpoint. Where that has stood still for too long, every endpoint is asked: a node
 * that lost its peers goes on answering, and only the others show that it is behind.
 */
export async function readHead<E extends WatchedEndpoint>(endpoints: EndpointPool<E>): Promise<number> {
  const heads = async (endpoint: E): Promise<{ readonly height: number; readonly still: boolean }> => {
    const height = await endpoint.askHead();
    return { height, still: endpoint.standsStill };
  };
  const preferred = await endpoints.ask(async (endpoint) => {
    const tookMs = endpoint.startTiming();
    try {
      return await heads(endpoint);
    } finally {
      // Whether others are sooner is not asked here, only where they agree on what is final.
      endpoint.noteTime('its head', tookMs(), () => false);
    }
  });
  if (!preferred.still) return preferred.height;
  const others = await endpoints.askAll(0, heads);
  return Math.max(preferred.height, ...others.map(({ height }) => height));
}
