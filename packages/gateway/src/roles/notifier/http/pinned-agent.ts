// Connections that are kept for the next webhook, but only for the same vetted addresses.
import { constants } from 'node:crypto';
import { type ClientRequest, Agent as HttpAgent, type AgentOptions } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { type LookupFunction, Socket, type TcpNetConnectOpts } from 'node:net';
import { createSecureContext } from 'node:tls';
import { BeneathTls, beneathTls } from './beneath-tls.ts';
import { Deadline } from './deadline.ts';

/** What a request hands its agent beside Node's own options. */
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
    // Sorted, or a name server that turns its list round each time would get its host a new pool each time.
    pinnedTo: addresses.toSorted().join(),
    lookup: (_hostname, options, callback) => {
      const [first] = entries;
      if (options.all === true) callback(null, entries);
      else callback(null, first?.address ?? '', first?.family);
    },
  };
}

/**
 * Free connections are closed before servers close theirs, which would waste the next attempt: 2 s is the shortest
 * time that a common one has by itself.
 */
const FREE_MS = 1_500;
/** Free connections of one poster, over all its receivers. */
export const MAX_FREE_SOCKETS = 256;

/**
 * The connections that wait for the next webhook. Each has its time from when it came free, whatever its receiver
 * does, and is closed by the first byte on it: nobody asked for one. Node's own timer begins again with each byte.
 */
export class FreeSockets {
  /** What ends the watch over each, the oldest first. */
  readonly #free = new Map<Socket, () => void>();

  add(socket: Socket, ms: number): void {
    const close = () => {
      closeFree(socket);
    };
    const forget = () => {
      this.remove(socket);
    };
    const deadline = new Deadline(ms);
    deadline.onPass(close);
    socket.once('data', close);
    // Node ends its own side first, and until then it would give the connection to a request.
    socket.once('end', close);
    socket.once('close', forget);
    this.#free.set(socket, () => {
      deadline.clear();
      socket.off('data', close);
      socket.off('end', close);
      socket.off('close', forget);
    });
    const [oldest] = this.#free.keys();
    if (this.#free.size <= MAX_FREE_SOCKETS || oldest === undefined) return;
    this.remove(oldest);
    closeFree(oldest);
  }

  remove(socket: Socket): void {
    this.#free.get(socket)?.();
    this.#free.delete(socket);
  }
}

/** Its agent would only learn of the end in a later turn, and give it to a webhook until then. */
function closeFree(socket: Socket): void {
  socket.destroy();
  socket.emit('agentRemove');
}

/**
 * One process never has more connections open than this, or its requests would wait for one another. The notifier's
 * own limit and the free ones together are far below.
 */
const MAX_SOCKETS = 2_048;

const options: AgentOptions = {
  keepAlive: true,
  scheduling: 'lifo',
  maxFreeSockets: 16,
  maxTotalSockets: MAX_SOCKETS,
  timeout: FREE_MS,
};

/**
 * Our time, or half of what the receiver allows where that is less: it counts from when it sent its answer. Node has
 * read it from there and put it on the socket.
 */
function freeMs(socket: Socket): number {
  const allowed = socket.timeout ?? FREE_MS;
  return allowed < FREE_MS ? allowed / 2 : FREE_MS;
}

/**
 * No DHE, for which the receiver chooses numbers so large that each handshake takes a third of a second, before it
 * has proved who it is; nor key exchanges that nothing else needs.
 */
const CIPHERS = [
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'TLS_AES_128_GCM_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
].join(':');

/** Tickets to go on with a TLS session that a receiver may send on one connection; servers send two or so. */
export const MAX_TICKETS = 16;

/** Each costs more than its bytes, which are counted beneath. */
function boundTickets(socket: Socket): void {
  let tickets = 0;
  socket.on('session', () => {
    tickets += 1;
    if (tickets > MAX_TICKETS) socket.destroy();
  });
}

/** For http addresses. A connection is only used again for a request with the same pin. */
export class PinnedHttpAgent extends HttpAgent {
  readonly #free: FreeSockets;

  constructor(free: FreeSockets) {
    super(options);
    this.#free = free;
  }

  override getName(request?: Parameters<HttpAgent['getName']>[0] & Partial<Pin>): string {
    return `${super.getName(request)}:${request?.pinnedTo ?? ''}`;
  }

  /** Answers whether it may be kept, although the types of Node say nothing of that. */
  override keepSocketAlive(socket: Socket): unknown {
    const kept: unknown = super.keepSocketAlive(socket);
    if (kept !== false) this.#free.add(socket, freeMs(socket));
    return kept;
  }

  override reuseSocket(socket: Socket, request: ClientRequest): void {
    this.#free.remove(socket);
    super.reuseSocket(socket, request);
  }
}

/** For https addresses. A connection is only used again for a request with the same pin. */
export class PinnedHttpsAgent extends HttpsAgent {
  readonly #free: FreeSockets;

  constructor(free: FreeSockets) {
    super({
      ...options,
      secureContext: createSecureContext({
        ciphers: CIPHERS,
        secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
      }),
    });
    this.#free = free;
  }

  override getName(request?: Parameters<HttpsAgent['getName']>[0] & Partial<Pin>): string {
    return `${super.getName(request)}:${request?.pinnedTo ?? ''}`;
  }

  override createConnection(...about: Parameters<HttpsAgent['createConnection']>) {
    const network = new BeneathTls();
    network.setNoDelay();
    // What an agent of Node is given here is what that would connect with itself.
    const [options] = about as [TcpNetConnectOpts];
    const throughIt = { ...options, socket: network };
    const connection = super.createConnection(throughIt);
    if (!(connection instanceof Socket)) throw new Error('an agent of Node makes sockets');
    boundTickets(connection);
    network.carry(connection);
    network.connect(options);
    return connection;
  }

  override keepSocketAlive(socket: Socket): unknown {
    const kept: unknown = super.keepSocketAlive(socket);
    if (kept !== false) this.#free.add(socket, freeMs(socket));
    return kept;
  }

  override reuseSocket(socket: Socket, request: ClientRequest): void {
    this.#free.remove(socket);
    beneathTls(socket)?.begin();
    super.reuseSocket(socket, request);
  }
}
