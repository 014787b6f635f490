// Makes a server listen on a free port of this machine alone.
import type { Server } from 'node:net';

/** Returns the port. */
export async function listenLocally(server: Server): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('a server listens without a port');
  return address.port;
}
