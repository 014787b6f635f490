// Keeps the connections of a server within their limits, and cuts the right ones.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { addressKey } from './address-key.ts';
import { type ConnectionLimits, createConnectionPlaces } from './connection-places.ts';

export interface LimitedConnections {
  /** Lets the connection of an answer that has no end be cut for another one, as one that is quiet. */
  mayCut(response: ServerResponse): void;
}

/**
 * Addresses count as they do for the pace. Where proxies are trusted, the connections are theirs, so that only the sum
 * of all is limited.
 */
export function limitConnections(
  server: Server,
  { trustedProxies, ...limits }: ConnectionLimits & { readonly trustedProxies: readonly string[] },
): LimitedConnections {
  const isBehindProxy = trustedProxies.length > 0;
  const places = createConnectionPlaces<Socket>({
    ...limits,
    ...(isBehindProxy ? { maxConnectionsPerAddress: limits.maxConnections } : {}),
  });
  server.on('connection', (socket: Socket) => {
    const address = isBehindProxy ? 'a proxy' : addressKey(socket.remoteAddress ?? '');
    places.take(socket, address)?.destroy();
    socket.once('close', () => places.leave(socket));
  });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    // A request whose body does not come is as quiet as none.
    if (hasBody(request)) request.once('end', () => places.setBusy(socket));
    else places.setBusy(socket);
    response.once('close', () => places.setQuiet(socket));
  });
  return {
    mayCut: ({ socket }) => {
      // The sockets of this server are of this class; it has no TLS.
      if (socket !== null) places.setQuiet(socket);
    },
  };
}

function hasBody({ headers }: IncomingMessage): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = headers;
  return encoding !== undefined || length !== '0';
}
