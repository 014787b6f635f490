// Connections that are kept for the next webhook, but only for the same vetted addresses.
import { Agent as HttpAgent, type AgentOptions } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { LookupFunction } from 'node:net';

/** What a request tells its agent beside Node's own options. */
export interface Pin {
  /** The addresses that were vetted for this request, in one text. */
  readonly pinnedTo: string;
  /** Answers with those addresses and asks nobody. */
  readonly lookup: LookupFunction;
}

/** The pin of a request whose host may be connected at these addresses only. */
export function pinTo(addresses: readonly string[]): Pin {
  const entries = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  return {
    pinnedTo: addresses.join(),
    lookup: (_hostname, options, callback) => {
      const [first] = entries;
      if (options.all === true) callback(null, entries);
      else callback(null, first?.address ?? '', first?.family);
    },
  };
}

/** Idle connections are dropped before most servers drop theirs, which would waste the next attempt. */
const IDLE_MS = 4_000;

/** One process never has more connections open than this; the notifier's own limit is far below. */
const options: AgentOptions = {
  keepAlive: true,
  scheduling: 'lifo',
  maxFreeSockets: 16,
  maxTotalSockets: 2_048,
  timeout: IDLE_MS,
};

/** For http addresses. A connection is only used again for a request with the same pin. */
export class PinnedHttpAgent extends HttpAgent {
  constructor() {
    super(options);
  }

  override getName(request?: Parameters<HttpAgent['getName']>[0] & Partial<Pin>): string {
    return `${super.getName(request)}:${request?.pinnedTo ?? ''}`;
  }
}

/** For https addresses. A connection is only used again for a request with the same pin. */
export class PinnedHttpsAgent extends HttpsAgent {
  constructor() {
    super(options);
  }

  override getName(request?: Parameters<HttpsAgent['getName']>[0] & Partial<Pin>): string {
    return `${super.getName(request)}:${request?.pinnedTo ?? ''}`;
  }
}
