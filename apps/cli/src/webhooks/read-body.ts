// Reads the body of a request up to a limit.
import type { IncomingMessage } from 'node:http';

/** The bytes, or undefined where there are more than `maxBytes`. Rejects when the peer disconnects. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  // The request is not destroyed, so that an answer can still be given.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    if (!Buffer.isBuffer(chunk)) throw new Error('a request body comes in buffers');
    size += chunk.length;
    if (size > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
