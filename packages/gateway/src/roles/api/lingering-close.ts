// Closes a connection whose sender is still sending, so that it gets to read the answer first.
import type { Socket } from 'node:net';
import type { World } from '../../world.ts';

/** How long what still comes is thrown away before the connection is cut. */
const LINGER_MS = 2_000;

/**
 * Node cuts a connection at once when its last answer is written. With bytes still unread the system then sends a
 * reset, and the other side loses the answer. This half-closes instead, discards for a short while, then cuts.
 */
export function closeLingering(socket: Socket, world: World): void {
  // A request that was injected by a test has no real socket.
  if (typeof socket.destroySoon !== 'function') return;
  socket.destroySoon = () => {
    socket.end();
    socket.resume();
    const gone = new AbortController();
    socket.once('close', () => gone.abort());
    void world.sleep(LINGER_MS, gone.signal).then(() => socket.destroy());
  };
}
