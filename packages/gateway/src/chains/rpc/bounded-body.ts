// Reads an HTTP body up to a limit, counted while it streams, so that a provider cannot fill the memory.
import { isAscii } from 'node:buffer';
import { AnswerTooLarge } from './answer-too-large.ts';

/** Throws AnswerTooLarge once more than `maxBytes` have come; the iterator is closed then. */
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

/** Answers are ASCII but for error messages, and then this decodes four times as fast. */
export function textOf(body: Buffer): string {
  return body.toString(isAscii(body) ? 'latin1' : 'utf8');
}
