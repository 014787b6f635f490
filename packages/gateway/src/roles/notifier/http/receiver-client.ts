// An HTTP client of one connection to one receiver: sends each request once, and only to addresses that were vetted.
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { LRUCache } from 'lru-cache';
import { type buildConnector, Client, type Dispatcher } from 'undici';
import { MAX_HEADER_BYTES } from './answer-intake.ts';
import type { AnswerStream } from './answer-stream.ts';
import type { GuardedAddress } from './guarded-address.ts';
import { OpenFailure, openConnection } from './open-connection.ts';

/**
 * Free connections are closed before the server closes them, which would waste the next attempt. 2 s is the shortest
 * default of a common server.
 */
export const FREE_MS = 1_500;
/**
 * Where a receiver says how long it keeps a connection, the connection is closed so much sooner: the receiver counts from
 * when it sent its answer.
 */
const SOONER_MS = 1_500;

/** Tickets for resuming a TLS session, by `keyOf`. */
export type Tickets = LRUCache<string, Buffer>;

/** Webhooks of the same key may share connections: they go to the same server at the same vetted addresses. */
export function keyOf({ url, addresses }: GuardedAddress): string {
  // Sorted, because a name server that rotates its list would give its host another key each time.
  return `${url.origin} ${addresses.toSorted().join()}`;
}

export class ReceiverClient {
  readonly key: string;
  readonly #guarded: GuardedAddress;
  readonly #tickets: Tickets;
  readonly #onGone: (client: ReceiverClient) => void;
  readonly #client: Client;
  #opening: Socket | null = null;
  #connection: AnswerStream | null = null;

  constructor(guarded: GuardedAddress, tickets: Tickets, onGone: (client: ReceiverClient) => void) {
    this.key = keyOf(guarded);
    this.#guarded = guarded;
    this.#tickets = tickets;
    this.#onGone = onGone;
    this.#client = new Client(guarded.url.origin, {
      connect: (_options, done) => this.#open(done),
      maxHeaderSize: MAX_HEADER_BYTES,
      keepAliveTimeout: FREE_MS,
      keepAliveMaxTimeout: FREE_MS,
      keepAliveTimeoutThreshold: SOONER_MS,
      // The deadline of an exchange is the poster's.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  get isGone(): boolean {
    return this.#connection?.destroyed === true;
  }

  send(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    this.#connection?.begin();
    this.#client.dispatch(options, handler);
  }

  /** The answer that counts has begun. */
  answered(): void {
    this.#connection?.answered();
  }

  /** Calls `then` when the connection can carry another webhook, in a moment at most; otherwise the connection is ended. */
  rest(then: () => void): void {
    this.#connection?.rest(then);
  }

  /** Ends everything, also what is under way. */
  close(): void {
    this.#opening?.destroy();
    this.#connection?.destroy();
    void this.#client.destroy();
  }

  /** Called once, and again where a kept connection ended before anything of the next webhook was sent on it. */
  #open(done: buildConnector.Callback): void {
    const { key } = this;
    const tickets = this.#tickets;
    const session = tickets.get(key);
    const secure = {
      ...(session === undefined ? {} : { session }),
      onTicket: (ticket: Buffer) => void tickets.set(key, ticket),
    };
    const opened = (result: AnswerStream | OpenFailure): void => {
      this.#opening = null;
      if (result instanceof OpenFailure) return done(result, null);
      this.#connection = result;
      result.once('close', () => this.#onGone(this));
      // Of a socket the client uses only what each stream has.
      done(null, result as Duplex as Socket);
    };
    this.#opening = openConnection(this.#guarded, opened, secure);
  }
}
