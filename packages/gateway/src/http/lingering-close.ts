// Closes a connection whose sender is still sending, so that it gets to read the answer first.
import type { Socket } from 'node:net';
import type { World } from '../runtime/world.ts';

/** How long what still comes is thrown away before the connection is cut. */
const LINGER_MS = 2_000;

/**
 * Node cuts a connection at once when its last answer is written. With bytes still unread the system then sends a
 * reset, and the other side loses the answer. With this the connection lingers instead.
 */
export function closeLingering(socket: Socket, world: World): void {
  // A request that was injected by a test has no real socket.
  if (typeof socket.destroySoon !== 'function') return;
  socket.destroySoon = () => endLingering(socket, world);
}

/** Says the last word, half-closes, discards for a short while what still comes, and cuts whatever the other side does. */
export function endLingering(socket: Socket, world: World, lastWord = ''): void {
  socket.end(lastWord);
  socket.resume();
  const gone = new AbortController();
  socket.once('close', () => gone.abort());
  void world.sleep(LINGER_MS, gone.signal).then(() => socket.destroy());
}
