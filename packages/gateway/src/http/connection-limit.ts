// Keeps the connections of a server within their limits, and chooses which ones are cut.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { addressKey } from './address-key.ts';
import { type ConnectionLimits, createConnectionPlaces } from './connection-places.ts';

export interface LimitedConnections {
  /** Marks the connection of an answer without an end as quiet, so that it may be cut for another connection. */
  mayCut(response: ServerResponse): void;
}

/**
 * Addresses count by `addressKey`, as for rate limits. Behind trusted proxies all connections are the proxies' own, so only
 * their total is limited.
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
    // A connection is quiet until the body of its request has arrived: a body that never comes is like no request.
    if (hasBody(request)) request.once('end', () => places.setBusy(socket));
    else places.setBusy(socket);
    response.once('close', () => places.setQuiet(socket));
  });
  return {
    mayCut: ({ socket }) => {
      // This server has no TLS, so its sockets are of this class.
      if (socket !== null) places.setQuiet(socket);
    },
  };
}

function hasBody({ headers }: IncomingMessage): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = headers;
  return encoding !== undefined || length !== '0';
}
