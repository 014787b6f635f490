// Closes a connection whose client is still sending, so that the client gets to read the answer first.
import type { Socket } from 'node:net';
import type { World } from '../runtime/world.ts';

/** How long incoming bytes are discarded before the connection is cut. */
const LINGER_MS = 2_000;

/**
 * Node cuts a connection as soon as its last answer is written. If bytes are still unread, the system then sends a reset,
 * and the client loses the answer. This function makes the connection linger instead.
 */
export function closeLingering(socket: Socket, world: World): void {
  // A request that was injected by a test has no real socket.
  if (typeof socket.destroySoon !== 'function') return;
  socket.destroySoon = () => endLingering(socket, world);
}

/** Writes `lastWord`, half-closes, discards incoming bytes for a short while, and then cuts the connection in any case. */
export function endLingering(socket: Socket, world: World, lastWord = ''): void {
  socket.end(lastWord);
  socket.resume();
  const gone = new AbortController();
  socket.once('close', () => gone.abort());
  void world.sleep(LINGER_MS, gone.signal).then(() => socket.destroy());
}
