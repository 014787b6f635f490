// Sends a webhook over the network: guarded, pinned, without redirects, within a time and a size.
import { LRUCache } from 'lru-cache';
import type { Post, PostAnswer, PostRequest } from '../port.ts';
import { Deadline } from './deadline.ts';
import { Exchange } from './exchange.ts';
import { type AddressRules, type GuardedAddress, guardAddress } from './guarded-address.ts';
import { KeptClients } from './kept-clients.ts';
import { keyOf, ReceiverClient } from './receiver-client.ts';

/** Receivers for which a ticket is kept to resume the TLS session. */
const MAX_TICKETS_KEPT = 256;

/** The network side of the notifier. `close` ends all connections; after it nothing is sent. */
export interface Poster {
  readonly post: Post;
  close(): void;
}

/**
 * Makes the poster that follows these rules. The time limit of a request runs on Node's own timer, not on World:
 * it guards real sockets, which the simulator replaces together with its merchants.
 */
export function createPoster(rules: AddressRules): Poster {
  const clients = new Clients();
  return {
    post: async (request) => {
      const deadline = new Deadline(request.timeoutMs);
      try {
        return await postBefore(deadline, request, rules, clients);
      } finally {
        deadline.clear();
      }
    },
    close: () => clients.close(),
  };
}

/** The clients of one poster, in use or free. */
class Clients {
  closed = false;
  readonly #kept = new KeptClients<ReceiverClient>();
  readonly #inUse = new Set<ReceiverClient>();
  readonly #tickets = new LRUCache<string, Buffer>({ max: MAX_TICKETS_KEPT });

  take(guarded: GuardedAddress): ReceiverClient {
    const client =
      this.#kept.take(keyOf(guarded)) ??
      new ReceiverClient(guarded, this.#tickets, (gone) => {
        this.#kept.remove(gone);
        if (!this.#inUse.has(gone)) gone.close();
      });
    this.#inUse.add(client);
    return client;
  }

  /** A client whose exchange did not end well is not used again, because bytes of that exchange may still come. */
  giveBack(client: ReceiverClient, endedWell: boolean): void {
    this.#inUse.delete(client);
    if (!endedWell) return client.close();
    client.rest(() => {
      if (this.closed) client.close();
      else this.#kept.add(client);
    });
  }

  close(): void {
    this.closed = true;
    this.#kept.closeAll();
    for (const client of this.#inUse) client.close();
  }
}

async function postBefore(
  deadline: Deadline,
  request: PostRequest,
  rules: AddressRules,
  clients: Clients,
): Promise<PostAnswer> {
  const guarded = await before(deadline, guardAddress(request.url, rules));
  if (typeof guarded === 'string') return { outcome: guarded, httpStatus: null };
  return clients.closed
    ? { outcome: 'connection-failed', httpStatus: null }
    : exchange(request, guarded, clients, deadline);
}

/** The value, or `timeout` when the deadline comes first. */
function before<Value>(deadline: Deadline, value: Promise<Value>): Promise<Value | 'timeout'> {
  const late = new Promise<'timeout'>((resolve) => {
    deadline.onPass(() => resolve('timeout'));
  });
  return Promise.race([value, late]);
}

/**
 * One request and its answer. The request is sent once, even where a kept connection turns out to be dead: it cannot be
 * known whether the receiver closed the connection before it got the request, and each sending counts as an attempt. Dead
 * connections are rare because free connections are kept for less time than receivers keep theirs.
 */
function exchange(
  { headers, body }: PostRequest,
  guarded: GuardedAddress,
  clients: Clients,
  deadline: Deadline,
): Promise<PostAnswer> {
  return new Promise((resolve) => {
    const { pathname, search } = guarded.url;
    const client = clients.take(guarded);
    const onEnd = (answer: PostAnswer): void => {
      clients.giveBack(client, answer.outcome === 'delivered');
      resolve(answer);
    };
    const way = new Exchange(() => client.answered(), onEnd);
    deadline.onPass(() => way.end('timeout'));
    client.send({ path: pathname + search, method: 'POST', headers, body }, way);
  });
}
