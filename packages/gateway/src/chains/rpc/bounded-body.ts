// Reads an HTTP body up to a limit, counted while it streams, so that a provider cannot fill the memory.
import { AnswerTooLarge } from './answer-too-large.ts';

/** Throws AnswerTooLarge once more than `maxBytes` bytes have come, and closes the iterator. */
export async function readBounded(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new AnswerTooLarge(`answered with more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}
