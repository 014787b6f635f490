// Counts what providers were asked since the start of the process.
import type { RpcObserver } from '../../chains/rpc/rpc-observer.ts';

interface RequestCount {
  readonly calls: number;
  readonly failures: number;
  /** Of all calls together. */
  readonly totalMs: number;
}

export interface RequestTally extends RpcObserver {
  of(provider: string): RequestCount;
}

const noRequests: RequestCount = { calls: 0, failures: 0, totalMs: 0 };

/** Counts each observation and hands it on to `next`. */
export function createRequestTally(next: RpcObserver): RequestTally {
  const counts = new Map<string, RequestCount>();
  const of = (provider: string) => counts.get(provider) ?? noRequests;
  return {
    of,
    onRequest: (observation) => {
      const { provider, ms, ok } = observation;
      const { calls, failures, totalMs } = of(provider);
      counts.set(provider, {
        calls: calls + 1,
        failures: failures + (ok ? 0 : 1),
        totalMs: totalMs + Math.max(0, Math.round(ms)),
      });
      next.onRequest(observation);
    },
  };
}
